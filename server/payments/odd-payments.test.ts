import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'
import { createCheckout, createInvoice, createSignedEvent, createSubscription, sendEvent, WEBHOOK_SECRET } from './testing/signed-events.ts'

const START_SECONDS = Date.parse('2026-03-01T12:00:00Z') / 1000
const nowMs = START_SECONDS * 1000

let site: TestApp
beforeAll(async () => {
  site = await createTestApp({ STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET }, { nowMs: () => nowMs })
})
afterAll(() => site.close())

let eventCount = 0
const sendPaymentEvent = (type: string, created: number, object: Record<string, unknown>) =>
  sendEvent(site, createSignedEvent({ id: `evt_odd_${++eventCount}`, type, created, object }, { nowMs, secret: WEBHOOK_SECRET }))

it('a signed event with an unknown structure is accepted, logged and ignored, so that Stripe does not repeat it', async () => {
  const objects = [null, [], 'text', {}, { id: 5 }, { id: 'x', customer: 5 }, { customer: {}, id: {}, items: { data: [] } }]
  const malformedBodies: unknown[] = [null, 5, {}, [], 'x', { data: 'x' }, { data: [null] }]
  for (const type of ['checkout.session.completed', 'customer.subscription.updated', 'invoice.paid', 'charge.refunded', 'unknown.type']) {
    // The cast is safe: the test deliberately sends events that Stripe never sends.
    for (const object of [
      ...objects,
      ...malformedBodies.map((value) => ({
        ...createSubscription('cus_odd', 'sub_odd', 'active', START_SECONDS),
        items: value,
        status: value,
        id: value,
      })),
      ...malformedBodies.map((value) => ({
        ...createInvoice('cus_odd', 'sub_odd', START_SECONDS),
        lines: value,
        customer_email: value,
        refunded: true,
        payment_intent: value,
      })),
      ...malformedBodies.map((value) => ({
        ...createCheckout('cus_odd', 'sub_odd', {}),
        customer: value,
        client_reference_id: value,
        customer_details: value,
      })),
    ])
      expect([type, object, await sendPaymentEvent(type, START_SECONDS, object as Record<string, unknown>)]).toEqual([type, object, 200])
  }
  for (const [id, createdSeconds] of [
    [5, START_SECONDS],
    [null, START_SECONDS],
    ['evt_odd', 'yesterday'],
    ['evt_odd_2', 1e300],
  ] as unknown as [string, number][])
    expect(
      await sendEvent(
        site,
        createSignedEvent(
          { id, type: 'invoice.paid', created: createdSeconds, object: createInvoice('cus_odd', 'sub_odd', START_SECONDS) },
          { nowMs, secret: WEBHOOK_SECRET },
        ),
      ),
    ).toBe(200)
  expect(site.readLog()).toContain('a payment event has an unknown form and was left out')
})
