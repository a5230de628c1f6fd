import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withProfile } from './profile.ts'
import { startGateway } from './stand-ins/gateway.ts'
import { mainRegion, playlistLinks } from './steps.ts'

test('behind a login gateway: when its login ends, the page from the device leads to the gateway, and works again after the login', {
  tag: '@long',
}, async ({ site }) => {
  const gateway = await startGateway(site.port)
  try {
    await withProfile(async (open) => {
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
