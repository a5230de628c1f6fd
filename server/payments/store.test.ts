import { expect, test } from 'vitest'
import type { Mail } from '../mail/store.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { computePaidGrants } from './grants.ts'
import type { PaymentEvent, SeveralSubscriptions, SubscriptionFact } from './store.ts'

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
  const createWarning = ({ email, subscriptionIds }: SeveralSubscriptions): Mail => ({
    to: 'team@example.org',
    subject: 'two active subscriptions',
    text: `${email}: ${subscriptionIds}`,
    expiresMs: NOW_MS + 1,
  })
  const recordEvent = (event: PaymentEvent) => getStore().record(event, computePaidGrants, { atMs: NOW_MS, createWarning })
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

  test('the event of a second subscription and the mail that warns of it are stored both or not at all, so that a repeated event brings both', async () => {
    const { mails } = fixture.storage
    const readWarnings = async () => (await mails.claim(NOW_MS, NOW_MS + 1))?.text
    await recordEvent(checkoutEvent)
    await recordEvent(createSubscriptionStateEvent('evt_2', NOW_MS + 1))
    expect(await readWarnings()).toBeUndefined()
    const secondEvent: PaymentEvent = {
      id: 'evt_3',
      group: 'cus_2',
      createdMs: NOW_MS,
      fact: { kind: 'checkout', subscription: 'sub_2', plan: 'premium', uid: undefined, email, openedAtMs: NOW_MS, donatorDays: 0 },
    }
    const secondState: PaymentEvent = {
      ...createSubscriptionStateEvent('evt_4', NOW_MS + 1),
      group: 'cus_2',
      fact: { kind: 'subscription', subscription: 'sub_2', plan: 'premium', status: 'active', isDeleted: false, periodEndMs: NOW_MS + 1 },
    }
    await recordEvent(secondEvent)
    const failWarning = () => {
      throw new Error('the process ends')
    }
    await expect(getStore().record(secondState, computePaidGrants, { atMs: NOW_MS, createWarning: failWarning })).rejects.toThrow()
    expect(await recordEvent(secondState)).toEqual({ severalSubscriptions: { email, subscriptionIds: ['sub_1', 'sub_2'] } })
    expect(await readWarnings()).toBe(`${email}: sub_1,sub_2`)
    expect(await recordEvent(secondState)).toBeUndefined()
    expect(await readWarnings()).toBeUndefined()
  })

  test('why a subscription is not renewed is stored with its grants, and removed by the next event', async () => {
    const listRenewals = async () => (await getStore().listGrants(ann)).map(({ renews, interruption }) => [renews, interruption])
    const recordState = (eventId: string, seconds: number, fields: Partial<SubscriptionFact>) => {
      const activeFact = { kind: 'subscription', subscription: 'sub_1', plan: undefined, status: 'active', isDeleted: false } as const
      return recordEvent(createPaymentEvent(eventId, { ...activeFact, periodEndMs: NOW_MS + 1, ...fields }, NOW_MS + seconds * 1000))
    }
    await recordEvent(checkoutEvent)
    await recordEvent(createPaymentEvent('evt_2', { kind: 'invoice', subscription: 'sub_1', periodEndMs: NOW_MS + 1, email }))
    for (const [index, [fields, ...renewal]] of (
      [
        [{}, true, undefined],
        [{ status: 'past_due' }, false, 'payment_failed'],
        [{ isEnding: true }, false, undefined],
        [{ isPaused: true }, false, 'paused'],
        [{ status: 'canceled', isDeleted: true }, false, undefined],
      ] as const
    ).entries()) {
      await recordState(`evt_state_${index}`, index, fields)
      await fixture.reopen()
      expect(await listRenewals()).toEqual([renewal, renewal])
    }
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
