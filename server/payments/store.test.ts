import { expect, test } from 'vitest'
import { describeStores } from '../storage/testing/databases.ts'
import { computePaidGrants } from './grants.ts'
import type { PaymentEvent } from './store.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const email = 'ann@example.com'
const ann = { uid: 'ann', verifiedEmail: email }
const strangerAccount = { uid: 'stranger', verifiedEmail: undefined }

const createPaymentEvent = (eventId: string, fact: PaymentEvent['fact'], createdMs = NOW_MS): PaymentEvent => ({
  id: eventId,
  group: 'cus_1',
  createdMs,
  fact,
})
const checkoutEvent = createPaymentEvent('evt_1', {
  kind: 'checkout',
  subscription: 'sub_1',
  plan: 'premium_plus',
  uid: 'ann',
  email,
  openedAtMs: NOW_MS,
  donatorDays: 30,
})
const createSubscriptionStateEvent = (eventId: string, periodEndMs: number, createdMs = NOW_MS) =>
  createPaymentEvent(
    eventId,
    { kind: 'subscription', subscription: 'sub_1', plan: undefined, status: 'active', isDeleted: false, periodEndMs },
    createdMs,
  )

describeStores('payments', (fixture) => {
  const getStore = () => fixture.storage.payments
  const recordEvent = (event: PaymentEvent) => getStore().record(event, computePaidGrants)
  const listGrantEnds = async (holder: Parameters<ReturnType<typeof getStore>['listGrants']>[0]) =>
    (await getStore().listGrants(holder)).map(({ role, untilMs }) => [role, untilMs])

  test('events that arrive at the same time, and many times, each count once', async () => {
    const storedEvents = [
      checkoutEvent,
      createSubscriptionStateEvent('evt_2', NOW_MS + 1),
      createSubscriptionStateEvent('evt_3', NOW_MS + 2, NOW_MS + 1000),
    ]
    const recordOutcomes = await Promise.all([...storedEvents, ...storedEvents.toReversed(), ...storedEvents].map(recordEvent))
    expect(recordOutcomes.filter((isNew) => isNew)).toHaveLength(3)
    await fixture.reopen()
    expect(await listGrantEnds(ann)).toEqual([
      ['donator', NOW_MS + 2],
      ['subscriber', NOW_MS + 2],
    ])
    expect(await listGrantEnds(strangerAccount)).toEqual([])
  })

  test('a payment of a deleted account belongs to the account that has verified its email address, also after later events', async () => {
    await recordEvent(checkoutEvent)
    await recordEvent(createSubscriptionStateEvent('evt_2', NOW_MS + 1))
    const newAccount = { uid: 'ann again', verifiedEmail: email }
    expect(await listGrantEnds(newAccount)).toEqual([])
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    expect(await listGrantEnds({ ...ann, verifiedEmail: undefined })).toEqual([])
    expect(await listGrantEnds(newAccount)).toHaveLength(2)
    await recordEvent(createSubscriptionStateEvent('evt_3', NOW_MS + 2, NOW_MS + 1000))
    expect(await listGrantEnds(newAccount)).toEqual([
      ['donator', NOW_MS + 2],
      ['subscriber', NOW_MS + 2],
    ])
    expect(await listGrantEnds(strangerAccount)).toEqual([])
  })
})
