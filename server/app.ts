import { join } from 'node:path'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { JWTVerifyGetKey } from 'jose'
import { pagePaths } from '../contract/pages.ts'
import { SHELL_URL } from '../contract/paths.ts'
import { parseVideoId } from '../contract/youtube.ts'
import { registerAccountRoutes, registerLoginRoutes } from './account/routes.ts'
import { registerCommunityRoutes, registerPlaylistRoutes, registerSongRoutes } from './catalogue/routes.ts'
import type { Config } from './config.ts'
import { registerContactRoutes } from './contact/routes.ts'
import { createConversionService } from './conversion/conversions.ts'
import { registerConversionRoutes } from './conversion/routes.ts'
import type { ConversionProgram } from './conversion/runner.ts'
import { createDiscordClient } from './discord/discord.ts'
import { registerDiscordRoutes } from './discord/routes.ts'
import { registerEmbedRoutes } from './embed/routes.ts'
import { registerFavoriteRoutes } from './favorites/routes.ts'
import type { FileStore } from './files/file-store.ts'
import { registerFollowRoutes } from './follows/routes.ts'
import { registerDocsPage } from './http/api-docs.ts'
import { createDailyClientIds } from './http/client-id.ts'
import { createRegisterEndpoint } from './http/endpoint.ts'
import { installErrorHandlers } from './http/errors.ts'
import { createFastify, registerPlugins, registerStaticFiles } from './http/fastify.ts'
import { registerHealth } from './http/health.ts'
import { createHostResolver } from './http/hosts.ts'
import { createLiveCache } from './http/live-data.ts'
import { type CachedResponse, createReadCache } from './http/read-cache.ts'
import { createCacheKey } from './http/request.ts'
import { addRequestHooks, type ServerLifecycle } from './http/request-hooks.ts'
import { createSecurityHeaders, listConnectOrigins } from './http/security.ts'
import { createSecurityLog } from './http/security-log.ts'
import { createSongRequestLog } from './http/song-requests.ts'
import { createUploadService } from './http/uploads.ts'
import { createYoutubeReader } from './http/youtube-reader.ts'
import { createIdentity } from './identity/identity.ts'
import type { PasswordCost } from './identity/passwords.ts'
import { registerIdentityRoutes } from './identity/routes.ts'
import type { Log } from './log.ts'
import { createMailer } from './mail/mailer.ts'
import type { Metrics } from './metrics/metrics.ts'
import { addServiceMetrics } from './metrics/service-metrics.ts'
import { registerOwnPlaylistRoutes } from './own-playlists/routes.ts'
import type { AssembleDocument } from './pages/assemble-document.ts'
import { createPageGate } from './pages/page-gate.ts'
import { createPageHandlers, registerRedirects } from './pages/routes.ts'
import { registerDiscoveryRoutes, registerFeedRoutes } from './pages/routes-discovery.ts'
import { registerSiteFiles } from './pages/routes-site-files.ts'
import { registerPaymentRoutes } from './payments/routes.ts'
import { createPictureQueues } from './pictures/drawing.ts'
import type { PictureFetch } from './pictures/fetch.ts'
import { registerPictureRoutes } from './pictures/routes.ts'
import { registerPresetRoutes } from './presets/routes.ts'
import { createPromotionService } from './promotion/promotions.ts'
import { registerPromotionRoutes } from './promotion/routes.ts'
import { startNewSongPushes } from './push/new-song-pushes.ts'
import { registerPushRoutes } from './push/routes.ts'
import { createRadioListeners } from './radio/listeners.ts'
import { createRadio } from './radio/radio.ts'
import { registerRadioRoutes } from './radio/routes.ts'
import { startRetention } from './retention.ts'
import type { RouteContext } from './route-context.ts'
import { createContentService } from './site/content.ts'
import { registerLogoRoutes, registerSiteRoutes } from './site/routes.ts'
import { createSiteSettings } from './site/settings.ts'
import type { Storage } from './storage/open.ts'
import { registerWebsiteRoutes } from './websites/routes.ts'
import { createUploadLister } from './websites/uploads.ts'
import { createWebsiteService } from './websites/websites.ts'

export interface AppDependencies {
  config: Config
  storage: Storage
  fileStore: FileStore
  /** The folder of the built client: `index.html`, `assets/` and other files. */
  clientDir: string
  log: Log
  /** Makes the documents of pages. Without this function, a document contains only its heading. */
  assembleDocument?: AssembleDocument | undefined
  /** The program that converts songs. Without this program, the server refuses conversions. */
  conversionProgram?: ConversionProgram | undefined
  nowMs?: () => number
  /** Fetches pictures from other hosts; by default over the internet. */
  fetchPicture?: PictureFetch
  /** The public keys that verify a Firebase project's tokens; by default Google's. */
  firebaseKeys?: JWTVerifyGetKey
  /** The cost of a password hash; by default the recommended one. */
  passwordCost?: PasswordCost
  /** The state of the server process, which `main.ts` sets; `ready` by default. */
  lifecycle?: ServerLifecycle
  /** The name of the build that runs. */
  build?: string
  /** The metrics of the process: the app reports its requests to them, and adds those of its services. */
  metrics?: Metrics | undefined
}

/** Responses are cached only for a limited time, because a song stops counting as new after some time, without a change in the database. */
const CACHE_TTL_MS = 60_000

/** Creates the services that the routes share. They do not depend on the Fastify instance. */
async function createServices({
  config,
  storage,
  fileStore,
  log,
  conversionProgram,
  firebaseKeys,
  passwordCost,
  build = '',
  nowMs = Date.now,
}: AppDependencies) {
  const readRevision = () => storage.revision()
  const hostResolver = createHostResolver(config)
  const siteSettings = createSiteSettings({ settings: storage.settings, revision: readRevision, config, nowMs, log })
  const mailer = createMailer({ config, mails: storage.mails, nowMs, log })
  const pictureQueues = createPictureQueues()
  const uploads = createUploadService(join(config.dataDir, 'conversions'))
  const readYoutube = createYoutubeReader(config.youtube, log)
  const websites = createWebsiteService({
    storage,
    hosts: hostResolver,
    drawing: pictureQueues,
    listUploads: createUploadLister(readYoutube),
    nowMs,
  })
  return {
    config,
    storage,
    log,
    nowMs,
    revision: readRevision,
    build,
    hosts: hostResolver,
    siteSettings,
    mailer,
    drawing: pictureQueues,
    uploads,
    logSecurityEvent: createSecurityLog(log),
    headers: createSecurityHeaders({ isHttps: config.publicOrigin.protocol === 'https:', connectOrigins: listConnectOrigins(config) }),
    readCache: createReadCache({ getRevision: readRevision, nowMs, ttlMs: CACHE_TTL_MS, maxEntries: 20_000, maxBytes: 67_108_864 }),
    liveCache: createLiveCache(),
    pageGate: createPageGate<CachedResponse>(readRevision),
    songRequests: createSongRequestLog(),
    content: createContentService({ settings: storage.settings, site: siteSettings, log }),
    endRetention: startRetention(storage, nowMs, log),
    endPushes:
      config.vapidKey &&
      startNewSongPushes({ pushes: storage.pushes, vapidKey: config.vapidKey, contact: config.publicOrigin.origin, nowMs, log }),
    identity: await createIdentity({ config, storage, fileStore, mailer, siteSettings, log, nowMs, firebaseKeys, passwordCost }),
    radio: createRadio({ ...storage, revision: readRevision, nowMs }),
    listeners: createRadioListeners({ exchange: storage.radio.exchangeListeners, nowMs, log }),
    promotions: createPromotionService({ promotions: storage.promotions, findSite: websites.cardOf, revision: readRevision, nowMs }),
    websites,
    readYoutube,
    conversions: createConversionService({
      storage,
      fileStore,
      uploads,
      program: conversionProgram,
      conversionsPerHour: config.rateLimits.conversionsPerHour,
      nowMs,
      log,
    }),
  }
}
type Services = Awaited<ReturnType<typeof createServices>>

/** Registers the endpoints of the endpoint table, and the other routes of the API. */
async function registerApi(app: FastifyInstance, services: Services): Promise<void> {
  const { config, storage, log, logSecurityEvent, nowMs, hosts, content, radio, websites, promotions, conversions } = services
  const context: RouteContext = {
    endpoint: createRegisterEndpoint(app, {
      ...(await registerPlugins(app)),
      cache: services.readCache,
      liveCache: services.liveCache,
      readRevision: services.revision,
      log,
      logSecurityEvent,
      authenticate: services.identity.authenticate,
      writesPerHour: config.rateLimits.writesPerHour,
      uploads: services.uploads,
    }),
    storage,
    site: services.siteSettings,
    nowMs,
    contactPerHour: config.rateLimits.contactPerHour,
    dailyClientId: createDailyClientIds(storage.salts, nowMs),
  }
  registerCommunityRoutes(context)
  registerSiteRoutes(context, { hosts, content, isWebsite: websites.isKnown })
  registerWebsiteRoutes(context, websites)
  registerSongRoutes(context, { songRequests: services.songRequests, isOnAir: radio.isOnAir })
  registerPlaylistRoutes(context)
  registerRadioRoutes(context, {
    stations: radio,
    listeners: services.listeners,
  })
  registerContactRoutes(context, { mailer: services.mailer, mailTo: config.mailTo })
  registerAccountRoutes(context, { promotions, websites, conversions })
  registerLoginRoutes(context)
  registerPromotionRoutes(context, promotions)
  await registerPaymentRoutes(context, { app, secrets: config.stripeWebhookSecrets, log, mailer: services.mailer, mailTo: config.mailTo })
  registerConversionRoutes(context, { app, conversions })
  registerPresetRoutes(context)
  registerFavoriteRoutes(context)
  registerFollowRoutes(context)
  registerPushRoutes(context, config.vapidKey)
  registerOwnPlaylistRoutes(context, { websites, readYoutube: services.readYoutube, takesVideos: config.playlistVideos })
  const discord = config.discord === undefined ? undefined : createDiscordClient(config.discord, config.publicOrigin.origin)
  registerDiscordRoutes(context, { app, discord, hosts, log })
  await registerDocsPage(app)
}

/**
 * Ends the services when the app closes. `onClose` hooks run in reverse order. The mailer is therefore closed last, because the other services may
 * still send mails.
 */
function endServicesOnClose(
  app: FastifyInstance,
  { pageGate, mailer, conversions, uploads, endRetention, endPushes, identity }: Services,
): void {
  // This hook runs before the server waits for the requests that it is answering.
  app.addHook('preClose', async () => pageGate.close())
  app.addHook('onClose', () => mailer.close())
  app.addHook('onClose', () => conversions.close())
  app.addHook('onClose', () => uploads.close())
  app.addHook('onClose', async () => endRetention())
  app.addHook('onClose', () => endPushes?.())
  app.addHook('onClose', async () => identity.embedded?.waitUntilIdle())
}

/** Registers the routes outside the API, apart from the pages: the identity service, documents of a host, and pictures. */
async function registerOtherRoutes(app: FastifyInstance, services: Services, fetchPicture: PictureFetch | undefined): Promise<void> {
  const { config, storage, log, logSecurityEvent, nowMs, headers, siteSettings, drawing } = services
  const { embedded } = services.identity
  if (embedded !== undefined) await app.register(registerIdentityRoutes, { ...embedded, log, logSecurityEvent, nowMs })
  registerHealth(app, storage, services.build)
  registerRedirects(app, storage)
  registerSiteFiles(app, siteSettings)
  registerDiscoveryRoutes(app, { storage, site: siteSettings })
  registerFeedRoutes(app, { ...services, site: siteSettings, cache: services.readCache })
  registerLogoRoutes(app, storage)
  registerEmbedRoutes(app, { storage, site: siteSettings, hosts: services.hosts, headers })
  await app.register(registerPictureRoutes, {
    storage,
    dataDir: config.dataDir,
    findBrand: (request) => request.site.brand,
    findMainHost: (request) => new URL(request.site.mainUrl).host,
    drawing,
    findIntroVideoId: async (request) => parseVideoId((await siteSettings.settingsOf(request.site.brand)).INTRO_VIDEO),
    nowMs,
    ...(fetchPicture === undefined ? {} : { fetchPicture }),
  })
}

/** Builds the Fastify instance with all routes, not yet listening. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const services = await createServices(deps)
  const { config, hosts, headers, log, logSecurityEvent } = services
  const isBehindProxy = config.trustProxy.length > 0
  const siteOf = (request: FastifyRequest) => hosts.siteOf(isBehindProxy ? request.host : request.raw.headers.host)
  const { page, shell } = createPageHandlers({
    ...services,
    site: services.siteSettings,
    cache: services.readCache,
    clientDir: deps.clientDir,
    assembleDocument: deps.assembleDocument,
  })

  const app = createFastify({ trustProxy: config.trustProxy, headers, findSite: siteOf, sendPage: page })
  if (deps.metrics !== undefined) {
    deps.metrics.observeRequests(app)
    addServiceMetrics(deps.metrics, services)
  }
  await addRequestHooks(app, {
    ...services,
    apiBaseUrl: config.apiBaseUrl,
    findSite: siteOf,
    lifecycle: deps.lifecycle ?? { state: 'ready', unreadyRequestCount: 0 },
  })
  installErrorHandlers(app, log, logSecurityEvent, headers.every, page, (request) => services.readCache.peek(createCacheKey(request)))
  await registerApi(app, services)
  endServicesOnClose(app, services)
  await registerOtherRoutes(app, services, deps.fetchPicture)
  // Other pages are found only after the static files, which takes two calls of the file system.
  for (const path of pagePaths) app.get(path, page)
  app.get(SHELL_URL, shell)
  await registerStaticFiles(app, deps.clientDir, headers)
  return app
}
