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
  const payload = JSON.stringify({ id, object: 'event', api_version: '2026-01-28', created, type, data: { object } })
  const timestamp = Math.floor(nowMs / 1000)
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  return { payload, headers: { 'stripe-signature': header, 'content-type': 'application/json' } }
}

/** Sends a request of `createSignedEvent`. Returns the response's status. */
export const sendEvent = async ({ app }: TestApp, request: ReturnType<typeof createSignedEvent>): Promise<number> =>
  (await app.inject({ method: 'POST', url: '/api/webhooks/stripe', ...request })).statusCode

/** Returns the object of a paid checkout of a subscription. */
export const createCheckout = (customer: string, subscription: string, fields: Record<string, unknown> = {}) => ({
  id: `cs_${subscription}`,
  object: 'checkout.session',
  mode: 'subscription',
  payment_status: 'paid',
  customer,
  subscription,
  payment_intent: null,
  client_reference_id: null,
  customer_details: null,
  customer_email: null,
  metadata: {},
  ...fields,
})

/** Returns the object of a subscription. `periodEnd` is in epoch seconds. */
export const createSubscription = (
  customer: string,
  id: string,
  status: string,
  periodEnd: number,
  plan = 'premium',
  { price, ...fields }: { price?: string } & Record<string, unknown> = {},
) => ({
  id,
  object: 'subscription',
  customer,
  status,
  metadata: { plan },
  items: { object: 'list', data: [{ id: 'si_1', current_period_end: periodEnd, ...(price !== undefined && { price: { id: price } }) }] },
  cancel_at: null,
  cancel_at_period_end: false,
  pause_collection: null,
  ...fields,
})

/** Returns the object of a paid invoice. `periodEnd` is in epoch seconds. */
export const createInvoice = (customer: string, subscription: string, periodEnd: number, email: string | null = null, id = 'in_1') => ({
  id,
  object: 'invoice',
  customer,
  customer_email: email,
  parent: { type: 'subscription_details', subscription_details: { subscription } },
  lines: { object: 'list', data: [{ period: { start: 0, end: periodEnd } }] },
})

/** Returns the object of the payment of an invoice. */
export const createInvoicePayment = (invoice: string, paymentIntent: string) => ({
  id: `inpay_${paymentIntent}`,
  object: 'invoice_payment',
  invoice,
  payment: { type: 'payment_intent', payment_intent: paymentIntent },
  status: 'paid',
})

/** Returns the object of a closed dispute. */
export const createDispute = (paymentIntent: string, status: 'lost' | 'won') => ({
  id: `du_${paymentIntent}`,
  object: 'dispute',
  charge: `ch_${paymentIntent}`,
  payment_intent: paymentIntent,
  status,
})

/** Returns the object of a paid donation. */
export const createDonation = (paymentIntent: string, fields: Record<string, unknown> = {}) => ({
  ...createCheckout('', '', fields),
  id: `cs_${paymentIntent}`,
  mode: 'payment',
  customer: null,
  subscription: null,
  payment_intent: paymentIntent,
  metadata: { plan: 'donate' },
})
