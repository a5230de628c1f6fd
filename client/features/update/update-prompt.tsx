import { useState } from 'react'
import { useSiteUpdate } from '../../hooks/update.ts'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './update-prompt.module.css'

// The message is an on-demand chunk, because most visits need none.
const UpdateMessage = lazyWithRetry(() => import('./update-message.tsx').then((module) => module.UpdateMessage))

/** Offers a new version. Accepting never interrupts a song, an export or a form. */
export function UpdatePrompt() {
  const isReady = useSiteUpdate().state !== 'none'
  const [isDeferred, setIsDeferred] = useState(false)
  return (
    // The live region is rendered before its text, so that screen readers announce the text.
    <div role="status" className={styles.region}>
      {isReady && !isDeferred && <UpdateMessage onDefer={() => setIsDeferred(true)} />}
    </div>
  )
}
