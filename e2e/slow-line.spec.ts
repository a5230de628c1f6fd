import { catalogueIds } from './catalogue.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { expectPlaying, fetchApi, locateSongLinks, mainRegion, pageHeading, playerRegion, waitForHydration } from './steps.ts'

test('slow line: while no request is answered, a pressed song row opens its page with the picture of the row, and the song plays; a pressed playlist card shows the head of its page', async ({
  page,
  testCatalogueSite,
  platform,
}) => {
  const origin = testCatalogueSite.origin()
  await page.goto(`${origin}/`)
  await waitForHydration(page)
  // Waits until the network is idle: by then the browser has loaded the code of the pages to which this page links.
  await page.waitForLoadState('networkidle')
  const playlistLink = mainRegion(page).getByRole('link', { name: 'Årets Låtar' }).first()
  // At the first movement of the pointer, the page opens its database and stores its rows there.
  await playlistLink.hover()
  await page.waitForTimeout(1000)
  const requestHold = { value: true }
  const releaseRequestFunctions: (() => void)[] = []
  await page.route('**/api/**', async (route) => {
    if (requestHold.value) await new Promise<void>((resolve) => releaseRequestFunctions.push(resolve))
    await route.continue()
  })

  await test.step('a pressed playlist card shows the head of its page', async () => {
    await playlistLink.click()
    await expect(pageHeading(page)).toHaveText('Årets Låtar')
    await expect(locateSongLinks(page)).toHaveCount(0)
    requestHold.value = false
    for (const resolve of releaseRequestFunctions.splice(0)) resolve()
    await expect(mainRegion(page).getByRole('listitem')).toHaveCount(3)
  })
  await test.step('a pressed song row opens its page, and the song plays', async () => {
    requestHold.value = true
    await page.route(/\/img\/song\/[^/]+\/(640|1280)$/, () => {})
    const firstRow = mainRegion(page).getByRole('listitem').first()
    await expect(firstRow.locator('img')).toHaveJSProperty('complete', true)
    await firstRow.getByRole('link').first().click()
    await expect(pageHeading(page)).toHaveText('Señorita Über Café')
    await expect(mainRegion(page).getByRole('link', { name: 'Björk Ångström' }).first()).toBeVisible()
    const isPictureShown = () =>
      playerRegion(page)
        .locator(`img[srcset*="/img/song/${catalogueIds.accented}"]`)
        .evaluateAll((pictures) => pictures.some((each) => each instanceof HTMLImageElement && each.complete && each.naturalWidth > 0))
    await expect.poll(isPictureShown, 'the picture of the row').toBe(true)
    await expectPlaying(page, platform, catalogueIds.accented)
    requestHold.value = false
    for (const resolve of releaseRequestFunctions.splice(0)) resolve()
    await expect(mainRegion(page).getByRole('button', { name: 'Report' })).toBeVisible()
  })
})

test('slow line: while the home page loads, the navigation bar does not cover the previous page’s title', { tag: '@long' }, async ({
  page,
  site,
}) => {
  const recentUrl = `${site.origin()}/recent`
  // The files of other pages, which the page requests in advance, are held.
  const pageHtml = await (await page.request.get(recentUrl)).text()
  let areRequestsHeld = true
  const releaseFunctions: (() => void)[] = []
  await page.route('**/assets/**', async (route) => {
    if (areRequestsHeld && !pageHtml.includes(new URL(route.request().url()).pathname))
      await new Promise<void>((resolve) => releaseFunctions.push(resolve))
    await route.continue()
  })
  await page.goto(recentUrl)
  await waitForHydration(page)
  // Measures in the page, because after a second a placeholder replaces the previous page.
  const scrolledPx = await page.evaluate(async () => {
    document.querySelector<HTMLElement>('header a')?.click()
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
    const bar = document.querySelector('header')?.getBoundingClientRect()
    const title = document.querySelector('h1')
    return title?.textContent === 'Recently played' ? title.getBoundingClientRect().top - (bar?.bottom ?? 0) : undefined
  })
  expect(scrolledPx, 'the home page is still loading').toBeDefined()
  expect(scrolledPx).toBeGreaterThan(0)
  areRequestsHeld = false
  for (const resolve of releaseFunctions) resolve()
  await expect(pageHeading(page)).not.toHaveText('Recently played')
})

test('slow line: while the next page is loading, the page before it stays as it is', { tag: '@long' }, async ({ page, site }) => {
  const [playlist] = await fetchApi(site, 'GET /playlist/all')
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const idToken = await fetchIdToken(site, credentials)
  const [listId = ''] = await createOwnPlaylists(site.origin(), idToken, [
    { title: 'Night drive', songIds: songs.slice(0, 2).map(({ youtube_id }) => youtube_id) },
  ])
  const shareToken = await shareOwnPlaylist(site.origin(), idToken, listId, true)
  let areRequestsHeld = false
  await page.route(/\/(?:api|assets)\//, (route) => (areRequestsHeld ? undefined : route.continue()))
  for (const urlPath of [`/playlist?p=${playlist?.id}`, `/list?l=${shareToken}`, '/what-is-nightcore']) {
    areRequestsHeld = false
    await page.goto(site.origin() + urlPath)
    await waitForHydration(page)
    await page.waitForLoadState('networkidle')
    areRequestsHeld = true
    // Notes the headings in the page, because after a second a placeholder replaces the previous page.
    const headingTexts = await page.evaluate(async () => {
      const seenHeadings = [document.querySelector('h1')?.textContent]
      document.querySelector<HTMLElement>('footer a[href="/about-us"]')?.click()
      for (let frame = 0; frame < 20; frame++) {
        await new Promise(requestAnimationFrame)
        seenHeadings.push(document.querySelector('h1')?.textContent)
      }
      return seenHeadings
    })
    expect(new Set(headingTexts), urlPath).toEqual(new Set([headingTexts[0]]))
    expect(page.url(), urlPath).toContain('/about-us')
  }
})
