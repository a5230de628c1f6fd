import type { Airing, StationSong } from '../storage/interfaces/radio.ts'

/** The order in which a station plays its songs: a pure function of the songs and the station's name, so that all processes agree on it. */
export interface Schedule {
  /** The airing after `airing`, or the first one, which starts at `startMs`; `undefined` if the station has no songs. */
  next(airing: Airing | undefined, startMs: number): Airing | undefined
}

export const endMs = ({ startMs, durationS }: Airing): number => startMs + 1000 * durationS

/**
 * Creates the schedule of a station.
 *
 * The songs are divided in two halves by hashes of their ids. A round plays the first half in random order, then the second half, so that more than
 * half of the songs are played between two airings of a song. The random order is that of hashes of round and id. An airing is found by the hash of
 * the one before: songs that an import adds or removes do not move the others.
 */
export function createSchedule(station: string, songs: readonly StationSong[]): Schedule {
  const halfHash = (songId: string) => hash53(`${station}/${songId}`)
  const byHalfHash = songs.toSorted((a, b) => compareByHash(a, b, halfHash))
  const firstCount = Math.floor(songs.length / 2)
  const halves = [byHalfHash.slice(0, firstCount), byHalfHash.slice(firstCount)] as const
  let order: { readonly round: number; readonly half: 0 | 1; readonly songs: readonly StationSong[] } | undefined

  const roundHash = (round: number) => (songId: string) => hash53(`${station}/${round}/${songId}`)

  function orderOf(round: number, half: 0 | 1): readonly StationSong[] {
    if (order?.round !== round || order.half !== half) {
      const hashOf = roundHash(round)
      order = { round, half, songs: halves[half].toSorted((a, b) => compareByHash(a, b, hashOf)) }
    }
    return order.songs
  }

  return {
    next(airing, startMs) {
      const airingOf = (round: number, half: 0 | 1, song: StationSong): Airing => ({
        round,
        half,
        songId: song.id,
        startMs,
        durationS: song.durationS,
      })
      if (airing !== undefined) {
        const { round, half, songId } = airing
        const following = firstAfter(orderOf(round, half), { id: songId }, roundHash(round))
        if (following !== undefined) return airingOf(round, half, following)
        const ofSecondHalf = half === 0 ? orderOf(round, 1)[0] : undefined
        if (ofSecondHalf !== undefined) return airingOf(round, 1, ofSecondHalf)
      }
      const round = airing === undefined ? 0 : airing.round + 1
      const half = firstCount > 0 ? 0 : 1
      const [first] = orderOf(round, half)
      return first && airingOf(round, half, first)
    },
  }
}

/** Orders songs by a hash of their ids, and songs of one hash by their ids. */
function compareByHash(a: Pick<StationSong, 'id'>, b: Pick<StationSong, 'id'>, hashOf: (songId: string) => number): number {
  return hashOf(a.id) - hashOf(b.id) || (a.id < b.id ? -1 : Number(a.id > b.id))
}

/** Returns the first of the ordered songs that comes after `song`, which need not be one of them. */
function firstAfter(
  ordered: readonly StationSong[],
  song: Pick<StationSong, 'id'>,
  hashOf: (songId: string) => number,
): StationSong | undefined {
  let [low, high] = [0, ordered.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const candidate = ordered[middle]
    if (candidate !== undefined && compareByHash(candidate, song, hashOf) > 0) high = middle
    else low = middle + 1
  }
  return ordered[low]
}

/**
 * Hashes a text to a number of 53 bits: two times FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo; RFC 9923) with different primes, each mixed by lowbias32
 * (C. Wellons, "Prospecting for hash functions", 2018).
 */
function hash53(text: string): number {
  let [a, b] = [0x811c9dc5, 0x811c9dc5]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x01000197)
  }
  return (mix32(a) >>> 0) * 2 ** 21 + (mix32(b) >>> 11)
}

function mix32(value: number): number {
  let x = value ^ (value >>> 16)
  x = Math.imul(x, 0x7feb352d)
  x ^= x >>> 15
  x = Math.imul(x, 0x846ca68b)
  return x ^ (x >>> 16)
}
