interface TransitionRouter {
  startViewTransition: (update: () => Promise<void>) => unknown
  latestLocation: { pathname: string }
  state: { resolvedLocation?: { pathname: string } | undefined }
}

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * Lets pages change into one another; a new sort or song within a page does not. Stands in for the router's own start of
 * view transitions, which leaves the rejection of one that another cuts short to nobody.
 */
export function addPageTransitions(router: TransitionRouter): void {
  router.startViewTransition = (update) => {
    const from = router.state.resolvedLocation?.pathname
    const isNewPage = from !== undefined && from !== router.latestLocation.pathname
    if (!isNewPage || prefersStillness() || typeof document.startViewTransition !== 'function') return update()
    const transition = document.startViewTransition(update)
    const ignore = () => {}
    transition.ready.catch(ignore)
    transition.finished.catch(ignore)
    return transition.updateCallbackDone
  }
}
