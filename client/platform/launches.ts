/** `LaunchParams` of the Web App Launch API (https://wicg.github.io/web-app-launch/). */
interface LaunchParams {
  readonly targetURL?: string | null
  readonly files?: readonly FileSystemHandle[]
}
interface LaunchQueue {
  setConsumer(consumer: (params: LaunchParams) => void): void
}

interface LaunchRouter {
  history: { push(address: string): void }
}

/** A launch that arrives within this time after the page's start, in milliseconds, is the one that opened the page. */
const INITIAL_LAUNCH_MS = 1_000

/**
 * Handles launches of the installed app by a shortcut, a file or its icon while its window is open. The manifest's `launch_handler` sends
 * them to that window; the router navigates without a reload, so that music continues.
 */
export function handleAppLaunches(
  browser: object,
  router: LaunchRouter,
  nowMs: () => number = () => performance.now(),
  receiveFiles: (files: readonly FileSystemFileHandle[]) => void = receiveFilesOnDemand,
): void {
  if (!('launchQueue' in browser)) return
  // TypeScript's DOM library has no types for `launchQueue` yet.
  const launchQueue = browser.launchQueue as LaunchQueue
  const startedAtMs = nowMs()
  launchQueue.setConsumer(({ targetURL, files = [] }) => {
    const fileHandles = files.filter((handle) => handle instanceof FileSystemFileHandle)
    if (fileHandles.length > 0) receiveFiles(fileHandles)
    if (nowMs() - startedAtMs < INITIAL_LAUNCH_MS || !targetURL) return
    const { origin, pathname, search } = new URL(targetURL)
    const address = pathname + search
    // A launch by the app's icon has the URL path `/` and only focuses the window.
    if (origin === location.origin && address !== '/') router.history.push(address)
  })
}

/** Passes opened files to the maker. The module is imported on demand, because few visits open the maker. */
function receiveFilesOnDemand(files: readonly FileSystemFileHandle[]): void {
  import('./received-files.ts').then(({ receiveFiles }) => receiveFiles(files)).catch(() => {})
}
