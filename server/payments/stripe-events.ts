import type Stripe from 'stripe'
import type { PaidPlan } from '../../contract/account.ts'
import { toComparableEmail } from '../identity/email-address.ts'
import { rolesByPlan } from './grants.ts'
import type { PaymentEvent } from './store.ts'

const isPaidPlan = (text: string | undefined): text is PaidPlan => text !== undefined && Object.hasOwn(rolesByPlan, text)
const findPlan = (metadata: Stripe.Metadata | null | undefined) => {
  const text = metadata?.plan
  return isPaidPlan(text) ? text : undefined
}
/**
 * Checks that a value in an event is a string, because events can differ from the types of Stripe's package. @throws TypeError if the value is not
 * a string
 */
function toText(jsonValue: unknown): string {
  if (typeof jsonValue !== 'string') throw new TypeError('a value of the event is not a text')
  return jsonValue
}
const readReferenceId = (reference: string | { id: string } | null | undefined) =>
  reference === null || reference === undefined ? undefined : toText(typeof reference === 'object' ? reference.id : reference)
const toEmail = (text: string | null | undefined) => (text?.trim() ? toComparableEmail(text) : undefined)
const toMilliseconds = (seconds: unknown) => (Number.isSafeInteger(seconds) ? Number(seconds) * 1000 : 0)

type ParsedPaymentEvent = Pick<PaymentEvent, 'group' | 'link' | 'fact'> | undefined

/** The settings of a brand that determine what a payment grants. */
export interface PaymentSettings {
  /** The setting `DONATOR_DAYS`: the number of days for which a donation grants the donator's role. */
  donatorDays: number
  /** The plans by the ids of their prices, from the settings `PRICE_PREMIUM` and `PRICE_PREMIUM_PLUS`. */
  plansByPrice: ReadonlyMap<string, PaidPlan>
}

function readCheckout(session: Stripe.Checkout.Session, donatorDays: number): ParsedPaymentEvent {
  // The payment is delayed; Stripe sends another event when it has succeeded.
  if (session.payment_status === 'unpaid') return undefined
  const subscriptionId = readReferenceId(session.subscription)
  const customerId = readReferenceId(session.customer)
  const groupId = subscriptionId === undefined ? (readReferenceId(session.payment_intent) ?? toText(session.id)) : customerId
  if (groupId === undefined) return undefined
  return {
    group: groupId,
    fact: {
      kind: 'checkout',
      subscription: subscriptionId,
      plan: findPlan(session.metadata),
      uid: session.client_reference_id ? toText(session.client_reference_id) : undefined,
      email: toEmail(session.customer_details?.email ?? session.customer_email),
      openedAtMs: toMilliseconds(session.created),
      donatorDays,
    },
  }
}

/**
 * Whether the collection of payments is paused in such a way that the time of the pause is never paid.
 * https://docs.stripe.com/billing/subscriptions/pause-payment
 */
const isUnpaidPause = (pause: Stripe.Subscription.PauseCollection | null | undefined) =>
  pause?.behavior === 'void' || pause?.behavior === 'mark_uncollectible'

type SubscriptionChange = 'created' | 'updated' | 'deleted'

function readSubscription(
  subscription: Stripe.Subscription,
  change: SubscriptionChange,
  plansByPrice: PaymentSettings['plansByPrice'],
): ParsedPaymentEvent {
  const groupId = readReferenceId(subscription.customer)
  if (groupId === undefined) return undefined
  // Since the API version 2025-03-31, the period is a field of the subscription's items; before, it was a field of the subscription itself.
  const periodEnds = subscription.items.data.map((item) => toMilliseconds(item.current_period_end))
  const periodEndMs = Math.max(0, ...periodEnds) || toMilliseconds(Reflect.get(subscription, 'current_period_end'))
  // A plan that was changed in the customer portal has another price, while the metadata are those of the checkout.
  const paidPlans = subscription.items.data.map(({ price }) => plansByPrice.get(price?.id))
  const { id, status, metadata, cancel_at, cancel_at_period_end, pause_collection } = subscription
  return {
    group: groupId,
    fact: {
      kind: 'subscription',
      subscription: toText(id),
      plan: paidPlans.find((plan) => plan !== undefined) ?? findPlan(metadata),
      status: toText(status),
      isCreated: change === 'created',
      isDeleted: change === 'deleted',
      isPaused: isUnpaidPause(pause_collection),
      isEnding: cancel_at_period_end === true || typeof cancel_at === 'number',
      periodEndMs,
    },
  }
}

function readInvoice(invoice: Stripe.Invoice): ParsedPaymentEvent {
  // Before the API version 2025-03-31, the subscription is a field of the invoice itself.
  const subscriptionReference: unknown = invoice.parent?.subscription_details?.subscription ?? Reflect.get(invoice, 'subscription')
  const subscriptionId =
    typeof subscriptionReference === 'string'
      ? subscriptionReference
      : typeof subscriptionReference === 'object' &&
          subscriptionReference !== null &&
          'id' in subscriptionReference &&
          typeof subscriptionReference.id === 'string'
        ? subscriptionReference.id
        : undefined
  const groupId = readReferenceId(invoice.customer)
  if (groupId === undefined || subscriptionId === undefined) return undefined
  const periodEndMs = Math.max(0, ...invoice.lines.data.map((line) => toMilliseconds(line.period.end)))
  // Before the API version 2025-03-31, the invoice names its payment; since then, `invoice_payment.paid` does.
  const paymentIntent: unknown = Reflect.get(invoice, 'payment_intent')
  return {
    group: groupId,
    link: typeof paymentIntent === 'string' ? paymentIntent : invoice.id,
    fact: { kind: 'invoice', subscription: subscriptionId, periodEndMs, email: toEmail(invoice.customer_email) },
  }
}

function readInvoicePayment({ invoice, payment }: Stripe.InvoicePayment): ParsedPaymentEvent {
  const [group, link] = [readReferenceId(invoice), readReferenceId(payment.payment_intent)]
  return group !== undefined && link !== undefined ? { group, link, fact: { kind: 'invoice-payment' } } : undefined
}

function readRefund(charge: Stripe.Charge): ParsedPaymentEvent {
  const group = readReferenceId(charge.payment_intent)
  // A partial refund does not end the grant.
  return charge.refunded && group !== undefined ? { group, fact: { kind: 'refund' } } : undefined
}

function readDispute({ payment_intent, status }: Stripe.Dispute): ParsedPaymentEvent {
  const group = readReferenceId(payment_intent)
  return status === 'lost' && group !== undefined ? { group, fact: { kind: 'dispute' } } : undefined
}

function readEventObject(event: Stripe.Event, { donatorDays, plansByPrice }: PaymentSettings): ParsedPaymentEvent {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return readCheckout(event.data.object, donatorDays)
    case 'customer.subscription.created':
      return readSubscription(event.data.object, 'created', plansByPrice)
    case 'customer.subscription.updated':
      return readSubscription(event.data.object, 'updated', plansByPrice)
    case 'customer.subscription.deleted':
      return readSubscription(event.data.object, 'deleted', plansByPrice)
    case 'invoice.paid':
      return readInvoice(event.data.object)
    case 'invoice_payment.paid':
      return readInvoicePayment(event.data.object)
    case 'charge.dispute.closed':
      return readDispute(event.data.object)
    case 'charge.refunded':
      return readRefund(event.data.object)
    default:
      return undefined
  }
}

/**
 * Converts an event of Stripe; `undefined` if it does not affect roles. https://docs.stripe.com/api/events/types
 * @throws TypeError for an event that differs from Stripe's documentation
 */
export function readStripeEvent(event: Stripe.Event, settings: PaymentSettings): PaymentEvent | undefined {
  const read = readEventObject(event, settings)
  return read && { id: toText(event.id), createdMs: toMilliseconds(event.created), ...read }
}
