import type { BrowserContext, Page } from '@playwright/test'
import type { FavoriteSyncRequest } from '../../contract/favorite.ts'
import type { Song } from '../../contract/song.ts'
import type { Site } from '../server.ts'
import { mainNavigation, mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const password = 'tempo160'
let accountCount = 0

/** Replaces the API's sync of favorites, for an account whose favorites are `songs`. */
async function mockFavoriteSync(context: BrowserContext, songs: readonly Song[]) {
  const addedAtBySongId = new Map(
    songs.map(({ youtube_id }, index) => [youtube_id, new Date(Date.UTC(2026, 10, 20) - index * 3_600_000).toISOString()]),
  )
  const songsById = new Map(songs.map((song) => [song.youtube_id, song]))
  await context.route('**/api/favorite/sync', (route) => {
    const { changes = [] }: FavoriteSyncRequest = route.request().postDataJSON()
    for (const { s, favorite, at } of changes) favorite ? addedAtBySongId.set(s, at) : addedAtBySongId.delete(s)
    const favorites = [...addedAtBySongId].map(([s, at]) => ({ s, favorite: true, at, song: songsById.get(s) }))
    const data = { cursor: String(addedAtBySongId.size), whole: true, more: false, favorites, refused: [] }
    return route.fulfill({ json: { code: 200, message: '', data } })
  })
}

const failSync = (context: BrowserContext) => context.route('**/api/favorite/sync', (route) => route.abort('failed'))

/** Lists the screenshots of favorites and of unsent changes. `song` is the path of the page of one of `songs`. */
export function createFavoriteScreenshots(site: Site, songs: readonly Song[], songPath: string): Screenshot[] {
  const openSignedIn = async (page: Page, urlPath: string) => {
    const email = `mika.hearts${++accountCount}@meridian.fm`
    await site.runAdmin('user', 'create', '--email', email, '--password', password)
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(password)
    await mainRegion(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL(urlPath, page.url()).href)
    await page.waitForTimeout(1200)
  }
  const locateFavoriteButton = (page: Page) => mainRegion(page).getByRole('button', { name: 'Favorite', exact: true })
  const mockFavorites = (context: BrowserContext) => mockFavoriteSync(context, songs)
  const addFavorite = async (page: Page) => {
    await openSignedIn(page, songPath)
    await locateFavoriteButton(page).click()
    await page.getByText(/^Added to your favorites/).waitFor()
  }
  return [
    { name: 'favorites', path: '/login', prepare: mockFavorites, showState: (page) => openSignedIn(page, '/account') },
    {
      name: 'favorites-whole',
      path: '/login',
      fullPage: true,
      prepare: mockFavorites,
      showState: (page) => openSignedIn(page, '/account'),
    },
    { name: 'favorites-song', path: '/login', prepare: (context) => mockFavoriteSync(context, []), showState: addFavorite },
    { name: 'favorites-login', path: songPath, showState: (page) => locateFavoriteButton(page).click() },
    {
      name: 'favorites-import',
      path: '/login',
      prepare: (context) => mockFavoriteSync(context, songs.slice(0, 3)),
      showState: async (page) => {
        await openSignedIn(page, '/account')
        const csvLines = songs.slice(2).map(({ youtube_id, title }) => `${youtube_id},"${title}"`)
        const buffer = Buffer.from(['youtube_id,title', ...csvLines, 'nothing,here'].join('\n'))
        await mainRegion(page).locator('input[type=file]').setInputFiles({ name: 'favorites.csv', mimeType: 'text/csv', buffer })
        await page.getByRole('checkbox').check()
      },
    },
    {
      name: 'unsent',
      path: '/login',
      prepare: failSync,
      showState: async (page) => {
        await addFavorite(page)
        await page.goto(new URL('/storage#unsent', page.url()).href)
        await page.getByText('Waiting').waitFor()
      },
    },
    {
      name: 'unsent-line',
      path: '/login',
      prepare: failSync,
      showState: async (page) => {
        await addFavorite(page)
        await page.goto(new URL('/account', page.url()).href)
        await page.getByText('to be sent.').waitFor()
      },
    },
    {
      name: 'unsent-sign-out',
      path: '/login',
      prepare: failSync,
      showState: async (page) => {
        await addFavorite(page)
        await page.getByRole('button', { name: /^Account: / }).click()
        await mainNavigation(page).getByRole('button', { name: 'Sign out' }).click()
        await page.getByText('not sent yet').waitFor()
      },
    },
  ]
}
