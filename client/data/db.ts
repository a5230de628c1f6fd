import { Dexie, type Table as DexieTable, liveQuery } from 'dexie'
import type { FeedItem } from '../../contract/community.ts'
import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import { isSound, mendKept } from './row-shapes.ts'
import type {
  AccountRow,
  CatalogueStore,
  DetailRow,
  FavoriteClockRow,
  FavoritesRow,
  KeptRow,
  ListRow,
  MakeHistoriesRow,
  OutboxRow,
  SiteRow,
  Table,
  Tables,
  VisitRow,
} from './store.ts'

export const DATABASE_NAME = 'varispeed'
export const SCHEMA_VERSION = 5

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
  declare accounts: DexieTable<AccountRow, string>
  declare makeHistories: DexieTable<MakeHistoriesRow, string>
  declare outbox: DexieTable<OutboxRow, string>
  declare favorites: DexieTable<FavoritesRow, string>
  declare favoriteClocks: DexieTable<FavoriteClockRow, string>

  constructor(name = DATABASE_NAME) {
    super(name)
    this.version(1).stores({ songs: 'youtube_id', playlists: 'id', lists: 'key', details: 'key', visits: 'key, fetchedAtMs' })
    this.version(2)
      .stores({ visits: 'key', feed: 'id', site: 'key', kept: 'id' })
      .upgrade((transaction) =>
        transaction
          .table<VisitRow, string>('visits')
          .toCollection()
          .modify((row) => {
            row.usedAtMs = row.fetchedAtMs
          }),
      )
    this.version(3).stores({ accounts: 'uid' })
    this.version(4).stores({ makeHistories: 'uid', outbox: 'id' })
    this.version(SCHEMA_VERSION).stores({ favorites: 'uid', favoriteClocks: 'uid' })
  }
}

/** `mends`: whether rows that cannot be shown are removed, or mended, when they are met. They are never given. */
export function createDexieStore(db: CatalogueDb, { mends = true } = {}): CatalogueStore {
  const byKey = (row: { key: string }) => row.key
  const byId = (row: { id: string }) => row.id
  const byUid = (row: { uid: string }) => row.uid
  const tables: Tables = {
    songs: wrap(db.songs, (row) => row.youtube_id, dropping(isSound.songs), mends),
    playlists: wrap(db.playlists, byId, dropping(isSound.playlists), mends),
    lists: wrap(db.lists, byKey, dropping(isSound.lists), mends),
    details: wrap(db.details, byKey, dropping(isSound.details), mends),
    visits: wrap(db.visits, byKey, dropping(isSound.visits), mends),
    feed: wrap(db.feed, byId, dropping(isSound.feed), mends),
    site: wrap(db.site, byKey, dropping(isSound.site), mends),
    kept: wrap(db.kept, byId, (row) => (isSound.kept(row) ? row : isKey(row.id) ? mendKept(row) : undefined), mends),
    accounts: wrap(db.accounts, byUid, dropping(isSound.accounts), mends),
    makeHistories: wrap(db.makeHistories, byUid, dropping(isSound.makeHistories), mends),
    outbox: wrap(db.outbox, byId, dropping(isSound.outbox), mends),
    favorites: wrap(db.favorites, byUid, dropping(isSound.favorites), mends),
    favoriteClocks: wrap(db.favoriteClocks, byUid, dropping(isSound.favoriteClocks), mends),
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

const isKey = (key: unknown): key is string => typeof key === 'string'

/** A row as it is, or mended; `undefined` where nothing can be made of it. */
type Mend<T> = (row: T) => T | undefined

const dropping =
  <T>(sound: (row: unknown) => boolean): Mend<T> =>
  (row) =>
    sound(row) ? row : undefined

// One request for a whole table is far quicker than one for each of many keys, unless the table is much larger.
const MANY_KEYS = 300
const WORTH_FACTOR = 5

function wrap<T>(table: DexieTable<T, string>, keyOf: (row: T) => string, mend: Mend<T>, writes: boolean): Table<T> {
  const broken = new Set<string>()

  function mended(row: T): T | undefined {
    const found = mend(row)
    if (found !== row && writes) {
      // Not within the read, which may not write.
      if (broken.size === 0) setTimeout(writeMended)
      broken.add(keyOf(row))
    }
    return found
  }
  const sound = (rows: readonly T[]): T[] => rows.map(mended).filter((row) => row !== undefined)

  /** So that they are not met again, and are not counted. */
  function writeMended() {
    const keys = [...broken]
    broken.clear()
    table.db
      .transaction('rw', table, async () => {
        const rows = (await table.bulkGet(keys)).filter((row) => row !== undefined)
        await table.bulkDelete(rows.filter((row) => mend(row) === undefined).map(keyOf))
        await table.bulkPut(rows.map(mend).filter((row) => row !== undefined))
      })
      .catch(() => {
        // A database that takes no changes: they go on to count as not there.
      })
  }

  return {
    async get(key) {
      const row = await table.get(key)
      return row && mended(row)
    },
    async getMany(keys) {
      if (keys.length < MANY_KEYS || (await table.count()) > keys.length * WORTH_FACTOR)
        return (await table.bulkGet([...keys])).map((row) => row && mended(row))
      const rows = new Map(sound(await table.toArray()).map((row) => [keyOf(row), row]))
      return keys.map((key) => rows.get(key))
    },
    all: async () => sound(await table.toArray()),
    async page(afterKey, limit) {
      const rows: T[] = []
      for (let after = afterKey; rows.length < limit; ) {
        const wanted = limit - rows.length
        const part = await table.where(':id').above(after).limit(wanted).toArray()
        rows.push(...sound(part))
        const last = part.at(-1)
        if (last === undefined || part.length < wanted) break
        after = keyOf(last)
      }
      return rows
    },
    keys: async () => (await table.toCollection().primaryKeys()).filter(isKey),
    count: () => table.count(),
    async put(rows) {
      if (rows.length > 0) await table.bulkPut(rows)
    },
    async remove(keys) {
      if (keys.length > 0) await table.bulkDelete([...keys])
    },
  }
}
