import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { DiscordLinkOutcome } from '../../contract/account.ts'
import { ApiError } from '../../contract/errors.ts'
import { DISCORD_CALLBACK_PATH } from '../../contract/paths.ts'
import { API_PREFIX } from '../http/endpoint.ts'
import { type HostResolver, readHostName } from '../http/hosts.ts'
import { requireUser } from '../http/user.ts'
import { createSecret, hashSecret } from '../identity/secrets.ts'
import type { Log } from '../log.ts'
import type { RouteContext } from '../route-context.ts'
import { type DiscordClient, DiscordError } from './discord.ts'

const LINK_ATTEMPT_LIFETIME_MS = 10 * 60_000
const LINK_ATTEMPTS_PER_HOUR = 30
/**
 * The cookie that binds an attempt to link an account to the browser that started the attempt. It prevents login CSRF, in which a victim opens the
 * callback URL of an attacker's attempt.
 */
const COOKIE_NAME = 'discord_link'
/** A prefix of cookie names. Browsers accept a cookie with this prefix only over https, and send it only to the host that has set it. */
const HOST_COOKIE_PREFIX = '__Host-'

const optionalText = Type.Optional(Type.String())

interface DiscordDeps {
  app: FastifyInstance
  /** The Discord client; undefined if linking is not configured. */
  discord: DiscordClient | undefined
  hosts: HostResolver
  log: Log
}

/** The redirect URI is built from the configuration, because it must be registered at Discord. */
const createRedirectUri = ({ site }: FastifyRequest) => `${site.mainUrl}${DISCORD_CALLBACK_PATH}`

const isSecureRequest = ({ site }: FastifyRequest) => site.mainUrl.startsWith('https:')
const chooseCookieName = (request: FastifyRequest) => (isSecureRequest(request) ? `${HOST_COOKIE_PREFIX}${COOKIE_NAME}` : COOKIE_NAME)

/**
 * Returns the origin of the request's host, which may be the bare host, `www.` or `dev.`; the origin of the main site if the host does not belong to
 * the site.
 */
function readRequestedOrigin({ site, host }: FastifyRequest, hosts: HostResolver): string {
  const { protocol, port } = new URL(site.mainUrl)
  const origin = `${protocol}//${readHostName(host)}${port === '' ? '' : `:${port}`}`
  return hosts.isOwnOrigin(origin) ? origin : site.mainUrl
}

function createCookie(request: FastifyRequest, browserNonce: string): string {
  return [
    `${chooseCookieName(request)}=${browserNonce}; Path=/; Max-Age=${LINK_ATTEMPT_LIFETIME_MS / 1000}; HttpOnly; SameSite=Lax`,
    ...(isSecureRequest(request) ? ['Secure'] : []),
  ].join('; ')
}

/** Returns the nonces in the request's cookies. A request can have several cookies of the same name. */
const readNonces = (request: FastifyRequest) =>
  (request.headers.cookie ?? '').split(';').flatMap((cookiePair) => {
    const [name, value] = cookiePair.trim().split('=')
    return name === chooseCookieName(request) && value !== undefined ? [value] : []
  })

/**
 * Resolves a return URL, which a page has requested, to an absolute URL. A path is resolved on the main site. @throws ApiError if the URL is
 * outside the site
 */
function resolveReturnUrl(returnUrl: string, { site }: FastifyRequest, hosts: HostResolver): string {
  const url = URL.canParse(returnUrl, site.mainUrl) ? new URL(returnUrl, site.mainUrl) : undefined
  // Compares protocol and host instead of `url.origin`, which is the origin of the inner URL for `blob:https://…`.
  if (url === undefined || !hosts.isOwnOrigin(`${url.protocol}//${url.host}`) || url.username !== '' || url.password !== '')
    throw new ApiError('bad-input', 'return_url must be an address of this site')
  return url.href
}

/**
 * The OAuth parameter `state`. `returnUrl` is not used, because the return URL is stored with the attempt. `origin` is set if the attempt began on
 * another host than that of the redirect URI.
 */
interface LinkState {
  returnUrl: string
  token: string
  origin?: string
}

const formatState = (state: LinkState) => Buffer.from(JSON.stringify(state)).toString('base64url')

/** Returns the token and the origin in an OAuth state, which anyone can have written. */
function parseState(stateText: unknown): { token?: string; origin?: string } {
  try {
    const { token, origin } = JSON.parse(Buffer.from(String(stateText), 'base64url').toString()) as Record<string, unknown>
    return { ...(typeof token === 'string' && { token }), ...(typeof origin === 'string' && { origin }) }
  } catch {
    return {}
  }
}

const addOutcome = (returnUrl: string, outcome: DiscordLinkOutcome) => {
  const url = new URL(returnUrl)
  url.searchParams.set('discord', outcome)
  return url.href
}

/** Registers the endpoints that link accounts with Discord: start, OAuth callback, and removal. */
export function registerDiscordRoutes({ endpoint, storage, nowMs }: RouteContext, { app, discord, hosts, log }: DiscordDeps): void {
  endpoint('POST /account/discord_link', { maxRequestsPerHour: LINK_ATTEMPTS_PER_HOUR }, async ({ return_url }, request, reply) => {
    const { uid } = requireUser(request)
    if (discord === undefined) throw new ApiError('not-found', 'Linking Discord is not set up here.')
    const returnUrl = resolveReturnUrl(return_url, request, hosts)
    const stateSecret = createSecret()
    const browserNonce = createSecret()
    const atMs = nowMs()
    const attemptHashes = { tokenHash: hashSecret(stateSecret), browserHash: hashSecret(browserNonce) }
    await storage.discord.startLink({ uid, ...attemptHashes, returnUrl, expiresMs: atMs + LINK_ATTEMPT_LIFETIME_MS, atMs })
    reply.header('set-cookie', createCookie(request, browserNonce))
    const origin = readRequestedOrigin(request, hosts)
    const state = formatState({ returnUrl, token: stateSecret, ...(origin !== request.site.mainUrl && { origin }) })
    return { authorize_url: discord.authorizeUrl(createRedirectUri(request), state) }
  })

  const disconnectAccount = async (_input: object, request: FastifyRequest) => {
    await storage.discord.deleteAll(requireUser(request).uid)
    return null
  }
  endpoint('POST /account/disconnect_discord', {}, disconnectAccount)
  endpoint('GET /account/disconnect_discord', {}, disconnectAccount)

  /** Completes an attempt to link an account. Returns the outcome and the URL to which the browser returns. */
  async function finishAttempt(request: FastifyRequest): Promise<{ outcome: DiscordLinkOutcome; returnUrl?: string }> {
    if (discord === undefined) return { outcome: 'unavailable' }
    const { code, state, error } = request.query as Record<string, unknown>
    if (error !== undefined) return { outcome: error === 'access_denied' ? 'denied' : 'refused' }
    const { token } = parseState(state)
    if (typeof code !== 'string' || code === '' || token === undefined) return { outcome: 'refused' }
    const tokenHash = hashSecret(token)
    const linkAttempt = await storage.discord.takeAttempt(tokenHash, nowMs())
    if (linkAttempt === undefined) return { outcome: 'expired' }
    if (!readNonces(request).some((nonce) => hashSecret(nonce) === linkAttempt.browserHash)) return { outcome: 'browser' }
    const identity = await discord.identityOf(code, createRedirectUri(request))
    return { outcome: await storage.discord.completeLink(tokenHash, identity, nowMs()), returnUrl: linkAttempt.returnUrl }
  }

  /**
   * Returns the URL to which the callback redirects. Discord redirects to the main host; an attempt that began on another host of the site is passed
   * on to that host, because its cookie and its login are there.
   */
  async function createCallbackUrl(request: FastifyRequest): Promise<string> {
    const ownOrigin = readRequestedOrigin(request, hosts)
    const { origin } = parseState((request.query as Record<string, unknown>).state)
    if (origin !== undefined && origin !== ownOrigin && hosts.isOwnOrigin(origin)) return origin + request.url
    const accountUrl = `${ownOrigin}/account`
    try {
      const { outcome, returnUrl } = await finishAttempt(request)
      return addOutcome(outcome === 'linked' ? (returnUrl ?? accountUrl) : accountUrl, outcome)
    } catch (error) {
      const outcome = error instanceof DiscordError ? error.outcome : 'unavailable'
      log.error({ req: request, err: error }, 'a Discord account could not be linked')
      return addOutcome(accountUrl, outcome)
    }
  }

  // The route accepts no HEAD requests, because link previews must not consume the attempt. `attachValidation` leaves invalid queries to
  // `finishAttempt`.
  const registerCallback = (url: string, schema: FastifySchema) =>
    app.get(url, { schema, attachValidation: true, exposeHeadRoute: false }, async (request, reply) =>
      reply.header('cache-control', 'no-store').redirect(await createCallbackUrl(request), 302),
    )
  registerCallback(DISCORD_CALLBACK_PATH, { hide: true })
  registerCallback(`${API_PREFIX}${DISCORD_CALLBACK_PATH}`, {
    summary: 'Where Discord sends the browser back to: links the account and redirects to the page that asked, with `?discord=`.',
    tags: ['account'],
    querystring: Type.Object({ code: optionalText, state: optionalText, error: optionalText }),
    response: { 302: { type: 'null', description: 'To the page that asked; to /account where the attempt failed.' } },
  })
}
