import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, locatePlayerButton, locateSongLinks, mainRegion, pageHeading, playerRegion, waitForHydration } from './steps.ts'

test('the play buttons of cards and rows start music without leaving the page, by pointer and by keyboard', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await waitForHydration(page)
  const playlistLink = mainRegion(page).getByRole('link', { name: 'Årets Låtar' }).first()
  await test.step('a playlist is started by pointer', async () => {
    await playlistLink.hover()
    await mainRegion(page).getByRole('button', { name: 'Play: Årets Låtar' }).click()
    await expectPlaying(page, platform, catalogueIds.accented)
    await expect(page).toHaveURL(/\/playlists$/)
    await expect(playerRegion(page)).toContainText('Señorita Über Café')
    await expect(mainRegion(page).getByRole('button', { name: 'Pause: Årets Låtar' })).toBeVisible()
    await expectNoViolation(page, 'a play button on a card')
  })
  await test.step('a song is started by keyboard', async () => {
    await playlistLink.click()
    await expect(pageHeading(page)).toHaveText('Årets Låtar')
    await page.mouse.move(2, 300)
    const rows = mainRegion(page).getByRole('listitem')
    await rows.nth(1).getByRole('link').first().focus()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Tab')
    await expect(rows.nth(1).getByRole('button', { name: /^Play: / })).toBeVisible()
    await expectNoViolation(page, 'a play button in a row')
    await page.keyboard.press('Space')
    await expectPlaying(page, platform, catalogueIds.accentedNext)
    await expect(page).toHaveURL(/\/playlist\?/)
    await page.keyboard.press('Space')
    await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)
  })
})

test('song page: related songs are shown, from the device if the server cannot be reached; the player stays visible while the page is scrolled', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform, context, faults }) => {
  faults.expect(/ERR_FAILED/)
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  await waitForHydration(page)
  await locateSongLinks(page).first().click()
  await expectPlaying(page, platform, catalogueIds.accented)
  const relatedSongList = page.getByRole('list', { name: 'Related songs' })
  await page.getByRole('heading', { name: 'Explore more' }).scrollIntoViewIfNeeded()
  await expect(relatedSongList.getByRole('listitem')).not.toHaveCount(0)
  await expect(relatedSongList.getByRole('link', { name: 'Señorita Über Café' })).toHaveCount(0)

  const dockedPlayer = page.getByRole('region', { name: 'Docked player' })
  await test.step('the dock shows the video while the page is scrolled', async () => {
    await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
    await expect(dockedPlayer.getByRole('button', { name: 'Pause' })).toBeInViewport({ ratio: 1 })
    const frame = await platform.findFrame(page).frameElement()
    await expect.poll(async () => ((await frame.boundingBox())?.y ?? -1) >= 0, 'the video is in the viewport').toBe(true)
    await expectNoViolation(page, 'the docked player of the song page')
    await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    await expect(dockedPlayer).toBeHidden()
    await expect(locatePlayerButton(page, 'Pause')).toBeVisible()
  })
  expect(platform.frameLoadCount).toBe(1)

  await test.step('without the server, Next plays a related song from the device', async () => {
    await context.route('**/api/**', (route) => route.abort('failed'))
    await locatePlayerButton(page, 'Next').click()
    await expect(pageHeading(page)).not.toHaveText('Señorita Über Café')
    await page.getByRole('heading', { name: 'Explore more' }).scrollIntoViewIfNeeded()
    await expect(relatedSongList.getByRole('listitem')).not.toHaveCount(0)
  })
})
