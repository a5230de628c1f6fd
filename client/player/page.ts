/** Whether the page was reloaded, as opposed to opened by a link or an address. */
export function wasReloaded(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming && entry.type === 'reload'
}

/** Returns localStorage, or undefined if the browser denies access to it. */
export function browserStorage(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

/** The key of the playback session in localStorage. */
export const SESSION_KEY = 'varispeed.player'

/** Whether localStorage contains a playback session, which the player restores if its format is valid. */
export function hasPlaybackSession(): boolean {
  try {
    return browserStorage()?.getItem(SESSION_KEY) != null
  } catch {
    return false
  }
}
