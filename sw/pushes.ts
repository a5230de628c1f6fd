const NEW_SONGS_PATH = '/latest'
/** Notifications with the same tag replace each other. */
const NOTIFICATION_TAG = 'new-songs'

/** Returns the text of the notification for the payload of a push, which is the number of new songs as JSON. */
export function notificationText(payload: string | undefined): string {
  let songs: unknown
  try {
    songs = Reflect.get(Object(JSON.parse(payload ?? '')), 'songs')
  } catch {
    // A push without a readable payload is shown as well, because browsers require a notification for each push.
  }
  if (typeof songs !== 'number' || !Number.isSafeInteger(songs) || songs < 1) return 'New songs of artists you follow'
  return songs === 1 ? '1 new song of an artist you follow' : `${songs} new songs of artists you follow`
}

/** Shows a push as a notification. */
export const showPush = (registration: ServiceWorkerRegistration, payload: string | undefined): Promise<void> =>
  registration.showNotification(notificationText(payload), { tag: NOTIFICATION_TAG, icon: '/apple-touch-icon.png' })

/** The windows of the site, as the worker sees them (`Clients`). */
interface SiteWindows {
  matchAll(options: { type: 'window' }): Promise<readonly { focus(): Promise<{ navigate(url: string): Promise<unknown> }> }[]>
  openWindow(url: string): Promise<unknown>
}

/** Opens the page with the new songs: in an open window of the site if there is one. */
export async function openNewSongs(clients: SiteWindows, origin: string): Promise<void> {
  const [window] = await clients.matchAll({ type: 'window' })
  const address = origin + NEW_SONGS_PATH
  if (window === undefined) await clients.openWindow(address)
  else await (await window.focus()).navigate(address).catch(() => clients.openWindow(address))
}
