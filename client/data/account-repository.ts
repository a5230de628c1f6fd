import type { AccountInfo } from '../../contract/account.ts'
import type { AccountApi } from '../platform/api.ts'
import { createResource, createResourcePool, type Resource } from './resource.ts'
import type { CatalogueStore } from './store.ts'

/** What this device knows of the accounts that are signed in on it. */
export interface Accounts {
  info(uid: string): Resource<AccountInfo>
  /** Removes what the site has told of an account. What it was not told yet stays, for the next time that the person signs in. */
  forget(uid: string): Promise<void>
}

interface AccountsDeps {
  api: AccountApi
  store: CatalogueStore
  /** Whose name calls are made in now. */
  signedIn: () => string | undefined
}

export function createAccounts({ api, store, signedIn }: AccountsDeps): Accounts {
  const pool = createResourcePool()
  return {
    info: (uid) =>
      pool.get(uid, () =>
        createResource<AccountInfo>({
          key: `account:${uid}`,
          store,
          read: async (tables) => (await tables.accounts.get(uid))?.info,
          async ask() {
            const info = await api.call('GET /account/getinfo', {})
            // Somebody else has signed in meanwhile.
            if (signedIn() !== uid) throw new TypeError(uid)
            return { rows: info, write: (tables) => tables.accounts.put([{ uid, info, confirmedAtMs: Date.now() }]) }
          },
        }),
      ),
    forget: (uid) =>
      store.change(async (tables) => {
        await tables.accounts.remove([uid])
        await tables.makeHistories.remove([uid])
        await tables.favorites.remove([uid])
      }),
  }
}
