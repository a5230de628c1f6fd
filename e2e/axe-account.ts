import type { Page } from '@playwright/test'
import type { RoleGrant } from '../contract/account.ts'
import { expectNoViolation } from './axe.ts'
import { type brands, expect, test } from './fixtures.ts'
import { waitForOutboxLink } from './identity/mail-files.ts'
import {
  createCredentials,
  locateAccountMenu,
  locateButton,
  locateErrorAlert,
  locateField,
  openHydratedPage,
  signInByRequest,
  signUpByRequest,
  submitLogIn,
} from './identity/steps.ts'
import { mainRegion, pageHeading } from './steps.ts'

const locateLogins = (page: Page) => page.getByRole('region', { name: 'Where you are logged in' })

/** Analyzes each state of the page that converts songs on the server. A Playwright route simulates the server's responses. */
async function expectConverterWithoutViolation(page: Page, origin: string) {
  const refusalMarker = {}
  let conversionStatus: object = { state: 'running', progress: 0.5, file_name: 'song (+25%).mp3' }
  const createAnswer = (code: number, message: string, data: unknown) => ({ status: code, json: { code, message, data } })
  await page.route('**/api/make/convert', (route) =>
    route.fulfill(
      conversionStatus === refusalMarker
        ? createAnswer(400, 'This file cannot be decoded.', null)
        : createAnswer(200, 'OK', '/api/make/file/1'),
    ),
  )
  await page.route('**/api/make/status*', (route) => route.fulfill(createAnswer(200, 'OK', conversionStatus)))
  await page.route('**/api/make/cancel', (route) => route.fulfill(createAnswer(200, 'OK', null)))
  await openHydratedPage(page, `${origin}/account/make`)
  await expect(mainRegion(page)).toContainText('No history found.')
  await expectNoViolation(page, 'conversion, empty')
  await locateButton(page, 'Convert').click()
  await expect(locateErrorAlert(page)).toHaveText('Please choose a file.')
  await expectNoViolation(page, 'conversion without a file')
  await locateField(page, 'Song').setInputFiles({ name: 'song.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('song') })
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByText('50 percent')).toBeAttached()
  await expectNoViolation(page, 'conversion, running')
  conversionStatus = { state: 'done', progress: 1, file_name: 'song (+25%).mp3', url: '/api/make/file/1' }
  await expect(mainRegion(page).getByRole('link', { name: 'Click here to download your song!' })).toBeVisible()
  await expectNoViolation(page, 'conversion, done')
  conversionStatus = refusalMarker
  await locateButton(page, 'Convert').click()
  await expect(locateErrorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'conversion, refused')
  await page.route('**/api/make/history', (route) => route.abort('failed'))
  await openHydratedPage(page, `${origin}/account/make`)
  await expect(locateButton(page, 'Retry')).toBeVisible()
  await expectNoViolation(page, 'conversion, without a history')
  await page.unrouteAll()
}

/** Activates the website of the signed-in account. Analyzes the form for the website, and the website itself. */
async function expectWebsiteWithoutViolation(page: Page, origin: string, domainName: string) {
  await openHydratedPage(page, `${origin}/account/website`)
  await expect(locateButton(page, 'Activate')).toBeVisible()
  await expectNoViolation(page, 'a website that is not activated')
  await locateButton(page, 'Activate').click()
  await expect(locateErrorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'a website without a domain name')
  await locateField(page, 'Domain name').fill(domainName)
  await locateButton(page, 'Activate').click()
  await expect(mainRegion(page).getByText('Your site has been activated!')).toBeVisible()
  await expectNoViolation(page, 'a website that was activated')
  await locateButton(page, 'Save').click()
  await expect(locateErrorAlert(page)).toBeVisible()
  await expectNoViolation(page, 'a website, refused')
  await locateField(page, 'YouTube').fill('https://www.youtube.com/@mika')
  await locateField(page, 'X').fill('https://x.com/mika')
  await locateField(page, 'Contact email').fill('mika@example.org')
  await locateButton(page, 'Save').click()
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
  const mockAccountInfo = (grants: readonly RoleGrant[]) =>
    page.route('**/api/account/getinfo', (route) =>
      route.fulfill({ json: { code: 200, message: 'OK', data: { email: '', roles: [], discord: '', discord_id: '', grants } } }),
    )
  await mockAccountInfo([])
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
  await mockAccountInfo([{ role: 'subscriber', source: 'payment', plan: 'premium', until: '2099-05-31T00:00:00.000Z', renews: true }])
  await expect(mainRegion(page).getByText('Thank you')).toBeVisible()
  await expectNoViolation(page, 'the plans of a subscriber')
  await page.unroute('**/api/account/getinfo')
}

export function declareAccountPageAxeTests(brand: (typeof brands)[number], viewportWidth: number) {
  const createTitle = (pagesDescription: string) => `axe, ${brand.name} at ${viewportWidth} px: ${pagesDescription} have no violation`

  test(createTitle('the forms of a signed-out visitor, their errors, and invalid links of mails'), async ({ page, site, faults }) => {
    test.setTimeout(180_000)
    faults.expect(/status of 400/)
    const origin = site.origin(brand.subdomain)
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    await page.setViewportSize({ width: viewportWidth, height: 900 })

    await openHydratedPage(page, `${origin}/signup`)
    await expect(mainRegion(page).getByRole('listitem')).toContainText('8 characters or more')
    await expectNoViolation(page, 'sign up')
    await locateField(page, 'Email').fill(credentials.email)
    await locateField(page, 'Password').fill(credentials.password)
    await locateButton(page, 'Sign up').click()
    await expect(locateErrorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'sign up, refused')

    await openHydratedPage(page, `${origin}/forgot-password`)
    await expectNoViolation(page, 'forgot password')
    await locateField(page, 'Email').fill(credentials.email)
    await locateButton(page, 'Send the link').click()
    await expect(mainRegion(page).getByRole('status')).toBeVisible()
    await expectNoViolation(page, 'forgot password, sent')

    await openHydratedPage(page, await waitForOutboxLink(site.dataDir, credentials.email, '/reset-password'))
    await locateField(page, 'Password').fill('tempo170')
    await locateField(page, 'Confirm password').fill('tempo171')
    await locateButton(page, 'Reset password').click()
    await expect(locateErrorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'reset password, refused')

    await openHydratedPage(page, `${origin}/reset-password?oobCode=none`)
    await expect(locateErrorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'an invalid link')
    await openHydratedPage(page, `${origin}/verify-email?oobCode=none`)
    await expect(locateButton(page, 'Log in')).toBeVisible()
    await expectNoViolation(page, 'confirm the email, not logged in')

    await openHydratedPage(page, `${origin}/login?success=Done`)
    await expectNoViolation(page, 'log in, with a message')
    await submitLogIn(page, { ...credentials, password: 'wrong160' })
    await expect(locateErrorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'log in, refused')
  })

  test(createTitle('the pages of a signed-in account, its menu and its dialogs'), async ({ page, site, faults, platform: _ }) => {
    test.setTimeout(180_000)
    faults.expect(/status of 40[049]|ERR_FAILED/)
    const origin = site.origin(brand.subdomain)
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    await page.setViewportSize({ width: viewportWidth, height: 900 })
    await signInByRequest(page, site.origin(), credentials, origin)

    for (const key of ['CHECKOUT_PREMIUM', 'CHECKOUT_PREMIUM_PLUS'] as const)
      await site.runAdmin('settings', 'set', key, 'https://buy.example/plan')
    await expectPlansWithoutViolation(page, origin)
    await openHydratedPage(page, `${origin}/login`)
    await expect(locateButton(page, 'Sign out')).toBeVisible()
    await expectNoViolation(page, 'log in, signed in already')
    await openHydratedPage(page, `${origin}/verify-email?oobCode=none`)
    await expectNoViolation(page, 'confirm the email')
    await locateButton(page, 'Confirm').click()
    await expect(locateErrorAlert(page)).toBeVisible()
    await expectNoViolation(page, 'confirm the email, refused')
    for (const [urlPath, pageTitle] of [
      ['/account/maker', 'Maker'],
      ['/account/promotion', 'Promotion'],
      ['/account/change-password', 'Change password'],
      ['/account', 'Dashboard'],
    ] as const) {
      await openHydratedPage(page, origin + urlPath)
      await expect(pageHeading(page)).toHaveText(pageTitle)
      await expectNoViolation(page, urlPath)
      if (pageTitle !== 'Change password') continue
      await locateButton(page, 'Change password').click()
      await expect(locateErrorAlert(page)).toBeVisible()
      await expectNoViolation(page, 'change password, refused')
    }
    await expect(locateButton(page, 'Sign out there')).toBeVisible()
    await page.route('**/api/account/logins', () => {})
    await openHydratedPage(page, `${origin}/account`)
    await expect(locateLogins(page).getByText('Loading...')).toBeVisible()
    await expectNoViolation(page, 'the logins, loading')
    await page.unrouteAll()
    await page.route('**/api/account/logins', (route) => route.abort('failed'))
    await openHydratedPage(page, `${origin}/account`)
    await expect(locateLogins(page).getByRole('button', { name: 'Retry' })).toBeVisible()
    await expectNoViolation(page, 'the logins, offline')
    await page.unrouteAll()
    await locateLogins(page).getByRole('button', { name: 'Retry' }).click()
    await locateButton(page, 'Sign out there').first().click()
    await expect(page.getByText('was signed out.')).toBeVisible()
    await expectNoViolation(page, 'the logins, another one signed out')
    await locateAccountMenu(page).click()
    await expectNoViolation(page, 'the account menu')
    await page.keyboard.press('Escape')
    await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
    for (const [urlPath, buttonName] of [
      ['/account/promotion', 'Save'],
      ['/account/artwork', 'Send'],
    ] as const) {
      await openHydratedPage(page, origin + urlPath)
      await locateButton(page, buttonName).click()
      await expect(locateErrorAlert(page)).toBeVisible()
      await expectNoViolation(page, `${urlPath}, refused`)
    }
    await expectConverterWithoutViolation(page, origin)
    await expectWebsiteWithoutViolation(page, origin, `mika-${brand.id}-${viewportWidth}`)
    await openHydratedPage(page, `${origin}/account`)
    await locateButton(page, 'Delete account').click()
    await page.getByRole('dialog').getByLabel('Current password').fill('wrong160')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete for good' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await expectNoViolation(page, 'the delete dialog, refused')
  })
}
