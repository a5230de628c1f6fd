import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { startLoginGateway } from './stand-ins/gateway.ts'
import { locatePlaylistLinks, mainRegion } from './steps.ts'

const locateGatewayStrip = (page: Page) => page.getByRole('status').filter({ hasText: 'A login page answers in place of the site.' })

test("behind a login gateway: after the gateway's login has ended, the cached page says so and leads to the gateway, and works again after a new login", {
  tag: '@long',
}, async ({ site }) => {
  const loginGateway = await startLoginGateway(site.port)
  try {
    await withBrowserProfile(async (openBrowser) => {
      const { context, page } = await openBrowser()
      await page.goto(loginGateway.origin)
      await expect(page).toHaveURL(`${loginGateway.loginOrigin}/`)
      await page.getByRole('link', { name: 'Let me in' }).click()
      await waitForServiceWorker(page)
      await waitForStoredPage(page)
      const devtools = await context.newCDPSession(page)
      await devtools.send('Page.getAppManifest')
      expect(loginGateway.admittedPaths).toContain('/manifest.webmanifest')

      await context.clearCookies()
      await page.reload()
      await expect(locatePlaylistLinks(page).first()).toBeVisible()
      await expect(locateGatewayStrip(page)).toBeVisible()
      await locateGatewayStrip(page).getByRole('button', { name: 'Reload' }).click()
      await expect(page).toHaveURL(`${loginGateway.loginOrigin}/`)
      await page.getByRole('link', { name: 'Let me in' }).click()
      await expect(page).toHaveURL(`${loginGateway.origin}/`)
      await expect(mainRegion(page)).toBeVisible()
      await waitForStoredPage(page)
      await expect(locateGatewayStrip(page)).toHaveCount(0)
    })
  } finally {
    await loginGateway.stop()
  }
})

test("behind a gateway whose login page answers every address: the page's own content stays, and no cache stores the login page", {
  tag: '@long',
}, async ({ site }) => {
  const loginGateway = await startLoginGateway(site.port, { isRedirecting: false })
  try {
    await withBrowserProfile(async (openBrowser) => {
      const { context, page } = await openBrowser()
      await page.goto(loginGateway.origin)
      await page.getByRole('link', { name: 'Let me in' }).click()
      await waitForServiceWorker(page)
      for (const urlPath of ['/playlists', '/']) {
        await page.goto(loginGateway.origin + urlPath)
        await expect(locatePlaylistLinks(page).first()).toBeVisible()
        await waitForStoredPage(page)
      }

      await context.clearCookies()
      await page.reload()
      await expect(locatePlaylistLinks(page).first()).toBeVisible()
      await expect(locateGatewayStrip(page)).toBeVisible()
      // Requests of each kind that the service worker caches: pages, pictures, icons, the manifest and the maker's files.
      await page.evaluate(async () => {
        const gatewayPaths = [
          '/icon.svg',
          '/favicon.ico',
          '/manifest.webmanifest',
          '/img/song/dQw4w9WgXcQ/320',
          '/assets/old-build.js',
          '/shell',
        ]
        await Promise.allSettled(gatewayPaths.map((path) => fetch(path)))
        navigator.serviceWorker.controller?.postMessage({ type: 'CACHE_MAKER' })
        navigator.serviceWorker.controller?.postMessage({ type: 'CACHE_PAGE', path: '/faq' })
        navigator.serviceWorker.controller?.postMessage({ type: 'PART_FAILED' })
      })
      await page.goto(`${loginGateway.origin}/playlists`)
      await expect(locatePlaylistLinks(page).first()).toBeVisible()
      expect(await page.evaluate(listCachedLoginPages)).toEqual([])

      await locateGatewayStrip(page).getByRole('button', { name: 'Reload' }).click()
      await page.getByRole('link', { name: 'Let me in' }).click()
      await waitForStoredPage(page)
      await expect(locateGatewayStrip(page)).toHaveCount(0)
    })
  } finally {
    await loginGateway.stop()
  }
})

/** Returns the addresses under which a cache stores the gateway's login page. */
async function listCachedLoginPages(): Promise<string[]> {
  const cachedPageTexts: string[] = []
  for (const cacheName of await caches.keys()) {
    const cache = await caches.open(cacheName)
    for (const request of await cache.keys())
      if ((await (await cache.match(request))?.clone().text())?.includes('Gateway</h1>'))
        cachedPageTexts.push(`${cacheName}: ${request.url}`)
  }
  return cachedPageTexts
}
