import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { backStep, emptyQueue, endStep, nextStep, type QueueState, reduceQueue, sleepIsDue } from './queue.ts'

function song(id: string): Song {
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

/** A queue that plays song `at` of a whole context of `count` songs. */
function playing(count: number, at: number, change: Partial<QueueState> = {}): QueueState {
  const songs = Array.from({ length: count }, (_, index) => song(`s${index}`))
  const current = songs[at]
  if (!current) throw new Error('no such song')
  return reduceQueue({ ...emptyQueue, ...change }, { type: 'open', song: current, links: undefined, context: { songs, complete: true } })
}

const ids = (state: QueueState) => state.entries.map((entry) => entry.song.youtube_id)
const currentId = (state: QueueState) => state.current?.youtube_id

function next(state: QueueState): QueueState {
  const step = nextStep(state)
  if (step.kind === 'take') return reduceQueue(state, { type: 'take', index: 0 })
  if (step.kind === 'wrap') return reduceQueue(state, { type: 'wrap' })
  throw new Error(`unexpected step ${step.kind}`)
}

function back(state: QueueState): QueueState {
  const step = backStep(state)
  if (step.kind === 'back') return reduceQueue(state, { type: 'back' })
  if (step.kind === 'song') return reduceQueue(state, { type: 'step-back', song: step.song })
  throw new Error(`unexpected step ${step.kind}`)
}

/** A context, a place in it, and songs that a person put into the queue. */
const queues = fc
  .record({ count: fc.integer({ min: 1, max: 12 }), at: fc.nat(), queued: fc.array(fc.boolean(), { maxLength: 5 }), shuffle: fc.boolean() })
  .map(({ count, at, queued, shuffle }) =>
    queued.reduce(
      (state, first, index) => reduceQueue(state, { type: first ? 'play-next' : 'enqueue', song: song(`q${index}`) }),
      reduceQueue(playing(count, at % count), { type: 'shuffle', shuffle }),
    ),
  )

describe('the laws of the queue', () => {
  test('a move puts one entry elsewhere: nothing is lost, doubled or otherwise reordered', () => {
    fc.assert(
      fc.property(queues, fc.nat(20), fc.nat(20), (state, from, to) => {
        const moved = reduceQueue(state, { type: 'move', from, to })
        const entry = state.entries[from]
        if (!entry || to >= state.entries.length) {
          expect(moved).toBe(state)
          return
        }
        expect(moved.entries[to]).toBe(entry)
        expect(moved.entries.filter((each) => each !== entry)).toEqual(state.entries.filter((each) => each !== entry))
        expect(reduceQueue(moved, { type: 'move', from: to, to: from }).entries).toEqual(state.entries)
      }),
    )
  })

  test('keys name entries, each once', () => {
    fc.assert(
      fc.property(queues, (state) => {
        expect(new Set(state.entries.map((entry) => entry.key)).size).toBe(state.entries.length)
      }),
    )
  })

  test('what is put to be played next is played next, whatever the mode', () => {
    fc.assert(
      fc.property(queues, (state) => {
        expect(currentId(next(reduceQueue(state, { type: 'play-next', song: song('wanted') })))).toBe('wanted')
      }),
    )
  })

  test('what is queued is played after what was queued before, ahead of the context', () => {
    fc.assert(
      fc.property(queues, (state) => {
        const queuedBefore = state.entries.filter((entry) => entry.queued)
        const { entries } = reduceQueue(state, { type: 'enqueue', song: song('wanted') })
        expect(entries[queuedBefore.length]?.song.youtube_id).toBe('wanted')
        expect(entries.slice(0, queuedBefore.length)).toEqual(queuedBefore)
      }),
    )
  })

  test('next as often as the context is long comes back to where it was; after the last song comes the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(), (count, place) => {
        const at = place % count
        let state = playing(count, at)
        const heard: (string | undefined)[] = []
        for (let step = 0; step < count; step++) {
          state = next(state)
          heard.push(currentId(state))
        }
        expect(heard).toEqual(Array.from({ length: count }, (_, step) => `s${(at + 1 + step) % count}`))
      }),
    )
  })

  test('back after next is where it was, with the same songs ahead', () => {
    fc.assert(
      fc.property(queues, (state) => {
        if (nextStep(state).kind !== 'take') return
        const returned = back(next(state))
        expect(currentId(returned)).toBe(currentId(state))
        expect(ids(returned)).toEqual([...ids(state)])
      }),
    )
  })

  test('loop replays at the end, and only there', () => {
    fc.assert(
      fc.property(queues, (state) => {
        const looping = reduceQueue(state, { type: 'loop', loop: true })
        expect(endStep(looping)).toEqual({ kind: 'replay' })
        expect(nextStep(looping)).toEqual(nextStep(state))
      }),
    )
  })

  test('shuffle keeps what people queued, and off again the context goes on where it was', () => {
    fc.assert(
      fc.property(queues, (state) => {
        const off = reduceQueue(state, { type: 'shuffle', shuffle: false })
        const on = reduceQueue(off, { type: 'shuffle', shuffle: true })
        expect(on.entries).toEqual(off.entries.filter((entry) => entry.queued))
        expect(ids(reduceQueue(on, { type: 'shuffle', shuffle: false }))).toEqual(ids(off))
      }),
    )
  })

  test('an entry that is removed is the only one that goes', () => {
    fc.assert(
      fc.property(queues, fc.nat(20), (state, index) => {
        expect(reduceQueue(state, { type: 'remove', index }).entries).toEqual(state.entries.filter((_, at) => at !== index))
      }),
    )
  })
})

test('shuffle asks for a random song, after what was queued', () => {
  const state = playing(3, 0, { shuffle: true })
  expect(nextStep(state)).toEqual({ kind: 'random' })
  expect(nextStep(reduceQueue(state, { type: 'enqueue', song: song('q') }))).toEqual({ kind: 'take' })
})

test('after Clear nothing follows, until a song is queued or opened', () => {
  const cleared = reduceQueue(playing(3, 0), { type: 'clear' })
  expect(nextStep(cleared)).toEqual({ kind: 'none' })
  expect(endStep(cleared)).toEqual({ kind: 'none' })
  expect(nextStep(reduceQueue(cleared, { type: 'enqueue', song: song('q') }))).toEqual({ kind: 'take' })
  const reopened = reduceQueue(cleared, { type: 'open', song: song('s0'), links: { next: 's1', previous: undefined }, context: undefined })
  expect(nextStep(reopened)).toEqual({ kind: 'linked', songId: 's1' })
})

test('without the songs of the context the server’s neighbours lead on, those of the anchor only', () => {
  const opened = reduceQueue(emptyQueue, { type: 'open', song: song('a'), links: { next: 'b', previous: 'z' }, context: undefined })
  expect(nextStep(opened)).toEqual({ kind: 'linked', songId: 'b' })
  expect(backStep(opened)).toEqual({ kind: 'linked', songId: 'z' })
  const between = reduceQueue(reduceQueue(opened, { type: 'play-next', song: song('x') }), { type: 'take', index: 0 })
  expect(reduceQueue(between, { type: 'links', songId: 'x', links: { next: 'wrong', previous: undefined } })).toBe(between)
  expect(nextStep(between)).toEqual({ kind: 'linked', songId: 'b' })
})

test('the first song of a context has no previous one', () => {
  expect(backStep(playing(3, 0))).toEqual({ kind: 'none' })
  expect(backStep(playing(3, 1))).toMatchObject({ kind: 'song', song: { youtube_id: 's0' } })
})

test('a list that is not whole ends in the server’s next, not in its own first song', () => {
  const songs = [song('a'), song('b')]
  const opened = reduceQueue(emptyQueue, {
    type: 'open',
    song: song('b'),
    links: { next: 'c', previous: 'a' },
    context: { songs, complete: false },
  })
  expect(nextStep(opened)).toEqual({ kind: 'linked', songId: 'c' })
})

test('the sleep timer ends at its time, and at the end of the song before loop', () => {
  expect(sleepIsDue({ kind: 'at', atMs: 1000, minutes: 1 }, 999)).toBe(false)
  expect(sleepIsDue({ kind: 'at', atMs: 1000, minutes: 1 }, 1000)).toBe(true)
  expect(sleepIsDue({ kind: 'off' }, 1e12)).toBe(false)
  const state = reduceQueue(reduceQueue(playing(2, 0), { type: 'loop', loop: true }), { type: 'sleep', sleep: { kind: 'end-of-song' } })
  expect(endStep(state)).toEqual({ kind: 'sleep' })
})
