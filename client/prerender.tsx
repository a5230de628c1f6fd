import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { Prerender } from '../contract/first-data.ts'
import type { Site } from '../contract/site.ts'
import { AppBoundary } from './app/app-boundary.tsx'
import { HostLanding } from './app/host-landing.tsx'
import { MainSite } from './app/main-site.tsx'
import { createAppRouter } from './app/router.tsx'
import { type Services, ServicesProvider } from './bindings/services.tsx'
import { createAccounts } from './data/account-repository.ts'
import { createCatalogue } from './data/catalogue-repository.ts'
import { showFirst } from './data/first-data.ts'
import { createMemoryStore } from './data/memory-store.ts'
import { Footer } from './features/shell/footer.tsx'
import { NavBar } from './features/shell/nav-bar.tsx'
import { PagePending } from './features/shell/page-pending.tsx'
import { SkipLink } from './features/shell/skip-link.tsx'
import { nobody } from './platform/nobody.ts'
import { idlePlayer } from './player/idle-player.ts'

const nothing = () => {}

// The server asks nothing of itself: what is not in the first data shows as on its way.
const silentApi: Services['api'] = { call: () => new Promise(() => {}) }

function stillServices(site: Site, first: Parameters<Prerender['renderPage']>[2]): Services {
  const store = {
    ...createMemoryStore(),
    health: 'kept' as const,
    onHealth: () => nothing,
    setMakeRoom: nothing,
    onWritten: nothing,
    recover: async () => {},
  }
  const catalogue = showFirst(createCatalogue({ api: silentApi, store }), first)
  return {
    ...{ api: silentApi, site, catalogue, store, player: idlePlayer },
    keeper: {
      kept: { getSnapshot: () => undefined, subscribe: () => nothing },
      progress: () => new Map(),
      onProgress: () => nothing,
      keep: async () => {},
      remove: async () => {},
      resume: async () => {},
    },
    connection: { offline: false, silent: false, subscribe: () => nothing, answered: nothing, unreachable: nothing, close: nothing },
    install: { way: 'none', device: 'phone', subscribe: () => nothing, install: async () => false },
    accountApi: silentApi,
    identity: nobody,
    accounts: createAccounts({ api: silentApi, store, signedIn: () => undefined }),
    openEngine: () => new Promise(() => {}),
    writes: () => new Promise(nothing),
    clearSeen: async () => {},
  }
}

/** The first paint: the same tree that `main.tsx` hydrates. Built for Node, and called by the server for each address. */
export const renderPage: Prerender['renderPage'] = async (site, path, first) => {
  if (site.host_class !== 'main') {
    return renderToString(
      <AppBoundary>
        <HostLanding site={site} />
      </AppBoundary>,
    )
  }
  const services = stillServices(site, first)
  const router = createAppRouter(services, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  return renderToString(
    <AppBoundary>
      <MainSite services={services} router={router} />
    </AppBoundary>,
  )
}

export const renderShell: Prerender['renderShell'] = (site) =>
  renderToString(
    <ServicesProvider services={stillServices(site, {})}>
      <SkipLink />
      <NavBar home={false} onRandomSong={nothing} onSearch={nothing} onFavorites={nothing} onSignOut={nothing} />
      <main id="main" tabIndex={-1}>
        <PagePending />
      </main>
      <Footer />
    </ServicesProvider>,
  )
