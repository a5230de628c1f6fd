import type { FollowedSongs } from '../data/followed-songs.ts'
import { isDeviceOwner } from '../data/forget-account.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import type { Resource } from '../data/resource.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import type { Identity } from '../platform/identity.ts'
import { endPushSubscription, onPush, resumePushes } from '../platform/web-push.ts'
import { pageScope } from '../primitives/scope.ts'

interface AppBadgeDeps {
  api: Pick<Api, 'call'>
  accountApi: AccountApi
  identity: Pick<Identity, 'getSnapshot' | 'subscribe'>
  followedSongs: (uid: string) => Pick<Resource<FollowedSongs>, 'getSnapshot' | 'subscribe' | 'refresh'>
}

/**
 * Requests the songs of the followed artists at the start, after a push and when the page becomes visible, and shows the number of those that are unseen
 * as the badge of the installed app. Sends the push subscription of this browser to the site again, and ends it when its account signs out.
 */
export function startAppBadge({ api, accountApi, identity, followedSongs }: AppBadgeDeps): void {
  let shownUid: string | undefined
  let stopWatching = () => {}
  const getUid = () => identity.getSnapshot()?.uid ?? ANONYMOUS_UID
  const watchUnseenCount = () => {
    const uid = getUid()
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
  pageScope.listen(document, 'visibilitychange', () => {
    if (!document.hidden && 'setAppBadge' in navigator) void followedSongs(getUid()).refresh()
  })
  onPush(() => void followedSongs(getUid()).refresh({ force: true }))
  const startUid = getUid()
  // The subscription of an account whose sign-out was interrupted must not be sent for this account.
  if (startUid !== ANONYMOUS_UID && isDeviceOwner(startUid)) {
    // Without a network, the subscription is sent at the next start.
    resumePushes(accountApi, async () => (await api.call('GET /follow/push_key', {})).key).catch(() => {})
  }
}
