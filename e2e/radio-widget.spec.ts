import type { Page } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { expectPlaying, fetchApi, locatePlayerButton, mainNavigation, mainRegion, waitForHydration } from './steps.ts'

const locateRadioButton = (page: Page, name: 'Play the radio' | 'Pause the radio') => mainRegion(page).getByRole('button', { name })
const locateHomeLink = (page: Page) => mainNavigation(page).getByRole('link', { name: 'Nightcore Meridian', exact: false }).first()

async function scrollToRadio(page: Page) {
  await mainRegion(page).getByRole('heading', { name: 'Radio', exact: true }).scrollIntoViewIfNeeded()
}

/** Opens the home page and scrolls to the radio widget, which shows its Play button. */
async function openRadio(page: Page, siteOrigin: string) {
  await page.goto(`${siteOrigin}/`)
  await waitForHydration(page)
  await scrollToRadio(page)
  await expect(locateRadioButton(page, 'Play the radio')).toBeVisible()
}

test('radio widget: the song on air is shown; when a person presses play, a visible video plays it from the current second', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  await openRadio(page, testCatalogueSite.origin())
  const radio = await fetchApi(testCatalogueSite, 'GET /radio/get')
  await expect(mainRegion(page).getByRole('heading', { level: 3, name: radio.title })).toBeVisible()
  expect(platform.requests, 'requests to the video platform before play').toEqual([])
  await locateRadioButton(page, 'Play the radio').click()
  await expect(locateRadioButton(page, 'Pause the radio')).toBeVisible()
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(1)
  expect((await platform.readState(page))?.videoId).toBe(radio.youtube_id)
  const frameBox = await (await platform.findFrame(page).frameElement()).boundingBox()
  expect(Math.min(frameBox?.width ?? 0, frameBox?.height ?? 0)).toBeGreaterThanOrEqual(200)
  await page.setViewportSize({ width: 320, height: 700 })
  const narrowBox = await (await platform.findFrame(page).frameElement()).boundingBox()
  expect(Math.min(narrowBox?.width ?? 0, narrowBox?.height ?? 0)).toBeGreaterThanOrEqual(200)
})

test('radio widget: the radio keeps playing in the dock on other pages; it ends when Stop is pressed, when a song starts, or when it is paused before its page is left', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform }) => {
  await page.route('https://discord.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  const radioRegion = page.getByRole('region', { name: 'Radio', exact: true })
  const openPlaylists = async () => {
    await mainRegion(page).locator('a[href="/playlists"]').first().click()
    await expect(page).toHaveURL(/\/playlists$/)
  }
  await openRadio(page, testCatalogueSite.origin())
  const { youtube_id, title } = await fetchApi(testCatalogueSite, 'GET /radio/get')
  await locateRadioButton(page, 'Play the radio').click()
  await expect.poll(() => platform.readPlayingIds(page)).toEqual([youtube_id])
  await expect(radioRegion).toHaveCount(0)
  await openPlaylists()
  await expect(radioRegion).toContainText('On air')
  await expect(radioRegion).toContainText(title)
  await expect.poll(() => platform.readPlayingIds(page)).toEqual([youtube_id])
  const frameBox = await (await platform.findFrame(page).frameElement()).boundingBox()
  expect(Math.min(frameBox?.width ?? 0, frameBox?.height ?? 0)).toBeGreaterThanOrEqual(200)

  await test.step('the link leads back to the radio, which has played on in the same frame', async () => {
    await radioRegion.getByRole('link', { name: 'Back to the radio' }).click()
    await expect(locateRadioButton(page, 'Pause the radio')).toBeInViewport()
    await expect(radioRegion).toHaveCount(0)
    expect(platform.frameLoadCount).toBe(1)
  })
  await test.step('Stop ends the radio', async () => {
    await openPlaylists()
    await radioRegion.getByRole('button', { name: 'Stop the radio' }).click()
    await expect(radioRegion).toHaveCount(0)
    await expect.poll(() => platform.readState(page)).toBeUndefined()
  })
  await test.step('a radio that is paused when its page is left ends', async () => {
    await locateHomeLink(page).click()
    await scrollToRadio(page)
    await locateRadioButton(page, 'Play the radio').click()
    await locateRadioButton(page, 'Pause the radio').click()
    await expect(locateRadioButton(page, 'Play the radio')).toBeVisible()
    await openPlaylists()
    await expect(radioRegion).toHaveCount(0)
    await expect.poll(() => platform.readState(page)).toBeUndefined()
  })
  await test.step('a song that is opened replaces the radio in the dock', async () => {
    await locateHomeLink(page).click()
    await scrollToRadio(page)
    await locateRadioButton(page, 'Play the radio').click()
    await openPlaylists()
    await expect(radioRegion).toContainText('On air')
    await mainRegion(page).locator(`a[href^="/playlist?p=${catalogueIds.accentPlaylist}"]`).first().click()
    await mainRegion(page).locator(`a[href^="/song?s=${catalogueIds.accented}"]`).first().click()
    await expectPlaying(page, platform, catalogueIds.accented)
    await expect(radioRegion).toHaveCount(0)
  })
})

test('radio widget: starting the radio pauses the player, and starting the player pauses the radio, in one tab and in two', {
  tag: '@long',
}, async ({ page, context, testCatalogueSite, platform }) => {
  const origin = testCatalogueSite.origin()
  await page.goto(`${origin}/song?s=${catalogueIds.accented}&p=${catalogueIds.accentPlaylist}`)
  await waitForHydration(page)
  await expectPlaying(page, platform, catalogueIds.accented)
  await locateHomeLink(page).click()
  await expect(page).toHaveURL(`${origin}/`)
  await scrollToRadio(page)
  await locateRadioButton(page, 'Play the radio').click()
  await expect(locateRadioButton(page, 'Pause the radio')).toBeVisible()
  await expect(locatePlayerButton(page, 'Play')).toBeVisible()
  const { youtube_id } = await fetchApi(testCatalogueSite, 'GET /radio/get')
  await expect.poll(() => platform.readPlayingIds(page)).toEqual([youtube_id])
  await locatePlayerButton(page, 'Play').click()
  await expect(locateRadioButton(page, 'Play the radio')).toBeVisible()
  await expect(locatePlayerButton(page, 'Pause')).toBeVisible()

  const otherTab = await context.newPage()
  await openRadio(otherTab, origin)
  await locateRadioButton(otherTab, 'Play the radio').click()
  await expect(locatePlayerButton(page, 'Play')).toBeVisible()
  await expect(locateRadioButton(otherTab, 'Pause the radio')).toBeVisible()
  await locateRadioButton(page, 'Play the radio').click()
  await expect(locateRadioButton(otherTab, 'Play the radio')).toBeVisible()
  await expect(locateRadioButton(page, 'Pause the radio')).toBeVisible()
})

test('radio widget: starting the radio pauses the intro video, and starting the intro video pauses the radio', { tag: '@long' }, async ({
  page,
  site,
  platform,
}) => {
  await page.route('https://discord.com/**', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  const introId = (await fetchApi(site, 'GET /site')).settings.INTRO_VIDEO
  await openRadio(page, site.origin())
  await locateRadioButton(page, 'Play the radio').click()
  await expect(locateRadioButton(page, 'Pause the radio')).toBeVisible()
  await mainRegion(page).getByRole('button', { name: /intro/i }).click()
  await expect(locateRadioButton(page, 'Play the radio')).toBeVisible()
  await expect.poll(() => platform.readPlayingIds(page)).toEqual([introId])
  await locateRadioButton(page, 'Play the radio').click()
  await expect.poll(() => platform.readPlayingIds(page)).toEqual([(await fetchApi(site, 'GET /radio/get')).youtube_id])
})

test('radio widget: without songs or without a connection the widget says so', { tag: '@long' }, async ({ page, site, faults }) => {
  // The API is unreachable in one page, and has no songs in the other.
  faults.expect(/Failed to load resource/)
  await page.route('**/api/radio/get*', (route) => route.abort('internetdisconnected'))
  await page.goto(`${site.origin()}/`)
  await waitForHydration(page)
  await scrollToRadio(page)
  await expect(mainRegion(page).getByText('No connection at the moment. The radio comes back by itself.')).toBeVisible()
  await page.route('**/api/radio/get*', (route) =>
    route.fulfill({ status: 404, json: { code: 404, message: 'The radio has no songs yet.', data: null } }),
  )
  await expect(mainRegion(page).getByText('The radio has no songs yet.')).toBeVisible({ timeout: 60_000 })
})
