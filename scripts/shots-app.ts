import type { BrowserContext, Page } from '@playwright/test'
import { untilControlled } from '../e2e/profile.ts'
import { main, nav } from '../e2e/steps.ts'
import type { Shot } from './shot.ts'

/** Addresses of the demo catalogue that the pictures need. */
export interface Places {
  playlist: string
  /** Another one, which nobody has opened before. */
  unvisited: string
  song: string
  unvisitedSong: string
  /** A word of that playlist's songs. */
  word: string
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'

const strip = (page: Page) => page.getByText(/You are offline|cannot be reached/)

async function goOffline(page: Page, context: BrowserContext) {
  await untilControlled(page)
  // Rows are written behind what is shown.
  await page.waitForTimeout(600)
  // The stand-in for the video platform answers without a network, too.
  await context.route(/youtube(-nocookie)?\.com/, (route) => route.abort('internetdisconnected'))
  await context.setOffline(true)
  await strip(page).first().waitFor({ timeout: 15_000 })
}

const offlineAt = (path: string) => async (page: Page, context: BrowserContext) => {
  await goOffline(page, context)
  await page.goto(new URL(path, page.url()).href)
  await strip(page).first().waitFor({ timeout: 15_000 })
}

const keepKey = (page: Page) => main(page).getByRole('button', { name: /^Keep offline/ })
const keep = (page: Page) => keepKey(page).click()

async function keepWhole(page: Page) {
  await keep(page)
  // What it will take is about; what it takes is not.
  await keepKey(page).filter({ hasNotText: 'about' }).waitFor({ timeout: 30_000 })
}

/** Every write to the database is refused for want of space. */
const fullDatabase = (context: BrowserContext) =>
  context.addInitScript(() => {
    for (const method of ['put', 'add'] as const)
      IDBObjectStore.prototype[method] = () => {
        throw new DOMException('The disk is full.', 'QuotaExceededError')
      }
  })

const fullCaches = (context: BrowserContext) =>
  context.addInitScript(() => {
    Cache.prototype.put = () => Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
  })

const noDatabase = (context: BrowserContext) =>
  context.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Refused.', 'SecurityError')
    }
  })

const offerInstall = (page: Page) =>
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
  else await nav(page).getByRole('button', { name: 'Explore' }).click()
}

const installKey = (page: Page) => page.getByRole('button', { name: 'Install app' }).filter({ visible: true }).first()

/** As the installed app on a phone with a notch, or on a tablet. */
async function installed(page: Page, context: BrowserContext) {
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setEmulatedMedia', { features: [{ name: 'display-mode', value: 'standalone' }] })
  const narrow = (page.viewportSize()?.width ?? 0) < 500
  await devtools.send('Emulation.setSafeAreaInsetsOverride', {
    insets: { top: narrow ? 47 : 24, bottom: narrow ? 34 : 20, left: 0, right: 0 },
  })
}

/** What belongs to the app: without a connection, kept, stored, renewed, installed. */
export function appShots({ playlist, unvisited, song, unvisitedSong, word }: Places): Shot[] {
  const worker = true
  return [
    { name: 'offline-home', path: '/', worker, act: goOffline, whole: true },
    { name: 'offline-home-first', path: '/', worker, act: goOffline },
    { name: 'offline-playlists', path: '/playlists', worker, act: goOffline },
    { name: 'offline-playlist', path: playlist, worker, act: goOffline },
    {
      name: 'offline-song',
      path: '/',
      worker,
      // Opened before, and again now: the video cannot come.
      act: async (page, context) => {
        await page.goto(new URL(song, page.url()).href)
        await offlineAt(song)(page, context)
      },
    },
    {
      name: 'offline-dock',
      path: song,
      worker,
      act: async (page, context) => {
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await untilControlled(page)
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).click()
        await page.reload()
        await goOffline(page, context)
        await nav(page).getByRole('link').first().click()
      },
    },
    {
      name: 'offline-search',
      path: playlist,
      worker,
      act: offlineAt(`/search?q=${encodeURIComponent(word)}`),
    },
    { name: 'offline-search-none', path: playlist, worker, act: offlineAt('/search?q=zzzzqqqq') },
    { name: 'offline-unvisited-playlist', path: playlist, worker, act: offlineAt(unvisited) },
    { name: 'offline-unvisited-song', path: playlist, worker, act: offlineAt(unvisitedSong) },
    { name: 'offline-unvisited-nothing-here', path: '/no-such-page', worker, act: offlineAt(unvisited) },
    {
      name: 'unreachable-playlist',
      path: playlist,
      act: async (page, context) => {
        await context.route('**/api/**', (route) => route.abort('connectionrefused'))
        await keep(page)
        await strip(page).first().waitFor({ timeout: 15_000 })
      },
    },
    {
      name: 'unreachable-unvisited',
      path: playlist,
      worker,
      act: async (page, context) => {
        await untilControlled(page)
        await page.waitForTimeout(600)
        await context.route('**/api/**', (route) => route.abort('connectionrefused'))
        await page.goto(new URL(unvisited, page.url()).href)
        await strip(page).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'keep-idle', path: playlist },
    {
      name: 'keep-progress',
      path: playlist,
      act: async (page, context) => {
        let count = 0
        await context.route('**/img/**', (route) => (++count > 5 ? undefined : route.continue()))
        await keep(page)
      },
    },
    { name: 'keep-kept', path: playlist, act: keepWhole },
    {
      name: 'keep-failed',
      path: playlist,
      act: async (page, context) => {
        await context.route('**/api/playlist/get*', (route) =>
          route.fulfill({ status: 503, json: { code: 503, message: 'Shutting down.', data: null } }),
        )
        await keep(page)
      },
    },
    { name: 'keep-full', path: playlist, prepare: fullCaches, act: keep },
    {
      name: 'keep-offline',
      path: playlist,
      worker,
      act: async (page, context) => {
        await goOffline(page, context)
        await keep(page)
      },
    },
    { name: 'storage-empty', path: '/storage', worker, act: (page) => untilControlled(page), whole: true },
    {
      name: 'storage-kept',
      path: playlist,
      worker,
      act: async (page) => {
        await keepWhole(page)
        await page.goto(new URL(unvisited, page.url()).href)
        await keepWhole(page)
        await page.goto(new URL('/storage', page.url()).href)
        await main(page)
          .getByRole('button', { name: /^Remove/ })
          .first()
          .waitFor({ timeout: 10_000 })
      },
      whole: true,
    },
    {
      name: 'storage-full',
      path: '/playlists',
      worker,
      prepare: fullDatabase,
      act: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click(),
    },
    {
      name: 'storage-refused',
      path: '/playlists',
      worker,
      prepare: noDatabase,
      act: (page) => page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click(),
    },
    { name: 'storage-no-worker', path: '/storage' },
    {
      name: 'update',
      path: '/playlists',
      worker,
      act: async (page) => {
        await untilControlled(page)
        await page.waitForTimeout(300)
        // As if another tab had taken a new version.
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
        await page.getByText('A new version is ready.').waitFor()
      },
    },
    {
      name: 'update-playing',
      path: song,
      worker,
      act: async (page, context) => {
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await untilControlled(page)
        await nav(page).getByRole('link').first().click()
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
        await page.getByText('A new version is ready.').waitFor()
        await context.setOffline(true)
      },
    },
    {
      name: 'install-key',
      path: '/',
      act: async (page) => {
        await offerInstall(page)
        await openMenu(page)
        await installKey(page).waitFor()
      },
    },
    {
      name: 'install-iphone',
      path: '/',
      widths: [390],
      device: { userAgent: IPHONE, hasTouch: true, isMobile: true },
      act: async (page) => {
        await openMenu(page)
        await installKey(page).click()
      },
    },
    {
      name: 'install-ipad',
      path: '/',
      widths: [820],
      device: { userAgent: IPAD, hasTouch: true },
      act: async (page) => {
        await page.evaluate(() => Object.defineProperty(navigator, 'maxTouchPoints', { value: 5 }))
        await openMenu(page)
        await installKey(page).click()
      },
    },
    { name: 'standalone-home', path: '/', act: installed },
    {
      name: 'standalone-menu',
      path: '/',
      widths: [390],
      act: async (page, context) => {
        await installed(page, context)
        await openMenu(page)
      },
    },
    { name: 'standalone-song', path: song, act: installed },
    {
      name: 'standalone-dock',
      path: song,
      act: async (page, context) => {
        await installed(page, context)
        await page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Pause' }).waitFor({ timeout: 10_000 })
        await nav(page).getByRole('link').first().click()
      },
    },
    {
      name: 'standalone-offline',
      path: '/playlists',
      worker,
      act: async (page, context) => {
        await installed(page, context)
        await goOffline(page, context)
      },
    },
    { name: 'go-favorites', path: '/go/favorites' },
  ]
}
