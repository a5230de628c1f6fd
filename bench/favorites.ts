import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { createCredentials, openHydratedPage, submitLogIn } from '../e2e/identity/steps.ts'
import { startSite } from '../e2e/server.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'
import { createFavoritesAccount } from './favorites-account.ts'
import { computeMedian, computePercentile, reportFigure } from './report.ts'

// `npm run bench -- favorites`: rendering, scrolling and syncing 20,000 favorites.

const FAVORITE_COUNT = 20_000
const CPU_SLOWDOWN_FACTOR = 4
const TAP_COUNT = 12
const goalResults: boolean[] = []
const reportResult = (...args: Parameters<typeof reportFigure>) => goalResults.push(reportFigure(...args))

const createSongId = (n: number) => `fav_${String(n).padStart(7, '0')}`

/** Scrolls the favorites list down and up, and returns the duration of each frame. */
const measureScrollFramesMs = (page: Page): Promise<number[]> =>
  page.evaluate(async () => {
    const favoriteList = document.querySelector('#favorites ol')
    let scroller = favoriteList?.parentElement ?? null
    while (scroller && scroller.scrollHeight <= scroller.clientHeight + 1) scroller = scroller.parentElement
    const frameTimesMs: number[] = []
    let lastFrameMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let frameIndex = 0; frameIndex < 240; frameIndex++) {
      scroller?.scrollBy({ top: frameIndex % 120 < 60 ? 60 : -60, behavior: 'instant' })
      const frameMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frameTimesMs.push(frameMs - lastFrameMs)
      lastFrameMs = frameMs
    }
    return frameTimesMs
  })

/** Presses a favorite button, and returns the milliseconds until the change is painted. */
const measureToggle = (page: Page, index: number): Promise<number> =>
  page.evaluate(async (buttonIndex) => {
    const favoriteButton = [...document.querySelectorAll<HTMLElement>('main button[aria-label^="Favorite: "]')][buttonIndex]
    const pressedBefore = favoriteButton?.getAttribute('aria-pressed')
    const startMs = performance.now()
    favoriteButton?.click()
    while (favoriteButton?.getAttribute('aria-pressed') === pressedBefore) await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - startMs
  }, index)

const site = await startSite({ DEMO: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  const cataloguePath = join(site.dataDir, 'favorites-catalogue.json')
  const sharedFields = { author_name: 'Somebody', category_id: 'house', category_name: 'House', date_added: '2026-01-01', duration: 200 }
  const songs = Array.from({ length: FAVORITE_COUNT }, (_, n) => ({ ...sharedFields, youtube_id: createSongId(n), title: `Song ${n}` }))
  const otherSongs = Array.from({ length: 40 }, (_, songNumber) => ({
    ...sharedFields,
    youtube_id: createSongId(FAVORITE_COUNT + songNumber),
    title: `Other ${songNumber}`,
  }))
  const playlist = {
    id: 'others',
    title: 'Others',
    category_id: 'house',
    category_name: 'House',
    songs: otherSongs.map((song) => song.youtube_id),
  }
  await writeFile(cataloguePath, JSON.stringify({ songs: [...songs, ...otherSongs], playlists: [playlist] }))
  await site.runAdmin('catalog', 'import', cataloguePath)

  const credentials = createCredentials()
  await createFavoritesAccount(
    site.origin(),
    credentials,
    songs.map((song) => song.youtube_id),
  )

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await installVideoPlatform(context)
  const page = await context.newPage()
  await openHydratedPage(page, `${site.origin()}/login`)
  await submitLogIn(page, credentials)
  await page.waitForURL(`${site.origin()}/`)
  const startMs = performance.now()
  await openHydratedPage(page, `${site.origin()}/account`)
  await page.waitForFunction(
    (count) => document.querySelector('#favorites li')?.getAttribute('aria-setsize') === String(count),
    FAVORITE_COUNT,
    {
      timeout: 120_000,
    },
  )
  reportFigure('20,000 favorites on a new device, from the address to the whole list', (performance.now() - startMs) / 1000, 's')

  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  const sentBytesByRequestId = new Map<string, number>()
  const transferredBytes: number[] = []
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/api/favorite/sync')) sentBytesByRequestId.set(requestId, request.postData?.length ?? 0)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const bodyBytes = sentBytesByRequestId.get(requestId)
    if (bodyBytes !== undefined) transferredBytes.push(bodyBytes + encodedDataLength)
  })
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  while (transferredBytes.length === 0) await page.waitForTimeout(50)
  reportResult('a sync with nothing new: the body, and the answer with its headers', transferredBytes[0] ?? Number.NaN, 'bytes', {
    atMost: 1000,
  })

  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN_FACTOR })
  await page.evaluate(() => document.querySelector('#favorites')?.scrollIntoView())
  await page.waitForTimeout(1500)
  const frameTimesMs = await measureScrollFramesMs(page)
  reportResult('frames while the list scrolls, CPU slowed 4 times: median', computeMedian(frameTimesMs), 'ms', { atMost: 17 })
  reportResult('frames while the list scrolls: 95th of 100', computePercentile(frameTimesMs, 0.95), 'ms', { atMost: 34 })

  await openHydratedPage(page, `${site.origin()}/playlist?p=others`)
  await page.waitForFunction(() => document.querySelectorAll('main button[aria-label^="Favorite: "]').length === 40)
  await page.waitForTimeout(3000)
  const tapTimesMs: number[] = []
  for (let tapIndex = 0; tapIndex < TAP_COUNT; tapIndex++) {
    tapTimesMs.push(await measureToggle(page, tapIndex))
    await page.waitForTimeout(700)
  }
  reportResult('from a tap to the frame that shows it, CPU slowed 4 times: median', computeMedian(tapTimesMs), 'ms', { atMost: 50 })
  reportFigure('from a tap to the frame that shows it: the slowest', Math.max(...tapTimesMs), 'ms')
} finally {
  await browser.close()
  await site.stop()
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
