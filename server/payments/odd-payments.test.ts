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
  const oddObjects = [null, [], 'text', {}, { id: 5 }, { id: 'x', customer: 5 }, { customer: {}, id: {}, items: { data: [] } }]
  const malformedBodies: unknown[] = [null, 5, {}, [], 'x', { data: 'x' }, { data: [null] }]
  for (const eventType of [
    'checkout.session.completed',
    'customer.subscription.updated',
    'invoice.paid',
    'charge.refunded',
    'unknown.type',
  ]) {
    // The cast is safe: the test deliberately sends events that Stripe never sends.
    for (const eventObject of [
      ...oddObjects,
      ...malformedBodies.map((malformedBody) => ({
        ...createSubscription('cus_odd', 'sub_odd', 'active', START_SECONDS),
        items: malformedBody,
        status: malformedBody,
        id: malformedBody,
      })),
      ...malformedBodies.map((malformedBody) => ({
        ...createInvoice('cus_odd', 'sub_odd', START_SECONDS),
        lines: malformedBody,
        customer_email: malformedBody,
        refunded: true,
        payment_intent: malformedBody,
      })),
      ...malformedBodies.map((malformedBody) => ({
        ...createCheckout('cus_odd', 'sub_odd', {}),
        customer: malformedBody,
        client_reference_id: malformedBody,
        customer_details: malformedBody,
      })),
    ])
      expect([eventType, eventObject, await sendPaymentEvent(eventType, START_SECONDS, eventObject as Record<string, unknown>)]).toEqual([
        eventType,
        eventObject,
        200,
      ])
  }
  for (const [eventId, createdSeconds] of [
    [5, START_SECONDS],
    [null, START_SECONDS],
    ['evt_odd', 'yesterday'],
    ['evt_odd_2', 1e300],
  ] as unknown as [string, number][])
    expect(
      await sendEvent(
        site,
        createSignedEvent(
          { id: eventId, type: 'invoice.paid', created: createdSeconds, object: createInvoice('cus_odd', 'sub_odd', START_SECONDS) },
          { nowMs, secret: WEBHOOK_SECRET },
        ),
      ),
    ).toBe(200)
  expect(site.readLog()).toContain('a payment event has an unknown form and was left out')
})
