import { cacheNames } from 'workbox-core/cacheNames.js'
import { registerRoute } from 'workbox-routing/registerRoute.js'
import { setCatchHandler } from 'workbox-routing/setCatchHandler.js'
import { ON_DEMAND_REVISION, PROGRAM_PACK_REVISION } from '../contract/caches.ts'
import { LOGIN_PAGE_PATH } from '../contract/login-page-path.ts'
import { createAccountSnapshot, type PostedSnapshot } from './account-snapshot.ts'
import { deleteOldBuilds } from './builds.ts'
import { createOnDemandPrecache } from './on-demand-precache.ts'
import { createProgramFiles } from './precache.ts'
import { openNewSongs, renewPushSubscription, showPush } from './pushes.ts'
import { classifyPath } from './routes.ts'
import { deleteExpiredFile, isFromOtherSite, storeSharedFile } from './shared-file.ts'
import { createAppShell } from './shell.ts'
import { createSiteDocuments } from './site-documents.ts'
import { createStoredPages } from './stored-pages.ts'
import { assetStrategy, pictureStrategy, siteFileStrategy } from './strategies.ts'
import { createTokenCallHandler, isTokenCall } from './token-calls.ts'

/** An entry of the precache manifest, which the build inserts. `revision` is `null`, `ON_DEMAND_REVISION` or `PROGRAM_PACK_REVISION`. */
interface ManifestEntry {
  url: string
  revision: string | null
}

declare const self: ServiceWorkerGlobalScope & { readonly __WB_MANIFEST: readonly ManifestEntry[] }

/** The messages that a page may post to its worker. */
type PageMessage =
  /** Activates this worker: the person has accepted the update, and no page is busy. */
  | { type: 'SKIP_WAITING' }
  /** Caches pictures that the page showed before this worker controlled it. */
  | { type: 'CACHE_PICTURES'; paths: string[] }
  /** Reports that the page's JavaScript has started. */
  | { type: 'STARTED' }
  /** Reports a chunk that could not be fetched or evaluated. The name is part of the protocol with older pages. */
  | { type: 'PART_FAILED' }
  /** Caches the maker's files, because a person has opened the maker. */
  | { type: 'CACHE_MAKER' }
  /** Caches the document of a page that a person has visited, because it is likely to be opened again. */
  | { type: 'CACHE_PAGE'; path: string }
  /** Caches the account snapshot of the dashboard. */
  | ({ type: 'STORE_SNAPSHOT' } & PostedSnapshot)
  /** Deletes the account snapshot, because it belongs to another account than the signed-in one. */
  | { type: 'DELETE_SNAPSHOT' }
  /** Reports a sign-out on this device. */
  | { type: 'SIGNED_OUT' }

/** The action of `share_target` in the web app manifest. */
const SHARE_TARGET_PATH = '/account/maker'
const AFTER_SHARE_PATH = `${SHARE_TARGET_PATH}?from=share`

const precacheManifest = self.__WB_MANIFEST
/** Returns the absolute URLs of those entries of the precache manifest whose revision is `revision`. */
const listUrls = (revision: string | null) =>
  precacheManifest.filter((entry) => entry.revision === revision).map(({ url }) => new URL(url, location.origin).href)
const programUrls = listUrls(null)
const onDemandUrls = listUrls(ON_DEMAND_REVISION)
const programFiles = createProgramFiles({ urls: programUrls, packUrl: listUrls(PROGRAM_PACK_REVISION)[0] ?? '' })
const onDemandPrecache = createOnDemandPrecache({ cacheName: cacheNames.precache, urls: onDemandUrls })

const cacheName = hashText(JSON.stringify(precacheManifest))
const isOwnAsset = (path: string) => programFiles.has(new URL(path, location.origin).href)
const siteDocuments = createSiteDocuments({ isOwnAsset })
const accountSnapshot = createAccountSnapshot({
  cacheName,
  isOwnAsset: (path) => isOwnAsset(path) || onDemandPrecache.has(new URL(path, location.origin).href),
})
const storedPages = createStoredPages({ cacheName, documents: siteDocuments })
const appShell = createAppShell({
  cacheName,
  documents: siteDocuments,
  onChange: storedPages.deleteAll,
  onOtherBuild: () => void self.registration.update().catch(() => undefined),
})

self.addEventListener('install', (event) => {
  // Without the shell document or a precached file, pages would be blank. If one cannot be fetched, the installation fails and is retried.
  event.waitUntil(
    Promise.all([programFiles.fetchMissingFiles(), appShell.install()]).then(() =>
      onDemandPrecache.cacheIfEnabled().catch(() => undefined),
    ),
  )
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // A failed deletion is ignored: it only leaves unused files and must not prevent the activation.
      await Promise.allSettled([
        deleteOldBuilds(cacheNames.precache, [...programUrls, ...onDemandUrls]),
        appShell.deleteOtherBuilds(),
        storedPages.deleteOtherBuilds(),
        accountSnapshot.deleteOtherBuilds(),
        deleteExpiredFile(Date.now()),
      ])
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  // The message is not validated, because only pages of this origin can post to the worker.
  const message: PageMessage = event.data
  if (message.type === 'SKIP_WAITING') void self.skipWaiting()
  if (message.type === 'CACHE_PICTURES') event.waitUntil(cachePictures(event, message.paths))
  if (message.type === 'CACHE_MAKER') event.waitUntil(onDemandPrecache.enable().catch(() => undefined))
  if (message.type === 'CACHE_PAGE') event.waitUntil(cachePage(new URL(message.path, location.origin)))
  if (message.type === 'STORE_SNAPSHOT') event.waitUntil(accountSnapshot.store(message))
  if (message.type === 'DELETE_SNAPSHOT' || message.type === 'SIGNED_OUT') event.waitUntil(accountSnapshot.delete())
  if (message.type === 'SIGNED_OUT') tokenCalls.forget()
  if (message.type === 'PART_FAILED') event.waitUntil(programFiles.repairFiles())
  if (message.type === 'STARTED' && event.source instanceof WindowClient) startResolverById.get(event.source.id)?.()
})

// If a route handler fails, for example with a cache error, the request goes to the network.
setCatchHandler(({ request }) => fetch(request))

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && classifyPath(url.pathname) === 'asset',
  async (options) => {
    const { event, request } = options
    // Files of the previous build are served from the precache, which still contains them.
    const cachedFileResponse = await caches.match(request.url, { cacheName: cacheNames.precache })
    if (cachedFileResponse !== undefined) return cachedFileResponse
    if (onDemandPrecache.has(request.url)) return onDemandPrecache.fetchAndCache(request.url)
    if (!programFiles.has(request.url)) return assetStrategy.handle(options)
    event.waitUntil(programFiles.fetchMissingFiles().catch(() => undefined))
    return fetch(request)
  },
)
registerRoute(({ sameOrigin, url }) => sameOrigin && classifyPath(url.pathname) === 'picture', pictureStrategy)
registerRoute(({ sameOrigin, url }) => sameOrigin && classifyPath(url.pathname) === 'site-file', siteFileStrategy)

registerRoute(
  // The login page is left to the browser, which does not ask for a password if the worker sends the request.
  ({ request, sameOrigin, url }) =>
    request.mode === 'navigate' && sameOrigin && url.pathname !== LOGIN_PAGE_PATH && /^(page|redirect)$/.test(classifyPath(url.pathname)),
  async ({ event, request, url }) => {
    const isPage = classifyPath(url.pathname) === 'page'
    // Both are read at the same time, because the first reads of a worker that has just started take long.
    const [page, storedPage] = isPage ? await Promise.all([appShell.matchPage(url.pathname), storedPages.match(url)]) : []
    if (page !== undefined) {
      if (event instanceof FetchEvent) event.waitUntil(Promise.all([appShell.refresh(), reloadUnlessStarted(event.resultingClientId)]))
      return storedPage === undefined ? page : accountSnapshot.insertInto(storedPage, url.pathname)
    }
    // If the shell document is missing, precached files may be missing, too. The files are restored before the shell, because the shell
    // without them is a blank page.
    if (isPage && (await appShell.match()) === undefined)
      event.waitUntil(programFiles.fetchMissingFiles().then(appShell.refresh, () => undefined))
    // The server answers redirects and unknown paths. If there is no network, the app shell is served and shows that the page is not
    // available offline.
    try {
      return await fetch(request)
    } catch (error) {
      const fallback = await appShell.match()
      if (fallback === undefined) throw error
      return fallback
    }
  },
)

// The share target posts a form with a file. The file stays on this device, so no network is needed.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === SHARE_TARGET_PATH,
  async ({ request }) => {
    const isStored = !isFromOtherSite(request, location.origin) && (await storeSharedFile(request, Date.now()).catch(() => false))
    return Response.redirect(isStored ? AFTER_SHARE_PATH : SHARE_TARGET_PATH, 303)
  },
  'POST',
)

const tokenCalls = createTokenCallHandler({ fetch: (request) => fetch(request) })
registerRoute(
  ({ url }) => isTokenCall(url),
  ({ event, request }) => tokenCalls.answer(request, (pendingCall) => event.waitUntil(pendingCall)),
  'POST',
)

// Background Sync fires when the connection is back. Open pages then send their outbox.
self.addEventListener('sync', (event: Event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === 'outbox') event.waitUntil(notifyPages('WOKEN'))
})

self.addEventListener('push', (event: PushEvent) => {
  event.waitUntil(Promise.all([showPush(self, event.data?.text()), notifyPages('PUSHED')]))
})
self.addEventListener('pushsubscriptionchange', (event: PushSubscriptionChangeEvent) => {
  event.waitUntil(renewPushSubscription(self.registration, event))
})
self.addEventListener('notificationclick', (event: NotificationEvent) => {
  event.notification.close()
  event.waitUntil(openNewSongs(self.clients, location.origin))
})

/** Notifies the open pages of a Background Sync, after which they send their outbox, or of a push, after which they request new songs. */
async function notifyPages(type: 'WOKEN' | 'PUSHED'): Promise<void> {
  for (const client of await self.clients.matchAll()) client.postMessage({ type })
}

/** For each client id, the function that tells `reloadUnlessStarted` that the page has started. */
const startResolverById = new Map<string, () => void>()
const PAGE_START_TIMEOUT_MS = 5_000

/** Repairs the program's files and reloads the page if its program does not start in time. No input is lost, because no program ran. */
async function reloadUnlessStarted(clientId: string): Promise<void> {
  const hasStarted = await new Promise<boolean>((resolve) => {
    startResolverById.set(clientId, () => resolve(true))
    setTimeout(() => resolve(false), PAGE_START_TIMEOUT_MS)
  })
  startResolverById.delete(clientId)
  if (hasStarted || !(await self.clients.get(clientId)) || !(await programFiles.repairFiles())) return
  const client = await self.clients.get(clientId)
  if (client instanceof WindowClient) await client.navigate(client.url).catch(() => undefined)
}

async function cachePictures(event: ExtendableEvent, picturePaths: readonly string[]): Promise<void> {
  for (const urlPath of picturePaths) {
    const url = new URL(urlPath, location.origin)
    if (classifyPath(url.pathname) !== 'picture') continue
    // The requests are answered by the browser's HTTP cache. The `Accept` header is that of an image element, so that the server's choice
    // of format is the same.
    const request = new Request(url, { headers: { accept: 'image/webp,image/*,*/*;q=0.8' }, cache: 'force-cache' })
    const [, pictureCached] = pictureStrategy.handleAll({ event, request })
    await pictureCached.catch(() => undefined)
  }
}

/** Caches the document of a page of this host, unless the person wants to save data. */
async function cachePage(url: URL): Promise<void> {
  const connection: { saveData?: boolean } | undefined = Reflect.get(navigator, 'connection')
  if (connection?.saveData !== true && url.origin === location.origin && (await appShell.matchPage(url.pathname)) !== undefined)
    await storedPages.store(url)
}

/** Returns the FNV-1a hash of a text, which names the caches of one build. */
function hashText(hashedText: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < hashedText.length; index++) hash = Math.imul(hash ^ hashedText.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
