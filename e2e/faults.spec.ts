import type { Route } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { findChunkFile, storageChunk } from './chunks.ts'
import { expect, tagLong, test } from './fixtures.ts'
import {
  expectPlaying,
  fetchApi,
  holdRequests,
  locateNewsItems,
  locatePlaylistLinks,
  locateSongLinks,
  mainRegion,
  openSong,
  pageHeading,
  serveAppShell,
} from './steps.ts'

const failingRoutes = [
  { path: '/', shown: locatePlaylistLinks },
  { path: '/playlists', shown: locatePlaylistLinks },
  { path: `/playlist?p=${catalogueIds.accentPlaylist}`, shown: locateSongLinks },
  { path: '/search?q=cafe', shown: locateSongLinks },
  { path: '/latest', shown: locateNewsItems },
] as const

for (const { path, shown: locateLinks } of failingRoutes) {
  test(
    `${path} with a failed network, then with a failing API: an error with Retry, and Retry works`,
    tagLong(path !== '/'),
    async ({ page, testCatalogueSite, context, faults }) => {
      faults.expect(/ERR_FAILED|status of 500/)
      await serveAppShell(context)
      const failNetwork = (route: Route) => route.abort('failed')
      const failApi = (route: Route) => route.fulfill({ status: 500, json: { code: 500, message: 'Something went wrong.', data: null } })
      await context.route('**/api/**', failNetwork)
      await page.goto(`${testCatalogueSite.origin()}${path}`)
      await expect(pageHeading(page)).toBeVisible()
      const retryButton = mainRegion(page).getByRole('button', { name: 'Retry' }).first()
      await expect(retryButton).toBeVisible()
      await expect(page.getByRole('contentinfo')).toBeVisible()
      if (path.startsWith('/search')) await expect(mainRegion(page)).toContainText('An error occurred while fetching data.')

      await context.unroute('**/api/**', failNetwork)
      await context.route('**/api/**', failApi)
      const failedResponsePromise = page.waitForResponse((response) => response.status() === 500)
      await retryButton.click()
      await failedResponsePromise
      await expect(retryButton).toBeVisible()
      if (path.startsWith('/search')) await expect(mainRegion(page)).toContainText('Something went wrong.')

      await context.unroute('**/api/**', failApi)
      await retryButton.click()
      await expect(locateLinks(page).first()).toBeVisible()
      await expect(retryButton).toBeHidden()
    },
  )
}

test('a song that cannot be fetched shows an error with Retry', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  context,
  faults,
  platform: _,
}) => {
  faults.expect(/ERR_FAILED|status of 500/)
  await serveAppShell(context)
  await context.route('**/api/song/get**', (route) => route.abort('failed'))
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}`)
  const retryButton = mainRegion(page).getByRole('button', { name: 'Retry' })
  await expect(retryButton.first()).toBeVisible()
  await context.unroute('**/api/song/get**')
  // The page may have retried by itself, so there may be no Retry button to press.
  await retryButton
    .first()
    .click({ timeout: 3_000 })
    .catch(() => undefined)
  await expect(pageHeading(page)).toContainText('Señorita Über Café')
})

test('if the network fails later, stored rows are shown', async ({ page, testCatalogueSite, context, faults }) => {
  faults.expect(/ERR_FAILED/)
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  await expect(locateSongLinks(page).first()).toBeVisible()
  await context.route('**/api/**', (route) => route.abort('failed'))
  await page.reload()
  await expect(locateSongLinks(page).first()).toBeVisible()
  await expect(pageHeading(page)).toHaveText('Årets Låtar')
})

test('on a slow network skeletons are shown, and the layout does not shift when the songs are loaded', async ({
  page,
  testCatalogueSite,
  context,
}) => {
  await serveAppShell(context)
  const releaseSongs = await holdRequests(context, '**/api/playlist/**')
  await page.addInitScript(() => {
    let layoutShift = 0
    new PerformanceObserver((entryList) => {
      for (const entry of entryList.getEntries()) {
        const shiftValue: unknown = Reflect.get(entry, 'value')
        if (Reflect.get(entry, 'hadRecentInput') === false && typeof shiftValue === 'number') layoutShift += shiftValue
      }
      Object.assign(window, { layoutShift })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await expect(pageHeading(page)).toBeVisible()
  await expect(mainRegion(page).locator('[aria-busy="true"]').first()).toBeVisible()
  releaseSongs()
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
  await expect(mainRegion(page).locator('[aria-busy="true"]')).toHaveCount(0)
  const layoutShift: unknown = await page.evaluate(() => Reflect.get(window, 'layoutShift') ?? 0)
  expect(layoutShift).toBeLessThan(0.1)
})

test('in a browser without IndexedDB the site still shows its pages', async ({ page, testCatalogueSite }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { configurable: true, get: () => undefined })
  })
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  await expect(locateSongLinks(page).first()).toBeVisible()
})

test('the content security policy is strict', async ({ request, testCatalogueSite }) => {
  const response = await request.get(testCatalogueSite.origin())
  const policyText = response.headers()['content-security-policy'] ?? ''
  const scriptDirective = policyText.split(';').find((each) => each.trim().startsWith('script-src')) ?? ''
  expect(scriptDirective).toContain("'self'")
  // Checks that the policy allows 'wasm-unsafe-eval', but no inline scripts and no eval.
  expect(scriptDirective).not.toMatch(/'unsafe-(?:inline|eval|hashes)'/)
  expect(policyText).toMatch(/default-src 'none'/)
  expect(policyText).toMatch(/base-uri/)
  expect(policyText).toMatch(/frame-ancestors/)
})

test('if a chunk is missing and no service worker runs, a message with Reload is shown, and the song keeps playing', {
  tag: '@long',
}, async ({ page, context, site, platform, faults }) => {
  faults.expect(/status of 404|could not be loaded|Failed to fetch/)
  const [playlist] = (await fetchApi(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await fetchApi(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!song) throw new Error('The demo has no song')
  await openSong(page, platform, site.origin(), song.youtube_id)
  await context.route(`**/${findChunkFile(storageChunk)}`, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.getByRole('contentinfo').locator('a[href="/storage"]').click()
  await expect(mainRegion(page)).toContainText("Part of the page didn't load.")
  await expectPlaying(page, platform, song.youtube_id)
  expect(platform.frameLoadCount).toBe(1)
  await context.unroute(`**/${findChunkFile(storageChunk)}`)
  await mainRegion(page).getByRole('button', { name: 'Reload' }).click()
  await expect(pageHeading(page)).toHaveText('Storage')
})
