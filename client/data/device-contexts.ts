import { mosaicSongIds, ownPlaylistMessages } from '../../contract/own-playlist-rules.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import {
  createSharedPlaylistContextId,
  FAVORITES_CONTEXT_ID,
  isContextOnDevice,
  LIST_LIMIT_MAX,
  OWN_PLAYLIST_CONTEXT_PREFIX,
  readSharedPlaylistToken,
} from '../../contract/playlist-rules.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { type Api, ApiCallError, type CallOptions } from '../platform/api.ts'
import { createPlaylistSongsKey } from './catalogue-rows.ts'
import { readFavoriteIds } from './favorite-rows.ts'
import { ANONYMOUS_UID, type LocalDatabase, type Observer, type Tables } from './local-database.ts'
import { toSitePlaylist } from './own-playlist-card.ts'
import { type OwnPlaylist, readOwnPlaylist } from './own-playlist-rows.ts'
import { findShownPlaylist } from './own-playlist-views.ts'
import type { FetchedRows, Resource } from './resource.ts'
import { getSongCache } from './song-cache.ts'
import { buildDetailInContext } from './song-from-list.ts'

// The contexts of songs that this device knows and the server does not: the favorites of an account, with the changes that are not sent yet, own
// playlists, and shared playlists; and the choice of a song without the server. This module is an on-demand chunk.

interface DeviceContext {
  title: string
  songIds: readonly string[]
}

const toOwnPlaylistId = (contextId: string): string => contextId.slice(OWN_PLAYLIST_CONTEXT_PREFIX.length)

async function readLivePlaylist(tables: Tables, uid: string, contextId: string): Promise<OwnPlaylist | undefined> {
  const playlist = await readOwnPlaylist(tables, uid, toOwnPlaylistId(contextId))
  return playlist?.deletedAtMs === undefined ? playlist : undefined
}

/** Reads a context of the account `uid`; `undefined` if this device does not have it. */
async function readDeviceContext(tables: Tables, uid: string, contextId: string): Promise<DeviceContext | undefined> {
  if (contextId === FAVORITES_CONTEXT_ID) {
    const songIds = await readFavoriteIds(tables, uid)
    return songIds && { title: 'Favorites', songIds }
  }
  if (readSharedPlaylistToken(contextId) !== undefined) {
    const [sharedPlaylist, list] = await Promise.all([tables.playlists.get(contextId), tables.lists.get(createPlaylistSongsKey(contextId))])
    return sharedPlaylist && list && { title: sharedPlaylist.title, songIds: list.ids }
  }
  const playlist = await readLivePlaylist(tables, uid, contextId)
  return playlist && { title: playlist.title, songIds: playlist.entries.map(({ songId }) => songId) }
}

/** Reads the songs that this device has. A song that `songIds` has twice is the same object. */
async function readSongsOf(database: LocalDatabase, tables: Tables, songIds: readonly string[]): Promise<Song[]> {
  const songs = await getSongCache(database).read(tables, songIds)
  return songIds.map((id) => songs.get(id)).filter((song) => song !== undefined)
}

/** Reads the songs of a context in order; `undefined` if this device does not have the context. */
async function readContextSongs(database: LocalDatabase, tables: Tables, uid: string, contextId: string): Promise<Song[] | undefined> {
  const context = await readDeviceContext(tables, uid, contextId)
  return context && readSongsOf(database, tables, context.songIds)
}

/** Requests a shared playlist. Returns it in the form of a catalogue playlist, with the name of the owner as its category. */
export async function requestSharedPlaylist(api: Api, token: string, options?: CallOptions): Promise<PlaylistWithSongs> {
  const id = createSharedPlaylistContextId(token)
  const { songs, owner = '', ...playlistTexts } = await api.call('GET /list/get', { l: token, limit: LIST_LIMIT_MAX }, options)
  const picturePath = songs[0] ? `/img/song/${songs[0].youtube_id}` : ''
  return {
    playlist: {
      ...playlistTexts,
      id,
      category_id: id,
      category_name: owner,
      description_url: '',
      youtube_url: songs[0]?.youtube_url ?? '',
      special: false,
      image_url: picturePath,
      thumbnail: picturePath,
      url: `${SHARED_PLAYLIST_PATH}?l=${token}`,
    },
    songs,
  }
}

/**
 * Returns the songs of a context in order, and requests them if this device does not have them. Returns `undefined` if the request does not find
 * them, and for favorites without an account.
 */
export async function findContextSongs(
  database: LocalDatabase,
  uid: string,
  contextId: string,
  { syncAccount, playlist }: { syncAccount: () => Promise<void>; playlist: (id: string) => { refresh: () => Promise<void> } },
): Promise<Song[] | undefined> {
  if (contextId === FAVORITES_CONTEXT_ID && uid === ANONYMOUS_UID) return undefined
  const readStored = () => database.read((tables) => readContextSongs(database, tables, uid, contextId))
  const request = () => (readSharedPlaylistToken(contextId) === undefined ? syncAccount() : playlist(contextId).refresh())
  return (await readStored()) ?? (await request().then(readStored))
}

/** Reads the ids of the songs of a context, or of a playlist of the site, that are on this device; of all songs without a `contextId`. */
async function readSongIds(
  database: LocalDatabase,
  tables: Tables,
  uid: string,
  contextId: string | undefined,
): Promise<readonly string[]> {
  if (contextId === undefined) return tables.songs.keys()
  if (!isContextOnDevice(contextId)) return (await tables.lists.get(createPlaylistSongsKey(contextId)))?.ids ?? []
  return ((await readContextSongs(database, tables, uid, contextId)) ?? []).map(({ youtube_id }) => youtube_id)
}

/** Picks a random song from those of `readSongIds`, except `excludedId`. Rejects with an `ApiCallError` if there is none. */
export async function pickSong(
  database: LocalDatabase,
  uid: string,
  contextId: string | undefined,
  excludedId: string | undefined,
): Promise<Song> {
  const song = await database.read(async (tables) => {
    const otherIds = (await readSongIds(database, tables, uid, contextId)).filter((id) => id !== excludedId)
    return tables.songs.get(otherIds[Math.floor(Math.random() * otherIds.length)] ?? '')
  })
  if (!song) throw new ApiCallError('network', 0, 'There is no song to choose from.')
  return song
}

/** Reads a song with its neighbours in a context, and with the description of `detail`; `undefined` if the song is not in the context. */
export async function readSongInContext(
  tables: Tables,
  uid: string,
  contextId: string,
  songId: string,
  detail: SongDetail | undefined,
): Promise<SongDetail | undefined> {
  const context = await readDeviceContext(tables, uid, contextId)
  const contextDetail = context && (await buildDetailInContext(tables, songId, { id: contextId, ...context }))
  return contextDetail && { ...contextDetail, description: detail?.description ?? '' }
}

/** The minimum height of a song row in pixels, the token `--row`. */
const ROW_PX = 76

/** The number of songs on the first screen of a playlist, whose head covers at least half of the screen. */
const countFirstSongs = () => Math.ceil(innerHeight / 2 / ROW_PX)

/**
 * Reads an own playlist with its songs, as the playlist `contextId` of the site; `undefined` if there is none, or if it is deleted. With `maxSongs`, it
 * has only its first songs.
 */
export async function readPlaylistWithSongs(
  database: LocalDatabase,
  tables: Tables,
  uid: string,
  contextId: string,
  maxSongs = Number.POSITIVE_INFINITY,
): Promise<PlaylistWithSongs | undefined> {
  const playlist = await readLivePlaylist(tables, uid, contextId)
  if (!playlist) return undefined
  const songIds = listFirstSongIds(playlist, maxSongs)
  return toPlaylistWithSongs(playlist, songIds.length, await readSongsOf(database, tables, songIds))
}

const listFirstSongIds = ({ entries }: OwnPlaylist, maxSongs: number): string[] => entries.slice(0, maxSongs).map(({ songId }) => songId)

/** Returns an own playlist in the shape of the site's playlists, with those of its first `readCount` songs that this device has. */
function toPlaylistWithSongs(playlist: OwnPlaylist, readCount: number, songs: Song[]): PlaylistWithSongs {
  const songCount = songs.length + playlist.entries.length - readCount
  const firstIds = mosaicSongIds(songs, ({ youtube_id }) => youtube_id)
  return { playlist: toSitePlaylist({ ...playlist, songCount, firstSongIds: firstIds }), songs }
}

const readFirstSongs = (database: LocalDatabase, uid: string, contextId: string) =>
  database.read((tables) => readPlaylistWithSongs(database, tables, uid, contextId, countFirstSongs()))

/**
 * Reads the first songs of own playlists that the page shows in a list, so that the page of such a playlist opens without waiting for the database.
 * `contextIds` are their context ids.
 */
export async function preloadFirstSongs(database: LocalDatabase, uid: string, contextIds: readonly string[]): Promise<void> {
  const playlists = contextIds.map((id) => findShownPlaylist(database, uid, toOwnPlaylistId(id))).filter((each) => each !== undefined)
  const songIds = playlists.flatMap((playlist) => listFirstSongIds(playlist, countFirstSongs()))
  await database.read((tables) => getSongCache(database).read(tables, songIds))
}

/** Returns an own playlist with its first songs if the page shows the playlist in a list and all of these songs are in memory. */
function findKnownFirstSongs(database: LocalDatabase, uid: string, contextId: string): PlaylistWithSongs | undefined {
  const playlist = findShownPlaylist(database, uid, toOwnPlaylistId(contextId))
  if (!playlist || playlist.deletedAtMs !== undefined) return undefined
  const songIds = listFirstSongIds(playlist, countFirstSongs())
  const songs = songIds.map(getSongCache(database).get).filter((song) => song !== undefined)
  return songs.length === songIds.length ? toPlaylistWithSongs(playlist, songs.length, songs) : undefined
}

/**
 * Reports an own playlist with the songs that fill the first screen, and with all songs once `whenIdle` has resolved, because a playlist may have
 * thousands. When the playlist is deleted or restored, refreshes `resource`, which shows it. Returns the function that stops it.
 */
export function watchOwnPlaylist(
  database: LocalDatabase,
  uid: string,
  contextId: string,
  whenIdle: () => Promise<void>,
  observer: Observer<PlaylistWithSongs | undefined>,
  resource: Pick<Resource<PlaylistWithSongs>, 'refresh'>,
): () => void {
  let hadRows: boolean | undefined
  const report = (contextRows: PlaylistWithSongs | undefined) => {
    const hasRows = contextRows !== undefined
    observer.next(contextRows)
    if (hadRows === !hasRows) void resource.refresh({ force: true })
    hadRows = hasRows
  }
  let isStopped = false
  let stop = () => {
    isStopped = true
  }
  const knownRows = findKnownFirstSongs(database, uid, contextId)
  const firstRows = knownRows ? Promise.resolve(knownRows) : readFirstSongs(database, uid, contextId)
  firstRows
    .then(report, observer.error)
    .then(whenIdle)
    .then(() => {
      const read = (tables: Tables) => readPlaylistWithSongs(database, tables, uid, contextId)
      if (!isStopped) stop = database.watch(read, { next: report, error: observer.error })
    }, observer.error)
  return () => stop()
}

/**
 * Returns the own playlist that `resource` reads; if this device does not have the playlist, its first songs, after a sync. Rejects with an
 * `ApiCallError` if the account has no such playlist.
 */
export async function findOwnPlaylist(
  database: LocalDatabase,
  uid: string,
  contextId: string,
  syncPlaylists: () => Promise<void>,
  resource: Pick<Resource<PlaylistWithSongs>, 'getSnapshot' | 'waitUntilOpened'>,
): Promise<FetchedRows<PlaylistWithSongs>> {
  await resource.waitUntilOpened()
  const rows = resource.getSnapshot().data ?? (await syncPlaylists().then(() => readFirstSongs(database, uid, contextId)))
  if (!rows) throw new ApiCallError('api', 404, ownPlaylistMessages.noPlaylist)
  return { rows }
}
