import type { Connection } from '../platform/connection.ts'
import type { PagePlayer } from './player-interface.ts'

/** The time for which a song that could not be loaded is still started automatically. A later start would surprise the person. */
export const RESUME_WITHIN_MS = 10 * 60_000

/** Retries a song that could not be loaded offline when the connection returns. A song that was paused by then stays paused. */
export function resumeOnReconnect(player: PagePlayer, connection: Connection, nowMs: () => number = Date.now): void {
  let waitingSinceMs: number | undefined
  player.subscribe(() => {
    const { status, error } = player.getSnapshot()
    const isRetryWaiting =
      error?.kind === 'network' ||
      (status === 'loading' && ((connection.offline && !connection.serverUnreachable) || waitingSinceMs !== undefined))
    waitingSinceMs = isRetryWaiting ? (waitingSinceMs ?? nowMs()) : undefined
  })
  connection.subscribe(() => {
    if (connection.offline || waitingSinceMs === undefined || nowMs() - waitingSinceMs > RESUME_WITHIN_MS) return
    waitingSinceMs = undefined
    const { error } = player.getSnapshot()
    player.retry(error?.kind === 'network' && error.wasPaused === true)
  })
}
