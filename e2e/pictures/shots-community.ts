import type { BrowserContext, Page } from '@playwright/test'
import { locateNewsItems, mainRegion, serveAppShell } from '../steps.ts'
import type { Screenshot } from './shot.ts'

/** Replaces all responses of the API. The page is reached from the app shell, so that it shows the replaced response. */
const createApiSetup = (respondToCalls: (context: BrowserContext) => Promise<unknown>) => async (context: BrowserContext) => {
  await serveAppShell(context)
  await respondToCalls(context)
}
const stallApi = createApiSetup((context) => context.route('**/api/**', () => {}))
const failApi = createApiSetup((context) => context.route('**/api/**', (route) => route.abort('failed')))
const answerEmptyLists = createApiSetup((context) =>
  context.route(/\/api\/(feed|member|subscriber)\//, (route) => route.fulfill({ json: { code: 200, message: '', data: [] } })),
)

/** Follows the artist with the most songs, on the artist's page. */
async function followFirstArtist(page: Page): Promise<void> {
  await page.goto(new URL('/search', page.url()).href)
  await mainRegion(page).getByRole('list', { name: 'Artists' }).getByRole('link').first().click()
  await mainRegion(page).getByRole('button', { name: 'Follow', exact: true }).click()
  await page.getByText(/^Followed: /).waitFor()
}

/** The screenshots of the news and the network. */
export const communityScreenshots: Screenshot[] = [
  { name: 'latest', path: '/latest', fullPage: true },
  { name: 'latest-first', path: '/latest' },
  {
    name: 'latest-item',
    path: '/latest',
    showState: async (page) => {
      await locateNewsItems(page).nth(3).getByRole('link', { name: 'Link to this update' }).click()
    },
  },
  { name: 'artist', path: '/search', showState: followFirstArtist },
  {
    name: 'latest-followed',
    path: '/playlists',
    showState: async (page) => {
      await followFirstArtist(page)
      await page.goto(new URL('/latest', page.url()).href)
      await mainRegion(page).getByRole('button', { name: '1 artist' }).click()
      await mainRegion(page).getByRole('list', { name: 'Songs of artists you follow' }).waitFor()
    },
  },
  { name: 'latest-loading', path: '/latest', prepare: stallApi },
  {
    name: 'latest-error',
    path: '/latest',
    prepare: failApi,
    showState: (page) => page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 }),
  },
  { name: 'latest-empty', path: '/latest', prepare: answerEmptyLists },
  { name: 'network', path: '/network', fullPage: true },
  { name: 'network-first', path: '/network' },
  {
    name: 'network-member',
    path: '/network',
    showState: (page) => mainRegion(page).getByRole('region', { name: 'Members', exact: true }).getByRole('listitem').nth(1).click(),
  },
  { name: 'network-loading', path: '/network', prepare: stallApi },
  {
    name: 'network-error',
    path: '/network',
    prepare: failApi,
    showState: (page) => page.getByRole('button', { name: 'Retry' }).first().waitFor({ timeout: 15_000 }),
  },
  { name: 'network-empty', path: '/network', prepare: answerEmptyLists },
]
