import { useLayoutEffect } from 'react'
import { useDatabaseHealth, useOffline } from '../../hooks/offline.ts'
import { useIsOfflineAndNotPlaying, useVideoPlaceholder } from '../../hooks/player.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './offline-strip.module.css'

// The message is an on-demand chunk, because most visits need none.
const OfflineMessage = lazyWithRetry(() => import('./offline-message.tsx').then((module) => module.OfflineMessage), {
  renderError: () => <p className={styles.strip}>You are offline.</p>,
})

/** Loads the chunk of the message in advance, because it cannot be loaded once the connection is lost. */
export const preloadOfflineMessage = OfflineMessage.preload

/**
 * Renders a line over the lower edge of the page while the server is unreachable or data cannot be stored. The line is left out while the
 * player on the song page shows that the song needs a connection.
 */
export function OfflineStrip() {
  const isOffline = useOffline()
  const hasVideoPlaceholder = useVideoPlaceholder() !== undefined
  const hasPlayerMessage = useIsOfflineAndNotPlaying() && hasVideoPlaceholder
  const isStripShown = useDatabaseHealth() !== 'persistent' || (isOffline && !hasPlayerMessage)

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-strip', isStripShown)
    return () => document.documentElement.removeAttribute('data-strip')
  }, [isStripShown])

  return (
    // The live region is rendered even without a message, so that screen readers announce its changes.
    <div role="status" className={styles.region}>
      {isStripShown && <OfflineMessage />}
    </div>
  )
}
