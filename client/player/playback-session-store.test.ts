import { expect, test } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createMemoryStorage } from '../platform/testing/memory-storage.ts'
import { createWebStorage } from '../platform/web-storage.ts'
import { createPlaybackSessionStore } from './playback-session-store.ts'
import { emptyQueue, type QueueState, reduceQueue, stepOnSkip } from './queue.ts'

const createSong = (songId: string): Song => ({
  youtube_id: songId,
  youtube_url: `https://www.youtube.com/watch?v=${songId}`,
  title: songId,
  author_name: 'Someone',
  category_id: 'c',
  category_name: 'C',
  date_added: '2026-01-01T00:00:00Z',
  new: 'false',
})
const songs = Array.from({ length: 300 }, (_, index) => createSong(`s${index}`))
const listEntryIds = (state: QueueState) => state.entries.map((entry) => entry.song.youtube_id)

function openTestQueue(): QueueState {
  const queueState = reduceQueue(emptyQueue, {
    type: 'open',
    song: createSong('s0'),
    links: { next: 's1', previous: undefined },
    context: { songs, complete: true },
  })
  return reduceQueue(reduceQueue(queueState, { type: 'play-next', song: createSong('q') }), { type: 'move', from: 1, to: 3 })
}

test('a restored session keeps the order of its queue; songs of its context that were not stored are appended', () => {
  const storage = createMemoryStorage()
  const queue = openTestQueue()
  createPlaybackSessionStore(storage).write({ queue, contextId: 'list', contextTitle: 'List', positionSeconds: 61.5 })
  const restoredSession = createPlaybackSessionStore(storage).read()
  if (!restoredSession) throw new Error('nothing was restored')
  expect(restoredSession).toMatchObject({ contextId: 'list', contextTitle: 'List', positionSeconds: 61.5 })
  expect(restoredSession.queue.current).toEqual(createSong('s0'))
  expect(listEntryIds(restoredSession.queue)).toEqual(listEntryIds(queue).slice(0, 100))
  const completedQueue = reduceQueue(restoredSession.queue, { type: 'context', context: { songs, complete: true } })
  expect(listEntryIds(completedQueue)).toEqual(listEntryIds(queue))
})

test('a session that was stored before its context was loaded gets the context when it is loaded', () => {
  const storage = createMemoryStorage()
  const queueWithoutContext = reduceQueue(emptyQueue, {
    type: 'open',
    song: createSong('s1'),
    links: { next: 's2', previous: 's0' },
    context: undefined,
  })
  createPlaybackSessionStore(storage).write({ queue: queueWithoutContext, contextId: undefined, contextTitle: '', positionSeconds: 0 })
  const restoredQueue = createPlaybackSessionStore(storage).read()?.queue ?? emptyQueue
  expect(stepOnSkip(restoredQueue)).toEqual({ kind: 'linked', songId: 's2' })
  expect(listEntryIds(reduceQueue(restoredQueue, { type: 'context', context: { songs: songs.slice(0, 4), complete: true } }))).toEqual([
    's2',
    's3',
  ])
})

test.each(['', '{', 'null', '[]', '{"version":1}', '{"version":9}', '{"version":1,"current":{"youtube_id":5}}'])(
  'the stored value %j is not accepted as a session',
  (storedText) => {
    expect(
      createPlaybackSessionStore(createMemoryStorage({ 'varispeed.player': storedText, 'varispeed.volume': storedText })).read(),
    ).toBeUndefined()
    expect(createPlaybackSessionStore(createMemoryStorage({ 'varispeed.volume': storedText })).readVolume()).toEqual({
      volume: 1,
      muted: false,
    })
  },
)

test('if the storage throws, only the session is lost, and no error is thrown', () => {
  const refusingStorage = createWebStorage(() => ({
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('full')
    },
  }))
  const store = createPlaybackSessionStore(refusingStorage)
  store.write({ queue: openTestQueue(), contextId: undefined, contextTitle: '', positionSeconds: 0 })
  expect(store.read()).toBeUndefined()
})

test('a stored session is dropped if the length of a song is not a number', () => {
  const storage = createMemoryStorage()
  createPlaybackSessionStore(storage).write({ queue: openTestQueue(), contextId: undefined, contextTitle: '', positionSeconds: 0 })
  const storedSession = JSON.parse(storage.values.get('varispeed.player') ?? '{}')
  const withLength = (durationValue: unknown) =>
    createPlaybackSessionStore(
      createMemoryStorage({
        'varispeed.player': JSON.stringify({ ...storedSession, current: { ...storedSession.current, duration: durationValue } }),
      }),
    ).read()
  expect(withLength(200)).toBeDefined()
  expect(withLength('abc')).toBeUndefined()
})

test('a queue with more songs than are stored is complete again once its list is loaded, wherever the list has a song twice', () => {
  const songIds = Array.from({ length: 300 }, (_, index) => `s${index}`)
  for (const [atIndex, songId] of [
    [250, 's100'],
    [50, 's100'],
    [250, 's0'],
  ] as const) {
    const context = { songs: songIds.with(atIndex, songId).map(createSong), complete: true }
    const openedQueue = reduceQueue(emptyQueue, { type: 'open', song: createSong('s0'), links: undefined, context, anchorIndex: 0 })
    const store = createPlaybackSessionStore(createMemoryStorage())
    store.write({ queue: openedQueue, contextId: 'list', contextTitle: '', positionSeconds: 0 })
    const restoredQueue = store.read()?.queue ?? emptyQueue
    expect(restoredQueue.entries.length).toBeLessThan(openedQueue.entries.length)
    const completedQueue = reduceQueue(restoredQueue, { type: 'context', context })
    expect(listEntryIds(completedQueue)).toEqual(listEntryIds(openedQueue))
  }
})
