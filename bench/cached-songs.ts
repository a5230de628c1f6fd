import { fileURLToPath } from 'node:url'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { build } from 'esbuild'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { untilControlled } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'
import { median, percentile, report } from './report.ts'

// 50,000 songs on this device: search without a connection, and lists that scroll. `npm run bench -- cached-songs`.

const SONGS = 50_000
const LIST = 10_000
const SLOWDOWN = 4
const kept: boolean[] = []
const check = (...args: Parameters<typeof report>) => kept.push(report(...args))

/** The search alone, as the page's own code does it, in a bare page. */
async function searchAlone(context: BrowserContext, slowdown: number): Promise<number[]> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../client/data/song-index.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'songIndex',
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  const times = await page.evaluate((count) => {
    interface Texts {
      put(songs: unknown[]): void
      search(query: { text: string; artist: boolean; sort: string }): string[]
    }
    const { SongTexts } = Reflect.get(window, 'songIndex') as { SongTexts: new () => Texts }
    const texts = new SongTexts()
    const first = ['Neon', 'Señorita', 'Midnight', 'Über', 'Velvet', 'Crystal', '夜の', 'Broken']
    const second = ['Rain', 'City', 'Heart', 'Café', 'Machine', 'Dreams', 'Road']
    texts.put(
      Array.from({ length: count }, (_, n) => ({
        youtube_id: `s${n}`,
        title: `${first[n % 8]} ${second[n % 7]} ${n}`,
        author_name: `Artist ${n % 900}`,
        date_added: new Date(1.7e12 + n * 1e6).toISOString(),
      })),
    )
    const queries = ['neon', 'rain neo', 'artist 77', 'a', 'eno', 'senorita cafe', 'zzz', '夜の', '4999', 'midnight road art']
    const sorts = ['az', 'za', 'newest', 'oldest']
    const measured: number[] = []
    for (let round = 0; round < 4; round++)
      for (const text of queries) {
        const startMs = performance.now()
        texts.search({ text, artist: round === 3, sort: sorts[round] ?? 'az' })
        measured.push(performance.now() - startMs)
      }
    return measured
  }, SONGS)
  await page.close()
  return times
}

/** Fills the page's own database, as if all this had been opened before. */
async function fill(page: Page): Promise<void> {
  // Opened before the page has made it, it would be an empty one.
  await page.evaluate(async () => {
    while (!(await indexedDB.databases()).some(({ name, version = 0 }) => name === 'varispeed' && version > 1))
      await new Promise((resolve) => setTimeout(resolve, 50))
  })
  await page.evaluate(
    async ([songs, list]) => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('varispeed')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      // No named functions in here: what the tool that runs this adds to them is not known in the page.
      const ids = Array.from({ length: songs }, (_, n) => `cache${String(n).padStart(6, '0')}`)
      const transaction = db.transaction(['songs', 'playlists', 'lists', 'visits'], 'readwrite')
      const done = new Promise((resolve, reject) => {
        transaction.oncomplete = resolve
        transaction.onerror = () => reject(transaction.error)
      })
      for (const [n, id] of ids.entries())
        transaction.objectStore('songs').put({
          youtube_id: id,
          youtube_url: `https://www.youtube.com/watch?v=${id}`,
          title: `${['Neon', 'Señorita', 'Midnight', 'Über'][n % 4]} ${['Rain', 'City', 'Café'][n % 3]} ${n}`,
          author_name: `Artist ${n % 900}`,
          category_id: 'cached',
          category_name: 'Cached',
          date_added: new Date(1.7e12 + n * 1e6).toISOString(),
          duration: 180,
          new: 'false',
        })
      const row = {
        id: 'cached',
        title: 'Cached songs',
        category_id: 'cached',
        category_name: 'Cached',
        description: '',
        description_url: '',
      }
      transaction.objectStore('playlists').put({
        ...row,
        youtube_url: '',
        special: false,
        image_url: '/img/playlist/cached',
        thumbnail: '',
        url: '/playlist?p=cached',
        song_count: list,
      })
      transaction.objectStore('lists').put({ key: 'playlist:cached', ids: ids.slice(0, list), complete: true })
      transaction.objectStore('visits').put({ key: 'playlist:cached', fetchedAtMs: Date.now(), usedAtMs: Date.now() })
      await done
      db.close()
    },
    [SONGS, LIST] as const,
  )
}

/** Goes to an address as a link does, and gives how long it took until `wanted` stood in the document and was drawn. */
const timedGo = (page: Page, path: string, wanted: string) =>
  page.evaluate(
    async ([to, selector]) => {
      const link = document.createElement('a')
      link.href = to
      document.body.append(link)
      const startMs = performance.now()
      link.click()
      link.remove()
      while (document.querySelector(selector) === null) await new Promise((resolve) => requestAnimationFrame(resolve))
      return performance.now() - startMs
    },
    [path, wanted] as const,
  )

async function scrollFrames(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const times: number[] = []
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let frame = 0; frame < 240; frame++) {
      window.scrollBy({ top: frame % 120 < 60 ? 60 : -60, behavior: 'instant' })
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    return times
  })
}

const site = await startSite()
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await installVideoPlatform(context)
  const normal = await searchAlone(context, 1)
  check('search in 50,000 songs: median', median(normal), 'ms', { atMost: 50 })
  check('search in 50,000 songs: 95th of 100', percentile(normal, 0.95), 'ms', { atMost: 50 })
  report('search in 50,000 songs: the very slowest', Math.max(...normal), 'ms')
  const slowed = await searchAlone(context, SLOWDOWN)
  report('search, CPU slowed 4 times: median', median(slowed), 'ms')
  report('search, CPU slowed 4 times: 95th of 100', percentile(slowed, 0.95), 'ms')

  const page = await context.newPage()
  await page.goto(`${site.origin()}/playlists`)
  await page.waitForSelector('main a[href^="/playlist?"]')
  await untilControlled(page)
  await fill(page)
  // The server would say that it has no such playlist, and the page would forget it.
  await context.route('**/api/playlist/get?p=cached*', (route) => route.abort())
  // Every part of the program is loaded once before the connection goes.
  for (const path of ['/playlist?p=cached', '/search?q=zzzz']) await page.goto(site.origin() + path)
  await page.goto(`${site.origin()}/playlist?p=cached`)
  await page.waitForTimeout(1000)
  await context.setOffline(true)
  await page.waitForTimeout(3000)
  const searches: number[] = []
  for (const text of ['neon', 'rain', 'senorita', 'artist 77', 'city 49'])
    searches.push(await timedGo(page, `/search?q=${encodeURIComponent(text)}`, `main ol[aria-label="Results for '${text}'"] a`))
  report('from the link to the results on screen: median', median(searches), 'ms')

  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  report(
    'list of 10,000 songs shown, CPU slowed 4 times',
    await timedGo(page, '/playlist?p=cached', 'main ol[aria-label="Songs of Cached songs"] a'),
    'ms',
  )
  await page.waitForTimeout(1500)
  const frames = await scrollFrames(page)
  check('frames while the list scrolls, CPU slowed 4 times: median', median(frames), 'ms', { atMost: 17 })
  check('frames while the list scrolls: 95th of 100', percentile(frames, 0.95), 'ms', { atMost: 34 })
} finally {
  await browser.close()
  await site.stop()
}
process.exitCode = kept.every(Boolean) ? 0 : 1
