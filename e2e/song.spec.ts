import { HOSTILE_DESCRIPTION, HOSTILE_TITLE, ids } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { ask, expectPlaying, heading, main, openSong, playerButton, playlistLinks } from './steps.ts'

test('next and previous walk through the playlist; previous is disabled on the first song', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await expect(playerButton(page, 'Previous')).toBeDisabled()
  await playerButton(page, 'Next').click()
  await expectPlaying(page, platform, ids.accentedNext)
  await expect(page).toHaveURL(new RegExp(`s=${ids.accentedNext}&p=${ids.accentPlaylist}`))
  await playerButton(page, 'Previous').click()
  await expectPlaying(page, platform, ids.accented)
})

test('after the last song of a playlist comes its first', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), 'acc_ent0003', ids.accentPlaylist)
  await platform.finish(page)
  await expectPlaying(page, platform, ids.accented)
})

test('loop plays the same song again', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await playerButton(page, 'Loop').click()
  await expect(playerButton(page, 'Loop')).toHaveAttribute('aria-pressed', 'true')
  await platform.finish(page)
  await expect.poll(async () => (await platform.playing(page))?.time ?? 999).toBeLessThan(20)
  await expectPlaying(page, platform, ids.accented)
  await expect(heading(page)).toContainText('Señorita Über Café')
})

test('shuffle goes on with a random song of the playlist, never the same one', async ({ page, ownSite, platform }) => {
  const asked: URL[] = []
  page.on('request', (request) => {
    if (request.url().includes('/song/random')) asked.push(new URL(request.url()))
  })
  await openSong(page, platform, ownSite.origin(), ids.firstLong, ids.longPlaylist)
  await playerButton(page, 'Shuffle').click()
  await expect(playerButton(page, 'Shuffle')).toHaveAttribute('aria-pressed', 'true')
  await platform.finish(page)
  await expect.poll(async () => (await platform.playing(page))?.videoId).not.toBe(ids.firstLong)
  expect((await platform.playing(page))?.videoId).toMatch(/^long_/)
  expect(asked.at(-1)?.searchParams.get('p')).toBe(ids.longPlaylist)
})

test('?shuffle in the address opens the song with shuffle on', async ({ page, ownSite, platform }) => {
  await page.goto(`${ownSite.origin()}/song?s=${ids.firstLong}&p=${ids.longPlaylist}&shuffle`)
  await expect(playerButton(page, 'Shuffle')).toHaveAttribute('aria-pressed', 'true')
  await expectPlaying(page, platform, ids.firstLong)
})

test("copy link copies the song's address and says 'Link copied!' for 1.5 s", async ({ page, ownSite, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ownSite.origin() })
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await main(page).getByRole('button', { name: 'Copy link' }).click()
  const note = page.getByText('Link copied!')
  await expect(note.first()).toBeVisible()
  const shown = Date.now()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/song?s=${ids.accented}`)
  await expect(note).toHaveCount(0)
  expect(Date.now() - shown).toBeGreaterThan(900)
  expect(Date.now() - shown).toBeLessThan(2600)
})

test('a report needs a reason of 3 characters, and a good one is sent', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accentedNext)
  await main(page)
    .getByRole('button', { name: /report/i })
    .click()
  const dialog = page.getByRole('dialog')
  const reason = dialog.getByRole('textbox')
  const send = dialog.getByRole('button', { name: /report|send/i }).last()
  await send.click()
  await expect(page.getByText('Please enter a valid reason.').first()).toBeVisible()
  await reason.fill('no')
  await send.click()
  await expect(page.getByText('Please enter a valid reason.').first()).toBeVisible()
  await reason.fill('The wrong song is under this title')
  await send.click()
  await expect(page.getByText('Song reported successfully!').first()).toBeVisible()
  await expect(dialog).toBeHidden()
  const list = await ownSite.admin('contact', 'list', '--json')
  expect(list).toContain('song-report')
  expect(list).toContain(ids.accentedNext)
  expect(list).toContain('The wrong song is under this title')
})

test('the tags lead to the artist and the category, and the date is in long form', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await expect(main(page)).toContainText('January 5, 2020')
  await main(page).getByRole('link', { name: 'Electronic' }).first().click()
  await expect(page).toHaveURL(/electronic/)
  await page.goBack()
  await main(page).getByRole('link', { name: 'Björk Ångström' }).first().click()
  await expect(page).toHaveURL(/\/search\?q=[^&]+&type=artist$/)
  await expect(main(page).getByRole('link', { name: 'Ærlig Łódź' }).first()).toBeVisible()
})

test('Explore more shows playlists that lead on', async ({ page, site, platform }) => {
  const [playlist] = await ask(site, 'GET /playlist/all')
  const { songs } = await ask(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  await openSong(page, platform, site.origin(), songs[0]?.youtube_id ?? '', playlist?.id)
  await expect(main(page).getByRole('heading', { name: 'Explore more' })).toBeVisible()
  await expect(playlistLinks(page)).not.toHaveCount(0)
  await playlistLinks(page).last().click()
  await expect(page).toHaveURL(/\/playlist\?p=/)
})

test('hostile titles, names and descriptions are shown as text, and only real links are links', async ({ page, ownSite, platform }) => {
  await page.goto(ownSite.origin())
  await expect(main(page)).toContainText(HOSTILE_TITLE)
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.hostilePlaylist}`)
  await expect(heading(page)).toHaveText(HOSTILE_TITLE)
  await openSong(page, platform, ownSite.origin(), ids.hostile, ids.hostilePlaylist)
  await expect(heading(page)).toHaveText(HOSTILE_TITLE)
  for (const line of HOSTILE_DESCRIPTION.split('\n')) await expect(main(page)).toContainText(line)
  await expect(main(page).getByRole('link', { name: 'https://example.com/listen?a=1&b=2' })).toHaveAttribute(
    'href',
    'https://example.com/listen?a=1&b=2',
  )
  await expect(main(page).locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0)
  await expect(page).not.toHaveTitle('owned')
})

test('a song that does not exist shows the not-found view with a way on', async ({ page, site, faults, platform }) => {
  faults.expect(/status of 404/)
  const answer = await page.goto(`${site.origin()}/song?s=AAAAAAAAAAA`)
  expect(answer?.status()).toBe(404)
  await expect(main(page)).toContainText(/not found/i)
  await expect(main(page).getByRole('link').first()).toBeVisible()
  expect(platform.requests).toEqual([])
})
