import { readFileSync } from 'node:fs'
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
  /** Returns the peak growth of the renderer's resident memory during `run`, in bytes, without file mappings. */
  measurePeakMemory(run: () => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

const CONTENT_TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** Builds the page, and opens it in Chromium. @param songPath an MP3 file, which is served at `/song.mp3` */
export async function startMakerBrowser(songPath?: string): Promise<MakerBrowser> {
  const outDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-page-'))
  await build({
    configFile: false,
    root: fileURLToPath(new URL('./maker-page', import.meta.url)),
    logLevel: 'error',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  })
  const server = createServer(async ({ url = '/' }, response) => {
    const path = join(outDir, url === '/' ? '/index.html' : url)
    try {
      response
        .setHeader('content-type', CONTENT_TYPES[extname(path)] ?? 'application/octet-stream')
        .end(await readFile(url === '/song.mp3' && songPath !== undefined ? songPath : path))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  const page = await browser.newPage()
  await page.goto(`http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}/`)
  await page.waitForFunction(() => 'makerPage' in globalThis)
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  return {
    async measurePeakMemory(run) {
      const readMaxBytes = () => Math.max(...renderers.map(readResidentBytes))
      const bytesBefore = readMaxBytes()
      let peakBytes = bytesBefore
      const timer = setInterval(() => {
        peakBytes = Math.max(peakBytes, readMaxBytes())
      }, 5)
      await run()
      clearInterval(timer)
      return peakBytes - bytesBefore
    },
    call: (name, ...args) =>
      page.evaluate(([method, values]) => Reflect.apply(Reflect.get(Reflect.get(globalThis, 'makerPage'), method), undefined, values), [
        name,
        args,
      ] as const),
    async stop() {
      await browser.close()
      server.close()
      await rm(outDir, { recursive: true, force: true })
    },
  }
}

function readResidentBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const readStatusKilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return 1024 * (readStatusKilobytes('RssAnon') + readStatusKilobytes('RssShmem'))
  } catch {
    return 0
  }
}
