import type { RadioAiring, RadioProgramme } from '../../../contract/radio.ts'

/** A response of the radio endpoint, without the fields that differ in every response. */
export type StationResponse = Omit<RadioProgramme, 'server_time' | 'listeners'>

/** The song that a station plays at a given time, and the known songs before and after it. */
export interface AiringContext {
  current: RadioAiring
  /** The airings that follow the current one, at least one. */
  upcoming: readonly [RadioAiring, ...RadioAiring[]]
  /** The airings before the current one, newest first. */
  history: readonly RadioAiring[]
}

const UPCOMING_COUNT = 5
const HISTORY_SONG_COUNT = 20

export const parseStartMs = (airing: RadioAiring): number => Date.parse(airing.start_time)
export const computeEndMs = (airing: RadioAiring): number => parseStartMs(airing) + 1000 * airing.duration
/** Returns the scheduled position of an airing in seconds at `atMs` (server time); 0 while the server time is unknown. */
export const computeScheduledSeconds = (airing: RadioAiring, atMs: number | undefined): number =>
  atMs === undefined ? 0 : (atMs - parseStartMs(airing)) / 1000

/**
 * Returns the song that a station plays at `atMs` (server time), derived from the server's response `stationResponse`. After its last song, its
 * songs are repeated in their order, so that clients with the same response play the same song while the server is unreachable.
 */
export function findAiringsAt(stationResponse: StationResponse, atMs: number): AiringContext {
  const { youtube_id, title, author_name, start_time, duration } = stationResponse
  const knownAirings = [
    ...stationResponse.history.toReversed(),
    { youtube_id, title, author_name, start_time, duration },
    ...stationResponse.upcoming,
  ]
  const airings = appendRepetitions(knownAirings, atMs)
  const currentIndex = Math.max(
    0,
    airings.findLastIndex((airing) => parseStartMs(airing) <= atMs),
  )
  const [current, next, ...later] = airings.slice(currentIndex, currentIndex + 1 + UPCOMING_COUNT)
  if (current === undefined || next === undefined) throw new RangeError('The schedule has no song then.')
  return { current, upcoming: [next, ...later], history: airings.slice(0, currentIndex).slice(-HISTORY_SONG_COUNT).toReversed() }
}

/** Appends repetitions of `knownAirings` until enough songs follow the song that plays at `atMs`. */
function appendRepetitions(knownAirings: readonly RadioAiring[], atMs: number): RadioAiring[] {
  const airings = [...knownAirings]
  const repetitionMs = knownAirings.reduce((sum, { duration }) => sum + 1000 * duration, 0)
  // Songs without a duration would make the loop below endless.
  if (!knownAirings.every(({ duration }) => duration >= 1)) throw new RangeError('A song has no time.')
  let lastAiringEndMs = Math.max(...knownAirings.map(computeEndMs))
  // Leaves out repetitions that have ended, except the latest, which provides the previous songs.
  if (atMs - lastAiringEndMs > 2 * repetitionMs) {
    lastAiringEndMs += repetitionMs * (Math.floor((atMs - lastAiringEndMs) / repetitionMs) - 1)
    airings.length = 0
  }
  const areAiringsEnough = () => airings.filter((airing) => parseStartMs(airing) > atMs).length >= UPCOMING_COUNT
  while (!areAiringsEnough()) {
    for (const airing of knownAirings) {
      airings.push({ ...airing, start_time: new Date(lastAiringEndMs).toISOString() })
      lastAiringEndMs += 1000 * airing.duration
    }
  }
  return airings
}
