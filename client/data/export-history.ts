import type { ConversionHistoryRow, ExportedFileRecord } from '../../contract/conversion.ts'
import type { AccountApi } from '../platform/api.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import type { LocalDatabase, Tables } from './local-database.ts'
import type { Outbox } from './outbox.ts'
import { createResource, createResourcePool } from './resource.ts'

export type ExportedFile = Pick<ExportedFileRecord, 'file_name' | 'file_size' | 'speed' | 'pitch'>

interface ExportHistoryDeps {
  api: AccountApi
  database: LocalDatabase
  outbox: Pick<Outbox, 'add'>
  getSignedInUid: () => string | undefined
}

/** The maximum length of a file name that the API accepts, in characters. */
const FILE_NAME_MAX_LENGTH = 255

/** The files that accounts have exported in the maker. */
export function createExportHistory({ api, database, outbox, getSignedInUid }: ExportHistoryDeps) {
  const pool = createResourcePool()
  return {
    /** The exported files of an account that the server has recorded, newest first. */
    rows: (uid: string) =>
      pool.get(uid, () =>
        createResource<ConversionHistoryRow[]>({
          key: `make-history:${uid}`,
          database,
          read: async (tables) => (await tables.makeHistories.get(uid))?.rows,
          async request() {
            const historyRows = await api.call('GET /make/history', {})
            // A response is not stored if another account has signed in during the request.
            if (getSignedInUid() !== uid) throw new TypeError(`Account ${uid} is no longer signed in.`)
            return { rows: historyRows, write: (tables) => tables.makeHistories.put([{ uid, rows: historyRows }]) }
          },
        }),
      ),
    /** Stores the record of an exported file in the outbox. Resolves once the record is stored. */
    async record(uid: string, { file_name, file_size, speed, pitch }: ExportedFile) {
      const id = createUniqueId()
      const file = { file_name: file_name.slice(0, FILE_NAME_MAX_LENGTH), file_size, speed, pitch }
      const body = { ...file, change_id: id, exported_at: new Date().toISOString() }
      await outbox.add({ id, uid, call: 'POST /make/history', body })
    },
  }
}

export type ExportHistory = ReturnType<typeof createExportHistory>

/** Adds a recorded file to the stored history of an account, if the history is stored. */
export async function addToHistory(tables: Tables, uid: string, row: ConversionHistoryRow): Promise<void> {
  const storedHistory = await tables.makeHistories.get(uid)
  if (!storedHistory) return
  const rows = [row, ...storedHistory.rows.filter(({ id }) => id !== row.id)].sort((a, b) => (a.created < b.created ? 1 : -1))
  await tables.makeHistories.put([{ uid, rows }])
}
