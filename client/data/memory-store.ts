import type { CatalogueStore, Observer, Table, Tables } from './store.ts'

/** A store that lasts as long as the page. Reads go through to `base` for what was not written here. */
export function createMemoryStore(base?: CatalogueStore): CatalogueStore {
  const watchers = new Set<() => void>()
  const over = <T>(keyOf: (row: T) => string, pick: (under: Tables) => Table<T>) => memoryTable<T>(keyOf, base, pick)
  const byKey = (row: { key: string }) => row.key
  const byId = (row: { id: string }) => row.id
  const byUid = (row: { uid: string }) => row.uid
  const tables: Tables = {
    songs: over(
      (row) => row.youtube_id,
      (under) => under.songs,
    ),
    playlists: over(byId, (under) => under.playlists),
    lists: over(byKey, (under) => under.lists),
    details: over(byKey, (under) => under.details),
    visits: over(byKey, (under) => under.visits),
    feed: over(byId, (under) => under.feed),
    site: over(byKey, (under) => under.site),
    kept: over(byId, (under) => under.kept),
    accounts: over(byUid, (under) => under.accounts),
    makeHistories: over(byUid, (under) => under.makeHistories),
    outbox: over(byId, (under) => under.outbox),
    favorites: over(byUid, (under) => under.favorites),
    favoriteClocks: over(byUid, (under) => under.favoriteClocks),
  }
  let queue: Promise<void> = Promise.resolve()

  return {
    watch(read, observer) {
      let run = 0
      const rerun = () => {
        const current = ++run
        read(tables).then(
          (value) => current === run && observer.next(value),
          (error: unknown) => current === run && observer.error(error),
        )
      }
      watchers.add(rerun)
      rerun()
      return () => {
        run = -1
        watchers.delete(rerun)
      }
    },
    change(work) {
      const done = queue.then(() => work(tables))
      queue = done.then(
        () => undefined,
        () => undefined,
      )
      return done.then(() => {
        for (const rerun of [...watchers]) rerun()
      })
    },
  }
}

function memoryTable<T>(keyOf: (row: T) => string, base: CatalogueStore | undefined, pick: (tables: Tables) => Table<T>): Table<T> {
  const rows = new Map<string, T>()
  const removed = new Set<string>()
  const under = async <R>(read: (table: Table<T>) => Promise<R>, otherwise: R): Promise<R> => {
    if (!base) return otherwise
    return readOnce(base, (tables) => read(pick(tables))).catch(() => otherwise)
  }
  return {
    async get(key) {
      return rows.get(key) ?? (removed.has(key) ? undefined : under((table) => table.get(key), undefined))
    },
    async getMany(keys) {
      const missing = keys.filter((key) => !rows.has(key) && !removed.has(key))
      const below = missing.length > 0 ? await under((table) => table.getMany(missing), []) : []
      const found = new Map(missing.map((key, index) => [key, below[index]]))
      return keys.map((key) => rows.get(key) ?? found.get(key))
    },
    async all() {
      const below = await under((table) => table.all(), [])
      return [...below.filter((row) => !rows.has(keyOf(row)) && !removed.has(keyOf(row))), ...rows.values()]
    },
    async page(afterKey, limit) {
      const below = await under((table) => table.page(afterKey, limit + removed.size), [])
      const mine = [...rows].filter(([key]) => key > afterKey).map(([, row]) => row)
      const all = [...below.filter((row) => !rows.has(keyOf(row)) && !removed.has(keyOf(row))), ...mine]
      return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)).slice(0, limit)
    },
    async keys() {
      const below = await under((table) => table.keys(), [])
      return [...below.filter((key) => !rows.has(key) && !removed.has(key)), ...rows.keys()]
    },
    async count() {
      return base ? (await this.keys()).length : rows.size
    },
    async put(written) {
      for (const row of written) {
        rows.set(keyOf(row), row)
        removed.delete(keyOf(row))
      }
    },
    async remove(keys) {
      for (const key of keys) {
        rows.delete(key)
        removed.add(key)
      }
    },
  }
}

/** One answer of a store, outside any change. */
export function readOnce<T>(store: CatalogueStore, read: (tables: Tables) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let stop: (() => void) | undefined
    const settle = (finish: () => void) => {
      finish()
      // The first value may come before `watch` has returned.
      queueMicrotask(() => stop?.())
    }
    const observer: Observer<T> = { next: (value) => settle(() => resolve(value)), error: (error) => settle(() => reject(error)) }
    stop = store.watch(read, observer)
  })
}
