import type { FastifyInstance, FastifyRequest } from 'fastify'
import { brands } from '../../brands/registry.ts'
import type { PaidPlan } from '../../contract/account.ts'
import { ApiError } from '../../contract/errors.ts'
import { DAY_MS } from '../durations.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Mail } from '../mail/store.ts'
import type { RouteContext } from '../route-context.ts'
import { computePaidGrants } from './grants.ts'
import type { PaymentEvent, SeveralSubscriptions } from './store.ts'
import { type PaymentSettings, readStripeEvent } from './stripe-events.ts'

interface PaymentsDeps {
  app: FastifyInstance
  /** The signing secrets; one of them must have signed an event. */
  secrets: readonly string[]
  log: Log
  mailer: Mailer
  /** The email address of the team, which is warned of a second subscription; undefined if no mails go to the team. */
  mailTo: string | undefined
}

export const STRIPE_WEBHOOK_URL = `${API_PREFIX}/webhooks/stripe`
/** The maximum size of a webhook request. Stripe's events are far smaller. */
const BODY_MAX_BYTES = 1024 * 1024
/** The maximum age of a signature in seconds, which limits the replay of a stolen one. */
const SIGNATURE_MAX_AGE_SECONDS = 300

/** The time after which delivery of an unsent warning is given up. */
const WARNING_LIFETIME_MS = 7 * DAY_MS

/** Registers the webhook to which Stripe sends its events. The body is not parsed by Fastify, because the signature covers its bytes. */
export async function registerPaymentRoutes(
  { storage, site, nowMs }: RouteContext,
  { app, secrets, log, mailer, mailTo }: PaymentsDeps,
): Promise<void> {
  // The Stripe package is loaded only if payments are configured.
  const stripeWebhooks = secrets.length === 0 ? undefined : (await import('stripe')).default.webhooks

  /** @throws ApiError 400 if the signature matches none of the secrets */
  function verifyEvent(bodyBytes: Buffer, signatureHeader: string) {
    for (const webhookSecret of secrets) {
      try {
        return stripeWebhooks?.constructEvent(bodyBytes, signatureHeader, webhookSecret, SIGNATURE_MAX_AGE_SECONDS, undefined, nowMs())
      } catch {
        // The signature does not match this secret; the loop tries the next one.
      }
    }
    throw new ApiError('bad-input', 'The signature is wrong.')
  }

  /** Returns the settings of the brand of a webhook. The prices are those of all brands, because accounts are shared. */
  async function readPaymentSettings({ site: { brand } }: FastifyRequest): Promise<PaymentSettings & { siteName: string }> {
    const allSettings = await Promise.all(brands.map((each) => site.settingsOf(each)))
    const listPriceIds = (settingKey: 'PRICE_PREMIUM' | 'PRICE_PREMIUM_PLUS', plan: PaidPlan) =>
      allSettings.flatMap((settings) =>
        settings[settingKey]
          .split(',')
          .map((id) => id.trim())
          .filter((id) => id !== '')
          .map((id) => [id, plan] as const),
      )
    const { DONATOR_DAYS: donatorDays, NAME: siteName } = await site.settingsOf(brand)
    return {
      siteName,
      donatorDays,
      plansByPrice: new Map([...listPriceIds('PRICE_PREMIUM', 'premium'), ...listPriceIds('PRICE_PREMIUM_PLUS', 'premium_plus')]),
    }
  }

  /** Creates the mail that warns the team of a person who is charged for several subscriptions. */
  function createWarningMail({ email, subscriptionIds }: SeveralSubscriptions, siteName: string): Mail | undefined {
    if (mailTo === undefined) return undefined
    return {
      to: mailTo,
      sender: siteName,
      subject: `${siteName}: two active subscriptions`,
      text: [
        `${email ?? 'An account'} has ${subscriptionIds.length} active subscriptions, and is charged for each: ${subscriptionIds.join(', ')}.`,
        'Please end all but one at Stripe, and refund what was paid twice.',
      ].join('\n\n'),
      expiresMs: nowMs() + WARNING_LIFETIME_MS,
    }
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_MAX_BYTES }, (_request, body, done) => done(null, body))
    scope.post(STRIPE_WEBHOOK_URL, { bodyLimit: BODY_MAX_BYTES, schema: { hide: true } }, async (request, reply) => {
      if (stripeWebhooks === undefined) throw new ApiError('not-found', 'Payments are not set up.')
      const signatureHeader = request.headers['stripe-signature']
      const event = verifyEvent(
        Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        typeof signatureHeader === 'string' ? signatureHeader : '',
      )
      if (event === undefined) throw new ApiError('bad-input', 'The signature is wrong.')
      // If the settings cannot be read, the event is refused, so that Stripe sends it again.
      const settings = await readPaymentSettings(request)
      let paymentEvent: PaymentEvent | undefined
      try {
        paymentEvent = readStripeEvent(event, settings)
      } catch (err) {
        // An event that cannot be parsed is accepted nevertheless, because Stripe would send a refused event again for days, unchanged.
        log.error({ err }, 'a payment event has an unknown form and was left out')
        return reply.send({ received: true })
      }
      const recorded =
        paymentEvent &&
        (await storage.payments.record(paymentEvent, computePaidGrants, {
          atMs: nowMs(),
          createWarning: (subscriptions) => createWarningMail(subscriptions, settings.siteName),
        }))
      log.info({ event: event.id, type: event.type, kind: paymentEvent?.fact.kind, isNew: recorded !== undefined }, 'payment event')
      if (recorded?.severalSubscriptions !== undefined) {
        log.warn({ subscriptions: recorded.severalSubscriptions.subscriptionIds }, 'one person has two active subscriptions')
        mailer.wake()
      }
      return reply.send({ received: true })
    })
  })
}
