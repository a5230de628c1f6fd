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
  }
}

export type AccountRepository = ReturnType<typeof createAccountRepository>
