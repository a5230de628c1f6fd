import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Locator, Page } from '@playwright/test'
import { SqliteFile } from '../server/storage/sqlite-driver.ts'
import { catalogueIds } from './catalogue.ts'
import { expectOutboxCount, fetchIdToken, fetchServerFavorites, locateFavoriteButtons, logIn } from './favorites-steps.ts'
import { expect, startTestCatalogueSite, stoppedServerErrors, test } from './fixtures.ts'
import {
  callIdentityService,
  createCredentials,
  locateButton,
  locateField,
  openHydratedPage,
  signInByRequest,
  signOut,
  signUpByRequest,
  submitLogIn,
} from './identity/steps.ts'
import { killBrowser, waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { expectPlaying, mainNavigation, mainRegion, pageHeading, waitForHydration } from './steps.ts'

const CHANGE_COUNT = 50

const locatePressedFavorites = (page: Page) => mainRegion(page).getByRole('button', { name: /^Favorite: /, pressed: true })
const locateFavoritesRegion = (page: Page): Locator => mainRegion(page).getByRole('region', { name: /^Favorites/ })

/** Reads from the server's database how many changes were applied, and the sum of the versions of all favorite lists. */
function countServerRows(site: Site): { applied: number; version: number } {
  const database = new SqliteFile(join(site.dataDir, 'varispeed.sqlite'), { readonly: true })
  try {
    const readNumber = (sql: string) => Number(Object.values(Object(database.prepare(sql).get()))[0])
    return { applied: readNumber('select count(*) from applied_changes'), version: readNumber('select sum(version) from favorite_lists') }
  } finally {
    database.close()
  }
}

test('favorites: 50 changes made offline survive a killed browser and are sent once; another device receives them when its page gets the focus', {
  tag: '@long',
}, async ({ page: otherPage, faults }) => {
  test.setTimeout(180_000)
  faults.expect(stoppedServerErrors)
  faults.expect(/status of 503/)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
  let site = await startTestCatalogueSite(dataDir)
  const { port } = site
  const credentials = createCredentials()
  try {
    await signUpByRequest(site.origin(), credentials)
    await signInByRequest(otherPage, site.origin(), credentials)
    await openHydratedPage(otherPage, `${site.origin()}/account`)
    await expect(mainRegion(otherPage)).toContainText('There are no songs in your favorites.')
    await waitForStoredPage(otherPage)
    await withBrowserProfile(async (openBrowser) => {
      const { page: firstPage, context } = await openBrowser()
      await signInByRequest(firstPage, site.origin(), credentials)
      // Chromium writes changes of localStorage to disk within 5 s.
      const loginOnDiskPromise = setTimeout(6_000)
      await openHydratedPage(firstPage, `${site.origin()}/playlist?p=${catalogueIds.plainPlaylist}`)
      await waitForServiceWorker(firstPage)
      await waitForStoredPage(firstPage)
      await site.stop()

      // The clicks run in the page, because Playwright would scroll to each button.
      await locateFavoriteButtons(firstPage).evaluateAll((buttons: HTMLElement[], count) => {
        for (const button of buttons.slice(0, count)) button.click()
      }, CHANGE_COUNT)
      await expect(locatePressedFavorites(firstPage)).toHaveCount(CHANGE_COUNT)
      await expectOutboxCount(firstPage, CHANGE_COUNT)
      await loginOnDiskPromise
      await killBrowser(context)

      const { page } = await openBrowser()
      await openHydratedPage(page, `${site.origin()}/playlist?p=${catalogueIds.plainPlaylist}`)
      await expect(locatePressedFavorites(page)).toHaveCount(CHANGE_COUNT)
      await openHydratedPage(page, `${site.origin()}/storage`)
      await expect(mainRegion(page)).toContainText('Not sent yet')

      site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir })
      const token = await fetchIdToken(site, credentials)
      await expect.poll(async () => (await fetchServerFavorites(site, token)).length, { timeout: 60_000 }).toBe(CHANGE_COUNT)
      await expectOutboxCount(page, 0)
      expect(countServerRows(site)).toEqual({ applied: CHANGE_COUNT, version: CHANGE_COUNT })
      expect(new Set(await fetchServerFavorites(site, token)).size).toBe(CHANGE_COUNT)
    })
    await otherPage.bringToFront()
    await otherPage.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(locateFavoritesRegion(otherPage)).toContainText('50')
    await expect(
      locateFavoritesRegion(otherPage)
        .getByRole('link', { name: /^Long road/ })
        .first(),
    ).toBeVisible()
  } finally {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test.describe('favorites, with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('favorites: if two accounts have unsent changes on one device, each change is sent for the account that made it', {
    tag: '@long',
  }, async ({ page, context, testCatalogueSite: site, faults }) => {
    test.setTimeout(180_000)
    faults.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const [annCredentials, bobCredentials] = [createCredentials(), createCredentials()]
    for (const credentials of [annCredentials, bobCredentials]) await signUpByRequest(site.origin(), credentials)
    await signInByRequest(page, site.origin(), annCredentials)
    await openHydratedPage(page, `${site.origin()}/playlist?p=${catalogueIds.plainPlaylist}`)
    await waitForServiceWorker(page)
    await waitForStoredPage(page)
    await context.setOffline(true)
    for (let songIndex = 0; songIndex < 3; songIndex++) await locateFavoriteButtons(page).nth(songIndex).click()
    await expectOutboxCount(page, 3)
    await mainNavigation(page)
      .getByRole('button', { name: /^Account: / })
      .click()
    await mainNavigation(page).getByRole('button', { name: 'Sign out' }).click()
    const signOutDialog = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
    await signOutDialog.getByRole('button', { name: 'Sign out and keep them' }).click()
    await expect(mainNavigation(page).getByRole('link', { name: 'Login' })).toBeVisible()

    await context.setOffline(false)
    await signInByRequest(page, site.origin(), bobCredentials)
    await openHydratedPage(page, `${site.origin()}/account`)
    await expect(mainRegion(page)).toContainText('There are no songs in your favorites.')
    await openHydratedPage(page, `${site.origin()}/storage`)
    await expect(mainRegion(page)).not.toContainText('Long road')
    await openHydratedPage(page, `${site.origin()}/playlist?p=${catalogueIds.plainPlaylist}`)
    await expect(locatePressedFavorites(page)).toHaveCount(0)
    await locateFavoriteButtons(page).nth(10).click()
    const [annToken, bobToken] = [await fetchIdToken(site, annCredentials), await fetchIdToken(site, bobCredentials)]
    await expect.poll(() => fetchServerFavorites(site, bobToken)).toHaveLength(1)
    expect(await fetchServerFavorites(site, annToken), 'nothing of hers was sent in his name, or without her').toEqual([])
    await expectOutboxCount(page, 3)

    await signOut(page)
    await signInByRequest(page, site.origin(), annCredentials)
    await openHydratedPage(page, `${site.origin()}/account`)
    await expect.poll(() => fetchServerFavorites(site, annToken)).toHaveLength(3)
    expect(await fetchServerFavorites(site, bobToken)).toHaveLength(1)
    await expect(locateFavoritesRegion(page).getByRole('link', { name: /^Long road/ })).toHaveCount(3)
  })
})

test('favorites: a favorite is shown after a reload and in another tab, and can be played; Undo removes it again', async ({
  page,
  context,
  testCatalogueSite,
  platform,
}) => {
  const origin = testCatalogueSite.origin()
  const credentials = createCredentials()
  await signUpByRequest(origin, credentials)
  await signInByRequest(page, testCatalogueSite.origin(), credentials)
  await openHydratedPage(page, `${origin}/song?s=${catalogueIds.accented}`)
  const heartButton = mainRegion(page).getByRole('button', { name: 'Favorite', exact: true })
  await expect(heartButton).toHaveAttribute('aria-pressed', 'false')
  await heartButton.click()
  await expect(heartButton).toHaveAttribute('aria-pressed', 'true')
  const otherPage = await context.newPage()
  await openHydratedPage(otherPage, `${origin}/account`)
  await expect(locateFavoritesRegion(otherPage).getByRole('link', { name: 'Señorita Über Café' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(heartButton).toHaveAttribute('aria-pressed', 'false')
  await expect(mainRegion(otherPage)).toContainText('There are no songs in your favorites.')
  await heartButton.click()
  const token = await fetchIdToken(testCatalogueSite, credentials)
  await expect.poll(() => fetchServerFavorites(testCatalogueSite, token)).toEqual([catalogueIds.accented])
  await page.reload()
  await waitForHydration(page)
  await expect(heartButton).toHaveAttribute('aria-pressed', 'true')
  await mainRegion(otherPage).getByRole('button', { name: 'Play Favorites' }).click()
  await expect(otherPage).toHaveURL(`${origin}/song?s=${catalogueIds.accented}&p=favorite`)
  await expectPlaying(otherPage, platform, catalogueIds.accented)
})

test('favorites: if favorites cannot be loaded, Play Favorites reports the failure instead of an empty list', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  faults,
}) => {
  faults.expect(/ERR_FAILED/)
  const credentials = createCredentials()
  await signUpByRequest(testCatalogueSite.origin(), credentials)
  await signInByRequest(page, testCatalogueSite.origin(), credentials)
  await page.route('**/api/favorite/sync', (route) => route.abort())
  await openHydratedPage(page, `${testCatalogueSite.origin()}/account`)
  await mainRegion(page).getByRole('button', { name: 'Play Favorites' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Your favorites could not be loaded.' })).toBeVisible()
  await page.unroute('**/api/favorite/sync')
  await page.reload()
  await waitForHydration(page)
  await mainRegion(page).getByRole('button', { name: 'Play Favorites' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'There are no songs in your favorites.' })).toBeVisible()
})

test('favorites: a favorite that is added after the password was changed elsewhere is sent after the next login', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  faults,
}) => {
  faults.expect(/status of 40[01]/)
  const origin = testCatalogueSite.origin()
  const credentials = createCredentials()
  const newPassword = `${credentials.password}-new`
  await signUpByRequest(origin, credentials)
  await signInByRequest(page, origin, credentials)
  const syncResponsePromise = page.waitForResponse(/\/api\/favorite\/sync$/)
  await openHydratedPage(page, `${origin}/playlist?p=${catalogueIds.plainPlaylist}`)
  await syncResponsePromise
  const idToken = await fetchIdToken(testCatalogueSite, credentials)
  expect(await callIdentityService(origin, 'update', { idToken, password: newPassword, returnSecureToken: true })).toMatchObject({
    status: 200,
  })
  await locateFavoriteButtons(page).nth(1).click()
  await expect(mainNavigation(page).getByRole('link', { name: 'Login' })).toBeVisible()
  await logIn(page, testCatalogueSite, { ...credentials, password: newPassword })
  const newToken = await fetchIdToken(testCatalogueSite, { ...credentials, password: newPassword })
  await expect.poll(() => fetchServerFavorites(testCatalogueSite, newToken)).toHaveLength(1)
})

test('favorites: a favorite that is requested before the login is added after sign-up, a reload and login', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
}) => {
  const credentials = createCredentials()
  await openHydratedPage(page, `${testCatalogueSite.origin()}/playlist?p=${catalogueIds.plainPlaylist}`)
  await locateFavoriteButtons(page).nth(2).click()
  await page.getByRole('dialog', { name: 'Login required' }).getByRole('link', { name: 'Sign up' }).click()
  await locateField(page, 'Email').fill(credentials.email)
  await locateField(page, 'Password').fill(credentials.password)
  await locateButton(page, 'Sign up').click()
  await expect(pageHeading(page)).toHaveText('Log in')
  await page.reload()
  await waitForHydration(page)
  await submitLogIn(page, credentials)
  await expect(page).toHaveURL(/\/playlist\?/)
  await expect(page.getByText(/^Added to your favorites/)).toBeVisible()
  await expect(locateFavoriteButtons(page).nth(2)).toHaveAttribute('aria-pressed', 'true')
})

test('favorites: a sync without changes transfers less than a kilobyte', async ({ page, testCatalogueSite }) => {
  const credentials = createCredentials()
  await signUpByRequest(testCatalogueSite.origin(), credentials)
  await signInByRequest(page, testCatalogueSite.origin(), credentials)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const transferredBytes: number[] = []
  const sentBytesByRequestId = new Map<string, number>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/api/favorite/sync')) sentBytesByRequestId.set(requestId, request.postData?.length ?? 0)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const sentSync = sentBytesByRequestId.get(requestId)
    if (sentSync !== undefined) transferredBytes.push(sentSync + encodedDataLength)
  })
  await openHydratedPage(page, `${testCatalogueSite.origin()}/account`)
  await expect.poll(() => transferredBytes.length).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  const transferCountBefore = transferredBytes.length
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(() => transferredBytes.length).toBeGreaterThan(transferCountBefore)
  expect(transferredBytes.at(-1), 'bytes of the body, and of the answer with its headers').toBeLessThan(1000)
})
