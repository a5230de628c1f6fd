import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { FAVORITES_MAX } from '../contract/favorite-limits.ts'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { createCredentials, openHydratedPage, submitLogIn } from '../e2e/identity/steps.ts'
import { waitForServiceWorker } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'
import { createFavoritesAccount } from './favorites-account.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- long-lists`: an account with the maximum number of favorites, and a playlist of 25,000 other songs, in one browser.

const PLAYLIST_SONG_COUNT = 25_000
const PAGE_TIMEOUT_MS = 180_000
const goalResults: boolean[] = []
const reportResult = (...args: Parameters<typeof reportFigure>) => goalResults.push(reportFigure(...args))

const createSongId = (n: number) => `long${String(n).padStart(7, '0')}`
const sharedSongFields = { author_name: 'Somebody', category_id: 'house', category_name: 'House', date_added: '2026-01-01', duration: 200 }
const createSong = (n: number) => ({ ...sharedSongFields, youtube_id: createSongId(n), title: `Song number${n}` })

/** Waits until the rows that match `selector` belong to a list of `rowCount` songs. */
const waitForRows = (page: Page, selector: string, rowCount: number) =>
  page.waitForFunction(
    ([rows, size]) => document.querySelector(rows)?.getAttribute('aria-setsize') === size,
    [selector, String(rowCount)] as const,
    {
      timeout: PAGE_TIMEOUT_MS,
    },
  )

/** Reads the resident memory of a process in MiB. */
const readMemoryMib = async (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** Searches by address, and returns the milliseconds until the song of that title is painted. */
async function measureSearch(page: Page, searchNumber: number): Promise<number> {
  const startMs = performance.now()
  await page.goto(`${site.origin()}/search?q=number${searchNumber}`)
  await page
    .getByRole('main')
    .getByRole('link', { name: createSong(searchNumber).title, exact: true })
    .waitFor({ timeout: PAGE_TIMEOUT_MS })
  return performance.now() - startMs
}

const site = await startSite({ DEMO: 'off' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags, '--enable-precise-memory-info'] })
try {
  const cataloguePath = join(site.dataDir, 'long-catalogue.json')
  const songs = Array.from({ length: FAVORITES_MAX + PLAYLIST_SONG_COUNT }, (_, n) => createSong(n))
  const songIds = songs.map(({ youtube_id }) => youtube_id)
  const playlist = { id: 'long', title: 'Long list', category_id: 'house', category_name: 'House', songs: songIds.slice(FAVORITES_MAX) }
  await writeFile(cataloguePath, JSON.stringify({ songs, playlists: [playlist] }))
  await site.runAdmin('catalog', 'import', cataloguePath)
  const credentials = createCredentials()
  const idToken = await createFavoritesAccount(site.origin(), credentials, songIds.slice(0, FAVORITES_MAX))

  const idleMib = await readMemoryMib(site.pid)
  const requestStartMs = performance.now()
  const allFavoritesResponse = await fetch(`${site.origin()}/api/favorite/getall`, { headers: { authorization: `Bearer ${idToken}` } })
  const { data: favorites }: { data: unknown[] } = await allFavoritesResponse.json()
  reportFigure('/favorite/getall of 50,000 favorites', performance.now() - requestStartMs, 'ms')
  reportResult('/favorite/getall: songs', favorites.length, '', { atLeast: FAVORITES_MAX })
  const categoryStartMs = performance.now()
  const { data: category }: { data: { songs: unknown[] } } = await (await fetch(`${site.origin()}/api/playlist/get?p=house`)).json()
  reportFigure('/playlist/get of a category of 75,000 songs', performance.now() - categoryStartMs, 'ms')
  reportResult('/playlist/get: songs', category.songs.length, '', { atLeast: songs.length })
  reportFigure("the server's memory after both, above before", (await readMemoryMib(site.pid)) - idleMib, 'MiB')

  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await installVideoPlatform(context)
  const page = await context.newPage()
  await openHydratedPage(page, `${site.origin()}/login`)
  await submitLogIn(page, credentials)
  await page.waitForURL(`${site.origin()}/`)
  await waitForServiceWorker(page)
  const dashboardStartMs = performance.now()
  await openHydratedPage(page, `${site.origin()}/account`)
  await waitForRows(page, '#favorites li', FAVORITES_MAX)
  reportFigure('50,000 favorites on a new device, from the address to the whole list', (performance.now() - dashboardStartMs) / 1000, 's')
  await page.locator('#favorites').getByText('50,000 songs', { exact: true }).waitFor({ timeout: PAGE_TIMEOUT_MS })

  const playlistStartMs = performance.now()
  await openHydratedPage(page, `${site.origin()}/playlist?p=long`)
  await page.waitForFunction(() => document.querySelector<HTMLElement>('main li[data-index]')?.style.position === 'absolute', undefined, {
    timeout: PAGE_TIMEOUT_MS,
  })
  reportFigure('a playlist of 25,000 songs, from the address to the whole list', (performance.now() - playlistStartMs) / 1000, 's')
  await waitForRows(page, 'main li[data-index]', PLAYLIST_SONG_COUNT)
  await page.getByText('25,000 songs').first().waitFor({ timeout: PAGE_TIMEOUT_MS })
  const lastTitle = createSong(songs.length - 1).title
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await page.getByRole('main').getByRole('link', { name: lastTitle, exact: true }).waitFor({ timeout: PAGE_TIMEOUT_MS })

  // The rows are written in one transaction, after which the page evicts rows above its limits when it is idle.
  await page.waitForTimeout(20_000)
  await context.setOffline(true)
  reportFigure('offline search after a reload: the oldest favorite', (await measureSearch(page, 0)) / 1000, 's')
  reportFigure("offline search after a reload: the playlist's last song", (await measureSearch(page, songs.length - 1)) / 1000, 's')
  await page.goto(`${site.origin()}/playlist?p=long`)
  await waitForRows(page, 'main li[data-index]', PLAYLIST_SONG_COUNT)
  await page.goto(`${site.origin()}/account`)
  await waitForRows(page, '#favorites li', FAVORITES_MAX)
  const heapBytes = await page.evaluate(() => {
    const { memory } = performance as Performance & { memory?: { usedJSHeapSize: number } }
    return memory?.usedJSHeapSize ?? Number.NaN
  })
  reportFigure("the page's heap with 50,000 favorites offline", heapBytes / 1024 / 1024, 'MiB')
} finally {
  await browser.close()
  await site.stop()
}
process.exitCode = goalResults.every(Boolean) ? 0 : 1
