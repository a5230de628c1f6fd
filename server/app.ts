import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import cors from '@fastify/cors'
import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import fastifyStatic from '@fastify/static'
import fastify, { type FastifyInstance } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import type { TSchema } from 'typebox'
import { ApiError } from '../contract/errors.ts'
import type { Prerender } from '../contract/first-data.ts'
import { parseVideoId } from '../contract/youtube.ts'
import type { Config } from './config.ts'
import { ownPagesOnly } from './http/cross-origin.ts'
import { createEndpoints } from './http/endpoint.ts'
import { envelopeOf, installErrors, refuseMalformed, sendEnvelope, sendUnavailable } from './http/errors.ts'
import { createInputParser } from './http/input.ts'
import type { Lifecycle } from './http/lifecycle.ts'
import { createReadCache } from './http/read-cache.ts'
import './http/request.ts'
import { connectOriginsOf, createSecurityHeaders } from './http/security.ts'
import { sendAnswer } from './http/send.ts'
import { createIdentity } from './identity/identity.ts'
import { readChunks } from './pages/chunks.ts'
import { registerAccount } from './routes/account.ts'
import { registerCommunity } from './routes/community.ts'
import { registerContact } from './routes/contact.ts'
import { registerDiscord } from './routes/discord.ts'
import { registerDocsPage, registerOpenApi } from './routes/docs.ts'
import { registerFavorites } from './routes/favorites.ts'
import { registerHealth } from './routes/health.ts'
import { registerMake } from './routes/make.ts'
import { createPages, registerRedirects } from './routes/pages.ts'
import { picturesRoutes } from './routes/pictures.ts'
import { registerPlaylists } from './routes/playlists.ts'
import type { RouteContext } from './routes/route-context.ts'
import { registerSiteFiles } from './routes/site-files.ts'
import { registerSongs } from './routes/songs.ts'
import { createDiscord } from './services/discord.ts'
import { createHosts } from './services/hosts.ts'
import type { Log } from './services/log.ts'
import type { PictureFetch } from './services/picture-fetch.ts'
import { createSiteSettings } from './services/site-settings.ts'
import type { Storage } from './storage/storage.ts'

export interface AppDeps {
  config: Config
  storage: Storage
  /** The built client: `index.html`, `assets/` and the files beside them. */
  clientDir: string
  log: Log
  /** Renders first paints; by default pages open with their heading alone. */
  prerender?: Prerender | undefined
  /** Epoch milliseconds. */
  nowMs?: () => number
  /** How pictures are fetched from other hosts; by default from the internet. */
  fetchPicture?: PictureFetch
  /** The keys that a Firebase project's tokens are checked by; by default Google's. */
  firebaseKeys?: JWTVerifyGetKey
  /** Turned by the program that starts and stops the server; ready by default. */
  lifecycle?: Lifecycle
}

const BODY_MAX_BYTES = 262_144
/** Songs stop being new as time passes, without any change in storage. */
const CACHE_TTL_MS = 60_000
const MULTIPART_LIMITS = { fieldNameSize: 100, fieldSize: 65_536, fields: 50, files: 1, fileSize: BODY_MAX_BYTES, parts: 50 }

/** The server without its port: every route over the given storage. */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, storage, log } = deps
  const nowMs = deps.nowMs ?? Date.now
  const lifecycle: Lifecycle = deps.lifecycle ?? { state: 'ready' }
  const revision = () => storage.revision()
  const headers = createSecurityHeaders({
    https: config.publicOrigin.protocol === 'https:',
    connectOrigins: connectOriginsOf(config),
  })
  const hosts = createHosts(config)
  const cache = createReadCache({ revision, nowMs, ttlMs: CACHE_TTL_MS, maxEntries: 20_000, maxBytes: 67_108_864 })
  const site = createSiteSettings({ settings: storage.settings, revision, config, nowMs, log })

  const identity = await createIdentity({ config, storage, site, log, nowMs, firebaseKeys: deps.firebaseKeys })

  // The framework's own log would cost each request a logger; what fails is logged by the error handler instead.
  const app = fastify({
    logger: false,
    bodyLimit: BODY_MAX_BYTES,
    requestTimeout: 60_000,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    clientErrorHandler: refuseMalformed,
    frameworkErrors: (error, _request, reply) => sendEnvelope(reply, envelopeOf(error)),
  })
  app.setValidatorCompiler<TSchema>(({ schema }) => createInputParser(schema))
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('token', undefined)
  app.decorateRequest('user', undefined)
  app.decorateRequest('userFailure', undefined)
  // Set by the first hook, before anything can read it.
  app.decorateRequest<unknown>('site', null)

  // Before the hook below, which sends what is cached.
  if (!config.apiBaseUrl.startsWith('/')) await app.register(cors, { delegator: ownPagesOnly(hosts.isOwnOrigin) })
  const behindProxy = config.trustProxy.length > 0
  app.addHook('onRequest', (request, reply, done) => {
    const { raw } = request
    request.site = hosts.siteOf(behindProxy ? request.host : raw.headers.host)
    if (lifecycle.state !== 'ready') {
      sendUnavailable(raw.url ?? '', reply)
      return
    }
    if (raw.method === 'GET' && raw.headers.authorization === undefined) {
      const answer = cache.get(request.site.key, raw.url ?? '')
      if (answer !== undefined) {
        sendAnswer(request, reply, answer)
        return
      }
    }
    reply.headers(headers.every)
    done()
  })
  if (log.isLevelEnabled('debug')) {
    app.addHook('onResponse', (request, reply, done) => {
      log.debug({ req: request, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
      done()
    })
  }

  const { page, shell } = createPages({
    template: readFileSync(join(deps.clientDir, 'index.html'), 'utf8'),
    chunks: readChunks(deps.clientDir),
    prerender: deps.prerender,
    ...{ storage, site, cache, headers, nowMs, log },
  })
  installErrors(app, log, page)

  await registerOpenApi(app)
  await app.register(formbody, { bodyLimit: BODY_MAX_BYTES })
  await app.register(multipart, { limits: MULTIPART_LIMITS })
  await app.register(rateLimit, {
    global: false,
    errorResponseBuilder: (_request, limit) => new ApiError('too-many', `Too many requests. Please try again in ${limit.after}.`),
  })

  const context: RouteContext = {
    endpoint: createEndpoints(app, { cache, revision, headers, log, authenticate: identity.authenticate }),
    storage,
    site,
    nowMs,
    contactPerHour: config.rateLimits.contactPerHour,
  }
  registerCommunity(context)
  registerSongs(context)
  registerPlaylists(context)
  registerContact(context)
  registerAccount(context)
  registerMake(context)
  registerFavorites(context)
  const discord = config.discord === undefined ? undefined : createDiscord(config.discord, config.publicOrigin.origin)
  registerDiscord(context, { app, discord, hosts, log })
  await registerDocsPage(app)

  await identity.register(app)
  registerHealth(app, storage)
  registerRedirects(app, storage)
  registerSiteFiles(app, headers, site)
  await app.register(picturesRoutes, {
    storage,
    dataDir: config.dataDir,
    brandOf: (request) => request.site.brand,
    introVideoOf: async (request) => parseVideoId((await site.settingsOf(request.site.brand)).INTRO_VIDEO),
    nowMs,
    ...(deps.fetchPicture === undefined ? {} : { fetchPicture: deps.fetchPicture }),
  })
  app.get('/', page)
  app.get('/shell', shell)
  await app.register(fastifyStatic, {
    root: deps.clientDir,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // The page itself goes out with its head only.
    allowedPath: (path) => !/^\/?(?:index\.html|\.vite)/.test(path),
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  return app
}
