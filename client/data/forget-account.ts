import { DEVICE_OWNER_KEY, localStore } from '../platform/web-storage.ts'
import type { LocalDatabase } from './local-database.ts'
import { removeHistory, storeRecentSongCount } from './recent-plays.ts'

/**
 * Returns the uid of the account to which the data of the whole device belongs, such as the recently played songs; `ANONYMOUS_UID` if it belongs to a
 * person who is not signed in, `undefined` if no owner was stored.
 */
export const readDeviceOwner = (): string | undefined => localStore.read(DEVICE_OWNER_KEY) ?? undefined

export const storeDeviceOwner = (uid: string): void => void localStore.write(DEVICE_OWNER_KEY, uid)

/** Whether the data of the whole device may be removed with the account `uid`: it belongs to this account, or no owner was stored. */
export const isDeviceOwner = (uid: string): boolean => [uid, undefined].includes(readDeviceOwner())

/**
 * Removes the fetched rows of an account, and the record of played songs if the device still belongs to the account, so that the next person cannot see
 * them. The account's outbox stays and is sent after the next login.
 */
export async function forgetAccount(database: LocalDatabase, uid: string): Promise<void> {
  let isHistoryRemoved = false
  await database.change(async (tables) => {
    const { accounts, makeHistories, favorites, ownPlaylists, ownPlaylistCursors, follows, followedSongs } = tables
    for (const table of [accounts, makeHistories, favorites, ownPlaylistCursors, follows, followedSongs]) await table.remove([uid])
    const playlists = (await ownPlaylists.all()).filter((row) => row.uid === uid)
    await ownPlaylists.remove(playlists.map(({ id }) => id))
    // The owner is read in the transaction, because the browser may have suspended this page before it, while another account signed in.
    isHistoryRemoved = isDeviceOwner(uid)
    if (isHistoryRemoved) await removeHistory(tables)
  })
  if (isHistoryRemoved) storeRecentSongCount(0)
}
