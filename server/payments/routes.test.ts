import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { StorageError } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import {
  createCheckout,
  createDonation,
  createInvoice,
  createSignedEvent,
  createSubscription,
  sendEvent,
  WEBHOOK_SECRET,
} from './testing/signed-events.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const START_SECONDS = START_MS / 1000
const DAY_SECONDS = 86_400

let site: TestApp
let nowMs = START_MS
beforeAll(async () => {
  site = await createTestApp({ STRIPE_WEBHOOK_SECRET: `whsec_other_0123456789abcdef, ${WEBHOOK_SECRET}` }, { nowMs: () => nowMs })
})
afterAll(() => site.close())

let eventCount = 0
const createEventRequest = (type: string, created: number, object: Record<string, unknown>, secret = WEBHOOK_SECRET) =>
  createSignedEvent({ id: `evt_${++eventCount}`, type, created, object }, { nowMs, secret })
const sendPaymentEvent = (type: string, created: number, object: Record<string, unknown>) =>
  sendEvent(site, createEventRequest(type, created, object))

/** Signs up. Returns the account's uid, and functions that request the account's roles and plan. */
async function signUp(accountName: string) {
  const email = `${accountName}@example.com`
  const { idToken, localId: uid } = (await createSdkCalls(site).signUp(email, 'secret-1')).json()
  const requestApi = async (urlPath: string, httpMethod: 'GET' | 'POST' = 'GET') => {
    // The test requests new tokens, because tokens are valid for an hour and the clock is moved by days.
    const token = (await createSdkCalls(site).signIn(email, 'secret-1')).json().idToken ?? idToken
    return (await site.app.inject({ method: httpMethod, url: `/api${urlPath}`, headers: { authorization: `Bearer ${token}` } })).json().data
  }
  return {
    email,
    uid: uid as string,
    ask: requestApi,
    readRoles: async (): Promise<string[]> => (await requestApi('/account/getinfo')).roles,
    readGrants: async () => (await requestApi('/account/getinfo')).grants,
    /** Confirms the email address as the link in the mail does. */
    verify: async () => {
      const idToken = (await createSdkCalls(site).signIn(email, 'secret-1')).json().idToken
      const { hash, code } = createCode()
      await site.storage.accounts.replaceCode({ uid, kind: 'verify', hash, expiresMs: nowMs + 1000, atMs: nowMs })
      await site.storage.accounts.verifyEmail(uid, hash, nowMs)
      return [idToken, code]
    },
  }
}
let verificationCodeCount = 0
const createCode = () => ({ hash: `hash-${++verificationCodeCount}`, code: verificationCodeCount })

it('a subscription grants the roles of its plan until the end of its period; the account shows the plan, its source and its end', async () => {
  const ann = await signUp('ann')
  expect(await ann.readRoles()).toEqual([])
  expect(
    await sendPaymentEvent('checkout.session.completed', START_SECONDS, createCheckout('cus_a', 'sub_a', { client_reference_id: ann.uid })),
  ).toBe(200)
  expect(await ann.readRoles()).toEqual([])
  await sendPaymentEvent(
    'customer.subscription.created',
    START_SECONDS,
    createSubscription('cus_a', 'sub_a', 'active', START_SECONDS + 30 * DAY_SECONDS, 'premium_plus'),
  )
  expect(await ann.readRoles()).toEqual(['donator', 'subscriber'])
  const untilTime = new Date((START_SECONDS + 30 * DAY_SECONDS) * 1000).toISOString()
  expect(await ann.readGrants()).toEqual([
    { role: 'donator', source: 'payment', plan: 'premium_plus', until: untilTime, renews: true },
    { role: 'subscriber', source: 'payment', plan: 'premium_plus', until: untilTime, renews: true },
  ])
  await sendPaymentEvent(
    'customer.subscription.updated',
    START_SECONDS + DAY_SECONDS,
    createSubscription('cus_a', 'sub_a', 'active', START_SECONDS + 30 * DAY_SECONDS, 'premium'),
  )
  expect(await ann.readRoles()).toEqual(['subscriber'])
  nowMs = (START_SECONDS + 30 * DAY_SECONDS) * 1000 - 1
  expect(await ann.readRoles()).toEqual(['subscriber'])
  nowMs++
  expect(await ann.readRoles()).toEqual([])
  // The payment of the next period is past due, so the last paid period counts.
  await sendPaymentEvent(
    'invoice.paid',
    START_SECONDS + 31 * DAY_SECONDS,
    createInvoice('cus_a', 'sub_a', START_SECONDS + 60 * DAY_SECONDS),
  )
  await sendPaymentEvent(
    'customer.subscription.updated',
    START_SECONDS + 61 * DAY_SECONDS,
    createSubscription('cus_a', 'sub_a', 'past_due', START_SECONDS + 90 * DAY_SECONDS),
  )
  expect(await ann.readRoles()).toEqual(['subscriber'])
  nowMs = (START_SECONDS + 60 * DAY_SECONDS) * 1000
  expect(await ann.readRoles()).toEqual([])
  await sendPaymentEvent(
    'customer.subscription.updated',
    START_SECONDS + 62 * DAY_SECONDS,
    createSubscription('cus_a', 'sub_a', 'active', START_SECONDS + 90 * DAY_SECONDS),
  )
  expect(await ann.readRoles()).toEqual(['subscriber'])
  await sendPaymentEvent(
    'customer.subscription.deleted',
    START_SECONDS + 63 * DAY_SECONDS,
    createSubscription('cus_a', 'sub_a', 'canceled', START_SECONDS + 90 * DAY_SECONDS),
  )
  expect(await ann.readRoles()).toEqual([])
  nowMs = START_MS
})

it('if a subscription becomes incomplete and active within one second, the active state counts, in either order of the events', async () => {
  for (const [accountName, subscriptionStatuses] of [
    ['uma', ['incomplete', 'active']],
    ['ute', ['active', 'incomplete']],
  ] as const) {
    const payingAccount = await signUp(accountName)
    await sendPaymentEvent(
      'checkout.session.completed',
      START_SECONDS,
      createCheckout(`cus_${accountName}`, `sub_${accountName}`, { client_reference_id: payingAccount.uid }),
    )
    for (const subscriptionStatus of subscriptionStatuses)
      await sendPaymentEvent(
        'customer.subscription.updated',
        START_SECONDS,
        createSubscription(`cus_${accountName}`, `sub_${accountName}`, subscriptionStatus, START_SECONDS + 30 * DAY_SECONDS),
      )
    expect(await payingAccount.readRoles()).toEqual(['subscriber'])
  }
})

it('however a subscription ended, the account shows the last ended subscription and the time of its end; an account with a current subscription or without any payment shows no ended subscription', async () => {
  const zoe = await signUp('zoe')
  const readEndedSubscription = async () => (await zoe.ask('/account/getinfo')).ended
  const formatIsoDay = (days: number) => new Date((START_SECONDS + days * DAY_SECONDS) * 1000).toISOString()
  const sendSubscriptionState = (
    eventType: string,
    dayNumber: number,
    subscriptionId: string,
    subscriptionStatus: string,
    periodEndDay: number,
    planName?: string,
  ) =>
    sendPaymentEvent(
      `customer.subscription.${eventType}`,
      START_SECONDS + dayNumber * DAY_SECONDS,
      createSubscription('cus_z', subscriptionId, subscriptionStatus, START_SECONDS + periodEndDay * DAY_SECONDS, planName),
    )
  const setClockToDay = (day: number) => {
    nowMs = (START_SECONDS + day * DAY_SECONDS) * 1000
  }
  await sendPaymentEvent('checkout.session.completed', START_SECONDS, createCheckout('cus_z', 'sub_z', { client_reference_id: zoe.uid }))
  await sendSubscriptionState('created', 0, 'sub_z', 'incomplete', 30)
  expect(await readEndedSubscription()).toBeUndefined()
  await sendSubscriptionState('updated', 0, 'sub_z', 'active', 30, 'premium_plus')
  expect(await readEndedSubscription()).toBeUndefined()
  setClockToDay(30)
  expect(await readEndedSubscription()).toEqual({ plan: 'premium_plus', until: formatIsoDay(30) })
  // The subscription was cancelled at the end of its period. The provider reports this a little later.
  setClockToDay(31)
  await sendSubscriptionState('deleted', 31, 'sub_z', 'canceled', 30, 'premium_plus')
  expect(await readEndedSubscription()).toEqual({ plan: 'premium_plus', until: formatIsoDay(30) })
  // A second subscription is ended immediately. The account then no longer shows the first subscription, because only the last ended subscription is
  // shown.
  await sendSubscriptionState('created', 31, 'sub_z2', 'active', 61, 'premium')
  expect(await readEndedSubscription()).toBeUndefined()
  setClockToDay(40)
  await sendSubscriptionState('deleted', 40, 'sub_z2', 'canceled', 61, 'premium')
  expect(await zoe.readRoles()).toEqual([])
  expect(await readEndedSubscription()).toEqual({ plan: 'premium', until: formatIsoDay(40) })
  // This is a third subscription, whose second period is never paid.
  await sendSubscriptionState('created', 40, 'sub_z3', 'active', 70, 'premium')
  await sendPaymentEvent(
    'invoice.paid',
    START_SECONDS + 40 * DAY_SECONDS,
    createInvoice('cus_z', 'sub_z3', START_SECONDS + 70 * DAY_SECONDS),
  )
  await sendSubscriptionState('updated', 70, 'sub_z3', 'past_due', 100, 'premium')
  setClockToDay(90)
  expect(await readEndedSubscription()).toEqual({ plan: 'premium', until: formatIsoDay(70) })
  await sendSubscriptionState('updated', 90, 'sub_z3', 'unpaid', 100, 'premium')
  expect(await readEndedSubscription()).toEqual({ plan: 'premium', until: formatIsoDay(70) })
  // An account that is a subscriber through a role of an admin also shows no ended subscription.
  await zoe.verify()
  await site.storage.roles.grant(zoe.email, { role: 'subscriber', source: 'admin', untilMs: nowMs + 1 })
  expect(await readEndedSubscription()).toBeUndefined()
  nowMs++
  expect(await readEndedSubscription()).toEqual({ until: new Date(nowMs).toISOString() })
  nowMs = START_MS
})

it('a donation grants the donator’s role for the configured number of days; a full refund ends the role', async () => {
  const bob = await signUp('bob')
  await sendPaymentEvent('checkout.session.completed', START_SECONDS, createDonation('pi_b', { client_reference_id: bob.uid }))
  expect(await bob.readRoles()).toEqual(['donator'])
  expect((await bob.readGrants())[0]).toMatchObject({
    plan: 'donate',
    until: new Date((START_SECONDS + 30 * DAY_SECONDS) * 1000).toISOString(),
  })
  await sendPaymentEvent('charge.refunded', START_SECONDS + 1, { id: 'ch_1', payment_intent: 'pi_b', refunded: false })
  expect(await bob.readRoles()).toEqual(['donator'])
  await sendPaymentEvent('charge.refunded', START_SECONDS + 2, { id: 'ch_1', payment_intent: 'pi_b', refunded: true })
  expect(await bob.readRoles()).toEqual([])
  // A payment that takes days counts once it has succeeded.
  await sendPaymentEvent('checkout.session.completed', START_SECONDS, {
    ...createDonation('pi_b2', { client_reference_id: bob.uid }),
    payment_status: 'unpaid',
  })
  expect(await bob.readRoles()).toEqual([])
  await sendPaymentEvent(
    'checkout.session.async_payment_succeeded',
    START_SECONDS,
    createDonation('pi_b2', { client_reference_id: bob.uid }),
  )
  expect(await bob.readRoles()).toEqual(['donator'])
})

it('a payment without an account belongs to its email address: an account that has not verified the address gets nothing and can delete nothing', async () => {
  const payerEmail = 'payer@example.com'
  await sendPaymentEvent(
    'checkout.session.completed',
    START_SECONDS,
    createCheckout('cus_p', 'sub_p', { customer_details: { email: 'Payer@Example.com' } }),
  )
  await sendPaymentEvent(
    'customer.subscription.created',
    START_SECONDS,
    createSubscription('cus_p', 'sub_p', 'active', START_SECONDS + 30 * DAY_SECONDS),
  )
  await site.storage.roles.grant(payerEmail, { role: 'donator', source: 'admin', untilMs: undefined })
  const strangerAccount = await signUp('payer')
  expect(await strangerAccount.readRoles()).toEqual([])
  expect(await strangerAccount.ask('/website/get')).toBeNull()
  expect((await strangerAccount.ask('/account/export')).roles).toEqual([])
  await strangerAccount.ask('/account/delete', 'POST')
  const ownerAccount = await signUp('payer')
  expect(await ownerAccount.readRoles()).toEqual([])
  await ownerAccount.verify()
  expect(await ownerAccount.readRoles()).toEqual(['donator', 'subscriber'])
  // Deleting the owner's account ends the roles that an admin granted, but not those that were paid.
  await ownerAccount.ask('/account/delete', 'POST')
  const sameNameAccount = await signUp('payer')
  expect(await sameNameAccount.readRoles()).toEqual([])
  await sameNameAccount.verify()
  expect(await sameNameAccount.readRoles()).toEqual(['subscriber'])
})

it('a payment outlives its account, and then belongs to the account that verifies its email address', async () => {
  const gus = await signUp('gus')
  const customer_details = { email: gus.email }
  await sendPaymentEvent(
    'checkout.session.completed',
    START_SECONDS,
    createCheckout('cus_g', 'sub_g', { client_reference_id: gus.uid, customer_details }),
  )
  await sendPaymentEvent(
    'checkout.session.completed',
    START_SECONDS,
    createDonation('pi_g', { client_reference_id: gus.uid, customer_details }),
  )
  await sendPaymentEvent(
    'customer.subscription.created',
    START_SECONDS,
    createSubscription('cus_g', 'sub_g', 'active', START_SECONDS + 30 * DAY_SECONDS),
  )
  expect(await gus.readRoles()).toEqual(['donator', 'subscriber'])
  await gus.ask('/account/delete', 'POST')
  const sameNameAccount = await signUp('gus')
  expect(await sameNameAccount.readRoles()).toEqual([])
  await sameNameAccount.verify()
  expect(await sameNameAccount.readRoles()).toEqual(['donator', 'subscriber'])
  // Later events of the subscription count for the new account, although the checkout named the deleted one.
  await sendPaymentEvent(
    'customer.subscription.updated',
    START_SECONDS + 1,
    createSubscription('cus_g', 'sub_g', 'active', START_SECONDS + 60 * DAY_SECONDS),
  )
  expect((await sameNameAccount.readGrants())[0]).toMatchObject({
    until: new Date((START_SECONDS + 60 * DAY_SECONDS) * 1000).toISOString(),
  })
})

it("a payment is also assigned to an account by the email address of an invoice; a later checkout by an account assigns the customer's payments to that account", async () => {
  const dan = await signUp('dan')
  await dan.verify()
  await sendPaymentEvent(
    'invoice.paid',
    START_SECONDS,
    createInvoice('cus_d', 'sub_d', START_SECONDS + 30 * DAY_SECONDS, 'dan@example.com'),
  )
  await sendPaymentEvent(
    'customer.subscription.created',
    START_SECONDS,
    createSubscription('cus_d', 'sub_d', 'active', START_SECONDS + 30 * DAY_SECONDS),
  )
  expect(await dan.readRoles()).toEqual(['subscriber'])
  const eve = await signUp('eve')
  await sendPaymentEvent(
    'checkout.session.completed',
    START_SECONDS + 5,
    createCheckout('cus_d', 'sub_d', { client_reference_id: eve.uid }),
  )
  expect(await dan.readRoles()).toEqual([])
  expect(await eve.readRoles()).toEqual(['subscriber'])
})

it('forged, altered, old and unsigned events are refused; unknown event types and plans are accepted without effect', async () => {
  const fay = await signUp('fay')
  const checkoutObject = createCheckout('cus_f', 'sub_f', { client_reference_id: fay.uid })
  const activeSubscription = createSubscription('cus_f', 'sub_f', 'active', START_SECONDS + 30 * DAY_SECONDS)
  await sendPaymentEvent('checkout.session.completed', START_SECONDS, checkoutObject)
  const validRequest = createEventRequest('customer.subscription.created', START_SECONDS, activeSubscription)
  expect(
    await sendEvent(
      site,
      createEventRequest('customer.subscription.created', START_SECONDS, activeSubscription, 'whsec_forged_0123456789abcdef'),
    ),
  ).toBe(400)
  expect(await sendEvent(site, { ...validRequest, payload: validRequest.payload.replace('premium', 'premiun') })).toBe(400)
  expect(await sendEvent(site, { ...validRequest, headers: { ...validRequest.headers, 'stripe-signature': '' } })).toBe(400)
  expect(await sendEvent(site, { ...validRequest, payload: '' })).toBe(400)
  nowMs += 301_000
  expect(await sendEvent(site, validRequest)).toBe(400)
  nowMs = START_MS
  expect(await sendPaymentEvent('customer.created', START_SECONDS, { id: 'cus_f' })).toBe(200)
  expect(
    await sendPaymentEvent(
      'customer.subscription.created',
      START_SECONDS,
      createSubscription('cus_f', 'sub_f', 'active', START_SECONDS + DAY_SECONDS, 'gold'),
    ),
  ).toBe(200)
  expect(await fay.readRoles()).toEqual([])
  expect(await sendEvent(site, validRequest)).toBe(200)
  expect(await fay.readRoles()).toEqual(['subscriber'])
})

it('the days of a donation are counted from the opening of its checkout; the event of its refund may arrive before that of its checkout', async () => {
  const hal = await signUp('hal')
  const donationObject = createDonation('pi_h', { client_reference_id: hal.uid, created: START_SECONDS - 3 * DAY_SECONDS })
  await sendPaymentEvent('checkout.session.async_payment_succeeded', START_SECONDS, donationObject)
  expect((await hal.readGrants())[0]).toMatchObject({ until: new Date((START_SECONDS + 27 * DAY_SECONDS) * 1000).toISOString() })
  await sendPaymentEvent('charge.refunded', START_SECONDS, { id: 'ch_h', payment_intent: 'pi_h2', refunded: true })
  await sendPaymentEvent(
    'checkout.session.completed',
    START_SECONDS,
    createDonation('pi_h2', { client_reference_id: hal.uid, created: START_SECONDS }),
  )
  expect(await hal.readGrants()).toHaveLength(1)
})

it("the period and the subscription are also read from the fields in which earlier versions of Stripe's API have them; a trial grants the roles", async () => {
  const ida = await signUp('ida')
  await sendPaymentEvent('checkout.session.completed', START_SECONDS, {
    ...createCheckout('cus_i', 'sub_i', { client_reference_id: ida.uid, metadata: { plan: 'premium' } }),
    payment_status: 'no_payment_required',
  })
  const createPeriod = (subscriptionStatus: string, current_period_end: number) => ({
    ...createSubscription('cus_i', 'sub_i', subscriptionStatus, 0, ''),
    items: { object: 'list', data: [{ id: 'si_1' }] },
    current_period_end,
  })
  await sendPaymentEvent('customer.subscription.created', START_SECONDS, createPeriod('trialing', START_SECONDS + DAY_SECONDS))
  expect(await ida.readRoles()).toEqual(['subscriber'])
  expect((await ida.readGrants())[0]).toMatchObject({ until: new Date((START_SECONDS + DAY_SECONDS) * 1000).toISOString() })
  await sendPaymentEvent('customer.subscription.updated', START_SECONDS + 1, createPeriod('past_due', START_SECONDS + 9 * DAY_SECONDS))
  expect(await ida.readRoles()).toEqual([])
  await sendPaymentEvent('invoice.paid', START_SECONDS + 2, {
    ...createInvoice('cus_i', '', START_SECONDS + 2 * DAY_SECONDS),
    parent: null,
    subscription: 'sub_i',
  })
  expect((await ida.readGrants())[0]).toMatchObject({ until: new Date((START_SECONDS + 2 * DAY_SECONDS) * 1000).toISOString() })
})

it('if one customer has two accounts, each subscription belongs to the account of its own checkout', async () => {
  const [jan, kim] = [await signUp('jan'), await signUp('kim')]
  for (const [subscriptionId, { uid }] of [
    ['sub_j', jan],
    ['sub_k', kim],
  ] as const)
    await sendPaymentEvent(
      'checkout.session.completed',
      START_SECONDS,
      createCheckout('cus_jk', subscriptionId, { client_reference_id: uid }),
    )
  for (const subscriptionId of ['sub_j', 'sub_k'])
    await sendPaymentEvent(
      'customer.subscription.created',
      START_SECONDS,
      createSubscription('cus_jk', subscriptionId, 'active', START_SECONDS + DAY_SECONDS),
    )
  expect([await jan.readRoles(), await kim.readRoles()]).toEqual([['subscriber'], ['subscriber']])
  await sendPaymentEvent(
    'customer.subscription.deleted',
    START_SECONDS,
    createSubscription('cus_jk', 'sub_j', 'canceled', START_SECONDS + DAY_SECONDS),
  )
  expect([await jan.readRoles(), await kim.readRoles()]).toEqual([[], ['subscriber']])
})

it('an event that arrives many times simultaneously counts once; bodies that are not events are refused', async () => {
  const lee = await signUp('lee')
  const eventRequests = [
    createEventRequest('checkout.session.completed', START_SECONDS, createCheckout('cus_l', 'sub_l', { client_reference_id: lee.uid })),
    createEventRequest(
      'customer.subscription.created',
      START_SECONDS,
      createSubscription('cus_l', 'sub_l', 'active', START_SECONDS + DAY_SECONDS),
    ),
  ]
  const statusCodes = await Promise.all(
    Array.from({ length: 20 }, () => eventRequests)
      .flat()
      .map((each) => sendEvent(site, each)),
  )
  expect(new Set(statusCodes)).toEqual(new Set([200]))
  expect(await lee.readGrants()).toHaveLength(1)
  const [firstRequest] = eventRequests
  if (firstRequest === undefined) throw new Error('there is no request')
  const otherRequest = { ...firstRequest, headers: { ...firstRequest.headers, 'content-type': 'text/plain' } }
  expect(await sendEvent(site, otherRequest)).toBe(200)
  expect(await sendEvent(site, { ...firstRequest, payload: `${firstRequest.payload} ` })).toBe(400)
  expect(await sendEvent(site, { ...firstRequest, payload: 'x'.repeat(1024 * 1024 + 1) })).toBe(413)
})

it('while the settings cannot be read, an event is refused, so that Stripe sends it again', async () => {
  let isDatabaseGone = false
  const storageFault = new StorageError('unreachable', 'The database server cannot be reached.')
  const otherSite = await createTestApp(
    { STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
    {
      nowMs: () => nowMs,
      wrapStorage: (storage) => {
        const readForBrand: typeof storage.settings.readForBrand = async (brand) => {
          if (isDatabaseGone) throw storageFault
          return storage.settings.readForBrand(brand)
        }
        return { ...storage, settings: { ...storage.settings, readForBrand } }
      },
    },
  )
  isDatabaseGone = true
  const event = createEventRequest(
    'customer.subscription.created',
    START_SECONDS,
    createSubscription('cus_gone', 'sub_gone', 'active', START_SECONDS + DAY_SECONDS),
  )
  expect(await sendEvent(otherSite, event)).toBe(503)
  isDatabaseGone = false
  expect(await sendEvent(otherSite, event)).toBe(200)
  await otherSite.close()
})

it('without a webhook secret the webhook does not exist', async () => {
  const other = await createTestApp()
  expect(await sendEvent(other, createSignedEvent({ id: 'evt_1', type: 'customer.created', created: START_SECONDS, object: {} }))).toBe(404)
  await other.close()
})

/** The seed of `drawNumber`, which returns an integer from 0 to `numberMax` - 1. The sequence is the same in each run. */
let randomSeed = 12_345
const drawNumber = (numberMax: number) => {
  randomSeed = (randomSeed * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((randomSeed / 2_147_483_648) * numberMax)
}
const shuffleItems = <T>(orderedItems: readonly T[]): T[] =>
  orderedItems
    .map((item) => ({ item, at: drawNumber(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)

it('in 50 random orders of replayed, duplicated and forged events, the roles are those of the newest state', () => expectNewestState(50))
it('in 1,000 random orders of replayed, duplicated and forged events, the roles are those of the newest state', { tags: ['long'] }, () =>
  expectNewestState(1000),
)

async function expectNewestState(orderCount: number) {
  const subscriptionStatuses = ['active', 'active', 'trialing', 'past_due', 'canceled', 'unpaid', 'paused'] as const
  const rolesByPlan = { premium: ['subscriber'], premium_plus: ['donator', 'subscriber'] } as const
  const atMs = nowMs
  for (let orderIndex = 0; orderIndex < orderCount; orderIndex++) {
    const [customerId, subscriptionId, uid] = [
      `cus_${orderCount}_${orderIndex}`,
      `sub_${orderCount}_${orderIndex}`,
      `uid-${orderCount}-${orderIndex}`,
    ]
    const subscriptionStates = Array.from({ length: 1 + drawNumber(6) }, (_, index) => ({
      created: START_SECONDS - 1000 + index,
      status: subscriptionStatuses[drawNumber(subscriptionStatuses.length)] ?? 'active',
      plan: drawNumber(2) === 0 ? ('premium' as const) : ('premium_plus' as const),
      // The periods of some subscriptions have ended.
      periodEnd: START_SECONDS + (drawNumber(5) - 1) * DAY_SECONDS,
    }))
    const lastState = subscriptionStates.at(-1)
    if (lastState === undefined) throw new Error('there is no state')
    const isSubscriptionDeleted = drawNumber(4) === 0
    const paidUntilSeconds = drawNumber(2) === 0 ? START_SECONDS - DAY_SECONDS : START_SECONDS + DAY_SECONDS
    const eventRequests = [
      createEventRequest(
        'checkout.session.completed',
        START_SECONDS - 1000,
        createCheckout(customerId, subscriptionId, { client_reference_id: uid }),
      ),
      createEventRequest('invoice.paid', START_SECONDS - 1000, createInvoice(customerId, subscriptionId, paidUntilSeconds)),
      ...subscriptionStates.map(({ created, status, plan, periodEnd }, index) =>
        createEventRequest(
          index === 0 ? 'customer.subscription.created' : 'customer.subscription.updated',
          created,
          createSubscription(customerId, subscriptionId, status, periodEnd, plan),
        ),
      ),
      // The deletion happens in the same second as the last update, and takes precedence.
      ...(isSubscriptionDeleted
        ? [
            createEventRequest(
              'customer.subscription.deleted',
              lastState.created,
              createSubscription(customerId, subscriptionId, 'active', lastState.periodEnd),
            ),
          ]
        : []),
    ]
    const forgedRequest = createEventRequest(
      'customer.subscription.updated',
      START_SECONDS,
      createSubscription(customerId, subscriptionId, 'active', START_SECONDS + 99 * DAY_SECONDS, 'premium_plus'),
      'whsec_forged_0123456789abcdef',
    )
    const replayedRequest = eventRequests[drawNumber(eventRequests.length)]
    for (const eventRequest of shuffleItems([
      ...eventRequests,
      ...eventRequests.slice(0, drawNumber(3)),
      forgedRequest,
      ...(replayedRequest ? [replayedRequest] : []),
    ]))
      expect(await sendEvent(site, eventRequest)).toBe(eventRequest === forgedRequest ? 400 : 200)

    const expectedUntilSeconds =
      lastState.status === 'active' || lastState.status === 'trialing'
        ? lastState.periodEnd
        : lastState.status === 'past_due'
          ? paidUntilSeconds
          : 0
    const expectedGrants = !isSubscriptionDeleted && expectedUntilSeconds > START_SECONDS ? rolesByPlan[lastState.plan] : []
    const paidGrants = await site.storage.payments.listGrants({ uid, verifiedEmail: undefined })
    expect(
      paidGrants
        .filter(({ untilMs }) => untilMs > atMs)
        .map(({ role }) => role)
        .sort(),
      JSON.stringify({ states: subscriptionStates, isDeleted: isSubscriptionDeleted, paidUntil: paidUntilSeconds }),
    ).toEqual([...expectedGrants])
  }
}
