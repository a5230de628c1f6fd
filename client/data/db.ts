import { Dexie, type Table as DexieTable, liveQuery } from 'dexie'
import type { FeedItem } from '../../contract/community.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import type { CatalogueStore, DetailRow, KeptRow, ListRow, SiteRow, Table, Tables, VisitRow } from './store.ts'

export const SCHEMA_VERSION = 2

/** The page's database. A schema change is a new `version`, with an upgrade where rows must move. */
export class CatalogueDb extends Dexie {
  declare songs: DexieTable<Song, string>
  declare playlists: DexieTable<Playlist, string>
  declare lists: DexieTable<ListRow, string>
  declare details: DexieTable<DetailRow, string>
  declare visits: DexieTable<VisitRow, string>
  declare feed: DexieTable<FeedItem, string>
  declare site: DexieTable<SiteRow, string>
  declare kept: DexieTable<KeptRow, string>

  constructor(name = 'varispeed') {
    super(name)
    this.version(1).stores({ songs: 'youtube_id', playlists: 'id', lists: 'key', details: 'key', visits: 'key, fetchedAtMs' })
    this.version(SCHEMA_VERSION)
      .stores({ visits: 'key', feed: 'id', site: 'key', kept: 'id' })
      .upgrade((transaction) =>
        transaction
          .table<VisitRow, string>('visits')
          .toCollection()
          .modify((row) => {
            row.usedAtMs = row.fetchedAtMs
          }),
      )
  }
}

export function createDexieStore(db: CatalogueDb): CatalogueStore {
  const byKey = (row: { key: string }) => row.key
  const byId = (row: { id: string }) => row.id
  const tables: Tables = {
    songs: wrap(db.songs, (row) => row.youtube_id),
    playlists: wrap(db.playlists, byId),
    lists: wrap(db.lists, byKey),
    details: wrap(db.details, byKey),
    visits: wrap(db.visits, byKey),
    feed: wrap(db.feed, byId),
    site: wrap(db.site, byKey),
    kept: wrap(db.kept, byId),
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
    page: (afterKey, limit) => table.where(':id').above(afterKey).limit(limit).toArray(),
    keys: () => table.toCollection().primaryKeys(),
    count: () => table.count(),
    async put(rows) {
      if (rows.length > 0) await table.bulkPut(rows)
    },
    async remove(keys) {
      if (keys.length > 0) await table.bulkDelete([...keys])
    },
  }
}
