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

/** The page of `maker-page`, built as the product is, in a browser. */
export interface MakerBrowser {
  call<Name extends keyof MakerPage>(name: Name, ...args: Parameters<MakerPage[Name]>): Promise<Awaited<ReturnType<MakerPage[Name]>>>
  /** The most that the page's process holds of its own while `run` goes on, above what it held before; in bytes, as Linux counts them. */
  memoryOf(run: () => Promise<unknown>): Promise<number>
  stop(): Promise<void>
}

const TYPES: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' }

/** @param song an MP3 file, which the page finds at `/song.mp3` */
export async function startMakerBrowser(song?: string): Promise<MakerBrowser> {
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
        .setHeader('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
        .end(await readFile(url === '/song.mp3' && song !== undefined ? song : path))
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
    async memoryOf(run) {
      const held = () => Math.max(...renderers.map(ownBytes))
      const before = held()
      let most = before
      const timer = setInterval(() => {
        most = Math.max(most, held())
      }, 5)
      await run()
      clearInterval(timer)
      return most - before
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

function ownBytes(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return 1024 * (kilobytes('RssAnon') + kilobytes('RssShmem'))
  } catch {
    return 0
  }
}
