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
    songs: wrap(db.songs),
    playlists: wrap(db.playlists),
    lists: wrap(db.lists),
    details: wrap(db.details),
    visits: wrap(db.visits),
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

function wrap<T>(table: DexieTable<T, string>): Table<T> {
  return {
    get: (key) => table.get(key),
    getMany: (keys) => table.bulkGet([...keys]),
    all: () => table.toArray(),
    async put(rows) {
      if (rows.length > 0) await table.bulkPut(rows)
    },
    async remove(keys) {
      if (keys.length > 0) await table.bulkDelete([...keys])
    },
  }
}
