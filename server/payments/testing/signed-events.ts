import Stripe from 'stripe'
import type { TestApp } from '../../test-app.ts'

export const WEBHOOK_SECRET = 'whsec_test_0123456789abcdef'

interface StripeEvent {
  id: string
  /** Epoch seconds. */
  created: number
  type: string
  object: Record<string, unknown>
}

/** Returns a webhook request that contains an event and a signature made with the package `stripe`. */
export function createSignedEvent({ id, created, type, object }: StripeEvent, { nowMs = Date.now(), secret = WEBHOOK_SECRET } = {}) {
  const eventJson = JSON.stringify({ id, object: 'event', api_version: '2026-01-28', created, type, data: { object } })
  const timestamp = Math.floor(nowMs / 1000)
  const header = Stripe.webhooks.generateTestHeaderString({ payload: eventJson, secret, timestamp })
  return { payload: eventJson, headers: { 'stripe-signature': header, 'content-type': 'application/json' } }
}

/** Sends a request of `createSignedEvent`. Returns the response's status. */
export const sendEvent = async ({ app }: TestApp, request: ReturnType<typeof createSignedEvent>): Promise<number> =>
  (await app.inject({ method: 'POST', url: '/api/webhooks/stripe', ...request })).statusCode

/** Returns the object of a paid checkout of a subscription. */
export const createCheckout = (customerId: string, subscriptionId: string, objectFields: Record<string, unknown> = {}) => ({
  id: `cs_${subscriptionId}`,
  object: 'checkout.session',
  mode: 'subscription',
  payment_status: 'paid',
  customer: customerId,
  subscription: subscriptionId,
  payment_intent: null,
  client_reference_id: null,
  customer_details: null,
  customer_email: null,
  metadata: {},
  ...objectFields,
})

/** Returns the object of a subscription. `periodEndSeconds` is in epoch seconds. */
export const createSubscription = (
  customerId: string,
  subscriptionId: string,
  subscriptionStatus: string,
  periodEndSeconds: number,
  planName = 'premium',
  { price, ...objectFields }: { price?: string } & Record<string, unknown> = {},
) => ({
  id: subscriptionId,
  object: 'subscription',
  customer: customerId,
  status: subscriptionStatus,
  metadata: { plan: planName },
  items: {
    object: 'list',
    data: [{ id: 'si_1', current_period_end: periodEndSeconds, ...(price !== undefined && { price: { id: price } }) }],
  },
  cancel_at: null,
  cancel_at_period_end: false,
  pause_collection: null,
  ...objectFields,
})

/** Returns the object of a paid invoice. `periodEnd` is in epoch seconds. */
export const createInvoice = (
  customerId: string,
  subscriptionId: string,
  periodEnd: number,
  email: string | null = null,
  invoiceId = 'in_1',
) => ({
  id: invoiceId,
  object: 'invoice',
  customer: customerId,
  customer_email: email,
  parent: { type: 'subscription_details', subscription_details: { subscription: subscriptionId } },
  lines: { object: 'list', data: [{ period: { start: 0, end: periodEnd } }] },
})

/** Returns the object of the payment of an invoice. */
export const createInvoicePayment = (invoiceId: string, paymentIntent: string) => ({
  id: `inpay_${paymentIntent}`,
  object: 'invoice_payment',
  invoice: invoiceId,
  payment: { type: 'payment_intent', payment_intent: paymentIntent },
  status: 'paid',
})

/** Returns the object of a closed dispute. */
export const createDispute = (paymentIntent: string, disputeStatus: 'lost' | 'won') => ({
  id: `du_${paymentIntent}`,
  object: 'dispute',
  charge: `ch_${paymentIntent}`,
  payment_intent: paymentIntent,
  status: disputeStatus,
})

/** Returns the object of a paid donation. */
export const createDonation = (paymentIntent: string, objectFields: Record<string, unknown> = {}) => ({
  ...createCheckout('', '', objectFields),
  id: `cs_${paymentIntent}`,
  mode: 'payment',
  customer: null,
  subscription: null,
  payment_intent: paymentIntent,
  metadata: { plan: 'donate' },
})
