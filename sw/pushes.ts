const NEW_SONGS_PATH = '/latest'
/** Notifications with the same tag replace each other. */
const NOTIFICATION_TAG = 'new-songs'

/** Returns the text of the notification for the payload of a push, which is the number of new songs as JSON. */
export function formatNotification(payloadText: string | undefined): string {
  let songCount: unknown
  try {
    songCount = Reflect.get(Object(JSON.parse(payloadText ?? '')), 'songs')
  } catch {
    // A push without a readable payload is shown as well, because browsers require a notification for each push.
  }
  if (typeof songCount !== 'number' || !Number.isSafeInteger(songCount) || songCount < 1) return 'New songs of artists you follow'
  return songCount === 1 ? '1 new song of an artist you follow' : `${songCount} new songs of artists you follow`
}

/** Shows a push as a notification. */
export const showPushNotification = (registration: ServiceWorkerRegistration, payload: string | undefined): Promise<void> =>
  registration.showNotification(formatNotification(payload), { tag: NOTIFICATION_TAG, icon: '/apple-touch-icon.png' })

/** The windows of the site, as the worker sees them (`Clients`). */
interface SiteWindows {
  matchAll(options: { type: 'window' }): Promise<readonly { focus(): Promise<{ navigate(url: string): Promise<unknown> }> }[]>
  openWindow(url: string): Promise<unknown>
}

/** Opens the page with the new songs: in an open window of the site if there is one. */
export async function openNewSongs(clients: SiteWindows, siteOrigin: string): Promise<void> {
  const [firstWindow] = await clients.matchAll({ type: 'window' })
  const address = siteOrigin + NEW_SONGS_PATH
  if (firstWindow === undefined) await clients.openWindow(address)
  else await (await firstWindow.focus()).navigate(address).catch(() => clients.openWindow(address))
}
