import { type ReactNode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { AppBoundary, AppErrorPage } from './app/app-boundary.tsx'
import { MainSite } from './app/main-site.tsx'
import { createAppRouter } from './app/router.tsx'
import { createServices } from './app/services.ts'
import { createDeviceDatabase } from './data/device-database.ts'
import { loadSite } from './data/site-repository.ts'
import { preloadDock } from './features/player/dock.tsx'
import { handleChunkErrors } from './platform/chunk-errors.ts'
import { waitForFirstInput, waitUntilIdle } from './platform/idle.ts'
import { fetchSite, isDocumentCurrent, isPrerendered, readInitialData, readSite } from './platform/initial-data.ts'
import { createAppInstaller } from './platform/install.ts'
import { serviceWorker, waitForOfflineState } from './platform/service-worker.ts'
import { hasPlaybackSession } from './player/stored-session-check.ts'
import { waitForNextTask } from './primitives/next-task.ts'
import { markFailedPictures } from './ui/failed-pictures.ts'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')

handleChunkErrors()
markFailedPictures()
serviceWorker.reportStart()

try {
  await waitForNextTask()
  const appInstall = createAppInstaller()
  const hasPrerenderedPage = isPrerendered(container, location)
  const loadDatabase = () => import('./data/open-database.ts')
  const openDiskWithRetry = async () => {
    // Loads the code of the database, a second time if the first import fails. If the second one fails too (because of a content blocker,
    // for example), rows are stored in memory.
    const { openDiskDatabase } = await loadDatabase().catch(() => new Promise((resolve) => setTimeout(resolve, 1_000)).then(loadDatabase))
    return openDiskDatabase()
  }
  // A page whose HTML contains its rows opens the database at the first input, or when idle, to store these rows for the next start. The server marks
  // the pages that show rows of the database.
  const waitUntilDatabaseNeeded = () => Promise.race([waitForFirstInput(), waitForOfflineState(serviceWorker).then(waitUntilIdle)])
  const database = createDeviceDatabase(
    hasPrerenderedPage && isDocumentCurrent() && container.dataset.db === undefined
      ? waitUntilDatabaseNeeded().then(openDiskWithRetry)
      : openDiskWithRetry(),
  )
  const site = await loadSite(database, readSite(document), fetchSite)
  let page: ReactNode
  let preloadPages = () => {}
  if (site.host_class === 'main') {
    const services = createServices(site, database, appInstall, hasPrerenderedPage ? readInitialData(document) : {})
    await waitForNextTask()
    const router = createAppRouter(services)
    serviceWorker.setRouter(router)
    await waitForNextTask()
    // If the player or the dock cannot be loaded, the page starts without the song of the last visit.
    const playerPreload = hasPlaybackSession() && Promise.all([services.loadPlayer(), preloadDock()]).catch(() => {})
    // Loads the route's chunk and rows before the first render: the prerendered markup stays until React can render the complete page.
    await router.load()
    await playerPreload
    await waitForNextTask()
    // Loads the chunks of the pages that most visits open next, so that these pages open without waiting for their code. Each page has an idle
    // period of its own, because starting the requests of its chunks takes milliseconds. If a chunk cannot be loaded in advance, it is loaded when
    // its page is opened.
    preloadPages = () => {
      for (const path of ['/song', '/playlist'] as const)
        waitUntilIdle()
          .then(() => router.loadRouteChunk(router.routesByPath[path]))
          .catch(() => {})
    }
    // Makes the router hydrate without the `Suspense` boundaries that it adds around a pending route.
    if (hasPrerenderedPage) router.ssr = { manifest: undefined }
    page = <MainSite services={services} router={router} {...(hasPrerenderedPage && { hydrationStartMs: performance.now() })} />
  } else {
    const { createRadioOrSubscriberPage } = await import('./app/host-page.tsx')
    page = await createRadioOrSubscriberPage(site, appInstall)
  }
  const appElement = <AppBoundary>{page}</AppBoundary>
  startTransition(() => {
    // Rows may have changed since the server rendered them. The mismatch is not reported as an error, because React then renders the page
    // again.
    if (hasPrerenderedPage) hydrateRoot(container, appElement, { onRecoverableError: () => {} })
    else {
      delete container.dataset.path
      createRoot(container).render(appElement)
    }
  })
  preloadPages()
} catch (error) {
  console.error(error)
  createRoot(container).render(<AppErrorPage />)
}

// The service worker is registered after hydration, so that it does not delay hydration. It is not registered in development, where files
// change without a build, and on hosts without a manifest: a subscriber's site is not an installable app, and may disappear when the
// subscription ends.
if (import.meta.env.PROD && document.querySelector('[rel=manifest]')) serviceWorker.start()
