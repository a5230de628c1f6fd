import { createRouter } from '@tanstack/react-router'
import type { Services } from '../bindings/services.tsx'
import { NotFound } from '../features/shell/not-found.tsx'
import { PagePending } from '../features/shell/page-pending.tsx'
import { RouteError } from '../features/shell/route-error.tsx'
import { routeTree } from '../routeTree.gen.ts'
import { parseSearch, stringifySearch } from './search-params.ts'

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches

export function createAppRouter(services: Services) {
  return createRouter({
    routeTree,
    context: { services },
    parseSearch,
    stringifySearch,
    scrollRestoration: true,
    scrollRestorationBehavior: 'instant',
    defaultPreload: 'intent',
    // Freshness is the repositories' business: a loader that runs again costs nothing where rows are current.
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 150,
    defaultPendingMinMs: 200,
    // Pages change into one another; a new sort or song within a page does not.
    defaultViewTransition: {
      types: ({ fromLocation, pathChanged }) => (fromLocation && pathChanged && !prefersStillness() ? ['page'] : false),
    },
    defaultPendingComponent: PagePending,
    defaultErrorComponent: RouteError,
    defaultNotFoundComponent: NotFound,
    // What a page shows of a failure it says itself; the router's own report would come on top.
    defaultOnCatch: (error) => console.error(error),
  })
}

export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
