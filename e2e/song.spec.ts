import { catalogueIds, HOSTILE_DESCRIPTION, HOSTILE_TITLE } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, locatePlayerButton, locatePlaylistLinks, mainRegion, openSong, pageHeading } from './steps.ts'

test('Next and Previous play the adjacent songs of the playlist, Loop plays the same song again, and after the last song the first song plays', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  await expect(locatePlayerButton(page, 'Previous')).toBeDisabled()
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, catalogueIds.accentedNext)
  await expect(page).toHaveURL(new RegExp(`s=${catalogueIds.accentedNext}&p=${catalogueIds.accentPlaylist}`))
  await locatePlayerButton(page, 'Previous').click()
  await expectPlaying(page, platform, catalogueIds.accented)

  await test.step('loop plays the same song again', async () => {
    await locatePlayerButton(page, 'Loop').click()
    await expect(locatePlayerButton(page, 'Loop')).toHaveAttribute('aria-pressed', 'true')
    await platform.finishVideo(page)
    await expect.poll(async () => (await platform.readState(page))?.time ?? 999).toBeLessThan(20)
    await expectPlaying(page, platform, catalogueIds.accented)
    await expect(pageHeading(page)).toContainText('Señorita Über Café')
    await locatePlayerButton(page, 'Loop').click()
    await expect(locatePlayerButton(page, 'Loop')).toHaveAttribute('aria-pressed', 'false')
  })

  await test.step('after the last song of a playlist the first one plays', async () => {
    await locatePlayerButton(page, 'Next').click()
    await expectPlaying(page, platform, catalogueIds.accentedNext)
    await locatePlayerButton(page, 'Next').click()
    await expectPlaying(page, platform, 'acc_ent0003')
    await platform.finishVideo(page)
    await expectPlaying(page, platform, catalogueIds.accented)
  })
})

test('song page: with ?shuffle in the URL, shuffle is on, so that a random song of the playlist plays next', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  const requestedUrls: URL[] = []
  page.on('request', (request) => {
    if (request.url().includes('/song/random')) requestedUrls.push(new URL(request.url()))
  })
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.firstLong}&p=${catalogueIds.longPlaylist}&shuffle`)
  await expectPlaying(page, platform, catalogueIds.firstLong)
  const shuffleButton = locatePlayerButton(page, 'Shuffle')
  await expect(shuffleButton).toHaveAttribute('aria-pressed', 'true')
  await shuffleButton.click()
  await expect(shuffleButton).toHaveAttribute('aria-pressed', 'false')
  await shuffleButton.click()
  await expect(shuffleButton).toHaveAttribute('aria-pressed', 'true')
  await platform.finishVideo(page)
  await expect.poll(async () => (await platform.readState(page))?.videoId).not.toBe(catalogueIds.firstLong)
  expect((await platform.readState(page))?.videoId).toMatch(/^long_/)
  expect(requestedUrls.at(-1)?.searchParams.get('p')).toBe(catalogueIds.longPlaylist)
})

test("song page: Copy link copies the song's URL and shows 'Link copied!' for 1.5 s; the song's tags and Explore more open other pages", {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: testCatalogueSite.origin() })
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  // The time is measured in the page, because on a busy machine the test would notice a change late.
  const shownMsPromise = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shownSinceMs: number | undefined
        new MutationObserver(() => {
          const isShown = document.body.textContent?.includes('Link copied!') === true
          if (isShown) shownSinceMs ??= performance.now()
          else if (shownSinceMs !== undefined) resolve(performance.now() - shownSinceMs)
        }).observe(document.body, { subtree: true, childList: true, characterData: true })
      }),
  )
  await mainRegion(page).getByRole('button', { name: 'Copy link' }).click()
  await expect(page.getByText('Link copied!').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/song?s=${catalogueIds.accented}`)
  // On a busy machine, the text 'Link copied!' appears late, but disappears on time.
  expect(await shownMsPromise).toBeGreaterThan(1_000)
  await expect(page.getByText('Link copied!')).toHaveCount(0)

  await test.step('the tags link to the artist and the category, and the date is in long form', async () => {
    await expect(mainRegion(page)).toContainText('January 5, 2020')
    await mainRegion(page).getByRole('link', { name: 'Electronic' }).first().click()
    await expect(page).toHaveURL(/electronic/)
    await page.goBack()
    await mainRegion(page).getByRole('link', { name: 'Björk Ångström' }).first().click()
    await expect(page).toHaveURL(/\/search\?q=[^&]+&type=artist$/)
    await expect(mainRegion(page).getByRole('link', { name: 'Ærlig Łódź' }).first()).toBeVisible()
    await page.goBack()
  })

  await test.step('Explore more shows links to playlists', async () => {
    await expect(mainRegion(page).getByRole('heading', { name: 'Explore more' })).toBeVisible()
    await expect(locatePlaylistLinks(page)).not.toHaveCount(0)
    // Opens the link by keyboard, because a growing page could move it before a click.
    await locatePlaylistLinks(page).last().press('Enter')
    await expect(page).toHaveURL(/\/playlist\?p=/)
  })
})

test('song page: a report needs a reason of 3 characters; a valid report is sent', async ({ page, testCatalogueSite, platform }) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accentedNext)
  await mainRegion(page)
    .getByRole('button', { name: /report/i })
    .click()
  const dialog = page.getByRole('dialog')
  const reasonField = dialog.getByRole('textbox')
  const sendButton = dialog.getByRole('button', { name: /report|send/i }).last()
  await sendButton.click()
  await expect(page.getByText('Please enter a valid reason.').first()).toBeVisible()
  await reasonField.fill('no')
  await sendButton.click()
  await expect(page.getByText('Please enter a valid reason.').first()).toBeVisible()
  await reasonField.fill('The wrong song is under this title')
  await sendButton.click()
  await expect(page.getByText('Song reported successfully!').first()).toBeVisible()
  await expect(dialog).toBeHidden()
  const contactList = await testCatalogueSite.runAdmin('contact', 'list', '--json')
  expect(contactList).toContain('song-report')
  expect(contactList).toContain(catalogueIds.accentedNext)
  expect(contactList).toContain('The wrong song is under this title')
})

test('hostile titles, names and descriptions are shown as text, and only real URLs become links', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.goto(testCatalogueSite.origin())
  await expect(mainRegion(page)).toContainText(HOSTILE_TITLE)
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.hostilePlaylist}`)
  await expect(pageHeading(page)).toHaveText(HOSTILE_TITLE)
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.hostile, catalogueIds.hostilePlaylist)
  await expect(pageHeading(page)).toHaveText(HOSTILE_TITLE)
  for (const line of HOSTILE_DESCRIPTION.split('\n')) await expect(mainRegion(page)).toContainText(line)
  await expect(mainRegion(page).getByRole('link', { name: 'https://example.com/listen?a=1&b=2' })).toHaveAttribute(
    'href',
    'https://example.com/listen?a=1&b=2',
  )
  await expect(mainRegion(page).locator('a[href^="javascript:"], a[href^="data:"]')).toHaveCount(0)
  await expect(page).not.toHaveTitle('owned')
})

test('a song that does not exist shows the not-found view with links', async ({ page, site, faults, platform }) => {
  faults.expect(/status of 404/)
  const response = await page.goto(`${site.origin()}/song?s=AAAAAAAAAAA`)
  expect(response?.status()).toBe(404)
  await expect(mainRegion(page)).toContainText(/not found/i)
  await expect(mainRegion(page).getByRole('link').first()).toBeVisible()
  expect(platform.requests).toEqual([])
})
