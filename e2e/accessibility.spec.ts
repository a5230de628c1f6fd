import { expectNoViolation } from './axe.ts'
import { declareMainRouteAxeTests } from './axe-routes.ts'
import { declareStateAxeTests } from './axe-states.ts'
import { catalogueIds } from './catalogue.ts'
import { brands, expect, test } from './fixtures.ts'
import { locateSongLinks, mainRegion, waitForHydration } from './steps.ts'

const [firstBrand, secondBrand] = brands
// `accessibility.long.spec.ts` tests the other routes, brands and widths.
declareMainRouteAxeTests(firstBrand, 1440)
declareMainRouteAxeTests(secondBrand, 390)
declareStateAxeTests(firstBrand)

for (const brand of brands) {
  test(`axe, ${brand.name}: offline pages, a pinned playlist and the install button have no violation`, { tag: '@long' }, async ({
    page,
    testCatalogueSite,
    context,
    faults,
  }) => {
    faults.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 503/)
    await page.setViewportSize({ width: 390, height: 844 })
    // The route is set before the page loads, because Chromium sends requests past a route that has just been set.
    let isRequestRefused = false
    await page.route('**/api/playlist/get*', (route) =>
      isRequestRefused ? route.fulfill({ status: 503, json: { code: 503, message: 'Closed.', data: null } }) : route.continue(),
    )
    await page.goto(`${testCatalogueSite.origin(brand.subdomain)}/playlists`)
    // Waits for hydration: before it, the browser itself would follow the link, and could not go back offline.
    await waitForHydration(page)
    await mainRegion(page).locator(`a[href="/playlist?p=${catalogueIds.accentPlaylist}"]`).click()
    // Waits until the page's own request has succeeded. Only the later requests that download the playlist are refused.
    await expect(locateSongLinks(page).first()).toBeVisible()
    const pinButton = mainRegion(page).getByRole('button', { name: /^Ke(ep|pt) offline/ })
    const pinnedButton = pinButton.filter({ hasNotText: 'about' })
    await page.evaluate(() =>
      dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => Promise.reject() })),
    )
    isRequestRefused = true
    await pinButton.click()
    await expect(mainRegion(page).getByText('The download failed.')).toBeVisible()
    await expectNoViolation(page, 'a playlist that could not be pinned')
    isRequestRefused = false
    await mainRegion(page).getByRole('button', { name: 'Retry' }).click()
    await expect(pinnedButton).toBeVisible()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click()
    await expect(mainRegion(page).getByRole('button', { name: /^Remove/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Install app' })).toBeVisible()
    await expectNoViolation(page, 'storage with a pinned playlist, and the install button')
    await page.goBack()
    await expect(pinnedButton).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await expectNoViolation(page, 'a pinned playlist without a connection')
    await page.goBack()
    await expect(mainRegion(page).getByText('Needs a connection').first()).toBeVisible()
    await expectNoViolation(page, 'playlists without a connection')
    await mainRegion(page).getByRole('link', { name: 'Needs a connection' }).first().click()
    await expect(mainRegion(page)).toContainText("You haven't opened this here before, so it needs a connection.")
    await expectNoViolation(page, 'a playlist that was not opened before')
  })
}
