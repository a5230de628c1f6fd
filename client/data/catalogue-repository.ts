import type { InitialData } from '../../contract/initial-data.ts'
import type { Playlist, PlaylistWithSongs } from '../../contract/playlist.ts'
import { CLIENT_PLAYLIST_SONGS_MAX, FAVORITES_CONTEXT_ID, isContextOnDevice, isOwnPlaylistContext } from '../../contract/playlist-rules.ts'
import type { RandomSong, Song, SongDetail } from '../../contract/song.ts'
import { type PlaylistSort, playlistSorts } from '../../contract/sort-orders.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { loadOnce } from '../primitives/single-flight.ts'
import {
  createPlaylistSongsKey,
  createSongDetailKey,
  createSongVisitKey,
  putChangedRows,
  putList,
  putPlaylists,
  putSongs,
  putVisit,
  readPlaylists,
  readSongs,
} from './catalogue-rows.ts'
import type { ContextSongs, LoadedPlaylist } from './device-contexts.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import { ANONYMOUS_UID, type LocalDatabase, type Tables } from './local-database.ts'
import { requestPlaylist } from './playlist-request.ts'
import { createResource, createResourcePool, type FetchedRows, type Resource } from './resource.ts'
import { createSearch, type PagedSearchResource } from './search-repository.ts'
import { buildDetailFromAnyList, buildDetailFromPlaylist, buildSongDetail } from './song-from-list.ts'
import type { SongIndex } from './song-index.ts'
import type { SearchQuery } from './song-text-index.ts'
import { createVisitLog } from './visit-log.ts'

/** The sort orders in which the playlists can be listed. `home` is the selection for the home page. */
export type PlaylistOrder = PlaylistSort | 'home'

const requestInputByOrder = { ...playlistSorts, home: { home: 'true' } } as const

/** A row of a song, and its index in the list if it is in one. */
export interface ListedSong extends Song {
  listIndex?: number | undefined
}

/**
 * The catalogue as stored on this device, refreshed from the server. Each method returns the same resource object whenever its arguments
 * are the same.
 */
export interface Catalogue {
  playlists(order: PlaylistOrder): Resource<Playlist[]>
  playlist(id: string): Resource<LoadedPlaylist>
  /** A song with the previous and next song in the context `contextId`, or in the song's category if `contextId` is absent. */
  song(id: string, contextId?: string): Resource<SongDetail>
  /** Keeps the row from which a song is about to be opened, so that its page shows the song without waiting for the database or the server. */
  noteSong(song: ListedSong): void
  /** Returns the row of the song `id` if it is the last row that was passed to `noteSong`. */
  notedSong(id: string | undefined): ListedSong | undefined
  search(query: SearchQuery): PagedSearchResource
  /** Twelve random playlists, which differ on each visit. */
  explore(): Resource<Playlist[]>
  /**
   * Returns the songs of a context for which `isContextOnDevice` is true; `undefined` if they are neither stored nor could be fetched. Rejects with an
   * `ApiCallError` for a playlist that is no longer shared.
   */
  deviceSongs(contextId: string): Promise<ContextSongs | undefined>
  /** Picks a random song. Rejects with an `ApiCallError`. */
  randomSong(options?: { p?: string; not?: string }): Promise<RandomSong>
  /** The playlists of the site whose songs are on this device: pinned playlists by title, then the others, most recently used first. */
  readonly localPlaylists: LiveQuery<LocalPlaylist[]>
  /** Loads the code of the index of the songs on this device, for offline search. The index reads the songs on its first use. */
  songIndex(): Promise<SongIndex>
  /** Requests new rows for everything that the page shows. */
  refreshShown(): void
  /** Returns the keys of the lists and song details that the page shows. They are the keys of these rows in the table `visits`. */
  shownKeys(): string[]
}

export interface LocalPlaylist {
  id: string
  title: string
  pinned: boolean
}

interface CatalogueDeps {
  api: Api
  database: LocalDatabase
  /** Returns whether the server is known to be unreachable. */
  offline?: () => boolean
  /** Returns the id of the account whose favorites and own playlists can be song contexts, or `ANONYMOUS_UID`. */
  getOwner?: () => string
  /** Fetches the changes of other devices to favorites and own playlists. Resolves once they are stored, or could not be fetched. */
  syncAccount?: () => Promise<void>
  /** Resolves when the page has nothing else to do. */
  whenIdle?: () => Promise<void>
  /** The rows that the server embedded in the page's HTML. */
  initialData?: InitialData
  /**
   * Whether `initialData` is as new as a response of the server. If so, complete rows of `initialData` are stored, and no request is sent.
   */
  isInitialCurrent?: boolean
}

export function createCatalogue({
  api,
  database,
  offline = () => false,
  getOwner = () => ANONYMOUS_UID,
  syncAccount = async () => {},
  whenIdle = async () => {},
  initialData = {},
  isInitialCurrent = true,
}: CatalogueDeps): Catalogue {
  const loadSongIndex = loadOnce(() => import('./song-index.ts').then((module) => module.createSongIndex(database)))
  const visitLog = createVisitLog(database)
  const pool = createResourcePool({ onUse: visitLog.note })
  const takeInitialRows = createInitialRowsReader(initialData)
  const contextReader = createContextReader(database)

  const catalogue: Catalogue = {
    ...createLastOpenedSongStore(),

    playlists(playlistSort) {
      const resourceKey = `playlists:${playlistSort}`
      return pool.get(resourceKey, () => {
        const initialRows = takeInitialRows('playlists', (candidate) => candidate.order === playlistSort)?.rows
        return createResource<Playlist[]>({
          key: resourceKey,
          database,
          initial: initialRows && { rows: initialRows, answer: isInitialCurrent ? createListRows(resourceKey, initialRows) : undefined },
          read: (tables) => readOrderedPlaylists(tables, playlistSort),
          request: async () => createListRows(resourceKey, await api.call('GET /playlist/all', requestInputByOrder[playlistSort])),
        })
      })
    },

    playlist(id) {
      const key = createPlaylistSongsKey(id)
      if (isOwnPlaylistContext(id)) {
        const owner = getOwner()
        return pool.get(key + owner, () => {
          const resource: ReturnType<typeof createResource<LoadedPlaylist>> = createResource({
            key,
            database,
            watch: (observer) =>
              contextReader.watch((loaded) => loaded.watchOwnPlaylist(database, owner, id, whenIdle, observer, resource), observer.error),
            request: async () => (await contextReader.load()).findOwnPlaylist(database, owner, id, syncAccount, resource),
          })
          return resource
        })
      }
      return pool.get(key, () => {
        const initialPlaylist = takeInitialRows('playlist', (initialRows) => initialRows.id === id)
        return createResource<LoadedPlaylist>({
          key,
          database,
          initial: initialPlaylist && {
            rows: initialPlaylist.rows,
            answer: isInitialCurrent && initialPlaylist.complete ? createPlaylistRows(id, initialPlaylist.rows) : undefined,
          },
          // Of the contexts on the device, only shared playlists get here: their owner may have stopped sharing them.
          ...(isContextOnDevice(id) && { networkFirst: 'once' }),
          async read(tables) {
            const playlist = await tables.playlists.get(id)
            const list = playlist && (await readSongs(tables, key))
            return playlist && list && { playlist, songs: list.songs }
          },
          request: async () =>
            createPlaylistRows(id, await requestPlaylist(api, id).catch(removeIfGone(database, (tables) => removePlaylist(tables, id)))),
        })
      })
    },

    song(songId, songContextId) {
      // If only this device knows the context, as for favorites, the song is requested without its neighbours.
      const deviceContextId = isContextOnDevice(songContextId) ? songContextId : undefined
      const siteContextId = deviceContextId ? undefined : songContextId
      const owner = getOwner()
      const key = createSongDetailKey(songId, siteContextId)
      const readDetailInContext = async (tables: Tables, detail: SongDetail | undefined) =>
        (deviceContextId && (await contextReader.loaded()?.readSongInContext(tables, owner, deviceContextId, songId, detail))) || detail
      const toFetchedRows = async (detail: SongDetail): Promise<FetchedRows<SongDetail>> => ({
        rows: (deviceContextId && (await database.read((tables) => readDetailInContext(tables, detail)))) || detail,
        write: (tables) => putDetail(tables, key, detail),
      })
      return pool.get(createSongVisitKey(key) + (deviceContextId ? deviceContextId + owner : ''), () => {
        const detail = takeInitialRows('song', (initialSong) => initialSong.id === songId && initialSong.contextId === songContextId)?.rows
        const isInitialAnswer = isInitialCurrent && !deviceContextId
        return createResource<SongDetail>({
          key,
          database: deviceContextId ? contextReader.database : database,
          initial: detail
            ? { rows: detail, answer: isInitialAnswer ? { rows: detail, write: (tables) => putDetail(tables, key, detail) } : undefined }
            : findListedSong(catalogue, songId, songContextId === FAVORITES_CONTEXT_ID ? undefined : songContextId),
          async read(tables) {
            const localDetail = (await tables.details.get(key))?.detail ?? (await buildSongDetail(tables, songId, siteContextId))
            return readDetailInContext(tables, localDetail)
          },
          readSubstitute: (tables) => buildDetailFromAnyList(tables, songId),
          request: async () =>
            toFetchedRows(
              await api.call('GET /song/get', siteContextId === undefined ? { s: songId } : { s: songId, p: siteContextId }).catch(
                removeIfGone(database, async (tables) => {
                  await tables.details.remove([key])
                  await tables.songs.remove([songId])
                }),
              ),
            ),
        })
      })
    },

    search(searchQuery) {
      const initialSearch = takeInitialRows(
        'search',
        ({ text, artist, sort }) => text === searchQuery.text && artist === searchQuery.artist && sort === searchQuery.sort,
      )
      const initialResults = initialSearch && {
        songs: initialSearch.rows,
        complete: initialSearch.complete,
        isCurrent: isInitialCurrent,
      }
      return createSearch({ api, database, pool, songIndex: loadSongIndex, offline, query: searchQuery, initialResults })
    },

    explore() {
      const resourceKey = 'explore'
      return pool.get(resourceKey, () =>
        createResource<Playlist[]>({
          key: resourceKey,
          database,
          networkFirst: 'always',
          read: (tables) => readPlaylists(tables, resourceKey),
          request: async () => createListRows(resourceKey, await api.call('GET /playlist/explore', {})),
        }),
      )
    },

    deviceSongs: async (contextId) =>
      (await contextReader.load()).findContextSongs(database, getOwner(), contextId, { ...catalogue, syncAccount, offline }),

    async randomSong(options = {}) {
      const pickSongOnDevice = async (serverFailure?: unknown) =>
        (await contextReader.load()).pickSong(database, getOwner(), options, serverFailure)
      // A random song of the favorites or of an own playlist is chosen on this device, which stores all songs of these lists.
      return isContextOnDevice(options.p) ? pickSongOnDevice() : api.call('GET /song/random', options).catch(pickSongOnDevice)
    },
    localPlaylists: createLiveQuery(database, readLocalPlaylists),
    songIndex: loadSongIndex,
    refreshShown() {
      for (const [, resource] of pool.watchedResources()) void resource.refresh({ force: true })
    },
    shownKeys: () => pool.watchedResources().map(([key]) => key),
  }
  return catalogue
}

/** Returns a playlist that the server sent, and the function that stores it under the id by which it was requested. */
function createPlaylistRows(id: string, { playlist, songs }: PlaylistWithSongs): FetchedRows<PlaylistWithSongs> {
  const playlistRows = { playlist: { ...playlist, id }, songs }
  return {
    rows: playlistRows,
    async write(tables) {
      await putPlaylists(tables, [playlistRows.playlist])
      await putSongs(tables, songs)
      const ids = songs.map((song) => song.youtube_id)
      await putList(tables, createPlaylistSongsKey(id), ids, ids.length < CLIENT_PLAYLIST_SONGS_MAX)
    },
  }
}

/** Stores the detail of a song under `key`, and that it was fetched now. */
const putDetail = (tables: Tables, key: string, detail: SongDetail): Promise<void> =>
  putChangedRows(tables.details, [{ key, detail }]).then(() => putVisit(tables, createSongVisitKey(key)))

/** Creates the in-memory store of the row of the song that was opened last. */
function createLastOpenedSongStore(): Pick<Catalogue, 'noteSong' | 'notedSong'> {
  let lastOpenedSong: ListedSong | undefined
  return {
    noteSong(song) {
      lastOpenedSong = song
    },
    notedSong: (id) => (lastOpenedSong?.youtube_id === id ? lastOpenedSong : undefined),
  }
}

/** Returns a song of a playlist whose rows are loaded, so that it is shown and played without waiting for the database or the server. */
function findListedSong(catalogue: Catalogue, songId: string, songContextId: string | undefined): { rows: SongDetail } | undefined {
  const playlist = songContextId === undefined ? undefined : catalogue.playlist(songContextId).getSnapshot().data
  const rows = playlist && buildDetailFromPlaylist(playlist, songId)
  return rows && { rows }
}

/**
 * Returns a function that reads the embedded rows of `dataKey`, if they belong to the requested list. The function returns them only once,
 * because the database may have newer rows later.
 */
function createInitialRowsReader(initialData: InitialData) {
  const unusedInitialData = { ...initialData }
  return <K extends keyof InitialData>(
    dataKey: K,
    isRequested: (rows: NonNullable<InitialData[K]>) => boolean,
  ): InitialData[K] | undefined => {
    const initialRows = unusedInitialData[dataKey]
    if (!initialRows || !isRequested(initialRows)) return undefined
    delete unusedInitialData[dataKey]
    return initialRows
  }
}

/** Creates the functions that read favorites and own playlists as song contexts. Their code is an on-demand chunk. */
function createContextReader(database: LocalDatabase) {
  let loadedContexts: typeof import('./device-contexts.ts') | undefined
  const loadContexts = loadOnce(async () => {
    loadedContexts = await import('./device-contexts.ts')
    return loadedContexts
  })
  /** Calls `startWatching` once the chunk is loaded, or `onError`. Returns a function that stops its work, or prevents a later call of it. */
  const watchContexts = (
    startWatching: (contexts: NonNullable<typeof loadedContexts>) => () => void,
    onError: (error: unknown) => void,
  ) => {
    const started = loadContexts().then(startWatching, onError)
    return () => void started.then((stop) => stop?.())
  }
  /** The database for reads that need the on-demand chunk `loadedContexts`. A call of `watch` loads the chunk before the first read. */
  const readingDatabase: LocalDatabase = {
    ...database,
    watch: (read, observer) => watchContexts(() => database.watch(read, observer), observer.error),
  }
  return { load: loadContexts, loaded: () => loadedContexts, watch: watchContexts, database: readingDatabase }
}

/** Returns the fetched playlists with the function that stores them in order under `listKey`. */
function createListRows(listKey: string, playlists: Playlist[]): FetchedRows<Playlist[]> {
  return {
    rows: playlists,
    async write(tables) {
      await putPlaylists(tables, playlists)
      const ids = playlists.map((playlist) => playlist.id)
      await putList(tables, listKey, ids, true)
    },
  }
}

/** Removes stored rows for which the server responds with 404, so that they are no longer shown from this device either. */
function removeIfGone(database: LocalDatabase, removeRows: (tables: Tables) => Promise<void>): (error: unknown) => Promise<never> {
  return async (error) => {
    if (error instanceof ApiCallError && error.code === 404) await database.change(removeRows)
    throw error
  }
}

async function removePlaylist(tables: Tables, playlistId: string): Promise<void> {
  await tables.lists.remove([createPlaylistSongsKey(playlistId)])
  await tables.playlists.remove([playlistId])
}

/**
 * Reads the playlists of the site whose songs are on this device: pinned playlists by title, then the others, most recently used first. Playlists that
 * persons share are left out, because only those who have the link should see their titles.
 */
async function readLocalPlaylists(tables: Tables): Promise<LocalPlaylist[]> {
  const keyPrefix = createPlaylistSongsKey('')
  const listKeys = (await tables.lists.keys()).filter((key) => key.startsWith(keyPrefix))
  const usedAtMsByKey = new Map((await tables.visits.getMany(listKeys)).map((row) => [row?.key, row?.usedAtMs]))
  const pinnedPlaylistIds = new Set(await tables.pinned.keys())
  const playlists = await tables.playlists.getMany(listKeys.map((key) => key.slice(keyPrefix.length)))
  const getLastUseMs = (id: string) => usedAtMsByKey.get(keyPrefix + id) ?? 0
  return playlists
    .flatMap((playlist) =>
      playlist && !isContextOnDevice(playlist.id)
        ? [{ id: playlist.id, title: playlist.title, pinned: pinnedPlaylistIds.has(playlist.id) }]
        : [],
    )
    .sort(
      (a, b) =>
        Number(b.pinned) - Number(a.pinned) || (a.pinned ? a.title.localeCompare(b.title) : getLastUseMs(b.id) - getLastUseMs(a.id)),
    )
}

/**
 * Reads the playlists in the server's order. If the order by title is not stored, the playlists stored by popularity are sorted by title
 * instead.
 */
async function readOrderedPlaylists(tables: Tables, order: PlaylistOrder): Promise<Playlist[] | undefined> {
  const playlists = await readPlaylists(tables, `playlists:${order}`)
  if (playlists || (order !== 'az' && order !== 'za')) return playlists
  const allPlaylists = await readPlaylists(tables, 'playlists:popular')
  const collator = new Intl.Collator('en', { numeric: true })
  return allPlaylists?.sort((a, b) => collator.compare(a.title, b.title) * (order === 'az' ? 1 : -1))
}
