import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { startSite } from './server.ts'
import { expectPlaying, fetchApi, locatePlaylistLinks, locateSongLinks, mainRegion, pageHeading, waitForHydration } from './steps.ts'

const sortTitles = (titles: string[]) => [...titles].sort((a, b) => a.localeCompare(b, 'en', { sensitivity: 'base' }))

/** Returns the titles of the page's links, in their order. */
async function readTitlesInOrder(
  playlistLinksLocator: ReturnType<typeof locatePlaylistLinks>,
  playlistTitles: string[],
): Promise<string[]> {
  const linkTexts = await playlistLinksLocator.evaluateAll((elements) =>
    elements.map((element) => `${element.getAttribute('aria-label') ?? ''} ${element.textContent}`),
  )
  const seenTitles: string[] = []
  for (const text of linkTexts) {
    const title = playlistTitles.filter((each) => text.includes(each)).sort((a, b) => b.length - a.length)[0]
    if (title !== undefined && !seenTitles.includes(title)) seenTitles.push(title)
  }
  return seenTitles
}

test('playlists sort by Popular, A-Z and Z-A', async ({ page }) => {
  // This test starts a separate site, on which no other test plays a song. A single play makes the playlist that is last by title the most
  // popular one, so that the orders differ.
  const site = await startSite()
  try {
    const lastPlaylist = (await fetchApi(site, 'GET /playlist/all', { order: 'DESC' })).find((each) => each.song_count > 0)
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: lastPlaylist?.id ?? '' })
    await fetch(`http://127.0.0.1:${site.port}/api/song/play`, {
      method: 'POST',
      body: new URLSearchParams({ s: songs[0]?.youtube_id ?? '', p: lastPlaylist?.id ?? '' }),
    })
    await expect.poll(async () => (await fetchApi(site, 'GET /playlist/all'))[0]?.title, { timeout: 40_000 }).toBe(lastPlaylist?.title)
    const playlistTitles = (await fetchApi(site, 'GET /playlist/all')).map((each) => each.title)
    expect(playlistTitles.length).toBeGreaterThanOrEqual(12)
    // The test requests a URL that no other test requests, because the server caches HTML and API responses for a while.
    await page.goto(`${site.origin()}/playlists?sort=popular`)
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    await expect.poll(() => readTitlesInOrder(locatePlaylistLinks(page), playlistTitles)).toEqual(playlistTitles)
    const sortSelect = mainRegion(page).getByRole('combobox')
    await expect(sortSelect.getByRole('option')).toHaveText(['Popular', 'A-Z', 'Z-A'])
    const ascendingTitles = (await fetchApi(site, 'GET /playlist/all', { order: 'ASC' })).map((each) => each.title)
    expect(ascendingTitles).toEqual(sortTitles(playlistTitles))
    await sortSelect.selectOption({ label: 'A-Z' })
    await expect.poll(() => readTitlesInOrder(locatePlaylistLinks(page), playlistTitles)).toEqual(ascendingTitles)
    await sortSelect.selectOption({ label: 'Z-A' })
    await expect
      .poll(() => readTitlesInOrder(locatePlaylistLinks(page), playlistTitles))
      .toEqual((await fetchApi(site, 'GET /playlist/all', { order: 'DESC' })).map((each) => each.title))
  } finally {
    // The page is closed before the server stops: the page still loads files that it needs later, and the stopping server would answer 503,
    // which fails the test.
    await page.close()
    await site.stop()
  }
})

test('a playlist shows its songs in their order, with artist and category', async ({ page, site }) => {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  await page.goto(`${site.origin()}/playlist?p=${playlist?.id}`)
  await expect(pageHeading(page)).toHaveText(playlist?.title ?? '')
  await expect(locateSongLinks(page).first()).toBeVisible()
  const songIds = await locateSongLinks(page).evaluateAll((links) => [
    ...new Set(links.map((link) => new URLSearchParams(link.getAttribute('href')?.split('?')[1]).get('s'))),
  ])
  expect(songIds.slice(0, 5)).toEqual(songs.slice(0, 5).map((song) => song.youtube_id))
  await mainRegion(page)
    .getByRole('link', { name: songs[0]?.author_name ?? '', exact: true })
    .first()
    .click()
  await expect(page).toHaveURL(/\/search\?q=[^&]+&type=artist$/)
})

test('an empty playlist shows a message and a link to the home page', async ({ page, testCatalogueSite }) => {
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.emptyPlaylist}`)
  await expect(mainRegion(page)).toContainText('No songs found')
  await expect(mainRegion(page)).toContainText('This playlist is empty')
  await mainRegion(page).getByRole('link', { name: 'Go back' }).click()
  await expect(page).toHaveURL(`${testCatalogueSite.origin()}/`)
})

test('search sorts by A-Z, Z-A, Newest and Oldest', { tag: '@long' }, async ({ page, testCatalogueSite }) => {
  const foundTitles = ['Señorita Über Café', 'Ærlig Łódź']
  await page.goto(`${testCatalogueSite.origin()}/search?q=angstrom`)
  const sortSelect = mainRegion(page).getByRole('combobox', { name: 'Sort' })
  await expect(locateSongLinks(page).first()).toBeVisible()
  await expect(sortSelect.getByRole('option')).toHaveText(['A-Z', 'Z-A', 'Newest', 'Oldest'])
  for (const [sortLabel, orderedTitles] of [
    ['Z-A', foundTitles],
    ['A-Z', [...foundTitles].reverse()],
    ['Oldest', foundTitles],
    ['Newest', [...foundTitles].reverse()],
  ] as const) {
    await sortSelect.selectOption({ label: sortLabel })
    await expect.poll(() => readTitlesInOrder(locateSongLinks(page), foundTitles), sortLabel).toEqual(orderedTitles)
  }
})

test('the search field of the search page suggests songs while a person types', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform: _,
}) => {
  await page.goto(`${testCatalogueSite.origin()}/search?q=angstrom`)
  const searchField = mainRegion(page).getByRole('combobox', { name: 'Search songs and artists' })
  await waitForHydration(page)
  await searchField.fill('cafe')
  await expect(mainRegion(page).getByRole('listbox').getByRole('option', { name: 'Señorita Über Café' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(searchField).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('ArrowDown')
  await expect(searchField).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await expectNoViolation(page, 'the suggestions of the search page')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/song\\?s=${catalogueIds.accented}`))
})

test('artist search finds only songs of the artist', { tag: '@long' }, async ({ page, testCatalogueSite }) => {
  await page.goto(`${testCatalogueSite.origin()}/search?q=${encodeURIComponent('Björk Ångström')}&type=artist`)
  await expect(locateSongLinks(page).filter({ hasText: 'Señorita Über Café' })).not.toHaveCount(0)
  await page.goto(`${testCatalogueSite.origin()}/search?q=zebra&type=artist`)
  await expect(mainRegion(page)).toContainText('No songs found')
  await page.goto(`${testCatalogueSite.origin()}/search?q=zebra`)
  await expect(locateSongLinks(page).filter({ hasText: 'Zebra Crossing' })).not.toHaveCount(0)
})

test("Play all plays an artist's songs one after the other", { tag: '@long' }, async ({ page, testCatalogueSite, platform }) => {
  const artist = 'Björk Ångström'
  const [firstSong, secondSong] = await fetchApi(testCatalogueSite, 'GET /song/search', { s: artist, type: 'artist' })
  if (firstSong === undefined || secondSong === undefined) throw new Error('The artist has too few songs')
  await page.goto(`${testCatalogueSite.origin()}/search?q=${encodeURIComponent(artist)}&type=artist`)
  await mainRegion(page).getByRole('button', { name: 'Play all' }).click()
  await expectPlaying(page, platform, firstSong.youtube_id)
  await platform.finishVideo(page)
  await expectPlaying(page, platform, secondSong.youtube_id)
})

test('a new song has the New badge, an old song has none', async ({ page, testCatalogueSite }) => {
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  const rows = mainRegion(page).getByRole('listitem')
  await expect(rows.filter({ hasText: 'Zebra Crossing' }).getByText('New', { exact: true })).toBeVisible()
  await expect(rows.filter({ hasText: 'Ærlig Łódź' }).getByText('New', { exact: true })).toHaveCount(0)
})

test('the URL of a playlist that does not exist shows the 404 page', async ({ page, site, faults }) => {
  faults.expect(/status of 404/)
  const response = await page.goto(`${site.origin()}/playlist?p=no-such-list`)
  expect(response?.status()).toBe(404)
  await expect(mainRegion(page)).toContainText(/not found/i)
})
