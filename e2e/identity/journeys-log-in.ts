import { expect } from '../fixtures.ts'
import { mainRegion, pageHeading } from '../steps.ts'
import { FAILED_LOGINS_MAX } from './identity-test-site.ts'
import type { JourneyTest } from './journey-test.ts'
import {
  callIdentityService,
  createCredentials,
  expectSignedIn,
  expectSignedOut,
  locateButton,
  locateErrorAlert,
  locateField,
  logIn,
  openDashboard,
  openHydratedPage,
  readStoredTokens,
  signUpByRequest,
  submitLogIn,
  WRONG_CREDENTIALS_TEXT,
  WRONG_CURRENT_PASSWORD_TEXT,
} from './steps.ts'

const REFUSED_REQUEST_ERROR = /status of 400/

export function declareLoginTests(test: JourneyTest) {
  // For the embedded service, this test runs only in `npm run test:long`, because `account-pages.spec.ts` signs up and logs in with the
  // same forms.
  test('after sign-up and login the account page shows the email', { tag: '@long' }, async ({ page }) => {
    const credentials = createCredentials()
    await openHydratedPage(page, '/signup')
    await locateField(page, 'Email').fill(credentials.email)
    await locateField(page, 'Password').fill(credentials.password)
    await locateButton(page, 'Sign up').click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(mainRegion(page).getByRole('status').filter({ hasText: 'Your account is ready.' })).toBeVisible()
    await expectSignedOut(page)
    // Expects that the email is prefilled.
    await expect(locateField(page, 'Email')).toHaveValue(credentials.email)
    await locateField(page, 'Password').fill(credentials.password)
    await locateButton(page, 'Log in').click()
    await expect(page).toHaveURL(/\/$/)
    await expectSignedIn(page, credentials)
    await openDashboard(page, credentials)
    await expect(mainRegion(page)).toContainText('There are no songs in your favorites.')
  })

  test('sign-up refuses a password that is too short, before and after it is sent, and a second account of an email address in any letter case', {
    tag: '@long',
  }, async ({ page, identitySite, faults, hasDifference }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const policyResponsePromise = page.waitForResponse(/\/passwordPolicy/)
    await openHydratedPage(page, '/signup')
    const lengthRuleItem = mainRegion(page).getByRole('listitem').filter({ hasText: '8 characters or more' })
    await expect(lengthRuleItem).toContainText(': missing')
    expect((await policyResponsePromise).status()).toBe(hasDifference('no-password-policy') ? 501 : 200)
    await locateField(page, 'Email').fill(createCredentials().email)
    await locateField(page, 'Password').fill('tempo16')
    await expect(lengthRuleItem).toContainText(': missing')
    await locateButton(page, 'Sign up').click()
    await expect(locateErrorAlert(page)).toContainText('This password needs 8 characters or more.')
    await expect(locateField(page, 'Password')).toBeFocused()
    await locateField(page, 'Password').fill('tempo161')
    await expect(lengthRuleItem).toContainText(': done')
    await locateButton(page, 'Sign up').click()
    await expect(page).toHaveURL(/\/login$/)

    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    for (const email of [credentials.email, credentials.email.toUpperCase()]) {
      await openHydratedPage(page, '/signup')
      await locateField(page, 'Email').fill(email)
      await locateField(page, 'Password').fill('another160')
      await locateButton(page, 'Sign up').click()
      await expect(locateErrorAlert(page)).toHaveText('There is already an account with this email. Log in, or reset its password.')
      await expect(page).toHaveURL(/\/signup$/)
    }
    await openHydratedPage(page, '/login')
    await submitLogIn(page, { ...credentials, email: credentials.email.toUpperCase() })
    await expectSignedIn(page, credentials)
  })

  test('a wrong password and an unknown address get the same response', { tag: '@long' }, async ({
    page,
    identitySite,
    faults,
    hasDifference,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const credentials = createCredentials()
    const unregisteredCredentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    for (const email of [credentials.email, unregisteredCredentials.email]) {
      await openHydratedPage(page, '/login')
      await submitLogIn(page, { email, password: 'wrong160' })
      await expect(locateErrorAlert(page)).toHaveText(WRONG_CREDENTIALS_TEXT)
    }
    await expectSignedOut(page)
    expect(await readStoredTokens(page)).toBeUndefined()

    await openHydratedPage(page, '/forgot-password')
    for (const { email } of [credentials, unregisteredCredentials]) {
      await locateField(page, 'Email').fill(email)
      await mainRegion(page).getByRole('button', { name: /^Send/ }).click()
      await expect(mainRegion(page).getByRole('status')).toContainText(`If ${email} has an account, a link is on its way.`)
    }

    const resetResponses = [credentials, unregisteredCredentials].map(({ email }) =>
      callIdentityService(identitySite.serviceOrigin, 'signInWithPassword', { email, password: 'wrong160' }),
    )
    const [knownResponse, unknownResponse] = await Promise.all(resetResponses)
    if (hasDifference('reveals-accounts')) expect(knownResponse).not.toEqual(unknownResponse)
    else expect(knownResponse).toEqual(unknownResponse)

    await test.step('too many failures block the login, also with the right password', async () => {
      for (let failureCount = 0; failureCount < FAILED_LOGINS_MAX; failureCount++)
        await callIdentityService(identitySite.serviceOrigin, 'signInWithPassword', { ...credentials, password: 'wrong160' })
      await openHydratedPage(page, '/login')
      await submitLogIn(page, credentials)
      if (hasDifference('no-limits')) await expectSignedIn(page, credentials)
      else await expect(locateErrorAlert(page)).toContainText('There were too many attempts.')
    })
  })

  test('a confirmed email address is shown immediately in all tabs', { tag: '@long' }, async ({ page, context, identitySite }) => {
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await logIn(page, credentials)
    await openDashboard(page, credentials)
    await locateButton(page, 'Send me a link').click()
    await expect(
      mainRegion(page)
        .getByRole('status')
        .filter({ hasText: `We've sent a link to ${credentials.email}.` }),
    ).toBeVisible()
    const mailTab = await context.newPage()
    await openHydratedPage(mailTab, await identitySite.waitForVerifyLink(credentials.email))
    await expect(pageHeading(mailTab)).toHaveText('Confirm your email')
    await locateButton(mailTab, 'Confirm').click()
    await expect(mailTab.getByText('Your address is confirmed.')).toBeVisible()
    await expect(mailTab).toHaveURL(/\/account$/)
    for (const accountTab of [mailTab, page]) await expect(locateButton(accountTab, 'Send me a link')).toHaveCount(0)
  })

  test('a disabled account is signed out at the next reload, and the login shows why', { tag: '@long' }, async ({
    page,
    identitySite,
    faults,
  }) => {
    faults.expect(/status of 40[01]/)
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await logIn(page, credentials)
    await openDashboard(page, credentials)
    // Waits for the first lookup of the account, so that the reload causes the next lookup.
    await expect(page.getByText('Not linked')).toBeVisible()
    // Waits until the page's requests have ended: a request after the account is disabled would sign out before the reload, which is to
    // cause the sign-out.
    await page.waitForLoadState('networkidle')
    await identitySite.disableAccount(credentials.email)
    await page.reload()
    await expect(page).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(page)
    expect(await readStoredTokens(page)).toBeUndefined()
    await submitLogIn(page, credentials)
    await expect(locateErrorAlert(page)).toContainText('This account is disabled.')
  })

  test('an account is deleted after the password was entered, and its email can be registered again', { tag: '@long' }, async ({
    page,
    identitySite,
    faults,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await logIn(page, credentials)
    await openDashboard(page, credentials)
    await locateButton(page, 'Delete account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Current password').fill('wrong160')
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(WRONG_CURRENT_PASSWORD_TEXT)
    await dialog.getByLabel('Current password').fill(credentials.password)
    const deleteResponsePromise = page.waitForResponse(/\/api\/account\/delete$/)
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    expect((await deleteResponsePromise).status()).toBe(200)
    await expect(page.getByText('Your account has been deleted.')).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    await expectSignedOut(page)
    await openHydratedPage(page, '/login')
    await submitLogIn(page, credentials)
    await expect(locateErrorAlert(page)).toHaveText(WRONG_CREDENTIALS_TEXT)
    await signUpByRequest(identitySite.serviceOrigin, credentials)
  })
}
