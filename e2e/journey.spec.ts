import { ids } from './catalogue.ts'
import { brands, expect, test } from './fixtures.ts'
import { ask, expectPlaying, heading, main, nav, openSong, playlistLinks, songLinks } from './steps.ts'

for (const brand of brands) {
  test(`${brand.name}: from home to a playlist, a song, and on to the next song`, async ({ page, site, platform }) => {
    await page.goto(`${site.origin(brand.subdomain)}/`)
    await expect(heading(page)).toBeVisible()
    expect(platform.requests, 'nothing is asked of the video platform before a person plays').toEqual([])

    const home = await ask(site, 'GET /playlist/all', { home: 'true' })
    const playlist = home.find((each) => each.song_count > 2)
    if (playlist === undefined) throw new Error('The demo has no playlist to play')
    await main(page).getByRole('link', { name: playlist.title }).first().click()
    await expect(heading(page)).toHaveText(playlist.title)

    const { songs } = await ask(site, 'GET /playlist/get', { p: playlist.id })
    const [first, second] = songs
    if (first === undefined || second === undefined) throw new Error('The playlist is too short')
    expect(platform.requests).toEqual([])
    await main(page).getByRole('link', { name: first.title }).first().click()
    await expect(page).toHaveURL(new RegExp(`/song\\?s=${first.youtube_id}&p=${playlist.id}`))
    await expect(heading(page)).toContainText(first.title)
    await expectPlaying(page, platform, first.youtube_id)

    await platform.finish(page)
    await expectPlaying(page, platform, second.youtube_id)
    await expect(heading(page)).toContainText(second.title)
    await expect(page).toHaveTitle(new RegExp(second.title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    expect(platform.frameLoads, 'one frame, loaded once').toBe(1)
  })
}

test('search finds a song by part of its name, without its accents, and it plays', async ({ page, ownSite, platform }) => {
  await page.goto(ownSite.origin())
  await nav(page).getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('cafe senor')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=cafe(\+|%20)senor$/)
  await expect(songLinks(page).filter({ hasText: 'Señorita Über Café' })).toBeVisible()
  await main(page).getByRole('link', { name: 'Señorita Über Café' }).first().click()
  await expectPlaying(page, platform, ids.accented)
})

test('search in the demo finds a song by a part of its name', async ({ page, site }) => {
  const [playlist] = await ask(site, 'GET /playlist/all')
  const { songs } = await ask(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const title = songs[0]?.title ?? ''
  const word = title.split(/[^\p{L}]+/u).reduce((longest, each) => (each.length > longest.length ? each : longest), '')
  await page.goto(`${site.origin()}/search?q=${encodeURIComponent(word.slice(0, -1).toLowerCase())}`)
  await expect(main(page).getByRole('link', { name: title }).first()).toBeVisible()
})

test('Random song plays some song, and More music leads to the playlists', async ({ page, site, platform }) => {
  await page.goto(site.origin())
  await main(page)
    .getByRole('link', { name: 'More music' })
    .or(main(page).getByRole('button', { name: 'More music' }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(playlistLinks(page).first()).toBeVisible()
  await page.goBack()
  await main(page)
    .getByRole('link', { name: 'Random song' })
    .or(main(page).getByRole('button', { name: 'Random song' }))
    .first()
    .click()
  await expect(page).toHaveURL(/\/song\?s=[\w-]{11}/)
  await expectPlaying(page, platform, new URL(page.url()).searchParams.get('s') ?? '')
})

test('the intro video is a picture until it is clicked, then it plays at a volume of 0.35', async ({ page, site, platform }) => {
  const { settings } = await ask(site, 'GET /site')
  test.skip(settings.INTRO_VIDEO === '', 'this brand shows the passion text')
  await page.goto(site.origin())
  const play = main(page).getByRole('button', { name: /intro/i })
  await play.scrollIntoViewIfNeeded()
  expect(platform.requests).toEqual([])
  await play.click()
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(1)
  await expect.poll(async () => (await platform.playing(page))?.volume).toBe(35)
})

test('the community widget loads only when it is scrolled into view', async ({ page, site, context }) => {
  const asked: string[] = []
  await context.route('https://discord.com/**', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Discord</title><p>Widget</p>' })
  })
  await site.admin('settings', 'set', 'DISCORD_WIDGET_ID', '123456789012345678')
  try {
    await expect.poll(async () => (await ask(site, 'GET /site')).settings.DISCORD_WIDGET_ID).toBe('123456789012345678')
    await page.goto(site.origin())
    await expect(playlistLinks(page).first()).toBeVisible()
    expect(asked).toEqual([])
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect.poll(() => asked.length).toBe(1)
    expect(asked[0]).toContain('123456789012345678')
  } finally {
    await site.admin('settings', 'set', 'DISCORD_WIDGET_ID')
  }
})

test('a song that was opened by its address plays on in its category', async ({ page, site, platform }) => {
  const [playlist] = await ask(site, 'GET /playlist/all')
  const { songs } = await ask(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const song = await ask(site, 'GET /song/get', { s: songs[0]?.youtube_id ?? '' })
  await openSong(page, platform, site.origin(), song.youtube_id)
  await platform.finish(page)
  await expectPlaying(page, platform, song.next)
})
