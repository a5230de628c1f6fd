import { expectNoViolation } from './axe.ts'
import { testAccountPages } from './axe-account.ts'
import { testRoutes } from './axe-routes.ts'
import { testStates } from './axe-states.ts'
import { ids } from './catalogue.ts'
import { brands, expect, secondIsLong, test } from './fixtures.ts'
import { main, songLinks, untilAlive } from './steps.ts'

const [first, second] = brands
// The other combinations are in `accessibility.long.spec.ts`.
testRoutes(first, 1440)
testRoutes(second, 390)
testStates(first)
testAccountPages(second, 390)

for (const brand of brands) {
  test(
    `${brand.name}: axe finds nothing without a connection, while a playlist is kept, and in the app's own offers`,
    secondIsLong(brand),
    async ({ page, ownSite, context, faults }) => {
      faults.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 503/)
      await page.setViewportSize({ width: 390, height: 844 })
      await page.goto(`${ownSite.origin(brand.subdomain)}/playlists`)
      // Before that the browser itself would follow the link, and could not go back without a connection.
      await untilAlive(page)
      await main(page).locator(`a[href="/playlist?p=${ids.accentPlaylist}"]`).click()
      // Its own call is answered: what is refused from here on is the keeping.
      await expect(songLinks(page).first()).toBeVisible()
      const keep = main(page).getByRole('button', { name: /^Keep offline/ })
      const kept = keep.filter({ hasNotText: 'about' })
      await page.evaluate(() =>
        dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => Promise.reject() })),
      )
      await page.route('**/api/playlist/get*', (route) =>
        route.fulfill({ status: 503, json: { code: 503, message: 'Closed.', data: null } }),
      )
      await keep.click()
      await expect(main(page).getByText('It could not be fetched.')).toBeVisible()
      await expectNoViolation(page, 'a playlist that could not be kept')
      await page.unroute('**/api/playlist/get*')
      await main(page).getByRole('button', { name: 'Retry' }).click()
      await expect(kept).toBeVisible()
      await page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click()
      await expect(main(page).getByRole('button', { name: /^Remove/ })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Install app' })).toBeVisible()
      await expectNoViolation(page, 'storage with a kept playlist, and the install key')
      await page.goBack()
      await expect(kept).toBeVisible()
      await context.setOffline(true)
      await expect(page.getByText('You are offline.')).toBeVisible()
      await expectNoViolation(page, 'a kept playlist without a connection')
      await page.goBack()
      await expect(main(page).getByText('Needs a connection').first()).toBeVisible()
      await expectNoViolation(page, 'playlists without a connection')
      await main(page).getByRole('link', { name: 'Needs a connection' }).first().click()
      await expect(main(page)).toContainText('This needs a connection: it was not opened here before.')
      await expectNoViolation(page, 'a playlist that was not opened before')
    },
  )
}
