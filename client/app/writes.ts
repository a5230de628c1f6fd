import type { Writes } from '../bindings/services.tsx'
import { createFavoriteSync } from '../data/favorite-sync.ts'
import { createFavorites } from '../data/favorites.ts'
import { createLive } from '../data/live.ts'
import { addToHistory, createMakeHistory } from '../data/make-history.ts'
import { createOutbox } from '../data/outbox.ts'
import { type CatalogueStore, NOBODY } from '../data/store.ts'
import type { AccountApi, Api } from '../platform/api.ts'
import { askToBeWoken, onWoken } from '../platform/background-sync.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import { uniqueId } from '../platform/unique-id.ts'

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
  onWoken(() => void outbox.sync())
  const waiting = createLive(store, async (tables) => (await tables.outbox.all()).filter(({ state }) => state === 'waiting'))
  let asked = false
  waiting.subscribe(() => {
    // What goes at once needs no help.
    const stuck = (waiting.getSnapshot() ?? []).some(({ attempts }) => attempts > 0 || connection.offline)
    if (stuck && !asked) askToBeWoken()
    asked = stuck
  })
  return {
    outbox,
    makeHistory: createMakeHistory({ api: accountApi, store, outbox, signedIn }),
    favorites: createFavorites({ store, send: () => void outbox.drain() }),
    keepPlay(play) {
      const id = uniqueId()
      const body = { ...play, change_id: id, played_at: new Date().toISOString() }
      return outbox.add({ id, uid: NOBODY, call: 'POST /song/play', body })
    },
  }
}
