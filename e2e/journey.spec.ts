import { catalogueIds } from './catalogue.ts'
import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import {
  expectPlaying,
  fetchApi,
  locatePlaylistLinks,
  locateSearchBox,
  locateSongLinks,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
} from './steps.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

for (const brand of brands) {
  test(
    `${brand.name}: the home page leads to a playlist, a song and the next song`,
    tagSecondBrand(brand),
    async ({ page, site, platform }) => {
      await page.goto(`${site.origin(brand.subdomain)}/`)
      await expect(pageHeading(page)).toBeVisible()
      expect(platform.requests, 'no request to YouTube before playback').toEqual([])

      const homePlaylists = await fetchApi(site, 'GET /playlist/all', { home: 'true' })
      const playlist = homePlaylists.find((each) => each.song_count > 2)
      if (playlist === undefined) throw new Error('The demo has no playlist to play')
      await mainRegion(page).getByRole('link', { name: playlist.title }).first().click()
      await expect(pageHeading(page)).toHaveText(playlist.title)

      const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist.id })
      const [firstSong, secondSong] = songs
      if (firstSong === undefined || secondSong === undefined) throw new Error('The playlist is too short')
      expect(platform.requests).toEqual([])
      await mainRegion(page).getByRole('link', { name: firstSong.title }).first().click()
      await expect(page).toHaveURL(new RegExp(`/song\\?s=${firstSong.youtube_id}&p=${playlist.id}`))
      await expect(pageHeading(page)).toContainText(firstSong.title)
      await expectPlaying(page, platform, firstSong.youtube_id)

      await platform.finishVideo(page)
      await expectPlaying(page, platform, secondSong.youtube_id)
      await expect(pageHeading(page)).toContainText(secondSong.title)
      await expect(page).toHaveTitle(new RegExp(secondSong.title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      expect(platform.frameLoadCount, 'one frame, loaded once').toBe(1)
    },
  )
}

test('search finds a song by part of its name, without its accents, and the song plays', async ({ page, testCatalogueSite, platform }) => {
  await page.goto(testCatalogueSite.origin())
  await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
  await locateSearchBox(page).fill('cafe senor')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=cafe(\+|%20)senor$/)
  await expect(locateSongLinks(page).filter({ hasText: 'Señorita Über Café' })).toBeVisible()
  await mainRegion(page).getByRole('link', { name: 'Señorita Über Café' }).first().click()
  await expectPlaying(page, platform, catalogueIds.accented)
})

test('the search box suggests songs while a person types, and the keyboard can open them', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.goto(testCatalogueSite.origin())
  const openSearchBox = () => mainNavigation(page).getByRole('button', { name: 'Search' }).click()
  await test.step('typing, an arrow key and Enter open a song, which plays', async () => {
    await openSearchBox()
    await locateSearchBox(page).pressSequentially('senorita ub')
    await expect(page.getByRole('option', { name: 'Señorita Über Café' })).toBeVisible()
    // The search box reacts to keys once it announces that its list is open.
    await expect(locateSearchBox(page)).toHaveAttribute('aria-expanded', 'true')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expectPlaying(page, platform, catalogueIds.accented)
  })
  await test.step('the last option leads to all results, where the text stays in the box', async () => {
    await openSearchBox()
    await locateSearchBox(page).fill('cafe')
    await expect(page.getByRole('option', { name: 'All results for “cafe”' })).toBeVisible()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect(pageHeading(page)).toHaveText('Results for “cafe”')
    // On the results page, which has a separate search box, the search button of the navigation bar focuses that box.
    await openSearchBox()
    const pageBox = mainRegion(page).getByRole('combobox', { name: 'Search songs and artists' })
    await expect(pageBox).toBeFocused()
    await expect(pageBox).toHaveValue('cafe')
  })
})

test('on the home page the intro video plays, More music leads to the playlists, and Random song plays a random song', {
  tag: '@long',
}, async ({ page, site, platform }) => {
  await test.step('the intro video is loaded by a click on its picture, shows a failure in its place, and plays at a volume of 0.35', async () => {
    await page.goto(site.origin())
    const introButton = mainRegion(page).getByRole('button', { name: /intro/i })
    await introButton.scrollIntoViewIfNeeded()
    expect(platform.requests).toEqual([])
    const introId = (await fetchApi(site, 'GET /site')).settings.INTRO_VIDEO
    await platform.failVideo(introId, 100)
    await introButton.click()
    const failureText = mainRegion(page).getByText("This video can't be played right now.")
    await expect(failureText).toBeInViewport()
    await platform.failVideo(introId, undefined)
    await mainRegion(page).getByRole('button', { name: 'Retry' }).click()
    await expect(failureText).toBeHidden()
    await expect.poll(async () => (await platform.readState(page))?.state).toBe(1)
    await expect.poll(async () => (await platform.readState(page))?.volume).toBe(35)
  })
  await mainRegion(page)
    .getByRole('link', { name: 'More music' })
    .or(mainRegion(page).getByRole('button', { name: 'More music' }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
  await page.goBack()
  await mainRegion(page)
    .getByRole('link', { name: 'Random song' })
    .or(mainRegion(page).getByRole('button', { name: 'Random song' }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/song\?s=[\w-]{11}/)
  await expectPlaying(page, platform, new URL(page.url()).searchParams.get('s') ?? '')
})

test('the community widget loads only when it is scrolled into view', { tag: '@long' }, async ({ page, site, context }) => {
  const requestedUrls: string[] = []
  await context.route('https://discord.com/**', (route) => {
    requestedUrls.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Discord</title><p>Widget</p>' })
  })
  await site.runAdmin('settings', 'set', 'DISCORD_WIDGET_ID', '123456789012345678')
  try {
    await expect.poll(async () => (await fetchApi(site, 'GET /site')).settings.DISCORD_WIDGET_ID).toBe('123456789012345678')
    await page.goto(site.origin())
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    expect(requestedUrls).toEqual([])
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(page.frameLocator('iframe[title="Discord community"]').getByText('Widget')).toBeVisible()
    expect(requestedUrls[0]).toContain('123456789012345678')
  } finally {
    await site.runAdmin('settings', 'set', 'DISCORD_WIDGET_ID')
  }
})

test('after a song that was opened by its URL, another song of its category plays', async ({ page, site, platform }) => {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const song = await fetchApi(site, 'GET /song/get', { s: songs[0]?.youtube_id ?? '' })
  await openSong(page, platform, site.origin(), song.youtube_id)
  await platform.finishVideo(page)
  await expectPlaying(page, platform, song.next)
})
