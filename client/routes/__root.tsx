import { createRootRouteWithContext, Outlet, useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useRandomSong } from '../features/catalogue/use-random-song.ts'
import { FavoritesProvider } from '../features/favorites/favorites-provider.tsx'
import { OfflineStrip } from '../features/offline/offline-strip.tsx'
import { Dock } from '../features/player/dock.tsx'
import { RadioDock } from '../features/radio/radio-dock.tsx'
import { Footer } from '../features/shell/footer.tsx'
import { NavBar, SkipLink } from '../features/shell/nav-bar.tsx'
import { NavigationProgressLine } from '../features/shell/navigation-progress-line.tsx'
import { RouteAnnouncer } from '../features/shell/route-announcer.tsx'
import { ScrollToTop } from '../features/shell/scroll-to-top.tsx'
import { SignOutProvider } from '../features/shell/sign-out-provider.tsx'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { usePlayerState } from '../hooks/player.tsx'
import { type RouterContext, useServices } from '../hooks/services.tsx'
import { useSignOut } from '../hooks/sign-out.ts'
import { useBusyWhile } from '../hooks/update.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createRootRouteWithContext<RouterContext>()({ component: Root })

const keepsPageBusy = ({ status }: { status: string }) => status === 'playing' || status === 'loading' || status === 'unplayable'

// The play button over rows and cards is an on-demand chunk, which the first hover or key press loads. If it cannot be loaded, songs and
// playlists can still be played on their pages.
const PlayOverlay = lazyWithRetry(() => import('../features/catalogue/play-overlay.tsx').then((module) => module.PlayOverlay), {
  renderError: () => null,
})

/** Opens the list of keyboard shortcuts, like the key `?`. */
const showShortcuts = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))

/** Layout of every page of the main site. A page renders into `main` and has its own `h1`. */
function Root() {
  return (
    <SignOutProvider>
      <FavoritesProvider>
        <PageFrame />
      </FavoritesProvider>
    </SignOutProvider>
  )
}

function PageFrame() {
  const services = useServices()
  const router = useRouter()
  const toast = useToast()
  // Whether the navigation bar lies over the page. False while the home page is loading, because the previous page, which is still shown,
  // has the bar above it.
  const isHomePage = useRouterState({
    select: ({ matches }) => matches.some(({ routeId, status }) => routeId === '/' && status === 'success'),
  })
  const [hasOpenedOverlay, setHasOpenedOverlay] = useState(false)
  const showOverlay = () => setHasOpenedOverlay(true)
  const searchedText = useLocation({ select: ({ search }) => search.q })

  useBusyWhile(usePlayerState(keepsPageBusy), 'song')
  const randomSong = useRandomSong(useCallback((text: string) => toast({ kind: 'bad', text }), [toast]))

  const openFavorites = async () => {
    const { findFavoritesPath } = await import('../features/favorites/favorites-path.ts')
    const path = await findFavoritesPath(services)
    if (path !== undefined) router.history.push(path)
  }

  return (
    <>
      <SkipLink />
      <NavBar
        isHomePage={isHomePage}
        searchedText={searchedText}
        onRandomSong={randomSong.open}
        onFavorites={() => void openFavorites().catch(() => router.history.push('/account#favorites'))}
        onSignOut={useSignOut()}
        onSearch={(query) => router.history.push(`/search?${new URLSearchParams({ q: query })}`)}
      />
      <NavigationProgressLine />
      <main id="main" tabIndex={-1} onPointerMove={(event) => event.pointerType !== 'touch' && showOverlay()} onKeyUp={showOverlay}>
        <Outlet />
      </main>
      {hasOpenedOverlay && <PlayOverlay />}
      <ScrollToTop />
      <Footer onShowShortcuts={showShortcuts} />
      <OfflineStrip />
      <UpdatePrompt />
      <Dock />
      <RadioDock />
      <RouteAnnouncer />
    </>
  )
}
