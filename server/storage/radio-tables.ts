/* The tables of the radio, and of what players report under the ids of a day. */

/** What a station of the radio plays. `state` has the song's airing and the airings before (JSON). */
export interface RadioStationsTable {
  brand_id: string
  station: string
  song_id: string
  start: number
  state: string
}

/** The listeners of a station that a process has counted. `ids` are hashes of their client ids (JSON). */
export interface RadioListenersTable {
  process_id: string
  brand_id: string
  station: string
  ids: string
  counted_at: number
}

/** The salt of a day's client ids. `day` is days since the epoch, UTC. */
export interface DailySaltsTable {
  day: number
  salt: string
}

/** A song's length as a client's player reported it. `day` is that of the client id's salt. */
export interface DurationReportsTable {
  song_id: string
  client_id: string
  day: number
  duration: number
}

/** A song's length on which players agreed, for songs whose import states none. */
export interface LearnedDurationsTable {
  song_id: string
  duration: number
}
