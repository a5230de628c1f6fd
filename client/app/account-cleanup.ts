import { forgetAccount, isDeviceOwner, readDeviceOwner, storeDeviceOwner } from '../data/forget-account.ts'
import { ANONYMOUS_UID, type LocalDatabase } from '../data/local-database.ts'
import type { OfflinePlaylists } from '../data/offline-playlists.ts'
import { readStoredAccount } from '../platform/identity.ts'
import { endPushSubscription } from '../platform/web-push.ts'
import { localStore, RECENT_SEARCHES_KEY } from '../platform/web-storage.ts'
import type { PagePlayer, Player } from '../player/player-interface.ts'
import { SESSION_KEY } from '../player/stored-session-check.ts'

const ignoreFailure = () => {}

export interface AccountCleanupDeps {
  database: LocalDatabase
  offlinePlaylists: Pick<OfflinePlaylists, 'unpinOwn'>
  player: Pick<PagePlayer, 'getSnapshot'>
  loadPlayer: () => Promise<Pick<Player, 'forgetSession'>>
  /** Ends the push subscription of the browser. Tests replace it. */
  endPushes?: () => Promise<void>
}

/**
 * Returns the uid of the account that is signed in on this device, `ANONYMOUS_UID` if there is none. Reads it from `localStore`, because a tab that the
 * browser had suspended does not know it yet.
 */
const readSignedInUid = (): string => readStoredAccount(localStore)?.uid ?? ANONYMOUS_UID

/**
 * Removes what accounts leave on this device. What is not stored by account (played songs, searches, the playback session, pinned own playlists and the
 * push subscription) belongs to one owner, whose uid is stored. It is removed with the owner's account only, so that a tab that was suspended while
 * another account signed in removes nothing of that account. Begins with the owner whose removal was interrupted, if any.
 */
export function createAccountCleanup({
  database,
  offlinePlaylists,
  player,
  loadPlayer,
  endPushes = endPushSubscription,
}: AccountCleanupDeps) {
  function removeStoredTexts(uid: string): void {
    if (isDeviceOwner(uid)) for (const key of [SESSION_KEY, RECENT_SEARCHES_KEY]) localStore.write(key, undefined)
  }

  function forgetSession(): void {
    // A player that has no song is not loaded, because it finds no stored session.
    if (player.getSnapshot().songId !== undefined) loadPlayer().then((loadedPlayer) => loadedPlayer.forgetSession(), ignoreFailure)
  }

  async function removeRows(uid: string): Promise<void> {
    await forgetAccount(database, uid)
    if (!isDeviceOwner(uid)) return
    await Promise.allSettled([endPushes(), offlinePlaylists.unpinOwn()])
    // The owner is changed last, so that the next start repeats an interrupted removal.
    storeDeviceOwner(readSignedInUid())
  }

  async function settleOwner(): Promise<void> {
    const ownerUid = readDeviceOwner()
    const signedInUid = readSignedInUid()
    if ((ownerUid ?? ANONYMOUS_UID) === signedInUid) return
    if (ownerUid === undefined || ownerUid === ANONYMOUS_UID) return storeDeviceOwner(signedInUid)
    removeStoredTexts(ownerUid)
    forgetSession()
    await removeRows(ownerUid)
  }

  let latestRun = settleOwner().catch(ignoreFailure)
  return {
    /**
     * Must be called after each login and sign-out, with the id of the account that was signed in before in this tab, if any. Never rejects: a removal
     * that fails is repeated at the next call or start.
     */
    leaveAccount(previousUid: string | undefined): Promise<void> {
      if (previousUid !== undefined) {
        removeStoredTexts(previousUid)
        forgetSession()
      }
      latestRun = latestRun
        .then(() => (previousUid === undefined ? undefined : removeRows(previousUid)))
        .then(settleOwner)
        .catch(ignoreFailure)
      return latestRun
    },
    forgetAccount: (uid: string) => forgetAccount(database, uid),
  }
}
