import type { FollowedSongs } from '../data/followed-songs.ts'
import { isDeviceOwner } from '../data/forget-account.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import type { Resource } from '../data/resource.ts'
import type { Identity } from '../platform/identity.ts'
import { endPushSubscription } from '../platform/web-push.ts'

interface AppBadgeDeps {
  identity: Pick<Identity, 'getSnapshot' | 'subscribe'>
  followedSongs: (uid: string) => Resource<FollowedSongs>
}

/**
 * Requests the songs of the followed artists, and shows the number of those that are unseen as the badge of the installed app. Ends the pushes of this
 * browser when its account signs out.
 */
export function startAppBadge({ identity, followedSongs }: AppBadgeDeps): void {
  let shownUid: string | undefined
  let stopWatching = () => {}
  const watchUnseenCount = () => {
    const uid = identity.getSnapshot()?.uid ?? ANONYMOUS_UID
    if (uid === shownUid) return
    // Pushes for an account must not reach the next account that signs in on this device.
    if (shownUid !== undefined && shownUid !== ANONYMOUS_UID && isDeviceOwner(shownUid)) void endPushSubscription().catch(() => {})
    shownUid = uid
    stopWatching()
    if (!('setAppBadge' in navigator)) return
    const songsResource = followedSongs(uid)
    const showUnseenCount = () => {
      const { data } = songsResource.getSnapshot()
      // A browser tab has no badge, and the call is rejected or without effect.
      if (data) navigator.setAppBadge(data.unseenCount).catch(() => {})
    }
    stopWatching = songsResource.subscribe(showUnseenCount)
    showUnseenCount()
    void songsResource.refresh()
  }
  identity.subscribe(watchUnseenCount)
  watchUnseenCount()
}
