import { describe, expect, it, vi } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createApi } from '../platform/api.ts'
import { createKeptPictures, NoPicture } from '../platform/device-storage.ts'
import { createKeeper } from './keeper.ts'
import { createMemoryStore, readOnce } from './memory-store.ts'
import { testPlaylist, testSong } from './testing/rows.ts'

function setting() {
  const store = createMemoryStore()
  const state = { songs: [1, 2, 3].map((index) => testSong(index)) as Song[], offline: false, full: false }
  const cache = new Map<string, number>()
  const gates: (() => void)[] = []
  let hold = false
  const api = createApi({
    baseUrl: '/api',
    fetch: async (url) => {
      if (state.offline) throw new TypeError('Failed to fetch')
      const id = new URL(String(url), 'http://site').searchParams.get('p') ?? ''
      return new Response(JSON.stringify({ code: 200, message: '', data: { playlist: testPlaylist(id), songs: state.songs } }))
    },
  })
  const added: string[] = []
  const pictures = {
    has: async (path: string) => cache.has(path),
    async add(path: string, signal: AbortSignal) {
      if (hold) await new Promise<void>((resolve) => gates.push(resolve))
      signal.throwIfAborted()
      if (state.offline) throw new TypeError('Failed to fetch')
      if (state.full) throw new DOMException('full', 'QuotaExceededError')
      if (path.includes(testSong(3).youtube_id)) throw new NoPicture('404')
      added.push(path)
      cache.set(path, 1000)
      return 1000
    },
    async remove(paths: readonly string[]) {
      for (const path of paths) cache.delete(path)
    },
  }
  const askToPersist = vi.fn(async () => true)
  const open = () => createKeeper({ api, store, pictures, pixelRatio: 1, askToPersist })
  return {
    store,
    state,
    cache,
    added,
    askToPersist,
    open,
    rows: () => readOnce(store, (tables) => tables.kept.all()),
    holdPictures() {
      hold = true
    },
    letGo() {
      hold = false
      for (const go of gates.splice(0)) go()
    },
  }
}

const cover = ['/img/playlist/p/320', '/img/playlist/p/640']
const picture = (index: number) => `/img/song/${testSong(index).youtube_id}/160`

describe('keeping a playlist', () => {
  it('fetches songs and pictures, counts them, and asks the browser to persist', async () => {
    const set = setting()
    const keeper = set.open()
    const seen: string[] = []
    keeper.onProgress(() => {
      const now = keeper.progress().get('p')
      if (now) seen.push(`${now.done}/${now.total}`)
    })
    await keeper.keep('p', 'P')
    expect(set.askToPersist).toHaveBeenCalled()
    expect([...set.cache.keys()].sort()).toEqual([...cover, picture(1), picture(2)].sort())
    const [row] = await set.rows()
    expect(row).toMatchObject({ id: 'p', state: 'done', songCount: 3, pictureBytes: 4000 })
    expect(row?.rowBytes).toBeGreaterThan(500)
    expect(seen).toContain('0/5')
    expect(seen).toContain('5/5')
    expect(keeper.progress().size).toBe(0)
    expect(await readOnce(set.store, (tables) => tables.songs.count())).toBe(3)
  })

  it('goes on after a reload, without what is here already', async () => {
    const set = setting()
    set.holdPictures()
    const first = set.open()
    void first.keep('p', 'P')
    await vi.waitFor(() => expect(first.progress().get('p')?.total).toBe(5))
    // The page is gone here, in the middle; one picture had come.
    set.cache.set(picture(1), 1000)
    const second = set.open()
    set.letGo()
    await second.resume()
    expect((await set.rows())[0]?.state).toBe('done')
    expect(set.cache.size).toBe(4)
    await vi.waitFor(() => expect(set.added.length).toBeGreaterThan(2))
  })

  it('halts without a connection and goes on when it is back', async () => {
    const set = setting()
    const keeper = set.open()
    set.state.offline = true
    await keeper.keep('p', 'P')
    expect(keeper.progress().get('p')?.halted).toBe('offline')
    set.state.offline = false
    await keeper.resume()
    expect(keeper.progress().size).toBe(0)
    expect((await set.rows())[0]?.state).toBe('done')
  })

  it('halts on a full device, and waits for a person', async () => {
    const set = setting()
    const keeper = set.open()
    set.state.full = true
    await keeper.keep('p', 'P')
    expect(keeper.progress().get('p')?.halted).toBe('full')
    set.state.full = false
    await keeper.resume()
    expect(keeper.progress().get('p')?.halted).toBe('full')
    await keeper.keep('p', 'P')
    expect((await set.rows())[0]?.state).toBe('done')
  })

  it('is cancelled by removing it', async () => {
    const set = setting()
    set.holdPictures()
    const keeper = set.open()
    const keeping = keeper.keep('p', 'P')
    await vi.waitFor(() => expect(keeper.progress().get('p')?.total).toBe(5))
    const removing = keeper.remove('p')
    set.letGo()
    await Promise.all([keeping, removing])
    expect(await set.rows()).toEqual([])
    expect(set.cache.size).toBe(0)
    expect(keeper.progress().size).toBe(0)
  })

  it('frees what no other kept playlist needs', async () => {
    const set = setting()
    const keeper = set.open()
    await keeper.keep('p', 'P')
    await keeper.keep('q', 'Q')
    await keeper.remove('p')
    expect(set.cache.has(picture(1))).toBe(true)
    expect(set.cache.has('/img/playlist/p/320')).toBe(false)
    await keeper.remove('q')
    expect(set.cache.size).toBe(0)
  })

  it('fetches the pictures of songs that a later visit brought', async () => {
    const set = setting()
    const keeper = set.open()
    await keeper.keep('p', 'P')
    set.state.songs = [testSong(1), testSong(4)]
    await set.store.change((tables) =>
      tables.lists.put([{ key: 'playlist:p', ids: set.state.songs.map((song) => song.youtube_id), complete: true }]),
    )
    await keeper.resume()
    expect([...set.cache.keys()].sort()).toEqual([...cover, picture(1), picture(4)].sort())
  })
})

it('fetches the pictures again that were cleared apart from the rows, and counts them once', async () => {
  const set = setting()
  const keeper = set.open()
  await keeper.keep('p', 'P')
  const [before] = await set.rows()
  await keeper.resume()
  expect(set.added).toHaveLength(4)
  set.cache.clear()
  await keeper.resume()
  expect([...set.cache.keys()].sort()).toEqual([...cover, picture(1), picture(2)].sort())
  expect(await set.rows()).toEqual([before])
})

it('keeps real pictures in a cache of their own', async () => {
  const pictures = createKeptPictures()
  const path = '/img/song/abcdefghijk/160'
  const fetching = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response('picture', { headers: { 'Content-Type': 'image/webp' } }))
  expect(await pictures.has(path)).toBe(false)
  expect(await pictures.add(path, new AbortController().signal)).toBe(7)
  expect(await pictures.has(path)).toBe(true)
  expect(await caches.has('kept-pictures-v1')).toBe(true)
  await pictures.remove([path])
  expect(await pictures.has(path)).toBe(false)
  fetching.mockImplementation(async () => new Response('', { status: 404 }))
  await expect(pictures.add(path, new AbortController().signal)).rejects.toBeInstanceOf(NoPicture)
  fetching.mockRestore()
})
