import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../chromium.ts'
import { type Site, startSite } from '../server.ts'
import { installVideoPlatform } from '../stand-ins/video-platform.ts'
import { fetchApi, locatePlayerButton, mainNavigation, mainRegion, playerRegion, waitForHydration } from '../steps.ts'
import type { Screenshot } from './shot.ts'
import { createAccountScreenshots } from './shots-account.ts'
import { createAppScreenshots } from './shots-app.ts'
import { createCatalogueScreenshots } from './shots-catalogue.ts'
import { communityScreenshots } from './shots-community.ts'
import { createContactScreenshots } from './shots-contact.ts'
import { createFavoriteScreenshots } from './shots-favorites.ts'
import { createMakerScreenshots } from './shots-maker.ts'
import { createOwnPlaylistScreenshots, createSharingScreenshots } from './shots-own-playlists.ts'
import { radioScreenshots } from './shots-radio.ts'
import { createSubscriptionScreenshots } from './shots-subscription.ts'
import { captureInstalledWindow } from './shots-window.ts'
import { createYearScreenshots } from './shots-year.ts'

// `npm run shots [WORD…]`: writes a PNG of every route and its main states to shots/, for both brands and four widths. Words select the
// screenshots whose name contains one of them; `offline+nm-390` selects the names that contain both.

const viewportWidths = [320, 390, 820, 1440]
const brands = [
  { short: 'nm', subdomain: undefined },
  { short: 'sr', subdomain: 'slowedreverb' },
]
const shotFilters = process.argv.slice(2)
const shotsFolder = fileURLToPath(new URL('../../shots', import.meta.url))

/** Fails all requests to the API. Called before the first page is opened, because an open page requests and stores rows of other pages. */
const failApiRequests = (context: BrowserContext) => context.route('**/api/**', (route) => route.abort('failed'))
const stallApiRequests = (context: BrowserContext) => context.route('**/api/**', () => {})

/** Navigates on the client, so that the page requests its rows: a page opened by its URL has initial data in its HTML. */
const clickFooterLink = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name }).click()

/** Navigates on the client to a page to which the footer has no link. */
const followLink = async (page: Page, linkHref: string) => {
  await waitForHydration(page)
  await page.evaluate((targetUrl) => {
    const link = Object.assign(document.createElement('a'), { href: targetUrl })
    document.body.append(link)
    link.click()
    link.remove()
  }, linkHref)
}

async function openMenu(page: Page, menuName: string) {
  const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if (await menuButton.isVisible()) await menuButton.click()
  const group = mainNavigation(page).getByRole('button', { name: menuName })
  // When the menu opens, its first group is open.
  if ((await group.getAttribute('aria-expanded')) !== 'true') await group.click()
}

async function listShots(site: Site): Promise<Screenshot[]> {
  const playlists = await fetchApi(site, 'GET /playlist/all')
  const playlist = playlists.find((each) => each.song_count > 8) ?? playlists[0]
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const otherPlaylist = playlists.find((each) => each.song_count > 3 && each.id !== playlist?.id)
  const { songs: otherSongs } = await fetchApi(site, 'GET /playlist/get', { p: otherPlaylist?.id ?? '' })
  const songPath = `/song?s=${songs[1]?.youtube_id}&p=${playlist?.id}`
  const waitForPlayback = async (page: Page) => {
    await page.locator('iframe').first().waitFor({ timeout: 10_000 })
    await locatePlayerButton(page, 'Pause').waitFor({ timeout: 10_000 })
  }
  const playAndLeave = async (page: Page) => {
    await waitForPlayback(page)
    await page
      .getByRole('link', { name: playlist?.title ?? '' })
      .first()
      .or(mainNavigation(page).getByRole('link').first())
      .first()
      .click()
    await playerRegion(page).waitFor()
  }
  return [
    { name: 'home', path: '/', fullPage: true },
    { name: 'home-first', path: '/' },
    { name: 'home-explore', path: '/', showState: (page) => openMenu(page, 'Explore') },
    {
      name: 'home-search',
      path: '/',
      showState: async (page) => {
        const search = page.getByRole('banner').getByRole('button', { name: 'Search' })
        await search.first().click()
      },
    },
    {
      name: 'home-menu',
      path: '/',
      showState: async (page) => {
        const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
        if (await menu.isVisible()) await menu.click()
      },
    },
    { name: 'playlists', path: '/playlists', fullPage: true },
    {
      name: 'playlists-loading',
      path: '/no-such-page',
      showState: async (page, context) => {
        await stallApiRequests(context)
        await clickFooterLink(page, 'Playlists')
      },
    },
    {
      name: 'playlists-error',
      path: '/no-such-page',
      prepare: failApiRequests,
      showState: async (page) => {
        await clickFooterLink(page, 'Playlists')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'faq', path: '/faq', fullPage: true },
    {
      name: 'faq-open',
      path: '/faq',
      showState: (page) => mainRegion(page).locator('summary').nth(2).click(),
    },
    {
      name: 'faq-error',
      path: '/no-such-page',
      prepare: failApiRequests,
      showState: async (page) => {
        await clickFooterLink(page, 'FAQ')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'about-us', path: '/about-us', fullPage: true },
    { name: 'privacy', path: '/privacy', fullPage: true },
    { name: 'subscribe', path: '/subscribe', fullPage: true },
    { name: 'members', path: '/members', fullPage: true },
    ...[
      { name: 'members-dialog', steps: 1 },
      { name: 'members-dialog-other', steps: 4 },
    ].map(({ name, steps }) => ({
      name,
      path: '/members',
      showState: async (page: Page) => {
        await waitForHydration(page)
        await mainRegion(page).getByRole('list', { name: 'Members' }).getByRole('button').first().click()
        await page.getByRole('dialog').waitFor()
        for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowRight')
      },
    })),
    {
      name: 'members-without-pictures',
      path: '/no-such-page',
      showState: async (page, context) => {
        await context.route('**/img/member/**', (route) => route.abort('failed'))
        await followLink(page, '/members')
        await mainRegion(page).getByRole('list', { name: 'Members' }).waitFor()
      },
    },
    {
      name: 'members-search',
      path: '/members',
      showState: (page) => mainRegion(page).getByRole('searchbox', { name: 'Find a member' }).fill('ar'),
    },
    {
      name: 'members-none',
      path: '/members',
      showState: (page) => mainRegion(page).getByRole('searchbox', { name: 'Find a member' }).fill('zzz'),
    },
    {
      name: 'members-loading',
      path: '/no-such-page',
      showState: async (page, context) => {
        await stallApiRequests(context)
        await followLink(page, '/members')
        await page.getByRole('heading', { name: 'Network members' }).waitFor()
      },
    },
    {
      name: 'members-error',
      path: '/no-such-page',
      showState: async (page, context) => {
        await failApiRequests(context)
        await followLink(page, '/members')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    {
      name: 'members-refused',
      path: '/no-such-page',
      showState: async (page, context) => {
        await context.route('**/api/member/all*', (route) =>
          route.fulfill({ status: 500, json: { code: 500, message: 'No.', data: null } }),
        )
        await followLink(page, '/members')
        await page.getByRole('heading', { name: 'Network members' }).waitFor()
        await page.getByText('Loading...', { exact: true }).waitFor({ state: 'hidden' })
      },
    },
    {
      name: 'members-empty',
      path: '/no-such-page',
      showState: async (page, context) => {
        await context.route('**/api/member/all*', (route) => route.fulfill({ json: { code: 200, message: '', data: [] } }))
        await followLink(page, '/members')
        await page.getByText('No members yet').waitFor()
      },
    },
    {
      name: 'what-is',
      path: '/no-such-page',
      showState: async (page) => {
        await clickFooterLink(page, 'What is')
        await mainRegion(page).getByRole('heading', { level: 2 }).first().waitFor()
      },
      fullPage: true,
    },
    { name: 'playlist', path: `/playlist?p=${playlist?.id}`, fullPage: true },
    {
      name: 'playlist-loading',
      path: '/playlists',
      showState: async (page, context) => {
        await stallApiRequests(context)
        await mainRegion(page).locator(`a[href="/playlist?p=${playlist?.id}"]`).first().click()
      },
    },
    { name: 'playlist-missing', path: '/playlist?p=no-such-list' },
    { name: 'search', path: '/search?q=love', fullPage: true },
    { name: 'search-artist', path: `/search?q=${encodeURIComponent(songs[0]?.author_name ?? '')}&type=artist` },
    { name: 'search-empty', path: '/search?q=zzzzqqqq' },
    {
      name: 'search-error',
      path: '/search',
      showState: async (page, context) => {
        await failApiRequests(context)
        await mainRegion(page).getByRole('combobox', { name: 'Search songs and artists' }).fill('other')
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'song', path: songPath, showState: waitForPlayback, fullPage: true },
    { name: 'song-first', path: songPath, showState: waitForPlayback },
    {
      name: 'song-report',
      path: songPath,
      showState: async (page) => {
        await mainRegion(page)
          .getByRole('button', { name: /report/i })
          .click()
      },
    },
    {
      name: 'song-queue',
      path: songPath,
      showState: async (page) => {
        await waitForPlayback(page)
        const queue = page.getByRole('button', { name: 'Show the whole queue' })
        if (await queue.isVisible()) await queue.click()
      },
    },
    { name: 'song-missing', path: '/song?s=AAAAAAAAAAA' },
    { name: 'dock-playing', path: songPath, showState: playAndLeave },
    {
      name: 'dock-paused',
      path: songPath,
      showState: async (page) => {
        await playAndLeave(page)
        await locatePlayerButton(page, 'Pause').click()
      },
    },
    { name: 'not-found', path: '/no-such-page' },
    ...(playlist === undefined ? [] : createCatalogueScreenshots({ playlist, songs: songs.slice(0, 24), songPath })),
    ...communityScreenshots,
    ...createAccountScreenshots(site),
    ...createSubscriptionScreenshots(site),
    ...createContactScreenshots(),
    ...createOwnPlaylistScreenshots(`/playlist?p=${playlist?.id}`),
    ...(await createSharingScreenshots(site, {
      ...{ playlistId: playlist?.id ?? '', songPath },
      songIds: songs.map(({ youtube_id }) => youtube_id),
    })),
    ...createYearScreenshots(songs.slice(0, 24)),
    ...createFavoriteScreenshots(site, songs.slice(0, 12), songPath),
    ...createMakerScreenshots(site),
    ...radioScreenshots,
    ...createAppScreenshots({
      playlistPath: `/playlist?p=${playlist?.id}`,
      unvisitedPlaylistPath: `/playlist?p=${otherPlaylist?.id}`,
      songPath,
      unvisitedSongPath: `/song?s=${otherSongs[0]?.youtube_id}&p=${otherPlaylist?.id}`,
      titleWord: songs[0]?.title.split(' ')[0] ?? '',
    }),
  ]
}

const formatShotName = (shot: Screenshot, brand: (typeof brands)[number], width: number) => `${shot.name}-${brand.short}-${width}`
const isShotSelected = (name: string) =>
  shotFilters.length === 0 || shotFilters.some((filter) => filter.split('+').every((word) => name.includes(word)))

/** Takes one screenshot. Returns a message if the state was not reached. */
async function takeScreenshot(
  browser: Browser,
  site: Site,
  shot: Screenshot,
  brand: (typeof brands)[number],
  viewportWidth: number,
): Promise<string | undefined> {
  const context = await browser.newContext({
    viewport: { width: viewportWidth, height: shot.height ?? (viewportWidth < 500 ? 844 : 900) },
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: shot.allowsServiceWorker ? 'allow' : 'block',
    ...shot.device,
  })
  const shotName = formatShotName(shot, brand, viewportWidth)
  try {
    await context.route(
      (url) => !url.hostname.endsWith('localhost'),
      (route) => route.abort(),
    )
    await installVideoPlatform(context)
    await shot.prepare?.(context)
    const page = await context.newPage()
    const subdomain = [shot.host, brand.subdomain].filter((each) => each !== undefined).join('.')
    await page.goto(`${site.origin(subdomain === '' ? undefined : subdomain)}${shot.path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 10_000 })
    await page.waitForTimeout(400)
    let failureMessage: string | undefined
    await shot.showState?.(page, context).catch((error: unknown) => {
      failureMessage = `${shotName}: ${String(error).split('\n')[0]}`
    })
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(shotsFolder, `${shotName}.png`), fullPage: shot.fullPage ?? false })
    return failureMessage
  } catch (error) {
    return `${shotName}: ${String(error).split('\n')[0]}`
  } finally {
    await context.close()
  }
}

if (shotFilters.length === 0) await rm(shotsFolder, { recursive: true, force: true })
await mkdir(shotsFolder, { recursive: true })
// All screenshots come from one IP address, so the rate limits are raised.
const site = await startSite({ RATE_LIMIT_MAIL: '10000', RATE_LIMIT_SIGNUP: '10000', RATE_LIMIT_LOGIN_ADDRESS: '10000' })
// Without these settings, nothing can be paid for.
for (const [settingKey, settingValue] of [
  ['CUSTOMER_PORTAL', 'https://pay.example/portal'],
  ['CHECKOUT_PREMIUM', 'https://buy.example/premium'],
  ['CHECKOUT_PREMIUM_PLUS', 'https://buy.example/plus'],
  ['CHECKOUT_DONATE', 'https://buy.example/donate'],
] as const)
  await site.runAdmin('settings', 'set', settingKey, settingValue)
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
const failureMessages: string[] = []
let shotCount = 0
try {
  const listedShots = await listShots(site)
  const shotTasks = listedShots.flatMap((listedShot) =>
    brands.flatMap((brand) =>
      (listedShot.widths ?? viewportWidths)
        .filter((width) => isShotSelected(formatShotName(listedShot, brand, width)))
        .map((width) => () => takeScreenshot(browser, site, listedShot, brand, width)),
    ),
  )
  const takeShots = async () => {
    for (let shotTask = shotTasks.shift(); shotTask !== undefined; shotTask = shotTasks.shift()) {
      const failureMessage = await shotTask()
      shotCount++
      if (failureMessage !== undefined) failureMessages.push(failureMessage)
    }
  }
  await Promise.all([takeShots(), takeShots(), takeShots()])
  for (const brand of brands) {
    const shotName = `installed-window-${brand.short}`
    if (!isShotSelected(shotName)) continue
    shotCount++
    await captureInstalledWindow(site.origin(brand.subdomain), join(shotsFolder, `${shotName}.png`)).catch((error: unknown) => {
      failureMessages.push(`${shotName}: ${String(error).split('\n')[0]}`)
    })
  }
} finally {
  await browser.close()
  await site.stop()
}
process.stdout.write(`${shotCount} screenshots in shots/\n`)
for (const failureMessage of failureMessages) process.stdout.write(`could not reach the state: ${failureMessage}\n`)
process.exitCode = failureMessages.length === 0 ? 0 : 1
