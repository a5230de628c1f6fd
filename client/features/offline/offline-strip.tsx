import { useLayoutEffect } from 'react'
import { useOffline, useSilent, useStoreHealth } from '../../bindings/offline.ts'
import { useUpdate } from '../../bindings/update.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './offline-strip.module.css'

/** What a person must know about this device, where it is not as it should be. */
const healthTexts = {
  refused: 'This browser keeps nothing for this site: pages work online only.',
  restarted: 'What was kept here could not be read, so it starts anew. Playlists that you kept must be kept again.',
  full: 'This device is full: what you open now is gone with this page.',
  blocked: 'Another tab of this site is of an older version: close it, so that pages are kept here again.',
  outdated: 'A newer version of this site has been here: what this one opens is gone with this page.',
} as const

const OFFLINE = 'You are offline. What you have opened before is here; songs need a connection to start.'
const NOTHING_KEPT = 'You are offline, and this browser keeps nothing for this site.'
/** The device has a network: to call it offline would send a person looking for the fault in the wrong place. */
const NO_ANSWER = 'The site cannot be reached. You can browse what is on this device.'

/** A quiet line at the page's lower edge while the site cannot be reached, or nothing can be kept. It moves nothing. */
export function OfflineStrip() {
  const offline = useOffline()
  const silent = useSilent()
  const health = useStoreHealth()
  const update = useUpdate()
  const away = health === 'refused' ? NOTHING_KEPT : OFFLINE
  const shown = offline || health !== 'kept'

  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-strip', shown)
    return () => document.documentElement.removeAttribute('data-strip')
  }, [shown])

  return (
    // Stands there from the start, so that what appears in it is read out.
    <div role="status" className={styles.region}>
      {shown && (
        <p className={styles.strip}>
          <Icon name={offline ? 'offline' : 'info'} size="s" className={styles.icon} />
          <span>{silent ? NO_ANSWER : offline ? away : health !== 'kept' && healthTexts[health]}</span>
          {!offline && health === 'full' && (
            <a className={styles.action} href="/storage">
              Free space
            </a>
          )}
          {/* Where the new version itself is at hand, its own notice asks. */}
          {!offline && health === 'outdated' && update.state === 'none' && (
            <button type="button" className={styles.action} onClick={update.accept}>
              Update
            </button>
          )}
        </p>
      )}
    </div>
  )
}
