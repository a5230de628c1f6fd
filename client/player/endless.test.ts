import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { NO_CATEGORY_ID } from '../../contract/song-rules.ts'
import { ApiCallError } from '../platform/api.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import { createRelatedSongsAdder } from './endless.ts'
import { createPlaybackSessionStore } from './playback-session-store.ts'
import {
  emptyQueue,
  type QueueAction,
  type QueueState,
  RECENT_SONGS_MAX,
  reduceQueue,
  stepOnBack,
  stepOnSkip,
  stepOnSongEnd,
} from './queue.ts'

function createSong(index: number, artistName: string, categoryName: string): Song {
  const songId = `song${index}`
  return {
    youtube_id: songId,
    youtube_url: `https://www.youtube.com/watch?v=${songId}`,
    title: `Title ${index}`,
    author_name: artistName,
    category_id: categoryName,
    category_name: categoryName,
    date_added: '2026-01-01T00:00:00Z',
    new: 'false',
  }
}

/** Returns songs of a few artists in a few categories. */
const createCatalogueSongs = (count: number, artists = 1, categories = 1): Song[] =>
  Array.from({ length: count }, (_, index) => createSong(index, `artist${index % artists}`, `category${index % categories}`))

const areSongsRelated = (a: Song, b: Song) =>
  a.youtube_id !== b.youtube_id && a.category_id !== NO_CATEGORY_ID && (a.author_name === b.author_name || a.category_id === b.category_id)

/** A queue to which related songs of `catalogue` are added as in the player. */
function setUp(catalogue: readonly Song[]) {
  let queueState: QueueState = emptyQueue
  const relatedRequests: { songId: string; excludedIds: readonly string[] }[] = []
  let isDeviceOnline = true
  const playerModel = {
    get queue() {
      return queueState
    },
    dispatch(action: QueueAction) {
      queueState = reduceQueue(queueState, action)
    },
  }
  const addRelated = createRelatedSongsAdder(playerModel, async (seedSong, excludedIds) => {
    relatedRequests.push({ songId: seedSong.youtube_id, excludedIds })
    if (!isDeviceOnline) return undefined
    const skipped = new Set(excludedIds)
    return catalogue.filter((song) => areSongsRelated(seedSong, song) && !skipped.has(song.youtube_id)).slice(0, 10)
  })
  const dispatchAction = async (action: QueueAction) => {
    playerModel.dispatch(action)
    await addRelated()
  }
  /** Plays the next song. Returns false if there is none. */
  async function playNext(): Promise<boolean> {
    const queueStep = stepOnSkip(queueState)
    if (queueStep.kind === 'take') await dispatchAction({ type: 'take', index: 0 })
    else if (queueStep.kind === 'wrap') await dispatchAction({ type: 'wrap' })
    else if (queueStep.kind !== 'related') return false
    else {
      await addRelated()
      return stepOnSkip(queueState).kind === 'take' && playNext()
    }
    return true
  }
  return {
    model: playerModel,
    requests: relatedRequests,
    addRelated,
    dispatch: dispatchAction,
    advance: playNext,
    goOffline: () => {
      isDeviceOnline = false
    },
    goOnline: () => {
      isDeviceOnline = true
    },
    currentId: () => queueState.current?.youtube_id ?? '',
    entryIds: () => queueState.entries.map((entry) => entry.song.youtube_id),
    startRadio: (song: Song) => dispatchAction({ type: 'open', song, links: undefined, context: undefined, isSongRadio: true }),
    openList: (songs: readonly Song[], at = 0) =>
      dispatchAction({ type: 'open', song: songs[at] ?? createSong(0, '', ''), links: undefined, context: { songs, complete: true } }),
  }
}

const anyCatalogue = fc
  .record({ count: fc.integer({ min: 1, max: 240 }), artists: fc.integer({ min: 1, max: 30 }), categories: fc.integer({ min: 1, max: 6 }) })
  .map(({ count, artists, categories }) => createCatalogueSongs(count, artists, categories))

/** Actions of a person between songs. None of these actions by itself repeats a song. */
const anyGesture = fc.oneof(
  fc.record({ type: fc.constant('remove' as const), index: fc.nat(12) }),
  fc.record({ type: fc.constant('move' as const), from: fc.nat(12), to: fc.nat(12) }),
  fc.record({ type: fc.constant('shuffle' as const), shuffle: fc.boolean() }),
  fc.record({ type: fc.constant('take' as const), index: fc.nat(5) }),
  fc.record({ type: fc.constant('loop' as const), loop: fc.boolean() }),
)

describe('laws of related songs', () => {
  test('whatever a person does, a radio of many songs repeats none of the songs played last and adds no removed song, and the queue stays short', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 120, max: 240 }).map((count) => createCatalogueSongs(count)),
        fc.nat(),
        fc.array(fc.option(anyGesture), { minLength: 150, maxLength: 150 }),
        async (catalogueSongs, startIndex, gestures) => {
          const player = setUp(catalogueSongs)
          await player.startRadio(catalogueSongs[startIndex % catalogueSongs.length] ?? createSong(0, '', ''))
          const recentSongIds = [player.currentId()]
          const expectNotRecent = (songId: string) => {
            expect(recentSongIds).not.toContain(songId)
            recentSongIds.push(songId)
            if (recentSongIds.length > RECENT_SONGS_MAX) recentSongIds.shift()
          }
          for (const gesture of gestures) {
            if (gesture) {
              const removedId = gesture.type === 'remove' ? player.entryIds()[gesture.index] : undefined
              const lastSongId = player.currentId()
              await player.dispatch(gesture)
              if (removedId !== undefined) expectNotRecent(removedId)
              if (player.currentId() !== lastSongId) expectNotRecent(player.currentId())
            }
            const { queue } = player.model
            expect(new Set(player.entryIds()).size).toBe(queue.entries.length)
            expect(player.entryIds()).not.toContain(player.currentId())
            expect(queue.entries.length).toBeLessThanOrEqual(12)
            expect(queue.recentSongIds.length).toBeLessThanOrEqual(RECENT_SONGS_MAX)
            expect(queue.history.length).toBeLessThanOrEqual(100)
            expect(await player.advance()).toBe(true)
            expectNotRecent(player.currentId())
          }
          expect(Math.max(...player.requests.map(({ excludedIds }) => excludedIds.length))).toBeLessThanOrEqual(100)
        },
      ),
      { numRuns: 20 },
    )
  })

  test('a radio ends only if no other song is related to its song; it never plays the same song twice in a row', async () => {
    await fc.assert(
      fc.asyncProperty(anyCatalogue, fc.nat(), async (catalogueSongs, startIndex) => {
        const player = setUp(catalogueSongs)
        const firstSong = catalogueSongs[startIndex % catalogueSongs.length] ?? createSong(0, '', '')
        await player.startRadio(firstSong)
        const hasRelatedSongs = catalogueSongs.some((song) => areSongsRelated(firstSong, song))
        for (let count = 0; count < 300; count += 1) {
          const lastSongId = player.currentId()
          expect(await player.advance()).toBe(hasRelatedSongs)
          if (!hasRelatedSongs) return
          expect(player.currentId()).not.toBe(lastSongId)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('a radio of few songs plays each of them before it begins again, with those that were played longest ago', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 2, max: RECENT_SONGS_MAX }), async (songCount) => {
        const player = setUp(createCatalogueSongs(songCount))
        await player.startRadio(createSong(0, 'artist0', 'category0'))
        const playedIds = [player.currentId()]
        while (playedIds.length < 3 * songCount) {
          expect(await player.advance()).toBe(true)
          playedIds.push(player.currentId())
        }
        expect(new Set(playedIds.slice(0, songCount)).size).toBe(songCount)
        for (const [index, songId] of playedIds.entries())
          expect(playedIds.slice(index + 1, index + Math.ceil(songCount / 2))).not.toContain(songId)
      }),
      { numRuns: 20 },
    )
  })

  test('a radio never ends if more songs are related than the queue remembers as recently played', async () => {
    const player = setUp(createCatalogueSongs(RECENT_SONGS_MAX + 4))
    await player.startRadio(createSong(0, 'artist0', 'category0'))
    for (let song = 0; song < 1_000; song++) expect(await player.advance()).toBe(true)
  })

  test('a list is played to its end in its order, then related songs follow, which are marked as such', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), fc.nat(), fc.boolean(), async (songCount, startNumber, isShuffled) => {
        const songs = createCatalogueSongs(60)
        const listSongs = songs.slice(0, songCount)
        const startIndex = startNumber % songCount
        const player = setUp(songs)
        await player.dispatch({ type: 'endless', endless: true })
        await player.openList(listSongs, startIndex)
        await player.dispatch({ type: 'shuffle', shuffle: isShuffled })
        const listEntries = player.model.queue.entries.filter((entry) => !entry.related)
        expect(listEntries).toHaveLength(isShuffled ? songCount - 1 : songCount - 1 - startIndex)
        for (const { song } of listEntries) {
          expect(await player.advance()).toBe(true)
          expect(player.currentId()).toBe(song.youtube_id)
        }
        expect(player.model.queue.entries.length).toBeGreaterThan(0)
        expect(player.model.queue.entries.every((entry) => entry.related && !entry.queued)).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

test('endless off: the first song of the list comes next, and no related songs are requested', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.openList(createCatalogueSongs(2), 1)
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'wrap' })
  expect(player.requests).toEqual([])
})

test('endless: when it is off, related songs leave the queue and the first song of the list is next; a song radio keeps its songs', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.dispatch({ type: 'endless', endless: true })
  await player.openList(createCatalogueSongs(2), 1)
  expect(player.entryIds()).toHaveLength(10)
  await player.dispatch({ type: 'endless', endless: false })
  expect(player.entryIds()).toEqual([])
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'wrap' })
  await player.startRadio(createSong(3, 'artist0', 'category0'))
  await player.dispatch({ type: 'endless', endless: false })
  expect(player.entryIds()).toHaveLength(10)
})

test.each([
  ['an empty catalogue', []],
  ['a song without relatives', [createSong(0, 'a', 'x'), createSong(1, 'b', 'y')]],
])(
  'endless: with %s, a radio ends after the song, a list begins again, and no more is requested until another song is queued',
  async (_, catalogueSongs) => {
    for (const isSongRadio of [true, false]) {
      const player = setUp(catalogueSongs)
      const song = createSong(0, 'a', 'x')
      await player.dispatch({ type: 'endless', endless: true })
      await (isSongRadio ? player.startRadio(song) : player.openList([song]))
      expect(player.model.queue.isExhausted).toBe(true)
      // With the switch on, a list plays on as it would with the switch off.
      expect(stepOnSongEnd(player.model.queue)).toEqual({ kind: isSongRadio ? 'none' : 'wrap' })
      expect(player.requests).toHaveLength(1)
      await player.addRelated()
      expect(player.requests).toHaveLength(1)
      await player.dispatch({ type: 'enqueue', song: createSong(7, 'c', 'z') })
      expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'take' })
    }
  },
)

test('endless: a list whose songs are not loaded ends at the song that the server calls the last', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.dispatch({ type: 'endless', endless: true })
  const song = createSong(1, 'artist0', 'category0')
  await player.dispatch({ type: 'open', song, links: { next: 'song2', previous: 'song0' }, context: undefined })
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'linked', songId: 'song2' })
  await player.dispatch({ type: 'links', songId: 'song1', links: { next: 'song0', previous: 'song0', isLast: true } })
  expect(player.model.queue.entries[0]).toMatchObject({ related: true })
})

test('endless: without network and without songs on the device, the queue does not count as exhausted, and continues when the network returns', async () => {
  const player = setUp(createCatalogueSongs(20))
  player.goOffline()
  await player.startRadio(createSong(0, 'artist0', 'category0'))
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'related' })
  expect(await player.advance()).toBe(false)
  player.goOnline()
  expect(await player.advance()).toBe(true)
})

test('endless: loop repeats the song at its end, the sleep timer stops it, and a cleared queue stays empty', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.startRadio(createSong(0, 'artist0', 'category0'))
  await player.dispatch({ type: 'loop', loop: true })
  expect(stepOnSongEnd(player.model.queue)).toEqual({ kind: 'replay' })
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'take' })
  await player.dispatch({ type: 'sleep', sleep: { kind: 'end-of-song' } })
  expect(stepOnSongEnd(player.model.queue)).toEqual({ kind: 'sleep' })
  await player.dispatch({ type: 'clear' })
  expect(player.entryIds()).toEqual([])
  expect(stepOnSkip(player.model.queue)).toEqual({ kind: 'none' })
  await player.dispatch({ type: 'undo-clear' })
  expect(player.entryIds()).toHaveLength(10)
})

test.each([true, false])(
  'endless: after Clear, nothing follows until a song is queued; related songs follow that one (all songs known: %s)',
  async (complete) => {
    const songs = createCatalogueSongs(20)
    const player = setUp(songs)
    await player.dispatch({ type: 'endless', endless: true })
    const [song = createSong(0, '', '')] = songs
    await player.dispatch({ type: 'open', song, links: undefined, context: { songs: songs.slice(0, 5), complete } })
    await player.dispatch({ type: 'clear' })
    expect([player.entryIds(), stepOnSkip(player.model.queue)]).toEqual([[], { kind: 'none' }])
    // The songs of a list that was still being loaded do not follow either.
    await player.dispatch({ type: 'context', context: { songs: songs.slice(0, 5), complete } })
    expect([player.entryIds(), stepOnSkip(player.model.queue)]).toEqual([[], { kind: 'none' }])
    await player.dispatch({ type: 'enqueue', song: createSong(7, 'artist0', 'category0') })
    expect(player.entryIds()[0]).toBe('song7')
    expect(player.model.queue.entries[1]).toMatchObject({ related: true })
    await player.dispatch({ type: 'undo-clear' })
    expect(player.entryIds()).toEqual(['song7', 'song1', 'song2', 'song3', 'song4'])
  },
)

test('endless: after Clear, the switch lets related songs follow; without it, a reload leaves the queue empty', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.dispatch({ type: 'endless', endless: true })
  await player.openList(createCatalogueSongs(5))
  await player.dispatch({ type: 'clear' })
  const sessionStore = createPlaybackSessionStore(createMemoryStorage())
  sessionStore.write({ queue: player.model.queue, contextId: 'list', contextTitle: 'List', positionSeconds: 1 })
  expect(stepOnSkip({ ...(sessionStore.read()?.queue ?? emptyQueue), endless: true })).toEqual({ kind: 'none' })
  await player.dispatch({ type: 'endless', endless: false })
  await player.dispatch({ type: 'endless', endless: true })
  expect(player.model.queue.entries[0]).toMatchObject({ related: true })
  sessionStore.write({ queue: { ...player.model.queue, entries: [] }, contextId: 'list', contextTitle: 'List', positionSeconds: 1 })
  expect(stepOnSkip({ ...(sessionStore.read()?.queue ?? emptyQueue), endless: true })).toEqual({ kind: 'related' })
})

test('endless: a queued song replaces the same related song; the first song of a radio has no previous song', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.startRadio(createSong(0, 'artist0', 'category0'))
  expect(stepOnBack(player.model.queue)).toEqual({ kind: 'none' })
  expect(player.entryIds()).toContain('song5')
  await player.dispatch({ type: 'play-next', song: createSong(5, 'artist0', 'category0') })
  expect(player.entryIds().filter((id) => id === 'song5')).toEqual(['song5'])
  expect(player.model.queue.entries[0]).toMatchObject({ queued: true, song: { youtube_id: 'song5' } })
})

test('endless: in a radio, the songs to which Previous went back are still marked as related', async () => {
  const player = setUp(createCatalogueSongs(20))
  await player.startRadio(createSong(0, 'artist0', 'category0'))
  for (let song = 0; song < 3; song++) await player.advance()
  const playedId = player.currentId()
  for (let song = 0; song < 3; song++) await player.dispatch({ type: 'back' })
  expect(player.entryIds()[2]).toBe(playedId)
  expect(player.model.queue.entries.every((entry) => entry.related)).toBe(true)
})

test('endless: after Previous, a related song is next, but not once related songs are off or another list is opened', async () => {
  const songs = createCatalogueSongs(30)
  const otherList = songs.slice(20)
  const player = setUp(songs)
  await player.dispatch({ type: 'endless', endless: true })
  await player.openList(songs.slice(0, 1))
  const firstRelatedId = player.entryIds()[0]
  await player.advance()
  await player.advance()
  await player.dispatch({ type: 'back' })
  await player.dispatch({ type: 'back' })
  expect(player.entryIds()[0]).toBe(firstRelatedId)
  expect(player.model.queue.entries.every((entry) => entry.related && !entry.queued)).toBe(true)
  const opensList = {
    type: 'open',
    song: otherList[0] ?? createSong(0, '', ''),
    links: undefined,
    context: { songs: otherList, complete: true },
  } as const
  const listQueue = reduceQueue(player.model.queue, opensList)
  expect(listQueue.entries.map(({ song }) => song.youtube_id)).toEqual(otherList.slice(1).map((song) => song.youtube_id))
  await player.dispatch({ type: 'endless', endless: false })
  expect(player.entryIds()).toEqual([])
})

test('endless: songs that arrive for a radio that is no longer playing are not added to the next radio', async () => {
  const songs = [...createCatalogueSongs(8), ...createCatalogueSongs(8).map((_, index) => createSong(index + 100, 'other', 'other'))]
  const player = setUp(songs)
  const firstStart = player.startRadio(createSong(0, 'artist0', 'category0'))
  const secondStart = player.startRadio(createSong(100, 'other', 'other'))
  await Promise.all([firstStart, secondStart])
  expect(player.model.queue.entries).toHaveLength(7)
  expect(player.model.queue.entries.every((entry) => entry.song.category_id === 'other')).toBe(true)
})

test('endless: related songs follow a list that ends with videos of many artists that the catalogue lacks', async () => {
  const player = setUp(createCatalogueSongs(20))
  const videos = Array.from({ length: 7 }, (_, index) => createSong(100 + index, `uploader${index}`, NO_CATEGORY_ID))
  await player.dispatch({ type: 'endless', endless: true })
  await player.openList([createSong(0, 'artist0', 'category0'), ...videos])
  for (const video of videos) {
    expect(await player.advance()).toBe(true)
    expect(player.currentId()).toBe(video.youtube_id)
  }
  expect(player.model.queue.entries[0]).toMatchObject({ related: true, song: { category_id: 'category0' } })
})

test('endless: a song that the catalogue no longer has is skipped; any other failure adds no song', async () => {
  let queue: QueueState = reduceQueue(emptyQueue, {
    type: 'open',
    song: createSong(0, 'a', 'x'),
    links: undefined,
    context: undefined,
    isSongRadio: true,
  })
  queue = { ...queue, history: [createSong(9, 'b', 'y')] }
  const playerModel = {
    get queue() {
      return queue
    },
    dispatch(action: QueueAction) {
      queue = reduceQueue(queue, action)
    },
  }
  await createRelatedSongsAdder(playerModel, () => Promise.reject(new ApiCallError('api', 500, 'failed')))()
  expect(queue).toMatchObject({ entries: [], isExhausted: false })
  await createRelatedSongsAdder(playerModel, async (seedSong) => {
    if (seedSong.youtube_id === 'song0') throw new ApiCallError('api', 404, 'no such song')
    return createCatalogueSongs(6).slice(1)
  })()
  expect(queue.entries.map((entry) => entry.song.youtube_id)).toEqual(['song1', 'song2', 'song3', 'song4', 'song5'])
})

test('endless: after a reload, the radio continues without repeating a song, and related songs are still marked as such', async () => {
  const songs = createCatalogueSongs(60)
  const player = setUp(songs)
  await player.startRadio(songs[0] ?? createSong(0, '', ''))
  const playedIds = [player.currentId()]
  for (let song = 0; song < 25; song++) {
    await player.advance()
    playedIds.push(player.currentId())
  }
  const storage = createMemoryStorage()
  createPlaybackSessionStore(storage).write({
    queue: player.model.queue,
    contextId: undefined,
    contextTitle: 'Radio: Title 0',
    positionSeconds: 1,
  })
  const restoredQueue = createPlaybackSessionStore(storage).read()?.queue ?? emptyQueue
  expect(restoredQueue.entries.map(({ song, related }) => [song.youtube_id, related])).toEqual(player.entryIds().map((id) => [id, true]))
  let queueState = restoredQueue
  const playerModel = {
    get queue() {
      return queueState
    },
    dispatch(action: QueueAction) {
      queueState = reduceQueue(queueState, action)
    },
  }
  const addRelated = createRelatedSongsAdder(playerModel, async (_, excludedIds) =>
    songs.filter((song) => !excludedIds.includes(song.youtube_id)).slice(0, 10),
  )
  while (playedIds.length < songs.length) {
    await addRelated()
    playerModel.dispatch({ type: 'take', index: 0 })
    playedIds.push(queueState.current?.youtube_id ?? '')
  }
  expect(new Set(playedIds).size).toBe(playedIds.length)
  expect(playedIds).toHaveLength(60)
})
