import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { PagePending } from '../features/shell/page-pending.tsx'
import { RouteError } from '../features/shell/route-error.tsx'
import type { Services } from '../hooks/services.tsx'
import { routeTree } from '../routeTree.gen.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

/** Creates the router of the main site. `history` defaults to the browser's history. */
export function createAppRouter(services: Services, history?: RouterHistory) {
  let hasRendered = false
  // The router does not restore the scroll position on the first render if the person has already scrolled the prerendered page.
  const restoresScroll = () => {
    const isFirstRender = !hasRendered
    hasRendered = true
    return !isFirstRender || scrollY === 0
  }
  const router = createRouter({
    routeTree,
    context: { services },
    // Routes match case-sensitively, as on the server.
    caseSensitive: true,
    parseSearch,
    stringifySearch,
    ...(history && { history }),
    // Scroll restoration is off during prerendering (with a memory history), because the router would write its scroll restoration script
    // into the markup.
    scrollRestoration: history === undefined && restoresScroll,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    // Every preload runs the route's loader. This is cheap, because the repositories send requests only for stale rows.
    defaultPreloadStaleTime: 0,
    // The previous page stays rendered while a route loads: replacing a long page at once would lose its scroll position.
    defaultPendingMs: 1000,
    defaultPendingMinMs: 200,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
  })
  addPageTransitions(router)
  return router
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}

interface TransitionRouter {
  startViewTransition: (update: () => Promise<void>) => unknown
  latestLocation: { pathname: string }
  state: { resolvedLocation?: { pathname: string } | undefined }
}

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Starts a view transition when the path changes, but not when only the query does. Replaces the router's own `startViewTransition`: when a
 * newer transition skips a running one, the browser rejects the promises of the skipped transition, and the router does not handle these
 * rejections.
 */
function addPageTransitions(router: TransitionRouter): void {
  router.startViewTransition = (update) => {
    const currentPath = router.state.resolvedLocation?.pathname
    const isNewPage = currentPath !== undefined && currentPath !== router.latestLocation.pathname
    if (!isNewPage || prefersReducedMotion() || typeof document.startViewTransition !== 'function') return update()
    const transition = document.startViewTransition(update)
    const ignoreSkipped = () => {}
    transition.ready.catch(ignoreSkipped)
    transition.finished.catch(ignoreSkipped)
    return transition.updateCallbackDone
  }
}
