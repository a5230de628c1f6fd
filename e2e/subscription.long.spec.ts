import {
  createCheckout,
  createDispute,
  createInvoice,
  createInvoicePayment,
  createSignedEvent,
  createSubscription,
  WEBHOOK_SECRET,
} from '../server/payments/testing/signed-events.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, locateButton, locateField, openHydratedPage, submitLogIn } from './identity/steps.ts'
import { startSite } from './server.ts'
import { mainRegion, pageHeading } from './steps.ts'

const DAY_SECONDS = 86_400
const BILLING_PORTAL_URL = 'https://pay.example/portal'

test('subscription: after sign-up and payment, /subscribe shows the plan, also once it is upgraded, paused, disputed or ended; a second subscription is refused', {
  tag: '@long',
}, async ({ page, faults }) => {
  test.setTimeout(180_000)
  faults.expect(/status of 40[39]/)
  const site = await startSite({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET })
  const startSeconds = Math.floor(Date.now() / 1000)
  let eventCount = 0
  /** Sends a signed event as the payment provider does. Each event is a second newer than the one before. */
  const sendPaymentEvent = async (eventType: string, eventObject: Record<string, unknown>) => {
    const event = { id: `evt_${++eventCount}`, type: eventType, created: startSeconds + eventCount, object: eventObject }
    const { payload, headers } = createSignedEvent(event, { nowMs: Date.now(), secret: WEBHOOK_SECRET })
    const response = await fetch(`http://127.0.0.1:${site.port}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })
    expect(response.status).toBe(200)
  }
  const createSubscriptionObject = (status: string, days: number, fields: Record<string, unknown> & { price?: string } = {}) =>
    createSubscription('cus_a', 'sub_a', status, startSeconds + days * DAY_SECONDS, 'premium', fields)
  const locatePlanCard = (name: string) => mainRegion(page).getByRole('article', { name, exact: true })
  const locateCardLink = (cardName: string, name: string) => locatePlanCard(cardName).getByRole('link', { name, exact: true })
  const openPlans = () => openHydratedPage(page, `${site.origin()}/subscribe`)
  try {
    for (const [settingKey, settingValue] of [
      ['CUSTOMER_PORTAL', BILLING_PORTAL_URL],
      ['CHECKOUT_PREMIUM', 'https://buy.example/premium'],
      ['CHECKOUT_PREMIUM_PLUS', 'https://buy.example/plus'],
      ['PRICE_PREMIUM', 'price_a'],
      ['PRICE_PREMIUM_PLUS', 'price_b'],
    ] as const)
      await site.runAdmin('settings', 'set', settingKey, settingValue, '--brand', 'nightcore-meridian')
    await page.context().route('https://buy.example/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>Checkout</h1>' }))
    const credentials = createCredentials()
    await openHydratedPage(page, `${site.origin()}/signup`)
    await locateField(page, 'Email').fill(credentials.email)
    await locateField(page, 'Password').fill(credentials.password)
    await locateButton(page, 'Sign up').click()
    await expect(pageHeading(page)).toHaveText('Log in')
    await submitLogIn(page, credentials)
    await expect(page).toHaveURL(`${site.origin()}/`)
    const uid = await page.evaluate(() => JSON.parse(localStorage.getItem('signed-in') ?? '{}').uid as string)

    await test.step('a press of Subscribe opens the checkout of the account in a new tab; the page that stays open notices the payment', async () => {
      await openPlans()
      const popupPromise = page.waitForEvent('popup')
      await locateCardLink('Premium', 'Subscribe').click()
      const checkoutPage = await popupPromise
      await expect(checkoutPage).toHaveURL(new RegExp(`premium\\?prefilled_email=.+&client_reference_id=${uid}$`))
      await expect(mainRegion(page).getByText('Waiting for the payment')).toBeVisible()
      // The events arrive in the wrong order.
      await sendPaymentEvent('customer.subscription.created', createSubscriptionObject('active', 30, { price: 'price_a' }))
      await sendPaymentEvent('invoice.paid', createInvoice('cus_a', 'sub_a', startSeconds + 30 * DAY_SECONDS))
      await sendPaymentEvent(
        'checkout.session.completed',
        createCheckout('cus_a', 'sub_a', { client_reference_id: uid, metadata: { plan: 'premium' } }),
      )
      await checkoutPage.close()
      await expect(mainRegion(page).getByText('Thank you, Premium is on.')).toBeVisible()
      await expect(locatePlanCard('Premium')).toContainText(/Your plan · until .+ It renews automatically/)
      await expect(locateCardLink('Premium', 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
      await expect(mainRegion(page).getByRole('link', { name: 'Subscribe' })).toHaveCount(0)
    })

    await test.step('a tab that still offers the plan opens no second checkout', async () => {
      // A page that was loaded before the payment, as on another device.
      await page.route('**/api/account/getinfo', (route) =>
        route.fulfill({ json: { code: 200, message: 'OK', data: { email: '', roles: [], grants: [], discord: '', discord_id: '' } } }),
      )
      await openPlans()
      await locateCardLink('Premium+', 'Subscribe').click()
      await expect(locatePlanCard('Premium+')).toContainText('You have a subscription already')
      await expect(locateCardLink('Premium+', 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
      await page.unroute('**/api/account/getinfo')
    })

    await test.step('after an upgrade in the portal, the page shows the plan whose price the event contains', async () => {
      await sendPaymentEvent('customer.subscription.updated', createSubscriptionObject('active', 30, { price: 'price_b' }))
      await openPlans()
      await expect(locatePlanCard('Premium+')).toContainText('Your plan · until')
      await expect(locateCardLink('Premium', 'Change to Premium')).toHaveAttribute('href', BILLING_PORTAL_URL)
    })

    await test.step('the dialog for deleting the account says when the card is charged again', async () => {
      await openHydratedPage(page, `${site.origin()}/account`)
      await locateButton(page, 'Delete account').click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText(/Your card is charged again on .+ unless you end your subscription first: Manage/)
      await dialog.getByRole('button', { name: 'Keep my account' }).click()
    })

    await test.step('while the subscription is paused, the plan stays until the end of the paid period, and is not renewed', async () => {
      const pausedSubscription = { price: 'price_b', pause_collection: { behavior: 'void', resumes_at: null } }
      await sendPaymentEvent('customer.subscription.updated', createSubscriptionObject('active', 60, pausedSubscription))
      await openPlans()
      await expect(locatePlanCard('Premium+')).toContainText('Your plan · until')
      await expect(locatePlanCard('Premium+')).not.toContainText('renews')
      await sendPaymentEvent('customer.subscription.updated', createSubscriptionObject('active', 60, { price: 'price_b' }))
    })

    await test.step('a lost dispute ends the plan, but no second subscription is offered while the first one lives; the next payment brings the plan back', async () => {
      await sendPaymentEvent('charge.dispute.closed', createDispute('pi_a', 'lost'))
      await sendPaymentEvent('invoice_payment.paid', createInvoicePayment('in_1', 'pi_a'))
      // The subscription is still active at the payment provider, which charges it again, so that a second one would be charged beside it.
      await expect(async () => {
        await openPlans()
        await expect(mainRegion(page).getByRole('alert')).toContainText('Your last payment was disputed and taken back', { timeout: 2000 })
      }).toPass()
      for (const cardName of ['Premium', 'Premium+'])
        await expect(locateCardLink(cardName, 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
      await expect(mainRegion(page).getByRole('link', { name: 'Subscribe' })).toHaveCount(0)
      await sendPaymentEvent('invoice.paid', createInvoice('cus_a', 'sub_a', startSeconds + 60 * DAY_SECONDS, null, 'in_2'))
      await openPlans()
      await expect(locatePlanCard('Premium+')).toContainText('Your plan · until')
      await expect(mainRegion(page).getByRole('alert')).toHaveCount(0)
    })

    await test.step('after the subscription has ended, the page offers the plans again, and the account page says which plan ended', async () => {
      await sendPaymentEvent('customer.subscription.deleted', createSubscriptionObject('canceled', 60, { price: 'price_b' }))
      await expect(async () => {
        await openPlans()
        await expect(locateCardLink('Premium', 'Subscribe')).toBeVisible({ timeout: 2000 })
      }).toPass()
      await openHydratedPage(page, `${site.origin()}/account`)
      await expect(mainRegion(page).getByRole('region', { name: 'Your plan' })).toContainText(/No subscriptionPremium\+ ended on /)
    })
    await page.goto('about:blank')
  } finally {
    await site.stop()
  }
})
