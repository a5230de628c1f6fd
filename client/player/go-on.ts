import type { Connection } from '../platform/connection.ts'
import type { Player } from './player-interface.ts'

/** After so long nobody waits for the song any more: music that starts by itself would only startle. */
export const GO_ON_WITHIN_MS = 10 * 60_000

/** Once the connection is back, plays the song that could not be fetched without it. */
export function goOnWhenBack(player: Player, connection: Connection, nowMs: () => number = Date.now): void {
  let waitsSinceMs: number | undefined
  player.subscribe(() => {
    const { status, error } = player.getSnapshot()
    const waits =
      error?.kind === 'network' || (status === 'loading' && ((connection.offline && !connection.silent) || waitsSinceMs !== undefined))
    waitsSinceMs = waits ? (waitsSinceMs ?? nowMs()) : undefined
  })
  connection.subscribe(() => {
    if (connection.offline || waitsSinceMs === undefined || nowMs() - waitsSinceMs > GO_ON_WITHIN_MS) return
    waitsSinceMs = undefined
    player.retry()
  })
}
