import type { Page } from '@playwright/test'
import { expect } from '../fixtures.ts'
import { main } from '../steps.ts'
import type { JourneyTest } from './journey-test.ts'
import {
  alert,
  anybody,
  button,
  expectSignedIn,
  expectSignedOut,
  field,
  logIn,
  open,
  openDashboard,
  register,
  reloadWithTokens,
  soon,
  submitLogIn,
  WRONG_CURRENT,
  WRONG_PAIR,
} from './steps.ts'

const REFUSED = /status of 40[01]/
const USED = 'This link was used already, or a newer one was sent. Ask for a new one.'
const EXPIRED = 'This link has expired. Ask for a new one.'

async function askForReset(page: Page, email: string) {
  await open(page, '/forgot-password')
  await field(page, 'Email').fill(email)
  await button(page, 'Send the link').click()
  await expect(main(page).getByRole('status')).toContainText('a mail is on its way')
}

async function choosePassword(page: Page, password: string, confirm = password) {
  await field(page, 'Password').fill(password)
  await field(page, 'Confirm password').fill(confirm)
  await button(page, 'Reset password').click()
}

/** A link that cannot be used offers no form, but the way to another one. */
async function expectDeadLink(page: Page, link: string, words: string) {
  await open(page, link)
  await expect(alert(page)).toHaveText(words)
  await expect(field(page, 'Password')).toHaveCount(0)
  await expect(main(page).getByRole('link', { name: 'Ask for a new link' })).toHaveAttribute('href', '/forgot-password')
}

export function declarePasswords(test: JourneyTest) {
  test('a forgotten password is chosen anew by the link of a mail', async ({ page, otherPage, peer, faults, lacks }) => {
    faults.expect(REFUSED)
    const before = anybody()
    const after = { ...before, password: 'tempo170' }
    await register(peer.serviceOrigin, before)
    await logIn(otherPage, before)

    await askForReset(page, before.email)
    await open(page, await peer.resetLinkFor(before.email))
    await expect(main(page)).toContainText(`Choose a new password for ${before.email}.`)
    await choosePassword(page, after.password, 'tempo171')
    await expect(alert(page)).toHaveText('Passwords do not match')
    await choosePassword(page, 'abc')
    await expect(alert(page)).toContainText('It needs 6 characters or more.')
    await choosePassword(page, after.password)
    await expect(page).toHaveURL((url) => url.pathname === '/login' && url.searchParams.get('success') === 'Password reset successfully.')
    await expect(main(page).getByText('Password reset successfully.')).toBeVisible()

    await submitLogIn(page, before)
    await expect(alert(page)).toHaveText(WRONG_PAIR)
    await submitLogIn(page, after)
    await expectSignedIn(page, after)

    await test.step('the other browser is signed out at its next renewal', async () => {
      await reloadWithTokens(otherPage, { expirationTime: Date.now() - 1000 })
      if (lacks('sessions-survive-reset')) return openDashboard(otherPage, before)
      await otherPage.goto('/account')
      await expectSignedOut(otherPage)
    })
  })

  test('a link works once, and only the newest', async ({ page, peer, faults, lacks }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await askForReset(page, somebody.email)
    const older = await peer.resetLinkFor(somebody.email)
    await askForReset(page, somebody.email)
    const newer = await peer.resetLinkFor(somebody.email)
    if (lacks('older-links-work')) {
      await open(page, older)
      await expect(field(page, 'Password')).toBeVisible()
    } else await expectDeadLink(page, older, USED)

    await open(page, newer)
    await choosePassword(page, 'tempo170')
    await expect(page).toHaveURL(/\/login\?/)
    await expectDeadLink(page, newer, USED)
    await expectDeadLink(page, '/reset-password?oobCode=not-a-code', USED)
    await expectDeadLink(page, '/reset-password', USED)
  })

  test('a link that was not used in time has expired, also under the form that it opened', async ({
    page,
    context,
    peer,
    faults,
    lacks,
  }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await askForReset(page, somebody.email)
    const link = await peer.resetLinkFor(somebody.email)
    await open(page, link)
    await expect(field(page, 'Password')).toBeVisible()
    await peer.expireCodes()
    if (lacks('codes-never-expire')) {
      await open(page, link)
      await choosePassword(page, 'tempo170')
      await expect(page).toHaveURL(/\/login\?/)
      return
    }
    await choosePassword(page, 'tempo170')
    await expect(alert(page)).toHaveText(EXPIRED)
    await expectDeadLink(await context.newPage(), link, EXPIRED)
    await logIn(page, somebody)
  })

  test('the password is changed by who knows it', async ({ page, otherPage, peer, faults, lacks }) => {
    faults.expect(REFUSED)
    const before = anybody()
    const after = { ...before, password: 'tempo170' }
    await register(peer.serviceOrigin, before)
    await logIn(otherPage, before)
    await logIn(page, before)
    await open(page, '/account/change-password')
    const fill = async (current: string, next: string, confirm: string) => {
      await field(page, 'Current password').fill(current)
      await field(page, 'New password').fill(next)
      await field(page, 'Confirm new password').fill(confirm)
      await button(page, 'Change password').click()
    }
    for (const [current, next, confirm, words] of [
      ['', after.password, after.password, 'Please fill in the current password field'],
      [before.password, '', after.password, 'Please fill in both new password fields'],
      [before.password, after.password, '', 'Please fill in both new password fields'],
      [before.password, after.password, 'tempo171', 'Passwords do not match'],
      ['wrong160', after.password, after.password, WRONG_CURRENT],
    ] as const) {
      await fill(current, next, confirm)
      await expect(alert(page)).toHaveText(words)
    }
    await fill(before.password, 'abc', 'abc')
    await expect(alert(page)).toContainText('It needs 6 characters or more.')
    await fill(before.password, after.password, after.password)
    await expect(main(page).getByText('Password updated successfully. This will take effect the next time you log in.')).toBeVisible()
    await expect(field(page, 'Current password')).toHaveValue('')

    await test.step('this browser stays signed in, the other one does not, whatever time its token has left', async () => {
      await openDashboard(page, before)
      if (lacks('sessions-survive-change')) {
        await reloadWithTokens(otherPage, { expirationTime: Date.now() - 1000 })
        await openDashboard(otherPage, before)
      } else {
        await reloadWithTokens(otherPage, { expirationTime: soon() })
        await otherPage.goto('/account')
        await expectSignedOut(otherPage)
      }
    })
    await test.step('only the new password logs in', async () => {
      await open(otherPage, '/login')
      await otherPage.evaluate(() => localStorage.clear())
      await open(otherPage, '/login')
      await submitLogIn(otherPage, before)
      await expect(alert(otherPage)).toHaveText(WRONG_PAIR)
      await submitLogIn(otherPage, after)
      await expectSignedIn(otherPage, after)
    })
  })
}
