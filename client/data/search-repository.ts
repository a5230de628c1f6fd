import type { Song } from '../../contract/song.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { putList, putSongs, readSongs } from './catalogue-rows.ts'
import { createResource, type Resource, type ResourcePool } from './resource.ts'
import type { SearchQuery } from './search-query.ts'
import type { SongIndex } from './song-index.ts'
import type { CatalogueStore } from './store.ts'

export interface SearchResults {
  songs: Song[]
  /** There are no further songs. */
  complete: boolean
  /** Found on this device without the server's help. */
  local: boolean
}

export interface SearchResource extends Resource<SearchResults> {
  /** Adds the next page. Shared while one is under way; rejects with an `ApiFailure`. */
  more(): Promise<void>
}

export const PAGE_SIZE = 50
/** A server that takes longer is not waited for, where this device knows songs that match. */
const PATIENCE_MS = 1_200

const sortInput = {
  az: { orderBy: 'title', orderDir: 'ASC' },
  za: { orderBy: 'title', orderDir: 'DESC' },
  newest: { orderBy: 'date_added', orderDir: 'DESC' },
  oldest: { orderBy: 'date_added', orderDir: 'ASC' },
} as const

interface SearchDeps {
  api: Api
  store: CatalogueStore
  pool: ResourcePool
  index: SongIndex
  /** Whether asking the server is known to be in vain. */
  offline: () => boolean
  query: SearchQuery
}

export const firstPageInput = (query: SearchQuery) => ({
  s: query.text,
  ...sortInput[query.sort],
  ...(query.artist ? { type: 'artist' as const } : {}),
  limit: PAGE_SIZE,
  offset: 0,
})

export function createSearch({ api, store, pool, index, offline, query }: SearchDeps): SearchResource {
  const key = `search:${query.artist ? 'artist' : 'all'}:${query.sort}:${query.text}`

  const ask = (offset: number) => api.call('GET /song/search', { ...firstPageInput(query), offset })

  return pool.get(key, () => {
    let adding: Promise<void> | undefined
    const resource = createResource<SearchResults>({
      key,
      store,
      read: (tables) => readSongs(tables, key),
      async ask() {
        if (offline()) await showLocal()
        const patience = setTimeout(() => void showLocal(), PATIENCE_MS)
        const songs = await ask(0)
          .catch(async (error: unknown) => {
            if (error instanceof ApiFailure && error.kind === 'network') await showLocal()
            throw error
          })
          .finally(() => clearTimeout(patience))
        const complete = songs.length < PAGE_SIZE
        return {
          rows: { songs, complete, local: false },
          async write(tables) {
            await putSongs(tables, songs)
            const ids = songs.map((song) => song.youtube_id)
            const stored = await tables.lists.get(key)
            // Pages that were added stay as long as they follow the same first page.
            if (
              stored &&
              !stored.local &&
              stored.ids.length > ids.length &&
              ids.length === PAGE_SIZE &&
              ids.every((id, index) => stored.ids[index] === id)
            )
              return
            await putList(tables, key, ids, complete)
          },
        }
      },
    })

    /** The songs of this device that match, unless there is an answer of the server; `count` of them, or a page. */
    async function showLocal(count = PAGE_SIZE) {
      const found = await index.search(query)
      await store.change(async (tables) => {
        const stored = await tables.lists.get(key)
        if ((stored && !stored.local) || found.length === 0) return
        const shown = Math.max(count, stored?.ids.length ?? 0)
        await putList(tables, key, found.slice(0, shown), shown >= found.length, true)
      })
    }

    async function add() {
      const before = resource.getSnapshot().data
      if (!before || before.complete) return
      if (before.local) return showLocal(before.songs.length + PAGE_SIZE)
      const songs = await ask(before.songs.length)
      await store.change(async (tables) => {
        await putSongs(tables, songs)
        const stored = await tables.lists.get(key)
        const ids = [...new Set([...(stored?.ids ?? []), ...songs.map((song) => song.youtube_id)])]
        await putList(tables, key, ids, songs.length < PAGE_SIZE)
      })
    }

    // Not a spread: `watched` is a getter.
    return Object.assign(resource, {
      more() {
        adding ??= add().finally(() => {
          adding = undefined
        })
        return adding
      },
    })
  })
}
