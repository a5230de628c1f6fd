import { Dexie, type Table as DexieTable, liveQuery } from 'dexie'
import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import { createFallbackStore, createMemoryStore } from './memory-store.ts'
import type { CatalogueStore, DetailRow, ListRow, Table, Tables, VisitRow } from './store.ts'

/** The page's database. A schema change is a new `version`, with an upgrade where rows must move. */
export class CatalogueDb extends Dexie {
  declare songs: DexieTable<Song, string>
  declare playlists: DexieTable<Playlist, string>
  declare lists: DexieTable<ListRow, string>
  declare details: DexieTable<DetailRow, string>
  declare visits: DexieTable<VisitRow, string>

  constructor(name = 'varispeed') {
    super(name)
    this.version(1).stores({ songs: 'youtube_id', playlists: 'id', lists: 'key', details: 'key', visits: 'key, fetchedAtMs' })
  }
}

// Some browsers neither open nor refuse a database in private windows.
const OPEN_TIMEOUT_MS = 3_000

/** Opens the database; where the browser refuses one, or later refuses to write, rows are kept in memory instead. */
export async function openStore(name?: string): Promise<CatalogueStore> {
  try {
    const db = new CatalogueDb(name)
    await Promise.race([
      db.open(),
      new Promise((_, reject) => setTimeout(() => reject(new Error('The database did not open in time.')), OPEN_TIMEOUT_MS)),
    ])
    return createFallbackStore(createDexieStore(db))
  } catch {
    return createMemoryStore()
  }
}

export function createDexieStore(db: CatalogueDb): CatalogueStore {
  const tables: Tables = {
    songs: wrap(db.songs, (row) => row.youtube_id),
    playlists: wrap(db.playlists, (row) => row.id),
    lists: wrap(db.lists, (row) => row.key),
    details: wrap(db.details, (row) => row.key),
    visits: wrap(db.visits, (row) => row.key),
  }
  // Dexie follows native promises only out of functions that are themselves declared `async`.
  return {
    watch(read, observer) {
      const subscription = liveQuery(async () => read(tables)).subscribe(
        (value) => observer.next(value),
        (error: unknown) => observer.error(error),
      )
      return () => subscription.unsubscribe()
    },
    change: (work) => db.transaction('rw', db.tables, async () => work(tables)),
  }
}

// One request for a whole table is far quicker than one for each of many keys, unless the table is much larger.
const MANY_KEYS = 300
const WORTH_FACTOR = 5

function wrap<T>(table: DexieTable<T, string>, keyOf: (row: T) => string): Table<T> {
  return {
    get: (key) => table.get(key),
    async getMany(keys) {
      if (keys.length < MANY_KEYS || (await table.count()) > keys.length * WORTH_FACTOR) return table.bulkGet([...keys])
      const rows = new Map((await table.toArray()).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    all: () => table.toArray(),
    async put(rows) {
      if (rows.length > 0) await table.bulkPut(rows)
    },
    async remove(keys) {
      if (keys.length > 0) await table.bulkDelete([...keys])
    },
  }
}
