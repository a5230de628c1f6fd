import type { Song } from '../../contract/song.ts'
import { readOnce } from './memory-store.ts'
import type { SearchQuery } from './search-query.ts'
import type { SongTexts } from './song-texts.ts'
import type { CatalogueStore, Table, Tables } from './store.ts'

export interface SongIndex {
  /** Reads this device's songs in parts, between which the page stays usable. Shared; done at once where it is current. */
  ready(): Promise<void>
  /** Reads them if `ready` did not, then the ids that match, in order. */
  search(query: SearchQuery): Promise<string[]>
  /** The store, so that what is written through it is found as well. */
  store: CatalogueStore
}

const PART = 1_000

export function createSongIndex(base: CatalogueStore): SongIndex {
  let texts: SongTexts | undefined
  let loading: Promise<void> | undefined
  let loaded = false
  /** Another tab wrote: the number of songs is not what it should be. */
  let recheck = false

  async function load() {
    // It is here already: it comes with the database's program.
    const { SongTexts } = await import('./song-texts.ts')
    texts = new SongTexts()
    let after = ''
    for (;;) {
      const songs = await readOnce(base, (tables) => tables.songs.page(after, PART))
      texts.put(songs)
      after = songs.at(-1)?.youtube_id ?? ''
      if (songs.length < PART) break
      // A task of its own between parts.
      await new Promise((resolve) => setTimeout(resolve))
    }
    loaded = true
  }

  function ready(): Promise<void> {
    if (loaded && !recheck) return Promise.resolve()
    loading ??= (async () => {
      recheck = false
      await load()
    })().finally(() => {
      loading = undefined
    })
    return loading
  }

  return {
    ready,
    async search(query) {
      await ready()
      const ids = texts?.search(query) ?? []
      void readOnce(base, (tables) => tables.songs.count()).then(
        (count) => {
          recheck = count !== texts?.size
        },
        () => {
          // Asked again at the next search.
        },
      )
      return ids
    },
    store: {
      watch: base.watch,
      async change(work) {
        const put = new Map<string, Song>()
        const removed = new Set<string>()
        await base.change((tables) => {
          // A change may be tried again: what an earlier try noted does not count.
          put.clear()
          removed.clear()
          return work({ ...tables, songs: noting(tables.songs, put, removed) })
        })
        texts?.remove([...removed])
        texts?.put([...put.values()])
      },
    },
  }
}

function noting(songs: Tables['songs'], put: Map<string, Song>, removed: Set<string>): Table<Song> {
  return {
    ...songs,
    put(rows) {
      for (const row of rows) {
        put.set(row.youtube_id, row)
        removed.delete(row.youtube_id)
      }
      return songs.put(rows)
    },
    remove(keys) {
      for (const key of keys) {
        removed.add(key)
        put.delete(key)
      }
      return songs.remove(keys)
    },
  }
}
