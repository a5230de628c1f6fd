import { describe, expect, it, vi } from 'vitest'
import type { Song } from '../../contract/song.ts'
import { createApi } from '../platform/api.ts'
import { createPinnedPictures, PictureUnavailable } from '../platform/pinned-pictures.ts'
import { ANONYMOUS_UID } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOfflinePlaylists } from './offline-playlists.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createTestPlaylist, createTestSong } from './testing/rows.ts'

function createTestSetup() {
  const database = createMemoryDatabase()
  const serverState = { songs: [1, 2, 3].map((index) => createTestSong(index)) as Song[], offline: false, full: false, coverVersion: '' }
  const bytesByPath = new Map<string, number>()
  const releaseFunctions: (() => void)[] = []
  let isHoldingRequests = false
  const api = createApi({
    baseUrl: '/api',
    fetch: async (url) => {
      if (serverState.offline) throw new TypeError('Failed to fetch')
      const playlistId = new URL(String(url), 'http://site').searchParams.get('p') ?? ''
      return new Response(
        JSON.stringify({
          code: 200,
          message: '',
          data: {
            playlist: createTestPlaylist(playlistId, { image_url: `/img/playlist/${playlistId}${serverState.coverVersion}` }),
            songs: serverState.songs,
          },
        }),
      )
    },
  })
  const addedPaths: string[] = []
  const pinnedPictures = {
    has: async (path: string) => bytesByPath.has(path),
    async add(urlPath: string, signal: AbortSignal) {
      if (isHoldingRequests) await new Promise<void>((resolve) => releaseFunctions.push(resolve))
      signal.throwIfAborted()
      if (serverState.offline) throw new TypeError('Failed to fetch')
      if (serverState.full) throw new DOMException('full', 'QuotaExceededError')
      if (urlPath.includes(createTestSong(3).youtube_id)) throw new PictureUnavailable('404')
      addedPaths.push(urlPath)
      bytesByPath.set(urlPath, 1000)
      return 1000
    },
    async remove(paths: readonly string[]) {
      for (const path of paths) bytesByPath.delete(path)
    },
  }
  const requestPersistentStorage = vi.fn(async () => true)
  const openOfflinePlaylists = () =>
    createOfflinePlaylists({ api, database, pictures: pinnedPictures, pixelRatio: 1, getOwner: () => '', requestPersistentStorage })
  return {
    database,
    state: serverState,
    cache: bytesByPath,
    added: addedPaths,
    requestPersistentStorage,
    open: openOfflinePlaylists,
    rows: () => database.read((tables) => tables.pinned.all()),
    holdPictures() {
      isHoldingRequests = true
    },
    letGo() {
      isHoldingRequests = false
      for (const go of releaseFunctions.splice(0)) go()
    },
  }
}

const coverPaths = ['/img/playlist/p/320', '/img/playlist/p/640']
const createPicturePath = (index: number) => `/img/song/${createTestSong(index).youtube_id}/160`

describe('offline playlists', () => {
  it('offline playlists: pin downloads songs and pictures, reports progress and requests persistent storage', async () => {
    const setup = createTestSetup()
    const offlinePlaylists = setup.open()
    const seenStates: string[] = []
    offlinePlaylists.onDownloads(() => {
      const currentDownload = offlinePlaylists.downloads().get('p')
      if (currentDownload) seenStates.push(`${currentDownload.done}/${currentDownload.total}`)
    })
    await offlinePlaylists.pin('p', 'P')
    expect(setup.requestPersistentStorage).toHaveBeenCalled()
    expect([...setup.cache.keys()].sort()).toEqual([...coverPaths, createPicturePath(1), createPicturePath(2)].sort())
    const [pinnedRow] = await setup.rows()
    expect(pinnedRow).toMatchObject({ id: 'p', state: 'done', songCount: 3, pictureBytes: 4000 })
    expect(pinnedRow?.rowBytes).toBeGreaterThan(500)
    expect(seenStates).toContain('0/5')
    expect(seenStates).toContain('5/5')
    expect(offlinePlaylists.downloads().size).toBe(0)
    expect(await setup.database.read((tables) => tables.songs.count())).toBe(3)
  })

  it('offline playlists: an own playlist is pinned from the rows of this device, and unpinned when its owner signs out', async () => {
    const setup = createTestSetup()
    const ownPlaylists = createOwnPlaylists({ database: setup.database, sendOutbox: () => {} })
    const contextId = `my-${await ownPlaylists.create(ANONYMOUS_UID, { title: 'Mine', songs: [createTestSong(1), createTestSong(2), createTestSong(1)] })}`
    const offlinePlaylists = setup.open()
    await offlinePlaylists.pin('p', 'P')
    setup.cache.clear()
    await offlinePlaylists.pin(contextId, 'Mine')
    const coverPaths = [320, 640].map((width) => `/img/song/song0000001/${width}`)
    expect([...setup.cache.keys()].sort()).toEqual([createPicturePath(1), createPicturePath(2), ...coverPaths].sort())
    expect((await setup.rows()).find((row) => row.id === contextId)).toMatchObject({ title: 'Mine', state: 'done', songCount: 3 })
    await ownPlaylists.addSongs(ANONYMOUS_UID, contextId.slice(3), [createTestSong(4)], { duplicates: 'keep' })
    await offlinePlaylists.resume()
    expect(setup.cache.has(createPicturePath(4))).toBe(true)
    await offlinePlaylists.unpinOwn()
    expect((await setup.rows()).map((row) => row.id)).toEqual(['p'])
  })

  it('offline playlists: a download resumes after a reload without repeating pictures', async () => {
    const setup = createTestSetup()
    setup.holdPictures()
    const firstPlaylists = setup.open()
    void firstPlaylists.pin('p', 'P')
    await vi.waitFor(() => expect(firstPlaylists.downloads().get('p')?.total).toBe(5))
    // Simulates a page that was closed during the download, after it had stored one picture.
    setup.cache.set(createPicturePath(1), 1000)
    const reopenedPlaylists = setup.open()
    setup.letGo()
    await reopenedPlaylists.resume()
    expect((await setup.rows())[0]?.state).toBe('done')
    expect(setup.cache.size).toBe(4)
    await vi.waitFor(() => expect(setup.added.length).toBeGreaterThan(2))
  })

  it('offline playlists: a download stops without a connection, and resumes after reconnecting', async () => {
    const setup = createTestSetup()
    const offlinePlaylists = setup.open()
    setup.state.offline = true
    await offlinePlaylists.pin('p', 'P')
    expect(offlinePlaylists.downloads().get('p')?.halted).toBe('offline')
    setup.state.offline = false
    await offlinePlaylists.resume()
    expect(offlinePlaylists.downloads().size).toBe(0)
    expect((await setup.rows())[0]?.state).toBe('done')
  })

  it('offline playlists: a download stops when the quota is exceeded, and waits until the person retries', async () => {
    const setup = createTestSetup()
    const offlinePlaylists = setup.open()
    setup.state.full = true
    await offlinePlaylists.pin('p', 'P')
    expect(offlinePlaylists.downloads().get('p')?.halted).toBe('full')
    setup.state.full = false
    await offlinePlaylists.resume()
    expect(offlinePlaylists.downloads().get('p')?.halted).toBe('full')
    await offlinePlaylists.pin('p', 'P')
    expect((await setup.rows())[0]?.state).toBe('done')
  })

  it('offline playlists: unpin aborts the download', async () => {
    const setup = createTestSetup()
    setup.holdPictures()
    const offlinePlaylists = setup.open()
    const pinPromise = offlinePlaylists.pin('p', 'P')
    await vi.waitFor(() => expect(offlinePlaylists.downloads().get('p')?.total).toBe(5))
    const unpinPromise = offlinePlaylists.unpin('p')
    setup.letGo()
    await Promise.all([pinPromise, unpinPromise])
    expect(await setup.rows()).toEqual([])
    expect(setup.cache.size).toBe(0)
    expect(offlinePlaylists.downloads().size).toBe(0)
  })

  it('offline playlists: unpin removes only pictures that no other pinned playlist uses', async () => {
    const setup = createTestSetup()
    const offlinePlaylists = setup.open()
    await offlinePlaylists.pin('p', 'P')
    await offlinePlaylists.pin('q', 'Q')
    await offlinePlaylists.unpin('p')
    expect(setup.cache.has(createPicturePath(1))).toBe(true)
    expect(setup.cache.has('/img/playlist/p/320')).toBe(false)
    await offlinePlaylists.unpin('q')
    expect(setup.cache.size).toBe(0)
  })

  it('offline playlists: resume downloads the pictures of songs that were added after pinning', async () => {
    const setup = createTestSetup()
    const offlinePlaylists = setup.open()
    await offlinePlaylists.pin('p', 'P')
    setup.state.songs = [createTestSong(1), createTestSong(4)]
    await setup.database.change((tables) =>
      tables.lists.put([{ key: 'playlist:p', ids: setup.state.songs.map((song) => song.youtube_id), complete: true }]),
    )
    await offlinePlaylists.resume()
    expect([...setup.cache.keys()].sort()).toEqual([...coverPaths, createPicturePath(1), createPicturePath(4)].sort())
  })
})

it('offline playlists: resume downloads pictures again that the browser has cleared, and counts their bytes once', async () => {
  const setup = createTestSetup()
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin('p', 'P')
  const [rowBefore] = await setup.rows()
  await offlinePlaylists.resume()
  expect(setup.added).toHaveLength(4)
  setup.cache.clear()
  await offlinePlaylists.resume()
  expect([...setup.cache.keys()].sort()).toEqual([...coverPaths, createPicturePath(1), createPicturePath(2)].sort())
  expect(await setup.rows()).toEqual([rowBefore])
})

it('offline playlists: resume downloads a cover that has replaced the pinned one, and removes the earlier one', async () => {
  const setup = createTestSetup()
  const offlinePlaylists = setup.open()
  await offlinePlaylists.pin('p', 'P')
  setup.state.coverVersion = '/2'
  await setup.database.change((tables) => tables.playlists.put([createTestPlaylist('p', { image_url: '/img/playlist/p/2' })]))
  await offlinePlaylists.resume()
  expect([...setup.cache.keys()].filter((path) => path.startsWith('/img/playlist/'))).toEqual([
    '/img/playlist/p/2/320',
    '/img/playlist/p/2/640',
  ])
})

it('offline playlists: pictures are stored in the cache of pinned pictures', async () => {
  const pictures = createPinnedPictures()
  const urlPath = '/img/song/abcdefghijk/160'
  const fetchSpy = vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response('picture', { headers: { 'Content-Type': 'image/webp' } }))
  expect(await pictures.has(urlPath)).toBe(false)
  expect(await pictures.add(urlPath, new AbortController().signal)).toBe(7)
  expect(await pictures.has(urlPath)).toBe(true)
  expect(await caches.has('kept-pictures-v1')).toBe(true)
  await pictures.remove([urlPath])
  expect(await pictures.has(urlPath)).toBe(false)
  fetchSpy.mockImplementation(async () => new Response('', { status: 404 }))
  await expect(pictures.add(urlPath, new AbortController().signal)).rejects.toBeInstanceOf(PictureUnavailable)
  fetchSpy.mockRestore()
})
