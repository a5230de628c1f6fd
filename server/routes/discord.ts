import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify'
import Type from 'typebox'
import type { DiscordOutcome } from '../../contract/account.ts'
import { ApiError } from '../../contract/errors.ts'
import { API_PREFIX, requireUser } from '../http/endpoint.ts'
import { hashOf, newSecret } from '../identity/secrets.ts'
import { type Discord, DiscordError } from '../services/discord.ts'
import { type Hosts, hostName } from '../services/hosts.ts'
import type { Log } from '../services/log.ts'
import type { RouteContext } from './route-context.ts'

const CALLBACK = '/account/link_discord'
const ATTEMPT_MS = 10 * 60_000
const BEGUN_PER_HOUR = 30
/** The browser's half of an attempt: without it, a way back that somebody else made would link whoever follows it. */
const COOKIE = 'discord_link'

const text = Type.Optional(Type.String())

interface DiscordDeps {
  app: FastifyInstance
  /** Undefined where linking is not set up. */
  discord: Discord | undefined
  hosts: Hosts
  log: Log
}

/** Of configuration, so that it is one that Discord was told of. */
const redirectUriOf = ({ site }: FastifyRequest) => `${site.mainUrl}${CALLBACK}`

/** The way back is at the main host's bare name, so at `www.` and `dev.` the cookie is for what lies below that name. */
function cookieFor({ host, site }: FastifyRequest, nonce: string): string {
  const { hostname, protocol } = new URL(site.mainUrl)
  return [
    `${COOKIE}=${nonce}; Path=/; Max-Age=${ATTEMPT_MS / 1000}; HttpOnly; SameSite=Lax`,
    ...(protocol === 'https:' ? ['Secure'] : []),
    ...(hostName(host).endsWith(`.${hostname}`) ? [`Domain=${hostname}`] : []),
  ].join('; ')
}

/** There are two where the person began at `www.` and at the bare name. */
const noncesOf = ({ headers }: FastifyRequest) =>
  (headers.cookie ?? '').split(';').flatMap((pair) => {
    const [name, value] = pair.trim().split('=')
    return name === COOKIE && value !== undefined ? [value] : []
  })

/** The address within the site that a page named; a path is one of the main site. @throws ApiError */
function ownUrl(text: string, { site }: FastifyRequest, hosts: Hosts): string {
  const url = URL.canParse(text, site.mainUrl) ? new URL(text, site.mainUrl) : undefined
  // Not `url.origin`: that of `blob:https://…` is the one behind it.
  if (url === undefined || !hosts.isOwnOrigin(`${url.protocol}//${url.host}`) || url.username !== '' || url.password !== '')
    throw new ApiError('bad-input', 'return_url must be an address of this site')
  return url.href
}

const stateOf = (returnUrl: string, token: string) => Buffer.from(JSON.stringify({ returnUrl, token })).toString('base64url')

/** The token in a state that came back. Its return URL is for others to read: the one that counts is stored. */
function tokenIn(state: string): string | undefined {
  try {
    const { token } = JSON.parse(Buffer.from(state, 'base64url').toString()) as { token?: unknown }
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}

const withOutcome = (address: string, outcome: DiscordOutcome) => {
  const url = new URL(address)
  url.searchParams.set('discord', outcome)
  return url.href
}

/** Links accounts with Discord: the call that begins it, Discord's way back, and the call that ends it. */
export function registerDiscord({ endpoint, storage, nowMs }: RouteContext, { app, discord, hosts, log }: DiscordDeps): void {
  endpoint('POST /account/discord_link', { perHour: BEGUN_PER_HOUR }, async ({ return_url }, request, reply) => {
    const { uid } = requireUser(request)
    if (discord === undefined) throw new ApiError('not-found', 'Linking Discord is not set up here.')
    const returnUrl = ownUrl(return_url, request, hosts)
    const token = newSecret()
    const nonce = newSecret()
    const atMs = nowMs()
    const hashes = { tokenHash: hashOf(token), browserHash: hashOf(nonce) }
    await storage.discord.begin({ uid, ...hashes, returnUrl, expiresMs: atMs + ATTEMPT_MS, atMs })
    reply.header('set-cookie', cookieFor(request, nonce))
    return { authorize_url: discord.authorizeUrl(redirectUriOf(request), stateOf(returnUrl, token)) }
  })

  endpoint('GET /account/disconnect_discord', {}, async (_input, request) => {
    await storage.discord.forget(requireUser(request).uid)
    return null
  })

  /** What became of an attempt, and where its page is. */
  async function finish(request: FastifyRequest): Promise<{ outcome: DiscordOutcome; returnUrl?: string }> {
    if (discord === undefined) return { outcome: 'unavailable' }
    const { code, state, error } = request.query as Record<string, unknown>
    if (error !== undefined) return { outcome: error === 'access_denied' ? 'denied' : 'refused' }
    const token = typeof state === 'string' ? tokenIn(state) : undefined
    if (typeof code !== 'string' || code === '' || token === undefined) return { outcome: 'refused' }
    const tokenHash = hashOf(token)
    const attempt = await storage.discord.take(tokenHash, nowMs())
    if (attempt === undefined) return { outcome: 'expired' }
    if (!noncesOf(request).some((nonce) => hashOf(nonce) === attempt.browserHash)) return { outcome: 'browser' }
    const identity = await discord.identityOf(code, redirectUriOf(request))
    return { outcome: await storage.discord.finish(tokenHash, identity, nowMs()), returnUrl: attempt.returnUrl }
  }

  async function wayBack(request: FastifyRequest): Promise<string> {
    const accountUrl = `${request.site.mainUrl}/account`
    try {
      const { outcome, returnUrl } = await finish(request)
      return withOutcome(outcome === 'linked' ? (returnUrl ?? accountUrl) : accountUrl, outcome)
    } catch (error) {
      const outcome = error instanceof DiscordError ? error.outcome : 'unavailable'
      log.error({ req: request, err: error }, 'a Discord account could not be linked')
      return withOutcome(accountUrl, outcome)
    }
  }

  // A program that only looks at an address must not use up the attempt. What does not fit the schema is for `finish` to judge.
  const wayBackAt = (url: string, schema: FastifySchema) =>
    app.get(url, { schema, attachValidation: true, exposeHeadRoute: false }, async (request, reply) =>
      reply.header('cache-control', 'no-store').redirect(await wayBack(request), 302),
    )
  wayBackAt(CALLBACK, { hide: true })
  wayBackAt(`${API_PREFIX}${CALLBACK}`, {
    summary: 'Where Discord sends the browser back to: links the account and redirects to the page that asked, with `?discord=`.',
    tags: ['account'],
    querystring: Type.Object({ code: text, state: text, error: text }),
    response: { 302: { type: 'null', description: 'To the page that asked; to /account where the attempt failed.' } },
  })
}
