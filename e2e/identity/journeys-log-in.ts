import { expect } from '../fixtures.ts'
import { heading, main } from '../steps.ts'
import type { JourneyTest } from './journey-test.ts'
import { LOG_INS_MAX } from './peer.ts'
import {
  alert,
  anybody,
  askService,
  button,
  expectSignedIn,
  expectSignedOut,
  field,
  logIn,
  open,
  openDashboard,
  register,
  storedTokens,
  submitLogIn,
  WRONG_CURRENT,
  WRONG_PAIR,
} from './steps.ts'

const REFUSED = /status of 400/

export function declareLogIns(test: JourneyTest) {
  test('sign up, log in, and see whose account it is', async ({ page }) => {
    const somebody = anybody()
    await open(page, '/signup')
    await field(page, 'Email').fill(somebody.email)
    await field(page, 'Password').fill(somebody.password)
    await button(page, 'Sign up').click()
    await expect(page).toHaveURL(/\/login$/)
    await expect(main(page).getByRole('status').filter({ hasText: 'Your account is ready.' })).toBeVisible()
    await expectSignedOut(page)
    // Filled in already.
    await expect(field(page, 'Email')).toHaveValue(somebody.email)
    await field(page, 'Password').fill(somebody.password)
    await button(page, 'Log in').click()
    await expect(page).toHaveURL(/\/$/)
    await expectSignedIn(page, somebody)
    await openDashboard(page, somebody)
    await expect(main(page)).toContainText('There are no songs in your favorites.')
  })

  test('an address has one account, however it is written', async ({ page, peer, faults }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    for (const email of [somebody.email, somebody.email.toUpperCase()]) {
      await open(page, '/signup')
      await field(page, 'Email').fill(email)
      await field(page, 'Password').fill('another160')
      await button(page, 'Sign up').click()
      await expect(alert(page)).toHaveText('There is an account with this email already. Log in, or reset its password.')
      await expect(page).toHaveURL(/\/signup$/)
    }
    await open(page, '/login')
    await submitLogIn(page, { ...somebody, email: somebody.email.toUpperCase() })
    await expectSignedIn(page, somebody)
  })

  test('a password that is too short is said to be, before and after it is sent', async ({ page, faults, lacks }) => {
    faults.expect(REFUSED)
    const policy = page.waitForResponse(/\/passwordPolicy/)
    await open(page, '/signup')
    const rule = main(page).getByRole('listitem').filter({ hasText: '6 characters or more' })
    await expect(rule).toContainText(': missing')
    expect((await policy).status()).toBe(lacks('no-password-policy') ? 501 : 200)
    await field(page, 'Email').fill(anybody().email)
    await field(page, 'Password').fill('tempo')
    await expect(rule).toContainText(': missing')
    await button(page, 'Sign up').click()
    await expect(alert(page)).toContainText('This password is not what the site asks for. It needs 6 characters or more.')
    await field(page, 'Password').fill('tempo1')
    await expect(rule).toContainText(': done')
    await button(page, 'Sign up').click()
    await expect(page).toHaveURL(/\/login$/)
  })

  test('a wrong password and an unknown address are answered alike', async ({ page, peer, faults, lacks }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    const nobody = anybody()
    await register(peer.serviceOrigin, somebody)
    for (const email of [somebody.email, nobody.email]) {
      await open(page, '/login')
      await submitLogIn(page, { email, password: 'wrong160' })
      await expect(alert(page)).toHaveText(WRONG_PAIR)
    }
    await expectSignedOut(page)
    expect(await storedTokens(page)).toBeUndefined()

    await open(page, '/forgot-password')
    for (const { email } of [somebody, nobody]) {
      await field(page, 'Email').fill(email)
      await main(page).getByRole('button', { name: /^Send/ }).click()
      await expect(main(page).getByRole('status')).toContainText(`If there is an account for ${email}, a mail is on its way.`)
    }

    const answers = [somebody, nobody].map(({ email }) =>
      askService(peer.serviceOrigin, 'signInWithPassword', { email, password: 'wrong160' }),
    )
    const [known, unknown] = await Promise.all(answers)
    if (lacks('tells-who-is-here')) expect(known).not.toEqual(unknown)
    else expect(known).toEqual(unknown)
  })

  test('too many failures are stopped, even for who then knows the password', async ({ page, peer, faults, lacks }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    for (let failures = 0; failures < LOG_INS_MAX; failures++)
      await askService(peer.serviceOrigin, 'signInWithPassword', { ...somebody, password: 'wrong160' })
    await open(page, '/login')
    await submitLogIn(page, somebody)
    if (lacks('no-limits')) await expectSignedIn(page, somebody)
    else await expect(alert(page)).toContainText('There were too many attempts.')
  })

  test('a confirmed address is known at once, in this tab and another', async ({ page, context, peer }) => {
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    await openDashboard(page, somebody)
    await button(page, 'Send me a link').click()
    await expect(
      main(page)
        .getByRole('status')
        .filter({ hasText: `A mail with a link is on its way to ${somebody.email}.` }),
    ).toBeVisible()
    const mailTab = await context.newPage()
    await open(mailTab, await peer.verifyLinkFor(somebody.email))
    await expect(heading(mailTab)).toHaveText('Confirm your email')
    await button(mailTab, 'Confirm').click()
    await expect(mailTab.getByText('Your address is confirmed.')).toBeVisible()
    await expect(mailTab).toHaveURL(/\/account$/)
    for (const each of [mailTab, page]) await expect(button(each, 'Send me a link')).toHaveCount(0)
  })

  test('a disabled account is signed out at the next reload, and told why when it logs in', async ({ page, peer, faults }) => {
    faults.expect(/status of 40[01]/)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    await openDashboard(page, somebody)
    // Until the site has said what it has to say of the account: the next word comes after the reload.
    await expect(page.getByText('Not linked')).toBeVisible()
    await peer.disable(somebody.email)
    await page.reload()
    await expect(page).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(page)
    expect(await storedTokens(page)).toBeUndefined()
    await submitLogIn(page, somebody)
    await expect(alert(page)).toContainText('This account is disabled.')
  })

  test('an account is removed by its password, and its address is free again', async ({ page, peer, faults }) => {
    faults.expect(REFUSED)
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    await openDashboard(page, somebody)
    await button(page, 'Delete account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
    await dialog.getByLabel('Current password').fill('wrong160')
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await expect(dialog.getByRole('alert')).toHaveText(WRONG_CURRENT)
    await dialog.getByLabel('Current password').fill(somebody.password)
    const deleted = page.waitForResponse(/\/api\/account\/delete$/)
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    expect((await deleted).status()).toBe(200)
    await expect(page.getByText('Your account has been deleted.')).toBeVisible()
    await expect(page).toHaveURL(/\/$/)
    await expectSignedOut(page)
    await open(page, '/login')
    await submitLogIn(page, somebody)
    await expect(alert(page)).toHaveText(WRONG_PAIR)
    await register(peer.serviceOrigin, somebody)
  })
}
