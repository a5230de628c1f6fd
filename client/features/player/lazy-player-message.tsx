import { usePlayerState } from '../../bindings/player.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { useIsOfflineAndNotPlaying } from './use-is-offline-and-not-playing.ts'

const PlayerMessage = lazyWithRetry(() => import('./player-message.tsx').then((module) => module.PlayerMessage))

/** Loads the message that explains why the player does not play, if there is a reason. */
export function LazyPlayerMessage({ className }: { className?: string | undefined }) {
  const isOffline = useIsOfflineAndNotPlaying()
  const hasReason = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  return (isOffline || hasReason) && <PlayerMessage className={className} />
}
