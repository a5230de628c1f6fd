import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import {
  createCheckout,
  createDispute,
  createDonation,
  createInvoice,
  createInvoicePayment,
  createSignedEvent,
  createSubscription,
  sendEvent,
  WEBHOOK_SECRET,
} from './testing/signed-events.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const START_SECONDS = START_MS / 1000
const DAY_SECONDS = 86_400
const MONTH_END = START_SECONDS + 30 * DAY_SECONDS
const PRICES = { premium: 'price_premium', premium_plus: 'price_plus' }

let site: TestApp
let nowMs = START_MS
beforeAll(async () => {
  site = await createTestApp({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_TO: 'team@example.org' }, { nowMs: () => nowMs })
  await site.storage.settings.set('PRICE_PREMIUM', `price_old, ${PRICES.premium}`, 'nightcore-meridian')
  // The price of the other brand's plan counts as well, because the brands share their accounts.
  await site.storage.settings.set('PRICE_PREMIUM_PLUS', PRICES.premium_plus, 'slowed-reverb-meridian')
  await site.storage.settings.set('CHECKOUT_PREMIUM', 'https://buy.example/premium', 'nightcore-meridian')
  await site.storage.settings.set('CHECKOUT_DONATE', 'https://buy.example/donate', 'nightcore-meridian')
})
afterAll(() => site.close())

interface Sent {
  type: string
  created: number
  object: Record<string, unknown>
}

let eventCount = 0
const sendAll = async (events: readonly Sent[]) => {
  for (const event of events)
    expect(await sendEvent(site, createSignedEvent({ id: `evt_plans_${++eventCount}`, ...event }, { nowMs }))).toBe(200)
}
const checkout = (customer: string, subscription: string, fields: Record<string, unknown>): Sent => ({
  type: 'checkout.session.completed',
  created: START_SECONDS,
  object: createCheckout(customer, subscription, fields),
})
const createState = (type: 'created' | 'updated' | 'deleted', createdSeconds: number, object: Record<string, unknown>): Sent => ({
  type: `customer.subscription.${type}`,
  created: createdSeconds,
  object,
})
const paidInvoice = (customer: string, subscription: string, periodEnd: number, id: string): Sent => ({
  type: 'invoice.paid',
  created: START_SECONDS,
  object: createInvoice(customer, subscription, periodEnd, null, id),
})

/**
 * Returns the grants of an account that are active at a time in epoch seconds, each as a text: its role, its plan, its end in days since `START_SECONDS`, and
 * whether it renews.
 */
async function grantsAt(uid: string, atSeconds = START_SECONDS): Promise<string[]> {
  const grants = await site.storage.payments.listGrants({ uid, verifiedEmail: undefined })
  return grants
    .filter(({ untilMs }) => untilMs > atSeconds * 1000)
    .map(({ role, plan, untilMs, renews }) => `${role} ${plan} ${(untilMs / 1000 - START_SECONDS) / DAY_SECONDS}${renews ? ' renews' : ''}`)
    .sort()
}

/** Returns all orders of up to five events. */
function ordersOf<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, index) => ordersOf(items.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

/**
 * Sends the events in every possible order, or in every `orderStep`-th of them, each time for another customer. Expects that every customer
 * has the same grants.
 */
async function expectInOrders(name: string, eventsOf: (customer: string, uid: string) => Sent[], grants: string[], orderStep = 1) {
  for (const [index] of ordersOf(eventsOf('', '')).entries()) {
    if (index % orderStep !== 0) continue
    const [customer, uid] = [`cus_${name}_${index}`, `uid-${name}-${index}`]
    await sendAll(ordersOf(eventsOf(customer, uid))[index] ?? [])
    expect([index, await grantsAt(uid)]).toEqual([index, grants])
  }
}

it('if the plan of a subscription is changed in the portal, the new plan is read from its price, although the metadata still name the old plan, in any order of the events, also within one second', async () => {
  for (const [name, fromPlan, toPlan, grants] of [
    ['up', 'premium', 'premium_plus', ['donator premium_plus 30 renews', 'subscriber premium_plus 30 renews']],
    ['down', 'premium_plus', 'premium', ['subscriber premium 30 renews']],
  ] as const)
    for (const changedAt of [START_SECONDS, START_SECONDS + DAY_SECONDS])
      await expectInOrders(
        `${name}-${changedAt}`,
        (customer, uid) => [
          checkout(customer, `sub_${customer}`, { client_reference_id: uid, metadata: { plan: fromPlan } }),
          createState(
            'created',
            START_SECONDS,
            createSubscription(customer, `sub_${customer}`, 'active', MONTH_END, fromPlan, { price: PRICES[fromPlan] }),
          ),
          createState(
            'updated',
            changedAt,
            createSubscription(customer, `sub_${customer}`, 'active', MONTH_END, fromPlan, { price: PRICES[toPlan] }),
          ),
        ],
        [...grants],
      )
})

it('if no setting contains the price of a subscription, the plan of the metadata counts; a setting can also contain earlier prices of a plan', async () => {
  for (const [price, plan] of [
    ['price_unknown', 'premium_plus'],
    ['price_old', 'premium'],
  ] as const) {
    const uid = `uid-${price}`
    await sendAll([
      checkout(price, `sub_${price}`, { client_reference_id: uid }),
      createState('created', START_SECONDS, createSubscription(price, `sub_${price}`, 'active', MONTH_END, 'premium_plus', { price })),
    ])
    expect((await grantsAt(uid)).at(-1)).toBe(`subscriber ${plan} 30 renews`)
  }
})

/** Of all 120 orders of five events, `npm test` tries every fifth one. In these, each pair of events is in both orders. */
const ORDER_STEP = 5

it.each([
  ['void', true],
  ['mark_uncollectible', false],
])('while payments are paused (%s), the role ends with the paid period, whether an invoice names it (%s)', (...values) =>
  expectEndWhilePaused(...values, values[1] ? ORDER_STEP : 1),
)
it('while payments are paused, the role ends with the paid period in every order of the events', { tags: ['long'] }, () =>
  expectEndWhilePaused('void', true, 1),
)

async function expectEndWhilePaused(behavior: string, isInvoiceKnown: boolean, orderStep: number) {
  const pausedFields = { pause_collection: { behavior, resumes_at: null } }
  await expectInOrders(
    `pause-${behavior}-${isInvoiceKnown}-${orderStep}`,
    (customer, uid) => [
      checkout(customer, `sub_${customer}`, { client_reference_id: uid }),
      createState('created', START_SECONDS, createSubscription(customer, `sub_${customer}`, 'active', MONTH_END)),
      // The period ends without a payment, and the next one begins.
      createState(
        'updated',
        START_SECONDS + DAY_SECONDS,
        createSubscription(customer, `sub_${customer}`, 'active', MONTH_END, 'premium', pausedFields),
      ),
      createState(
        'updated',
        MONTH_END,
        createSubscription(customer, `sub_${customer}`, 'active', START_SECONDS + 60 * DAY_SECONDS, 'premium', pausedFields),
      ),
      ...(isInvoiceKnown ? [paidInvoice(customer, `sub_${customer}`, MONTH_END, `in_${customer}`)] : []),
    ],
    ['subscriber premium 30'],
    orderStep,
  )
}

it('if payments are paused with the invoices kept as drafts, the role stays; if a pause has ended, the role is granted again', async () => {
  const stateOf = (createdSeconds: number, behavior: string | undefined, days: number) =>
    createState(
      'updated',
      createdSeconds,
      createSubscription('cus_draft', 'sub_draft', 'active', START_SECONDS + days * DAY_SECONDS, 'premium', {
        pause_collection: behavior === undefined ? null : { behavior },
      }),
    )
  await sendAll([checkout('cus_draft', 'sub_draft', { client_reference_id: 'uid-draft' }), stateOf(START_SECONDS, 'keep_as_draft', 60)])
  expect(await grantsAt('uid-draft')).toEqual(['subscriber premium 60 renews'])
  await sendAll([stateOf(START_SECONDS + 1, 'void', 90)])
  expect(await grantsAt('uid-draft')).toEqual(['subscriber premium 60'])
  await sendAll([stateOf(START_SECONDS + 2, undefined, 90)])
  expect(await grantsAt('uid-draft')).toEqual(['subscriber premium 90 renews'])
})

it('a subscription that was cancelled as of the end of its period grants its role until then, and is not renewed', async () => {
  for (const [index, fields] of [{ cancel_at_period_end: true }, { cancel_at: MONTH_END }].entries()) {
    await sendAll([
      checkout(`cus_end${index}`, `sub_end${index}`, { client_reference_id: `uid-end${index}` }),
      createState(
        'updated',
        START_SECONDS,
        createSubscription(`cus_end${index}`, `sub_end${index}`, 'active', MONTH_END, 'premium', fields),
      ),
    ])
    expect(await grantsAt(`uid-end${index}`)).toEqual(['subscriber premium 30'])
  }
})

const dispute = (payment: string, status: 'lost' | 'won' = 'lost'): Sent => ({
  type: 'charge.dispute.closed',
  created: START_SECONDS + 10 * DAY_SECONDS,
  object: createDispute(payment, status),
})

it('a lost dispute of an invoice ends the role when it is lost, in any order of the events; the next paid invoice grants it again', () =>
  expectEndByDispute(ORDER_STEP))
it('a lost dispute of an invoice ends the role when it is lost, in every order of the events', { tags: ['long'] }, () =>
  expectEndByDispute(1),
)

async function expectEndByDispute(orderStep: number) {
  const name = `dispute-${orderStep}`
  await expectInOrders(
    name,
    (customer, uid) => [
      checkout(customer, `sub_${customer}`, { client_reference_id: uid }),
      createState('created', START_SECONDS, createSubscription(customer, `sub_${customer}`, 'active', MONTH_END)),
      paidInvoice(customer, `sub_${customer}`, MONTH_END, `in_${customer}`),
      { type: 'invoice_payment.paid', created: START_SECONDS, object: createInvoicePayment(`in_${customer}`, `pi_${customer}`) },
      dispute(`pi_${customer}`),
    ],
    ['subscriber premium 10 renews'],
    orderStep,
  )
  const [customer, subscription] = [`cus_${name}_0`, `sub_cus_${name}_0`]
  await sendAll([
    createState('updated', MONTH_END, createSubscription(customer, subscription, 'active', START_SECONDS + 60 * DAY_SECONDS)),
    paidInvoice(customer, subscription, START_SECONDS + 60 * DAY_SECONDS, `in_second_${orderStep}`),
  ])
  expect(await grantsAt(`uid-${name}-0`, MONTH_END)).toEqual(['subscriber premium 60 renews'])
}

it("a lost dispute ends the role also if the invoice names its payment as in earlier versions of Stripe's API; a dispute that was won, or that is about an earlier period, ends no role", async () => {
  const oldInvoice = (customer: string): Sent => ({
    type: 'invoice.paid',
    created: START_SECONDS,
    object: {
      ...createInvoice(customer, `sub_${customer}`, MONTH_END),
      parent: null,
      subscription: `sub_${customer}`,
      payment_intent: `pi_${customer}`,
    },
  })
  for (const [customer, laterEvents, grants] of [
    ['cus_lost', [dispute('pi_cus_lost')], ['subscriber premium 10 renews']],
    ['cus_won', [dispute('pi_cus_won', 'won')], ['subscriber premium 30 renews']],
    [
      'cus_first',
      [
        paidInvoice('cus_first', 'sub_cus_first', START_SECONDS + 60 * DAY_SECONDS, 'in_2'),
        createState(
          'updated',
          START_SECONDS + 1,
          createSubscription('cus_first', 'sub_cus_first', 'active', START_SECONDS + 60 * DAY_SECONDS),
        ),
        dispute('pi_cus_first'),
      ],
      ['subscriber premium 60 renews'],
    ],
  ] as const) {
    await sendAll([
      checkout(customer, `sub_${customer}`, { client_reference_id: customer }),
      createState('created', START_SECONDS, createSubscription(customer, `sub_${customer}`, 'active', MONTH_END)),
      oldInvoice(customer),
      ...laterEvents,
    ])
    expect([customer, await grantsAt(customer)]).toEqual([customer, grants])
  }
})

it('a lost dispute of a donation ends the role of the donation', async () => {
  const donation = {
    type: 'checkout.session.completed',
    created: START_SECONDS,
    object: createDonation('pi_gift', { client_reference_id: 'uid-gift' }),
  }
  await sendAll([donation])
  expect(await grantsAt('uid-gift')).toEqual(['donator donate 30'])
  await sendAll([dispute('pi_gift')])
  expect(await grantsAt('uid-gift')).toEqual([])
})

async function signUp(email: string) {
  const { localId: uid, idToken } = (await createSdkCalls(site).signUp(email, 'secret-1')).json()
  return {
    uid: uid as string,
    openCheckout: async (plan: string) =>
      (
        await site.app.inject({
          method: 'POST',
          url: '/api/account/checkout',
          headers: { authorization: `Bearer ${idToken}` },
          payload: { plan },
        })
      ).json(),
  }
}

it('the checkout of a second subscription is refused while the first one is active, and the checkout of a donation is not; if a second subscription is bought all the same, the team is warned once', async () => {
  const ann = await signUp('ann@example.com')
  const { data } = await ann.openCheckout('premium')
  expect(data.url).toBe(`https://buy.example/premium?prefilled_email=ann%40example.com&client_reference_id=${ann.uid}`)
  expect(await ann.openCheckout('premium-plus')).toMatchObject({ code: 404, message: 'This plan is not open yet.' })
  const buy = (customer: string): Sent[] => [
    checkout(customer, `sub_${customer}`, { client_reference_id: ann.uid, customer_details: { email: 'ann@example.com' } }),
    createState('created', START_SECONDS, createSubscription(customer, `sub_${customer}`, 'active', MONTH_END)),
  ]
  await sendAll(buy('cus_ann'))
  for (const plan of ['premium', 'premium-plus'])
    expect(await ann.openCheckout(plan)).toMatchObject({ code: 409, message: expect.stringContaining('You have a subscription already') })
  expect((await ann.openCheckout('donate')).code).toBe(200)
  expect(site.readLog()).not.toContain('two active subscriptions')
  // The second subscription is bought in another browser, where the account is not signed in.
  await sendAll(buy('cus_ann2').map((event) => ({ ...event, object: { ...event.object, client_reference_id: null } })))
  await sendAll([createState('updated', START_SECONDS + 1, createSubscription('cus_ann2', 'sub_cus_ann2', 'active', MONTH_END))])
  expect(site.readLog().split('one person has two active subscriptions')).toHaveLength(2)
  await expect
    .poll(() =>
      createSdkCalls(site)
        .readMails()
        .filter((mail) => mail.includes('To: team@example.org')),
    )
    .toEqual([expect.stringContaining('sub_cus_ann, sub_cus_ann2')])
  nowMs = MONTH_END * 1000
  const again = await signUp('bea@example.com')
  expect((await again.openCheckout('premium')).code).toBe(200)
  nowMs = START_MS
})

it('a payment with an address whose domain is spelt in Unicode belongs to the account with the same address in ASCII, and the other way round', async () => {
  for (const [name, accountEmail, paidEmail] of [
    ['uni', 'uni@m\u00fcller.example', 'uni@xn--mller-kva.example'],
    ['asc', 'asc@xn--mller-kva.example', 'Asc@M\u00dcLLER.example'],
  ] as const) {
    const { uid } = await signUp(accountEmail)
    await site.storage.accounts.replaceCode({ uid, kind: 'verify', hash: name, expiresMs: nowMs + 1000, atMs: nowMs })
    await site.storage.accounts.verifyEmail(uid, name, nowMs)
    await sendAll([
      checkout(`cus_${name}`, `sub_${name}`, { customer_details: { email: paidEmail } }),
      createState('created', START_SECONDS, createSubscription(`cus_${name}`, `sub_${name}`, 'active', MONTH_END)),
    ])
    const account = await site.storage.accounts.findByUid(uid)
    expect(await site.storage.payments.listGrants({ uid, verifiedEmail: account?.email })).toHaveLength(1)
  }
})
