import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import { mainRegion } from '../steps.ts'
import type { IdentityTestSite } from './identity-test-site.ts'
import type { JourneyTest } from './journey-test.ts'
import {
  callIdentityService,
  createCredentials,
  createExpiringSoonMs,
  expectSignedIn,
  expectSignedOut,
  locateButton,
  locateErrorAlert,
  locateField,
  logIn,
  openDashboard,
  openHydratedPage,
  reloadWithChangedTokens,
  signOut,
  signUpByRequest,
  submitLogIn,
  WRONG_CREDENTIALS_TEXT,
  WRONG_CURRENT_PASSWORD_TEXT,
} from './steps.ts'

const REFUSED_REQUEST_ERROR = /status of 40[01]/
const USED_LINK_TEXT = 'This link was already used, or a newer one was sent. Ask for a new one.'
const EXPIRED_LINK_TEXT = 'This link has expired. Ask for a new one.'

async function requestReset(page: Page, email: string) {
  await openHydratedPage(page, '/forgot-password')
  await locateField(page, 'Email').fill(email)
  await locateButton(page, 'Send the link').click()
  await expect(mainRegion(page).getByRole('status')).toContainText('a link is on its way')
}

async function choosePassword(page: Page, password: string, confirmedPassword = password) {
  await locateField(page, 'Password').fill(password)
  await locateField(page, 'Confirm password').fill(confirmedPassword)
  await locateButton(page, 'Reset password').click()
}

const requestResetWithoutForm = async (identitySite: IdentityTestSite, email: string) =>
  expect(await callIdentityService(identitySite.serviceOrigin, 'sendOobCode', { requestType: 'PASSWORD_RESET', email })).toMatchObject({
    status: 200,
  })

/** Expects that an invalid reset link shows an error and a link to request another mail, but no form. */
async function expectInvalidLink(page: Page, linkUrl: string, expectedText: string) {
  await openHydratedPage(page, linkUrl)
  await expect(locateErrorAlert(page)).toHaveText(expectedText)
  await expect(locateField(page, 'Password')).toHaveCount(0)
  await expect(mainRegion(page).getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password')
}

export function declarePasswordTests(test: JourneyTest) {
  test('a forgotten password is replaced through the link in a mail', { tag: '@long' }, async ({
    page,
    otherPage,
    identitySite,
    faults,
    hasDifference,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const oldCredentials = createCredentials()
    const newCredentialsOfUser = { ...oldCredentials, password: 'tempo170' }
    await signUpByRequest(identitySite.serviceOrigin, oldCredentials)
    await logIn(otherPage, oldCredentials)

    await requestReset(page, oldCredentials.email)
    await openHydratedPage(page, await identitySite.waitForResetLink(oldCredentials.email))
    await expect(mainRegion(page)).toContainText(`Choose a new password for ${oldCredentials.email}.`)
    await choosePassword(page, newCredentialsOfUser.password, 'tempo171')
    await expect(locateErrorAlert(page)).toHaveText('Passwords do not match')
    await choosePassword(page, 'abc')
    await expect(locateErrorAlert(page)).toContainText('This password needs 8 characters or more.')
    await choosePassword(page, newCredentialsOfUser.password)
    await expect(page).toHaveURL((url) => url.pathname === '/login' && url.searchParams.get('success') === 'Password reset successfully')
    await expect(mainRegion(page).getByText('Password reset successfully')).toBeVisible()

    await submitLogIn(page, oldCredentials)
    await expect(locateErrorAlert(page)).toHaveText(WRONG_CREDENTIALS_TEXT)
    await submitLogIn(page, newCredentialsOfUser)
    await expectSignedIn(page, newCredentialsOfUser)

    await test.step('the other browser is signed out when it refreshes its token', async () => {
      await reloadWithChangedTokens(otherPage, { expirationTime: Date.now() - 1000 })
      if (hasDifference('sessions-survive-reset')) return openDashboard(otherPage, oldCredentials)
      await otherPage.goto('/account')
      await expectSignedOut(otherPage)
    })
  })

  test('a reset link that is mailed again within ten minutes is the same, and works only once', { tag: '@long' }, async ({
    page,
    identitySite,
    faults,
    hasDifference,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await requestResetWithoutForm(identitySite, credentials.email)
    const olderLink = await identitySite.waitForResetLink(credentials.email)
    await requestResetWithoutForm(identitySite, credentials.email)
    const newerLink = await identitySite.waitForResetLink(credentials.email)
    if (hasDifference('older-links-work')) {
      await openHydratedPage(page, olderLink)
      await expect(locateField(page, 'Password')).toBeVisible()
    } else expect(newerLink).toBe(olderLink)

    await openHydratedPage(page, newerLink)
    await choosePassword(page, 'tempo170')
    await expect(page).toHaveURL(/\/login\?/)
    await expectInvalidLink(page, newerLink, USED_LINK_TEXT)
    await expectInvalidLink(page, '/reset-password?oobCode=not-a-code', USED_LINK_TEXT)
    await expectInvalidLink(page, '/reset-password', USED_LINK_TEXT)
  })

  test('a reset link expires, also while its form is open', { tag: '@long' }, async ({
    page,
    context,
    identitySite,
    faults,
    hasDifference,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const credentials = createCredentials()
    await signUpByRequest(identitySite.serviceOrigin, credentials)
    await requestResetWithoutForm(identitySite, credentials.email)
    const link = await identitySite.waitForResetLink(credentials.email)
    await openHydratedPage(page, link)
    await expect(locateField(page, 'Password')).toBeVisible()
    await identitySite.expireCodes()
    if (hasDifference('codes-never-expire')) {
      await openHydratedPage(page, link)
      await choosePassword(page, 'tempo170')
      await expect(page).toHaveURL(/\/login\?/)
      return
    }
    await choosePassword(page, 'tempo170')
    await expect(locateErrorAlert(page)).toHaveText(EXPIRED_LINK_TEXT)
    await expectInvalidLink(await context.newPage(), link, EXPIRED_LINK_TEXT)
    await logIn(page, credentials)
  })

  test('changing the password requires the current one', { tag: '@long' }, async ({
    page,
    otherPage,
    identitySite,
    faults,
    hasDifference,
  }) => {
    faults.expect(REFUSED_REQUEST_ERROR)
    const oldCredentials = createCredentials()
    const newCredentialsOfUser = { ...oldCredentials, password: 'tempo170' }
    await signUpByRequest(identitySite.serviceOrigin, oldCredentials)
    await logIn(otherPage, oldCredentials)
    await logIn(page, oldCredentials)
    await openHydratedPage(page, '/account/change-password')
    const fillPasswords = async (currentPassword: string, newPassword: string, confirmedPassword: string) => {
      await locateField(page, 'Current password').fill(currentPassword)
      await locateField(page, 'New password').fill(newPassword)
      await locateField(page, 'Confirm new password').fill(confirmedPassword)
      await locateButton(page, 'Change password').click()
    }
    for (const [currentPassword, newPassword, repeatedPassword, expectedWords] of [
      ['', newCredentialsOfUser.password, newCredentialsOfUser.password, 'Please fill in the current password field'],
      [oldCredentials.password, '', newCredentialsOfUser.password, 'Please fill in both new password fields'],
      [oldCredentials.password, newCredentialsOfUser.password, '', 'Please fill in both new password fields'],
      [oldCredentials.password, newCredentialsOfUser.password, 'tempo171', 'Passwords do not match'],
      ['wrong160', newCredentialsOfUser.password, newCredentialsOfUser.password, WRONG_CURRENT_PASSWORD_TEXT],
    ] as const) {
      await fillPasswords(currentPassword, newPassword, repeatedPassword)
      await expect(locateErrorAlert(page)).toHaveText(expectedWords)
    }
    await fillPasswords(oldCredentials.password, 'abc', 'abc')
    await expect(locateErrorAlert(page)).toContainText('This password needs 8 characters or more.')
    await fillPasswords(oldCredentials.password, newCredentialsOfUser.password, newCredentialsOfUser.password)
    await expect(mainRegion(page).getByText('Password updated successfully. This will take effect the next time you log in.')).toBeVisible()
    await expect(locateField(page, 'Current password')).toHaveValue('')

    await test.step('this browser stays signed in, the other one is signed out although its token has not expired', async () => {
      await openDashboard(page, oldCredentials)
      if (hasDifference('sessions-survive-change')) {
        await reloadWithChangedTokens(otherPage, { expirationTime: Date.now() - 1000 })
        await openDashboard(otherPage, oldCredentials)
      } else {
        await reloadWithChangedTokens(otherPage, { expirationTime: createExpiringSoonMs() })
        await otherPage.goto('/account')
        await expectSignedOut(otherPage)
      }
    })
    await test.step('only the new password logs in', async () => {
      if (hasDifference('sessions-survive-change')) await signOut(otherPage)
      await openHydratedPage(otherPage, '/login')
      await submitLogIn(otherPage, oldCredentials)
      await expect(locateErrorAlert(otherPage)).toHaveText(WRONG_CREDENTIALS_TEXT)
      await submitLogIn(otherPage, newCredentialsOfUser)
      await expectSignedIn(otherPage, newCredentialsOfUser)
    })
  })
}
