import type { RadioAiring, Station } from '../../../contract/radio.ts'
import type { PlaybackPosition } from '../player-interface.ts'
import type { SleepSetting } from '../queue.ts'

/**
 * `silent`: nobody has pressed play yet, and nothing of the video platform is loaded. `loading`: play was pressed, and the song or its video is being
 * loaded. `blocked`: the browser requires a user gesture before playback. `unplayable`: the song's video cannot be played; silence lasts until the next one.
 * `failed`: the video platform is unreachable; the player retries by itself.
 */
export type RadioStatus = 'silent' | 'loading' | 'playing' | 'paused' | 'blocked' | 'unplayable' | 'failed'

export interface SongOnAir extends RadioAiring {
  youtube_url: string
  /** Undefined if the song on air is not the one of the latest response, for example while the server does not respond. */
  category_id: string | undefined
  category_name: string | undefined
  next: RadioAiring
  /** The songs that the station played before, newest first. */
  history: readonly RadioAiring[]
}

/** The radio's state except the position. Each change creates a new object. */
export interface RadioState {
  status: RadioStatus
  /** Whether the radio is on, so that `toggle` pauses it. */
  canPause: boolean
  /** The station that was chosen. */
  station: Station
  /** Whether the chosen station has no songs, so that the main station plays instead. */
  playsMain: boolean
  onAir: SongOnAir | undefined
  hasNoSongs: boolean
  /** The server did not respond to the latest request. The songs that are already known are still played. */
  serverUnreachable: boolean
  /** Number of listeners of the station; `undefined` if the site does not publish this number. */
  listeners: number | undefined
  sleep: SleepSetting
  /** The volume, 0 to 1. */
  volume: number
  muted: boolean
  /** Whether the video's frame exists, which requires the platform's script. */
  hasFrame: boolean
}

/** The player of the radio: all listeners hear the same position of a song at the same time. */
export interface RadioPlayer {
  getSnapshot(): RadioState
  subscribe(listener: () => void): () => void
  /** The position in the song that is on air by the schedule, whether this page plays it or not; 0 before the first response. */
  position(): PlaybackPosition
  /** Calls `listener` twice a second. Returns the function that unsubscribes. */
  onPosition(listener: (position: PlaybackPosition) => void): () => void
  play(): void
  pause(): void
  toggle(): void
  setStation(station: Station): void
  setVolume(volume: number): void
  setMuted(muted: boolean): void
  setSleep(sleep: { minutes: number } | 'end-of-song' | 'off'): void
  /** Sets the parent element of the video's frame. The element must never be moved in the document. */
  attachStage(host: HTMLElement): void
  close(): void
}
