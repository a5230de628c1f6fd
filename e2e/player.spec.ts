import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import {
  expectPlaying,
  locatePlayerButton,
  locateSearchBox,
  locateSongLinks,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
} from './steps.ts'

test('player: navigation does not interrupt the song, and its single frame is at least 200 by 200 pixels; without a connection, a message says that a paused song needs a connection', async ({
  page,
  testCatalogueSite,
  platform,
  context,
  faults,
}) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  const response = await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  // The video platform refuses requests without a referrer.
  expect(response?.headers()['referrer-policy']).toBe('strict-origin-when-cross-origin')
  await expectPlaying(page, platform, catalogueIds.accented)
  const frame = platform.findFrame(page)
  const element = await frame.frameElement()
  await expect.poll(async () => (await platform.readState(page))?.time ?? 0).toBeGreaterThan(0.5)

  await test.step('a phone in landscape orientation shows the transport without scrolling', async () => {
    await page.setViewportSize({ width: 844, height: 390 })
    await expect(locatePlayerButton(page, 'Pause')).toBeInViewport({ ratio: 1 })
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  await mainNavigation(page).getByRole('button', { name: 'Explore' }).click()
  await mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true }).click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(playerRegion(page)).toContainText('Señorita Über Café')
  for (const viewportSize of [
    { width: 1440, height: 900 },
    { width: 820, height: 1100 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(viewportSize)
    await expect
      .poll(async () => {
        const elementBox = await element.boundingBox()
        return (
          elementBox !== null &&
          elementBox.width >= 200 &&
          elementBox.height >= 200 &&
          elementBox.x >= 0 &&
          elementBox.x + elementBox.width <= viewportSize.width &&
          elementBox.y + elementBox.height <= viewportSize.height
        )
      }, `the frame is whole and large enough at ${viewportSize.width} px`)
      .toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await mainRegion(page).getByRole('link', { name: 'Årets Låtar' }).first().click()
  await expect(pageHeading(page)).toHaveText('Årets Låtar')
  await page.goBack()
  await page.goForward()

  expect(await element.evaluate((each) => each.isConnected)).toBe(true)
  expect(frame.isDetached()).toBe(false)
  expect(platform.frameLoadCount).toBe(1)
  await expectPlaying(page, platform, catalogueIds.accented)
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, catalogueIds.accentedNext)
  expect(platform.findFrame(page)).toBe(frame)
  await locatePlayerButton(page, 'Pause').click()
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)

  await playerRegion(page).getByRole('link', { name: 'Ærlig Łódź' }).click()
  await expect(pageHeading(page)).toHaveText('Ærlig Łódź')
  // This browser has no service worker, so the page must have loaded the code of the message before the connection is lost.
  await context.setOffline(true)
  await expect(playerRegion(page)).toContainText('This song needs a connection to play.')
})

test('player: Play offline shows a message, and the song starts after reconnecting', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform,
  context,
  faults,
}) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  platform.setUnreachable(true)
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await expect(playerRegion(page)).toContainText('The video could not be loaded.')
  await context.setOffline(true)
  await expect(playerRegion(page)).toContainText('This song needs a connection to play.')
  await locatePlayerButton(page, 'Play').click()
  await expect(locatePlayerButton(page, 'Play')).toBeVisible()
  await expect(playerRegion(page)).toContainText('This song needs a connection to play.')

  platform.setUnreachable(false)
  await context.setOffline(false)
  await expectPlaying(page, platform, catalogueIds.accented)
  await expect(playerRegion(page)).not.toContainText('needs a connection')
})

test('player: a video that cannot play shows a message, is skipped and is reported', async ({ page, testCatalogueSite, platform }) => {
  const reportBodies: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/song/unplayable')) reportBodies.push(request.postData() ?? '')
  })
  await platform.failVideo(catalogueIds.accentedNext, 150)
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  await locatePlayerButton(page, 'Next').click()
  await expect(page.getByText(/can(no|')t (be )?play|unavailable|not playable/i).first()).toBeVisible()
  await expectPlaying(page, platform, 'acc_ent0003')
  await expect.poll(() => reportBodies.length).toBe(1)
  expect(reportBodies[0]).toContain(catalogueIds.accentedNext)
})

test('player: at most five unplayable videos in a row are skipped', { tag: '@long' }, async ({ page, testCatalogueSite, platform }) => {
  await page.clock.install()
  const longIds = Array.from({ length: 9 }, (_, index) => `long_${String(index).padStart(6, '0')}`)
  await platform.changeSettings({ errorCodes: Object.fromEntries(longIds.slice(1).map((id) => [id, 150])) })
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.firstLong, catalogueIds.longPlaylist)
  await locatePlayerButton(page, 'Next').click()
  const readLoadedVideoId = async () => (await platform.readState(page))?.videoId
  for (const [index, songId] of longIds.slice(1, 7).entries()) {
    await expect.poll(readLoadedVideoId).toBe(songId)
    // Waits until the address and the page follow the song. Otherwise the fast clock would first skip to the next song, and the late
    // navigation would open this one again.
    await expect(page).toHaveURL(new RegExp(`[?&]s=${songId}`))
    await expect(pageHeading(page)).toHaveText(`Long road ${String(index + 2).padStart(5, '0')}`)
    // The heading is that of the queue; the page opens its song once its data have arrived, with which its actions are shown.
    await expect(mainRegion(page).getByRole('button', { name: 'Report', exact: true })).toBeVisible()
    await expect(page.getByText(/can(no|')t (be )?play|unavailable|not playable/i).first()).toBeVisible()
    await page.clock.fastForward(3_500)
  }
  await page.clock.fastForward(10_000)
  expect(await readLoadedVideoId()).toBe(longIds[6])
})

test('player: if autoplay is refused, a Play button is left, and works', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await platform.changeSettings({ autoplayBlocked: true })
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await expect(locatePlayerButton(page, 'Play')).toBeVisible()
  await platform.changeSettings({ autoplayBlocked: false })
  await locatePlayerButton(page, 'Play').click()
  await expectPlaying(page, platform, catalogueIds.accented)
})

test('player: if YouTube is unreachable, a message is shown and Retry works', async ({ page, testCatalogueSite, platform, faults }) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  platform.setUnreachable(true)
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await expect(pageHeading(page)).toContainText('Señorita Über Café')
  const playButton = locatePlayerButton(page, 'Play')
  const retryButton = page.getByRole('button', { name: 'Retry' })
  await expect(playButton.or(retryButton).first()).toBeVisible()
  if (!(await retryButton.first().isVisible())) await playButton.click()
  await expect(retryButton.first()).toBeVisible()
  platform.setUnreachable(false)
  await retryButton.first().click()
  await expectPlaying(page, platform, catalogueIds.accented)
})

test('the sleep timer stops playback after the chosen minutes, or at the end of the song', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await page.clock.install()
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.firstLong, catalogueIds.longPlaylist)
  await mainRegion(page)
    .getByRole('button', { name: /sleep timer/i })
    .click()
  await page
    .getByText(/^15 min/i)
    .first()
    .click()
  await expect(mainRegion(page).getByRole('button', { name: 'Sleep timer: 15 min left' })).toBeVisible()
  await page.clock.fastForward('14:00')
  await expect(mainRegion(page).getByText('1 min left')).toBeVisible()
  await expectPlaying(page, platform, catalogueIds.firstLong)
  await page.clock.fastForward('01:30')
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)

  await test.step('the sleep timer stops playback at the end of the song', async () => {
    await locatePlayerButton(page, 'Play').click()
    await expectPlaying(page, platform, catalogueIds.firstLong)
    await mainRegion(page)
      .getByRole('button', { name: /sleep timer/i })
      .click()
    await page
      .getByText(/end of (this )?song/i)
      .first()
      .click()
    await platform.finishVideo(page)
    await expect(locatePlayerButton(page, 'Play')).toBeVisible()
    await page.waitForTimeout(800)
    const playerState = await platform.readState(page)
    expect(playerState?.videoId).toBe(catalogueIds.firstLong)
    expect(playerState?.state).not.toBe(1)
  })
})

test('while a song plays, the media session has its data, keyboard shortcuts work, and its position can be set', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  await test.step('the media session has the metadata of the song', async () => {
    await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Señorita Über Café')
    expect(await page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe('Björk Ångström')
    await expect.poll(() => page.evaluate(() => navigator.mediaSession.playbackState)).toBe('playing')
  })
  await test.step('keyboard shortcuts: `?` lists them, Space pauses, text fields ignore them, and a person can switch them off', async () => {
    await mainRegion(page).click({ position: { x: 2, y: 2 } })
    await page.keyboard.press('?')
    const shortcutsDialog = page.getByRole('dialog', { name: /shortcuts/i })
    await expect(shortcutsDialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(shortcutsDialog).toBeHidden()

    await page.keyboard.press('k')
    await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)
    await page.keyboard.press('k')
    await expectPlaying(page, platform, catalogueIds.accented)
    await page.keyboard.press('n')
    await expectPlaying(page, platform, catalogueIds.accentedNext)
    const volumeSlider = playerRegion(page).getByRole('slider', { name: 'Volume' })
    await page.keyboard.press('Shift+ArrowDown')
    await expect(volumeSlider).toHaveValue('95')
    await page.keyboard.press('Shift+ArrowUp')
    await expect(volumeSlider).toHaveValue('100')
    await page.keyboard.press('f')
    await expect(page.getByRole('dialog', { name: 'Login required' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expect(shortcutsDialog.getByText('Louder')).toBeVisible()
    await page.keyboard.press('Escape')

    await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
    await locateSearchBox(page).fill('')
    await page.keyboard.type('kk? N')
    await expect(locateSearchBox(page)).toHaveValue('kk? N')
    await expectPlaying(page, platform, catalogueIds.accentedNext)
    await expect(shortcutsDialog).toBeHidden()
    await page.keyboard.press('Escape')

    await mainRegion(page).click({ position: { x: 2, y: 2 } })
    await page.keyboard.press('?')
    await shortcutsDialog.getByRole('switch').or(shortcutsDialog.getByRole('checkbox')).first().click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('k')
    await page.waitForTimeout(300)
    await expectPlaying(page, platform, catalogueIds.accentedNext)
  })
  await test.step('the position can be set with the slider', async () => {
    // Pauses the song first: if it played, it could end between the two key presses, and the next song would begin.
    await locatePlayerButton(page, 'Pause').click()
    await expect.poll(async () => (await platform.readState(page))?.state).toBe(2)
    const positionSlider = playerRegion(page).getByRole('slider', { name: /position|seek/i })
    await positionSlider.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('PageDown')
    await expect.poll(async () => (await platform.readState(page))?.time ?? 0).toBeGreaterThan(100)
  })
})

test('player: a reload restores the queue and the position, paused until Play; Play next inserts a song; the queue can be cleared', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented, catalogueIds.accentPlaylist)
  await platform.seekInFrame(page, 61)
  await expect(playerRegion(page).getByRole('slider', { name: 'Position' })).toHaveAttribute('aria-valuetext', /^1:0/)
  await page.goto(`${testCatalogueSite.origin()}/search?q=long+road+09999`)
  await expect(playerRegion(page)).toContainText('Señorita Über Café')
  const requestCountBefore = platform.requests.length
  await page.waitForTimeout(500)
  expect(platform.requests.length, 'nothing is asked of the platform by a restored queue').toBe(requestCountBefore)
  await expect(locateSongLinks(page).first()).toBeVisible()
  await mainRegion(page).getByRole('button', { name: /more/i }).first().click()
  await page
    .getByRole('menuitem', { name: 'Play next' })
    .or(page.getByRole('button', { name: 'Play next' }))
    .first()
    .click()
  await locatePlayerButton(page, 'Play').click()
  await expectPlaying(page, platform, catalogueIds.accented)
  expect((await platform.readState(page))?.time ?? 0).toBeGreaterThan(50)
  await platform.finishVideo(page)
  await expectPlaying(page, platform, 'long_009998')
  await locatePlayerButton(page, 'Next').click()
  await expectPlaying(page, platform, catalogueIds.accentedNext)
  await locatePlayerButton(page, 'Queue').click()
  await page.getByRole('button', { name: 'Clear' }).first().click()
  await platform.finishVideo(page)
  await page.waitForTimeout(700)
  expect((await platform.readState(page))?.videoId).toBe(catalogueIds.accentedNext)
})
