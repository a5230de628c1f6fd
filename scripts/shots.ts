import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { type Site, startSite } from '../e2e/server.ts'
import { installVideoPlatform } from '../e2e/stand-ins/video-platform.ts'
import { ask, main, nav, player, playerButton } from '../e2e/steps.ts'
import type { Shot } from './shot.ts'
import { accountShots } from './shots-account.ts'
import { appShots } from './shots-app.ts'
import { favoriteShots } from './shots-favorites.ts'
import { makerShots } from './shots-maker.ts'
import { takeInstalledWindow } from './shots-window.ts'

// `npm run shots [WORD…]`: a PNG of every route and main state, in both brands at three widths, into shots/. With words, only those whose
// name holds one of them; `offline+nm-390` is for names that hold both.

const widths = [390, 820, 1440]
const brands = [
  { short: 'nm', subdomain: undefined },
  { short: 'sr', subdomain: 'slowedreverb' },
]
const wanted = process.argv.slice(2)
const folder = fileURLToPath(new URL('../shots', import.meta.url))

const failApi = (context: BrowserContext) => context.route('**/api/**', (route) => route.abort('failed'))
const holdApi = (context: BrowserContext) => context.route('**/api/**', () => {})

/** Without a reload: a page that is opened by its address brings its rows in its HTML. */
const followFooter = (page: Page, name: string) => page.getByRole('contentinfo').getByRole('link', { name }).click()

async function openMenu(page: Page, name: string) {
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  await nav(page).getByRole('button', { name }).click()
}

async function listShots(site: Site): Promise<Shot[]> {
  const playlists = await ask(site, 'GET /playlist/all')
  const playlist = playlists.find((each) => each.song_count > 8) ?? playlists[0]
  const { songs } = await ask(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const other = playlists.find((each) => each.song_count > 3 && each.id !== playlist?.id)
  const { songs: others } = await ask(site, 'GET /playlist/get', { p: other?.id ?? '' })
  const song = `/song?s=${songs[1]?.youtube_id}&p=${playlist?.id}`
  const started = async (page: Page) => {
    await page.locator('iframe').first().waitFor({ timeout: 10_000 })
    await playerButton(page, 'Pause').waitFor({ timeout: 10_000 })
  }
  const browse = async (page: Page) => {
    await started(page)
    await page
      .getByRole('link', { name: playlist?.title ?? '' })
      .first()
      .or(nav(page).getByRole('link').first())
      .first()
      .click()
    await player(page).waitFor()
  }
  return [
    { name: 'home', path: '/', whole: true },
    { name: 'home-first', path: '/' },
    { name: 'home-explore', path: '/', act: (page) => openMenu(page, 'Explore') },
    {
      name: 'home-search',
      path: '/',
      act: async (page) => {
        const search = page.getByRole('banner').getByRole('button', { name: 'Search' })
        await search.first().click()
      },
    },
    {
      name: 'home-menu',
      path: '/',
      act: async (page) => {
        const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
        if (await menu.isVisible()) await menu.click()
      },
    },
    { name: 'playlists', path: '/playlists', whole: true },
    {
      name: 'playlists-loading',
      path: '/no-such-page',
      act: async (page, context) => {
        await holdApi(context)
        await followFooter(page, 'Playlists')
      },
    },
    {
      name: 'playlists-error',
      path: '/no-such-page',
      act: async (page, context) => {
        await failApi(context)
        await followFooter(page, 'Playlists')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'playlist', path: `/playlist?p=${playlist?.id}`, whole: true },
    {
      name: 'playlist-loading',
      path: '/playlists',
      act: async (page, context) => {
        await holdApi(context)
        await main(page).locator(`a[href="/playlist?p=${playlist?.id}"]`).first().click()
      },
    },
    { name: 'playlist-missing', path: '/playlist?p=no-such-list' },
    { name: 'search', path: '/search?q=love', whole: true },
    { name: 'search-artist', path: `/search?q=${encodeURIComponent(songs[0]?.author_name ?? '')}&type=artist` },
    { name: 'search-empty', path: '/search?q=zzzzqqqq' },
    {
      name: 'search-error',
      path: '/search',
      act: async (page, context) => {
        await failApi(context)
        await main(page).getByRole('searchbox').fill('other')
        await page.keyboard.press('Enter')
        await page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 })
      },
    },
    { name: 'song', path: song, act: started, whole: true },
    { name: 'song-first', path: song, act: started },
    {
      name: 'song-report',
      path: song,
      act: async (page) => {
        await main(page)
          .getByRole('button', { name: /report/i })
          .click()
      },
    },
    {
      name: 'song-queue',
      path: song,
      act: async (page) => {
        await started(page)
        const queue = page.getByRole('button', { name: 'Show the whole queue' })
        if (await queue.isVisible()) await queue.click()
      },
    },
    { name: 'song-missing', path: '/song?s=AAAAAAAAAAA' },
    { name: 'dock-playing', path: song, act: browse },
    {
      name: 'dock-paused',
      path: song,
      act: async (page) => {
        await browse(page)
        await playerButton(page, 'Pause').click()
      },
    },
    { name: 'not-found', path: '/no-such-page' },
    ...accountShots(site),
    ...favoriteShots(site, songs.slice(0, 12), song),
    ...makerShots(site),
    ...appShots({
      playlist: `/playlist?p=${playlist?.id}`,
      unvisited: `/playlist?p=${other?.id}`,
      song,
      unvisitedSong: `/song?s=${others[0]?.youtube_id}&p=${other?.id}`,
      word: songs[0]?.title.split(' ')[0] ?? '',
    }),
  ]
}

const nameOf = (shot: Shot, brand: (typeof brands)[number], width: number) => `${shot.name}-${brand.short}-${width}`
const isWanted = (name: string) => wanted.length === 0 || wanted.some((words) => words.split('+').every((word) => name.includes(word)))

async function take(browser: Browser, site: Site, shot: Shot, brand: (typeof brands)[number], width: number): Promise<string | undefined> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: shot.worker ? 'allow' : 'block',
    ...shot.device,
  })
  const name = nameOf(shot, brand, width)
  try {
    await context.route(
      (url) => !url.hostname.endsWith('localhost'),
      (route) => route.abort(),
    )
    const platform = await installVideoPlatform(context)
    await platform.set({ speed: 8 })
    await shot.prepare?.(context)
    const page = await context.newPage()
    await page.goto(`${site.origin(brand.subdomain)}${shot.path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: 10_000 })
    await page.waitForTimeout(400)
    let problem: string | undefined
    await shot.act?.(page, context).catch((error: unknown) => {
      problem = `${name}: ${String(error).split('\n')[0]}`
    })
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: shot.whole ?? false })
    return problem
  } catch (error) {
    return `${name}: ${String(error).split('\n')[0]}`
  } finally {
    await context.close()
  }
}

if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
// All pictures are of one client.
const site = await startSite({ RATE_LIMIT_MAIL: '10000', RATE_LIMIT_SIGNUP: '10000', RATE_LIMIT_LOGIN_ADDRESS: '10000' })
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
const problems: string[] = []
let count = 0
try {
  const shots = await listShots(site)
  const tasks = shots.flatMap((shot) =>
    brands.flatMap((brand) =>
      (shot.widths ?? widths)
        .filter((width) => isWanted(nameOf(shot, brand, width)))
        .map((width) => () => take(browser, site, shot, brand, width)),
    ),
  )
  const worker = async () => {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) {
      const problem = await task()
      count++
      if (problem !== undefined) problems.push(problem)
    }
  }
  await Promise.all([worker(), worker(), worker()])
  for (const brand of brands) {
    const name = `installed-window-${brand.short}`
    if (!isWanted(name)) continue
    count++
    await takeInstalledWindow(site.origin(brand.subdomain), join(folder, `${name}.png`)).catch((error: unknown) => {
      problems.push(`${name}: ${String(error).split('\n')[0]}`)
    })
  }
} finally {
  await browser.close()
  await site.stop()
}
process.stdout.write(`${count} pictures in shots/\n`)
for (const problem of problems) process.stdout.write(`could not reach the state: ${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
