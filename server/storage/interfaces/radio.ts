import type { Song } from '../../../contract/song.ts'
import type { SongView } from './songs.ts'

/** A song of a station. The length is in whole seconds. */
export interface StationSong {
  readonly id: string
  readonly durationS: number
}

/** What a station plays at a time: a song of a round. In each round every song is played once. */
export interface Airing {
  readonly round: number
  /** The half of the round. A song may belong to the other half after an import. */
  readonly half: 0 | 1
  readonly songId: string
  readonly startMs: number
  readonly durationS: number
}

/** Where the songs of a station come from: all songs, a playlist or category, or the songs of the Academy's members. */
export type StationSource = { kind: 'all' } | { kind: 'playlist' | 'category'; id: string } | { kind: 'academy' }

/** What a station plays, and what it played before, newest first. */
export interface StationState {
  airing: Airing
  history: readonly Airing[]
}

/** The listeners that a process has counted, some of them if they are many. `ids` are ascending fractions of 2^48. */
export interface ListenerSample {
  readonly processId: string
  readonly brandId: string
  readonly station: string
  readonly ids: readonly number[]
}

export interface RadioStore {
  /** Lists the songs of known length, the excluded ones too, in any order. */
  listSongs(source: StationSource): Promise<StationSong[]>
  /** Lists the ids of the songs that are excluded because they cannot be played. */
  listExcluded(): Promise<string[]>
  readSongs(songIds: readonly string[], view: SongView): Promise<Song[]>
  /** Returns the state that `advance` has stored; `undefined` before the first time. */
  read(brandId: string, station: string): Promise<StationState | undefined>
  /** Replaces the state whose airing is `from`. Returns false if another process was faster: the state is then another one. */
  advance(brandId: string, station: string, from: Airing | undefined, to: StationState): Promise<boolean>
  /** Stores a process's sample in the place of its last one, deletes samples of before `sinceMs`, and returns those of the station's other processes. */
  exchangeListeners(sample: ListenerSample, time: { atMs: number; sinceMs: number }): Promise<readonly (readonly number[])[]>
}
