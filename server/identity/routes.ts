import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../contract/form-rules.ts'
import { createClientId, findNetworkPrefix } from '../http/client-id.ts'
import { describeDevice } from '../http/device.ts'
import { readRetryAfter, sendPlainText, toErrorEnvelope } from '../http/errors.ts'
import type { LogSecurityEvent } from '../http/security-log.ts'
import { createSlidingWindow } from '../http/sliding-window.ts'
import type { Log } from '../log.ts'
import type { LoginResult, RequestClient } from './account-service.ts'
import { ID_TOKEN_LIFETIME_SECONDS } from './id-tokens.ts'
import type { EmbeddedIdentity } from './identity.ts'
import { IdentityError, OverloadError } from './identity-error.ts'
import type { Account } from './store-account-rows.ts'

const TOOLKIT_PATH = '/identitytoolkit.googleapis.com'
const SECURE_TOKEN_PATH = '/securetoken.googleapis.com'
const EXPIRES_IN_SECONDS = String(ID_TOKEN_LIFETIME_SECONDS)
/** The limit of requests per IP address in 15 minutes, except lookups and token refreshes. */
const CALLS_PER_ADDRESS_MAX = 600
const CALLS_WINDOW_MS = 15 * 60_000

interface IdentityRoutesDeps extends EmbeddedIdentity {
  log: Log
  logSecurityEvent: LogSecurityEvent
  nowMs: () => number
}

const readClient = ({ ip, headers }: FastifyRequest): RequestClient => ({
  id: createClientId(ip),
  device: describeDevice(headers['user-agent']),
  network: findNetworkPrefix(ip),
})

/** Returns a string field of the body; empty if it is missing or not a string. */
function readBodyField(request: FastifyRequest, fieldName: string): string {
  const { body } = request
  const value: unknown =
    typeof body === 'object' && body !== null && Object.hasOwn(body, fieldName) ? Reflect.get(body, fieldName) : undefined
  return typeof value === 'string' ? value : ''
}

const toTokenFields = ({ account, idToken, refreshToken }: LoginResult) => ({
  localId: account.uid,
  email: account.email,
  idToken,
  refreshToken,
  expiresIn: EXPIRES_IN_SECONDS,
})

/** The times are strings, because the Firebase SDK discards a stored user whose times are numbers. */
const toUserInfo = ({ uid, email, emailVerified, createdMs, lastLoginMs, validAfterMs }: Account) => ({
  localId: uid,
  email,
  emailVerified,
  createdAt: String(createdMs),
  lastLoginAt: String(lastLoginMs),
  validSince: String(Math.floor(validAfterMs / 1000)),
  providerUserInfo: [{ providerId: 'password', email, rawId: email, federatedId: email }],
})

/** Returns the name of the operation that a request calls, such as `signInWithPassword` or `token`, for the log. */
function findOperation(request: FastifyRequest): string {
  const operation = /[:/](\w+)(?:\?|$)/.exec(request.url)?.[1] ?? ''
  return operation === 'resetPassword' && readBodyField(request, 'newPassword') === '' ? 'checkCode' : operation
}

/** Returns the uid and email address of the account in a response, for the log. */
function readAccount(answerBody: object): { uid?: string; email?: string } {
  const { localId, email } = answerBody as Partial<Record<'localId' | 'email', unknown>>
  return { ...(typeof localId === 'string' && { uid: localId }), ...(typeof email === 'string' && { email }) }
}

/** Whether the request is a lookup or token refresh. These do not count towards the limit of requests, because clients send them regularly. */
const isFrequentUrl = (url: string) => url.startsWith(SECURE_TOKEN_PATH) || url.startsWith(`${TOOLKIT_PATH}/v1/accounts:lookup`)

/**
 * The endpoints of the Identity Toolkit and Secure Token APIs that the Firebase SDK calls. For some calls the SDK signs the user out on an
 * error in its own format, so that format is used only for errors about the account; all other errors are plain text.
 */
export async function registerIdentityRoutes(
  app: FastifyInstance,
  { service, createMailContext, log, logSecurityEvent, nowMs }: IdentityRoutesDeps,
): Promise<void> {
  const clientCallWindow = createSlidingWindow({ windowMs: CALLS_WINDOW_MS, max: CALLS_PER_ADDRESS_MAX, nowMs })

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof IdentityError) {
      const { message } = error
      logSecurityEvent(request, {
        event: findOperation(request),
        outcome: 'refused',
        reason: message,
        email: readBodyField(request, 'email'),
      })
      return reply.code(400).send({ error: { code: 400, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } })
    }
    if (error instanceof OverloadError) {
      log.warn({ req: request }, error.message)
      return sendPlainText(reply.header('retry-after', '5'), 503, 'The server is busy. Please try again in a moment.')
    }
    const { code, message } = toErrorEnvelope(error)
    if (code >= 500) log.error({ req: request, err: error }, 'request failed')
    const retryAfter = readRetryAfter(error)
    if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
    return sendPlainText(reply, code, message)
  })

  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isFrequentUrl(request.url) && !clientCallWindow.take(createClientId(request.ip)))
      throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER')
  })

  /** Other content types are refused: a cross-origin page cannot send JSON without a CORS preflight. */
  async function requireJson(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    if (/^application\/json\b/i.test(request.headers['content-type'] ?? '')) return undefined
    return sendPlainText(reply, 415, 'The content type must be JSON.')
  }

  function registerCall(actionName: string, handleCall: (request: FastifyRequest, client: RequestClient) => Promise<object>): void {
    app.post(`${TOOLKIT_PATH}/v1/accounts::${actionName}`, { schema: { hide: true }, preValidation: requireJson }, async (request) => {
      const answer = await handleCall(request, readClient(request))
      if (!isFrequentUrl(request.url)) logSecurityEvent(request, { event: findOperation(request), outcome: 'done', ...readAccount(answer) })
      return answer
    })
  }

  registerCall('signUp', async (request, client) => {
    // A request without credentials is refused. With such a request the SDK creates an anonymous account or links accounts, which is not supported.
    if (readBodyField(request, 'email') === '' && readBodyField(request, 'password') === '')
      throw new IdentityError('OPERATION_NOT_ALLOWED')
    if (readBodyField(request, 'idToken') !== '') throw new IdentityError('OPERATION_NOT_ALLOWED')
    return toTokenFields(await service.signUp(client, readBodyField(request, 'email'), readBodyField(request, 'password')))
  })

  registerCall('signInWithPassword', async (request, client) => ({
    ...toTokenFields(await service.signIn(client, readBodyField(request, 'email'), readBodyField(request, 'password'))),
    registered: true,
  }))

  registerCall('lookup', async (request) => ({ users: [toUserInfo(await service.lookup(readBodyField(request, 'idToken')))] }))

  registerCall('sendOobCode', async (request, { id }) => {
    const requestType = readBodyField(request, 'requestType')
    const mailContext = await createMailContext(request)
    if (requestType === 'PASSWORD_RESET') {
      const email = readBodyField(request, 'email')
      await service.sendReset(id, email, mailContext)
      return { email }
    }
    if (requestType === 'VERIFY_EMAIL') return { email: await service.sendVerification(id, readBodyField(request, 'idToken'), mailContext) }
    throw new IdentityError(requestType === '' ? 'MISSING_REQ_TYPE' : 'OPERATION_NOT_ALLOWED')
  })

  registerCall('resetPassword', async (request, { id }) => {
    const oobCode = readBodyField(request, 'oobCode')
    const newPassword = readBodyField(request, 'newPassword')
    if (newPassword !== '')
      return {
        requestType: 'PASSWORD_RESET',
        email: await service.resetPassword(id, oobCode, newPassword, await createMailContext(request)),
      }
    const { kind, email } = await service.usableCode(oobCode)
    return { requestType: kind === 'reset' ? 'PASSWORD_RESET' : 'VERIFY_EMAIL', email }
  })

  registerCall('update', async (request, client) => {
    const oobCode = readBodyField(request, 'oobCode')
    // A code alone does not confirm an address here. POST /account/confirm_email also requires a login: otherwise, if a stranger signed up with
    // somebody's address, the owner of the address would confirm it for the stranger by opening the mailed link.
    if (oobCode !== '') throw new IdentityError('OPERATION_NOT_ALLOWED', 'Log in to the account to confirm its address')
    const password = readBodyField(request, 'password')
    if (password === '' || readBodyField(request, 'email') !== '') throw new IdentityError('OPERATION_NOT_ALLOWED')
    const result = await service.changePassword(client, readBodyField(request, 'idToken'), password, await createMailContext(request))
    return { ...toTokenFields(result), emailVerified: result.account.emailVerified }
  })

  registerCall('delete', async (request) => {
    await service.remove(readBodyField(request, 'idToken'))
    return {}
  })

  app.post(`${SECURE_TOKEN_PATH}/v1/token`, { schema: { hide: true } }, async (request) => {
    if (readBodyField(request, 'grant_type') !== 'refresh_token') throw new IdentityError('INVALID_GRANT_TYPE')
    const presentedToken = readBodyField(request, 'refresh_token')
    if (presentedToken === '') throw new IdentityError('MISSING_REFRESH_TOKEN')
    const { account, idToken, refreshToken } = await service.refresh(readClient(request), presentedToken)
    return {
      access_token: idToken,
      id_token: idToken,
      refresh_token: refreshToken,
      expires_in: EXPIRES_IN_SECONDS,
      token_type: 'Bearer',
      user_id: account.uid,
    }
  })

  app.get(`${TOOLKIT_PATH}/v2/passwordPolicy`, { schema: { hide: true } }, async () => ({
    customStrengthOptions: { minPasswordLength: PASSWORD_MIN_LENGTH, maxPasswordLength: PASSWORD_MAX_LENGTH },
    allowedNonAlphanumericCharacters: [],
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    schemaVersion: 1,
  }))

  app.get(`${TOOLKIT_PATH}/v2/recaptchaConfig`, { schema: { hide: true } }, async () => ({
    recaptchaKey: '',
    recaptchaEnforcementState: [],
  }))
}
