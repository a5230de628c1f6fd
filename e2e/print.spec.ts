import { expect, test } from './fixtures.ts'
import { mainRegion, waitForHydration } from './steps.ts'

test('printing: the FAQ is printed with all answers, in black on white, without the navigation and the links of the footer', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin()}/faq`)
  await waitForHydration(page)
  const navigation = page.getByRole('navigation', { name: 'Main' })
  const footerLink = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })
  const closedAnswer = mainRegion(page).getByText('ends up at 140 to 160 BPM')
  await expect(navigation).toBeVisible()
  await expect(footerLink).toBeVisible()
  await expect(closedAnswer).toBeHidden()
  await page.emulateMedia({ media: 'print' })
  await expect(navigation).toBeHidden()
  await expect(footerLink).toBeHidden()
  await expect(closedAnswer).toBeVisible()
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
  await expect(page.locator('html')).toHaveCSS('color', 'rgb(0, 0, 0)')
})
