import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Song, SongDetail } from '../../contract/song.ts'
import type { Database } from '../storage/database.ts'
import { createSongContextStore } from './store-contexts.ts'
import { createFavoritePlaceReader } from './store-favorite-places.ts'
import { createPlaylistVideoStore, toVideoDetail } from './store-playlist-videos.ts'
import { createPlayStore } from './store-plays.ts'
import { createRandomSongPicker } from './store-random-songs.ts'
import { createRelatedSongFinder } from './store-related-songs.ts'
import { createPlacedSongReader, toSongDetail } from './store-song-places.ts'
import { createSongRowReader, type SongReadOptions, songColumns, toSong } from './store-song-rows.ts'
import { createSongSearch, type SongSearch } from './store-song-search.ts'
import { createUnplayableSongStore } from './store-unplayable.ts'

/** The number of songs that are read at once, so that other requests do not wait for a long list. */
const ROWS_PER_READ = 500

/** The songs of the catalogue, with their plays and the reports of unplayable songs. */
export function createSongStore(database: Database) {
  const { queries } = database
  const contexts = createSongContextStore(queries)
  const favoritePlaceReader = createFavoritePlaceReader(queries)
  const readPlacedSong = createPlacedSongReader(queries, favoritePlaceReader)
  const readSongRows = createSongRowReader(database)
  const { findRanks } = createSongSearch(database)
  const playlistVideos = createPlaylistVideoStore(database)

  async function listByRanks(songRanks: readonly number[], readOptions: SongReadOptions): Promise<Song[]> {
    const songs: Song[] = []
    for (let startIndex = 0; startIndex < songRanks.length; startIndex += ROWS_PER_READ) {
      const rankBatch = songRanks.slice(startIndex, startIndex + ROWS_PER_READ)
      const songByRank = new Map((await readSongRows(rankBatch)).map((row) => [row.rank, row]))
      for (const rank of rankBatch) {
        const row = songByRank.get(rank)
        if (row !== undefined) songs.push(toSong(row, readOptions))
      }
      if (startIndex + ROWS_PER_READ < songRanks.length) await nextTurn()
    }
    return songs
  }

  async function listNewest(songLimit: number, readOptions: SongReadOptions, channelIds?: readonly string[]): Promise<Song[]> {
    const { newUntilMs } = readOptions
    const songRows = await queries
      .selectFrom('catalogue.songs as s')
      .select(songColumns)
      .$if(channelIds !== undefined, (query) => query.where('s.author_channel_id', 'in', channelIds ?? []))
      .$if(newUntilMs !== undefined, (query) => query.where('s.date_added', '<=', newUntilMs ?? 0))
      .orderBy('s.date_added', 'desc')
      .orderBy('s.rank', 'desc')
      .limit(songLimit)
      .execute()
    return songRows.map((row) => toSong(row, readOptions))
  }

  async function listByIds(songIds: readonly string[], readOptions: SongReadOptions): Promise<Song[]> {
    if (songIds.length === 0) return []
    const rows = await queries.selectFrom('catalogue.songs as s').select(songColumns).where('s.youtube_id', 'in', songIds).execute()
    return rows.map((row) => toSong(row, readOptions))
  }

  return {
    /** Returns the newest songs, of all or of the given channels, without those dated after `newUntilMs` of the read options. */
    listNewest,
    /** Returns the given songs that are in the catalogue, in any order. */
    listByIds,
    /**
     * Returns the song with its neighbours in a context: the playlist or category `songContextId`, or else the song's own category; or a video
     * of own playlists. Returns `undefined` if neither exists. `uid` is the account whose favorites the context `favorite` lists and `SongDetail.favorite` reads.
     */
    get: async (
      songId: string,
      songContextId: string | undefined,
      readOptions: SongReadOptions,
      uid?: string,
    ): Promise<SongDetail | undefined> => {
      const song = await readPlacedSong(songId, songContextId, uid)
      if (song === undefined) {
        const [video] = await playlistVideos.listVideos([songId])
        return video && toVideoDetail(video)
      }
      const isFavorite = uid !== undefined && (await favoritePlaceReader.has(uid, songId))
      return toSongDetail(song, readOptions, isFavorite)
    },
    /** Returns the songs with the given ranks in the current catalogue, in the order of `songRanks`. */
    listByRanks,
    /** Returns the matching songs; an empty list if the text has no letters or digits. */
    search: async (search: SongSearch, view: SongReadOptions): Promise<Song[]> => listByRanks(await findRanks(search), view),
    listRelated: createRelatedSongFinder(database),
    pickRandom: createRandomSongPicker(queries, contexts),
    ...playlistVideos,
    ...createPlayStore(database, contexts),
    ...createUnplayableSongStore(database),
  }
}
