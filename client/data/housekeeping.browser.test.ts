import { describe, expect, it } from 'vitest'
import { putList } from './catalogue-rows.ts'
import { clearSeen, evict } from './eviction.ts'
import { createFallbackStore, isQuota } from './fallback-store.ts'
import { startHousekeeping } from './housekeeping.ts'
import { createMemoryStore, readOnce } from './memory-store.ts'
import type { CatalogueStore, KeptRow, Tables } from './store.ts'
import { testSong } from './testing/rows.ts'

const nothing = { keys: [], songIds: [] }
const songs = (from: number, count: number) => Array.from({ length: count }, (_, index) => testSong(from + index))

async function putPlaylist(store: CatalogueStore, id: string, from: number, count: number, usedAtMs: number) {
  await store.change(async (tables) => {
    const rows = songs(from, count)
    await tables.songs.put(rows)
    await putList(
      tables,
      `playlist:${id}`,
      rows.map((song) => song.youtube_id),
      true,
    )
    await tables.visits.put([{ key: `playlist:${id}`, fetchedAtMs: usedAtMs, usedAtMs }])
  })
}
const kept = (id: string): KeptRow => ({
  id,
  title: id,
  keptAtMs: 0,
  state: 'done',
  songCount: 0,
  pictures: [],
  rowBytes: 0,
  pictureBytes: 0,
})
const lists = (store: CatalogueStore) => readOnce(store, async (tables) => (await tables.lists.keys()).sort())

/** A disk that holds so many songs. */
function smallDisk(room: { songs: number }): CatalogueStore {
  const memory = createMemoryStore()
  return {
    watch: memory.watch,
    change: (work) =>
      memory.change(async (tables: Tables) => {
        await work({
          ...tables,
          songs: {
            ...tables.songs,
            async put(rows) {
              if ((await tables.songs.count()) + rows.length > room.songs) throw new DOMException('full', 'QuotaExceededError')
              await tables.songs.put(rows)
            },
          },
        })
      }),
  }
}

describe('housekeeping', () => {
  it('lets the longest unused go, and keeps what was chosen and what is on screen', async () => {
    const store = createMemoryStore()
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries()) await putPlaylist(store, id, index * 10, 10, index)
    await store.change((tables) => tables.kept.put([kept('a')]))
    await evict(store, { songs: 31, lists: 100, details: 10, bytes: 1e9 }, { keys: ['playlist:b'], songIds: [testSong(25).youtube_id] })
    expect(await lists(store)).toEqual(['playlist:a', 'playlist:b', 'playlist:d'])
    expect(await readOnce(store, (tables) => tables.songs.get(testSong(25).youtube_id))).toBeDefined()
    expect(await readOnce(store, (tables) => tables.songs.count())).toBe(31)
    await clearSeen(store, nothing)
    expect(await lists(store)).toEqual(['playlist:a'])
    expect(await readOnce(store, (tables) => tables.songs.count())).toBe(10)
  })

  it('makes room when a write does not fit, and the write is kept', async () => {
    const store = createFallbackStore(smallDisk({ songs: 30 }))
    startHousekeeping(store, () => nothing)
    for (const [index, id] of ['a', 'b', 'c'].entries()) await putPlaylist(store, id, index * 10, 10, index + 1)
    await putPlaylist(store, 'd', 30, 10, 9)
    expect(store.health).toBe('kept')
    expect(await lists(store)).toContain('playlist:d')
    expect(await lists(store)).not.toContain('playlist:a')
  })

  it('says that the device is full where nothing may go, goes on in memory, and recovers once there is room', async () => {
    const room = { songs: 10 }
    const store = createFallbackStore(smallDisk(room))
    startHousekeeping(store, () => nothing)
    await putPlaylist(store, 'a', 0, 10, 1)
    await store.change((tables) => tables.kept.put([kept('a')]))
    let told = 0
    store.onHealth(() => {
      told += 1
    })
    await putPlaylist(store, 'b', 10, 10, 2)
    expect(store.health).toBe('full')
    expect(told).toBe(1)
    expect(await lists(store)).toEqual(['playlist:a', 'playlist:b'])
    const row = { id: 'r', uid: 'ann', call: 'POST /song/play' as const, body: { s: 's' }, createdAtMs: 1, attempts: 0, lastError: '' }
    await store.change((tables) => tables.outbox.put([{ ...row, state: 'waiting' }]))
    room.songs = 100
    await store.recover()
    expect(store.health).toBe('kept')
    expect(await readOnce(store, (tables) => tables.outbox.keys()), 'what is not sent is not lost').toEqual(['r'])
    await putPlaylist(store, 'c', 20, 10, 3)
    expect(await lists(store)).toEqual(['playlist:a', 'playlist:c'])
    expect(store.health).toBe('kept')
  })

  it('knows a full disk by its name, however deep it stands', () => {
    const full = new DOMException('', 'QuotaExceededError')
    expect(isQuota(full)).toBe(true)
    expect(isQuota({ name: 'AbortError', inner: full })).toBe(true)
    expect(isQuota(new TypeError('x'))).toBe(false)
    expect(isQuota(undefined)).toBe(false)
  })
})
