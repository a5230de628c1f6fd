import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Song } from '../../contract/song.ts'
import { type SongReadOptions, songColumns, songDuration, toSong } from '../catalogue/store-song-rows.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { contextKinds } from '../storage/schema.ts'

/** The state of a radio station. `state` contains the airing of the current song and the airings before it (JSON). */
interface RadioStationsTable {
  brand_id: string
  station: string
  song_id: string
  start: number
  state: string
}

/** The listeners that a process has counted at a station. `ids` are hashes of their client ids (JSON). */
interface RadioListenersTable {
  process_id: string
  brand_id: string
  station: string
  ids: string
  counted_at: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    radio_stations: RadioStationsTable
    radio_listeners: RadioListenersTable
  }
}

export const createRadioStationsTable = ({ text }: SqlTypes): string[] => [
  `create table radio_stations (
    brand_id ${text} not null, station ${text} not null, song_id ${text} not null, start bigint not null, state ${text} not null,
    primary key (brand_id, station))`,
]

export const createRadioListenersTable = ({ text }: SqlTypes): string[] => [
  `create table radio_listeners (
    process_id ${text} not null, brand_id ${text} not null, station ${text} not null, ids ${text} not null, counted_at bigint not null,
    primary key (process_id, brand_id, station))`,
]

/** A song of a station. The length is in whole seconds. */
export interface StationSong {
  readonly id: string
  readonly durationS: number
}

/** A song of a station with its time. Songs are played in rounds, in each of which every song is played once. */
export interface Airing {
  readonly round: number
  /** The half of the round in which the song is played. After an import, a song may belong to the other half. */
  readonly half: 0 | 1
  readonly songId: string
  readonly startMs: number
  readonly durationS: number
}

/** The source of a station's songs: all songs, a playlist or category, or the songs of the Academy's members. */
export type StationSource = { kind: 'all' } | { kind: 'playlist' | 'category'; id: string } | { kind: 'academy' }

/** The airing that a station plays, and the airings before it, newest first. */
export interface StationState {
  airing: Airing
  history: readonly Airing[]
}

/**
 * The listeners that a process has counted at a station; a sample of them if there are many. `ids` are 48-bit hashes in ascending order, as
 * fractions of 2^48.
 */
export interface ListenerSample {
  readonly processId: string
  readonly brandId: string
  readonly station: string
  readonly ids: readonly number[]
}

/**
 * The number of songs that are read at a time, so that other requests do not wait for all songs of a station. Reading them takes some 10 ms. With
 * smaller slices, listeners would wait longer for the first answer of a busy server, because it answers other requests after each slice.
 */
const SONGS_PER_READ = 10_000

type PlacedSong = StationSong & { readonly place: number }

/** Reads songs in slices: `readSlice` returns the first songs whose place is greater than `placeBefore`, in the order of their places. */
async function readInSlices(readSlice: (placeBefore: number) => Promise<PlacedSong[]>): Promise<StationSong[]> {
  const songs: StationSong[] = []
  for (let placeBefore = 0; ; await nextTurn()) {
    const slice = await readSlice(placeBefore)
    for (const { id, durationS } of slice) songs.push({ id, durationS })
    const lastSong = slice.at(-1)
    if (lastSong === undefined || slice.length < SONGS_PER_READ) return songs
    placeBefore = lastSong.place
  }
}

/** The time after which listeners are deleted. Processes that exchange listeners delete old ones after seconds. */
const LISTENER_RETENTION_MS = 60_000

export async function deleteOldListeners(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('radio_listeners')
    .where('counted_at', '<', nowMs - LISTENER_RETENTION_MS)
    .execute()
}

export function createRadioStore(database: Database) {
  const { queries, dialect } = database
  const songsOfKnownLength = queries
    .selectFrom('catalogue.songs as s')
    .select(['s.youtube_id as id', songDuration.as('durationS')])
    .where(songDuration, '>', 0)
    .$narrowType<{ durationS: number }>()
    .limit(SONGS_PER_READ)
  const songsByRank = songsOfKnownLength.select('s.rank as place').orderBy('s.rank')

  return {
    /** Lists the songs of known length in any order, including excluded songs. If the catalogue is replaced meanwhile, some songs may be of the new one. */
    async listSongs(source: StationSource): Promise<StationSong[]> {
      if (source.kind === 'all') return readInSlices((rankBefore) => songsByRank.where('s.rank', '>', rankBefore).execute())
      if (source.kind === 'academy')
        return readInSlices((rankBefore) =>
          songsByRank
            .where('s.rank', '>', rankBefore)
            .where('s.author_channel_id', 'in', (eb) => eb.selectFrom('members').select('channel_id').where('academy', '=', 1))
            .execute(),
        )
      const contextKindNumbers = source.kind === 'category' ? [contextKinds.category] : [contextKinds.playlist, contextKinds.computed]
      return readInSlices((positionBefore) =>
        songsOfKnownLength
          .innerJoin('catalogue.context_songs as cs', 'cs.song_rank', 's.rank')
          .select('cs.position as place')
          .where('cs.context_no', '=', (eb) =>
            eb
              .selectFrom('catalogue.contexts')
              .select('no')
              .where('id', '=', source.id)
              .where('kind', 'in', contextKindNumbers)
              .orderBy('kind')
              .limit(1),
          )
          .where('cs.position', '>', positionBefore)
          .orderBy('cs.position')
          .execute(),
      )
    },
    /** Lists the ids of the songs that are excluded because they cannot be played. */
    listExcluded: async (): Promise<string[]> =>
      (await queries.selectFrom('unplayable_songs').select('song_id').execute()).map(({ song_id }) => song_id),
    readSongs: async (songIds: readonly string[], readOptions: SongReadOptions): Promise<Song[]> => {
      const songRows = await queries
        .selectFrom('catalogue.songs as s')
        .select(songColumns)
        .where(sql<boolean>`s.youtube_id in ${dialect.listOfTexts(songIds)}`)
        .execute()
      return songRows.map((row) => toSong(row, readOptions))
    },
    /** Returns the state that `advance` has stored; `undefined` before the first time. */
    read: async (brandId: string, stationName: string): Promise<StationState | undefined> => {
      const stateRow = await queries
        .selectFrom('radio_stations')
        .select('state')
        .where('brand_id', '=', brandId)
        .where('station', '=', stationName)
        .executeTakeFirst()
      // The cast is safe, because only `advance` writes the column.
      return stateRow && JSON.parse(stateRow.state)
    },
    /**
     * Stores the sample of a process in place of its previous one, deletes samples from before `sinceMs`, and returns the samples of the same
     * station from other processes.
     */
    exchangeListeners: (
      { processId, brandId, station, ids }: ListenerSample,
      { atMs, sinceMs }: { atMs: number; sinceMs: number },
    ): Promise<readonly (readonly number[])[]> =>
      database.write(async (writeQueries) => {
        const listenerColumns = { ids: JSON.stringify(ids), counted_at: atMs }
        // Samples with a time in the future are deleted too, because a process with a wrong clock may have stored them.
        await writeQueries
          .deleteFrom('radio_listeners')
          .where((eb) => eb.or([eb('counted_at', '<', sinceMs), eb('counted_at', '>', 2 * atMs - sinceMs)]))
          .execute()
        await writeQueries
          .insertInto('radio_listeners')
          .values({ process_id: processId, brand_id: brandId, station, ...listenerColumns })
          .onConflict((conflict) => conflict.columns(['process_id', 'brand_id', 'station']).doUpdateSet(listenerColumns))
          .execute()
        const otherProcessRows = await writeQueries
          .selectFrom('radio_listeners')
          .select('ids')
          .where('brand_id', '=', brandId)
          .where('station', '=', station)
          .where('process_id', '<>', processId)
          .execute()
        // The casts are safe, because only this function writes the column.
        return otherProcessRows.map((row): readonly number[] => JSON.parse(row.ids))
      }),
    /** Replaces the stored state if its airing is `airingBefore`. Returns false if another process has replaced it already. */
    advance: (brandId: string, stationName: string, airingBefore: Airing | undefined, newState: StationState): Promise<boolean> =>
      database.write(async (writeQueries) => {
        const stateColumns = { song_id: newState.airing.songId, start: newState.airing.startMs, state: JSON.stringify(newState) }
        if (airingBefore === undefined) {
          const { numInsertedOrUpdatedRows } = await writeQueries
            .insertInto('radio_stations')
            .values({ brand_id: brandId, station: stationName, ...stateColumns })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          return numInsertedOrUpdatedRows === 1n
        }
        const { numUpdatedRows } = await writeQueries
          .updateTable('radio_stations')
          .set(stateColumns)
          .where('brand_id', '=', brandId)
          .where('station', '=', stationName)
          .where('song_id', '=', airingBefore.songId)
          .where('start', '=', airingBefore.startMs)
          .executeTakeFirst()
        return numUpdatedRows === 1n
      }),
  }
}
export type RadioStore = ReturnType<typeof createRadioStore>
