import { expect, test } from './fixtures.ts'
import {
  locatePlaylistLinks,
  locateSearchBox,
  locateSongLinks,
  mainNavigation,
  mainRegion,
  pageHeading,
  serveAppShell,
  waitForHydration,
} from './steps.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const readBackgroundColour = (element: Element) => getComputedStyle(element).backgroundColor

test('the navigation bar has links, one of its dropdowns is open at a time, and its search box searches', async ({ page, site }) => {
  await page.goto(site.origin())
  await test.step('the bar links to Login and Subscriptions', async () => {
    await expect(mainNavigation(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
    await expect(mainNavigation(page).getByRole('link', { name: 'Subscriptions' })).toHaveAttribute('href', '/subscribe')
  })
  await test.step('one dropdown is open at a time; a click outside and Escape close it', async () => {
    const exploreButton = mainNavigation(page).getByRole('button', { name: 'Explore' })
    const communityButton = mainNavigation(page).getByRole('button', { name: 'Community' })
    await exploreButton.click()
    await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeVisible()
    await expect(mainNavigation(page).getByRole('link', { name: 'Radio' })).toHaveAttribute(
      'href',
      new RegExp(`^http://fm\\.localhost:${site.port}`),
    )
    await expect(exploreButton).toHaveAttribute('aria-expanded', 'true')

    await communityButton.click()
    await expect(mainNavigation(page).getByRole('link', { name: 'About Us' })).toBeVisible()
    await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeHidden()
    await expect(exploreButton).toHaveAttribute('aria-expanded', 'false')

    await page.mouse.click(640, 760)
    await expect(mainNavigation(page).getByRole('link', { name: 'About Us' })).toBeHidden()

    await exploreButton.click()
    await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeHidden()
    await expect(exploreButton).toBeFocused()

    await exploreButton.click()
    await mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true }).click()
    await expect(page).toHaveURL(/\/playlists$/)
    await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeHidden()
  })
  await test.step('the search box opens, takes the focus, searches on Enter and closes on a click outside', async () => {
    const searchButton = mainNavigation(page).getByRole('button', { name: 'Search' })
    await searchButton.click()
    await expect(locateSearchBox(page)).toBeFocused()
    await page.mouse.click(640, 760)
    await expect(locateSearchBox(page)).toBeHidden()
    await searchButton.click()
    await locateSearchBox(page).fill('light')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/search\?q=light$/)
  })
})

test('the navigation bar is transparent on the home page until the page is scrolled, and filled on other pages; the footer has its links and the year', {
  tag: '@long',
}, async ({ page, site }) => {
  const transparentColour = 'rgba(0, 0, 0, 0)'
  await page.goto(site.origin())
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
  const bannerRegion = page.getByRole('banner')
  await expect.poll(() => bannerRegion.evaluate(readBackgroundColour)).toBe(transparentColour)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => bannerRegion.evaluate(readBackgroundColour)).not.toBe(transparentColour)
  await test.step('the footer has its links and the year, and scroll-to-top appears after 100 px', async () => {
    await page.mouse.wheel(0, -300)
    const footerRegion = page.getByRole('contentinfo')
    for (const [linkName, linkHref] of [
      ['Playlists', '/playlists'],
      ['Network', '/network'],
      ['Privacy Policy', '/privacy'],
      ['FAQ', '/faq'],
      ['Contact Us', '/get-in-touch'],
    ] as const) {
      await expect(footerRegion.getByRole('link', { name: linkName, exact: true })).toHaveAttribute('href', linkHref)
    }
    await expect(footerRegion).toContainText(String(new Date().getFullYear()))
    const scrollButton = page.getByRole('button', { name: 'Scroll to top' })
    await expect(scrollButton).toBeHidden()
    await page.mouse.wheel(0, 600)
    await expect(scrollButton).toBeVisible()
    await scrollButton.click()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(2)
    await expect(scrollButton).toBeHidden()
  })
  await page.goto(`${site.origin()}/playlists`)
  await expect.poll(() => bannerRegion.evaluate(readBackgroundColour)).not.toBe(transparentColour)
})

test('on a phone the menu opens, and closes when a link in it is followed', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(site.origin())
  const menuButton = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  await expect(mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true })).toBeHidden()
  await menuButton.click()
  await expect(menuButton).toHaveAttribute('aria-expanded', 'true')
  await mainNavigation(page).getByRole('link', { name: 'Playlists', exact: true }).click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(menuButton).toHaveAttribute('aria-expanded', 'false')

  await test.step('scroll-to-top is hidden while nothing scrolls, because it covers text', async () => {
    await expect(pageHeading(page)).toHaveText('Playlists')
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    const scrollButton = page.getByRole('button', { name: 'Scroll to top' })
    await page.mouse.wheel(0, 600)
    await expect(scrollButton).toBeVisible()
    await expect(scrollButton).toBeHidden()
    expect(await page.evaluate(() => window.scrollY)).toBeGreaterThan(100)
  })
})

test('an unknown address shows the 404 page with status 404', async ({ page, site, faults }) => {
  faults.expect(/status of 404/)
  const response = await page.goto(`${site.origin()}/no-such-page`)
  expect(response?.status()).toBe(404)
  await expect(mainRegion(page)).toContainText('404')
  await expect(mainRegion(page)).toContainText('Page not found')
  // The decorative picture of a record is behind the text, so it does not move the text below the viewport.
  await expect(mainRegion(page).locator('svg[viewBox="0 0 400 400"]').first()).toBeAttached()
  await expect(mainRegion(page).getByRole('link', { name: 'Go back home' })).toBeInViewport({ ratio: 1 })
  await mainRegion(page).getByRole('link', { name: 'Go back home' }).click()
  await expect(page).toHaveURL(`${site.origin()}/`)
  await expect(pageHeading(page)).toBeVisible()
})

test('Back shows the same part of a page again', async ({ page, site, context }) => {
  await serveAppShell(context)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.origin()}/playlists`)
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
  await waitForHydration(page)
  const link = locatePlaylistLinks(page).nth(12)
  await link.scrollIntoViewIfNeeded()
  const readLinkTop = () => link.evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const topBefore = await readLinkTop()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  await link.click()
  await expect(page).toHaveURL(/\/playlist\?p=/)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect.poll(readLinkTop).toBe(topBefore)
})

test('a reload shows the same part of a page immediately, without visible scrolling', async ({ page, site }) => {
  await page.addInitScript(() => {
    const positions: number[] = []
    Object.assign(window, { positions })
    addEventListener('scroll', () => positions.push(scrollY))
  })
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.origin()}/playlist?p=new`)
  await waitForHydration(page)
  const link = locateSongLinks(page).nth(60)
  const readLinkTop = () => link.evaluate((element) => element.getBoundingClientRect().top)
  await link.scrollIntoViewIfNeeded()
  const topBefore = await readLinkTop()
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(1000)
  await page.reload()
  await waitForHydration(page)
  await expect.poll(readLinkTop).toBe(topBefore)
  // A scroll that is animated has dozens of positions; the browser and the page each set the position once.
  expect(await page.evaluate(() => Reflect.get(window, 'positions').length)).toBeLessThan(5)
})
