import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { catalogueIds } from './catalogue.ts'
import { expectOutboxCount, fetchIdToken, fetchServerFavorites, locateFavoriteButtons, logIn } from './favorites-steps.ts'
import { expect, startTestCatalogueSite, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signUpByRequest } from './identity/steps.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { makeSecondBuild, SECOND_BUILD_NAME } from './second-build.ts'
import { type Site, startSite } from './server.ts'
import { mainRegion, waitForHydration } from './steps.ts'

let dataDir = ''
let site: Site
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
  site = await startTestCatalogueSite(dataDir)
})
test.afterEach(async () => {
  await site.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const restartSite = async (options?: { programFile: string }) => {
  const { port } = site
  await site.stop()
  site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir }, options)
}
const createPlaylistUrl = () => `${site.origin()}/playlist?p=${catalogueIds.plainPlaylist}`

test('favorites: a background sync event that reaches the service worker starts a sync in the page', async () => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await logIn(page, site, credentials)
    await waitForServiceWorker(page)
    await openHydratedPage(page, createPlaylistUrl())
    await waitForStoredPage(page)
    const devtools = await context.newCDPSession(page)
    const registrationIdPromise = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [foundRegistration] = registrations
        if (foundRegistration) resolve(foundRegistration.registrationId)
      }),
    )
    await devtools.send('ServiceWorker.enable')
    const syncUrls: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/favorite/sync')) syncUrls.push(request.url())
    })
    await page.waitForTimeout(2_000)
    const syncCountBefore = syncUrls.length
    const event = { origin: site.origin(), registrationId: await registrationIdPromise, lastChance: false }
    await devtools.send('ServiceWorker.dispatchSyncEvent', { ...event, tag: 'something else' })
    await page.waitForTimeout(1_000)
    expect(syncUrls).toHaveLength(syncCountBefore)
    await devtools.send('ServiceWorker.dispatchSyncEvent', { ...event, tag: 'outbox' })
    await expect.poll(() => syncUrls.length).toBe(syncCountBefore + 1)
  })
})

test('outbox: a report that was made offline and without an account is sent at the next visit', async () => {
  await withBrowserProfile(async (openBrowser) => {
    const { page } = await openBrowser()
    await openHydratedPage(page, `${site.origin()}/song?s=${catalogueIds.accented}`)
    await waitForServiceWorker(page)
    await waitForStoredPage(page)
    await site.stop()
    await mainRegion(page)
      .getByRole('button', { name: /report/i })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Report this song' })
    await dialog.getByRole('textbox').fill('The sound is gone.')
    await dialog
      .getByRole('button', { name: /report|send/i })
      .last()
      .click()
    await expect(page.getByText('Your report will be sent when there is a connection.')).toBeVisible()
    await expectOutboxCount(page, 1)

    await restartSite()
    const { page: laterPage } = await openBrowser()
    await openHydratedPage(laterPage, site.origin())
    await expectOutboxCount(laterPage, 0)
    expect(await site.runAdmin('contact', 'list')).toContain('The sound is gone.')
  })
})

test('favorites: changes in tabs of the old and of the new build survive an update', async () => {
  test.setTimeout(180_000)
  const secondBuild = await makeSecondBuild()
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const token = await fetchIdToken(site, credentials)
  await withBrowserProfile(async (openBrowser) => {
    const { page: oldPage, context } = await openBrowser()
    // Only requests for the sync of favorites fail, because the update of the service worker must still load. The route is set before the pages
    // are loaded, because requests that are sent while a route is being set pass by it.
    let isSyncRefused = false
    await context.route('**/api/favorite/sync', (route) => (isSyncRefused ? route.abort('connectionrefused') : route.continue()))
    await logIn(oldPage, site, credentials)
    await waitForServiceWorker(oldPage)
    await openHydratedPage(oldPage, createPlaylistUrl())
    await waitForStoredPage(oldPage)
    const freshPage = await context.newPage()
    await openHydratedPage(freshPage, createPlaylistUrl())
    await waitForStoredPage(freshPage)
    isSyncRefused = true
    for (const songIndex of [0, 1, 2]) await locateFavoriteButtons(oldPage).nth(songIndex).click()
    await expectOutboxCount(oldPage, 3)

    await restartSite(secondBuild)
    await freshPage.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await freshPage.getByRole('button', { name: 'Update', exact: true }).click()
    await expect
      .poll(() =>
        // The update reloads the page, which can interrupt this call.
        waitForHydration(freshPage)
          .then(() => freshPage.evaluate(() => Reflect.get(globalThis, 'build')))
          .catch(() => 'reloading'),
      )
      .toBe(SECOND_BUILD_NAME)
    const pressedButtons = mainRegion(freshPage).getByRole('button', { name: /^Favorite: /, pressed: true })
    await expect(pressedButtons).toHaveCount(3)
    await locateFavoriteButtons(oldPage).nth(3).click()
    await expect(locateFavoriteButtons(oldPage).nth(3)).toHaveAttribute('aria-pressed', 'true')
    await locateFavoriteButtons(freshPage).nth(4).click()
    await expect(pressedButtons).toHaveCount(4)

    isSyncRefused = false
    for (const page of [oldPage, freshPage]) await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect.poll(async () => (await fetchServerFavorites(site, token)).length).toBe(5)
    await freshPage.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(pressedButtons).toHaveCount(5)
  })
})
