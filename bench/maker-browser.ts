import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { build } from 'vite'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import type { MakerPage } from './maker-page/main.ts'

/** A Chromium browser with the benchmark page `maker-page`, which is built with the product's settings. */
export interface MakerBrowser {
  call<Name extends keyof MakerPage>(name: Name, ...args: Parameters<MakerPage[Name]>): Promise<Awaited<ReturnType<MakerPage[Name]>>>
  stop(): Promise<void>
}

const CONTENT_TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** Builds the page, and opens it in Chromium. */
export async function startMakerBrowser(): Promise<MakerBrowser> {
  const outDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-page-'))
  await build({
    configFile: false,
    root: fileURLToPath(new URL('./maker-page', import.meta.url)),
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
  const server = createServer(async ({ url = '/' }, response) => {
    const filePath = join(outDir, url === '/' ? '/index.html' : url)
    try {
      response.setHeader('content-type', CONTENT_TYPES[extname(filePath)] ?? 'application/octet-stream').end(await readFile(filePath))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const serverAddress = server.address()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  const page = await browser.newPage()
  await page.goto(`http://localhost:${typeof serverAddress === 'object' && serverAddress !== null ? serverAddress.port : 0}/`)
  await page.waitForFunction(() => 'makerPage' in globalThis)
  return {
    call: (functionName, ...args) =>
      page.evaluate(([method, values]) => Reflect.apply(Reflect.get(Reflect.get(globalThis, 'makerPage'), method), undefined, values), [
        functionName,
        args,
      ] as const),
    async stop() {
      await browser.close()
      server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}
