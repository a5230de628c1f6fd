import { ids } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, heading, main, nav, openSong, player, playerButton, songLinks } from './steps.ts'

test('the song plays on in the dock while a person browses: same frame, never reloaded, never smaller than 200 by 200', async ({
  page,
  ownSite,
  platform,
}) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  const frame = platform.frame(page)
  const element = await frame.frameElement()
  await expect.poll(async () => (await platform.playing(page))?.time ?? 0).toBeGreaterThan(0.5)

  await nav(page).getByRole('button', { name: 'Explore' }).click()
  await nav(page).getByRole('link', { name: 'Playlists' }).click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(player(page)).toContainText('Señorita Über Café')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 820, height: 1100 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size)
    await expect
      .poll(async () => {
        const box = await element.boundingBox()
        return (
          box !== null &&
          box.width >= 200 &&
          box.height >= 200 &&
          box.x >= 0 &&
          box.x + box.width <= size.width &&
          box.y + box.height <= size.height
        )
      }, `the frame is whole and large enough at ${size.width} px`)
      .toBe(true)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await main(page).getByRole('link', { name: 'Årets Låtar' }).first().click()
  await expect(heading(page)).toHaveText('Årets Låtar')
  await page.goBack()
  await page.goForward()

  expect(await element.evaluate((each) => each.isConnected)).toBe(true)
  expect(frame.isDetached()).toBe(false)
  expect(platform.frameLoads).toBe(1)
  await expectPlaying(page, platform, ids.accented)
  await playerButton(page, 'Next').click()
  await expectPlaying(page, platform, ids.accentedNext)
  expect(platform.frame(page)).toBe(frame)
  await playerButton(page, 'Pause').click()
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(2)
})

test('without a connection a press on play says what is wrong, and the song goes on once it is back', async ({
  page,
  ownSite,
  platform,
  context,
  faults,
}) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  platform.unreachable(true)
  await page.goto(`${ownSite.origin()}/song?s=${ids.accented}&p=${ids.accentPlaylist}`)
  await expect(player(page)).toContainText('The video could not be loaded.')
  await context.setOffline(true)
  await expect(player(page)).toContainText('This song needs a connection to play.')
  await playerButton(page, 'Play').click()
  await expect(playerButton(page, 'Play')).toBeVisible()
  await expect(player(page)).toContainText('This song needs a connection to play.')

  platform.unreachable(false)
  await context.setOffline(false)
  await expectPlaying(page, platform, ids.accented)
  await expect(player(page)).not.toContainText('needs a connection')
})

test('a video that cannot play says so, is skipped after 3 s and is reported', async ({ page, ownSite, platform }) => {
  const reports: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/song/unplayable')) reports.push(request.postData() ?? '')
  })
  await platform.fail(ids.accentedNext, 150)
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await playerButton(page, 'Next').click()
  await expect(page.getByText(/can(no|')t (be )?play|unavailable|not playable/i).first()).toBeVisible()
  const said = Date.now()
  await expectPlaying(page, platform, 'acc_ent0003')
  expect(Date.now() - said).toBeGreaterThan(1800)
  await expect.poll(() => reports.length).toBe(1)
  expect(reports[0]).toContain(ids.accentedNext)
})

test('the platform refuses a page without a referrer: the site sends one', async ({ page, ownSite, platform }) => {
  const answer = await page.goto(ownSite.origin())
  expect(answer?.headers()['referrer-policy']).toBe('strict-origin-when-cross-origin')
  await openSong(page, platform, ownSite.origin(), ids.accented)
})

test('at most five dead videos in a row are skipped', async ({ page, ownSite, platform }) => {
  test.setTimeout(60_000)
  const longIds = Array.from({ length: 9 }, (_, index) => `long_${String(index).padStart(6, '0')}`)
  await platform.set({ failing: Object.fromEntries(longIds.slice(1).map((id) => [id, 150])) })
  await openSong(page, platform, ownSite.origin(), ids.firstLong, ids.longPlaylist)
  await playerButton(page, 'Next').click()
  await expect.poll(async () => (await platform.playing(page))?.videoId, { timeout: 30_000 }).toBe(longIds[6])
  await page.waitForTimeout(4500)
  expect((await platform.playing(page))?.videoId).toBe(longIds[6])
})

test('a browser that refuses to start by itself leaves a Play button that works', async ({ page, ownSite, platform }) => {
  await platform.set({ autoplayBlocked: true })
  await page.goto(`${ownSite.origin()}/song?s=${ids.accented}&p=${ids.accentPlaylist}`)
  await expect(playerButton(page, 'Play')).toBeVisible()
  await platform.set({ autoplayBlocked: false })
  await playerButton(page, 'Play').click()
  await expectPlaying(page, platform, ids.accented)
})

test('when the video platform cannot be reached the page says so and Retry works', async ({ page, ownSite, platform, faults }) => {
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  platform.unreachable(true)
  await page.goto(`${ownSite.origin()}/song?s=${ids.accented}&p=${ids.accentPlaylist}`)
  await expect(heading(page)).toContainText('Señorita Über Café')
  const play = playerButton(page, 'Play')
  const retry = page.getByRole('button', { name: 'Retry' })
  await expect(play.or(retry).first()).toBeVisible()
  if (!(await retry.first().isVisible())) await play.click()
  await expect(retry.first()).toBeVisible({ timeout: 20_000 })
  platform.unreachable(false)
  await retry.first().click()
  await expectPlaying(page, platform, ids.accented)
})

test('the sleep timer stops at the end of the song', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await main(page)
    .getByRole('button', { name: /sleep timer/i })
    .click()
  await page
    .getByText(/end of (this )?song/i)
    .first()
    .click()
  await platform.finish(page)
  await expect(playerButton(page, 'Play')).toBeVisible()
  await page.waitForTimeout(800)
  const playing = await platform.playing(page)
  expect(playing?.videoId).toBe(ids.accented)
  expect(playing?.state).not.toBe(1)
})

test('the sleep timer stops after its minutes', async ({ page, ownSite, platform }) => {
  await page.clock.install()
  await openSong(page, platform, ownSite.origin(), ids.firstLong, ids.longPlaylist)
  await platform.set({ duration: 100_000 })
  await main(page)
    .getByRole('button', { name: /sleep timer/i })
    .click()
  await page
    .getByText(/^15 min/i)
    .first()
    .click()
  await page.clock.fastForward('14:00')
  await expectPlaying(page, platform, ids.firstLong)
  await page.clock.fastForward('01:30')
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(2)
})

test('shortcuts: listed on ?, space pauses, off in text fields, and can be switched off', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await main(page).click({ position: { x: 2, y: 2 } })
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: /shortcuts/i })
  await expect(list).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()

  await page.keyboard.press('k')
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(2)
  await page.keyboard.press('k')
  await expectPlaying(page, platform, ids.accented)
  await page.keyboard.press('n')
  await expectPlaying(page, platform, ids.accentedNext)

  await nav(page).getByRole('button', { name: 'Search' }).click()
  await page.getByRole('searchbox').fill('')
  await page.keyboard.type('kk? N')
  await expect(page.getByRole('searchbox')).toHaveValue('kk? N')
  await expectPlaying(page, platform, ids.accentedNext)
  await expect(list).toBeHidden()
  await page.keyboard.press('Escape')

  await main(page).click({ position: { x: 2, y: 2 } })
  await page.keyboard.press('?')
  await list.getByRole('switch').or(list.getByRole('checkbox')).first().click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('k')
  await page.waitForTimeout(300)
  await expectPlaying(page, platform, ids.accentedNext)
})

test('a reload restores the queue and the position, without a sound until a person presses Play', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await platform.set({ speed: 30 })
  await expect.poll(async () => (await platform.playing(page))?.time ?? 0).toBeGreaterThan(60)
  await platform.set({ speed: 1 })
  await page.goto(`${ownSite.origin()}/playlists`)
  await expect(player(page)).toContainText('Señorita Über Café')
  const before = platform.requests.length
  await page.waitForTimeout(500)
  expect(platform.requests.length, 'nothing is asked of the platform by a restored queue').toBe(before)
  await playerButton(page, 'Play').click()
  await expectPlaying(page, platform, ids.accented)
  expect((await platform.playing(page))?.time ?? 0).toBeGreaterThan(50)
  await platform.finish(page)
  await expectPlaying(page, platform, ids.accentedNext)
})

test('play next puts a song right after this one; the queue can be cleared', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await page.goto(`${ownSite.origin()}/search?q=long+road+09999`)
  await expect(songLinks(page).first()).toBeVisible()
  await main(page).getByRole('button', { name: /more/i }).first().click()
  await page
    .getByRole('menuitem', { name: 'Play next' })
    .or(page.getByRole('button', { name: 'Play next' }))
    .first()
    .click()
  await playerButton(page, 'Play').click()
  await expectPlaying(page, platform, ids.accented)
  await playerButton(page, 'Next').click()
  await expectPlaying(page, platform, 'long_009998')
  await playerButton(page, 'Queue').click()
  await page.getByRole('button', { name: 'Clear' }).first().click()
  await platform.finish(page)
  await page.waitForTimeout(700)
  expect((await platform.playing(page))?.videoId).toBe('long_009998')
})

test('the media session names the song and has its actions', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Señorita Über Café')
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.artist)).toBe('Björk Ångström')
  await expect.poll(() => page.evaluate(() => navigator.mediaSession.playbackState)).toBe('playing')
})

test('the position can be set on the scale', async ({ page, ownSite, platform }) => {
  await openSong(page, platform, ownSite.origin(), ids.accented, ids.accentPlaylist)
  const scale = player(page).getByRole('slider', { name: /position|seek/i })
  await scale.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('PageDown')
  await expect.poll(async () => (await platform.playing(page))?.time ?? 0).toBeGreaterThan(100)
})
