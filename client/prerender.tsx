import { createMemoryHistory } from '@tanstack/react-router'
import { renderToString } from 'react-dom/server'
import type { PrerenderFunctions } from '../contract/initial-data.ts'
import type { Site } from '../contract/site.ts'
import { AppBoundary } from './app/app-boundary.tsx'
import { RadioWidget } from './app/host-page.tsx'
import { MainSite } from './app/main-site.tsx'
import { createAppRouter } from './app/router.tsx'
import { createAccountRepository } from './data/account-repository.ts'
import { createCatalogue } from './data/catalogue-repository.ts'
import { createMemoryDatabase } from './data/memory-database.ts'
import { RadioSite } from './features/radio/radio-site.tsx'
import { Footer } from './features/shell/footer.tsx'
import { NavBar, SkipLink } from './features/shell/nav-bar.tsx'
import { PagePending } from './features/shell/page-pending.tsx'
import { UpdatePrompt } from './features/update/update-prompt.tsx'
import { SubscriberSitePage } from './features/website/public-page.tsx'
import { type Services, ServicesProvider } from './hooks/services.tsx'
import { anonymousIdentity } from './platform/identity.ts'
import { idlePlayer } from './player/idle-player.ts'
import { createIdleRadio, createInitialRadioState } from './player/radio/idle-radio.ts'

const doNothing = () => {}

// API requests never settle during prerendering, so that rows that are not in the initial data are rendered as loading.
const pendingApi: Services['api'] = { call: () => new Promise(() => {}) }

const noInstall: Services['install'] = { method: 'none', device: 'phone', subscribe: () => doNothing, install: async () => false }

function createPrerenderServices(site: Site, initialData: Parameters<PrerenderFunctions['renderPage']>[2]): Services {
  const database = {
    ...createMemoryDatabase(),
    health: 'persistent' as const,
    onHealth: () => doNothing,
    setFreeSpace: doNothing,
    onWritten: () => doNothing,
    recover: async () => {},
  }
  // Syncs never settle during prerendering, so that an own playlist, which only the device has, is rendered as loading.
  const catalogue = createCatalogue({ api: pendingApi, database, initialData, syncAccount: () => new Promise(doNothing) })
  return {
    kind: 'main',
    api: pendingApi,
    site,
    initialData,
    catalogue,
    database,
    player: idlePlayer,
    loadPlayer: async () => idlePlayer,
    showPlayer() {},
    offlinePlaylists: {
      pinned: { getSnapshot: () => undefined, subscribe: () => doNothing },
      downloads: () => new Map(),
      onDownloads: () => doNothing,
      pin: async () => {},
      unpin: async () => {},
      unpinOwn: async () => {},
      resume: async () => {},
    },
    connection: {
      offline: false,
      serverUnreachable: false,
      subscribe: () => doNothing,
      reportResponse: doNothing,
      reportUnreachable: doNothing,
      close: doNothing,
    },
    install: noInstall,
    accountApi: pendingApi,
    identity: anonymousIdentity,
    accounts: createAccountRepository({ api: pendingApi, database, getSignedInUid: () => undefined }),
    openEngine: () => new Promise(() => {}),
    openSampleEngine: () => new Promise(() => {}),
    offlineMutations: () => new Promise(doNothing),
    clearCache: async () => {},
  }
}

function renderRadio(site: Site, initialData: Parameters<PrerenderFunctions['renderPage']>[2]): string {
  const initialState = createInitialRadioState(initialData.radio)
  const services = {
    kind: 'radio' as const,
    site,
    install: noInstall,
    radio: createIdleRadio(initialState),
    initialState,
    lastSong: undefined,
  }
  return renderToString(
    <AppBoundary>
      <RadioSite services={services}>
        <UpdatePrompt />
      </RadioSite>
    </AppBoundary>,
  )
}

/** Renders the React tree that `main.tsx` hydrates. This module is built for Node; the server calls it once per address. */
export const renderPage: PrerenderFunctions['renderPage'] = async (site, urlPath, initialData) => {
  if (site.host_class === 'radio') return renderRadio(site, initialData)
  if (site.host_class === 'subscriber') {
    return renderToString(
      <AppBoundary>
        <ServicesProvider services={{ kind: 'subscriber', site, install: noInstall }}>
          <SubscriberSitePage
            initialInfo={initialData.subscriber}
            isNotFound={initialData.subscriber === undefined}
            radio={<RadioWidget />}
          />
        </ServicesProvider>
      </AppBoundary>,
    )
  }
  const services = createPrerenderServices(site, initialData)
  const router = createAppRouter(services, createMemoryHistory({ initialEntries: [urlPath] }))
  await router.load()
  return renderToString(
    <AppBoundary>
      <MainSite services={services} router={router} />
    </AppBoundary>,
  )
}

/** Renders the shell document: navigation and footer around a loading page. */
export const renderShell: PrerenderFunctions['renderShell'] = (site) =>
  site.host_class === 'radio'
    ? renderRadio(site, {})
    : renderToString(
        <ServicesProvider services={createPrerenderServices(site, {})}>
          <SkipLink />
          <NavBar isHomePage={false} onRandomSong={doNothing} onSearch={doNothing} onFavorites={doNothing} onSignOut={doNothing} />
          <main id="main" tabIndex={-1}>
            <PagePending />
          </main>
          <Footer />
        </ServicesProvider>,
      )
