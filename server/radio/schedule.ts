import type { Airing, StationSong } from './store.ts'

/** The position of a song in an order, which is determined by hash and id. The song need not be in the catalogue any more. */
interface HashPosition {
  readonly hash: number
  readonly id: string
}

interface RoundOrder {
  readonly round: number
  readonly half: 0 | 1
  readonly songs: HashOrder
}

/** The average number of songs in a bucket of a `HashOrder`. */
const SONGS_PER_BUCKET = 16

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
  const firstHalfCount = Math.floor(songs.length / 2)
  const songHalves = createHashOrder(songs, createHash53(`${stationKey}/`)).split(firstHalfCount)
  /** The two orders that were used last. They contain the current song and the next songs. */
  let roundOrders: readonly RoundOrder[] = []

  function computeOrder(roundNumber: number, halfIndex: 0 | 1): HashOrder {
    const knownOrder = roundOrders.find((order) => order.round === roundNumber && order.half === halfIndex)
    const order = knownOrder ?? {
      round: roundNumber,
      half: halfIndex,
      songs: createHashOrder(songHalves[halfIndex], createHash53(`${stationKey}/${roundNumber}/`)),
    }
    if (knownOrder === undefined) roundOrders = [order, ...roundOrders].slice(0, 2)
    return order.songs
  }

  const createUntimedAiring = (roundNumber: number, halfIndex: 0 | 1, { id, durationS }: StationSong): UntimedAiring => ({
    round: roundNumber,
    half: halfIndex,
    songId: id,
    durationS,
  })

  function findFirstUntimedAiring(roundNumber: number): UntimedAiring | undefined {
    const half = firstHalfCount > 0 ? 0 : 1
    const first = computeOrder(roundNumber, half).findFirst()
    return first && createUntimedAiring(roundNumber, half, first)
  }

  function findUntimedAiringAfter(airing: UntimedAiring | undefined): UntimedAiring | undefined {
    if (airing !== undefined) {
      const { round, half, songId } = airing
      const followingSong = computeOrder(round, half).findFirstAfter(songId)
      if (followingSong !== undefined) return createUntimedAiring(round, half, followingSong)
      const ofSecondHalf = half === 0 ? computeOrder(round, 1).findFirst() : undefined
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

/**
 * Orders songs by a hash of their ids, and songs with equal hashes by id. The songs are stored in buckets of neighbouring hashes, and a bucket is only
 * sorted when it is read, because only the next songs are read before a change of the catalogue replaces the order.
 */
function createHashOrder(songs: readonly StationSong[], hashOf: (songId: string) => number) {
  const bucketCount = Math.ceil(songs.length / SONGS_PER_BUCKET)
  const buckets: StationSong[][] = Array.from({ length: bucketCount }, () => [])
  const findBucketIndex = (hash: number): number => Math.floor((hash / 2 ** 53) * bucketCount)
  for (const song of songs) buckets[findBucketIndex(hashOf(song.id))]?.push(song)

  /** Returns the songs of a bucket after `position`, in order. */
  const listAfter = (bucket: readonly StationSong[], position: HashPosition): StationSong[] =>
    bucket
      .map((song) => ({ song, id: song.id, hash: hashOf(song.id) }))
      .filter((songPosition) => compareHashPositions(songPosition, position) > 0)
      .sort(compareHashPositions)
      .map(({ song }) => song)

  function findFirstAfterPosition(position: HashPosition): StationSong | undefined {
    for (let bucketIndex = findBucketIndex(position.hash); bucketIndex < bucketCount; bucketIndex++) {
      const [song] = listAfter(buckets[bucketIndex] ?? [], position)
      if (song !== undefined) return song
    }
    return undefined
  }

  return {
    findFirst: () => findFirstAfterPosition(START_POSITION),
    /** Returns the first song after another one, which need not be among the songs. */
    findFirstAfter: (songId: string) => findFirstAfterPosition({ id: songId, hash: hashOf(songId) }),
    /** Returns the first `count` songs, and the others, each in any order. */
    split(count: number): readonly [StationSong[], StationSong[]] {
      const parts: [StationSong[], StationSong[]] = [[], []]
      const [firstSongs, otherSongs] = parts
      for (const bucket of buckets) {
        const missingCount = count - firstSongs.length
        if (bucket.length <= missingCount) firstSongs.push(...bucket)
        else if (missingCount === 0) otherSongs.push(...bucket)
        else {
          const orderedSongs = listAfter(bucket, START_POSITION)
          firstSongs.push(...orderedSongs.slice(0, missingCount))
          otherSongs.push(...orderedSongs.slice(missingCount))
        }
      }
      return parts
    },
  }
}
type HashOrder = ReturnType<typeof createHashOrder>

/** A position before all songs, because ids are not empty. */
const START_POSITION: HashPosition = { hash: 0, id: '' }

const compareHashPositions = (a: HashPosition, b: HashPosition): number => a.hash - b.hash || (a.id < b.id ? -1 : Number(a.id > b.id))

/**
 * Creates a function that hashes the text `prefix + id` to a number of 53 bits: two times FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo; RFC 9923) with different
 * primes, each mixed by lowbias32 (C. Wellons, "Prospecting for hash functions", 2018).
 */
function createHash53(prefix: string): (id: string) => number {
  const [firstPrefixHash, secondPrefixHash] = [
    hashFnv1a(prefix, FNV_OFFSET_BASIS, FNV_PRIME),
    hashFnv1a(prefix, FNV_OFFSET_BASIS, SECOND_PRIME),
  ]
  return (id) =>
    (mix32(hashFnv1a(id, firstPrefixHash, FNV_PRIME)) >>> 0) * 2 ** 21 + (mix32(hashFnv1a(id, secondPrefixHash, SECOND_PRIME)) >>> 11)
}

const FNV_OFFSET_BASIS = 0x811c9dc5
const FNV_PRIME = 0x01000193
const SECOND_PRIME = 0x01000197

/** Returns the hash of a longer text: one that has the hash `hashBefore`, followed by `text`. */
function hashFnv1a(text: string, hashBefore: number, prime: number): number {
  let hash = hashBefore
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), prime)
  return hash
}

function mix32(hashValue: number): number {
  let hashState = hashValue ^ (hashValue >>> 16)
  hashState = Math.imul(hashState, 0x7feb352d)
  hashState ^= hashState >>> 15
  hashState = Math.imul(hashState, 0x846ca68b)
  return hashState ^ (hashState >>> 16)
}
