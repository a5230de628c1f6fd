import { useEffect, useState } from 'react'
import { LOGIN_PAGE_PATH } from '../../../contract/login-page-path.ts'
import { useDatabaseHealth, useOffline, useServerUnreachable } from '../../hooks/offline.ts'
import { useServices } from '../../hooks/services.tsx'
import { useSiteUpdate } from '../../hooks/update.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './offline-strip.module.css'

/** The messages about a database that does not persist data, by its health. */
const healthTexts = {
  refused: "This browser doesn't let the site store anything, so pages only work online.",
  restarted: 'The data stored here was damaged and has been reset. Playlists kept offline need to be kept again.',
  full: "This device is full: what you open now won't be stored.",
  blocked: 'Another tab has an older version of this site open. Close it, so that pages can be stored again.',
  outdated: "A newer version of this site has run here: what you open in this one won't be stored.",
} as const

const DEVICE_OFFLINE = 'You are offline. Pages you have opened before still work; songs need a connection to start.'
const OFFLINE_WITHOUT_STORAGE = "You are offline, and this browser doesn't let the site store anything."
/** The message if the server is unreachable although the device has a network, so that people do not suspect their own device. */
const SERVER_UNREACHABLE = 'The site cannot be reached. You can browse what is on this device.'
const LOGIN_PAGE_MESSAGE = 'A login page answers in place of the site. Reload to log in.'

/** The statuses with which proxies and captive portals ask for a login. The site's own API answers with an envelope, so it is reachable. */
const LOGIN_STATUSES = [401, 403, 407, 511]

/** Returns whether a response of the API's address comes from a login page, to which a proxy or captive portal may also redirect. */
const isLoginPageResponse = ({ type, status, ok, headers }: Response): boolean =>
  type === 'opaqueredirect' || LOGIN_STATUSES.includes(status) || (ok && headers.get('content-type')?.startsWith('text/html') === true)

/**
 * Returns whether a login page of a proxy or captive portal answers in place of the site; false until this is known. It is checked
 * only while the site is unreachable.
 */
function useHasLoginPage(isServerUnreachable: boolean): boolean {
  const { site } = useServices()
  const [hasLoginPage, setHasLoginPage] = useState(false)
  useEffect(() => {
    if (!isServerUnreachable) return
    const probeController = new AbortController()
    // A redirect is not followed: a login page of another host has no CORS headers, so it would look like a lost connection.
    fetch(`${site.api_base_url}/site`, { redirect: 'manual', cache: 'no-store', signal: probeController.signal }).then(
      (response) => setHasLoginPage(isLoginPageResponse(response)),
      () => {
        // The error is ignored: the network was lost, or this message no longer needs the response.
      },
    )
    return () => {
      probeController.abort()
      setHasLoginPage(false)
    }
  }, [isServerUnreachable, site])
  return hasLoginPage
}

/** The content of the offline strip: why the page is limited, and what the person can do about that. */
export function OfflineMessage() {
  const isOffline = useOffline()
  const isServerUnreachable = useServerUnreachable()
  const hasLoginPage = useHasLoginPage(isServerUnreachable)
  const databaseHealth = useDatabaseHealth()
  const siteUpdate = useSiteUpdate()
  const offlineText = databaseHealth === 'refused' ? OFFLINE_WITHOUT_STORAGE : DEVICE_OFFLINE
  const unreachableText = hasLoginPage ? LOGIN_PAGE_MESSAGE : SERVER_UNREACHABLE
  return (
    <p className={styles.strip}>
      <Icon name={isOffline ? 'offline' : 'info'} size="s" className={styles.icon} />
      <span>
        {isServerUnreachable ? unreachableText : isOffline ? offlineText : databaseHealth !== 'persistent' && healthTexts[databaseHealth]}
      </span>
      {/* The service worker leaves the page's URL to the browser, which shows the login page or asks for the password. */}
      {isServerUnreachable && (
        <button
          type="button"
          className={styles.action}
          onClick={() => (hasLoginPage ? location.assign(LOGIN_PAGE_PATH) : location.reload())}
        >
          Reload
        </button>
      )}
      {!isOffline && databaseHealth === 'full' && (
        <a className={styles.action} href="/storage">
          Free space
        </a>
      )}
      {/* The Update button is omitted if an update is ready to install, because the update notice offers it. */}
      {!isOffline && databaseHealth === 'outdated' && siteUpdate.state === 'none' && (
        <button type="button" className={styles.action} onClick={siteUpdate.accept}>
          Update
        </button>
      )}
    </p>
  )
}
