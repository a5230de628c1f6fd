import { createRouter, type RouterHistory } from '@tanstack/react-router'
import type { Services } from '../bindings/services.tsx'
import { NotFound } from '../features/shell/not-found.tsx'
import { PagePending } from '../features/shell/page-pending.tsx'
import { RouteError } from '../features/shell/route-error.tsx'
import { routeTree } from '../routeTree.gen.ts'
import { addPageTransitions } from './page-transitions.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

/** `history` is the browser's unless another is given. */
export function createAppRouter(services: Services, history?: RouterHistory) {
  let rendered = false
  // A person who scrolled before the program was there stays where they are.
  const restoresScroll = () => {
    const isFirst = !rendered
    rendered = true
    return !isFirst || scrollY === 0
  }
  const router = createRouter({
    routeTree,
    context: { services },
    // As the server has it.
    caseSensitive: true,
    parseSearch,
    stringifySearch,
    ...(history && { history }),
    // Without a browser there is nothing to restore, and the script for it would stand in the markup.
    scrollRestoration: history === undefined && restoresScroll,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    // Freshness is the repositories' business: a loader that runs again costs nothing where rows are current.
    defaultPreloadStaleTime: 0,
    // The page one leaves stays that long: replaced at once, a long one would lose the place one comes back to.
    defaultPendingMs: 1000,
    defaultPendingMinMs: 200,
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
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
