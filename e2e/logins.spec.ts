import type { Browser, Page } from '@playwright/test'
import { expectOutboxCount, fetchIdToken, fetchServerFavorites, locateFavoriteButtons, logIn } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import {
  type Credentials,
  createCredentials,
  expectSignedIn,
  expectSignedOut,
  locateButton,
  openHydratedPage,
  signUpByRequest,
} from './identity/steps.ts'
import type { Site } from './server.ts'
import { fetchApi } from './steps.ts'

/** Logs `page` and a second device in to a new account. The request for the sign-up counts as a third login. */
async function logInTwice(page: Page, browser: Browser, site: Site): Promise<{ otherPage: Page; credentials: Credentials }> {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const other = await (await browser.newContext()).newPage()
  for (const device of [page, other]) await logIn(device, site, credentials)
  return { otherPage: other, credentials }
}

/** On the account page, signs out the two other logins. */
async function endOtherLogins(page: Page) {
  await openHydratedPage(page, '/account')
  const endButtons = locateButton(page, 'Sign out there')
  for (const count of [2, 1]) {
    await expect(endButtons).toHaveCount(count)
    await endButtons.first().click()
  }
  await expect(endButtons).toHaveCount(0)
}

test('logins: one device signs the other devices out, which then ask to log in again', { tag: '@long' }, async ({
  page,
  browser,
  site,
  faults,
}) => {
  faults.expect(/40[01]/)
  const { otherPage } = await logInTwice(page, browser, site)
  await endOtherLogins(page)
  await expect(page.getByRole('region', { name: 'Where you are logged in' }).getByText('This device')).toHaveCount(1)
  await openHydratedPage(otherPage, `${site.origin()}/account`)
  await expect(otherPage).toHaveURL(/\/login/)
  await expect(otherPage.getByText('You were signed out. Log in again to continue.')).toBeVisible()
  await locateButton(page, 'Sign out everywhere').click()
  await expect(page).toHaveURL(/\/$/)
  await otherPage.context().close()
})

test('logins: a device that another device signs out keeps its unsent favorite, and sends it after the next login', {
  tag: '@long',
}, async ({ page, browser, site, faults }) => {
  test.setTimeout(180_000)
  faults.expect(/40[01]/)
  const { otherPage, credentials } = await logInTwice(page, browser, site)
  const playlist = (await fetchApi(site, 'GET /playlist/all')).find((each) => each.song_count > 3)
  await openHydratedPage(otherPage, `${site.origin()}/playlist?p=${playlist?.id}`)
  await otherPage.context().setOffline(true)
  await locateFavoriteButtons(otherPage).first().click()
  await expectOutboxCount(otherPage, 1)
  await endOtherLogins(page)

  await otherPage.context().setOffline(false)
  await expectSignedOut(otherPage)
  await expectOutboxCount(otherPage, 1)
  expect(await fetchServerFavorites(site, await fetchIdToken(site, credentials))).toEqual([])

  await logIn(otherPage, site, credentials)
  await expectSignedIn(otherPage, credentials)
  await expectOutboxCount(otherPage, 0)
  expect(await fetchServerFavorites(site, await fetchIdToken(site, credentials))).toHaveLength(1)
  await otherPage.context().close()
})
