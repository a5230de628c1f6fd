import type { Page } from '@playwright/test'
import { locateFavoriteButtons } from '../e2e/favorites-steps.ts'
import { createCredentials, signInByRequest, signUpByRequest } from '../e2e/identity/steps.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from '../e2e/profile.ts'
import { startSite } from '../e2e/server.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- offline-start`: the time until visited pages show their content after a restart of the browser without the server.

/** The limit for a page that was visited. */
const VISITED_PAGE_LIMIT_MS = 200
/** The limit for a search that was never made: the page computes its answer on the device. */
const FIRST_SEARCH_LIMIT_MS = 1000
const ROUND_COUNT = 5
const goalResults: boolean[] = []

interface Visit {
  visitName: string
  urlPath: string
  /** The path in a later round, if it must differ from that of the first. */
  createRoundPath?: (round: number) => string
  contentSelector: string
  /** Whether the page was visited before the restart. */
  isSiteVisited: boolean
}

async function listVisits(port: number, host: string): Promise<Visit[]> {
  const fetchApi = async (urlPath: string) => {
    const responseBody: {
      data: { id: string; songs: { youtube_id: string; title: string }[] }[] & { songs: { youtube_id: string; title: string }[] }
    } = await (await fetch(`http://127.0.0.1:${port}/api${urlPath}`, { headers: { Host: host } })).json()
    return responseBody.data
  }
  const playlistId = (await fetchApi('/playlist/all'))[0]?.id ?? ''
  const song = (await fetchApi(`/playlist/get?p=${playlistId}`)).songs[0]
  const playlistSelector = 'main a[href^="/playlist?"]'
  const songSelector = 'main a[href^="/song?"]'
  const searchWord = (song?.title ?? '').split(' ')[0] ?? ''
  // Each round repeats the word once more: it finds the same songs, but its results are not stored yet.
  const createNewSearchPath = (round: number) => `/search?q=${encodeURIComponent(`${searchWord.slice(0, 3)} `.repeat(round + 1))}`
  return [
    { visitName: 'home', urlPath: '/', contentSelector: playlistSelector, isSiteVisited: true },
    { visitName: 'playlists', urlPath: '/playlists', contentSelector: playlistSelector, isSiteVisited: true },
    { visitName: 'playlist', urlPath: `/playlist?p=${playlistId}`, contentSelector: songSelector, isSiteVisited: true },
    {
      visitName: 'song',
      urlPath: `/song?s=${song?.youtube_id}&p=${playlistId}`,
      contentSelector: 'main h1:not(:empty)',
      isSiteVisited: true,
    },
    { visitName: 'search', urlPath: `/search?q=${encodeURIComponent(searchWord)}`, contentSelector: songSelector, isSiteVisited: true },
    // A search query that was not made online: the page answers it from the stored rows of other pages.
    {
      visitName: 'search for what was never searched',
      urlPath: createNewSearchPath(0),
      createRoundPath: createNewSearchPath,
      contentSelector: songSelector,
      isSiteVisited: false,
    },
  ]
}

/** The start of the console message with the time at which the content was shown. */
const SHOWN_PREFIX = 'content shown: '

/** How long the favorites are looked at before the browser is closed. */
const FAVORITES_VIEWED_MS = 4_000
const favoritesVisit: Visit = {
  visitName: 'favorites',
  urlPath: '/account',
  contentSelector: 'main a[href^="/song?"]',
  isSiteVisited: true,
}

/** Signs in, and makes the first song of a playlist a favorite. */
async function addFavorite(page: Page, identityOrigin: string, origin: string, playlistPath: string) {
  const credentials = createCredentials()
  await signUpByRequest(identityOrigin, credentials)
  await signInByRequest(page, identityOrigin, credentials, origin)
  await page.goto(origin + playlistPath)
  await waitForStoredPage(page)
  await locateFavoriteButtons(page).first().click()
  await page.waitForLoadState('networkidle')
}

/**
 * Returns the milliseconds from the start of the navigation until a frame begins that has an element that matches `selector`, or until the first contentful paint if
 * that is later. Nothing is evaluated in the page meanwhile, because compiling Playwright's script takes tens of milliseconds.
 */
async function measureTimeToElement(page: Page, url: string, selector: string): Promise<number> {
  // The injected script is a string, because the compiler would make a function call a helper that the page lacks.
  await page.addInitScript({
    content: `requestAnimationFrame(function look() {
      if (document.querySelector(${JSON.stringify(selector)}) === null) return requestAnimationFrame(look)
      const inFrameMs = performance.now()
      new PerformanceObserver((list) => {
        for (const { name, startTime } of list.getEntries())
          if (name === 'first-contentful-paint') console.log('${SHOWN_PREFIX}' + Math.max(inFrameMs, startTime))
      }).observe({ type: 'paint', buffered: true })
    })`,
  })
  const shownMessage = page.waitForEvent('console', { predicate: (message) => message.text().startsWith(SHOWN_PREFIX), timeout: 30_000 })
  await page.goto(url, { waitUntil: 'commit' })
  return Number((await shownMessage).text().slice(SHOWN_PREFIX.length))
}

async function measureOfflineStart(websiteSubdomain: string | undefined) {
  const site = await startSite()
  const origin = site.origin(websiteSubdomain)
  await withBrowserProfile(
    async (openPage) => {
      const { page: firstPage } = await openPage()
      const visits = await listVisits(site.port, new URL(origin).host)
      await firstPage.goto(origin)
      await waitForServiceWorker(firstPage)
      for (const { urlPath: path, contentSelector: content, isSiteVisited: isVisited } of visits) {
        if (!isVisited) continue
        await firstPage.goto(origin + path)
        await firstPage.waitForSelector(content)
        await waitForStoredPage(firstPage)
      }
      await addFavorite(firstPage, site.origin(), origin, visits.find(({ visitName: name }) => name === 'playlist')?.urlPath ?? '')
      await firstPage.goto(origin + favoritesVisit.urlPath)
      await firstPage.waitForSelector(favoritesVisit.contentSelector)
      await waitForStoredPage(firstPage)
      // The shortest time for which a person looks at the favorites.
      await firstPage.waitForTimeout(FAVORITES_VIEWED_MS)
      visits.push(favoritesVisit)
      await site.stop()

      const timesMsByVisit = new Map<string, number[]>(visits.map(({ visitName: name }) => [name, []]))
      for (let round = 0; round < ROUND_COUNT; round++) {
        for (const { visitName: name, urlPath: path, createRoundPath = () => path, contentSelector: content } of visits) {
          // Each page is the first page of a restarted browser, so that each start of the service worker is measured.
          const { context } = await openPage()
          timesMsByVisit.get(name)?.push(await measureTimeToElement(await context.newPage(), origin + createRoundPath(round), content))
        }
      }
      for (const { visitName: name, isSiteVisited: isVisited } of visits) {
        const visitTimesMs = timesMsByVisit.get(name) ?? []
        const limit = { atMost: isVisited ? VISITED_PAGE_LIMIT_MS : FIRST_SEARCH_LIMIT_MS }
        goalResults.push(
          reportFigure(`${websiteSubdomain ?? 'default brand'}: offline start, ${name}`, computeMedian(visitTimesMs), 'ms', limit),
        )
        reportFigure(`  slowest of ${ROUND_COUNT}`, Math.max(...visitTimesMs), 'ms')
      }
      const { page: unvisitedPage } = await openPage()
      await unvisitedPage.goto(`${origin}/playlist?p=never-opened`)
      const message = unvisitedPage.getByText("haven't opened this here before").first()
      await message.waitFor({ timeout: 5000 }).catch(() => undefined)
      goalResults.push(reportFigure('  unvisited pages that say so', (await message.count()) > 0 ? 1 : 0, '', { atLeast: 1 }))
    },
    { needsChromium: true },
  )
}

for (const subdomain of [undefined, 'slowedreverb']) await measureOfflineStart(subdomain)
process.exitCode = goalResults.every(Boolean) ? 0 : 1
