import type { MadeFile, MakeHistoryRow } from '../../contract/make.ts'
import type { AccountApi } from '../platform/api.ts'
import { uniqueId } from '../platform/unique-id.ts'
import type { Outbox } from './outbox.ts'
import { createResource, createResourcePool, type Resource } from './resource.ts'
import type { CatalogueStore, Tables } from './store.ts'

export type ExportedFile = Pick<MadeFile, 'file_name' | 'file_size' | 'speed' | 'pitch'>

/** What people made, as this device knows it. */
export interface MakeHistory {
  /** What the site has recorded, newest first. */
  rows(uid: string): Resource<MakeHistoryRow[]>
  /** Resolves once it is on this device; the site is told as soon as it can be reached. */
  record(uid: string, file: ExportedFile): Promise<void>
}

interface MakeHistoryDeps {
  api: AccountApi
  store: CatalogueStore
  outbox: Pick<Outbox, 'add'>
  /** Whose name calls are made in now. */
  signedIn: () => string | undefined
}

/** The longest name that the site takes. */
const NAME_MAX = 255

export function createMakeHistory({ api, store, outbox, signedIn }: MakeHistoryDeps): MakeHistory {
  const pool = createResourcePool()
  return {
    rows: (uid) =>
      pool.get(uid, () =>
        createResource<MakeHistoryRow[]>({
          key: `make-history:${uid}`,
          store,
          read: async (tables) => (await tables.makeHistories.get(uid))?.rows,
          async ask() {
            const rows = await api.call('GET /make/history', {})
            // Somebody else has signed in meanwhile.
            if (signedIn() !== uid) throw new TypeError(uid)
            return { rows, write: (tables) => tables.makeHistories.put([{ uid, rows }]) }
          },
        }),
      ),
    async record(uid, { file_name, file_size, speed, pitch }) {
      const id = uniqueId()
      const file = { file_name: file_name.slice(0, NAME_MAX), file_size, speed, pitch }
      const body = { ...file, change_id: id, exported_at: new Date().toISOString() }
      await outbox.add({ id, uid, call: 'POST /make/history', body })
    },
  }
}

/** What the site has recorded stands in the list that this device knows, where it knows one. */
export async function addToHistory(tables: Tables, uid: string, row: MakeHistoryRow): Promise<void> {
  const known = await tables.makeHistories.get(uid)
  if (!known) return
  const rows = [row, ...known.rows.filter(({ id }) => id !== row.id)].sort((a, b) => (a.created < b.created ? 1 : -1))
  await tables.makeHistories.put([{ uid, rows }])
}
