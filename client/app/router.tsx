import { createRouter, type RouterHistory } from '@tanstack/react-router'
import { NotFoundPage } from '../components/not-found.tsx'
import { PagePending } from '../features/shell/page-pending.tsx'
import { RouteError } from '../features/shell/route-error.tsx'
import type { Services } from '../hooks/services.tsx'
import { getNavigationEntry } from '../platform/navigation-entry.ts'
import { addListener } from '../primitives/scope.ts'
import { routeTree } from '../routeTree.gen.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

/** Creates the router of the main site. `history` defaults to the browser's history. */
export function createAppRouter(services: Services, history?: RouterHistory) {
  let isFirstRender = true
  let isReloadOrReturn = history === undefined && getNavigationEntry()?.type !== 'navigate'
  // The router does not restore the scroll position on the first render if the person has already scrolled the prerendered page. After a reload the
  // router restores it, because the browser can restore a position only within the content that is rendered before the program runs.
  const decideScrollRestoration = () => {
    const isScrollRestored = isReloadOrReturn || !isFirstRender || scrollY === 0
    isFirstRender = false
    if (isReloadOrReturn) layOutOffscreenItems()
    isReloadOrReturn = false
    return isScrollRestored
  }
  // The router's history must not have subscribers yet: the router would no longer load the target of a redirect of the first page.
  if (history === undefined) {
    addListener(window, 'popstate', () => {
      isReloadOrReturn = true
    })
  }
  return createRouter({
    routeTree,
    context: { services },
    // Routes match case-sensitively, as on the server.
    caseSensitive: true,
    parseSearch,
    stringifySearch,
    ...(history && { history }),
    // Scroll restoration is off during prerendering (with a memory history), because the router would write its scroll restoration script
    // into the markup.
    scrollRestoration: history === undefined && decideScrollRestoration,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    // Every preload runs the route's loader. This is cheap, because the repositories send requests only for stale rows.
    defaultPreloadStaleTime: 0,
    // The previous page stays rendered while a route loads: replacing a long page immediately would lose its scroll position.
    defaultPendingMs: 1000,
    defaultPendingMinMs: 200,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFoundPage,
  })
}

/**
 * Lays out the items of lists that are skipped while they are outside of the viewport. The browser then knows their sizes, so that a scroll position
 * shows the same items as before.
 */
function layOutOffscreenItems() {
  const { style } = document.documentElement
  style.setProperty('--offscreen', 'visible')
  requestAnimationFrame(() => requestAnimationFrame(() => style.removeProperty('--offscreen')))
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
