import type { PaidPlan, Role, SubscriptionInterruption } from '../../contract/account.ts'
import { DAY_MS } from '../durations.ts'
import type { PaidGrant, PaymentEvent, SubscriptionFact } from './store.ts'

export const rolesByPlan: Readonly<Record<PaidPlan, readonly Role[]>> = {
  premium: ['subscriber'],
  premium_plus: ['subscriber', 'donator'],
  donate: ['donator'],
}

type EventOf<F> = PaymentEvent & { fact: F }
const filterEvents = <K extends PaymentEvent['fact']['kind']>(events: readonly PaymentEvent[], kind: K) =>
  events.filter((event): event is EventOf<Extract<PaymentEvent['fact'], { kind: K }>> => event.fact.kind === kind)

/**
 * Compares events by time of creation. Events of the same second are ordered by id, so that the result does not depend on their order of arrival.
 */
const compareCreation = (a: PaymentEvent, b: PaymentEvent) => a.createdMs - b.createdMs || (a.id < b.id ? -1 : 1)

/**
 * Orders the states of a subscription by time. Of states with the same time, a deletion is the latest, and the creation or the status `incomplete`,
 * which is the first of a subscription, is the earliest; otherwise the state whose period ends later is the later one.
 */
const compareStateTime = (firstEvent: EventOf<SubscriptionFact>, secondEvent: EventOf<SubscriptionFact>) =>
  firstEvent.createdMs - secondEvent.createdMs ||
  Number(firstEvent.fact.isDeleted) - Number(secondEvent.fact.isDeleted) ||
  Number(secondEvent.fact.isCreated === true) - Number(firstEvent.fact.isCreated === true) ||
  Number(firstEvent.fact.status !== 'incomplete') - Number(secondEvent.fact.status !== 'incomplete') ||
  firstEvent.fact.periodEndMs - secondEvent.fact.periodEndMs ||
  compareCreation(firstEvent, secondEvent)

/** The paid invoices of a subscription, except those whose payment was lost in a dispute. */
interface PaidPeriods {
  /** The end of the last paid period, in epoch milliseconds; 0 if none is known. */
  paidUntilMs: number
  /** The time at which the dispute about the last period was lost; undefined if there was none. */
  lostAtMs: number | undefined
}

function listPaidPeriods(
  invoices: readonly EventOf<{ kind: 'invoice'; periodEndMs: number }>[],
  events: readonly PaymentEvent[],
): PaidPeriods {
  const paymentEvents = filterEvents(events, 'invoice-payment')
  const lostDisputes = filterEvents(events, 'dispute')
  const findDisputeLossMs = ({ link }: PaymentEvent) => {
    const groups = [link, ...paymentEvents.filter(({ group }) => group === link).map((payment) => payment.link)]
    const times = lostDisputes.filter(({ group }) => groups.includes(group)).map(({ createdMs }) => createdMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }
  const lastInvoice = invoices.toSorted((a, b) => a.fact.periodEndMs - b.fact.periodEndMs || compareCreation(a, b)).at(-1)
  return {
    paidUntilMs: Math.max(0, ...invoices.filter((invoice) => findDisputeLossMs(invoice) === undefined).map(({ fact }) => fact.periodEndMs)),
    lostAtMs: lastInvoice && findDisputeLossMs(lastInvoice),
  }
}

/**
 * Returns the time in epoch milliseconds until which the states of a subscription, in their order, grant its roles, which may be in the past; 0 if
 * the subscription never granted any.
 */
function computeSubscriptionUntilMs(states: readonly EventOf<SubscriptionFact>[], { paidUntilMs, lostAtMs }: PaidPeriods): number {
  const lastState = states.at(-1)
  if (lastState === undefined) return 0
  const { createdMs, fact } = lastState
  const { status, isDeleted, isPaused = false, periodEndMs } = fact
  // A deleted subscription grants nothing after its deletion.
  if (isDeleted) return Math.min(createdMs, lostAtMs ?? Number.POSITIVE_INFINITY, paidUntilMs || periodEndMs)
  if (status === 'active' || status === 'trialing') {
    if (lostAtMs !== undefined) return Math.max(paidUntilMs, lostAtMs)
    if (!isPaused) return periodEndMs
    // While payments are paused, periods pass without a payment. Only the last paid period counts, which is that of the state before the pause.
    return paidUntilMs || (states.findLast((each) => each.fact.isPaused !== true) ?? states[0] ?? lastState).fact.periodEndMs
  }
  // While a payment is past due, only the last paid period counts.
  return status === 'past_due' ? paidUntilMs : Math.min(createdMs, paidUntilMs)
}

const isRenewedSubscription = ({ fact: { status, isDeleted, isPaused = false, isEnding = false } }: EventOf<SubscriptionFact>) =>
  (status === 'active' || status === 'trialing') && !isDeleted && !isPaused && !isEnding

/**
 * Returns why a subscription that was not deleted is not renewed, or that its last payment was lost in a dispute; `undefined` if it is renewed, or ends
 * with its period.
 * https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses
 */
function findInterruption(
  { fact }: EventOf<SubscriptionFact>,
  { lostAtMs }: Pick<PaidPeriods, 'lostAtMs'>,
): SubscriptionInterruption | undefined {
  const { status, isDeleted, isPaused = false, isEnding = false } = fact
  if (isDeleted) return undefined
  if (isPaused || status === 'paused') return isEnding ? undefined : 'paused'
  // A subscription that ends with its period is included, because the failed payment is retried until then.
  if (status === 'past_due' || status === 'unpaid') return 'payment_failed'
  return lostAtMs !== undefined && (status === 'active' || status === 'trialing') ? 'disputed' : undefined
}

/**
 * Returns what the events of one group grant. The result depends on the set of events only, not on their order. A subscription belongs to the
 * account of its own checkout, else to the account of the customer's newest checkout, else to the email address of one of these checkouts.
 */
export function computePaidGrants(events: readonly PaymentEvent[]): PaidGrant[] {
  const checkoutEvents = filterEvents(events, 'checkout').toSorted(compareCreation)
  const stateEvents = filterEvents(events, 'subscription').toSorted(compareStateTime)
  const invoiceEvents = filterEvents(events, 'invoice').toSorted(compareCreation)
  const customerUid = checkoutEvents.findLast(({ fact }) => fact.uid !== undefined)?.fact.uid
  const customerEmail =
    checkoutEvents.findLast(({ fact }) => fact.email !== undefined)?.fact.email ??
    invoiceEvents.findLast(({ fact }) => fact.email !== undefined)?.fact.email

  const subscriptionGrants = [...new Set(stateEvents.map(({ fact }) => fact.subscription))].flatMap((subscriptionId) => {
    const ownStates = stateEvents.filter(({ fact }) => fact.subscription === subscriptionId)
    const lastState = ownStates.at(-1)
    const checkoutFact = checkoutEvents.findLast(({ fact }) => fact.subscription === subscriptionId)?.fact
    const paidPlan = lastState?.fact.plan ?? checkoutFact?.plan
    if (lastState === undefined || paidPlan === undefined) return []
    const ownInvoices = invoiceEvents.filter(({ fact }) => fact.subscription === subscriptionId)
    const paidPeriods = listPaidPeriods(ownInvoices, events)
    const interruption = findInterruption(lastState, paidPeriods)
    // A subscription that is interrupted before any payment counts has a grant that has ended, so that no second one is sold beside it.
    const endedAtMs = Math.min(lastState.createdMs, paidPeriods.lostAtMs ?? (ownStates[0] ?? lastState).createdMs)
    const untilMs = computeSubscriptionUntilMs(ownStates, paidPeriods) || (interruption === undefined ? 0 : endedAtMs)
    if (untilMs === 0) return []
    const uid = checkoutFact?.uid ?? customerUid
    const email = checkoutFact?.email ?? customerEmail
    return rolesByPlan[paidPlan].map((role) => ({
      purchase: subscriptionId,
      plan: paidPlan,
      role,
      uid,
      email,
      untilMs,
      renews: isRenewedSubscription(lastState),
      interruption,
    }))
  })

  const isPaymentReversed = filterEvents(events, 'refund').length + filterEvents(events, 'dispute').length > 0
  const donationEvent = checkoutEvents.find(({ fact }) => fact.subscription === undefined && fact.plan === 'donate')
  if (isPaymentReversed || donationEvent === undefined) return subscriptionGrants
  const { uid, email, openedAtMs, donatorDays } = donationEvent.fact
  const untilMs = (openedAtMs || donationEvent.createdMs) + donatorDays * DAY_MS
  return [
    ...subscriptionGrants,
    ...rolesByPlan.donate.map((role) => ({
      purchase: donationEvent.group,
      plan: 'donate' as const,
      role,
      uid,
      email,
      untilMs,
      renews: false,
    })),
  ]
}
