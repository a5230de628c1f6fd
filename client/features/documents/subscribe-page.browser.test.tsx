import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { AccountInfo, RoleGrant, SubscriptionInterruption } from '../../../contract/account.ts'
import type { ContentDocument } from '../../../contract/content.ts'
import { createAccountRepository } from '../../data/account-repository.ts'
import { createMemoryDatabase } from '../../data/memory-database.ts'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createTestServices } from '../../hooks/testing/services.ts'
import { ApiCallError } from '../../platform/api.ts'
import '../../ui/global.css'
import { SubscribePage } from './subscribe-page.tsx'

const BILLING_PORTAL_URL = 'https://pay.example/portal'
const createPlan = (planId: 'premium' | 'premium-plus' | 'donate', planTitle: string, actionLabel: 'Subscribe' | 'Donate') => ({
  ...{
    id: planId,
    title: planTitle,
    action: actionLabel,
    price: '1 EUR',
    period: '',
    most_popular: false,
    roles: ['Subscriber'],
    perks: ['A perk'],
  },
  checkout: `https://buy.example/${planId}`,
})
const plans: ContentDocument<'plans'> = [
  createPlan('premium', 'Premium', 'Subscribe'),
  createPlan('premium-plus', 'Premium+', 'Subscribe'),
  createPlan('donate', 'Donate', 'Donate'),
]
const untilTime = new Date(Date.now() + 10 * 86_400_000).toISOString()
const premiumGrant: RoleGrant = { role: 'subscriber', source: 'payment', plan: 'premium', until: untilTime, renews: true }

let root: Root
let hostElement: HTMLElement
/** The grants that the simulated server returns. If they are undefined, the server cannot be reached. */
let grants: RoleGrant[] | undefined
let interrupted: SubscriptionInterruption | undefined
let infoRequestCount: number
let openCheckout: (plan: string) => { url: string }
let openedWindows: { opener: unknown; location: { replace: (url: string) => void }; close: () => void }[]
let visitedUrls: string[]

beforeEach(() => {
  ;[grants, interrupted, infoRequestCount, openedWindows, visitedUrls] = [[], undefined, 0, [], []]
  openCheckout = (plan) => ({ url: `https://buy.example/${plan}?mine` })
  vi.spyOn(window, 'open').mockImplementation(() => {
    const openedTab = {
      opener: window,
      location: { replace: (url: string) => visitedUrls.push(url) },
      close: () => visitedUrls.push('closed'),
    }
    openedWindows.push(openedTab)
    // The cast is safe, because the page uses only these members of the opened tab.
    return openedTab as unknown as Window
  })
  hostElement = document.body.appendChild(document.createElement('div'))
  root = createRoot(hostElement)
})
afterEach(() => {
  root.unmount()
  hostElement.remove()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function renderPage({ isSignedIn = true, portal = BILLING_PORTAL_URL } = {}) {
  const database = createMemoryDatabase()
  const signedInAccount = isSignedIn ? { uid: 'ann', email: 'ann@example.com', emailVerified: true } : undefined
  const accountApi = {
    call: async (endpointKey: string, requestInput: { plan?: string }) => {
      if (endpointKey === 'POST /account/checkout') return openCheckout(requestInput.plan ?? '')
      infoRequestCount++
      if (grants === undefined) throw new ApiCallError('network', 0, 'No connection to the server.')
      const info: AccountInfo = {
        ...{ email: 'ann@example.com', roles: grants.map(({ role }) => role), grants, discord: '', discord_id: '' },
        ...(interrupted && { interrupted }),
      }
      return info
    },
  } as unknown as Parameters<typeof createAccountRepository>[0]['api']
  const api = { call: async () => plans } as never
  const identity = { getSnapshot: () => signedInAccount, subscribe: () => () => {} }
  root.render(
    <ServicesProvider
      services={createTestServices({
        ...{ api, database, identity, accountApi },
        connection: { subscribe: () => () => {}, offline: false, serverUnreachable: false },
        initialData: {},
        site: { settings: { CUSTOMER_PORTAL: portal } },
        accounts: createAccountRepository({ api: accountApi, database, getSignedInUid: () => 'ann' }),
      })}
    >
      <SubscribePage sample={null} />
    </ServicesProvider>,
  )
}
const findCard = (name: string) => page.getByRole('article', { name, exact: true })
const findLink = (cardName: string, name: string) => findCard(cardName).getByRole('link', { name, exact: true })

it('subscribe: without an account, each plan has a link to its checkout; below the plans are answers about ending a subscription, about tax, and about the content that stays after the end', async () => {
  renderPage({ isSignedIn: false })
  await expect.element(findLink('Premium', 'Subscribe')).toHaveAttribute('href', 'https://buy.example/premium')
  await expect.element(findLink('Donate', 'Donate')).toHaveAttribute('href', 'https://buy.example/donate')
  const answers = page.getByRole('region', { name: 'Before you pay' })
  for (const text of ['How do I end it?', 'Is tax included?', 'What happens to my site and presets?'])
    await expect.element(answers.getByText(text)).toBeVisible()
})

it('subscribe: an account with a paid plan sees the end of the plan, the link Manage, and a link that changes to the other plan in the billing portal; no plan has the button Subscribe', async () => {
  grants = [premiumGrant]
  renderPage()
  await expect.element(findCard('Premium')).toHaveTextContent(/Your plan · until .+ It renews automatically/)
  await expect.element(findLink('Premium', 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
  await expect.element(findLink('Premium+', 'Change to Premium+')).toHaveAttribute('href', BILLING_PORTAL_URL)
  await expect.element(findLink('Donate', 'Donate')).toBeVisible()
  expect(page.getByRole('link', { name: 'Subscribe' }).elements()).toHaveLength(0)
  expect(page.getByRole('button', { name: 'Subscribe' }).elements()).toHaveLength(0)
})

it.each([
  ['payment_failed', 'Your last payment failed. Manage your subscription to update your card.'],
  ['paused', 'Your subscription is paused. Manage your subscription to change it.'],
  [
    'disputed',
    'Your last payment was disputed and taken back, so your plan is off until the next payment. Manage your subscription to change or end it.',
  ],
] as const)(
  'subscribe: while a subscription is interrupted (%s), the page says so, and both plans have the link Manage in place of Subscribe, also after its role has ended',
  async (state, message) => {
    interrupted = state
    const { renews: _renews, ...endingGrant } = premiumGrant
    for (const shownGrant of [undefined, endingGrant, { role: 'subscriber', source: 'admin' } as const]) {
      grants = shownGrant === undefined ? [] : [shownGrant]
      renderPage()
      await expect.element(page.getByRole('alert').getByText(message, { exact: true })).toBeVisible()
      for (const cardName of ['Premium', 'Premium+'])
        await expect.element(findLink(cardName, 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
      expect(page.getByRole('link', { name: 'Subscribe' }).elements()).toHaveLength(0)
      await expect.element(findLink('Donate', 'Donate')).toBeVisible()
      root.unmount()
      root = createRoot(hostElement)
    }
    renderPage({ portal: '' })
    await expect.element(findLink('Premium', 'Change or end it')).toHaveAttribute('href', '/get-in-touch?topic=other')
  },
)

it('subscribe: the notice of an interrupted subscription is gone, and Subscribe is back, once the page is shown again after the interruption has ended', async () => {
  interrupted = 'payment_failed'
  renderPage()
  await expect.element(page.getByText('Your last payment failed.')).toBeVisible()
  const requestCountBefore = infoRequestCount
  interrupted = undefined
  const visibilityMock = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  expect(infoRequestCount).toBe(requestCountBefore)
  visibilityMock.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await expect.element(findLink('Premium', 'Subscribe')).toBeVisible()
  await expect.element(page.getByText('Your last payment failed.')).not.toBeInTheDocument()
  // Without an interruption, the account is not requested at each return to the page.
  document.dispatchEvent(new Event('visibilitychange'))
  expect(infoRequestCount).toBe(requestCountBefore + 1)
})

it('subscribe: the button Subscribe remains if the team has given the role or the paid time is over; without a billing portal, a plan is changed by a message to the team', async () => {
  grants = [
    { role: 'subscriber', source: 'admin' },
    { ...premiumGrant, until: new Date(Date.now() - 1000).toISOString() },
  ]
  renderPage()
  await expect.element(findLink('Premium', 'Subscribe')).toBeVisible()
  root.unmount()
  root = createRoot(hostElement)
  grants = [{ ...premiumGrant, plan: 'premium_plus' }]
  renderPage({ portal: '' })
  await expect.element(findLink('Premium+', 'Change or end it')).toHaveAttribute('href', '/get-in-touch?topic=other')
  await expect.element(findLink('Premium', 'Ask for Premium')).toHaveAttribute('href', '/get-in-touch?topic=other')
})

it('subscribe: pressing Subscribe opens a tab, which shows the checkout once the server has permitted it; if the server refuses, the tab is closed, and the refusal is shown above a link that manages the subscription', async () => {
  renderPage()
  await findLink('Premium', 'Subscribe').click()
  await expect.poll(() => visitedUrls).toEqual(['https://buy.example/premium?mine'])
  expect(openedWindows[0]?.opener).toBeNull()
  await expect.element(page.getByRole('status').getByText('Waiting for the payment')).toBeVisible()
  openCheckout = () => {
    throw new ApiCallError('api', 409, 'You have a subscription already.')
  }
  await findLink('Premium+', 'Subscribe').click()
  await expect.element(findCard('Premium+').getByText('You have a subscription already.')).toBeVisible()
  expect(visitedUrls.at(-1)).toBe('closed')
  await expect.element(findLink('Premium+', 'Manage')).toHaveAttribute('href', BILLING_PORTAL_URL)
})

it('subscribe: after the press the page requests the account repeatedly while it is visible, for at most 20 minutes; once the payment has arrived, the page says thanks and links to first steps', {
  tags: ['long'],
}, async () => {
  renderPage()
  await expect.element(findLink('Premium', 'Subscribe')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const requestCountBefore = infoRequestCount
  await vi.advanceTimersByTimeAsync(60_000)
  expect(infoRequestCount).toBe(requestCountBefore)
  await findLink('Premium', 'Subscribe').click()
  await expect.poll(() => visitedUrls).toHaveLength(1)
  await expect.element(page.getByText('Waiting for the payment')).toBeVisible()
  const visibilityMock = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(infoRequestCount).toBe(requestCountBefore)
  visibilityMock.mockReturnValue('visible')
  // While the server cannot be reached, the page continues to wait for the payment.
  grants = undefined
  await vi.advanceTimersByTimeAsync(10_000)
  expect(infoRequestCount).toBe(requestCountBefore + 2)
  grants = [premiumGrant]
  await vi.advanceTimersByTimeAsync(5000)
  await expect.element(page.getByRole('status').getByText('Thank you, Premium is on.')).toBeVisible()
  for (const [cardName, linkPath] of [
    ['Make a song', '/account/maker'],
    ['Set up your website', '/account/website'],
    ['Promote your channel', '/account/promotion'],
  ] as const)
    await expect.element(page.getByRole('link', { name: cardName })).toHaveAttribute('href', linkPath)
  const requestCountAfterPayment = infoRequestCount
  await vi.advanceTimersByTimeAsync(60_000)
  expect(infoRequestCount).toBe(requestCountAfterPayment)
  // Opens a checkout whose payment is never made.
  await findLink('Donate', 'Donate').click()
  await expect.element(page.getByText('Waiting for the payment')).toBeVisible()
  await vi.advanceTimersByTimeAsync(21 * 60_000)
  const requestCountAtEnd = infoRequestCount
  expect(requestCountAtEnd - requestCountAfterPayment).toBeGreaterThan(200)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(infoRequestCount).toBe(requestCountAtEnd)
})

it('subscribe: a payment for another plan than the pressed one ends the wait and shows thanks; the renewal of another plan does not end the wait', async () => {
  const renewedGrant: RoleGrant = { ...premiumGrant, plan: 'donate', role: 'donator' }
  grants = [renewedGrant]
  renderPage()
  await expect.element(findLink('Premium', 'Subscribe')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  await findLink('Premium', 'Subscribe').click()
  await expect.element(page.getByText('Waiting for the payment')).toBeVisible()
  const renewedUntilTime = new Date(Date.now() + 40 * 86_400_000).toISOString()
  grants = [{ ...renewedGrant, until: renewedUntilTime }]
  await vi.advanceTimersByTimeAsync(5000)
  await expect.element(page.getByText('Waiting for the payment')).toBeVisible()
  grants = [
    { ...renewedGrant, until: renewedUntilTime },
    { ...premiumGrant, plan: 'premium_plus' },
  ]
  await vi.advanceTimersByTimeAsync(5000)
  await expect.element(page.getByRole('status').getByText('Thank you, Premium+ is on.')).toBeVisible()
  await expect.element(page.getByText('Waiting for the payment')).not.toBeInTheDocument()
})
