import type { BrowserContext, Page } from '@playwright/test'
import type { FavoriteSync } from '../contract/favorite.ts'
import type { Song } from '../contract/song.ts'
import type { Site } from '../e2e/server.ts'
import { main } from '../e2e/steps.ts'
import type { Shot } from './shot.ts'

const password = 'tempo160'
let people = 0

/** The site's answers about favorites, for somebody who has these. */
async function answerSync(context: BrowserContext, songs: readonly Song[]) {
  const times = new Map(
    songs.map(({ youtube_id }, index) => [youtube_id, new Date(Date.UTC(2026, 10, 20) - index * 3_600_000).toISOString()]),
  )
  const known = new Map(songs.map((song) => [song.youtube_id, song]))
  await context.route('**/api/favorite/sync', (route) => {
    const { changes = [] }: FavoriteSync = route.request().postDataJSON()
    for (const { s, favorite, at } of changes) favorite ? times.set(s, at) : times.delete(s)
    const favorites = [...times].map(([s, at]) => ({ s, favorite: true, at, song: known.get(s) }))
    const data = { cursor: String(times.size), whole: true, more: false, favorites, refused: [] }
    return route.fulfill({ json: { code: 200, message: '', data } })
  })
}

const failSync = (context: BrowserContext) => context.route('**/api/favorite/sync', (route) => route.abort('failed'))

/** Favorites, what waits to be sent, and what is asked about both. `song`: the page of one of `songs`. */
export function favoriteShots(site: Site, songs: readonly Song[], song: string): Shot[] {
  const signedIn = async (page: Page, path: string) => {
    const email = `mika.hearts${++people}@meridian.fm`
    await site.admin('user', 'create', '--email', email, '--password', password)
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password').fill(password)
    await main(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL(path, page.url()).href)
    await page.waitForTimeout(1200)
  }
  const favorite = (page: Page) => main(page).getByRole('button', { name: 'Favorite', exact: true })
  const withFavorites = (context: BrowserContext) => answerSync(context, songs)
  const tapped = async (page: Page) => {
    await signedIn(page, song)
    await favorite(page).click()
    await page.getByText('Added to your favorites.').waitFor()
  }
  return [
    { name: 'favorites', path: '/login', prepare: withFavorites, act: (page) => signedIn(page, '/account') },
    { name: 'favorites-whole', path: '/login', whole: true, prepare: withFavorites, act: (page) => signedIn(page, '/account') },
    { name: 'favorites-song', path: '/login', prepare: (context) => answerSync(context, []), act: tapped },
    { name: 'favorites-login', path: song, act: (page) => favorite(page).click() },
    {
      name: 'favorites-import',
      path: '/login',
      prepare: (context) => answerSync(context, songs.slice(0, 3)),
      act: async (page) => {
        await signedIn(page, '/account')
        const lines = songs.slice(2).map(({ youtube_id, title }) => `${youtube_id},"${title}"`)
        const buffer = Buffer.from(['youtube_id,title', ...lines, 'nothing,here'].join('\n'))
        await main(page).locator('input[type=file]').setInputFiles({ name: 'favorites.csv', mimeType: 'text/csv', buffer })
        await page.getByRole('checkbox').check()
      },
    },
    {
      name: 'unsent',
      path: '/login',
      prepare: failSync,
      act: async (page) => {
        await tapped(page)
        await page.goto(new URL('/storage#unsent', page.url()).href)
        await page.getByText('Waiting').waitFor()
      },
    },
    {
      name: 'unsent-line',
      path: '/login',
      prepare: failSync,
      act: async (page) => {
        await tapped(page)
        await page.goto(new URL('/account', page.url()).href)
        await page.getByText('to be sent.').waitFor()
      },
    },
    {
      name: 'unsent-sign-out',
      path: '/login',
      prepare: failSync,
      act: async (page) => {
        await tapped(page)
        await page.getByRole('button', { name: /^Account: / }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByText('not sent yet').waitFor()
      },
    },
  ]
}
