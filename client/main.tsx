import { type ReactNode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { AppBoundary } from './app/app-boundary.tsx'
import { AppFailure } from './app/app-failure.tsx'
import { MainSite } from './app/main-site.tsx'
import { createAppRouter } from './app/router.tsx'
import { createServices } from './app/services.ts'
import { deferStore } from './data/deferred-store.ts'
import { createMemoryOnlyStore } from './data/fallback-store.ts'
import { keptSite } from './data/site-repository.ts'
import { takeEarlyEvents } from './platform/early-events.ts'
import { isPrerendered, readFirstData } from './platform/first-data.ts'
import { whenIdle, whenTouched } from './platform/idle.ts'
import { createInstall } from './platform/install.ts'
import { explainMissingParts } from './platform/missing-parts.ts'
import { nextTask } from './platform/next-task.ts'
import { serviceWorker, whenReadyOrNot } from './platform/service-worker.ts'
import { fetchSite, readSite } from './platform/site.ts'

const LONGEST_IDLE_MS = 3_000

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no #root')

explainMissingParts()
// The development server changes its files under every cache.
if (import.meta.env.PROD) serviceWorker.start()

try {
  await nextTask()
  const install = createInstall()
  const prerendered = isPrerendered(container, location)
  const loadStore = () => import('./data/open-store.ts')
  const openStore = () =>
    loadStore()
      // Lost on the way, perhaps. Refused by a blocker it is refused again: then the site works online.
      .catch(() => new Promise((resolve) => setTimeout(resolve, 1_000)).then(loadStore))
      .then(
        (module) => module.openStore(),
        () => createMemoryOnlyStore('refused'),
      )
  // A page that came with its rows needs the device's only when someone does something, and to be there on the next start.
  const needed = () => Promise.race([whenTouched(), whenReadyOrNot(serviceWorker).then(() => whenIdle(LONGEST_IDLE_MS))])
  const store = deferStore(prerendered ? needed().then(openStore) : openStore())
  const site = await keptSite(store, readSite(document), fetchSite)
  let page: ReactNode
  if (site.host_class === 'main') {
    const services = createServices(site, store, install, prerendered ? readFirstData(document) : {})
    await nextTask()
    const router = createAppRouter(services)
    // The route's program and rows first: what the server painted stays until the page can take its place, whole.
    await router.load()
    await nextTask()
    // Tells the router that its markup is there, without the boundaries that it puts around a page on its way.
    if (prerendered) router.ssr = { manifest: undefined }
    // Where React takes elements over, it hears what is pressed on them at once; those it replaces are deaf until then.
    page = <MainSite services={services} router={router} {...(prerendered && { early: takeEarlyEvents() })} />
  } else {
    const { HostLanding } = await import('./app/host-landing.tsx')
    takeEarlyEvents()
    page = <HostLanding site={site} />
  }
  const app = <AppBoundary>{page}</AppBoundary>
  startTransition(() => {
    // Rows may have changed since the server painted them: then React renders the page anew, which is no fault.
    if (prerendered) hydrateRoot(container, app, { onRecoverableError: () => {} })
    else createRoot(container).render(app)
  })
} catch (error) {
  console.error(error)
  createRoot(container).render(<AppFailure />)
}
