import { useState } from 'react'
import { useSiteUpdate } from '../../hooks/update.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './update-prompt.module.css'

// The message is an on-demand chunk, because most visits need none.
const UpdateMessage = lazyWithRetry(() => import('./update-message.tsx').then((module) => module.UpdateMessage))

/**
 * Offers to start a new version of the site. While a song plays, an export runs or a form is filled in, an accepted version is started only
 * afterwards.
 */
export function UpdatePrompt() {
  const isUpdateReady = useSiteUpdate().state !== 'none'
  const [isUpdateDeferred, setIsDeferred] = useState(false)
  return (
    // The live region is rendered before its text, so that screen readers announce the text.
    <div role="status" className={styles.region}>
      {isUpdateReady && !isUpdateDeferred && <UpdateMessage onDefer={() => setIsDeferred(true)} />}
    </div>
  )
}
