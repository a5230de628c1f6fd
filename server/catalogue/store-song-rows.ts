import { sql } from 'kysely'
import type { Song } from '../../contract/song.ts'
import { createWatchUrl } from '../../contract/youtube.ts'
import type { Database } from '../storage/database.ts'
import { prepareQuery } from '../storage/prepare-query.ts'
import type { SongsTable } from '../storage/schema.ts'
import { formatIsoTime } from '../text/iso-time.ts'

/** Options of a brand that affect how songs are returned. */
export interface SongReadOptions {
  /** Songs that were added at or after this time (epoch milliseconds) are marked as new. */
  newSinceMs: number
  /** Songs that were added after this time (epoch milliseconds) are not marked as new. Without this option, there is no latest time. */
  newUntilMs?: number
}

/** A song's length: the imported one, or else the one that players have reported. */
export const songDuration = sql<number | null>`coalesce(s.duration, (select duration from learned_durations where song_id = s.youtube_id))`

/** Columns of a song in a list, which does not include its description. */
export const songColumns = [
  's.rank',
  's.youtube_id',
  's.title',
  's.author_name',
  's.author_channel_id',
  's.category_id',
  's.category_name',
  's.date_added',
  songDuration.as('duration'),
] as const

type ColumnName<Selected> = Selected extends `s.${infer Name extends keyof SongsTable}` ? Name : never

export type SongRow = Pick<SongsTable, ColumnName<(typeof songColumns)[number]> | 'duration'>

/** The first, the next and the previous playable song of the context that contains another song; null where there is none. */
export interface Neighbours {
  first_song: string | null
  first_title: string | null
  next: string | null
  next_title: string | null
  previous: string | null
}

export function toSong(row: SongRow, readOptions: SongReadOptions): Song {
  // V8 takes several times as long for an object with spreads, and a long list has many songs.
  const song: Song = {
    youtube_id: row.youtube_id,
    youtube_url: createWatchUrl(row.youtube_id),
    title: row.title,
    author_name: row.author_name,
    category_id: row.category_id,
    category_name: row.category_name,
    date_added: formatIsoTime(row.date_added),
    new: row.date_added >= readOptions.newSinceMs && row.date_added <= (readOptions.newUntilMs ?? row.date_added) ? 'true' : 'false',
  }
  if (row.author_channel_id !== null) song.author_channel_id = row.author_channel_id
  if (row.duration !== null) song.duration = row.duration
  return song
}

/** Creates the function that returns the rows of the songs of the given ranks, in any order. */
export function createSongRowReader({ queries, dialect }: Database) {
  const selectRows = prepareQuery<{ ranks: string }, SongRow>(queries, ['ranks'], ({ ranks }) =>
    queries
      .selectFrom('catalogue.songs as s')
      .select(songColumns)
      .where(sql<boolean>`s.rank in ${dialect.listOfNumbers(ranks)}`),
  )
  return (ranks: readonly number[]): Promise<SongRow[]> => selectRows({ ranks: dialect.serializeNumberList(ranks) })
}
