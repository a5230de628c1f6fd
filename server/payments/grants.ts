import type { PaidPlan, Role } from '../../contract/account.ts'
import { DAY_MS } from '../durations.ts'
import type { PaidGrant, PaymentEvent, SubscriptionFact } from './store.ts'

export const rolesByPlan: Readonly<Record<PaidPlan, readonly Role[]>> = {
  premium: ['subscriber'],
  premium_plus: ['subscriber', 'donator'],
  donate: ['donator'],
}

type EventOf<F> = PaymentEvent & { fact: F }
const eventsOf = <K extends PaymentEvent['fact']['kind']>(events: readonly PaymentEvent[], kind: K) =>
  events.filter((event): event is EventOf<Extract<PaymentEvent['fact'], { kind: K }>> => event.fact.kind === kind)

/**
 * Compares events by time of creation. Events of the same second are ordered by id, so that the result does not depend on their order of arrival.
 */
const byCreation = (a: PaymentEvent, b: PaymentEvent) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)

/**
 * Orders the states of a subscription by time. Of states with the same time, a deletion is the latest, and the status `incomplete`, which is the
 * first of a subscription, is the earliest; otherwise the state whose period ends later is the later one.
 */
const byValidity = (a: EventOf<SubscriptionFact>, b: EventOf<SubscriptionFact>) =>
  a.createdMs - b.createdMs ||
  Number(a.fact.isDeleted) - Number(b.fact.isDeleted) ||
  Number(a.fact.status !== 'incomplete') - Number(b.fact.status !== 'incomplete') ||
  a.fact.periodEndMs - b.fact.periodEndMs ||
  byCreation(a, b)

/**
 * Returns the time in epoch milliseconds until which a subscription grants its roles, which may be in the past; 0 if the subscription never granted
 * any.
 */
function subscriptionUntilMs({ createdMs, fact }: EventOf<SubscriptionFact>, paidUntilMs: number): number {
  const { status, isDeleted, periodEndMs } = fact
  // A deleted subscription grants nothing after its deletion.
  if (isDeleted) return Math.min(createdMs, paidUntilMs || periodEndMs)
  if (status === 'active' || status === 'trialing') return periodEndMs
  // While a payment is past due, only the last paid period counts.
  return status === 'past_due' ? paidUntilMs : Math.min(createdMs, paidUntilMs)
}

/**
 * Returns what the events of one group grant. The result depends on the set of events only, not on their order. A subscription belongs to the
 * account of its own checkout, else to the account of the customer's newest checkout, else to the email address of one of these checkouts.
 */
export function paidGrants(events: readonly PaymentEvent[]): PaidGrant[] {
  const checkouts = eventsOf(events, 'checkout').toSorted(byCreation)
  const states = eventsOf(events, 'subscription').toSorted(byValidity)
  const invoices = eventsOf(events, 'invoice').toSorted(byCreation)
  const customerUid = checkouts.findLast(({ fact }) => fact.uid !== undefined)?.fact.uid
  const customerEmail =
    checkouts.findLast(({ fact }) => fact.email !== undefined)?.fact.email ??
    invoices.findLast(({ fact }) => fact.email !== undefined)?.fact.email

  const subscriptionGrants = [...new Set(states.map(({ fact }) => fact.subscription))].flatMap((subscription) => {
    const state = states.findLast(({ fact }) => fact.subscription === subscription)
    const checkout = checkouts.findLast(({ fact }) => fact.subscription === subscription)?.fact
    const plan = state?.fact.plan ?? checkout?.plan
    if (state === undefined || plan === undefined) return []
    const paidUntilMs = Math.max(
      0,
      ...invoices.filter(({ fact }) => fact.subscription === subscription).map(({ fact }) => fact.periodEndMs),
    )
    const untilMs = subscriptionUntilMs(state, paidUntilMs)
    if (untilMs === 0) return []
    const uid = checkout?.uid ?? customerUid
    const email = checkout?.email ?? customerEmail
    return rolesByPlan[plan].map((role) => ({ purchase: subscription, plan, role, uid, email, untilMs }))
  })

  const isRefunded = eventsOf(events, 'refund').length > 0
  const donation = checkouts.find(({ fact }) => fact.subscription === undefined && fact.plan === 'donate')
  if (isRefunded || donation === undefined) return subscriptionGrants
  const { uid, email, openedAtMs, donatorDays } = donation.fact
  const untilMs = (openedAtMs || donation.createdMs) + donatorDays * DAY_MS
  return [
    ...subscriptionGrants,
    ...rolesByPlan.donate.map((role) => ({ purchase: donation.group, plan: 'donate' as const, role, uid, email, untilMs })),
  ]
}
