import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import { createPlaybackSessionStore } from './playback-session-store.ts'
import { emptyQueue, isSleepDue, type QueueAction, type QueueState, reduceQueue, stepOnBack, stepOnSkip, stepOnSongEnd } from './queue.ts'

function createSong(songId: string): Song {
  return {
    youtube_id: songId,
    youtube_url: `https://www.youtube.com/watch?v=${songId}`,
    title: `Song ${songId}`,
    author_name: 'Someone',
    category_id: 'c',
    category_name: 'C',
    date_added: '2026-01-01T00:00:00Z',
    new: 'false',
  }
}

/** Returns a queue that plays song `currentIndex` of a completely loaded context of `entryCount` songs. */
function createPlayingQueue(entryCount: number, currentIndex: number, overrides: Partial<QueueState> = {}): QueueState {
  const songs = Array.from({ length: entryCount }, (_, index) => createSong(`s${index}`))
  const current = songs[currentIndex]
  if (!current) throw new Error('no such song')
  return reduceQueue({ ...emptyQueue, ...overrides }, { type: 'open', song: current, links: undefined, context: { songs, complete: true } })
}

const listEntryIds = (state: QueueState) => state.entries.map((entry) => entry.song.youtube_id)
const readCurrentId = (state: QueueState) => state.current?.youtube_id

function playNext(state: QueueState): QueueState {
  const queueStep = stepOnSkip(state)
  if (queueStep.kind === 'take') return reduceQueue(state, { type: 'take', index: 0 })
  if (queueStep.kind === 'wrap') return reduceQueue(state, { type: 'wrap' })
  throw new Error(`unexpected step ${queueStep.kind}`)
}

function goBack(state: QueueState): QueueState {
  const queueStep = stepOnBack(state)
  if (queueStep.kind === 'back') return reduceQueue(state, { type: 'back' })
  if (queueStep.kind === 'song') return reduceQueue(state, { type: 'step-back', song: queueStep.song })
  throw new Error(`unexpected step ${queueStep.kind}`)
}

/** Generates random states of the queue: a context, a position in the context, and songs that a person queued. */
const anyQueue = fc
  .record({ count: fc.integer({ min: 1, max: 12 }), at: fc.nat(), queued: fc.array(fc.boolean(), { maxLength: 5 }), shuffle: fc.boolean() })
  .map(({ count, at, queued, shuffle }) =>
    queued.reduce(
      (state, isPlayNext, index) => reduceQueue(state, { type: isPlayNext ? 'play-next' : 'enqueue', song: createSong(`q${index}`) }),
      reduceQueue(createPlayingQueue(count, at % count), { type: 'shuffle', shuffle }),
    ),
  )

describe('invariants of the queue', () => {
  test('queue: moving an entry changes only its own place in the order', () => {
    fc.assert(
      fc.property(anyQueue, fc.nat(20), fc.nat(20), (queueState, fromIndex, toIndex) => {
        const movedState = reduceQueue(queueState, { type: 'move', from: fromIndex, to: toIndex })
        const queueEntry = queueState.entries[fromIndex]
        if (!queueEntry || toIndex >= queueState.entries.length) {
          expect(movedState).toBe(queueState)
          return
        }
        expect(movedState.entries[toIndex]).toBe(queueEntry)
        expect(movedState.entries.filter((each) => each !== queueEntry)).toEqual(queueState.entries.filter((each) => each !== queueEntry))
        expect(reduceQueue(movedState, { type: 'move', from: toIndex, to: fromIndex }).entries).toEqual(queueState.entries)
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
        expect(readCurrentId(playNext(reduceQueue(state, { type: 'play-next', song: createSong('wanted') })))).toBe('wanted')
      }),
    )
  })

  test('queue: a queued song is played after songs that were queued earlier, and before the rest of the context', () => {
    fc.assert(
      fc.property(anyQueue, (queueState) => {
        const queuedBefore = queueState.entries.filter((entry) => entry.queued)
        const { entries } = reduceQueue(queueState, { type: 'enqueue', song: createSong('wanted') })
        expect(entries[queuedBefore.length]?.song.youtube_id).toBe('wanted')
        expect(entries.slice(0, queuedBefore.length)).toEqual(queuedBefore)
      }),
    )
  })

  test('queue: the last song of the context is followed by the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(), (entryCount, entryPosition) => {
        const currentIndex = entryPosition % entryCount
        let queueState = createPlayingQueue(entryCount, currentIndex)
        const playedIds: (string | undefined)[] = []
        for (let step = 0; step < entryCount; step++) {
          queueState = playNext(queueState)
          playedIds.push(readCurrentId(queueState))
        }
        expect(playedIds).toEqual(Array.from({ length: entryCount }, (_, step) => `s${(currentIndex + 1 + step) % entryCount}`))
      }),
    )
  })

  test('queue: next and then previous restore the song and the upcoming songs', () => {
    fc.assert(
      fc.property(anyQueue, (queueState) => {
        if (stepOnSkip(queueState).kind !== 'take') return
        const returnedState = goBack(playNext(queueState))
        expect(readCurrentId(returnedState)).toBe(readCurrentId(queueState))
        expect(listEntryIds(returnedState)).toEqual([...listEntryIds(queueState)])
      }),
    )
  })

  test('queue: loop repeats a song only when it has reached its end', () => {
    fc.assert(
      fc.property(anyQueue, (queueState) => {
        const loopingState = reduceQueue(queueState, { type: 'loop', loop: true })
        expect(stepOnSongEnd(loopingState)).toEqual({ kind: 'replay' })
        expect(stepOnSkip(loopingState)).toEqual(stepOnSkip(queueState))
      }),
    )
  })

  test('queue: shuffle keeps queued songs, and lists every other song of the context once, in random order', () => {
    fc.assert(
      fc.property(
        anyQueue,
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        (queueState, randomNumbers) => {
          const drawRandom = () => randomNumbers.next().value ?? 0
          const unshuffledState = reduceQueue(queueState, { type: 'shuffle', shuffle: false })
          const shuffledState = reduceQueue(unshuffledState, { type: 'shuffle', shuffle: true }, drawRandom)
          const queuedEntries = unshuffledState.entries.filter((entry) => entry.queued)
          expect(shuffledState.entries.slice(0, queuedEntries.length)).toEqual(queuedEntries)
          const otherIds = queueState.context.songs.map((song) => song.youtube_id).filter((id) => id !== readCurrentId(queueState))
          expect(listEntryIds(shuffledState).slice(queuedEntries.length).toSorted()).toEqual(otherIds.toSorted())
          expect(listEntryIds(reduceQueue(shuffledState, { type: 'shuffle', shuffle: false }))).toEqual(listEntryIds(unshuffledState))
        },
      ),
    )
  })

  test('queue: with shuffle, songs are played in the order that the queue shows; then a new order begins without repeating the last song', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), fc.nat(), (entryCount, entryPosition) => {
        let queueState = reduceQueue(createPlayingQueue(entryCount, entryPosition % entryCount), { type: 'shuffle', shuffle: true })
        const shownIds = listEntryIds(queueState)
        const playedIds = shownIds.map(() => {
          queueState = playNext(queueState)
          return readCurrentId(queueState)
        })
        expect(playedIds).toEqual(shownIds)
        const lastSongId = readCurrentId(queueState)
        queueState = playNext(queueState)
        expect(readCurrentId(queueState)).not.toBe(lastSongId)
        expect(listEntryIds(queueState)).toHaveLength(entryCount - 1)
      }),
    )
  })

  test('queue: undo restores the entries that Clear removed', () => {
    fc.assert(
      fc.property(anyQueue, (queueState) => {
        const restoredState = reduceQueue(reduceQueue(queueState, { type: 'clear' }), { type: 'undo-clear' })
        expect(restoredState.entries).toEqual(queueState.entries)
        expect(stepOnSkip(restoredState)).toEqual(stepOnSkip(queueState))
      }),
    )
  })

  test('queue: a forgotten queue has nothing but the current song and the settings, and no action without a song brings back another song', () => {
    const actionWithoutSong = fc.constantFrom<QueueAction>(
      ...([{ type: 'undo-clear' }, { type: 'back' }, { type: 'wrap' }, { type: 'take', index: 0 }, { type: 'clear' }] as const),
      ...([
        { type: 'shuffle', shuffle: true },
        { type: 'shuffle', shuffle: false },
        { type: 'endless', endless: true },
      ] as const),
    )
    fc.assert(
      fc.property(anyQueue, fc.nat(5), fc.boolean(), fc.array(actionWithoutSong), (queueState, playedCount, isCleared, actions) => {
        let state = queueState
        for (let count = 0; count < playedCount && stepOnSkip(state).kind !== 'none'; count += 1) state = playNext(state)
        if (isCleared) state = reduceQueue(state, { type: 'clear' })
        const { current, endless, loop, shuffle, sleep } = state
        const forgottenState = reduceQueue(state, { type: 'forget' })
        expect(forgottenState).toEqual({ ...emptyQueue, current, endless, isExhausted: true, loop, shuffle, sleep, cleared: true })
        expect([stepOnSkip(forgottenState), stepOnBack(forgottenState)]).toEqual([{ kind: 'none' }, { kind: 'none' }])
        const laterState = actions.reduce((each, action) => reduceQueue(each, action), forgottenState)
        expect([laterState.current, laterState.entries, laterState.history]).toEqual([current, [], []])
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

test.each([false, true])('queue: Previous and Next over a queued song leave the place in the list (shuffle: %s)', (shuffle) => {
  const listQueue = reduceQueue(createPlayingQueue(6, 2), { type: 'shuffle', shuffle })
  const queueWithSong = reduceQueue(listQueue, { type: 'play-next', song: createSong('q') })
  const returnedState = playNext(goBack(playNext(queueWithSong)))
  expect([readCurrentId(returnedState), returnedState.anchorId]).toEqual(['q', 's2'])
  expect(listEntryIds(returnedState)).toEqual(listEntryIds(listQueue))
  const orderedState = reduceQueue(reduceQueue(returnedState, { type: 'shuffle', shuffle: !shuffle }), { type: 'shuffle', shuffle: false })
  expect(listEntryIds(orderedState)).toEqual(['s3', 's4', 's5'])
  // After Previous, the queued song is next also in another order.
  const reorderedState = reduceQueue(goBack(playNext(queueWithSong)), { type: 'shuffle', shuffle: !shuffle })
  expect(readCurrentId(playNext(reorderedState))).toBe('q')
})

test('queue: after Previous, a random song of a list that is not completely loaded is next until another list is opened', () => {
  const openList = (state: QueueState, songs: Song[], complete: boolean) =>
    reduceQueue(state, { type: 'open', song: songs[0] ?? createSong('a'), links: undefined, context: { songs, complete } })
  const shuffledState = openList({ ...emptyQueue, shuffle: true }, ['a', 'b'].map(createSong), false)
  const returnedState = goBack(reduceQueue(shuffledState, { type: 'step', song: createSong('r'), from: 'random' }))
  expect(returnedState.entries).toMatchObject([{ song: { youtube_id: 'r' }, queued: false }])
  const openedState = openList(reduceQueue(returnedState, { type: 'shuffle', shuffle: false }), ['x', 'y'].map(createSong), true)
  expect(listEntryIds(openedState)).toEqual(['y'])
})

test('queue: a queued song that is also in the list does not become the place in the list after Previous, also after a reload', () => {
  const queueWithSong = reduceQueue(createPlayingQueue(6, 2), { type: 'play-next', song: createSong('s5') })
  const playedQueue = playNext(playNext(queueWithSong))
  const sessionStore = createPlaybackSessionStore(createMemoryStorage())
  sessionStore.write({ queue: playedQueue, contextId: 'list', contextTitle: 'List', positionSeconds: 1 })
  for (const queue of [playedQueue, sessionStore.read()?.queue ?? emptyQueue]) {
    const returnedState = goBack(queue)
    expect([readCurrentId(returnedState), returnedState.anchorId]).toEqual(['s5', 's3'])
    expect(goBack(returnedState).entries[0]).toMatchObject({ song: { youtube_id: 's5' }, queued: true })
  }
})

describe('a list that contains a song twice', () => {
  const songs = ['a', 'b', 'c', 'a', 'd'].map(createSong)
  const context = { songs, complete: true }
  const openAt = (anchorIndex: number | undefined) => {
    const [song = createSong('a')] = songs
    const openedState = reduceQueue(emptyQueue, { type: 'open', song, links: undefined, context: undefined, anchorIndex })
    return reduceQueue(openedState, { type: 'context', context })
  }
  const changeShuffle = (state: QueueState) =>
    reduceQueue(reduceQueue(state, { type: 'shuffle', shuffle: true }), { type: 'shuffle', shuffle: false })

  test('queue: from the row that was pressed, the songs after that row follow, and the one before it precedes', () => {
    expect(listEntryIds(openAt(3))).toEqual(['d'])
    expect(stepOnBack(openAt(3))).toMatchObject({ kind: 'song', song: { youtube_id: 'c' } })
    expect(listEntryIds(openAt(0))).toEqual(['b', 'c', 'a', 'd'])
    expect(listEntryIds(openAt(undefined))).toEqual(['b', 'c', 'a', 'd'])
  })

  test('queue: if another song has the index of the pressed row, because the list has changed, the nearest row of the song counts', () => {
    expect(listEntryIds(openAt(1))).toEqual(['b', 'c', 'a', 'd'])
    for (const changedIndex of [2, 4, 9]) expect(listEntryIds(openAt(changedIndex))).toEqual(['d'])
  })

  test('queue: shuffle on and off leaves the place in the list, also after Previous', () => {
    const stateAtSecond = playNext(playNext(playNext(openAt(0))))
    expect([readCurrentId(stateAtSecond), ...listEntryIds(changeShuffle(stateAtSecond))]).toEqual(['a', 'd'])
    expect(listEntryIds(changeShuffle(goBack(playNext(stateAtSecond))))).toEqual(['d'])
    expect(listEntryIds(changeShuffle(goBack(playNext(openAt(0)))))).toEqual(['b', 'c', 'a', 'd'])
    expect(listEntryIds(changeShuffle(openAt(3)))).toEqual(['d'])
  })

  test('queue: if the same song follows itself, shuffle on and off leaves the place in the list', () => {
    const repeatingContext = { songs: ['a', 'a', 'b'].map(createSong), complete: true }
    const stateAtFirst = reduceQueue(openAt(0), { type: 'context', context: repeatingContext })
    const stateAtSecond = playNext(stateAtFirst)
    expect([readCurrentId(stateAtSecond), ...listEntryIds(changeShuffle(stateAtSecond))]).toEqual(['a', 'b'])
  })

  test('queue: Previous and Next around a song that was played next leave the place in the list', () => {
    const longContext = { songs: ['z', 'a', 'b', 'a', 'c'].map(createSong), complete: true }
    const openedState = reduceQueue(emptyQueue, {
      type: 'open',
      song: createSong('z'),
      links: undefined,
      context: longContext,
      anchorIndex: 0,
    })
    const atQueued = playNext(reduceQueue(openedState, { type: 'play-next', song: createSong('q') }))
    const atFirst = playNext(atQueued)
    expect([readCurrentId(atFirst), ...listEntryIds(changeShuffle(atFirst))]).toEqual(['a', 'b', 'a', 'c'])
    const returned = playNext(goBack(atFirst))
    expect([readCurrentId(returned), ...listEntryIds(changeShuffle(returned))]).toEqual(['a', 'b', 'a', 'c'])
  })

  test('queue: a restored queue is completed with the songs after its last one', () => {
    const restoreQueue = (entryIds: string[], tailIndex: number) => {
      const entries = entryIds.map((id, index) => ({ key: index + 1, song: createSong(id), queued: false }))
      const restored = { tailId: 'a', tailIndex }
      const restoredState: QueueState = { ...emptyQueue, current: createSong('a'), anchorId: 'a', entries, restored, nextEntryKey: 9 }
      return listEntryIds(reduceQueue(restoredState, { type: 'context', context }))
    }
    expect(restoreQueue(['b', 'c', 'a'], 3)).toEqual(['b', 'c', 'a', 'd'])
    expect(restoreQueue([], 0)).toEqual(['b', 'c', 'a', 'd'])
    // The list has one song less or more before the tail than it had when the session was stored.
    expect(restoreQueue(['b', 'c', 'a'], 4)).toEqual(['b', 'c', 'a', 'd'])
    expect(restoreQueue(['b', 'c', 'a'], 2)).toEqual(['b', 'c', 'a', 'd'])
  })
})

test('queue: if the context is not completely known, shuffle plays a random song that the server chooses', () => {
  const songs = [createSong('a'), createSong('b')]
  const openedState = reduceQueue(
    { ...emptyQueue, shuffle: true },
    { type: 'open', song: createSong('a'), links: { next: 'b', previous: undefined }, context: { songs, complete: false } },
  )
  expect(stepOnSkip(openedState)).toEqual({ kind: 'random' })
  expect(stepOnSkip(reduceQueue(openedState, { type: 'enqueue', song: createSong('q') }))).toEqual({ kind: 'take' })
})

test('queue: a restored queue with shuffle is completed with the songs of the context that were neither played nor queued', () => {
  const songs = ['a', 'b', 'c', 'd'].map(createSong)
  const restoredState: QueueState = {
    ...emptyQueue,
    shuffle: true,
    current: createSong('b'),
    history: [createSong('d')],
    entries: [{ key: 1, song: createSong('a'), queued: false }],
    restored: { tailId: 'a' },
    nextEntryKey: 2,
  }
  expect(listEntryIds(reduceQueue(restoredState, { type: 'context', context: { songs, complete: true } }))).toEqual(['a', 'c'])
})

test('queue: after Clear, nothing is played next until a song is queued or opened', () => {
  const clearedState = reduceQueue(createPlayingQueue(3, 0), { type: 'clear' })
  expect(stepOnSkip(clearedState)).toEqual({ kind: 'none' })
  expect(stepOnSongEnd(clearedState)).toEqual({ kind: 'none' })
  expect(stepOnSkip(reduceQueue(clearedState, { type: 'enqueue', song: createSong('q') }))).toEqual({ kind: 'take' })
  const endlessState = reduceQueue(playNext(createPlayingQueue(3, 0)), { type: 'endless', endless: true })
  const returnedState = goBack(reduceQueue(endlessState, { type: 'clear' }))
  expect(stepOnSkip(playNext(returnedState))).toEqual({ kind: 'none' })
  const reopenedState = reduceQueue(clearedState, {
    type: 'open',
    song: createSong('s0'),
    links: { next: 's1', previous: undefined },
    context: undefined,
  })
  expect(stepOnSkip(reopenedState)).toEqual({ kind: 'linked', songId: 's1' })
})

test('queue: while the context is not loaded, the player uses the neighbours that the server returned with the song', () => {
  const openedQueue = reduceQueue(emptyQueue, {
    type: 'open',
    song: createSong('a'),
    links: { next: 'b', previous: 'z' },
    context: undefined,
  })
  expect(stepOnSkip(openedQueue)).toEqual({ kind: 'linked', songId: 'b' })
  expect(stepOnBack(openedQueue)).toEqual({ kind: 'linked', songId: 'z' })
  const queuedSongState = reduceQueue(reduceQueue(openedQueue, { type: 'play-next', song: createSong('x') }), { type: 'take', index: 0 })
  expect(reduceQueue(queuedSongState, { type: 'links', songId: 'x', links: { next: 'wrong', previous: undefined } })).toBe(queuedSongState)
  expect(stepOnSkip(queuedSongState)).toEqual({ kind: 'linked', songId: 'b' })
})

test('queue: the first song of a context has no previous song', () => {
  expect(stepOnBack(createPlayingQueue(3, 0))).toEqual({ kind: 'none' })
  expect(stepOnBack(createPlayingQueue(3, 1))).toMatchObject({ kind: 'song', song: { youtube_id: 's0' } })
})

test("queue: after the last song of an incomplete list, the server's next song is played, not the first song of the list", () => {
  const songs = [createSong('a'), createSong('b')]
  const openedQueue = reduceQueue(emptyQueue, {
    type: 'open',
    song: createSong('b'),
    links: { next: 'c', previous: 'a' },
    context: { songs, complete: false },
  })
  expect(stepOnSkip(openedQueue)).toEqual({ kind: 'linked', songId: 'c' })
})

test('queue: the sleep timer stops at its time, and at the end of the song even with loop', () => {
  expect(isSleepDue({ kind: 'at', atMs: 1000, minutes: 1 }, 999)).toBe(false)
  expect(isSleepDue({ kind: 'at', atMs: 1000, minutes: 1 }, 1000)).toBe(true)
  expect(isSleepDue({ kind: 'off' }, 1e12)).toBe(false)
  const queueState = reduceQueue(reduceQueue(createPlayingQueue(2, 0), { type: 'loop', loop: true }), {
    type: 'sleep',
    sleep: { kind: 'end-of-song' },
  })
  expect(stepOnSongEnd(queueState)).toEqual({ kind: 'sleep' })
})
