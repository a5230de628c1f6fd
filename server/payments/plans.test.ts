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
const MONTH_END_SECONDS = START_SECONDS + 30 * DAY_SECONDS
const PRICE_ID_BY_PLAN = { premium: 'price_premium', premium_plus: 'price_plus' }

let site: TestApp
let nowMs = START_MS
beforeAll(async () => {
  site = await createTestApp({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, MAIL_TO: 'team@example.org' }, { nowMs: () => nowMs })
  await site.storage.settings.set('PRICE_PREMIUM', `price_old, ${PRICE_ID_BY_PLAN.premium}`, 'nightcore-meridian')
  // The price of the other brand's plan counts as well, because the brands share their accounts.
  await site.storage.settings.set('PRICE_PREMIUM_PLUS', PRICE_ID_BY_PLAN.premium_plus, 'slowed-reverb-meridian')
  await site.storage.settings.set('CHECKOUT_PREMIUM', 'https://buy.example/premium', 'nightcore-meridian')
  await site.storage.settings.set('CHECKOUT_DONATE', 'https://buy.example/donate', 'nightcore-meridian')
})
afterAll(() => site.close())

interface SentEvent {
  type: string
  created: number
  object: Record<string, unknown>
}

let eventCount = 0
const sendEvents = async (events: readonly SentEvent[]) => {
  for (const event of events)
    expect(await sendEvent(site, createSignedEvent({ id: `evt_plans_${++eventCount}`, ...event }, { nowMs }))).toBe(200)
}
const createCheckoutEvent = (customerId: string, subscriptionId: string, objectFields: Record<string, unknown>): SentEvent => ({
  type: 'checkout.session.completed',
  created: START_SECONDS,
  object: createCheckout(customerId, subscriptionId, objectFields),
})
const createSubscriptionEvent = (
  stateType: 'created' | 'updated' | 'deleted',
  createdSeconds: number,
  subscriptionObject: Record<string, unknown>,
): SentEvent => ({
  type: `customer.subscription.${stateType}`,
  created: createdSeconds,
  object: subscriptionObject,
})
const createPaidInvoiceEvent = (customerId: string, subscriptionId: string, periodEndSeconds: number, invoiceId: string): SentEvent => ({
  type: 'invoice.paid',
  created: START_SECONDS,
  object: createInvoice(customerId, subscriptionId, periodEndSeconds, null, invoiceId),
})

/**
 * Returns the grants of an account that are active at a time in epoch seconds, each as a text: its role, its plan, its end in days since `START_SECONDS`, and
 * whether it renews.
 */
async function readGrantsAt(uid: string, atSeconds = START_SECONDS): Promise<string[]> {
  const paidGrants = await site.storage.payments.listGrants({ uid, verifiedEmail: undefined })
  return paidGrants
    .filter(({ untilMs }) => untilMs > atSeconds * 1000)
    .map(({ role, plan, untilMs, renews }) => `${role} ${plan} ${(untilMs / 1000 - START_SECONDS) / DAY_SECONDS}${renews ? ' renews' : ''}`)
    .sort()
}

/** Returns all orders of up to five events. */
function listOrders<T>(orderedItems: readonly T[]): T[][] {
  if (orderedItems.length <= 1) return [[...orderedItems]]
  return orderedItems.flatMap((item, index) => listOrders(orderedItems.toSpliced(index, 1)).map((rest) => [item, ...rest]))
}

/**
 * Sends the events in every possible order, or in every `orderStep`-th of them, each time for another customer. Expects that every customer
 * has the same grants.
 */
async function expectInOrders(
  caseName: string,
  eventsOf: (customer: string, uid: string) => SentEvent[],
  expectedGrants: string[],
  orderStep = 1,
) {
  for (const [index] of listOrders(eventsOf('', '')).entries()) {
    if (index % orderStep !== 0) continue
    const [customer, uid] = [`cus_${caseName}_${index}`, `uid-${caseName}-${index}`]
    await sendEvents(listOrders(eventsOf(customer, uid))[index] ?? [])
    expect([index, await readGrantsAt(uid)]).toEqual([index, expectedGrants])
  }
}

it('if the plan of a subscription is changed in the portal, the new plan is read from its price, although the metadata still name the old plan, in any order of the events, also within one second', async () => {
  for (const [caseName, fromPlan, toPlan, expectedGrants] of [
    ['up', 'premium', 'premium_plus', ['donator premium_plus 30 renews', 'subscriber premium_plus 30 renews']],
    ['down', 'premium_plus', 'premium', ['subscriber premium 30 renews']],
  ] as const)
    for (const changedAtSeconds of [START_SECONDS, START_SECONDS + DAY_SECONDS])
      await expectInOrders(
        `${caseName}-${changedAtSeconds}`,
        (customerId, uid) => [
          createCheckoutEvent(customerId, `sub_${customerId}`, { client_reference_id: uid, metadata: { plan: fromPlan } }),
          createSubscriptionEvent(
            'created',
            START_SECONDS,
            createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS, fromPlan, {
              price: PRICE_ID_BY_PLAN[fromPlan],
            }),
          ),
          createSubscriptionEvent(
            'updated',
            changedAtSeconds,
            createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS, fromPlan, { price: PRICE_ID_BY_PLAN[toPlan] }),
          ),
        ],
        [...expectedGrants],
      )
})

it('if no setting contains the price of a subscription, the plan of the metadata counts; a setting can also contain earlier prices of a plan', async () => {
  for (const [priceId, paidPlan] of [
    ['price_unknown', 'premium_plus'],
    ['price_old', 'premium'],
  ] as const) {
    const uid = `uid-${priceId}`
    await sendEvents([
      createCheckoutEvent(priceId, `sub_${priceId}`, { client_reference_id: uid }),
      createSubscriptionEvent(
        'created',
        START_SECONDS,
        createSubscription(priceId, `sub_${priceId}`, 'active', MONTH_END_SECONDS, 'premium_plus', { price: priceId }),
      ),
    ])
    expect((await readGrantsAt(uid)).at(-1)).toBe(`subscriber ${paidPlan} 30 renews`)
  }
})

/** Of all 120 orders of five events, `npm test` tries every fifth one. In these, each pair of events is in both orders. */
const TESTED_ORDER_INTERVAL = 5

it.each([
  ['void', true],
  ['mark_uncollectible', false],
])('while payments are paused (%s), the role ends with the paid period, whether an invoice names it (%s)', (...values) =>
  expectEndWhilePaused(...values, values[1] ? TESTED_ORDER_INTERVAL : 1),
)
it('while payments are paused, the role ends with the paid period in every order of the events', { tags: ['long'] }, () =>
  expectEndWhilePaused('void', true, 1),
)

async function expectEndWhilePaused(pauseBehavior: string, isInvoiceKnown: boolean, orderStep: number) {
  const pausedFields = { pause_collection: { behavior: pauseBehavior, resumes_at: null } }
  await expectInOrders(
    `pause-${pauseBehavior}-${isInvoiceKnown}-${orderStep}`,
    (customerId, uid) => [
      createCheckoutEvent(customerId, `sub_${customerId}`, { client_reference_id: uid }),
      createSubscriptionEvent('created', START_SECONDS, createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS)),
      // The period ends without a payment, and the next one begins.
      createSubscriptionEvent(
        'updated',
        START_SECONDS + DAY_SECONDS,
        createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS, 'premium', pausedFields),
      ),
      createSubscriptionEvent(
        'updated',
        MONTH_END_SECONDS,
        createSubscription(customerId, `sub_${customerId}`, 'active', START_SECONDS + 60 * DAY_SECONDS, 'premium', pausedFields),
      ),
      ...(isInvoiceKnown ? [createPaidInvoiceEvent(customerId, `sub_${customerId}`, MONTH_END_SECONDS, `in_${customerId}`)] : []),
    ],
    ['subscriber premium 30'],
    orderStep,
  )
}

it('if payments are paused with the invoices kept as drafts, the role stays; if a pause has ended, the role is granted again', async () => {
  const createSubscriptionStateEvent = (createdSeconds: number, pauseBehavior: string | undefined, periodDays: number) =>
    createSubscriptionEvent(
      'updated',
      createdSeconds,
      createSubscription('cus_draft', 'sub_draft', 'active', START_SECONDS + periodDays * DAY_SECONDS, 'premium', {
        pause_collection: pauseBehavior === undefined ? null : { behavior: pauseBehavior },
      }),
    )
  await sendEvents([
    createCheckoutEvent('cus_draft', 'sub_draft', { client_reference_id: 'uid-draft' }),
    createSubscriptionStateEvent(START_SECONDS, 'keep_as_draft', 60),
  ])
  expect(await readGrantsAt('uid-draft')).toEqual(['subscriber premium 60 renews'])
  await sendEvents([createSubscriptionStateEvent(START_SECONDS + 1, 'void', 90)])
  expect(await readGrantsAt('uid-draft')).toEqual(['subscriber premium 60'])
  await sendEvents([createSubscriptionStateEvent(START_SECONDS + 2, undefined, 90)])
  expect(await readGrantsAt('uid-draft')).toEqual(['subscriber premium 90 renews'])
})

it('a subscription that was cancelled as of the end of its period grants its role until then, and is not renewed', async () => {
  for (const [index, cancelFields] of [{ cancel_at_period_end: true }, { cancel_at: MONTH_END_SECONDS }].entries()) {
    await sendEvents([
      createCheckoutEvent(`cus_end${index}`, `sub_end${index}`, { client_reference_id: `uid-end${index}` }),
      createSubscriptionEvent(
        'updated',
        START_SECONDS,
        createSubscription(`cus_end${index}`, `sub_end${index}`, 'active', MONTH_END_SECONDS, 'premium', cancelFields),
      ),
    ])
    expect(await readGrantsAt(`uid-end${index}`)).toEqual(['subscriber premium 30'])
  }
})

const createDisputeEvent = (paymentId: string, disputeStatus: 'lost' | 'won' = 'lost'): SentEvent => ({
  type: 'charge.dispute.closed',
  created: START_SECONDS + 10 * DAY_SECONDS,
  object: createDispute(paymentId, disputeStatus),
})

it('a lost dispute of an invoice ends the role when it is lost, in any order of the events; the next paid invoice grants it again', () =>
  expectEndByDispute(TESTED_ORDER_INTERVAL))
it('a lost dispute of an invoice ends the role when it is lost, in every order of the events', { tags: ['long'] }, () =>
  expectEndByDispute(1),
)

async function expectEndByDispute(orderStep: number) {
  const disputeName = `dispute-${orderStep}`
  await expectInOrders(
    disputeName,
    (customerId, uid) => [
      createCheckoutEvent(customerId, `sub_${customerId}`, { client_reference_id: uid }),
      createSubscriptionEvent('created', START_SECONDS, createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS)),
      createPaidInvoiceEvent(customerId, `sub_${customerId}`, MONTH_END_SECONDS, `in_${customerId}`),
      { type: 'invoice_payment.paid', created: START_SECONDS, object: createInvoicePayment(`in_${customerId}`, `pi_${customerId}`) },
      createDisputeEvent(`pi_${customerId}`),
    ],
    ['subscriber premium 10'],
    orderStep,
  )
  const [customer, subscriptionId] = [`cus_${disputeName}_0`, `sub_cus_${disputeName}_0`]
  await sendEvents([
    createSubscriptionEvent(
      'updated',
      MONTH_END_SECONDS,
      createSubscription(customer, subscriptionId, 'active', START_SECONDS + 60 * DAY_SECONDS),
    ),
    createPaidInvoiceEvent(customer, subscriptionId, START_SECONDS + 60 * DAY_SECONDS, `in_second_${orderStep}`),
  ])
  expect(await readGrantsAt(`uid-${disputeName}-0`, MONTH_END_SECONDS)).toEqual(['subscriber premium 60 renews'])
}

it("a lost dispute ends the role also if the invoice names its payment as in earlier versions of Stripe's API; a dispute that was won, or that is about an earlier period, ends no role", async () => {
  const createOldApiInvoice = (customerId: string): SentEvent => ({
    type: 'invoice.paid',
    created: START_SECONDS,
    object: {
      ...createInvoice(customerId, `sub_${customerId}`, MONTH_END_SECONDS),
      parent: null,
      subscription: `sub_${customerId}`,
      payment_intent: `pi_${customerId}`,
    },
  })
  for (const [customerId, laterEvents, expectedGrants] of [
    ['cus_lost', [createDisputeEvent('pi_cus_lost')], ['subscriber premium 10']],
    ['cus_won', [createDisputeEvent('pi_cus_won', 'won')], ['subscriber premium 30 renews']],
    [
      'cus_first',
      [
        createPaidInvoiceEvent('cus_first', 'sub_cus_first', START_SECONDS + 60 * DAY_SECONDS, 'in_2'),
        createSubscriptionEvent(
          'updated',
          START_SECONDS + 1,
          createSubscription('cus_first', 'sub_cus_first', 'active', START_SECONDS + 60 * DAY_SECONDS),
        ),
        createDisputeEvent('pi_cus_first'),
      ],
      ['subscriber premium 60 renews'],
    ],
  ] as const) {
    await sendEvents([
      createCheckoutEvent(customerId, `sub_${customerId}`, { client_reference_id: customerId }),
      createSubscriptionEvent('created', START_SECONDS, createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS)),
      createOldApiInvoice(customerId),
      ...laterEvents,
    ])
    expect([customerId, await readGrantsAt(customerId)]).toEqual([customerId, expectedGrants])
  }
})

it('a lost dispute of a donation ends the role of the donation', async () => {
  const donationEvents = {
    type: 'checkout.session.completed',
    created: START_SECONDS,
    object: createDonation('pi_gift', { client_reference_id: 'uid-gift' }),
  }
  await sendEvents([donationEvents])
  expect(await readGrantsAt('uid-gift')).toEqual(['donator donate 30'])
  await sendEvents([createDisputeEvent('pi_gift')])
  expect(await readGrantsAt('uid-gift')).toEqual([])
})

async function signUp(email: string) {
  const { localId: uid, idToken } = (await createSdkCalls(site).signUp(email, 'secret-1')).json()
  return {
    uid: uid as string,
    openCheckout: async (planName: string) =>
      (
        await site.app.inject({
          method: 'POST',
          url: '/api/account/checkout',
          headers: { authorization: `Bearer ${idToken}` },
          payload: { plan: planName },
        })
      ).json(),
    readInfo: async () =>
      (await site.app.inject({ url: '/api/account/getinfo', headers: { authorization: `Bearer ${idToken}` } })).json().data,
  }
}

it('the checkout of a second subscription is refused while the first one is active, and the checkout of a donation is not; if a second subscription is bought all the same, the team is warned once', async () => {
  const ann = await signUp('ann@example.com')
  const { data } = await ann.openCheckout('premium')
  expect(data.url).toBe(`https://buy.example/premium?prefilled_email=ann%40example.com&client_reference_id=${ann.uid}`)
  expect(await ann.openCheckout('premium-plus')).toMatchObject({ code: 404, message: 'This plan is not open yet.' })
  const buyPlan = (customerId: string): SentEvent[] => [
    createCheckoutEvent(customerId, `sub_${customerId}`, { client_reference_id: ann.uid, customer_details: { email: 'ann@example.com' } }),
    createSubscriptionEvent('created', START_SECONDS, createSubscription(customerId, `sub_${customerId}`, 'active', MONTH_END_SECONDS)),
  ]
  await sendEvents(buyPlan('cus_ann'))
  for (const plan of ['premium', 'premium-plus'])
    expect(await ann.openCheckout(plan)).toMatchObject({ code: 409, message: expect.stringContaining('You have a subscription already') })
  expect((await ann.openCheckout('donate')).code).toBe(200)
  expect(site.readLog()).not.toContain('two active subscriptions')
  // The second subscription is bought in another browser, where the account is not signed in.
  await sendEvents(buyPlan('cus_ann2').map((event) => ({ ...event, object: { ...event.object, client_reference_id: null } })))
  await sendEvents([
    createSubscriptionEvent('updated', START_SECONDS + 1, createSubscription('cus_ann2', 'sub_cus_ann2', 'active', MONTH_END_SECONDS)),
  ])
  expect(site.readLog().split('one person has two active subscriptions')).toHaveLength(2)
  await expect
    .poll(() =>
      createSdkCalls(site)
        .readMails()
        .filter((mail) => mail.includes('To: team@example.org')),
    )
    .toEqual([expect.stringContaining('sub_cus_ann, sub_cus_ann2')])
  nowMs = MONTH_END_SECONDS * 1000
  const again = await signUp('bea@example.com')
  expect((await again.openCheckout('premium')).code).toBe(200)
  nowMs = START_MS
})

it.each([
  ['past_due', 'payment_failed', {}],
  ['past_due', 'payment_failed', { cancel_at_period_end: true }],
  ['unpaid', 'payment_failed', {}],
  ['active', 'paused', { pause_collection: { behavior: 'void', resumes_at: MONTH_END_SECONDS } }],
  ['paused', 'paused', {}],
])(
  'while a subscription whose role has ended is %s (%s), no second one is sold, and the account says why; it is sold once the subscription is deleted, and refused if the payment succeeds',
  async (status, interruption, fields) => {
    const paidUntilSeconds = START_SECONDS - DAY_SECONDS
    for (const [index, isPaidAtLast] of [true, false].entries()) {
      const name = `${status}${Object.keys(fields)}${index}`
      const cat = await signUp(`${name}@example.com`)
      const [customerId, subscriptionId] = [`cus_${name}`, `sub_${name}`]
      const createStateEvent = (
        change: 'created' | 'updated' | 'deleted',
        ageSeconds: number,
        newStatus: string,
        periodEndSeconds: number,
        newFields = {},
      ) =>
        createSubscriptionEvent(
          change,
          START_SECONDS - ageSeconds,
          createSubscription(customerId, subscriptionId, newStatus, periodEndSeconds, 'premium', newFields),
        )
      await sendEvents([
        createCheckoutEvent(customerId, subscriptionId, { client_reference_id: cat.uid }),
        createStateEvent('created', 31 * DAY_SECONDS, 'active', paidUntilSeconds),
        createPaidInvoiceEvent(customerId, subscriptionId, paidUntilSeconds, `in_${name}`),
        createStateEvent('updated', DAY_SECONDS, status, paidUntilSeconds + 30 * DAY_SECONDS, fields),
      ])
      expect(await cat.readInfo()).toMatchObject({
        roles: [],
        grants: [],
        ended: { plan: 'premium', until: new Date(paidUntilSeconds * 1000).toISOString() },
        interrupted: interruption,
      })
      expect(await cat.openCheckout('premium')).toMatchObject({
        code: 409,
        message: expect.stringContaining('You have a subscription already'),
      })
      expect((await cat.openCheckout('donate')).code).toBe(200)
      await sendEvents([
        isPaidAtLast
          ? createStateEvent('updated', 0, 'active', paidUntilSeconds + 30 * DAY_SECONDS)
          : createStateEvent('deleted', 0, 'canceled', paidUntilSeconds + 30 * DAY_SECONDS),
      ])
      const lastInfo = await cat.readInfo()
      expect(lastInfo).not.toHaveProperty('interrupted')
      expect(lastInfo.roles).toEqual(isPaidAtLast ? ['subscriber'] : [])
      expect((await cat.openCheckout('premium')).code).toBe(isPaidAtLast ? 409 : 200)
    }
  },
)

it.each([
  ['active', 'disputed', {}],
  ['active', 'disputed', { cancel_at_period_end: true }],
  ['past_due', 'payment_failed', {}],
  ['unpaid', 'payment_failed', {}],
  ['paused', 'paused', {}],
])(
  'while a subscription that has lost its only payment in a dispute lives (%s), no second one is sold, and the account says why (%s); it is sold once the subscription is deleted',
  async (status, interruption, fields) => {
    const name = `lost-${status}${Object.keys(fields)}`
    const dan = await signUp(`${name}@example.com`)
    const [customerId, subscriptionId] = [`cus_${name}`, `sub_${name}`]
    const createStateEvent = (change: 'created' | 'updated' | 'deleted', ageSeconds: number, newStatus: string, newFields = {}) =>
      createSubscriptionEvent(
        change,
        START_SECONDS - ageSeconds,
        createSubscription(customerId, subscriptionId, newStatus, MONTH_END_SECONDS, 'premium', newFields),
      )
    await sendEvents([
      createCheckoutEvent(customerId, subscriptionId, { client_reference_id: dan.uid }),
      createStateEvent('created', 3 * DAY_SECONDS, 'active'),
      createPaidInvoiceEvent(customerId, subscriptionId, MONTH_END_SECONDS, `in_${name}`),
      { type: 'invoice_payment.paid', created: START_SECONDS, object: createInvoicePayment(`in_${name}`, `pi_${name}`) },
      { ...createDisputeEvent(`pi_${name}`), created: START_SECONDS - 2 * DAY_SECONDS },
      createStateEvent('updated', DAY_SECONDS, status, fields),
    ])
    expect(await dan.readInfo()).toMatchObject({
      roles: [],
      grants: [],
      ended: { plan: 'premium', until: new Date((START_SECONDS - 2 * DAY_SECONDS) * 1000).toISOString() },
      interrupted: interruption,
    })
    for (const plan of ['premium', 'premium-plus'])
      expect(await dan.openCheckout(plan)).toMatchObject({ code: 409, message: expect.stringContaining('You have a subscription already') })
    expect((await dan.openCheckout('donate')).code).toBe(200)
    await sendEvents([createStateEvent('deleted', 0, 'canceled')])
    expect(await dan.readInfo()).not.toHaveProperty('interrupted')
    expect((await dan.openCheckout('premium')).code).toBe(200)
  },
)

it('a payment with an address whose domain is spelt in Unicode belongs to the account with the same address in ASCII, and the other way round', async () => {
  for (const [caseName, accountEmail, paidEmail] of [
    ['uni', 'uni@m\u00fcller.example', 'uni@xn--mller-kva.example'],
    ['asc', 'asc@xn--mller-kva.example', 'Asc@M\u00dcLLER.example'],
  ] as const) {
    const { uid } = await signUp(accountEmail)
    await site.storage.accounts.replaceCode({ uid, kind: 'verify', hash: caseName, expiresMs: nowMs + 1000, atMs: nowMs })
    await site.storage.accounts.verifyEmail(uid, caseName, nowMs)
    await sendEvents([
      createCheckoutEvent(`cus_${caseName}`, `sub_${caseName}`, { customer_details: { email: paidEmail } }),
      createSubscriptionEvent(
        'created',
        START_SECONDS,
        createSubscription(`cus_${caseName}`, `sub_${caseName}`, 'active', MONTH_END_SECONDS),
      ),
    ])
    const account = await site.storage.accounts.findByUid(uid)
    expect(await site.storage.payments.listGrants({ uid, verifiedEmail: account?.email })).toHaveLength(1)
  }
})
