import { expect } from '../fixtures.ts'
import type { JourneyTest } from './journey-test.ts'
import {
  countTokenRefreshes,
  createCredentials,
  createExpiringSoonMs,
  expectSignedIn,
  expectSignedOut,
  logIn,
  openDashboard,
  openHydratedPage,
  readStoredTokens,
  reloadWithChangedTokens,
  signOut,
  signUpByRequest,
  submitLogIn,
} from './steps.ts'

export function declareSessionTests(test: JourneyTest) {
  test('the login persists after a reload and in a new page; a token is refreshed once, soon before it expires', { tag: '@long' }, async ({
    page,
    context,
    identitySite,
    hasDifference,
  }) => {
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await logIn(page, credentials)
    const refreshCounter = countTokenRefreshes(page)
    await page.reload()
    await expectSignedIn(page, credentials)
    await openDashboard(page, credentials)
    const otherPage = await context.newPage()
    await openDashboard(otherPage, credentials)
    expect(refreshCounter.count, 'a valid token is not refreshed').toBe(0)
    await otherPage.close()

    await test.step('the API returns the account of the ID token', async () => {
      const token = (await readStoredTokens(page))?.accessToken
      const response = await fetch(`${identitySite.origin.replace('localhost', '127.0.0.1')}/api/account/getinfo`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (hasDifference('tokens-unsigned')) expect(response.status).toBe(401)
      else expect(await response.json()).toMatchObject({ code: 200, data: { email: credentials.email, roles: [] } })
    })

    await test.step('a token that expires soon is refreshed once before it is sent', async () => {
      const apiRequestPromise = page.waitForRequest(/\/api\/account\/getinfo/)
      // The test counts the token refreshes of one page load. A second load would abort a refresh that the first load began, and refresh
      // once more.
      await reloadWithChangedTokens(page, { expirationTime: createExpiringSoonMs() }, '/account')
      const sentAuthorization = (await apiRequestPromise).headers().authorization
      await expect.poll(async () => (await readStoredTokens(page))?.expirationTime).toBeGreaterThan(Date.now() + 50 * 60_000)
      expect(refreshCounter.count).toBe(1)
      expect(sentAuthorization).toBe(`Bearer ${(await readStoredTokens(page))?.accessToken}`)
      await openDashboard(page, credentials)
      expect(refreshCounter.count).toBe(1)
    })
  })

  test('login and sign-out take effect in other tabs', { tag: '@long' }, async ({ page, context, identitySite }) => {
    const [firstCredentials, secondCredentials] = [createCredentials(), createCredentials()]
    await signUpByRequest(identitySite.serviceOrigin, firstCredentials)
    await signUpByRequest(identitySite.serviceOrigin, secondCredentials)
    const otherPage = await context.newPage()
    await openHydratedPage(otherPage, '/playlists')
    await expectSignedOut(otherPage)
    await logIn(page, firstCredentials)
    await expectSignedIn(otherPage, firstCredentials)
    await openDashboard(otherPage, firstCredentials)
    await signOut(page)
    // Account pages redirect to the login page after the sign-out.
    await expect(otherPage).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(otherPage)
    await submitLogIn(otherPage, secondCredentials)
    await expect(otherPage).toHaveURL(/\/account$/)
    await expectSignedIn(page, secondCredentials)
    await openDashboard(page, secondCredentials)
  })
}
