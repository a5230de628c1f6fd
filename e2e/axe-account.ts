import type { Page } from '@playwright/test'
import type { RoleGrant } from '../contract/account.ts'
import { expectNoViolation } from './axe.ts'
import { type brands, expect, test } from './fixtures.ts'
import { waitForOutboxLink } from './identity/mail-files.ts'
import {
  accountMenu,
  buttonNamed,
  errorAlert,
  fieldLabeled,
  newCredentials,
  openHydratedPage,
  signInByRequest,
  signUpByRequest,
  submitLogIn,
} from './identity/steps.ts'
import { mainRegion, pageHeading } from './steps.ts'

const loginsOf = (page: Page) => page.getByRole('region', { name: 'Where you are logged in' })

/** Analyzes each state of the page that converts songs on the server. A Playwright route simulates the server's responses. */
async function expectConverterWithoutViolation(page: Page, origin: string) {
  const refusedStatus = {}
  let status: object = { state: 'running', progress: 0.5, file_name: 'song (+25%).mp3' }
  const createAnswer = (code: number, message: string, data: unknown) => ({ status: code, json: { code, message, data } })
  await page.route('**/api/make/convert', (route) =>
    route.fulfill(
      status === refusedStatus ? createAnswer(400, 'This file cannot be decoded.', null) : createAnswer(200, 'OK', '/api/make/file/1'),
    ),
  )
  await page.route('**/api/make/status*', (route) => route.fulfill(createAnswer(200, 'OK', status)))
  await page.route('**/api/make/cancel', (route) => route.fulfill(createAnswer(200, 'OK', null)))
  await openHydratedPage(page, `${origin}/account/make`)
  await expect(mainRegion(page)).toContainText('No history found.')
  await expectNoViolation(page, 'conversion, empty')
  await buttonNamed(page, 'Convert').click()
  await expect(errorAlert(page)).toHaveText('Please choose a file.')
  await expectNoViolation(page, 'conversion without a file')
  await fieldLabeled(page, 'Song').setInputFiles({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('song') })
  await buttonNamed(page, 'Convert').click()
  await expect(mainRegion(page).getByText('50 percent')).toBeAttached()
  await expectNoViolation(page, 'conversion, running')
  status = { state: 'done', progress: 1, file_name: 'song (+25%).mp3', url: '/api/make/file/1' }
  await expect(mainRegion(page).getByRole('link', { name: 'Click here to download your song!' })).toBeVisible()
  await expectNoViolation(page, 'conversion, done')
  status = refusedStatus
  await buttonNamed(page, 'Convert').click()
  await expect(errorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'conversion, refused')
  await page.route('**/api/make/history', (route) => route.abort('failed'))
  await openHydratedPage(page, `${origin}/account/make`)
  await expect(buttonNamed(page, 'Retry')).toBeVisible()
  await expectNoViolation(page, 'conversion, without a history')
  await page.unrouteAll()
}

/** Activates the website of the signed-in account. Analyzes the form for the website, and the website itself. */
async function expectWebsiteWithoutViolation(page: Page, origin: string, domainName: string) {
  await openHydratedPage(page, `${origin}/account/website`)
  await expect(buttonNamed(page, 'Activate')).toBeVisible()
  await expectNoViolation(page, 'a website that is not activated')
  await buttonNamed(page, 'Activate').click()
  await expect(errorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'a website without a domain name')
  await fieldLabeled(page, 'Domain name').fill(domainName)
  await buttonNamed(page, 'Activate').click()
  await expect(mainRegion(page).getByText('Your site has been activated!')).toBeVisible()
  await expectNoViolation(page, 'a website that was activated')
  await buttonNamed(page, 'Save').click()
  await expect(errorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'a website, refused')
  await fieldLabeled(page, 'YouTube').fill('https://www.youtube.com/@mika')
  await fieldLabeled(page, 'X').fill('https://x.com/mika')
  await fieldLabeled(page, 'Contact email').fill('mika@example.org')
  await buttonNamed(page, 'Save').click()
  await expect(mainRegion(page).getByText('Your website has been updated!')).toBeVisible()
  await expectNoViolation(page, 'a website that was saved')

  const siteOrigin = origin.replace('://', `://${domainName}.`)
  await page.goto(siteOrigin)
  await expectNoViolation(page, 'the site of a subscriber')
  await mainRegion(page)
    .getByRole('button', { name: /^Play / })
    .first()
    .click()
  await expect(page.getByRole('complementary')).toBeVisible()
  await expectNoViolation(page, 'the video of a site')
  await page.goto(`${siteOrigin}/nothing`)
  await expect(pageHeading(page)).toHaveText('Page not found')
  await expectNoViolation(page, 'an unknown address of a site')
}

/** Analyzes the page of the plans in three states: a plan is paid for, a payment is awaited, and a second subscription is refused. */
async function expectPlansWithoutViolation(page: Page, origin: string) {
  const answerInfo = (grants: readonly RoleGrant[]) =>
    page.route('**/api/account/getinfo', (route) =>
      route.fulfill({ json: { code: 200, message: 'OK', data: { email: '', roles: [], discord: '', discord_id: '', grants } } }),
    )
  await answerInfo([])
  await page.context().route('https://buy.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Checkout</h1>' }))
  await openHydratedPage(page, `${origin}/subscribe`)
  const subscribeLink = mainRegion(page).getByRole('link', { name: 'Subscribe' }).first()
  await page.route('**/api/account/checkout', (route) =>
    route.fulfill({ status: 409, json: { code: 409, message: 'You have a subscription already.', data: null } }),
  )
  await subscribeLink.click()
  await expect(mainRegion(page).getByText('You have a subscription already.')).toBeVisible()
  await expectNoViolation(page, 'the plans, a second subscription refused')
  await page.unroute('**/api/account/checkout')
  await subscribeLink.click()
  await expect(mainRegion(page).getByText('Waiting for the payment')).toBeVisible()
  await expectNoViolation(page, 'the plans, waiting for a payment')
  await answerInfo([{ role: 'subscriber', source: 'payment', plan: 'premium', until: '2099-05-31T00:00:00.000Z', renews: true }])
  await expect(mainRegion(page).getByText('Thank you')).toBeVisible()
  await expectNoViolation(page, 'the plans of a subscriber')
  await page.unroute('**/api/account/getinfo')
}

export function declareAccountPageAxeTests(brand: (typeof brands)[number], width: number) {
  const titleOf = (pagesDescription: string) => `axe, ${brand.name} at ${width} px: ${pagesDescription} have no violation`

  test(titleOf('the forms of a signed-out visitor, their errors, and invalid links of mails'), async ({ page, site, faults }) => {
    test.setTimeout(180_000)
    faults.expect(/status of 400/)
    const origin = site.origin(brand.subdomain)
    const credentials = newCredentials()
    await signUpByRequest(site.origin(), credentials)
    await page.setViewportSize({ width, height: 900 })

    await openHydratedPage(page, `${origin}/signup`)
    await expect(mainRegion(page).getByRole('listitem')).toContainText('8 characters or more')
    await expectNoViolation(page, 'sign up')
    await fieldLabeled(page, 'Email').fill(credentials.email)
    await fieldLabeled(page, 'Password').fill(credentials.password)
    await buttonNamed(page, 'Sign up').click()
    await expect(errorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'sign up, refused')

    await openHydratedPage(page, `${origin}/forgot-password`)
    await expectNoViolation(page, 'forgot password')
    await fieldLabeled(page, 'Email').fill(credentials.email)
    await buttonNamed(page, 'Send the link').click()
    await expect(mainRegion(page).getByRole('status')).toBeVisible()
    await expectNoViolation(page, 'forgot password, sent')

    await openHydratedPage(page, await waitForOutboxLink(site.dataDir, credentials.email, '/reset-password'))
    await fieldLabeled(page, 'Password').fill('tempo170')
    await fieldLabeled(page, 'Confirm password').fill('tempo171')
    await buttonNamed(page, 'Reset password').click()
    await expect(errorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'reset password, refused')

    await openHydratedPage(page, `${origin}/reset-password?oobCode=none`)
    await expect(errorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'an invalid link')
    await openHydratedPage(page, `${origin}/verify-email?oobCode=none`)
    await expect(buttonNamed(page, 'Log in')).toBeVisible()
    await expectNoViolation(page, 'confirm the email, not logged in')

    await openHydratedPage(page, `${origin}/login?success=Done`)
    await expectNoViolation(page, 'log in, with a message')
    await submitLogIn(page, { ...credentials, password: 'wrong160' })
    await expect(errorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'log in, refused')
  })

  test(titleOf('the pages of a signed-in account, its menu and its dialogs'), async ({ page, site, faults, platform: _ }) => {
    test.setTimeout(180_000)
    faults.expect(/status of 40[049]|ERR_FAILED/)
    const origin = site.origin(brand.subdomain)
    const credentials = newCredentials()
    await signUpByRequest(site.origin(), credentials)
    await page.setViewportSize({ width, height: 900 })
    await signInByRequest(page, site.origin(), credentials, origin)

    for (const key of ['CHECKOUT_PREMIUM', 'CHECKOUT_PREMIUM_PLUS'] as const)
      await site.admin('settings', 'set', key, 'https://buy.example/plan')
    await expectPlansWithoutViolation(page, origin)
    await openHydratedPage(page, `${origin}/login`)
    await expect(buttonNamed(page, 'Sign out')).toBeVisible()
    await expectNoViolation(page, 'log in, signed in already')
    await openHydratedPage(page, `${origin}/verify-email?oobCode=none`)
    await expectNoViolation(page, 'confirm the email')
    await buttonNamed(page, 'Confirm').click()
    await expect(errorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'confirm the email, refused')
    for (const [urlPath, title] of [
      ['/account/maker', 'Maker'],
      ['/account/promotion', 'Promotion'],
      ['/account/change-password', 'Change password'],
      ['/account', 'Dashboard'],
    ] as const) {
      await openHydratedPage(page, origin + urlPath)
      await expect(pageHeading(page)).toHaveText(title)
      await expectNoViolation(page, urlPath)
      if (title !== 'Change password') continue
      await buttonNamed(page, 'Change password').click()
      await expect(errorAlert(page)).toBeVisible()
      await expectNoViolation(page, 'change password, refused')
    }
    await expect(buttonNamed(page, 'Sign out there')).toBeVisible()
    await page.route('**/api/account/logins', () => {})
    await openHydratedPage(page, `${origin}/account`)
    await expect(loginsOf(page).getByText('Loading...')).toBeVisible()
    await expectNoViolation(page, 'the logins, loading')
    await page.unrouteAll()
    await page.route('**/api/account/logins', (route) => route.abort('failed'))
    await openHydratedPage(page, `${origin}/account`)
    await expect(loginsOf(page).getByRole('button', { name: 'Retry' })).toBeVisible()
    await expectNoViolation(page, 'the logins, offline')
    await page.unrouteAll()
    await loginsOf(page).getByRole('button', { name: 'Retry' }).click()
    await buttonNamed(page, 'Sign out there').first().click()
    await expect(page.getByText('was signed out.')).toBeVisible()
    await expectNoViolation(page, 'the logins, another one signed out')
    await accountMenu(page).click()
    await expectNoViolation(page, 'the account menu')
    await page.keyboard.press('Escape')
    await site.admin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
    for (const [urlPath, button] of [
      ['/account/promotion', 'Save'],
      ['/account/artwork', 'Send'],
    ] as const) {
      await openHydratedPage(page, origin + urlPath)
      await buttonNamed(page, button).click()
      await expect(errorAlert(page)).toBeVisible()
      await expectNoViolation(page, `${urlPath}, refused`)
    }
    await expectConverterWithoutViolation(page, origin)
    await expectWebsiteWithoutViolation(page, origin, `mika-${brand.id}-${width}`)
    await openHydratedPage(page, `${origin}/account`)
    await buttonNamed(page, 'Delete account').click()
    await page.getByRole('dialog').getByLabel('Current password').fill('wrong160')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await expectNoViolation(page, 'the delete dialog, refused')
  })
}
