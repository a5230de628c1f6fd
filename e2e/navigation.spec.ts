import { expect, test } from './fixtures.ts'
import { heading, main, nav, playlistLinks, untilAlive } from './steps.ts'

const background = (element: Element) => getComputedStyle(element).backgroundColor

test('one dropdown is open at a time; a click outside and Escape close it', async ({ page, site }) => {
  await page.goto(site.origin())
  const explore = nav(page).getByRole('button', { name: 'Explore' })
  const community = nav(page).getByRole('button', { name: 'Community' })
  await explore.click()
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeVisible()
  await expect(nav(page).getByRole('link', { name: 'Radio' })).toHaveAttribute('href', new RegExp(`^http://fm\\.localhost:${site.port}`))
  await expect(explore).toHaveAttribute('aria-expanded', 'true')

  await community.click()
  await expect(nav(page).getByRole('link', { name: 'About Us' })).toBeVisible()
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeHidden()
  await expect(explore).toHaveAttribute('aria-expanded', 'false')

  await page.mouse.click(640, 760)
  await expect(nav(page).getByRole('link', { name: 'About Us' })).toBeHidden()

  await explore.click()
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeHidden()
  await expect(explore).toBeFocused()

  await explore.click()
  await nav(page).getByRole('link', { name: 'Playlists' }).click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeHidden()
})

test('the search box opens, takes the focus, searches on Enter and closes on a click outside', async ({ page, site }) => {
  await page.goto(site.origin())
  const toggle = nav(page).getByRole('button', { name: 'Search' })
  await toggle.click()
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.mouse.click(640, 760)
  await expect(page.getByRole('searchbox')).toBeHidden()
  await toggle.click()
  await page.getByRole('searchbox').fill('light')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=light$/)
})

test('the bar links to Login and Subscriptions', async ({ page, site }) => {
  await page.goto(site.origin())
  await expect(nav(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
  await expect(nav(page).getByRole('link', { name: 'Subscriptions' })).toHaveAttribute('href', '/subscribe')
})

test('the bar is transparent on the home page until it is scrolled, and filled elsewhere', async ({ page, site }) => {
  const clear = 'rgba(0, 0, 0, 0)'
  await page.goto(site.origin())
  await expect(playlistLinks(page).first()).toBeVisible()
  const bar = page.getByRole('banner')
  await expect.poll(() => bar.evaluate(background)).toBe(clear)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => bar.evaluate(background)).not.toBe(clear)
  await page.goto(`${site.origin()}/playlists`)
  await expect.poll(() => bar.evaluate(background)).not.toBe(clear)
})

test('on a phone the menu opens, leads on and closes', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(site.origin())
  const menu = page.getByRole('banner').getByRole('button', { name: 'Menu' })
  await expect(nav(page).getByRole('link', { name: 'Playlists' })).toBeHidden()
  await menu.click()
  await expect(menu).toHaveAttribute('aria-expanded', 'true')
  await nav(page).getByRole('button', { name: 'Explore' }).click()
  await nav(page).getByRole('link', { name: 'Playlists' }).click()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(menu).toHaveAttribute('aria-expanded', 'false')
})

test('the footer has its links and the year, and scroll-to-top appears after 100 px', async ({ page, site }) => {
  await page.goto(site.origin())
  await expect(playlistLinks(page).first()).toBeVisible()
  const footer = page.getByRole('contentinfo')
  for (const [name, href] of [
    ['Playlists', '/playlists'],
    ['Network', '/network'],
    ['Privacy Policy', '/privacy'],
    ['FAQ', '/faq'],
    ['Contact Us', '/get-in-touch'],
  ] as const) {
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', href)
  }
  await expect(footer).toContainText(String(new Date().getFullYear()))
  const top = page.getByRole('button', { name: 'Scroll to top' })
  await expect(top).toBeHidden()
  await page.mouse.wheel(0, 600)
  await expect(top).toBeVisible()
  await top.click()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(2)
  await expect(top).toBeHidden()
})

test('an unknown address shows the 404 page with status 404', async ({ page, site, faults }) => {
  faults.expect(/status of 404/)
  const answer = await page.goto(`${site.origin()}/no-such-page`)
  expect(answer?.status()).toBe(404)
  await expect(main(page)).toContainText('404')
  await expect(main(page)).toContainText('Page not found')
  await main(page).getByRole('link', { name: 'Go back home' }).click()
  await expect(page).toHaveURL(`${site.origin()}/`)
  await expect(heading(page)).toBeVisible()
})

test('back and forward keep the place in a page', async ({ page, site }) => {
  await page.goto(`${site.origin()}/playlists`)
  await expect(playlistLinks(page).first()).toBeVisible()
  await untilAlive(page)
  const link = playlistLinks(page).nth(12)
  await link.scrollIntoViewIfNeeded()
  const before = await page.evaluate(() => window.scrollY)
  expect(before).toBeGreaterThan(200)
  await link.click()
  await expect(page).toHaveURL(/\/playlist\?p=/)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect(page).toHaveURL(/\/playlists$/)
  await expect(link).toBeInViewport()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before - 100)
})
