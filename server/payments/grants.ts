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
 * Orders the states of a subscription by time. Of states with the same time, a deletion is the latest, and the creation or the status `incomplete`,
 * which is the first of a subscription, is the earliest; otherwise the state whose period ends later is the later one.
 */
const byValidity = (a: EventOf<SubscriptionFact>, b: EventOf<SubscriptionFact>) =>
  a.createdMs - b.createdMs ||
  Number(a.fact.isDeleted) - Number(b.fact.isDeleted) ||
  Number(b.fact.isCreated === true) - Number(a.fact.isCreated === true) ||
  Number(a.fact.status !== 'incomplete') - Number(b.fact.status !== 'incomplete') ||
  a.fact.periodEndMs - b.fact.periodEndMs ||
  byCreation(a, b)

/** The paid invoices of a subscription, except those whose payment was lost in a dispute. */
interface PaidPeriods {
  /** The end of the last paid period, in epoch milliseconds; 0 if none is known. */
  paidUntilMs: number
  /** The time at which the dispute about the last period was lost; undefined if there was none. */
  lostAtMs: number | undefined
}

function paidPeriodsOf(
  invoices: readonly EventOf<{ kind: 'invoice'; periodEndMs: number }>[],
  events: readonly PaymentEvent[],
): PaidPeriods {
  const payments = eventsOf(events, 'invoice-payment')
  const lostDisputes = eventsOf(events, 'dispute')
  const lostAtMsOf = ({ link }: PaymentEvent) => {
    const groups = [link, ...payments.filter(({ group }) => group === link).map((payment) => payment.link)]
    const times = lostDisputes.filter(({ group }) => groups.includes(group)).map(({ createdMs }) => createdMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }
  const lastInvoice = invoices.toSorted((a, b) => a.fact.periodEndMs - b.fact.periodEndMs || byCreation(a, b)).at(-1)
  return {
    paidUntilMs: Math.max(0, ...invoices.filter((invoice) => lostAtMsOf(invoice) === undefined).map(({ fact }) => fact.periodEndMs)),
    lostAtMs: lastInvoice && lostAtMsOf(lastInvoice),
  }
}

/**
 * Returns the time in epoch milliseconds until which the states of a subscription, in their order, grant its roles, which may be in the past; 0 if
 * the subscription never granted any.
 */
function subscriptionUntilMs(states: readonly EventOf<SubscriptionFact>[], { paidUntilMs, lostAtMs }: PaidPeriods): number {
  const state = states.at(-1)
  if (state === undefined) return 0
  const { createdMs, fact } = state
  const { status, isDeleted, isPaused = false, periodEndMs } = fact
  // A deleted subscription grants nothing after its deletion.
  if (isDeleted) return Math.min(createdMs, lostAtMs ?? Number.POSITIVE_INFINITY, paidUntilMs || periodEndMs)
  if (status === 'active' || status === 'trialing') {
    if (lostAtMs !== undefined) return Math.max(paidUntilMs, lostAtMs)
    if (!isPaused) return periodEndMs
    // While payments are paused, periods pass without a payment. Only the last paid period counts, which is that of the state before the pause.
    return paidUntilMs || (states.findLast((each) => each.fact.isPaused !== true) ?? states[0] ?? state).fact.periodEndMs
  }
  // While a payment is past due, only the last paid period counts.
  return status === 'past_due' ? paidUntilMs : Math.min(createdMs, paidUntilMs)
}

const isRenewed = ({ fact: { status, isDeleted, isPaused = false, isEnding = false } }: EventOf<SubscriptionFact>) =>
  (status === 'active' || status === 'trialing' || status === 'past_due') && !isDeleted && !isPaused && !isEnding

/**
 * Returns what the events of one group grant. The result depends on the set of events only, not on their order. A subscription belongs to the
 * account of its own checkout, else to the account of the customer's newest checkout, else to the email address of one of these checkouts.
 */
export function computePaidGrants(events: readonly PaymentEvent[]): PaidGrant[] {
  const checkouts = eventsOf(events, 'checkout').toSorted(byCreation)
  const states = eventsOf(events, 'subscription').toSorted(byValidity)
  const invoices = eventsOf(events, 'invoice').toSorted(byCreation)
  const customerUid = checkouts.findLast(({ fact }) => fact.uid !== undefined)?.fact.uid
  const customerEmail =
    checkouts.findLast(({ fact }) => fact.email !== undefined)?.fact.email ??
    invoices.findLast(({ fact }) => fact.email !== undefined)?.fact.email

  const subscriptionGrants = [...new Set(states.map(({ fact }) => fact.subscription))].flatMap((subscription) => {
    const ownStates = states.filter(({ fact }) => fact.subscription === subscription)
    const state = ownStates.at(-1)
    const checkout = checkouts.findLast(({ fact }) => fact.subscription === subscription)?.fact
    const plan = state?.fact.plan ?? checkout?.plan
    if (state === undefined || plan === undefined) return []
    const ownInvoices = invoices.filter(({ fact }) => fact.subscription === subscription)
    const untilMs = subscriptionUntilMs(ownStates, paidPeriodsOf(ownInvoices, events))
    if (untilMs === 0) return []
    const uid = checkout?.uid ?? customerUid
    const email = checkout?.email ?? customerEmail
    return rolesByPlan[plan].map((role) => ({ purchase: subscription, plan, role, uid, email, untilMs, renews: isRenewed(state) }))
  })

  const isTakenBack = eventsOf(events, 'refund').length + eventsOf(events, 'dispute').length > 0
  const donation = checkouts.find(({ fact }) => fact.subscription === undefined && fact.plan === 'donate')
  if (isTakenBack || donation === undefined) return subscriptionGrants
  const { uid, email, openedAtMs, donatorDays } = donation.fact
  const untilMs = (openedAtMs || donation.createdMs) + donatorDays * DAY_MS
  return [
    ...subscriptionGrants,
    ...rolesByPlan.donate.map((role) => ({
      purchase: donation.group,
      plan: 'donate' as const,
      role,
      uid,
      email,
      untilMs,
      renews: false,
    })),
  ]
}
