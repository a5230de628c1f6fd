import { useDatabaseHealth, useOffline, useServerUnreachable } from '../../hooks/offline.ts'
import { useUpdate } from '../../hooks/update.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './offline-strip.module.css'

/** The messages about a database that does not persist data, by its health. */
const healthTexts = {
  refused: 'This browser keeps nothing for this site: pages work online only.',
  restarted: 'What was kept here could not be read, so it starts anew. Playlists that you kept must be kept again.',
  full: 'This device is full: what you open now is gone with this page.',
  blocked: 'Another tab of this site is of an older version: close it, so that pages are kept here again.',
  outdated: 'A newer version of this site has been here: what this one opens is gone with this page.',
} as const

const DEVICE_OFFLINE = 'You are offline. What you have opened before is here; songs need a connection to start.'
const OFFLINE_WITHOUT_STORAGE = 'You are offline, and this browser keeps nothing for this site.'
/** The message if the server is unreachable although the device has a network, so that people do not suspect their own device. */
const SERVER_UNREACHABLE = 'The site cannot be reached. You can browse what is on this device.'

/** The content of the strip: why the page is limited, and what can be done about it. */
export function OfflineMessage() {
  const isOffline = useOffline()
  const isServerUnreachable = useServerUnreachable()
  const health = useDatabaseHealth()
  const update = useUpdate()
  const offlineText = health === 'refused' ? OFFLINE_WITHOUT_STORAGE : DEVICE_OFFLINE
  return (
    <p className={styles.strip}>
      <Icon name={isOffline ? 'offline' : 'info'} size="s" className={styles.icon} />
      <span>{isServerUnreachable ? SERVER_UNREACHABLE : isOffline ? offlineText : health !== 'persistent' && healthTexts[health]}</span>
      {!isOffline && health === 'full' && (
        <a className={styles.action} href="/storage">
          Free space
        </a>
      )}
      {/* The Update button is omitted if an update is ready to install, because the update notice offers it. */}
      {!isOffline && health === 'outdated' && update.state === 'none' && (
        <button type="button" className={styles.action} onClick={update.accept}>
          Update
        </button>
      )}
    </p>
  )
}
