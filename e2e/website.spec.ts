import { createCheckout, createSignedEvent, createSubscription, WEBHOOK_SECRET } from '../server/payments/testing/signed-events.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, locateButton, locateField, openHydratedPage, submitLogIn } from './identity/steps.ts'
import { startSite } from './server.ts'
import { mainRegion, pageHeading, waitForHydration } from './steps.ts'

const DAY_SECONDS = 86_400

test('website: a person signs up, pays by signed payment events, and opens a website on a subdomain; the website is locked when the subscription ends', {
  tag: '@long',
}, async ({ page, faults, platform }) => {
  test.setTimeout(120_000)
  faults.expect(/status of 40[349]/)
  const site = await startSite({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET })
  let eventCount = 0
  /** Sends a signed event as the payment provider does. */
  const sendPaymentEvent = async (eventType: string, eventObject: Record<string, unknown>) => {
    const atMs = Date.now()
    const { payload, headers } = createSignedEvent(
      { id: `evt_${++eventCount}`, type: eventType, created: Math.floor(atMs / 1000) + eventCount, object: eventObject },
      { nowMs: atMs, secret: WEBHOOK_SECRET },
    )
    const response = await fetch(`http://127.0.0.1:${site.port}/api/webhooks/stripe`, { method: 'POST', headers, body: payload })
    expect(response.status).toBe(200)
  }
  try {
    const credentials = createCredentials()
    await openHydratedPage(page, `${site.origin()}/signup`)
    await locateField(page, 'Email').fill(credentials.email)
    await locateField(page, 'Password').fill(credentials.password)
    await locateButton(page, 'Sign up').click()
    await expect(page).toHaveURL(/\/login$/)
    // Waits for the login page, because the forms of both pages have fields with the same names.
    await expect(pageHeading(page)).toHaveText('Log in')
    await submitLogIn(page, credentials)
    await expect(page).toHaveURL(`${site.origin()}/`)

    await openHydratedPage(page, `${site.origin()}/account/website`)
    await expect(mainRegion(page).getByRole('region', { name: 'Content locked' })).toBeVisible()
    const uid = await page.evaluate(() => JSON.parse(localStorage.getItem('signed-in') ?? '{}').uid as string)
    const nowSeconds = Math.floor(Date.now() / 1000)
    await sendPaymentEvent('checkout.session.completed', createCheckout('cus_a', 'sub_a', { client_reference_id: uid }))
    await sendPaymentEvent(
      'customer.subscription.created',
      createSubscription('cus_a', 'sub_a', 'active', nowSeconds + 30 * DAY_SECONDS, 'premium_plus'),
    )
    await openHydratedPage(page, `${site.origin()}/account`)
    await expect(mainRegion(page).getByRole('region', { name: 'Your plan' })).toContainText(/Premium\+Paid until /)

    await openHydratedPage(page, `${site.origin()}/account/website`)
    await locateField(page, 'Domain name').fill('aria')
    await locateButton(page, 'Activate').click()
    await expect(mainRegion(page).getByRole('alert')).toHaveText('This domain name is taken. Please choose another.')
    // The message about the earlier name is gone.
    await locateField(page, 'Domain name').fill('admin')
    await locateButton(page, 'Activate').click()
    await expect(mainRegion(page).getByRole('alert')).toHaveText('This domain name is reserved. Please choose another.')
    await locateField(page, 'Domain name').fill('mika')
    const otherTab = await page.context().newPage()
    await openHydratedPage(otherTab, `${site.origin()}/account/website`)
    await expect(locateField(otherTab, 'Domain name')).toBeVisible()
    await locateButton(page, 'Activate').click()
    await expect(mainRegion(page).getByText('Your site has been activated!')).toBeVisible()
    await test.step('a tab that still shows the activation form shows the website after the form is sent', async () => {
      await locateField(otherTab, 'Domain name').fill('mika-two')
      await locateButton(otherTab, 'Activate').click()
      await expect(locateField(otherTab, 'Domain name')).toHaveValue('mika')
      await expect(locateButton(otherTab, 'Save')).toBeVisible()
      await expect(mainRegion(otherTab).getByText('Your site has been activated!')).toHaveCount(0)
      await otherTab.close()
    })
    await locateField(page, 'Name').fill('Mika Sound')
    await expect(mainRegion(page).getByRole('region', { name: 'Preview' })).toContainText('Mika Sound')
    await locateButton(page, 'Save').click()
    await expect(locateField(page, 'YouTube')).toBeFocused()
    await locateField(page, 'YouTube').fill('@mika')
    await locateButton(page, 'Add a link').click()
    const link = page.getByRole('group', { name: 'Link 1' })
    await link.getByRole('textbox', { name: 'Title' }).fill('Request a song')
    await link.getByRole('textbox', { name: 'Address' }).fill('ko-fi.com/mika')
    await locateButton(page, 'Add a song').click()
    await page.getByRole('group', { name: 'Song 1' }).getByRole('textbox', { name: 'Title' }).fill('Harbour')
    await page.getByRole('group', { name: 'Song 1' }).getByRole('textbox', { name: 'Address' }).fill('https://youtu.be/mmmmmmmmmm1')
    await test.step('the focus stays in the list when an entry is removed', async () => {
      await locateButton(page, 'Add a song').click()
      await locateButton(page, 'Remove Song 2').click()
      await expect(locateButton(page, 'Remove Song 1')).toBeFocused()
    })
    await test.step('typed texts survive leaving the page, and Discard restores the saved texts', async () => {
      await expect(page.getByText('Unsaved changes')).toBeVisible()
      await page.getByRole('navigation', { name: 'Account' }).getByRole('link', { name: 'Dashboard' }).click()
      await expect(pageHeading(page)).toHaveText('Dashboard')
      await page.goBack()
      await expect(locateField(page, 'YouTube')).toHaveValue('https://www.youtube.com/@mika')
      await expect(link.getByRole('textbox', { name: 'Address' })).toHaveValue('https://ko-fi.com/mika')
      await expect(mainRegion(page).getByRole('region', { name: 'Preview' })).toContainText('Request a song')
      await expect(mainRegion(page).getByRole('region', { name: 'Preview' })).toContainText('Harbour')
    })
    await locateField(page, 'Subtitle').fill('Fast songs from the harbour')
    await locateField(page, 'About me').fill('I sing.\nI dance.')
    await locateField(page, 'Contact email').fill('mika@example.org')
    await locateButton(page, 'Save').click()
    await expect(mainRegion(page).getByText('Your website has been updated!')).toBeVisible()

    await page.goto(`${site.origin('mika')}/`)
    await waitForHydration(page)
    await expect(page).toHaveTitle(/^Mika Sound/)
    await expect(pageHeading(page)).toHaveText('Mika Sound')
    await expect(mainRegion(page)).toContainText('Fast songs from the harbour')
    await expect(mainRegion(page)).toContainText('Donator')
    await expect(page.getByRole('navigation', { name: 'Links' }).getByRole('link', { name: 'Request a song' })).toBeInViewport()
    const supportSection = mainRegion(page).locator('#support')
    await expect(supportSection.getByRole('link', { name: 'Send an email' })).toHaveAttribute('href', 'mailto:mika@example.org')
    await expect(supportSection.getByRole('link', { name: 'YouTube' })).toHaveAttribute('href', 'https://www.youtube.com/@mika')
    const songButtons = mainRegion(page).getByRole('button', { name: /^Play .+ by / })
    await expect(songButtons).toHaveCount(8)
    await expect(songButtons.first()).toHaveAccessibleName('Play Harbour by Mika Sound')
    await expect(mainRegion(page).getByRole('heading', { name: /^From / })).toBeVisible()
    await expect(mainRegion(page).locator('#more').getByRole('listitem')).toHaveCount(6)
    for (const anchor of ['Videos', 'Support', 'More', 'About']) {
      await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: anchor }).click()
      await expect(page).toHaveURL(new RegExp(`#${anchor.toLowerCase()}$`))
    }
    await songButtons.first().click()
    const videoRegion = page.getByRole('complementary')
    await expect(videoRegion).toBeVisible()
    await expect.poll(() => platform.readPlayingIds(page)).toHaveLength(1)
    // When a video ends, the next song of the site follows, and the focus stays where it is.
    const [firstId] = await platform.readPlayingIds(page)
    const nextName = (await songButtons.nth(1).getAttribute('aria-label'))?.replace(/^Play (.+) by .+/, 'Video: $1') ?? ''
    await platform.finishVideo(page)
    await expect(videoRegion).toHaveAccessibleName(nextName)
    await expect.poll(() => platform.readPlayingIds(page)).not.toContain(firstId)
    await expect.poll(() => platform.readPlayingIds(page)).toHaveLength(1)
    await page.keyboard.press('Escape')
    await expect(videoRegion).toHaveCount(0)
    await expect(songButtons.first()).toBeFocused()
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then(({ length }) => length))).toBe(0)

    expect((await page.goto(`${site.origin('mika')}/nothing`))?.status()).toBe(404)
    await expect(pageHeading(page)).toHaveText('Page not found')
    await waitForHydration(page)
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeInViewport()

    await openHydratedPage(page, `${site.origin()}/account/website`)
    await expect(mainRegion(page).getByRole('region', { name: 'Visitors' })).toContainText(/Visits1/)
    await expect(mainRegion(page).getByRole('img', { name: /QR code/ })).toBeVisible()

    await locateField(page, 'Show my site to everyone').uncheck()
    await locateButton(page, 'Save').click()
    await expect(mainRegion(page).getByText('Your site is hidden. Its address leads to the main site.')).toBeVisible()
    await locateField(page, 'Show my site to everyone').check()
    await locateButton(page, 'Save').click()
    await expect(mainRegion(page).getByText('Your site is hidden.')).toHaveCount(0)

    // The subscription was cancelled, and its period is over.
    await sendPaymentEvent(
      'customer.subscription.deleted',
      createSubscription('cus_a', 'sub_a', 'canceled', nowSeconds - 60, 'premium_plus'),
    )
    await openHydratedPage(page, `${site.origin()}/account/website`)
    await expect(mainRegion(page).getByRole('region', { name: 'Content locked' })).toBeVisible()
    const hiddenText = ' is kept, but hidden until you renew your subscription\\.'
    await expect(mainRegion(page).getByRole('status')).toHaveText(
      new RegExp(`^Premium\\+ ended on \\w+ \\d+, \\d{4}\\. Your site ${new URL(site.origin('mika')).host}${hiddenText}$`),
    )
    await openHydratedPage(page, `${site.origin()}/account/promotion`)
    await expect(mainRegion(page).getByRole('status')).toHaveText(/^Premium\+ ended on \w+ \d+, \d{4}\.$/)
    await openHydratedPage(page, `${site.origin()}/account`)
    const planRegion = mainRegion(page).getByRole('region', { name: 'Your plan' })
    await expect(planRegion).toContainText(/No subscriptionPremium\+ ended on \w+ \d+, \d{4}\./)
    await expect(planRegion.getByRole('link', { name: 'Subscribe' })).toBeVisible()
    await page.goto(`${site.origin('mika')}/?again`)
    await expect(page).toHaveURL(`${site.origin()}/`)
    await page.waitForLoadState('networkidle')
    await page.goto('about:blank')
  } finally {
    await site.stop()
  }
})
