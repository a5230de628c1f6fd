import { ownPlaylistMessages, pickMosaicSongIds } from '../../contract/own-playlist-rules.ts'
import type { PlaylistWithSongs } from '../../contract/playlist.ts'
import {
  FAVORITES_CONTEXT_ID,
  isContextOnDevice,
  OWN_PLAYLIST_CONTEXT_PREFIX,
  readSharedPlaylistToken,
} from '../../contract/playlist-rules.ts'
import type { Song, SongDetail } from '../../contract/song.ts'
import { ApiCallError } from '../platform/api.ts'
import { createPlaylistSongsKey } from './catalogue-rows.ts'
import { readFavoriteIds } from './favorite-rows.ts'
import { ANONYMOUS_UID, type LocalDatabase, type Observer, type Tables } from './local-database.ts'
import { toSitePlaylist } from './own-playlist-card.ts'
import { type OwnPlaylist, readOwnPlaylist } from './own-playlist-rows.ts'
import { findShownPlaylist } from './own-playlist-views.ts'
import type { FetchedRows, Resource } from './resource.ts'
import { isWithoutAnswer } from './server-failure.ts'
import { getSongCache } from './song-cache.ts'
import { buildDetailInContext } from './song-from-list.ts'

// The contexts of songs that this device knows and the server does not: the favorites of an account, with the changes that are not sent yet, own
// playlists, and shared playlists; and the choice of a random song without the server. This module is an on-demand chunk.

interface DeviceContext {
  title: string
  songIds: readonly string[]
  isPartial?: true | undefined
}

/** A playlist with its songs, or with the first of them. */
export interface LoadedPlaylist extends PlaylistWithSongs {
  /** Present while this device still fetches an own playlist, so that it may lack songs and their number is not known. */
  isPartial?: boolean
}

/** The songs of a context in order, and whether they are all of its songs. */
export interface ContextSongs {
  songs: Song[]
  complete: boolean
}

/** Returns the id of the own playlist with a context id. */
export const toOwnPlaylistId = (contextId: string): string => contextId.slice(OWN_PLAYLIST_CONTEXT_PREFIX.length)

/** Reads the own playlist with a context id; `undefined` if the account or the device `uid` has none, or if it is deleted. */
export async function readLivePlaylist(tables: Tables, uid: string, songContextId: string): Promise<OwnPlaylist | undefined> {
  const playlist = await readOwnPlaylist(tables, uid, toOwnPlaylistId(songContextId))
  return playlist?.deletedAtMs === undefined ? playlist : undefined
}

/** Reads a context of the account `uid`; `undefined` if this device does not have it. */
async function readDeviceContext(tables: Tables, uid: string, songContextId: string): Promise<DeviceContext | undefined> {
  if (songContextId === FAVORITES_CONTEXT_ID) {
    const songIds = await readFavoriteIds(tables, uid)
    return songIds && { title: 'Favorites', songIds }
  }
  if (readSharedPlaylistToken(songContextId) !== undefined) {
    const [sharedPlaylist, listRow] = await Promise.all([
      tables.playlists.get(songContextId),
      tables.lists.get(createPlaylistSongsKey(songContextId)),
    ])
    return sharedPlaylist && listRow && { title: sharedPlaylist.title, songIds: listRow.ids }
  }
  const playlist = await readLivePlaylist(tables, uid, songContextId)
  if (!playlist) return undefined
  const { title, entries, isPartial } = playlist
  return { title, songIds: entries.map(({ songId }) => songId), isPartial }
}

/** Reads the songs that this device has. A song that `songIds` has twice is the same object. */
async function readSongsByIds(database: LocalDatabase, tables: Tables, songIds: readonly string[]): Promise<Song[]> {
  const songs = await getSongCache(database).read(tables, songIds)
  return songIds.map((id) => songs.get(id)).filter((song) => song !== undefined)
}

/** Reads the songs of a context; `undefined` if this device does not have the context. */
async function readContextSongs(
  database: LocalDatabase,
  tables: Tables,
  uid: string,
  songContextId: string,
): Promise<ContextSongs | undefined> {
  const context = await readDeviceContext(tables, uid, songContextId)
  return context && { songs: await readSongsByIds(database, tables, context.songIds), complete: !context.isPartial }
}

interface ContextSources {
  syncAccount: () => Promise<void>
  playlist: (id: string) => Pick<Resource<PlaylistWithSongs>, 'getSnapshot' | 'refresh'>
  /** Returns whether the server is known to be unreachable. */
  offline: () => boolean
}

/**
 * Returns the songs of a context, and requests those that this device does not have. Returns `undefined` if the request does not find
 * them, and for favorites without an account. A shared playlist is requested each time unless the device is offline, because its owner may have stopped
 * sharing it: rejects with the server's `ApiCallError` if so.
 */
export async function findContextSongs(
  database: LocalDatabase,
  uid: string,
  songContextId: string,
  { syncAccount, playlist, offline }: ContextSources,
): Promise<ContextSongs | undefined> {
  if (songContextId === FAVORITES_CONTEXT_ID && uid === ANONYMOUS_UID) return undefined
  const readStoredSongs = () => database.read((tables) => readContextSongs(database, tables, uid, songContextId))
  const storedSongs = await readStoredSongs()
  if (readSharedPlaylistToken(songContextId) === undefined) {
    if (storedSongs?.complete) return storedSongs
    await (storedSongs ? waitForRefresh(syncAccount()) : syncAccount())
    return readStoredSongs()
  }
  if (storedSongs && offline()) return storedSongs
  const resource = playlist(songContextId)
  await (storedSongs ? waitForRefresh(resource.refresh()) : resource.refresh())
  const { error } = resource.getSnapshot()
  if (error?.kind === 'api' && error.code === 404) throw error
  return readStoredSongs()
}

/** The time in milliseconds for which a request may delay songs that this device has. */
const REFRESH_WAIT_MAX_MS = 8_000

/** Resolves when the refresh ends, or after `REFRESH_WAIT_MAX_MS`. */
async function waitForRefresh(refreshPromise: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeoutPromise = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, REFRESH_WAIT_MAX_MS)
  })
  await Promise.race([refreshPromise, timeoutPromise])
  clearTimeout(timer)
}

/** Reads the ids of the songs of a context, or of a playlist of the site, that are on this device; of all songs without a `songContextId`. */
async function readSongIds(
  database: LocalDatabase,
  tables: Tables,
  uid: string,
  songContextId: string | undefined,
): Promise<readonly string[]> {
  if (songContextId === undefined) return tables.songs.keys()
  if (!isContextOnDevice(songContextId)) return (await tables.lists.get(createPlaylistSongsKey(songContextId)))?.ids ?? []
  const context = await readContextSongs(database, tables, uid, songContextId)
  return context?.songs.map(({ youtube_id }) => youtube_id) ?? []
}

/**
 * Picks a random song from those whose ids `readSongIds` returns, except `not`. `serverFailure` is the error of the request to the server before. Rejects
 * with it if the server has answered, or if there is no song; without it, with an `ApiCallError`.
 */
export async function pickSong(
  database: LocalDatabase,
  uid: string,
  { p: songContextId, not: excludedId }: { p?: string; not?: string },
  serverFailure?: unknown,
): Promise<Song> {
  if (serverFailure !== undefined && !isWithoutAnswer(serverFailure)) throw serverFailure
  const song = await database.read(async (tables) => {
    const otherIds = (await readSongIds(database, tables, uid, songContextId)).filter((id) => id !== excludedId)
    return tables.songs.get(otherIds[Math.floor(Math.random() * otherIds.length)] ?? '')
  })
  if (!song) throw serverFailure ?? new ApiCallError('network', 0, 'There is no song to choose from.')
  return song
}

/** Reads a song with its neighbours in a context, and with the description of `detail`; `undefined` if the song is not in the context. */
export async function readSongInContext(
  tables: Tables,
  uid: string,
  songContextId: string,
  songId: string,
  detail: SongDetail | undefined,
): Promise<SongDetail | undefined> {
  const context = await readDeviceContext(tables, uid, songContextId)
  const contextDetail = context && (await buildDetailInContext(tables, songId, { id: songContextId, ...context }))
  return contextDetail && { ...contextDetail, description: detail?.description ?? '' }
}

/** The minimum height of a song row in pixels, the token `--row`. */
const SONG_ROW_MIN_PX = 76

/** The number of songs on the first screen of a playlist, whose head covers at least half of the screen. */
const countFirstScreenSongs = () => Math.ceil(innerHeight / 2 / SONG_ROW_MIN_PX)

/**
 * Reads an own playlist with its songs, as the playlist `songContextId` of the site; `undefined` if there is none, or if it is deleted. With `maxSongs`, it
 * has only its first songs.
 */
export async function readPlaylistWithSongs(
  database: LocalDatabase,
  tables: Tables,
  uid: string,
  songContextId: string,
  maxSongs = Number.POSITIVE_INFINITY,
): Promise<LoadedPlaylist | undefined> {
  const playlist = await readLivePlaylist(tables, uid, songContextId)
  if (!playlist) return undefined
  const songIds = listFirstSongIds(playlist, maxSongs)
  return toPlaylistWithSongs(playlist, songIds.length, await readSongsByIds(database, tables, songIds))
}

const listFirstSongIds = ({ entries }: OwnPlaylist, maxSongs: number): string[] => entries.slice(0, maxSongs).map(({ songId }) => songId)

/** Returns an own playlist in the shape of the site's playlists, with those of its first `readSongCount` songs that this device has. */
function toPlaylistWithSongs(playlist: OwnPlaylist, readSongCount: number, songs: Song[]): LoadedPlaylist {
  const songCount = songs.length + playlist.entries.length - readSongCount
  const firstIds = pickMosaicSongIds(songs, ({ youtube_id }) => youtube_id)
  const sitePlaylist = toSitePlaylist({ ...playlist, songCount, firstSongIds: firstIds })
  return { playlist: sitePlaylist, songs, ...(playlist.isPartial && { isPartial: true }) }
}

const readFirstSongs = (database: LocalDatabase, uid: string, contextId: string) =>
  database.read((tables) => readPlaylistWithSongs(database, tables, uid, contextId, countFirstScreenSongs()))

/**
 * Reads the first songs of own playlists that the page shows in a list, so that the page of such a playlist opens without waiting for the database.
 * `contextIds` are their context ids.
 */
export async function preloadFirstSongs(database: LocalDatabase, uid: string, contextIds: readonly string[]): Promise<void> {
  const playlists = contextIds.map((id) => findShownPlaylist(database, uid, toOwnPlaylistId(id))).filter((each) => each !== undefined)
  const songIds = playlists.flatMap((playlist) => listFirstSongIds(playlist, countFirstScreenSongs()))
  await database.read((tables) => getSongCache(database).read(tables, songIds))
}

/** Returns an own playlist with its first songs if the page shows the playlist in a list and all of these songs are in memory. */
function findKnownFirstSongs(database: LocalDatabase, uid: string, songContextId: string): LoadedPlaylist | undefined {
  const playlist = findShownPlaylist(database, uid, toOwnPlaylistId(songContextId))
  if (!playlist || playlist.deletedAtMs !== undefined) return undefined
  const songIds = listFirstSongIds(playlist, countFirstScreenSongs())
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
  songContextId: string,
  whenIdle: () => Promise<void>,
  observer: Observer<LoadedPlaylist | undefined>,
  resource: Pick<Resource<LoadedPlaylist>, 'refresh'>,
): () => void {
  let hadRowsAtLastReport: boolean | undefined
  const reportRows = (contextRows: LoadedPlaylist | undefined) => {
    const hasRows = contextRows !== undefined
    observer.next(contextRows)
    if (hadRowsAtLastReport === !hasRows) void resource.refresh({ force: true })
    hadRowsAtLastReport = hasRows
  }
  let isStopped = false
  let stop = () => {
    isStopped = true
  }
  const rowsInMemory = findKnownFirstSongs(database, uid, songContextId)
  const firstRows = rowsInMemory ? Promise.resolve(rowsInMemory) : readFirstSongs(database, uid, songContextId)
  firstRows
    .then(reportRows, observer.error)
    .then(whenIdle)
    .then(() => {
      const readPlaylist = (tables: Tables) => readPlaylistWithSongs(database, tables, uid, songContextId)
      if (!isStopped) stop = database.watch(readPlaylist, { next: reportRows, error: observer.error })
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
  songContextId: string,
  syncPlaylists: () => Promise<void>,
  resource: Pick<Resource<LoadedPlaylist>, 'getSnapshot' | 'waitUntilOpened'>,
): Promise<FetchedRows<LoadedPlaylist>> {
  await resource.waitUntilOpened()
  const rows = resource.getSnapshot().data ?? (await syncPlaylists().then(() => readFirstSongs(database, uid, songContextId)))
  if (!rows) throw new ApiCallError('api', 404, ownPlaylistMessages.noPlaylist)
  return { rows }
}
