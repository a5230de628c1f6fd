import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { locatePlaylistLinks, mainNavigation, pageHeading } from './steps.ts'

test('name, colours, texts and icons belong to the brand, and differ between the brands', async ({ page, site }) => {
  const readAppearance = () =>
    page.evaluate(async () => {
      const headingElement = document.querySelector('h1')
      const rootStyle = getComputedStyle(document.documentElement)
      const iconUrl = document.querySelector<HTMLLinkElement>('link[rel~="icon"][type="image/svg+xml"]')?.href ?? ''
      const response = await fetch(iconUrl)
      return {
        accent: rootStyle.getPropertyValue('--accent').trim(),
        background: rootStyle.backgroundColor,
        icon: response.ok ? await response.text() : `${response.status}`,
        hero: headingElement?.textContent ?? '',
        family: getComputedStyle(headingElement ?? document.body).fontFamily,
        stretch: getComputedStyle(headingElement ?? document.body).fontStretch,
      }
    })
  const brandAppearances: Awaited<ReturnType<typeof readAppearance>>[] = []
  for (const brand of brands) {
    const otherBrand = brands.find((each) => each.id !== brand.id)
    await page.goto(site.origin(brand.subdomain))
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(brand.name))
    await expect(mainNavigation(page).getByRole('link', { name: brand.name })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText(`${new Date().getFullYear()}`)
    await expect(page.getByRole('contentinfo')).toContainText(brand.name)
    await expect(page.locator('body')).not.toContainText(otherBrand?.name ?? '')

    const appearance = await readAppearance()
    expect(appearance.accent).not.toBe('')
    expect(appearance.background, 'near black').toMatch(/rgb\((\d|1\d|2\d), (\d|1\d|2\d), (\d|[1-3]\d)\)/)
    expect(appearance.icon.length).toBeGreaterThan(40)
    expect(appearance.family).toContain('Anybody')
    brandAppearances.push(appearance)
  }
  const [firstAppearance, secondAppearance] = brandAppearances
  for (const key of ['accent', 'stretch', 'hero', 'icon'] as const) expect(firstAppearance?.[key], key).not.toBe(secondAppearance?.[key])
})

for (const brand of brands) {
  test(
    `${brand.name}: the server sends the heading, title and description before any script runs`,
    tagSecondBrand(brand),
    async ({ browser, site }) => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      const page = await context.newPage()
      for (const urlPath of ['/', '/playlists', '/search?q=light', '/no-such-page']) {
        await page.goto(`${site.origin(brand.subdomain)}${urlPath}`)
        await expect(pageHeading(page)).toHaveCount(1)
        await expect(page).toHaveTitle(/.+/)
        await expect(page.locator('html')).toHaveAttribute('lang', 'en')
        await expect(page.locator('html')).toHaveAttribute('data-brand', brand.id)
        await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /.{20,}/)
        await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /.+/)
      }
      await context.close()
    },
  )
}
