import type { FeedItem } from '../../contract/community.ts'
import { FAVORITES_ID } from '../../contract/computed-playlists.ts'
import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import type { RandomSong, Song, SongDetail } from '../../contract/song.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import {
  detailKey,
  playlistSongsKey,
  putChanged,
  putList,
  putPlaylists,
  putSongs,
  putVisit,
  readFeed,
  readPlaylists,
  readSongs,
  songVisitKey,
} from './catalogue-rows.ts'
import { createLive, type Live } from './live.ts'
import { readOnce } from './memory-store.ts'
import { type Answer, createResource, createResourcePool, type Resource } from './resource.ts'
import type { SearchQuery } from './search-query.ts'
import { createSearch, type SearchResource } from './search-repository.ts'
import { readContextIds, readKnownSong, readSongAnywhere } from './song-in-list.ts'
import { createSongIndex } from './song-index.ts'
import type { CatalogueStore, Tables } from './store.ts'
import { createUseLog } from './use-log.ts'

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
  /** The site's news, newest first. */
  feed(): Resource<FeedItem[]>
  /** The songs of the context 'favorite', newest first; `undefined` where they are not known. */
  favorites(): Promise<Song[] | undefined>
  /** Rejects with an `ApiFailure`. */
  randomSong(options?: { p?: string; not?: string }): Promise<RandomSong>
  /** The playlists whose songs are on this device, what a person chose to keep first, then the last used. */
  readonly here: Live<PlaylistHere[]>
  /** Reads what search needs without a connection, so that the first search does not wait for it. */
  prepareSearch(): Promise<void>
  /** Asks the server again for all that is on screen. */
  refreshShown(): void
  /** What is on screen, by the keys of its visits. */
  shown(): string[]
}

export interface PlaylistHere {
  id: string
  title: string
  kept: boolean
}

interface CatalogueDeps {
  api: Api
  store: CatalogueStore
  /** Whether asking the server is known to be in vain. */
  offline?: () => boolean
  /** Whose favorites the context 'favorite' is. */
  signedIn?: () => string | undefined
  /** Resolves once this device has heard of what other devices changed in them, or cannot. */
  syncFavorites?: () => Promise<void>
}

export function createCatalogue({
  api,
  store: base,
  offline = () => false,
  signedIn = () => undefined,
  syncFavorites = async () => {},
}: CatalogueDeps): Catalogue {
  const index = createSongIndex(base)
  const { store } = index
  const uses = createUseLog(store)
  const pool = createResourcePool(uses.note)

  return {
    playlists(order) {
      const key = `playlists:${order}`
      return pool.get(key, () =>
        createResource<Playlist[]>({
          key,
          store,
          read: (tables) => readOrdered(tables, order),
          ask: async () => listAnswer(key, await api.call('GET /playlist/all', orderInput[order])),
        }),
      )
    },

    playlist(id) {
      const key = playlistSongsKey(id)
      return pool.get(key, () =>
        createResource<PlaylistWithSongs>({
          key,
          store,
          async read(tables) {
            const playlist = await tables.playlists.get(id)
            const list = playlist && (await readSongs(tables, key))
            return playlist && list && { playlist, songs: list.songs }
          },
          async ask() {
            const answer = await api.call('GET /playlist/get', { p: id }).catch(forgetIfGone(store, (tables) => tables.lists.remove([key])))
            const rows = { ...answer, playlist: { ...answer.playlist, id } }
            return {
              rows,
              async write(tables) {
                await putPlaylists(tables, [rows.playlist])
                await putSongs(tables, rows.songs)
                const ids = rows.songs.map((song) => song.youtube_id)
                await putList(tables, key, ids, true)
              },
            }
          },
        }),
      )
    },

    song(id, contextId) {
      // Where a song stands among the favorites is known here alone: of the site only the song is asked.
      const uid = contextId === FAVORITES_ID ? signedIn() : undefined
      const siteContextId = contextId === FAVORITES_ID ? undefined : contextId
      const key = detailKey(id, siteContextId)
      return pool.get(uid === undefined ? songVisitKey(key) : `${songVisitKey(key)}${uid}`, () =>
        createResource<SongDetail>({
          key,
          store,
          async read(tables) {
            const detail = (await tables.details.get(key))?.detail ?? (await readKnownSong(tables, id, siteContextId))
            return (await asFavorite(tables, id, uid, detail)) ?? detail
          },
          readSpare: (tables) => readSongAnywhere(tables, id),
          async ask() {
            const detail = await api.call('GET /song/get', siteContextId === undefined ? { s: id } : { s: id, p: siteContextId }).catch(
              forgetIfGone(store, async (tables) => {
                await tables.details.remove([key])
                await tables.songs.remove([id])
              }),
            )
            return {
              rows: (uid && (await readOnce(store, (tables) => asFavorite(tables, id, uid, detail)))) || detail,
              async write(tables) {
                await putChanged(tables.details, (row) => row.key, [{ key, detail }])
                await putVisit(tables, songVisitKey(key))
              },
            }
          },
        }),
      )
    },

    search: (query) => createSearch({ api, store, pool, index, offline, query }),

    explore() {
      const key = 'explore'
      return pool.get(key, () =>
        createResource<Playlist[]>({
          key,
          store,
          networkFirst: true,
          read: (tables) => readPlaylists(tables, key),
          ask: async () => listAnswer(key, await api.call('GET /playlist/explore', {})),
        }),
      )
    },

    feed() {
      const key = 'feed'
      return pool.get(key, () =>
        createResource<FeedItem[]>({
          key,
          store,
          read: (tables) => readFeed(tables, key),
          async ask() {
            const items = await api.call('GET /feed/get', {})
            return {
              rows: items,
              async write(tables) {
                const ids = items.map((item) => item.id)
                await tables.feed.remove((await tables.feed.keys()).filter((id) => !ids.includes(id)))
                await putChanged(tables.feed, (item) => item.id, items)
                await putList(tables, key, ids, true)
              },
            }
          },
        }),
      )
    },

    async favorites() {
      const uid = signedIn()
      if (uid === undefined) return undefined
      let songs = await readOnce(store, (tables) => readFavoriteSongs(tables, uid))
      if (songs === undefined) {
        await syncFavorites()
        songs = await readOnce(store, (tables) => readFavoriteSongs(tables, uid))
      }
      return songs
    },

    async randomSong(options = {}) {
      try {
        // The favorites are all here.
        if (options.p === FAVORITES_ID) throw new ApiFailure('network', 0, NOT_FOUND)
        return await api.call('GET /song/random', options)
      } catch (error) {
        const here = error instanceof ApiFailure && error.kind === 'network' ? await pickSong(store, options, signedIn()) : undefined
        if (here === undefined) throw error
        return here
      }
    },
    here: createLive(store, readHere),
    prepareSearch: index.ready,
    refreshShown() {
      for (const [, resource] of pool.watched()) void resource.refresh({ force: true })
    },
    shown: () => pool.watched().map(([key]) => key),
  }
}

/** A song as it stands among the favorites of `uid`. */
async function asFavorite(tables: Tables, id: string, uid: string | undefined, detail: SongDetail | undefined) {
  const favorite = uid === undefined ? undefined : await readKnownSong(tables, id, FAVORITES_ID, uid)
  return favorite && { ...favorite, description: detail?.description ?? '' }
}

async function readFavoriteSongs(tables: Tables, uid: string): Promise<Song[] | undefined> {
  const ids = await readContextIds(tables, FAVORITES_ID, uid)
  return ids && (await tables.songs.getMany(ids)).filter((song) => song !== undefined)
}

const NOT_FOUND = 'There is no song to choose from.'

/** A list of playlists, and how it is stored under `key`. */
function listAnswer(key: string, playlists: Playlist[]): Answer<Playlist[]> {
  return {
    rows: playlists,
    async write(tables) {
      await putPlaylists(tables, playlists)
      const ids = playlists.map((playlist) => playlist.id)
      await putList(tables, key, ids, true)
    },
  }
}

/** Some song of this device, of playlist `p` or of all. */
async function pickSong(
  store: CatalogueStore,
  { p, not }: { p?: string; not?: string },
  uid: string | undefined,
): Promise<RandomSong | undefined> {
  let picked: RandomSong | undefined
  await store.change(async (tables) => {
    const ids = p === undefined ? await tables.songs.keys() : ((await readContextIds(tables, p, uid)) ?? [])
    const others = ids.filter((id) => id !== not)
    picked = await tables.songs.get(others[Math.floor(Math.random() * others.length)] ?? '')
  })
  return picked
}

/** Rows that the server no longer has are not shown from here either. */
function forgetIfGone(store: CatalogueStore, forget: (tables: Tables) => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiFailure && error.code === 404) await store.change(forget)
    throw error
  }
}

/** Kept ones by their title, then the others as they were used. */
export async function readHere(tables: Tables): Promise<PlaylistHere[]> {
  const prefix = playlistSongsKey('')
  const keys = (await tables.lists.keys()).filter((key) => key.startsWith(prefix))
  const usedAtMs = new Map((await tables.visits.getMany(keys)).map((row) => [row?.key, row?.usedAtMs]))
  const kept = new Set(await tables.kept.keys())
  const playlists = await tables.playlists.getMany(keys.map((key) => key.slice(prefix.length)))
  const used = (id: string) => usedAtMs.get(prefix + id) ?? 0
  return playlists
    .flatMap((playlist) => (playlist ? [{ id: playlist.id, title: playlist.title, kept: kept.has(playlist.id) }] : []))
    .sort((a, b) => Number(b.kept) - Number(a.kept) || (a.kept ? a.title.localeCompare(b.title) : used(b.id) - used(a.id)))
}

/** The titles' order of the server, or, where only the list by popularity is known, of this device. */
async function readOrdered(tables: Tables, order: PlaylistOrder): Promise<Playlist[] | undefined> {
  const playlists = await readPlaylists(tables, `playlists:${order}`)
  if (playlists || (order !== 'az' && order !== 'za')) return playlists
  const all = await readPlaylists(tables, 'playlists:popular')
  const collator = new Intl.Collator('en', { numeric: true })
  return all?.sort((a, b) => collator.compare(a.title, b.title) * (order === 'az' ? 1 : -1))
}
