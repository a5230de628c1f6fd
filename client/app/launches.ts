/** https://wicg.github.io/web-app-launch/ */
interface LaunchQueue {
  setConsumer(consumer: (params: { readonly targetURL?: string | null }) => void): void
}

interface Navigator {
  history: { push(address: string): void }
}

/** The launch that brought this page is told at once; what comes later was started while the app was open. */
const OWN_LAUNCH_MS = 1_000

/**
 * A shortcut, a file or the icon of the installed app, pressed while its window is open, comes to that window (`launch_handler` in
 * the manifest): the page goes there itself, so that music plays on.
 */
export function followLaunches(browser: object, router: Navigator, nowMs: () => number = () => performance.now()): void {
  if (!('launchQueue' in browser)) return
  // Typed by hand: it is in no standard library yet.
  const queue = browser.launchQueue as LaunchQueue
  const startedAtMs = nowMs()
  queue.setConsumer(({ targetURL }) => {
    if (nowMs() - startedAtMs < OWN_LAUNCH_MS || !targetURL) return
    const { origin, pathname, search } = new URL(targetURL)
    // The icon alone only brings the window back, where it was.
    if (origin === location.origin && pathname !== '/') router.history.push(pathname + search)
  })
}
