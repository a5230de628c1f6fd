import type { AccountInfo } from '../../contract/account.ts'
import type { AccountApi } from '../platform/api.ts'
import type { LocalDatabase } from './local-database.ts'
import { createResource, createResourcePool } from './resource.ts'

interface AccountsDeps {
  api: AccountApi
  database: LocalDatabase
  getSignedInUid: () => string | undefined
}

/** The data of the accounts that have signed in on this device, stored in the local database. */
export function createAccountRepository({ api, database, getSignedInUid }: AccountsDeps) {
  const pool = createResourcePool()
  return {
    info: (uid: string) =>
      pool.get(uid, () =>
        createResource<AccountInfo>({
          key: `account:${uid}`,
          database,
          read: async (tables) => (await tables.accounts.get(uid))?.info,
          async request() {
            const accountInfo = await api.call('GET /account/getinfo', {})
            // A response is not stored if another account has signed in during the request.
            if (getSignedInUid() !== uid) throw new TypeError(`Account ${uid} is no longer signed in.`)
            return { rows: accountInfo, write: (tables) => tables.accounts.put([{ uid, info: accountInfo, confirmedAtMs: Date.now() }]) }
          },
        }),
      ),
    /**
     * Removes the fetched rows of an account, and the record of recently played songs, so that the next person cannot see them. The account's outbox
     * stays and is sent after the next login.
     */
    forget: (uid: string) =>
      database.change(async (tables) => {
        const { accounts, makeHistories, favorites, ownPlaylists, ownPlaylistCursors, follows, followedSongs } = tables
        for (const table of [accounts, makeHistories, favorites, ownPlaylistCursors, follows, followedSongs]) await table.remove([uid])
        const playlists = (await ownPlaylists.all()).filter((row) => row.uid === uid)
        await ownPlaylists.remove(playlists.map(({ id }) => id))
        for (const table of [tables.recentPlays, tables.listening]) await table.remove(await table.keys())
      }),
  }
}

export type AccountRepository = ReturnType<typeof createAccountRepository>
