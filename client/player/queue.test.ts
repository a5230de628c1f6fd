import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { emptyQueue, isSleepDue, type QueueState, reduceQueue, stepOnBack, stepOnSkip, stepOnSongEnd } from './queue.ts'

function songOf(id: string): Song {
  return {
    youtube_id: id,
    youtube_url: `https://www.youtube.com/watch?v=${id}`,
    title: `Song ${id}`,
    author_name: 'Someone',
    category_id: 'c',
    category_name: 'C',
    date_added: '2026-01-01T00:00:00Z',
    new: 'false',
  }
}

/** Returns a queue that plays song `currentIndex` of a completely loaded context of `entryCount` songs. */
function playingQueue(entryCount: number, currentIndex: number, overrides: Partial<QueueState> = {}): QueueState {
  const songs = Array.from({ length: entryCount }, (_, index) => songOf(`s${index}`))
  const current = songs[currentIndex]
  if (!current) throw new Error('no such song')
  return reduceQueue({ ...emptyQueue, ...overrides }, { type: 'open', song: current, links: undefined, context: { songs, complete: true } })
}

const entryIds = (state: QueueState) => state.entries.map((entry) => entry.song.youtube_id)
const currentId = (state: QueueState) => state.current?.youtube_id

function playNext(state: QueueState): QueueState {
  const step = stepOnSkip(state)
  if (step.kind === 'take') return reduceQueue(state, { type: 'take', index: 0 })
  if (step.kind === 'wrap') return reduceQueue(state, { type: 'wrap' })
  throw new Error(`unexpected step ${step.kind}`)
}

function goBack(state: QueueState): QueueState {
  const step = stepOnBack(state)
  if (step.kind === 'back') return reduceQueue(state, { type: 'back' })
  if (step.kind === 'song') return reduceQueue(state, { type: 'step-back', song: step.song })
  throw new Error(`unexpected step ${step.kind}`)
}

/** Generates random states of the queue: a context, a position in the context, and songs that a person queued. */
const anyQueue = fc
  .record({ count: fc.integer({ min: 1, max: 12 }), at: fc.nat(), queued: fc.array(fc.boolean(), { maxLength: 5 }), shuffle: fc.boolean() })
  .map(({ count, at, queued, shuffle }) =>
    queued.reduce(
      (state, isPlayNext, index) => reduceQueue(state, { type: isPlayNext ? 'play-next' : 'enqueue', song: songOf(`q${index}`) }),
      reduceQueue(playingQueue(count, at % count), { type: 'shuffle', shuffle }),
    ),
  )

describe('invariants of the queue', () => {
  test('queue: moving an entry changes only its own place in the order', () => {
    fc.assert(
      fc.property(anyQueue, fc.nat(20), fc.nat(20), (state, fromIndex, toIndex) => {
        const movedState = reduceQueue(state, { type: 'move', from: fromIndex, to: toIndex })
        const entry = state.entries[fromIndex]
        if (!entry || toIndex >= state.entries.length) {
          expect(movedState).toBe(state)
          return
        }
        expect(movedState.entries[toIndex]).toBe(entry)
        expect(movedState.entries.filter((each) => each !== entry)).toEqual(state.entries.filter((each) => each !== entry))
        expect(reduceQueue(movedState, { type: 'move', from: toIndex, to: fromIndex }).entries).toEqual(state.entries)
      }),
    )
  })

  test('queue: the keys of entries are unique', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        expect(new Set(state.entries.map((entry) => entry.key)).size).toBe(state.entries.length)
      }),
    )
  })

  test('queue: a song added by Play next is the next one in every mode', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        expect(currentId(playNext(reduceQueue(state, { type: 'play-next', song: songOf('wanted') })))).toBe('wanted')
      }),
    )
  })

  test('queue: a queued song is played after songs that were queued earlier, and before the rest of the context', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        const queuedBefore = state.entries.filter((entry) => entry.queued)
        const { entries } = reduceQueue(state, { type: 'enqueue', song: songOf('wanted') })
        expect(entries[queuedBefore.length]?.song.youtube_id).toBe('wanted')
        expect(entries.slice(0, queuedBefore.length)).toEqual(queuedBefore)
      }),
    )
  })

  test('queue: the last song of the context is followed by the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(), (entryCount, place) => {
        const currentIndex = place % entryCount
        let queueState = playingQueue(entryCount, currentIndex)
        const playedIds: (string | undefined)[] = []
        for (let step = 0; step < entryCount; step++) {
          queueState = playNext(queueState)
          playedIds.push(currentId(queueState))
        }
        expect(playedIds).toEqual(Array.from({ length: entryCount }, (_, step) => `s${(currentIndex + 1 + step) % entryCount}`))
      }),
    )
  })

  test('queue: next and then previous restore the song and the upcoming songs', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        if (stepOnSkip(state).kind !== 'take') return
        const returnedState = goBack(playNext(state))
        expect(currentId(returnedState)).toBe(currentId(state))
        expect(entryIds(returnedState)).toEqual([...entryIds(state)])
      }),
    )
  })

  test('queue: loop repeats a song only when it has reached its end', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        const loopingState = reduceQueue(state, { type: 'loop', loop: true })
        expect(stepOnSongEnd(loopingState)).toEqual({ kind: 'replay' })
        expect(stepOnSkip(loopingState)).toEqual(stepOnSkip(state))
      }),
    )
  })

  test('queue: shuffle keeps queued songs, and lists every other song of the context once, in random order', () => {
    fc.assert(
      fc.property(anyQueue, fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })), (state, numbers) => {
        const random = () => numbers.next().value ?? 0
        const unshuffledState = reduceQueue(state, { type: 'shuffle', shuffle: false })
        const shuffledState = reduceQueue(unshuffledState, { type: 'shuffle', shuffle: true }, random)
        const queuedEntries = unshuffledState.entries.filter((entry) => entry.queued)
        expect(shuffledState.entries.slice(0, queuedEntries.length)).toEqual(queuedEntries)
        const otherIds = state.context.songs.map((song) => song.youtube_id).filter((id) => id !== currentId(state))
        expect(entryIds(shuffledState).slice(queuedEntries.length).toSorted()).toEqual(otherIds.toSorted())
        expect(entryIds(reduceQueue(shuffledState, { type: 'shuffle', shuffle: false }))).toEqual(entryIds(unshuffledState))
      }),
    )
  })

  test('queue: with shuffle, songs are played in the order that the queue shows; then a new order begins without repeating the last song', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), fc.nat(), (entryCount, place) => {
        let queueState = reduceQueue(playingQueue(entryCount, place % entryCount), { type: 'shuffle', shuffle: true })
        const shownIds = entryIds(queueState)
        const playedIds = shownIds.map(() => {
          queueState = playNext(queueState)
          return currentId(queueState)
        })
        expect(playedIds).toEqual(shownIds)
        const lastId = currentId(queueState)
        queueState = playNext(queueState)
        expect(currentId(queueState)).not.toBe(lastId)
        expect(entryIds(queueState)).toHaveLength(entryCount - 1)
      }),
    )
  })

  test('queue: undo restores the entries that Clear removed', () => {
    fc.assert(
      fc.property(anyQueue, (state) => {
        const restoredState = reduceQueue(reduceQueue(state, { type: 'clear' }), { type: 'undo-clear' })
        expect(restoredState.entries).toEqual(state.entries)
        expect(stepOnSkip(restoredState)).toEqual(stepOnSkip(state))
      }),
    )
  })

  test('queue: removing an entry removes only this entry', () => {
    fc.assert(
      fc.property(anyQueue, fc.nat(20), (state, index) => {
        expect(reduceQueue(state, { type: 'remove', index }).entries).toEqual(state.entries.filter((_, at) => at !== index))
      }),
    )
  })
})

test('queue: if the context is not completely known, shuffle plays a random song that the server chooses', () => {
  const songs = [songOf('a'), songOf('b')]
  const openedState = reduceQueue(
    { ...emptyQueue, shuffle: true },
    { type: 'open', song: songOf('a'), links: { next: 'b', previous: undefined }, context: { songs, complete: false } },
  )
  expect(stepOnSkip(openedState)).toEqual({ kind: 'random' })
  expect(stepOnSkip(reduceQueue(openedState, { type: 'enqueue', song: songOf('q') }))).toEqual({ kind: 'take' })
})

test('queue: a restored queue with shuffle is completed with the songs of the context that were neither played nor queued', () => {
  const songs = ['a', 'b', 'c', 'd'].map(songOf)
  const restoredState: QueueState = {
    ...emptyQueue,
    shuffle: true,
    current: songOf('b'),
    history: [songOf('d')],
    entries: [{ key: 1, song: songOf('a'), queued: false }],
    restored: { tailId: 'a' },
    nextKey: 2,
  }
  expect(entryIds(reduceQueue(restoredState, { type: 'context', context: { songs, complete: true } }))).toEqual(['a', 'c'])
})

test('queue: after Clear, nothing is played next until a song is queued or opened', () => {
  const clearedState = reduceQueue(playingQueue(3, 0), { type: 'clear' })
  expect(stepOnSkip(clearedState)).toEqual({ kind: 'none' })
  expect(stepOnSongEnd(clearedState)).toEqual({ kind: 'none' })
  expect(stepOnSkip(reduceQueue(clearedState, { type: 'enqueue', song: songOf('q') }))).toEqual({ kind: 'take' })
  const reopenedState = reduceQueue(clearedState, {
    type: 'open',
    song: songOf('s0'),
    links: { next: 's1', previous: undefined },
    context: undefined,
  })
  expect(stepOnSkip(reopenedState)).toEqual({ kind: 'linked', songId: 's1' })
})

test('queue: while the context is not loaded, the player uses the neighbours that the server returned with the song', () => {
  const openedQueue = reduceQueue(emptyQueue, { type: 'open', song: songOf('a'), links: { next: 'b', previous: 'z' }, context: undefined })
  expect(stepOnSkip(openedQueue)).toEqual({ kind: 'linked', songId: 'b' })
  expect(stepOnBack(openedQueue)).toEqual({ kind: 'linked', songId: 'z' })
  const queuedSongState = reduceQueue(reduceQueue(openedQueue, { type: 'play-next', song: songOf('x') }), { type: 'take', index: 0 })
  expect(reduceQueue(queuedSongState, { type: 'links', songId: 'x', links: { next: 'wrong', previous: undefined } })).toBe(queuedSongState)
  expect(stepOnSkip(queuedSongState)).toEqual({ kind: 'linked', songId: 'b' })
})

test('queue: the first song of a context has no previous song', () => {
  expect(stepOnBack(playingQueue(3, 0))).toEqual({ kind: 'none' })
  expect(stepOnBack(playingQueue(3, 1))).toMatchObject({ kind: 'song', song: { youtube_id: 's0' } })
})

test("queue: after the last song of an incomplete list, the server's next song is played, not the first song of the list", () => {
  const songs = [songOf('a'), songOf('b')]
  const openedQueue = reduceQueue(emptyQueue, {
    type: 'open',
    song: songOf('b'),
    links: { next: 'c', previous: 'a' },
    context: { songs, complete: false },
  })
  expect(stepOnSkip(openedQueue)).toEqual({ kind: 'linked', songId: 'c' })
})

test('queue: the sleep timer stops at its time, and at the end of the song even with loop', () => {
  expect(isSleepDue({ kind: 'at', atMs: 1000, minutes: 1 }, 999)).toBe(false)
  expect(isSleepDue({ kind: 'at', atMs: 1000, minutes: 1 }, 1000)).toBe(true)
  expect(isSleepDue({ kind: 'off' }, 1e12)).toBe(false)
  const queueState = reduceQueue(reduceQueue(playingQueue(2, 0), { type: 'loop', loop: true }), {
    type: 'sleep',
    sleep: { kind: 'end-of-song' },
  })
  expect(stepOnSongEnd(queueState)).toEqual({ kind: 'sleep' })
})
