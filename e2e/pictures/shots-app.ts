import type { BrowserContext, Page } from '@playwright/test'
import { waitForServiceWorker } from '../profile.ts'
import { mainNavigation, mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

/** Paths and a search term of the demo catalogue. */
export interface DemoPaths {
  playlistPath: string
  /** The path of the page of a playlist that is not in the local database. */
  unvisitedPlaylistPath: string
  songPath: string
  /** The path of the page of a song that is not in the local database. */
  unvisitedSongPath: string
  /** A word of a song title in `playlist`. */
  titleWord: string
}

const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const IPAD_USER_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

const locateConnectionBanner = (page: Page) => page.getByText(/You are offline|cannot be reached/)

async function goOffline(page: Page, context: BrowserContext) {
  await waitForServiceWorker(page)
  // Waits a moment, because rows are stored shortly after they are shown.
  await page.waitForTimeout(600)
  // Blocks YouTube, because Playwright's intercepted requests would succeed offline.
  await context.route(/youtube(-nocookie)?\.com/, (route) => route.abort('internetdisconnected'))
  await context.setOffline(true)
  await locateConnectionBanner(page).first().waitFor({ timeout: 15_000 })
}

const openOffline = (urlPath: string) => async (page: Page, context: BrowserContext) => {
  await goOffline(page, context)
  await page.goto(new URL(urlPath, page.url()).href)
  await locateConnectionBanner(page).first().waitFor({ timeout: 15_000 })
}

const locatePinButton = (page: Page) => mainRegion(page).getByRole('button', { name: /^Ke(ep|pt) offline/ })
const startPinning = (page: Page) => locatePinButton(page).click()

async function pinPlaylist(page: Page) {
  await startPinning(page)
  // Waits for the exact size. Until the download is complete, the button shows an estimate ("about 2 MB").
  await locatePinButton(page).filter({ hasNotText: 'about' }).waitFor({ timeout: 30_000 })
}

/** Makes every IndexedDB write fail with a `QuotaExceededError`. */
const failDatabaseWrites = (context: BrowserContext) =>
  context.addInitScript(() => {
    for (const method of ['put', 'add'] as const)
      IDBObjectStore.prototype[method] = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
  })

const failCacheWrites = (context: BrowserContext) =>
  context.addInitScript(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
  })

const blockDatabase = (context: BrowserContext) =>
  context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Refused.', 'SecurityError')
    }
  })

const dispatchInstallPrompt = (page: Page) =>
  page.evaluate(() =>
    dispatchEvent(
      Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
        prompt() {
          return Promise.resolve({ outcome: 'dismissed' })
        },
      }),
    ),
  )

async function openMenu(page: Page) {
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  else await mainNavigation(page).getByRole('button', { name: 'Explore' }).click()
}

const locateInstallButton = (page: Page) => page.getByRole('button', { name: 'Install app' }).filter({ visible: true }).first()

/** Emulates the installed app: display mode `standalone`, with the safe area insets of a phone or a tablet. */
async function emulateInstalledApp(page: Page, context: BrowserContext) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setEmulatedMedia', { features: [{ name: 'display-mode', value: 'standalone' }] })
  const isNarrowPage = (page.viewportSize()?.width ?? 0) < 500
  await devtools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { top: isNarrowPage ? 47 : 24, bottom: isNarrowPage ? 34 : 20, left: 0, right: 0 },
  })
}

/** Lists the screenshots of offline pages, pinned playlists, the storage page, updates and the installed app. */
export function createAppScreenshots({
  playlistPath: playlist,
  unvisitedPlaylistPath: unvisitedPath,
  songPath: song,
  unvisitedSongPath: unvisitedSong,
  titleWord: searchWord,
}: DemoPaths): Screenshot[] {
  const allowsServiceWorker = true
  return [
    { name: 'offline-home', path: '/', allowsServiceWorker, showState: goOffline, fullPage: true },
    { name: 'offline-home-first', path: '/', allowsServiceWorker, showState: goOffline },
    { name: 'offline-playlists', path: '/playlists', allowsServiceWorker, showState: goOffline },
    { name: 'offline-playlist', path: playlist, allowsServiceWorker, showState: goOffline },
    {
      name: 'offline-song',
      path: '/',
      allowsServiceWorker,
      // Shows a song that was opened before, and whose video cannot be loaded offline.
      showState: async (page, context) => {
        await page.goto(new URL(song, page.url()).href)
        await goOffline(page, context)
        await page.goto(new URL(song, page.url()).href)
        // Waits for the player's message, because a song page shows it instead of the banner about the missing connection.
        await page.getByText('This song needs a connection to play.').first().waitFor({ timeout: 15_000 })
      },
    },
    {
      name: 'offline-dock',
      path: song,
      allowsServiceWorker,
      showState: async (page, context) => {
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await waitForServiceWorker(page)
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).click()
        await page.reload()
        await goOffline(page, context)
        await mainNavigation(page).getByRole('link').first().click()
      },
    },
    {
      name: 'offline-search',
      path: playlist,
      allowsServiceWorker,
      showState: openOffline(`/search?q=${encodeURIComponent(searchWord)}`),
    },
    { name: 'offline-search-none', path: playlist, allowsServiceWorker, showState: openOffline('/search?q=zzzzqqqq') },
    { name: 'offline-unvisited-playlist', path: playlist, allowsServiceWorker, showState: openOffline(unvisitedPath) },
    { name: 'offline-unvisited-song', path: playlist, allowsServiceWorker, showState: openOffline(unvisitedSong) },
    {
      name: 'offline-unvisited-nothing-here',
      path: '/no-such-page',
      allowsServiceWorker,
      showState: openOffline(unvisitedPath),
    },
    {
      name: 'unreachable-playlist',
      path: playlist,
      showState: async (page, context) => {
        await context.route('**/api/**', (route) => route.abort('connectionrefused'))
        await startPinning(page)
        await locateConnectionBanner(page).first().waitFor({ timeout: 15_000 })
      },
    },
    {
      name: 'unreachable-unvisited',
      path: playlist,
      allowsServiceWorker,
      showState: async (page, context) => {
        await waitForServiceWorker(page)
        await page.waitForTimeout(600)
        await context.route('**/api/**', (route) => route.abort('connectionrefused'))
        await page.goto(new URL(unvisitedPath, page.url()).href)
        await locateConnectionBanner(page).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'keep-idle', path: playlist },
    {
      name: 'keep-progress',
      path: playlist,
      showState: async (page, context) => {
        let count = 0
        await context.route('**/img/**', (route) => (++count > 5 ? undefined : route.continue()))
        await startPinning(page)
      },
    },
    { name: 'keep-kept', path: playlist, showState: pinPlaylist },
    {
      name: 'keep-failed',
      path: playlist,
      showState: async (page, context) => {
        await context.route('**/api/playlist/get*', (route) =>
          route.fulfill({ status: 503, json: { code: 503, message: 'Shutting down.', data: null } }),
        )
        await startPinning(page)
      },
    },
    { name: 'keep-full', path: playlist, prepare: failCacheWrites, showState: startPinning },
    {
      name: 'keep-offline',
      path: playlist,
      allowsServiceWorker,
      showState: async (page, context) => {
        await goOffline(page, context)
        await startPinning(page)
      },
    },
    {
      name: 'storage-empty',
      path: '/storage',
      allowsServiceWorker,
      showState: (page) => waitForServiceWorker(page),
      fullPage: true,
    },
    {
      name: 'storage-kept',
      path: playlist,
      allowsServiceWorker,
      showState: async (page) => {
        await pinPlaylist(page)
        await page.goto(new URL(unvisitedPath, page.url()).href)
        await pinPlaylist(page)
        await page.goto(new URL('/storage', page.url()).href)
        await mainRegion(page)
          .getByRole('button', { name: /^Remove/ })
          .first()
          .waitFor({ timeout: 10_000 })
      },
      fullPage: true,
    },
    {
      name: 'storage-full',
      path: '/playlists',
      allowsServiceWorker,
      prepare: failDatabaseWrites,
      showState: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click(),
    },
    {
      name: 'storage-refused',
      path: '/playlists',
      allowsServiceWorker,
      prepare: blockDatabase,
      showState: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click(),
    },
    { name: 'storage-no-worker', path: '/storage' },
    {
      name: 'update',
      path: '/playlists',
      allowsServiceWorker,
      showState: async (page) => {
        await waitForServiceWorker(page)
        await page.waitForTimeout(300)
        // Simulates that another tab activated a new service worker.
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
        await page.getByText('A new version is ready.').waitFor()
      },
    },
    {
      name: 'update-playing',
      path: song,
      allowsServiceWorker,
      showState: async (page, context) => {
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await waitForServiceWorker(page)
        await mainNavigation(page).getByRole('link').first().click()
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
        await page.getByText('A new version is ready.').waitFor()
        await context.setOffline(true)
      },
    },
    {
      name: 'install-key',
      path: '/',
      showState: async (page) => {
        await dispatchInstallPrompt(page)
        await openMenu(page)
        await locateInstallButton(page).waitFor()
      },
    },
    {
      name: 'install-iphone',
      path: '/',
      widths: [390],
      device: { userAgent: IPHONE_USER_AGENT, hasTouch: true, isMobile: true },
      showState: async (page) => {
        await openMenu(page)
        await locateInstallButton(page).click()
      },
    },
    {
      name: 'install-ipad',
      path: '/',
      widths: [820],
      device: { userAgent: IPAD_USER_AGENT, hasTouch: true },
      showState: async (page) => {
        await page.evaluate(() => Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 }))
        await openMenu(page)
        await locateInstallButton(page).click()
      },
    },
    { name: 'standalone-home', path: '/', showState: emulateInstalledApp },
    {
      name: 'standalone-menu',
      path: '/',
      widths: [390],
      showState: async (page, context) => {
        await emulateInstalledApp(page, context)
        await openMenu(page)
      },
    },
    { name: 'standalone-song', path: song, showState: emulateInstalledApp },
    {
      name: 'standalone-dock',
      path: song,
      showState: async (page, context) => {
        await emulateInstalledApp(page, context)
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await mainNavigation(page).getByRole('link').first().click()
      },
    },
    {
      name: 'standalone-offline',
      path: '/playlists',
      allowsServiceWorker,
      showState: async (page, context) => {
        await emulateInstalledApp(page, context)
        await goOffline(page, context)
      },
    },
    { name: 'go-favorites', path: '/go/favorites' },
  ]
}
