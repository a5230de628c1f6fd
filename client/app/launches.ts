/** https://wicg.github.io/web-app-launch/ */
interface Launch {
  readonly targetURL?: string | null
  readonly files?: readonly FileSystemHandle[]
}
interface LaunchQueue {
  setConsumer(consumer: (params: Launch) => void): void
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
export function followLaunches(
  browser: object,
  router: Navigator,
  nowMs: () => number = () => performance.now(),
  receive: (files: readonly FileSystemFileHandle[]) => void = receiveLater,
): void {
  if (!('launchQueue' in browser)) return
  // Typed by hand: it is in no standard library yet.
  const queue = browser.launchQueue as LaunchQueue
  const startedAtMs = nowMs()
  queue.setConsumer(({ targetURL, files = [] }) => {
    const opened = files.filter((handle) => handle instanceof FileSystemFileHandle)
    if (opened.length > 0) receive(opened)
    if (nowMs() - startedAtMs < OWN_LAUNCH_MS || !targetURL) return
    const { origin, pathname, search } = new URL(targetURL)
    // The icon alone only brings the window back, where it was.
    if (origin === location.origin && pathname !== '/') router.history.push(pathname + search)
  })
}

/** For the maker, which few visits open. */
function receiveLater(files: readonly FileSystemFileHandle[]): void {
  import('../platform/received-files.ts').then(({ receiveFiles }) => receiveFiles(files)).catch(() => {})
}
