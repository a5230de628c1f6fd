import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { FAVORITE_CHANGES_MAX } from '../contract/favorite-limits.ts'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { anybody, askService, open, submitLogIn } from '../e2e/identity/steps.ts'
import { startSite } from '../e2e/server.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'
import { median, percentile, report } from './report.ts'

// 20,000 favorites: what a list of them costs the page, and a sync the network. `npm run bench -- favorites`.

const COUNT = 20_000
const SLOWDOWN = 4
const TAPS = 12
const kept: boolean[] = []
const check = (...args: Parameters<typeof report>) => kept.push(report(...args))

const songId = (n: number) => `fav_${String(n).padStart(7, '0')}`

/** Scrolls the list within the page, there and back. */
const scrollFrames = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const list = document.querySelector('#favorites ol')
    let scroller = list?.parentElement ?? null
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    const times: number[] = []
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let frame = 0; frame < 240; frame++) {
      scroller?.scrollBy({ top: frame % 120 < 60 ? 60 : -60, behavior: 'instant' })
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    return times
  })

/** From the press to the frame that shows it. */
const timedTap = (page: Page, index: number): Promise<number> =>
  page.evaluate(async (at) => {
    const heart = [...document.querySelectorAll<HTMLElement>('main button[aria-label^="Favorite: "]')][at]
    const before = heart?.getAttribute('aria-pressed')
    const startMs = performance.now()
    heart?.click()
    while (heart?.getAttribute('aria-pressed') === before) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - startMs
  }, index)

const site = await startSite({ DEMO: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  const catalogue = join(site.dataDir, 'favorites-catalogue.json')
  const about = { author_name: 'Somebody', category_id: 'house', category_name: 'House', date_added: '2026-01-01', duration: 200 }
  const songs = Array.from({ length: COUNT }, (_, n) => ({ ...about, youtube_id: songId(n), title: `Song ${n}` }))
  const others = Array.from({ length: 40 }, (_, n) => ({ ...about, youtube_id: songId(COUNT + n), title: `Other ${n}` }))
  const playlist = {
    id: 'others',
    title: 'Others',
    category_id: 'house',
    category_name: 'House',
    songs: others.map((song) => song.youtube_id),
  }
  await writeFile(catalogue, JSON.stringify({ songs: [...songs, ...others], playlists: [playlist] }))
  await site.admin('catalog', 'import', catalogue)

  const somebody = anybody()
  const { text } = await askService(site.origin(), 'signUp', { ...somebody, returnSecureToken: true })
  const { idToken }: { idToken: string } = JSON.parse(text)
  const device = randomUUID()
  const firstMs = Date.now() - COUNT * 1000
  for (let at = 0; at < COUNT; at += FAVORITE_CHANGES_MAX) {
    const changes = songs.slice(at, at + FAVORITE_CHANGES_MAX).map(({ youtube_id }, n) => ({
      ...{ id: randomUUID(), s: youtube_id, favorite: true, device },
      at: new Date(firstMs + (at + n) * 1000).toISOString(),
    }))
    const answer = await fetch(`${site.origin()}/api/favorite/sync`, {
      method: 'POST',
      headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ changes }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await installVideoPlatform(context)
  const page = await context.newPage()
  await open(page, `${site.origin()}/login`)
  await submitLogIn(page, somebody)
  await page.waitForURL(`${site.origin()}/`)
  const startMs = performance.now()
  await open(page, `${site.origin()}/account`)
  await page.waitForFunction((count) => document.querySelector('#favorites li')?.getAttribute('aria-setsize') === String(count), COUNT, {
    timeout: 120_000,
  })
  report('20,000 favorites on a new device, from the address to the whole list', (performance.now() - startMs) / 1000, 's')

  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const sent = new Map<string, number>()
  const moved: number[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/api/favorite/sync')) sent.set(requestId, request.postData?.length ?? 0)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const bodyBytes = sent.get(requestId)
    if (bodyBytes !== undefined) moved.push(bodyBytes + encodedDataLength)
  })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  while (moved.length === 0) await page.waitForTimeout(50)
  check('a sync with nothing new: the body, and the answer with its headers', moved[0] ?? Number.NaN, 'bytes', { atMost: 1000 })

  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.evaluate(() => document.querySelector('#favorites')?.scrollIntoView())
  await page.waitForTimeout(1500)
  const frames = await scrollFrames(page)
  check('frames while the list scrolls, CPU slowed 4 times: median', median(frames), 'ms', { atMost: 17 })
  check('frames while the list scrolls: 95th of 100', percentile(frames, 0.95), 'ms', { atMost: 34 })

  await open(page, `${site.origin()}/playlist?p=others`)
  await page.waitForFunction(() => document.querySelectorAll('main button[aria-label^="Favorite: "]').length === 40)
  await page.waitForTimeout(3000)
  const taps: number[] = []
  for (let tap = 0; tap < TAPS; tap++) {
    taps.push(await timedTap(page, tap))
    await page.waitForTimeout(700)
  }
  check('from a tap to the frame that shows it, CPU slowed 4 times: median', median(taps), 'ms', { atMost: 50 })
  report('from a tap to the frame that shows it: the slowest', Math.max(...taps), 'ms')
} finally {
  await browser.close()
  await site.stop()
}
process.exitCode = kept.every(Boolean) ? 0 : 1
