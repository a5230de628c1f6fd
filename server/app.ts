import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { TSchema } from 'typebox'
import { ApiError } from '../contract/errors.ts'
import type { Prerender } from '../contract/initial-data.ts'
import { SHELL_URL } from '../contract/paths.ts'
import { parseVideoId } from '../contract/youtube.ts'
import { registerAccount, registerLogins } from './account/routes.ts'
import { registerCommunity, registerPlaylists, registerSongs } from './catalogue/routes.ts'
import type { Config } from './config.ts'
import { registerContact } from './contact/routes.ts'
import { createConversions } from './conversion/conversions.ts'
import { registerConversion } from './conversion/routes.ts'
import type { ConversionProgram } from './conversion/runner.ts'
import { createDiscord } from './discord/discord.ts'
import { registerDiscord } from './discord/routes.ts'
import { registerFavorites } from './favorites/routes.ts'
import { registerDocsPage, registerOpenApi } from './http/api-docs.ts'
import { createDailyClientIds, IPV6_PREFIX_BITS } from './http/client-id.ts'
import { corsForOwnOrigins } from './http/cross-origin.ts'
import { createEndpoints } from './http/endpoint.ts'
import {
  createMalformedRequestHandler,
  envelopeOf,
  hasOneHost,
  installErrorHandlers,
  isPageRequest,
  sendEnvelope,
  sendUnavailable,
} from './http/errors.ts'
import { registerHealth } from './http/health.ts'
import { createHosts } from './http/hosts.ts'
import { createInputParser } from './http/input.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { createLiveCache } from './http/live-data.ts'
import { createReadCache } from './http/read-cache.ts'
import { cacheKeyOf } from './http/request.ts'
import { connectOriginsOf, createSecurityHeaders } from './http/security.ts'
import { createSecurityLog } from './http/security-log.ts'
import { sendCachedResponse } from './http/send.ts'
import { createSongRequests } from './http/song-requests.ts'
import { createUploads } from './http/uploads.ts'
import { createIdentity } from './identity/identity.ts'
import type { PasswordCost } from './identity/passwords.ts'
import { identityRoutes } from './identity/routes.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import { readBuildManifest } from './pages/chunks.ts'
import { createPageHandlers, registerRedirects } from './pages/routes.ts'
import { registerDiscovery } from './pages/routes-discovery.ts'
import { registerSiteFiles } from './pages/routes-site-files.ts'
import { registerPayments } from './payments/routes.ts'
import { createDrawing } from './pictures/drawing.ts'
import type { PictureFetch } from './pictures/fetch.ts'
import { picturesRoutes } from './pictures/routes.ts'
import { createPromotions } from './promotion/promotions.ts'
import { registerPromotions } from './promotion/routes.ts'
import { createRadioListeners } from './radio/listeners.ts'
import { createRadio } from './radio/radio.ts'
import { registerRadio } from './radio/routes.ts'
import { startRetention } from './retention.ts'
import type { RouteContext } from './route-context.ts'
import { createContent } from './site/content.ts'
import { registerLogos, registerSite } from './site/routes.ts'
import { createSiteSettings } from './site/settings.ts'
import type { Storage } from './storage/storage.ts'
import { registerWebsites } from './websites/routes.ts'
import { createWebsites } from './websites/websites.ts'

export interface AppDeps {
  config: Config
  storage: Storage
  /** The folder of the built client: `index.html`, `assets/` and other files. */
  clientDir: string
  log: Log
  /** Renders the initial HTML of pages; without it, pages start with their heading only. */
  prerender?: Prerender | undefined
  /** The program that converts songs; without it, the server converts none. */
  conversionProgram?: ConversionProgram | undefined
  /** Returns the server's current time in epoch milliseconds. */
  nowMs?: () => number
  /** Fetches pictures from other hosts; by default over the internet. */
  fetchPicture?: PictureFetch
  /** The public keys that verify a Firebase project's tokens; by default Google's. */
  firebaseKeys?: JWTVerifyGetKey
  /** The cost of a password hash; by default the recommended one. */
  passwordCost?: PasswordCost
  /** The state of the server process, which `main.ts` sets; `ready` by default. */
  lifecycle?: Lifecycle
}

/** The time after which a connection is closed whose client neither sends nor reads anything. */
const IDLE_CONNECTION_MS = 120_000
const BODY_MAX_BYTES = 262_144
/** The lifetime of cached responses is bounded, because songs stop being new over time without a change in storage. */
const CACHE_TTL_MS = 60_000
const MULTIPART_LIMITS = { fieldNameSize: 100, fieldSize: 65_536, fields: 50, files: 1, fileSize: BODY_MAX_BYTES, parts: 50 }

/** Builds the Fastify instance with all routes, not yet listening. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, storage, log } = deps
  const nowMs = deps.nowMs ?? Date.now
  const lifecycle: Lifecycle = deps.lifecycle ?? { state: 'ready' }
  const storageRevision = () => storage.revision()
  const securityHeaders = createSecurityHeaders({
    isHttps: config.publicOrigin.protocol === 'https:',
    connectOrigins: connectOriginsOf(config),
  })
  const hosts = createHosts(config)
  const behindProxy = config.trustProxy.length > 0
  const siteOf = (request: FastifyRequest) => hosts.siteOf(behindProxy ? request.host : request.raw.headers.host)
  const readCache = createReadCache({ getRevision: storageRevision, nowMs, ttlMs: CACHE_TTL_MS, maxEntries: 20_000, maxBytes: 67_108_864 })
  const liveCache = createLiveCache()
  const songRequests = createSongRequests()
  const siteSettings = createSiteSettings({ settings: storage.settings, revision: storageRevision, config, nowMs, log })

  const content = createContent({ settings: storage.settings, site: siteSettings, log })
  const endRetention = startRetention(storage, nowMs, log)
  const mailer = createMailer({ config, mails: storage.mails, nowMs, log })

  const logSecurityEvent = createSecurityLog(log)
  const identity = await createIdentity({
    config,
    storage,
    mailer,
    siteSettings,
    log,
    nowMs,
    firebaseKeys: deps.firebaseKeys,
    passwordCost: deps.passwordCost,
  })

  const radio = createRadio({ ...storage, revision: storageRevision, nowMs })
  const promotions = createPromotions({ promotions: storage.promotions, nowMs })
  const drawing = createDrawing()
  const websites = createWebsites({ storage, hosts, drawing, nowMs })
  const uploads = createUploads(join(config.dataDir, 'conversions'))
  const conversions = createConversions({ storage, uploads, program: deps.conversionProgram, nowMs, log })
  const { page: pageHandler, shell } = createPageHandlers({
    indexHtml: readFileSync(join(deps.clientDir, 'index.html'), 'utf8'),
    chunks: readBuildManifest(deps.clientDir),
    prerender: deps.prerender,
    storage,
    site: siteSettings,
    content,
    radio,
    promotions,
    websites,
    cache: readCache,
    headers: securityHeaders,
    nowMs,
    log,
  })

  // Fastify's own logger is disabled, because it would create a child logger per request. The error handler logs failures instead.
  const app = fastify({
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: 60_000,
    connectionTimeout: IDLE_CONNECTION_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    // A request without a host or with several ones is refused by the first hook, with the headers that Node's own answer lacks.
    http: { requireHostHeader: false, joinDuplicateHeaders: true },
    clientErrorHandler: createMalformedRequestHandler(securityHeaders.every),
    // Malformed URLs are reported before any hook runs.
    frameworkErrors(error, request, reply) {
      reply.headers(securityHeaders.every)
      if (!isPageRequest(request)) return sendEnvelope(reply, envelopeOf(error))
      request.site = siteOf(request)
      void pageHandler(request, reply).catch((failure: unknown) => sendEnvelope(reply, envelopeOf(failure)))
    },
  })
  // The schemas of responses are for documentation and tests. Compiling serializers for them would slow the start.
  app.setSerializerCompiler(() => JSON.stringify)
  app.setValidatorCompiler<TSchema>(({ schema }) => createInputParser(schema))
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('token', undefined)
  app.decorateRequest('user', undefined)
  app.decorateRequest('userFailure', undefined)
  app.decorateRequest('upload', undefined)
  // The cast is safe, because the first `onRequest` hook sets `request.site` before any code reads it.
  app.decorateRequest<unknown>('site', null)

  // Node would answer other expectations than `100-continue` by itself, without the security headers.
  app.server.on('checkExpectation', app.routing)
  function isRefused({ raw }: FastifyRequest, reply: FastifyReply): boolean {
    // Nobody waits for the answer to a connection that is closed. That of an open one keeps its address from here on, for `request.ip`.
    if (raw.socket.remoteAddress === undefined) reply.hijack()
    else if (hasOneHost(raw)) return false
    else sendEnvelope(reply.headers(securityHeaders.every), envelopeOf({ statusCode: 400 }))
    return true
  }
  // The CORS plugin is registered before the hook that sends cached responses, so that these also get its headers.
  if (!config.apiBaseUrl.startsWith('/')) {
    app.addHook('onRequest', (request, reply, done) => {
      if (isRefused(request, reply)) return
      reply.headers(securityHeaders.every)
      done()
    })
    await app.register(cors, { delegator: corsForOwnOrigins(hosts.isOwnOrigin) })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (isRefused(request, reply)) return
    const { raw } = request
    request.site = siteOf(request)
    if (lifecycle.state !== 'ready') {
      sendUnavailable(reply.headers(securityHeaders.every))
      return
    }
    // Noted here, because requests that are answered from memory reach no route.
    if (raw.method === 'GET' && raw.url !== undefined) songRequests.note(request, raw.url)
    if (raw.method === 'GET' && raw.headers.authorization === undefined) {
      const cacheKey = cacheKeyOf(request)
      const response = readCache.get(cacheKey) ?? liveCache.get(cacheKey)
      if (response !== undefined) {
        sendCachedResponse(request, reply, response)
        return
      }
    }
    reply.headers(securityHeaders.every)
    done()
  })
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', (request, reply, done) => {
      log.debug({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
      done()
    })
  }

  installErrorHandlers(app, log, logSecurityEvent, securityHeaders.every, pageHandler)

  await registerOpenApi(app)
  await app.register(formbody, { bodyLimit: BODY_MAX_BYTES })
  await app.register(multipart, { limits: MULTIPART_LIMITS })
  await app.register(rateLimit, {
    global: false,
    ipv6Subnet: IPV6_PREFIX_BITS,
    errorResponseBuilder: (_request, rateLimitState) =>
      new ApiError('too-many', `Too many requests. Please try again in ${rateLimitState.after}.`),
  })

  const context: RouteContext = {
    endpoint: createEndpoints(app, {
      cache: readCache,
      liveCache,
      readRevision: storageRevision,
      headers: securityHeaders,
      log,
      logSecurityEvent,
      authenticate: identity.authenticate,
      writesPerHour: config.rateLimits.writesPerHour,
      uploads,
    }),
    storage,
    site: siteSettings,
    nowMs,
    contactPerHour: config.rateLimits.contactPerHour,
    dailyClientId: createDailyClientIds(storage.salts, nowMs),
  }
  registerCommunity(context)
  registerSite(context, { hosts, content, isWebsite: websites.isKnown })
  registerWebsites(context, websites)
  registerSongs(context, { songRequests, isOnAir: radio.isOnAir })
  registerPlaylists(context)
  registerRadio(context, {
    stations: radio,
    listeners: createRadioListeners({ exchange: storage.radio.exchangeListeners, nowMs, log }),
  })
  registerContact(context, { mailer, mailTo: config.mailTo })
  registerAccount(context, { promotions, websites, conversions })
  registerLogins(context)
  registerPromotions(context, promotions)
  await registerPayments(context, { app, secrets: config.stripeWebhookSecrets, log })
  registerConversion(context, { app, conversions })
  registerFavorites(context)
  const discord = config.discord === undefined ? undefined : createDiscord(config.discord, config.publicOrigin.origin)
  registerDiscord(context, { app, discord, hosts, log })
  await registerDocsPage(app)

  // Hooks run in the reverse order: work of the identity service, which may send mails, ends first.
  app.addHook('onClose', () => mailer.close())
  app.addHook('onClose', () => conversions.close())
  app.addHook('onClose', () => uploads.close())
  app.addHook('onClose', async () => endRetention())
  const { embedded } = identity
  if (embedded !== undefined) {
    app.addHook('onClose', () => embedded.waitUntilIdle())
    await app.register(identityRoutes, { ...embedded, log, logSecurityEvent, nowMs })
  }
  registerHealth(app, storage)
  registerRedirects(app, storage)
  registerSiteFiles(app, securityHeaders, siteSettings)
  registerDiscovery(app, securityHeaders, storage, siteSettings)
  registerLogos(app, storage)
  await app.register(picturesRoutes, {
    storage,
    dataDir: config.dataDir,
    brandOf: (request) => request.site.brand,
    drawing,
    introVideoOf: async (request) => parseVideoId((await siteSettings.settingsOf(request.site.brand)).INTRO_VIDEO),
    nowMs,
    ...(deps.fetchPicture === undefined ? {} : { fetchPicture: deps.fetchPicture }),
  })
  app.get('/', pageHandler)
  app.get(SHELL_URL, shell)
  await app.register(fastifyStatic, {
    root: deps.clientDir,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // The static files exclude `index.html`, a template that only the page routes send.
    allowedPath: (path) => !/^\/?(?:index\.html|\.vite)/.test(path),
    setHeaders: (reply, path) => {
      if (/\.js(?:\.br|\.gz)?$/.test(path)) reply.headers(securityHeaders.script)
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return app
}
