import { sql } from 'kysely'
import type { Song, SongDetail } from '../../contract/song.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import { DAY_MS } from '../durations.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { type SongRow, toSong } from './store-song-rows.ts'

/**
 * A video of YouTube that own playlists may contain although it is no song of the catalogue. If the catalogue has a song with the same id, the song is
 * read in its place. A hidden video keeps its row.
 */
export interface PlaylistVideosTable {
  song_id: string
  title: string
  author_name: string
  author_channel_id: string | null
  /** In seconds. */
  duration: number | null
  added: number
  /** When the video was last looked up for a playlist. */
  asked: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    playlist_videos: PlaylistVideosTable
  }
}

export const createPlaylistVideosTable = ({ text }: SqlTypes): string[] => [
  `create table playlist_videos (
    song_id ${text} primary key, title ${text} not null, author_name ${text} not null, author_channel_id ${text}, duration integer,
    added bigint not null, asked bigint not null)`,
  'create index playlist_videos_by_time on playlist_videos (asked)',
  'create index own_playlist_entries_by_song on own_playlist_entries (song_id)',
]

/** The time that a device has to add a video that was looked up to a playlist. Later, a video in no playlist is deleted, unless an admin has hidden it. */
const UNUSED_STORAGE_MS = 7 * DAY_MS

export async function deleteUnusedPlaylistVideos(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('playlist_videos')
    .where('asked', '<', nowMs - UNUSED_STORAGE_MS)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('own_playlist_entries as e').select('e.song_id').whereRef('e.song_id', '=', sql<string>`playlist_videos.song_id`),
        ),
      ),
    )
    .where('song_id', 'not in', queries.selectFrom('hidden_songs').select('song_id'))
    .execute()
}

/** A video in the form of a row of the catalogue. It belongs to no category. */
export const toVideoSongRow = ({ song_id, added, asked: _, ...row }: PlaylistVideosTable): SongRow => ({
  ...row,
  ...{ rank: 0, youtube_id: song_id, category_id: NO_CATEGORY_ID, category_name: '', date_added: added },
})

/** A video in the form of a song of the catalogue. It is never new. */
const toVideoSong = (video: PlaylistVideosTable): Song => toSong(toVideoSongRow(video), { newSinceMs: Number.POSITIVE_INFINITY })

/** A video with itself as its only neighbour, because no playlist or category of the catalogue contains it. */
export const toVideoDetail = (video: PlaylistVideosTable): SongDetail => ({
  ...toVideoSong(video),
  description: '',
  context_id: NO_CATEGORY_ID,
  context_title: '',
  first_song: video.song_id,
  next: video.song_id,
  next_title: video.title,
  favorite: false,
})

/** The columns of a video that YouTube tells. */
export type NewPlaylistVideo = Omit<PlaylistVideosTable, 'added' | 'asked'>

export function createPlaylistVideoStore({ queries, dialect, write }: Database) {
  const selectShown = queries
    .selectFrom('playlist_videos as v')
    .selectAll('v')
    .where((eb) => eb.not(eb.exists(eb.selectFrom('hidden_songs as h').select('h.song_id').whereRef('h.song_id', '=', 'v.song_id'))))

  /** Returns the stored videos with the given ids, in any order, without hidden ones. */
  const listVideos = async (songIds: readonly string[]): Promise<PlaylistVideosTable[]> =>
    songIds.length === 0 ? [] : selectShown.where(sql<boolean>`v.song_id in ${dialect.listOfTexts(songIds)}`).execute()

  return {
    listVideos,
    /** Returns the videos of `listVideos` in the form of songs. */
    listVideoSongs: async (songIds: readonly string[]): Promise<Song[]> => (await listVideos(songIds)).map(toVideoSong),

    /** Notes that stored videos were looked up. */
    noteLookUp: async (songIds: readonly string[], nowMs: number): Promise<void> => {
      if (songIds.length === 0) return
      await write((writeQueries) =>
        writeQueries
          .updateTable('playlist_videos')
          .set({ asked: nowMs })
          .where(sql<boolean>`song_id in ${dialect.listOfTexts(songIds)}`)
          .execute(),
      )
    },

    /** Stores videos that were looked up; the title, the artist and the length of a stored one are replaced. */
    storeVideos: async (newVideos: readonly NewPlaylistVideo[], nowMs: number): Promise<void> => {
      if (newVideos.length === 0) return
      // In one order, so that two transactions with the same videos wait for each other instead of forever.
      const videos = newVideos.toSorted((a, b) => (a.song_id < b.song_id ? -1 : 1))
      await write((writeQueries) =>
        writeQueries
          .insertInto('playlist_videos')
          .values(videos.map((video) => ({ ...video, added: nowMs, asked: nowMs })))
          .onConflict((conflict) =>
            conflict.column('song_id').doUpdateSet((eb) => ({
              title: eb.ref('excluded.title'),
              author_name: eb.ref('excluded.author_name'),
              author_channel_id: eb.ref('excluded.author_channel_id'),
              duration: eb.ref('excluded.duration'),
              asked: eb.ref('excluded.asked'),
            })),
          )
          .execute(),
      )
    },
  }
}
