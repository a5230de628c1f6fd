import type { Writes } from '../bindings/services.tsx'
import { createFavoriteSync } from '../data/favorite-sync.ts'
import { createFavorites } from '../data/favorites.ts'
import { addToHistory, createMakeHistory } from '../data/make-history.ts'
import { createOutbox } from '../data/outbox.ts'
import type { CatalogueStore } from '../data/store.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'

interface WritesDeps {
  api: Api
  accountApi: AccountApi
  identity: Identity
  connection: Connection
  store: CatalogueStore
}

export function createWrites({ api, accountApi, identity, connection, store }: WritesDeps): Writes {
  const signedIn = () => identity.getSnapshot()?.uid
  const outbox = createOutbox({
    ...{ store, api, identity, connection },
    favorites: createFavoriteSync({ store, signedIn }),
    async applied(tables, { uid }, data) {
      if (data) await addToHistory(tables, uid, data)
    },
  })
  return {
    outbox,
    makeHistory: createMakeHistory({ api: accountApi, store, outbox, signedIn }),
    favorites: createFavorites({ store, send: () => void outbox.drain() }),
  }
}
