import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import type { RandomSong, SongDetail } from '../../contract/song.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { detailKey, playlistSongsKey, putChanged, putList, putPlaylists, putSongs, readPlaylists, readSongs } from './catalogue-rows.ts'
import { createResource, createResourcePool, type Resource } from './resource.ts'
import { createSearch, type SearchQuery, type SearchResource } from './search-repository.ts'
import { readKnownSong } from './song-in-list.ts'
import type { CatalogueStore, Tables } from './store.ts'

/** 'popular' is the server's own order; 'home' is the home page's choice. */
export type PlaylistOrder = 'popular' | 'home' | 'az' | 'za'

const orderInput = { popular: {}, home: { home: 'true' }, az: { order: 'ASC' }, za: { order: 'DESC' } } as const

/** The catalogue as this device has it, kept current from the server. Resources of one key are one object. */
export interface Catalogue {
  playlists(order: PlaylistOrder): Resource<Playlist[]>
  playlist(id: string): Resource<PlaylistWithSongs>
  /** A song with next and previous of `contextId`, else of its category. */
  song(id: string, contextId?: string): Resource<SongDetail>
  search(query: SearchQuery): SearchResource
  /** Twelve playlists, others on each visit. */
  explore(): Resource<Playlist[]>
  /** Rejects with an `ApiFailure`. */
  randomSong(options?: { p?: string; not?: string }): Promise<RandomSong>
}

export function createCatalogue({ api, store }: { api: Api; store: CatalogueStore }): Catalogue {
  const pooled = createResourcePool()

  return {
    playlists(order) {
      const key = `playlists:${order}`
      return pooled(key, () =>
        createResource<Playlist[]>({
          key,
          store,
          read: (tables) => readOrdered(tables, order),
          async fetch() {
            const playlists = await api.call('GET /playlist/all', orderInput[order])
            await store.change(async (tables) => {
              await putPlaylists(tables, playlists)
              await putList(
                tables,
                key,
                playlists.map((playlist) => playlist.id),
                true,
              )
            })
          },
        }),
      )
    },

    playlist(id) {
      const key = playlistSongsKey(id)
      return pooled(key, () =>
        createResource<PlaylistWithSongs>({
          key,
          store,
          async read(tables) {
            const playlist = await tables.playlists.get(id)
            const list = playlist && (await readSongs(tables, key))
            return playlist && list && { playlist, songs: list.songs }
          },
          async fetch() {
            const answer = await api.call('GET /playlist/get', { p: id }).catch(forgetIfGone(store, (tables) => tables.lists.remove([key])))
            await store.change(async (tables) => {
              await putPlaylists(tables, [{ ...answer.playlist, id }])
              await putSongs(tables, answer.songs)
              await putList(
                tables,
                key,
                answer.songs.map((song) => song.youtube_id),
                true,
              )
            })
          },
        }),
      )
    },

    song(id, contextId) {
      const key = detailKey(id, contextId)
      return pooled(`song:${key}`, () =>
        createResource<SongDetail>({
          key,
          store,
          async read(tables) {
            const row = await tables.details.get(key)
            return row?.detail ?? readKnownSong(tables, id, contextId)
          },
          async fetch() {
            const detail = await api.call('GET /song/get', contextId === undefined ? { s: id } : { s: id, p: contextId }).catch(
              forgetIfGone(store, async (tables) => {
                await tables.details.remove([key])
                await tables.songs.remove([id])
              }),
            )
            await store.change(async (tables) => {
              await putChanged(tables.details, (row) => row.key, [{ key, detail }])
              await tables.visits.put([{ key: `song:${key}`, fetchedAtMs: Date.now() }])
            })
          },
        }),
      )
    },

    search: (query) => createSearch({ api, store, pooled, query }),

    explore() {
      const key = 'explore'
      return pooled(key, () =>
        createResource<Playlist[]>({
          key,
          store,
          networkFirst: true,
          read: (tables) => readPlaylists(tables, key),
          async fetch() {
            const playlists = await api.call('GET /playlist/explore', {})
            await store.change(async (tables) => {
              await putPlaylists(tables, playlists)
              await putList(
                tables,
                key,
                playlists.map((playlist) => playlist.id),
                true,
              )
            })
          },
        }),
      )
    },

    randomSong: (options = {}) => api.call('GET /song/random', options),
  }
}

/** Rows that the server no longer has are not shown from here either. */
function forgetIfGone(store: CatalogueStore, forget: (tables: Tables) => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiFailure && error.code === 404) await store.change(forget)
    throw error
  }
}

/** The titles' order of the server, or, where only the list by popularity is known, of this device. */
async function readOrdered(tables: Tables, order: PlaylistOrder): Promise<Playlist[] | undefined> {
  const playlists = await readPlaylists(tables, `playlists:${order}`)
  if (playlists || (order !== 'az' && order !== 'za')) return playlists
  const all = await readPlaylists(tables, 'playlists:popular')
  const collator = new Intl.Collator('en', { numeric: true })
  return all?.sort((a, b) => collator.compare(a.title, b.title) * (order === 'az' ? 1 : -1))
}
