import type { Airing, StationSong } from './store.ts'

/** The position of a song in an order, which is determined by hash and id. The song need not be in the catalogue any more. */
interface HashPosition {
  readonly hash: number
  readonly id: string
}
type SongHashPosition = HashPosition & { readonly song: StationSong }

interface RoundOrder {
  readonly round: number
  readonly half: 0 | 1
  readonly songs: readonly SongHashPosition[]
}

/** An airing whose time is not set. */
type UntimedAiring = Omit<Airing, 'startMs'>

export const computeAiringEndMs = ({ startMs, durationS }: Airing): number => startMs + 1000 * durationS

/**
 * Creates the schedule of a station. The songs are divided in two halves by hashes of their ids. A round plays the first half in random order, then
 * the second half, so that more than half of the songs are played between two airings of a song. The random order is that of hashes of round and id.
 * The next airing is the one with the next higher hash. If an import adds or removes songs, the order of the others therefore stays the same, but
 * some may move to the other half. Such a song could be repeated too early, so a song is skipped if it is among the latest airings in `previousAirings`, of
 * which as many are compared as half of the songs.
 */
export function createSchedule(stationKey: string, songs: readonly StationSong[]) {
  const songsByHalfHash = orderByHash(songs, (songId) => hash53(`${stationKey}/${songId}`)).map(({ song }) => song)
  const firstHalfCount = Math.floor(songs.length / 2)
  const songHalves = [songsByHalfHash.slice(0, firstHalfCount), songsByHalfHash.slice(firstHalfCount)] as const
  /** The two orders that were used last. They contain the current song and the next songs. */
  let roundOrders: readonly RoundOrder[] = []

  const createRoundHash = (round: number) => (songId: string) => hash53(`${stationKey}/${round}/${songId}`)

  function computeOrder(roundNumber: number, halfIndex: 0 | 1): readonly SongHashPosition[] {
    const knownOrder = roundOrders.find((order) => order.round === roundNumber && order.half === halfIndex)
    const order = knownOrder ?? {
      round: roundNumber,
      half: halfIndex,
      songs: orderByHash(songHalves[halfIndex], createRoundHash(roundNumber)),
    }
    if (knownOrder === undefined) roundOrders = [order, ...roundOrders].slice(0, 2)
    return order.songs
  }

  const createUntimedAiring = (roundNumber: number, halfIndex: 0 | 1, { song }: SongHashPosition): UntimedAiring => ({
    round: roundNumber,
    half: halfIndex,
    songId: song.id,
    durationS: song.durationS,
  })

  function findFirstUntimedAiring(roundNumber: number): UntimedAiring | undefined {
    const half = firstHalfCount > 0 ? 0 : 1
    const [first] = computeOrder(roundNumber, half)
    return first && createUntimedAiring(roundNumber, half, first)
  }

  function findUntimedAiringAfter(airing: UntimedAiring | undefined): UntimedAiring | undefined {
    if (airing !== undefined) {
      const { round, half, songId } = airing
      const followingPosition = findFirstAfter(computeOrder(round, half), { id: songId, hash: createRoundHash(round)(songId) })
      if (followingPosition !== undefined) return createUntimedAiring(round, half, followingPosition)
      const ofSecondHalf = half === 0 ? computeOrder(round, 1)[0] : undefined
      if (ofSecondHalf !== undefined) return createUntimedAiring(round, 1, ofSecondHalf)
    }
    return findFirstUntimedAiring(airing === undefined ? 0 : airing.round + 1)
  }

  const createAiring = (untimedAiring: UntimedAiring | undefined, startMs: number): Airing | undefined =>
    untimedAiring && { ...untimedAiring, startMs }

  return {
    /** The first airing of a round. */
    firstOf: (round: number, startMs: number): Airing | undefined => createAiring(findFirstUntimedAiring(round), startMs),
    /** The length of a round in milliseconds. */
    roundMs: songs.reduce((sum, { durationS }) => sum + 1000 * durationS, 0),
    songCount: songs.length,
    /**
     * Returns the airing that follows the latest one and starts at `startMs`. `previousAirings` are the earlier airings, newest first; if there are none,
     * the first airing of the station is returned. `undefined` if the station has no songs.
     */
    next(previousAirings: readonly Airing[], startMs: number): Airing | undefined {
      const recentIds = new Set(previousAirings.slice(0, firstHalfCount).map(({ songId }) => songId))
      let untimedAiring: UntimedAiring | undefined = findUntimedAiringAfter(previousAirings[0])
      while (untimedAiring !== undefined && recentIds.has(untimedAiring.songId)) untimedAiring = findUntimedAiringAfter(untimedAiring)
      return createAiring(untimedAiring, startMs)
    },
  }
}
/** The order in which a station plays its songs: a pure function of the songs and the station's name, so that all processes agree on it. */
export type Schedule = ReturnType<typeof createSchedule>

/** Orders songs by a hash of their ids, and songs with equal hashes by id. */
function orderByHash(songs: readonly StationSong[], hashOf: (songId: string) => number): SongHashPosition[] {
  return songs.map((song) => ({ song, id: song.id, hash: hashOf(song.id) })).sort(compareHashPositions)
}

const compareHashPositions = (a: HashPosition, b: HashPosition): number => a.hash - b.hash || (a.id < b.id ? -1 : Number(a.id > b.id))

/** Returns the first of the ordered songs after `position`. The song of `position` need not be among them. */
function findFirstAfter(orderedSongs: readonly SongHashPosition[], position: HashPosition): SongHashPosition | undefined {
  let [lowIndex, highIndex] = [0, orderedSongs.length]
  while (lowIndex < highIndex) {
    const middleIndex = (lowIndex + highIndex) >> 1
    const candidate = orderedSongs[middleIndex]
    if (candidate !== undefined && compareHashPositions(candidate, position) > 0) highIndex = middleIndex
    else lowIndex = middleIndex + 1
  }
  return orderedSongs[lowIndex]
}

/**
 * Hashes a text to a number of 53 bits: two times FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo; RFC 9923) with different primes, each mixed by lowbias32
 * (C. Wellons, "Prospecting for hash functions", 2018).
 */
function hash53(hashedText: string): number {
  let [firstHash, secondHash] = [0x811c9dc5, 0x811c9dc5]
  for (let index = 0; index < hashedText.length; index++) {
    const code = hashedText.charCodeAt(index)
    firstHash = Math.imul(firstHash ^ code, 0x01000193)
    secondHash = Math.imul(secondHash ^ code, 0x01000197)
  }
  return (mix32(firstHash) >>> 0) * 2 ** 21 + (mix32(secondHash) >>> 11)
}

function mix32(hashValue: number): number {
  let hashState = hashValue ^ (hashValue >>> 16)
  hashState = Math.imul(hashState, 0x7feb352d)
  hashState ^= hashState >>> 15
  hashState = Math.imul(hashState, 0x846ca68b)
  return hashState ^ (hashState >>> 16)
}
