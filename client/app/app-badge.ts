import type { FollowedSongs } from '../data/followed-songs.ts'
import { ANONYMOUS_UID } from '../data/local-database.ts'
import type { Resource } from '../data/resource.ts'
import type { Identity } from '../platform/identity.ts'

interface AppBadgeDeps {
  identity: Pick<Identity, 'getSnapshot' | 'subscribe'>
  followedSongs: (uid: string) => Resource<FollowedSongs>
}

/** Requests the songs of the followed artists, and shows the number of those that are unseen as the badge of the installed app. */
export function startAppBadge({ identity, followedSongs }: AppBadgeDeps): void {
  if (!('setAppBadge' in navigator)) return
  let shownUid: string | undefined
  let stop = () => {}
  const watch = () => {
    const uid = identity.getSnapshot()?.uid ?? ANONYMOUS_UID
    if (uid === shownUid) return
    shownUid = uid
    stop()
    const songs = followedSongs(uid)
    const showCount = () => {
      const { data } = songs.getSnapshot()
      // A browser tab has no badge, and the call is rejected or without effect.
      if (data) navigator.setAppBadge(data.unseenCount).catch(() => {})
    }
    stop = songs.subscribe(showCount)
    showCount()
    void songs.refresh()
  }
  identity.subscribe(watch)
  watch()
}
