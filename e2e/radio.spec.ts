import type { Route } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import {
  answerWithoutSongs,
  createRadioOrigin,
  expectSongOnAirShown,
  fetchSongOnAir,
  locateRadioButton,
  locateStationOption,
  RADIO_API_PATTERN,
} from './radio-steps.ts'
import { startSite } from './server.ts'
import { installVideoPlatform } from './stand-ins/video-platform.ts'
import { expectPlaying, fetchApi, followLink, mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

for (const brand of brands) {
  test(
    `radio, ${brand.name}: the page is silent until Play, then plays the song on air; stations, volume and shortcuts work by keyboard alone`,
    tagSecondBrand(brand),
    async ({ page, site, platform }) => {
      await page.goto(`${createRadioOrigin(site, brand)}/any/path`)
      await waitForHydration(page)
      await expectSongOnAirShown(page)
      expect(platform.requests, 'requests before Play').toEqual([])
      await expect(mainRegion(page).getByRole('slider')).toHaveCount(1)
      await expectNoViolation(page, 'the silent radio')

      const { youtube_id, author_name, history } = await fetchSongOnAir(page)
      await expect(mainRegion(page).getByRole('link', { name: author_name, exact: true })).toBeVisible()
      for (const name of ['Favorite', 'Add to playlist'])
        await expect(mainRegion(page).getByRole('link', { name })).toHaveAttribute(
          'href',
          `${site.origin(brand.subdomain)}/song?s=${youtube_id}`,
        )
      await expect(page.getByRole('region', { name: 'Played before' }).getByRole('listitem')).toHaveCount(history.length)

      await page.keyboard.press('Space')
      await expectPlaying(page, platform, (await fetchSongOnAir(page)).youtube_id)
      await expect(locateRadioButton(page, 'Pause')).toBeVisible()
      const frameBox = await page.locator('iframe').boundingBox()
      expect(Math.min(frameBox?.width ?? 0, frameBox?.height ?? 0)).toBeGreaterThanOrEqual(200)
      await expectNoViolation(page, 'the playing radio')

      await page.keyboard.press('m')
      await expect(locateRadioButton(page, 'Unmute')).toBeVisible()
      await page.keyboard.press('?')
      const shortcutsDialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
      await expect(shortcutsDialog).toContainText('Other station')
      await expectNoViolation(page, 'the shortcuts of the radio')
      await page.keyboard.press('Escape')
      await expect(shortcutsDialog).toBeHidden()

      await locateStationOption(page, /^(Nightcore|Slowed)/).focus()
      await page.keyboard.press('ArrowRight')
      await expect(locateStationOption(page, /^Newcomers/)).toBeChecked()
      await expect(page).toHaveURL(/\?station=newcomers$/)
      await page.reload()
      await waitForHydration(page)
      await expect(locateStationOption(page, /^Newcomers/)).toBeChecked()
      await expect(locateRadioButton(page, 'Unmute'), 'the volume is remembered').toBeVisible()
    },
  )

  test(
    `radio, ${brand.name}: nothing moves while the radio starts, and the page fits the window in all tested widths and text sizes`,
    tagSecondBrand(brand),
    async ({ page, site, platform }) => {
      await page.addInitScript(() => {
        const shiftMarks = { shift: 0 }
        Object.assign(window, { marks: shiftMarks })
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) shiftMarks.shift += Number(Reflect.get(entry, 'value'))
        }).observe({ type: 'layout-shift', buffered: true })
      })
      const response = await page.goto(createRadioOrigin(site, brand))
      const pageHtml = (await response?.text()) ?? ''
      expect(pageHtml).toMatch(/<link rel="preload" href="[^"]+\.woff2" as="font"/)
      await waitForHydration(page)
      const { title, next } = await fetchSongOnAir(page)
      const rootMarkup = pageHtml.slice(pageHtml.indexOf('id="root"'), pageHtml.indexOf('<noscript>'))
      for (const text of [title, next.title, 'Newcomers']) expect.soft(rootMarkup).toContain(text.replaceAll('&', '&amp;'))
      await expectSongOnAirShown(page)
      expect(await page.evaluate(() => Number(Reflect.get(Reflect.get(window, 'marks'), 'shift')))).toBeLessThan(0.001)
      await locateRadioButton(page, 'Play').click()
      await expect.poll(() => platform.frameLoadCount).toBe(1)
      for (const { width, height, scale } of [
        { width: 320, height: 640, scale: 1 },
        { width: 390, height: 844, scale: 2 },
        { width: 844, height: 390, scale: 1 },
        { width: 1280, height: 800, scale: 2 },
      ]) {
        await page.setViewportSize({ width, height })
        await page.evaluate((textScale) => document.documentElement.style.setProperty('font-size', `${textScale * 100}%`), scale)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width} px, text × ${scale}`).toBe(0)
        const frame = await page.locator('iframe').boundingBox()
        expect(Math.min(frame?.width ?? 0, frame?.height ?? 0), `the video at ${width} px`).toBeGreaterThanOrEqual(200)
      }
    },
  )
}

const [firstBrand, secondBrand] = brands

test('radio: a title that wraps differently when its font arrives moves nothing below it', { tag: '@long' }, async ({
  page,
  context,
  site,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  const radio = await fetchApi(site, 'GET /radio/get')
  await serveAppShell(context)
  await context.route(RADIO_API_PATTERN, (route) =>
    route.fulfill({ json: { code: 200, message: '', data: { ...radio, title: 'Holding On' } } }),
  )
  let releaseFonts = () => {}
  const fontsReleasedPromise = new Promise<void>((resolve) => {
    releaseFonts = resolve
  })
  await context.route('**/*.woff2', async (route) => {
    await fontsReleasedPromise
    await route.continue()
  })
  await page.goto(createRadioOrigin(site, secondBrand), { waitUntil: 'commit' })
  await expect(pageHeading(page)).toHaveText('Holding On')
  const readButtonTops = () =>
    Promise.all(
      [locateRadioButton(page, 'Play'), locateStationOption(page, /^Newcomers/)].map(async (each) =>
        Math.round((await each.boundingBox())?.y ?? 0),
      ),
    )
  const placesBefore = await readButtonTops()
  releaseFonts()
  await page.evaluate(() => document.fonts.ready)
  expect(await readButtonTops()).toEqual(placesBefore)
})

test('radio: while the response for another station is awaited, nothing moves and the focus stays', async ({ page, context, site }) => {
  // The route is set before the page loads, because Chromium sends requests past a route that has just been set.
  let isResponseHeld = false
  const heldRoutes: Route[] = []
  await context.route(RADIO_API_PATTERN, (route) => (isResponseHeld ? void heldRoutes.push(route) : route.continue()))
  await page.goto(createRadioOrigin(site, firstBrand))
  await waitForHydration(page)
  await expectSongOnAirShown(page)
  await locateRadioButton(page, 'Play').focus()
  isResponseHeld = true
  await page.keyboard.press('s')
  await expect(locateStationOption(page, /^Newcomers/)).toBeChecked()
  await expect(locateRadioButton(page, 'Play')).toBeFocused()
  await expect.poll(() => heldRoutes.length).toBeGreaterThan(0)
  await expect(page.getByText('No songs yet')).toBeHidden()
  isResponseHeld = false
  await Promise.all(heldRoutes.map((route) => route.continue()))
  await expect(page.getByText('No songs yet')).toBeVisible()
  await expect(locateRadioButton(page, 'Play')).toBeFocused()
})

test('radio: on the smallest phones the names of the stations are not broken into lines', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.goto(createRadioOrigin(site, secondBrand))
  await page.evaluate(() => document.fonts.ready)
  const stationName = page.getByRole('group', { name: 'Stations' }).getByText('Newcomers', { exact: true })
  const lineCount = await stationName.evaluate((element) => {
    const text = document.createRange()
    text.selectNodeContents(element)
    return text.getClientRects().length
  })
  expect(lineCount).toBe(1)
})

test('radio: for a video that cannot play, an unreachable video platform and a browser that blocks sound, the page says what to do', {
  tag: '@long',
}, async ({ page, site, platform, faults }) => {
  faults.expect(/iframe_api|ERR_INTERNET_DISCONNECTED/)
  platform.setUnreachable(true)
  await page.goto(createRadioOrigin(site, firstBrand))
  await waitForHydration(page)
  await locateRadioButton(page, 'Play').click()
  await expect(page.getByText('The video platform is out of reach.')).toBeVisible()
  await expectNoViolation(page, 'the radio without the video platform')
  platform.setUnreachable(false)
  await platform.changeSettings({ autoplayBlocked: true })
  await page.reload()
  await waitForHydration(page)
  await locateRadioButton(page, 'Play').click()
  await expect(page.getByText('Press play to start.')).toBeVisible()
  const { youtube_id } = await fetchSongOnAir(page)
  await platform.changeSettings({ autoplayBlocked: false })
  await platform.failVideo(youtube_id, 150)
  await page.reload()
  await waitForHydration(page)
  await locateRadioButton(page, 'Play').click()
  await expect(page.getByText("This video can't play here.")).toBeVisible()
})

test('radio: the page says that the station has no songs, or that the server cannot be reached while the music continues', {
  tag: '@long',
}, async ({ page, site, platform, context, faults }) => {
  faults.expect(/ERR_FAILED|status of 404/)
  await page.goto(createRadioOrigin(site, firstBrand))
  await waitForHydration(page)
  await locateRadioButton(page, 'Play').click()
  await expectPlaying(page, platform, (await fetchSongOnAir(page)).youtube_id)
  await context.route(RADIO_API_PATTERN, (route) => route.abort('failed'))
  await expect(page.getByText('Our server is out of reach. The music goes on.')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText('On air')).toBeVisible()
  await expectNoViolation(page, 'the radio without its server')
  await context.unroute(RADIO_API_PATTERN)
  await expect(page.getByText('Our server is out of reach.')).toBeHidden({ timeout: 60_000 })

  await serveAppShell(context)
  await context.route(RADIO_API_PATTERN, answerWithoutSongs)
  await page.reload()
  await expect(page.getByText('The radio has no songs yet.')).toBeVisible()
  await expect(pageHeading(page)).toHaveText(`${firstBrand.name} Radio`)
  await expectNoViolation(page, 'the radio without songs')
})

test('radio: the app starts offline with the song that was on air last, and shows the song on air once the server is back', {
  tag: '@long',
}, async () => {
  test.setTimeout(180_000)
  const site = await startSite()
  const { port } = site
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    const videoPlatform = await installVideoPlatform(context)
    await page.goto(createRadioOrigin(site, firstBrand))
    await waitForServiceWorker(page)
    await waitForStoredPage(page)
    await locateRadioButton(page, 'Play').click()
    const { title, youtube_id } = await fetchSongOnAir(page)
    await expectPlaying(page, videoPlatform, youtube_id)
    await expect(page).toHaveTitle(`${title} · ${(await fetchSongOnAir(page)).author_name} · ${firstBrand.name} Radio`)
    await site.stop()

    const secondPage = await openBrowser()
    await secondPage.page.goto(createRadioOrigin(site, firstBrand), { waitUntil: 'commit' })
    await expect(secondPage.page.getByText('The radio comes back by itself.')).toBeVisible()
    await expect(pageHeading(secondPage.page)).toHaveText(title)
    const restartedSite = await startSite({ PORT: String(port) })
    await expect(secondPage.page.getByText('The radio comes back by itself.')).toBeHidden({ timeout: 60_000 })
    await expectSongOnAirShown(secondPage.page)
    await restartedSite.stop()
  })
})

test('radio: the installed app of the radio has separate icons, a separate name and separate shortcuts', { tag: '@long' }, async ({
  page,
  site,
}) => {
  const fetchInPage = (urlPath: string) =>
    page.evaluate(async (urlPath) => {
      const response = await fetch(urlPath)
      return { type: response.headers.get('content-type'), text: await response.text() }
    }, urlPath)
  await page.goto(site.origin())
  const mainIcon = (await fetchInPage('/icon.svg')).text
  await page.goto(createRadioOrigin(site, firstBrand))
  expect((await fetchInPage('/icon.svg')).text).not.toBe(mainIcon)
  const webManifest: { short_name: string; icons: { src: string; type: string }[]; shortcuts: { name: string; url: string }[] } =
    JSON.parse((await fetchInPage('/manifest.webmanifest')).text)
  expect(webManifest.short_name).toBe('Nightcore Radio')
  for (const { src, type } of webManifest.icons) expect((await fetchInPage(src)).type, src).toContain(type)
  expect(webManifest.shortcuts.map(({ name }) => name)).toEqual(['Play the radio', 'Main station', 'Newcomers'])
  await page.goto(`${createRadioOrigin(site, firstBrand)}${webManifest.shortcuts[2]?.url}`)
  await expect(locateStationOption(page, /^Newcomers/)).toBeChecked()
})

test('radio: a tapped song of the history says at once that its page is being loaded, and no longer after Back', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin('fm')}/`)
  await site.runAdmin('radio', 'skip')
  await expect.poll(async () => (await fetchSongOnAir(page)).history.length, 'the skipped song is in the history').toBeGreaterThan(0)
  await page.reload()
  await waitForHydration(page)
  const firstSongLink = page.getByRole('region', { name: 'Played before' }).getByRole('link').first()
  let respondToPage = () => {}
  await page.route(`${site.origin()}/song?*`, async (route) => {
    await new Promise<void>((resolve) => {
      respondToPage = resolve
    })
    await route.continue()
  })
  // A locator would wait for the response.
  const tappedText = await firstSongLink.evaluate(async (linkElement: HTMLElement) => {
    linkElement.click()
    await new Promise(requestAnimationFrame)
    await new Promise(requestAnimationFrame)
    return linkElement.textContent
  })
  expect(tappedText).toContain('Loading...')
  respondToPage()
  await expect(page).toHaveURL(/\/song\?s=/)
  await page.goBack()
  await expect(firstSongLink).toBeVisible()
  await expect(firstSongLink).not.toContainText('Loading...')
})

test('radio: the favorite button leads to the song on the main site, which offers the way back to the radio', { tag: '@long' }, async ({
  page,
  site,
  platform: _,
}) => {
  await page.goto(`${site.origin('fm')}/`)
  await page.getByRole('link', { name: 'Favorite' }).click()
  await expect(page).toHaveURL(/\/song\?s=/)
  const backToRadioButton = page.getByRole('button', { name: 'Back to the radio' })
  await expect(backToRadioButton).toBeVisible()
  // On another song that is opened in the same visit, the offer to return to the radio is not repeated.
  const entryUrl = page.url()
  await followLink(page, '/about')
  await expect(backToRadioButton).toBeHidden()
  const { next } = await fetchApi(site, 'GET /radio/get')
  await followLink(page, `/song?s=${next.youtube_id}`)
  await expect(page).toHaveTitle(new RegExp(next.author_name.replace(/[^\w ]/g, '.')))
  await expect(backToRadioButton).toBeHidden()
  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(entryUrl)
  await backToRadioButton.click()
  await expect(page).toHaveURL(`${site.origin('fm')}/`)
})
