import type { ReactNode } from 'react'
import { usePlayerState } from '../../hooks/player.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import { useIsOfflineAndNotPlaying } from './use-is-offline-and-not-playing.ts'

const PlayerMessage = lazyWithRetry(() => import('./player-message.tsx').then((module) => module.PlayerMessage))

/** Renders the message that explains why the player does not play in place of `children`, which are of no use then, so that nothing moves. */
export function MessageInsteadOf({ className, children }: { className: string; children: ReactNode }) {
  const isOffline = useIsOfflineAndNotPlaying()
  const hasReason = usePlayerState((state) => state.error !== undefined || state.status === 'blocked')
  return isOffline || hasReason ? <PlayerMessage className={className} /> : children
}
