import { expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { emptyQueue, nextStep, type QueueState, reduceQueue } from './queue.ts'
import { createSessionStore } from './session-store.ts'

const song = (id: string): Song => ({
  youtube_id: id,
  youtube_url: `https://www.youtube.com/watch?v=${id}`,
  title: id,
  author_name: 'Someone',
  category_id: 'c',
  category_name: 'C',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})
const songs = Array.from({ length: 300 }, (_, index) => song(`s${index}`))
const ids = (state: QueueState) => state.entries.map((entry) => entry.song.youtube_id)

function memory(initial: Record<string, string> = {}) {
  const values = new Map(Object.entries(initial))
  return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value), values }
}

function opened(): QueueState {
  const state = reduceQueue(emptyQueue, {
    type: 'open',
    song: song('s0'),
    links: { next: 's1', previous: undefined },
    context: { songs, complete: true },
  })
  return reduceQueue(reduceQueue(state, { type: 'play-next', song: song('q') }), { type: 'move', from: 1, to: 3 })
}

test('a session comes back with its order, and what was left out arrives with the context', () => {
  const storage = memory()
  const queue = opened()
  createSessionStore(storage).write({ queue, contextId: 'list', contextTitle: 'List', positionSeconds: 61.5 })
  const restored = createSessionStore(storage).read()
  if (!restored) throw new Error('nothing was restored')
  expect(restored).toMatchObject({ contextId: 'list', contextTitle: 'List', positionSeconds: 61.5 })
  expect(restored.queue.current).toEqual(song('s0'))
  expect(ids(restored.queue)).toEqual(ids(queue).slice(0, 100))
  const whole = reduceQueue(restored.queue, { type: 'context', context: { songs, complete: true } })
  expect(ids(whole)).toEqual(ids(queue))
})

test('a session that was left before its context was known gets it later', () => {
  const storage = memory()
  const early = reduceQueue(emptyQueue, { type: 'open', song: song('s1'), links: { next: 's2', previous: 's0' }, context: undefined })
  createSessionStore(storage).write({ queue: early, contextId: undefined, contextTitle: '', positionSeconds: 0 })
  const restored = createSessionStore(storage).read()?.queue ?? emptyQueue
  expect(nextStep(restored)).toEqual({ kind: 'linked', songId: 's2' })
  expect(ids(reduceQueue(restored, { type: 'context', context: { songs: songs.slice(0, 4), complete: true } }))).toEqual(['s2', 's3'])
})

test.each(['', '{', 'null', '[]', '{"version":1}', '{"version":9}', '{"version":1,"current":{"youtube_id":5}}'])(
  'what is stored as %j is no session',
  (text) => {
    expect(createSessionStore(memory({ 'varispeed.player': text, 'varispeed.volume': text })).read()).toBeUndefined()
    expect(createSessionStore(memory({ 'varispeed.volume': text })).readVolume()).toEqual({ volume: 1, muted: false })
  },
)

test('a storage that refuses loses the session only', () => {
  const refusing = {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('full')
    },
  }
  const store = createSessionStore(refusing)
  store.write({ queue: opened(), contextId: undefined, contextTitle: '', positionSeconds: 0 })
  expect(store.read()).toBeUndefined()
})

test('a song whose length is no number is no session: what shows lengths would fail on it at every start', () => {
  const storage = memory()
  createSessionStore(storage).write({ queue: opened(), contextId: undefined, contextTitle: '', positionSeconds: 0 })
  const stored = JSON.parse(storage.values.get('varispeed.player') ?? '{}')
  const withLength = (duration: unknown) =>
    createSessionStore(memory({ 'varispeed.player': JSON.stringify({ ...stored, current: { ...stored.current, duration } }) })).read()
  expect(withLength(200)).toBeDefined()
  expect(withLength('abc')).toBeUndefined()
})
