import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { startLoginGateway } from './stand-ins/gateway.ts'
import { mainRegion, playlistLinks } from './steps.ts'

test("behind a login gateway: after the gateway's login has ended, the cached page leads to the gateway, and works again after a new login", {
  tag: '@long',
}, async ({ site }) => {
  const gateway = await startLoginGateway(site.port)
  try {
    await withBrowserProfile(async (open) => {
      const { context, page } = await open()
      await page.goto(gateway.origin)
      await expect(page).toHaveURL(`${gateway.loginOrigin}/`)
      await page.getByRole('link', { name: 'Let me in' }).click()
      await waitForServiceWorker(page)
      await waitForStoredPage(page)
      const devtools = await context.newCDPSession(page)
      await devtools.send('Page.getAppManifest')
      expect(gateway.admittedPaths).toContain('/manifest.webmanifest')

      await context.clearCookies()
      await page.reload()
      await expect(playlistLinks(page).first()).toBeVisible()
      const strip = page.getByRole('status').filter({ hasText: 'The site cannot be reached.' })
      await expect(strip).toBeVisible()
      await strip.getByRole('button', { name: 'Reload' }).click()
      await expect(page).toHaveURL(`${gateway.loginOrigin}/`)
      await page.getByRole('link', { name: 'Let me in' }).click()
      await expect(page).toHaveURL(`${gateway.origin}/`)
      await expect(mainRegion(page)).toBeVisible()
      await waitForStoredPage(page)
      await expect(strip).toHaveCount(0)
    })
  } finally {
    await gateway.stop()
  }
})
