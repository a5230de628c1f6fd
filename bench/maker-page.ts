import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { key, openMaker, slide } from '../e2e/maker-steps.ts'
import { type Site, startSite } from '../e2e/server.ts'
import { main } from '../e2e/steps.ts'

/** The maker's page on the built site, in Chromium. */
export interface MakerPage {
  /** Opens a file; gives the time until it can be edited. */
  loadMs(path: string): Promise<number>
  /** Presses 'Download as WAV'; gives what it took, and where the file is. */
  download(speed: number, options?: { reverb?: boolean }): Promise<Download>
  close(): Promise<void>
}

export interface Download {
  readonly ms: number
  readonly path: string
  /** The longest time for which the page answered nothing. */
  readonly stallMs: number
  /** What the page's process had at most, above what it had before. */
  readonly memoryBytes: number
}

export async function openMakerPage(): Promise<MakerPage> {
  const site: Site = await startSite()
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  const page = await browser.newPage({ acceptDownloads: true })
  await openMaker(page, site)
  const memory = await memoryOf(browser, page)
  return {
    async loadMs(path) {
      const start = performance.now()
      // Under a name of its own: the words that say it is there are new.
      const name = `${randomUUID().slice(0, 8)}.${path.split('.').at(-1)}`
      await main(page)
        .getByLabel('Audio file')
        .setInputFiles({ name, mimeType: 'audio/*', buffer: readFileSync(path) })
      await page.getByText(`Audio Loaded: ${name} is ready for editing.`).waitFor({ timeout: 120_000 })
      const spentMs = performance.now() - start
      await key(page, 'Pause').click()
      return spentMs
    },
    async download(speed, { reverb = false } = {}) {
      await slide(page, 'Speed', speed)
      await slide(page, 'Reverb amount', reverb ? 30 : 0)
      await slide(page, 'Reverb size', reverb ? 50 : 0)
      await slide(page, 'Bass', reverb ? 4 : 0)
      await page.waitForTimeout(1_500)
      await watchStalls(page)
      const before = memory()
      let most = before
      const watch = setInterval(() => {
        most = Math.max(most, memory())
      }, 10)
      const start = performance.now()
      const [download] = await Promise.all([
        page.waitForEvent('download', { timeout: 120_000 }),
        key(page, 'Download as WAV').evaluate((element: HTMLElement) => element.click()),
      ])
      const ms = performance.now() - start
      clearInterval(watch)
      const stallMs = await page.evaluate(() => Number(Reflect.get(globalThis, 'longestStallMs')))
      return { ms, path: await download.path(), stallMs, memoryBytes: most - before }
    },
    async close() {
      await browser.close()
      await site.stop()
    },
  }
}

/** Tasks of 1 ms, one after the other: the longest gap between two is what a person's press would have waited. */
const watchStalls = (page: Page) =>
  page.evaluate(() => {
    const { port1, port2 } = new MessageChannel()
    let lastMs = performance.now()
    Reflect.set(globalThis, 'longestStallMs', 0)
    port1.onmessage = () => {
      const nowMs = performance.now()
      Reflect.set(globalThis, 'longestStallMs', Math.max(Number(Reflect.get(globalThis, 'longestStallMs')), nowMs - lastMs))
      lastMs = nowMs
      setTimeout(() => port2.postMessage(0), 1)
    }
    port2.postMessage(0)
  })

/** Bytes that the page's process holds of its own, as Linux counts them. */
async function memoryOf(browser: Browser, page: Page): Promise<() => number> {
  const session: CDPSession = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
  await page.evaluate(() => 0)
  const readBytes = (pid: number) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const kilobytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
      return 1024 * (kilobytes('RssAnon') + kilobytes('RssShmem'))
    } catch {
      return 0
    }
  }
  return () => Math.max(...renderers.map(readBytes))
}

/** What other tools of the browser do with the same file: the time that each takes, with what is decoded already. */
export interface BrowserPeers {
  readonly names: readonly string[]
  exportMs(name: string, rate: number): Promise<{ ms: number; stallMs: number }>
  close(): Promise<void>
}

export async function openBrowserPeers(wavPath: string): Promise<BrowserPeers> {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import toWav from 'audiobuffer-to-wav'
        import * as Tone from 'tone'
        Object.assign(globalThis, { toWav, Tone })
      `,
      resolveDir: process.cwd(),
    },
    bundle: true,
    format: 'iife',
    write: false,
    logLevel: 'error',
  })
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
  const page = await browser.newPage()
  await page.route('http://peers.localhost/**', (route) =>
    route.request().url().endsWith('.wav')
      ? route.fulfill({ body: readFileSync(wavPath), contentType: 'audio/wav' })
      : route.fulfill({ body: '<!doctype html><title>Peers</title>', contentType: 'text/html' }),
  )
  await page.goto('http://peers.localhost/')
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  await page.evaluate(async () => {
    const bytes = await (await fetch('/song.wav')).arrayBuffer()
    Reflect.set(globalThis, 'song', await new OfflineAudioContext(2, 1, 44_100).decodeAudioData(bytes))
  })
  return {
    names: ['OfflineAudioContext', 'Tone.Offline'],
    async exportMs(name, rate) {
      await watchStalls(page)
      const ms = await page.evaluate(
        async ({ name, rate }) => {
          const { song, toWav, Tone } = globalThis as unknown as {
            song: AudioBuffer
            toWav: (buffer: AudioBuffer) => ArrayBuffer
            Tone: typeof import('tone')
          }
          const start = performance.now()
          const frames = Math.round(song.length / rate)
          let rendered: AudioBuffer
          if (name === 'Tone.Offline') {
            const offline = await Tone.Offline(() => {
              new Tone.Player({ url: new Tone.ToneAudioBuffer(song), playbackRate: rate }).toDestination().start(0)
            }, frames / song.sampleRate)
            rendered = offline.get() as AudioBuffer
          } else {
            const context = new OfflineAudioContext(2, frames, song.sampleRate)
            const node = context.createBufferSource()
            node.buffer = song
            node.playbackRate.value = rate
            node.connect(context.destination)
            node.start()
            rendered = await context.startRendering()
          }
          new Blob([toWav(rendered)])
          return performance.now() - start
        },
        { name, rate },
      )
      return { ms, stallMs: await page.evaluate(() => Number(Reflect.get(globalThis, 'longestStallMs'))) }
    },
    close: () => browser.close(),
  }
}
