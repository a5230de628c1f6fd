import { brands, expect, test } from './fixtures.ts'
import { heading, main, nav, playlistLinks } from './steps.ts'

const looks: Record<string, { accent: string; background: string; icon: string }> = {}

for (const brand of brands) {
  test(`${brand.name}: its name, colours, texts and icons are its own`, async ({ page, site }) => {
    const other = brands.find((each) => each.id !== brand.id)
    await page.goto(site.origin(brand.subdomain))
    await expect(playlistLinks(page).first()).toBeVisible()
    await expect(page).toHaveTitle(new RegExp(brand.name))
    await expect(nav(page).getByRole('link', { name: brand.name })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText(`${new Date().getFullYear()}`)
    await expect(page.getByRole('contentinfo')).toContainText(brand.name)
    await expect(page.locator('body')).not.toContainText(other?.name ?? '')

    const look = await page.evaluate(async () => {
      const lit = getComputedStyle(document.documentElement)
      const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"][type="image/svg+xml"]')?.href ?? ''
      const answer = await fetch(icon)
      return {
        accent: lit.getPropertyValue('--accent').trim(),
        background: lit.backgroundColor,
        icon: answer.ok ? await answer.text() : `${answer.status}`,
        family: getComputedStyle(document.querySelector('h1') ?? document.body).fontFamily,
        stretch: getComputedStyle(document.querySelector('h1') ?? document.body).fontStretch,
      }
    })
    expect(look.accent).not.toBe('')
    expect(look.background, 'near black').toMatch(/rgb\((\d|1\d|2\d), (\d|1\d|2\d), (\d|[1-3]\d)\)/)
    expect(look.icon.length).toBeGreaterThan(40)
    expect(look.family).toContain('Anybody')
    looks[brand.id] = look
  })

  test(`${brand.name}: the server sends the heading, title and description before any script runs`, async ({ browser, site }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    for (const path of ['/', '/playlists', '/search?q=light', '/no-such-page']) {
      await page.goto(`${site.origin(brand.subdomain)}${path}`)
      await expect(heading(page)).toHaveCount(1)
      await expect(page).toHaveTitle(/.+/)
      await expect(page.locator('html')).toHaveAttribute('lang', 'en')
      await expect(page.locator('html')).toHaveAttribute('data-brand', brand.id)
      await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', /.{20,}/)
      await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', /.+/)
    }
    await context.close()
  })
}

test('the two brands differ in colour, type and icon', async ({ page, site }) => {
  const seen: { accent: string; stretch: string; hero: string; icon: string }[] = []
  for (const brand of brands) {
    await page.goto(site.origin(brand.subdomain))
    await expect(main(page)).toBeVisible()
    await expect(playlistLinks(page).first()).toBeVisible()
    seen.push(
      await page.evaluate(async () => {
        const title = document.querySelector('h1')
        const icon = document.querySelector<HTMLLinkElement>('link[rel~="icon"][type="image/svg+xml"]')?.href ?? ''
        return {
          accent: getComputedStyle(document.documentElement).getPropertyValue('--accent').trim(),
          stretch: title === null ? '' : getComputedStyle(title).fontStretch,
          hero: title?.textContent ?? '',
          icon: await (await fetch(icon)).text(),
        }
      }),
    )
  }
  const [nightcore, slowed] = seen
  expect(nightcore?.accent).not.toBe(slowed?.accent)
  expect(nightcore?.stretch).not.toBe(slowed?.stretch)
  expect(nightcore?.hero).not.toBe(slowed?.hero)
  expect(nightcore?.icon).not.toBe(slowed?.icon)
})
