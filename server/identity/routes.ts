import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { clientIdOf } from '../http/client-id.ts'
import { envelopeOf, sendPlain } from '../http/errors.ts'
import type { Log } from '../services/log.ts'
import type { Account } from '../storage/storage.ts'
import type { MailContext } from './account-mails.ts'
import type { AccountService, Session } from './account-service.ts'
import { createAttempts } from './attempts.ts'
import { ID_TOKEN_SECONDS } from './id-tokens.ts'
import { IdentityError, OverloadError } from './identity-error.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts'

const TOOLKIT = '/identitytoolkit.googleapis.com'
const SECURE_TOKEN = '/securetoken.googleapis.com'
const EXPIRES_IN = String(ID_TOKEN_SECONDS)
/** Calls of any kind from one address in 15 minutes, look-ups and refreshes aside. */
const CALLS_MAX = 600
const CALLS_WINDOW_MS = 15 * 60_000

export interface IdentityRoutesDeps {
  service: AccountService
  mailContextOf: (request: FastifyRequest) => Promise<MailContext>
  log: Log
  nowMs: () => number
}

/** A text field of a body; empty where it is missing or no text. */
function field(request: FastifyRequest, name: string): string {
  const { body } = request
  const value: unknown = typeof body === 'object' && body !== null && Object.hasOwn(body, name) ? Reflect.get(body, name) : undefined
  return typeof value === 'string' ? value : ''
}

const tokens = ({ account, idToken, refreshToken }: Session) => ({
  ...{ localId: account.uid, email: account.email, idToken, refreshToken, expiresIn: EXPIRES_IN },
})

/** Times are texts: the SDK drops a stored user whose times are numbers. */
const userInfo = ({ uid, email, emailVerified, createdMs, lastLoginMs, validAfterMs }: Account) => ({
  ...{ localId: uid, email, emailVerified, createdAt: String(createdMs), lastLoginAt: String(lastLoginMs) },
  validSince: String(Math.floor(validAfterMs / 1000)),
  providerUserInfo: [{ providerId: 'password', email, rawId: email, federatedId: email }],
})

const isFrequent = (url: string) => url.startsWith(SECURE_TOKEN) || url.startsWith(`${TOOLKIT}/v1/accounts:lookup`)

/**
 * The calls of the browser's SDK, at the paths that it fixes. An error in the SDK's own shape signs people out at some
 * calls, so only what is true of an account has that shape; whatever else goes wrong is answered in plain text.
 */
export async function identityRoutes(app: FastifyInstance, { service, mailContextOf, log, nowMs }: IdentityRoutesDeps): Promise<void> {
  const calls = createAttempts({ windowMs: CALLS_WINDOW_MS, max: CALLS_MAX, nowMs })

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof IdentityError) {
      const { message } = error
      return reply.code(400).send({ error: { code: 400, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } })
    }
    if (error instanceof OverloadError) {
      log.warn({ req: request }, error.message)
      return sendPlain(reply.header('retry-after', '5'), 503, 'The server is busy. Please try again in a moment.')
    }
    const { code, message } = envelopeOf(error)
    if (code >= 500) log.error({ req: request, err: error }, 'request failed')
    return sendPlain(reply, code, message)
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isFrequent(request.url) && !calls.take(clientIdOf(request.ip))) throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
  })

  /** Only what a page of another site cannot send without asking first. */
  async function requireJson(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined
    return sendPlain(reply, 415, 'The content type must be JSON.')
  }

  function call(action: string, answer: (request: FastifyRequest, clientId: string) => Promise<object>): void {
    app.post(`${TOOLKIT}/v1/accounts::${action}`, { schema: { hide: true }, preValidation: requireJson }, (request) =>
      answer(request, clientIdOf(request.ip)),
    )
  }

  call('signUp', async (request, clientId) => {
    // Without an address it would be an anonymous account; with a token, a link to another one.
    if (field(request, 'email') === '' && field(request, 'password') === '') throw new IdentityError('OPERATION_NOT_ALLOWED')
    if (field(request, 'idToken') !== '') throw new IdentityError('OPERATION_NOT_ALLOWED')
    return tokens(await service.signUp(clientId, field(request, 'email'), field(request, 'password')))
  })

  call('signInWithPassword', async (request, clientId) => ({
    ...tokens(await service.signIn(clientId, field(request, 'email'), field(request, 'password'))),
    registered: true,
  }))

  call('lookup', async (request) => ({ users: [userInfo(await service.lookup(field(request, 'idToken')))] }))

  call('sendOobCode', async (request, clientId) => {
    const type = field(request, 'requestType')
    const context = await mailContextOf(request)
    if (type === 'PASSWORD_RESET') {
      const email = field(request, 'email')
      await service.sendReset(clientId, email, context)
      return { email }
    }
    if (type === 'VERIFY_EMAIL') return { email: await service.sendVerification(clientId, field(request, 'idToken'), context) }
    throw new IdentityError(type === '' ? 'MISSING_REQ_TYPE' : 'OPERATION_NOT_ALLOWED')
  })

  call('resetPassword', async (request) => {
    const oobCode = field(request, 'oobCode')
    const newPassword = field(request, 'newPassword')
    if (newPassword !== '') return { requestType: 'PASSWORD_RESET', email: await service.resetPassword(oobCode, newPassword) }
    const { kind, email } = await service.usableCode(oobCode)
    return { requestType: kind === 'reset' ? 'PASSWORD_RESET' : 'VERIFY_EMAIL', email }
  })

  call('update', async (request) => {
    const oobCode = field(request, 'oobCode')
    if (oobCode !== '') return { email: await service.verifyEmail(oobCode), emailVerified: true }
    const password = field(request, 'password')
    if (password === '' || field(request, 'email') !== '') throw new IdentityError('OPERATION_NOT_ALLOWED')
    const session = await service.changePassword(field(request, 'idToken'), password)
    return { ...tokens(session), emailVerified: session.account.emailVerified }
  })

  call('delete', async (request) => {
    await service.remove(field(request, 'idToken'))
    return {}
  })

  app.post(`${SECURE_TOKEN}/v1/token`, { schema: { hide: true } }, async (request) => {
    if (field(request, 'grant_type') !== 'refresh_token') throw new IdentityError('INVALID_GRANT_TYPE')
    const shown = field(request, 'refresh_token')
    if (shown === '') throw new IdentityError('MISSING_REFRESH_TOKEN')
    const { account, idToken, refreshToken } = await service.refresh(shown)
    return {
      ...{ access_token: idToken, id_token: idToken, refresh_token: refreshToken },
      ...{ expires_in: EXPIRES_IN, token_type: 'Bearer', user_id: account.uid },
    }
  })

  app.get(`${TOOLKIT}/v2/passwordPolicy`, { schema: { hide: true } }, async () => ({
    customStrengthOptions: { minPasswordLength: PASSWORD_MIN, maxPasswordLength: PASSWORD_MAX },
    allowedNonAlphanumericCharacters: [],
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  }))

  app.get(`${TOOLKIT}/v2/recaptchaConfig`, { schema: { hide: true } }, async () => ({ recaptchaKey: '', recaptchaEnforcementState: [] }))
}
