interface TransitionRouter {
  startViewTransition: (update: () => Promise<void>) => unknown
  latestLocation: { pathname: string }
  state: { resolvedLocation?: { pathname: string } | undefined }
}

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Starts a view transition when the path changes, but not when only the query does. Replaces the router's own `startViewTransition`,
 * which does not handle the rejection of a transition that a newer one skips.
 */
export function addPageTransitions(router: TransitionRouter): void {
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
