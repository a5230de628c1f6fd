import { cacheNames } from 'workbox-core/cacheNames.js'
import { PrecacheController } from 'workbox-precaching/PrecacheController.js'
import { PrecacheRoute } from 'workbox-precaching/PrecacheRoute.js'
import { registerRoute } from 'workbox-routing/registerRoute.js'
import { setCatchHandler } from 'workbox-routing/setCatchHandler.js'
import { dropOldBuilds } from './builds.ts'
import { createLaterParts, LATER } from './later-parts.ts'
import { createKeptProgram, guardProgram } from './precache.ts'
import { kindOf } from './routes.ts'
import { createSessionCalls, isSessionCall } from './session.ts'
import { dropOldFile, keepSharedFile } from './shared-file.ts'
import { createShell } from './shell.ts'
import { assets, pictures, siteFiles } from './strategies.ts'

declare const self: ServiceWorkerGlobalScope

/** What a page may tell its worker. */
type PageMessage =
  /** The person takes the update, and nothing stands in its way. */
  | { type: 'SKIP_WAITING' }
  /** Pictures that were shown before this worker was there. */
  | { type: 'CACHE_PICTURES'; paths: string[] }
  /** The page's program runs. */
  | { type: 'STARTED' }
  /** A part of the program came, and could not be used, or did not come. */
  | { type: 'PART_FAILED' }
  /** The maker is open. */
  | { type: 'CACHE_MAKER' }
  /** Nobody is signed in on this device any more. */
  | { type: 'SIGNED_OUT' }

/** `share_target` of the manifest. */
const SHARE_PATH = '/account/maker'
const SHARED_PATH = `${SHARE_PATH}?from=share`

const manifest = self.__WB_MANIFEST
const precache = new PrecacheController({ plugins: [guardProgram(() => void program.refill().catch(() => undefined))] })
const isLater = (entry: (typeof manifest)[number]) => typeof entry !== 'string' && entry.revision === LATER
precache.addToCacheList(manifest.filter((entry) => !isLater(entry)))
const ownUrls = precache.getURLsToCacheKeys()
const program = createKeptProgram([...ownUrls.values()])
const laterUrls = manifest.filter(isLater).map((entry) => new URL(typeof entry === 'string' ? entry : entry.url, location.origin).href)
const laterParts = createLaterParts({ cacheName: cacheNames.precache, urls: laterUrls })

const shell = createShell({
  cacheName: hashOf(JSON.stringify(manifest)),
  isOwnPart: (path) => ownUrls.has(new URL(path, location.origin).href),
  onOtherBuild: () => void self.registration.update().catch(() => undefined),
})

self.addEventListener('install', (event) => {
  // Both or neither: a worker without its document or its files would start blank pages. The browser tries again later.
  event.waitUntil(Promise.all([precache.install(event), shell.install()]).then(() => laterParts.keepAgain().catch(() => undefined)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // What could not be tidied is too much, not too little: no page waits for its worker because of it.
      await Promise.allSettled([
        dropOldBuilds(cacheNames.precache, [...ownUrls.values(), ...laterUrls]),
        shell.dropOthers(),
        dropOldFile(Date.now()),
      ])
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('message', (event: ExtendableMessageEvent) => {
  // Only pages of this origin can post to its worker.
  const message: PageMessage = event.data
  if (message.type === 'SKIP_WAITING') void self.skipWaiting()
  if (message.type === 'CACHE_PICTURES') event.waitUntil(cachePictures(event, message.paths))
  if (message.type === 'CACHE_MAKER') event.waitUntil(laterParts.keepFromNowOn().catch(() => undefined))
  if (message.type === 'SIGNED_OUT') sessionCalls.forget()
  if (message.type === 'PART_FAILED') event.waitUntil(program.check())
  if (message.type === 'STARTED' && event.source instanceof WindowClient) starting.get(event.source.id)?.()
})

// Without the cache, the network: a page that is online never suffers by it.
setCatchHandler(({ request }) => fetch(request))

registerRoute(new PrecacheRoute(precache, { cleanURLs: false, directoryIndex: '' }))

registerRoute(
  ({ sameOrigin, url }) => sameOrigin && kindOf(url.pathname) === 'asset',
  // The files of the build before this one are still in the precache.
  async (options) =>
    (await caches.match(options.request.url, { cacheName: cacheNames.precache })) ??
    (laterParts.has(options.request.url) ? laterParts.fetchAndKeep(options.request.url) : assets.handle(options)),
)
registerRoute(({ sameOrigin, url }) => sameOrigin && kindOf(url.pathname) === 'picture', pictures)
registerRoute(({ sameOrigin, url }) => sameOrigin && kindOf(url.pathname) === 'site-file', siteFiles)

registerRoute(
  ({ request, sameOrigin, url }) => request.mode === 'navigate' && sameOrigin && /^(page|redirect)$/.test(kindOf(url.pathname)),
  async ({ event, request, url }) => {
    const page = kindOf(url.pathname) === 'page' ? await shell.matchPage(url.pathname) : undefined
    if (page !== undefined) {
      if (event instanceof FetchEvent) event.waitUntil(Promise.all([shell.refresh(), expectStart(event.resultingClientId)]))
      return page
    }
    // The document is gone, and the files perhaps as well: these come first, as a document without them starts a blank page.
    if (kindOf(url.pathname) === 'page' && (await shell.match()) === undefined)
      event.waitUntil(program.refill().then(shell.refresh, () => undefined))
    // Redirects, unknown addresses and broken links are the server's to answer; without it, the page says what it can do.
    try {
      return await fetch(request)
    } catch (error) {
      const fallback = await shell.match()
      if (fallback === undefined) throw error
      return fallback
    }
  },
)

// A file that is shared with the app comes as a form. It stays on this device, and needs no network.
registerRoute(
  ({ sameOrigin, url }) => sameOrigin && url.pathname === SHARE_PATH,
  async ({ request }) => {
    const isKept = await keepSharedFile(request, Date.now()).catch(() => false)
    return Response.redirect(isKept ? SHARED_PATH : SHARE_PATH, 303)
  },
  'POST',
)

const sessionCalls = createSessionCalls({ fetch: (request) => fetch(request) })
registerRoute(
  ({ url }) => isSessionCall(url),
  ({ event, request }) => sessionCalls.answer(request, (work) => event.waitUntil(work)),
  'POST',
)

// There is a connection again. Whoever is open sends what waits, in their own name.
self.addEventListener('sync', (event: Event) => {
  if (event instanceof ExtendableEvent && 'tag' in event && event.tag === 'outbox') event.waitUntil(tellPages())
})

async function tellPages(): Promise<void> {
  for (const client of await self.clients.matchAll()) client.postMessage({ type: 'WOKEN' })
}

/** What ends the wait for the program of a page, by the page's client id. */
const starting = new Map<string, () => void>()
const START_WITHIN_MS = 5_000

/** A page whose program does not run, as its files are not what they were, gets them anew, once. Nothing of it is lost: nothing ran. */
async function expectStart(clientId: string): Promise<void> {
  const started = await new Promise<boolean>((resolve) => {
    starting.set(clientId, () => resolve(true))
    setTimeout(() => resolve(false), START_WITHIN_MS)
  })
  starting.delete(clientId)
  if (started || !(await self.clients.get(clientId)) || !(await program.check())) return
  const client = await self.clients.get(clientId)
  if (client instanceof WindowClient) await client.navigate(client.url).catch(() => undefined)
}

async function cachePictures(event: ExtendableEvent, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const url = new URL(path, location.origin)
    if (kindOf(url.pathname) !== 'picture') continue
    // Its bytes are in the browser's own cache; the header makes it the format that an image asks for.
    const request = new Request(url, { headers: { accept: 'image/webp,image/*,*/*;q=0.8' }, cache: 'force-cache' })
    const [, done] = pictures.handleAll({ event, request })
    await done.catch(() => undefined)
  }
}

/** FNV-1a, to name what belongs to one build. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
