import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../contract/errors.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import type { Log } from '../log.ts'
import type { RouteContext } from '../route-context.ts'
import { paidGrants } from './grants.ts'
import type { PaymentEvent } from './store.ts'
import { readStripeEvent } from './stripe-events.ts'

interface PaymentsDeps {
  app: FastifyInstance
  /** The signing secrets; one of them must have signed an event. */
  secrets: readonly string[]
  log: Log
}

export const STRIPE_WEBHOOK_URL = `${API_PREFIX}/webhooks/stripe`
/** The maximum size of a webhook request. Stripe's events are far smaller. */
const BODY_MAX_BYTES = 1024 * 1024
/** The maximum age of a signature in seconds, which limits the replay of a stolen one. */
const TOLERANCE_SECONDS = 300

/** Registers the webhook to which Stripe sends its events. The body is not parsed by Fastify, because the signature covers its bytes. */
export async function registerPayments({ storage, site, nowMs }: RouteContext, { app, secrets, log }: PaymentsDeps): Promise<void> {
  // The Stripe package is loaded only if payments are configured.
  const webhooks = secrets.length === 0 ? undefined : (await import('stripe')).default.webhooks

  /** @throws ApiError 400 if no secret has signed the body */
  function verifyEvent(body: Buffer, signature: string) {
    for (const secret of secrets) {
      try {
        return webhooks?.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, nowMs())
      } catch {
        // The signature does not match this secret; the loop tries the next one.
      }
    }
    throw new ApiError('bad-input', 'The signature is wrong.')
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) => done(null, body))
    scope.post(STRIPE_WEBHOOK_URL, { bodyLimit: BODY_MAX_BYTES, schema: { hide: true } }, async (request, reply) => {
      if (webhooks === undefined) throw new ApiError('not-found', 'Payments are not set up.')
      const signature = request.headers['stripe-signature']
      const event = verifyEvent(
        Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        typeof signature === 'string' ? signature : '',
      )
      if (event === undefined) throw new ApiError('bad-input', 'The signature is wrong.')
      const { DONATOR_DAYS } = await site.settingsOf(request.site.brand)
      let payment: PaymentEvent | undefined
      try {
        payment = readStripeEvent(event, DONATOR_DAYS)
      } catch (err) {
        // An event that cannot be parsed is accepted nevertheless, because Stripe would send a refused event again for days, unchanged.
        log.error({ err }, 'a payment event has an unknown form and was left out')
        return reply.send({ received: true })
      }
      const isNew = payment !== undefined && (await storage.payments.record(payment, paidGrants))
      log.info({ event: event.id, type: event.type, kind: payment?.fact.kind, isNew }, 'payment event')
      return reply.send({ received: true })
    })
  })
}
