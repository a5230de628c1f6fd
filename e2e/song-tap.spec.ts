import type { Locator, Page } from '@playwright/test'
import type { Song } from '../contract/song.ts'
import { catalogueIds } from './catalogue.ts'
import { findChunkFile } from './chunks.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { addRecentPlays } from './recent-plays.ts'
import type { Site } from './server.ts'
import {
  expectPlaying,
  fetchApi,
  locateSearchBox,
  locateSongLinks,
  mainNavigation,
  mainRegion,
  pageHeading,
  playerRegion,
} from './steps.ts'

// A phone, whose taps come without a movement of the pointer before them.
test.use({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 3, hasTouch: true, isMobile: true })

interface PlaceWithSongs {
  placeName: string
  /** Whether the songs are listed without pictures, so that the picture of a song is not known when the song is tapped. */
  hasNoPictures?: true
  /** The title of the song that is opened, if it is opened by a button. */
  buttonTitle?: string
  /** Opens the page. Returns the link or button of a song. */
  open(page: Page, site: Site): Promise<Locator>
}

const songPageFile = findChunkFile('routes/song.tsx?tsr-split=component')
const { accented: songId, accentPlaylist } = catalogueIds
const fetchSongs = async (site: Site): Promise<Song[]> => (await fetchApi(site, 'GET /playlist/get', { p: accentPlaylist })).songs
const locateSongLink = (region: Locator) => region.locator(`a[href^="/song?s=${songId}"]`).first()

/** Opens a page that lists songs. Returns the link of its first song. */
const openSongList = async (page: Page, site: Site, urlPath: string) => {
  await openHydratedPage(page, site.origin() + urlPath)
  return locateSongLinks(page).first()
}

/** Signs in to a new account. Returns its ID token. */
async function signIn(page: Page, site: Site) {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  return fetchIdToken(site, credentials)
}

const createPlaylist = async (site: Site, idToken: string) =>
  (await createOwnPlaylists(site.origin(), idToken, [{ title: 'Evening', songIds: [songId, catalogueIds.accentedNext] }]))[0] ?? ''

async function openPageAfterPlays(page: Page, site: Site, urlPath: string) {
  await page.goto(site.origin())
  await addRecentPlays(page, await fetchSongs(site))
  return openSongList(page, site, urlPath)
}

async function typeInSearchBox(page: Page, site: Site, urlPath: string, box: Locator) {
  await openHydratedPage(page, site.origin() + urlPath)
  await box.fill('Señorita')
  return page.getByRole('option', { name: 'Señorita' }).first()
}

const songPlaces: readonly PlaceWithSongs[] = [
  { placeName: 'the home page', open: (page, site) => openPageAfterPlays(page, site, '/') },
  { placeName: 'a playlist', open: (page, site) => openSongList(page, site, `/playlist?p=${accentPlaylist}`) },
  {
    placeName: 'the play button of a playlist',
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/playlist?p=${accentPlaylist}`)
      return mainRegion(page).getByRole('link', { name: 'Play', exact: true })
    },
  },
  { placeName: 'a category', open: (page, site) => openSongList(page, site, '/playlist?p=electronic') },
  { placeName: 'a long playlist', open: (page, site) => openSongList(page, site, `/playlist?p=${catalogueIds.longPlaylist}`) },
  {
    placeName: 'an own playlist',
    open: async (page, site) => openSongList(page, site, `/playlist?p=my-${await createPlaylist(site, await signIn(page, site))}`),
  },
  {
    placeName: 'a shared playlist',
    async open(page, site) {
      const credentials = createCredentials()
      await signUpByRequest(site.origin(), credentials)
      const idToken = await fetchIdToken(site, credentials)
      return openSongList(
        page,
        site,
        `/list?l=${await shareOwnPlaylist(site.origin(), idToken, await createPlaylist(site, idToken), true)}`,
      )
    },
  },
  {
    placeName: 'the favorites',
    async open(page, site) {
      const idToken = await signIn(page, site)
      const headers = { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' }
      await fetch(`${site.origin()}/api/favorite/add`, { method: 'POST', headers, body: JSON.stringify({ s: songId }) })
      return openSongList(page, site, '/account')
    },
  },
  // A search whose results have several pages, of which the HTML of the page has the first.
  { placeName: 'a search', open: (page, site) => openSongList(page, site, '/search?q=road') },
  {
    placeName: 'the songs of an artist',
    open: (page, site) => openSongList(page, site, '/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist'),
  },
  {
    placeName: 'the play button of an artist',
    buttonTitle: 'Ærlig Łódź',
    async open(page, site) {
      await openSongList(page, site, '/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist')
      return mainRegion(page).getByRole('button', { name: 'Play all' })
    },
  },
  {
    placeName: 'the suggestions of the search page',
    open: (page, site) => typeInSearchBox(page, site, '/search', mainRegion(page).getByRole('combobox')),
  },
  {
    placeName: 'the suggestions of the bar',
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/faq`)
      await mainNavigation(page).getByRole('button', { name: 'Search' }).tap()
      await locateSearchBox(page).fill('Señorita')
      return page.getByRole('option', { name: 'Señorita' }).first()
    },
  },
  {
    placeName: 'the songs that a search may have meant',
    hasNoPictures: true,
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/search?q=Se%C3%B1orota`)
      return locateSongLink(mainRegion(page).getByRole('list', { name: 'Did you mean' }))
    },
  },
  { placeName: 'the history', open: (page, site) => openPageAfterPlays(page, site, '/recent') },
  { placeName: 'the review of the year', hasNoPictures: true, open: (page, site) => openPageAfterPlays(page, site, '/year') },
  {
    placeName: 'the songs of followed artists',
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/search?q=Bj%C3%B6rk+%C3%85ngstr%C3%B6m&type=artist`)
      await mainRegion(page).getByRole('button', { name: 'Follow', exact: true }).tap()
      await expect(mainRegion(page).getByRole('button', { name: 'Follow', exact: true, pressed: true })).toBeVisible()
      await openHydratedPage(page, `${site.origin()}/latest`)
      return locateSongLink(page.getByRole('region', { name: 'Songs of artists you follow' }))
    },
  },
  {
    placeName: 'the songs that are related to a song',
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/song?s=${catalogueIds.accentedNext}&p=${accentPlaylist}`)
      await mainRegion(page).getByRole('contentinfo').or(page.getByRole('contentinfo')).first().scrollIntoViewIfNeeded()
      return locateSongLink(page.getByRole('region', { name: 'Related songs' }))
    },
  },
  {
    placeName: 'the queue',
    buttonTitle: 'Zebra Crossing',
    async open(page, site) {
      await openHydratedPage(page, `${site.origin()}/song?s=${songId}&p=${accentPlaylist}`)
      return page.getByRole('complementary', { name: 'Queue' }).getByRole('button', { name: 'Zebra Crossing', exact: true })
    },
  },
]

for (const { placeName: name, hasNoPictures, buttonTitle, open } of songPlaces) {
  test(`slow line: while no request is answered, a song that is tapped in ${name} is shown with its title, artist and picture`, {
    tag: '@long',
  }, async ({ context, page, testCatalogueSite: site, platform }) => {
    test.setTimeout(180_000)
    let areRequestsHeld = false
    // The pictures that the page has loaded are answered from now on, as from the browser's cache, which routes disable.
    const loadedPictureUrls = new Set<string>()
    const releaseRequestFunctions: (() => void)[] = []
    // The route is set before a page is loaded, because requests that are sent while a route is being set pass by it.
    await context.route('**/*', async (route) => {
      const request = route.request()
      if (areRequestsHeld && !loadedPictureUrls.has(request.url()))
        await new Promise<void>((resolve) => releaseRequestFunctions.push(resolve))
      if (request.resourceType() === 'image') loadedPictureUrls.add(request.url())
      await route.fallback()
    })
    const link = await open(page, site)
    await link.scrollIntoViewIfNeeded()
    // When the page is idle, the browser loads the code of the song page.
    await page.waitForFunction((file) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(file)), songPageFile)
    await page.waitForLoadState('networkidle')
    const rowPicture = link.locator('img').or(link.locator('xpath=ancestor::li[1]//img'))
    if ((await rowPicture.count()) > 0) await expect(rowPicture.first()).not.toHaveJSProperty('naturalWidth', 0)
    const tappedId = new URLSearchParams((await link.getAttribute('href'))?.split('?')[1]).get('s')
    const songs = [...(await fetchSongs(site)), ...(await fetchApi(site, 'GET /song/search', { s: 'road', limit: '50' }))]
    const tappedSong = songs.find(({ youtube_id, title }) => (buttonTitle === undefined ? youtube_id === tappedId : title === buttonTitle))
    if (!tappedSong) throw new Error('The site does not have the song.')

    areRequestsHeld = true
    await link.tap()
    await expect(pageHeading(page)).toHaveText(tappedSong.title)
    await expect(pageHeading(page).locator('xpath=..').getByRole('link', { name: tappedSong.author_name })).toBeVisible()
    const isPictureShown = () =>
      playerRegion(page)
        .locator(`img[srcset*="/img/song/${tappedSong.youtube_id}"]`)
        .evaluateAll((pictures) => pictures.some((each) => each instanceof HTMLImageElement && each.complete && each.naturalWidth > 0))
    if (!hasNoPictures) await expect.poll(isPictureShown, 'the picture of the row').toBe(true)

    areRequestsHeld = false
    for (const resolve of releaseRequestFunctions.splice(0)) resolve()
    await expectPlaying(page, platform, tappedSong.youtube_id)
  })
}
