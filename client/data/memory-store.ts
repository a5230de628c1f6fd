import type { Playlist } from '../../contract/playlist.ts'
import type { Song } from '../../contract/song.ts'
import type { CatalogueStore, DetailRow, ListRow, Observer, Table, Tables, VisitRow } from './store.ts'

/** A store that lasts as long as the page. Reads go through to `base` for what was not written here. */
export function createMemoryStore(base?: CatalogueStore): CatalogueStore {
  const watchers = new Set<() => void>()
  const tables: Tables = {
    songs: memoryTable<Song>(
      (row) => row.youtube_id,
      base,
      (under) => under.songs,
    ),
    playlists: memoryTable<Playlist>(
      (row) => row.id,
      base,
      (under) => under.playlists,
    ),
    lists: memoryTable<ListRow>(
      (row) => row.key,
      base,
      (under) => under.lists,
    ),
    details: memoryTable<DetailRow>(
      (row) => row.key,
      base,
      (under) => under.details,
    ),
    visits: memoryTable<VisitRow>(
      (row) => row.key,
      base,
      (under) => under.visits,
    ),
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

/** `base` as long as it works. From its first failure on, writes go to memory, and reads see both. */
export function createFallbackStore(base: CatalogueStore): CatalogueStore {
  let current = base
  const moved = new Set<() => void>()

  function fallBack() {
    if (current !== base) return
    current = createMemoryStore(base)
    for (const resubscribe of [...moved]) resubscribe()
  }

  return {
    watch(read, observer) {
      const follow = (): (() => void) => {
        const onBase = current === base
        return current.watch(read, { next: observer.next, error: (error) => (onBase ? fallBack() : observer.error(error)) })
      }
      let stop = follow()
      const resubscribe = () => {
        stop()
        stop = follow()
      }
      moved.add(resubscribe)
      return () => {
        moved.delete(resubscribe)
        stop()
      }
    },
    async change(work) {
      if (current === base) {
        try {
          return await base.change(work)
        } catch {
          fallBack()
        }
      }
      await current.change(work)
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

function readOnce<T>(store: CatalogueStore, read: (tables: Tables) => Promise<T>): Promise<T> {
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
