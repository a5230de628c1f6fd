import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSharedPlaylistContextId, LIST_LIMIT_MAX } from '../../contract/playlist-rules.ts'
import type { SongDetail } from '../../contract/song.ts'
import { type Api, ApiCallError } from '../platform/api.ts'
import { createCatalogue } from './catalogue-repository.ts'
import { createPlaylistSongsKey, putList, putPlaylists } from './catalogue-rows.ts'
import { preloadFirstSongs, readPlaylistWithSongs } from './device-contexts.ts'
import { createFavorites } from './favorites.ts'
import { ANONYMOUS_UID, type LocalDatabase } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { putFetchedPlaylist } from './testing/fetched-playlist.ts'
import { createTestPlaylist, createTestSong } from './testing/rows.ts'

afterEach(() => vi.unstubAllGlobals())

let database: LocalDatabase
let signedInUid: string | undefined
let sentRequests: unknown[]
let syncAccount: () => Promise<void>
let requestSharedPlaylist: () => Promise<typeof sharedPlaylist>
beforeEach(() => {
  vi.stubGlobal('innerHeight', 912)
  database = createMemoryDatabase()
  signedInUid = 'ann'
  sentRequests = []
  syncAccount = async () => {}
  requestSharedPlaylist = async () => sharedPlaylist
})

const createSongs = (...numbers: number[]) => numbers.map((n) => createTestSong(n))
const createSongId = (n: number) => createTestSong(n).youtube_id
const openPlaylists = () => createOwnPlaylists({ database, sendOutbox: () => {} })

const sharedPlaylist = { title: 'Shared', description: '', song_count: 3, owner: 'Ann', songs: createSongs(3, 1, 2) }

let randomSongFailure: ApiCallError

/** Creates a catalogue whose server has `sharedPlaylist`, and the detail of each song with neighbours in its category. */
function openCatalogue(deps: { whenIdle?: () => Promise<void>; offline?: () => boolean } = {}) {
  const call = async (endpointKey: string, songInput: { s?: string }): Promise<SongDetail | typeof sharedPlaylist> => {
    sentRequests.push([endpointKey, songInput])
    if (endpointKey === 'GET /list/get') return requestSharedPlaylist()
    if (endpointKey === 'GET /song/random') throw randomSongFailure
    const foundSong = createSongs(1, 2, 3, 4).find(({ youtube_id }) => youtube_id === songInput.s)
    if (endpointKey !== 'GET /song/get' || !foundSong) throw new ApiCallError('api', 404, 'There is none.')
    const neighbours = { first_song: 'first', next: 'next', next_title: 'Next', context_id: 'dance', context_title: 'Dance' }
    return { ...foundSong, ...neighbours, description: 'Described', favorite: false }
  }
  // The cast is safe, because the catalogue calls only this method of the API.
  return createCatalogue({
    api: { call } as unknown as Api,
    database,
    getOwner: () => signedInUid ?? ANONYMOUS_UID,
    syncAccount: () => syncAccount(),
    ...deps,
  })
}

it('device contexts: the page of an own playlist shows the songs of this device, and each change of them', async () => {
  const playlistId = await openPlaylists().create('ann', { title: 'Mine', description: 'Of mine', songs: createSongs(1, 2) })
  const resource = openCatalogue().playlist(`my-${playlistId}`)
  const unsubscribe = resource.subscribe(() => {})
  await resource.waitUntilOpened()
  await resource.refresh()
  expect(resource.getSnapshot()).toMatchObject({
    status: 'ready',
    stale: false,
    data: { playlist: { id: `my-${playlistId}`, title: 'Mine', description: 'Of mine', song_count: 2 }, songs: createSongs(1, 2) },
  })
  await openPlaylists().addSongs('ann', playlistId, createSongs(3), { duplicates: 'keep' })
  await vi.waitFor(() => expect(resource.getSnapshot().data?.songs).toEqual(createSongs(1, 2, 3)))
  expect(sentRequests).toEqual([])
  unsubscribe()
})

it('device contexts: when another tab deletes an own playlist, its open page reports that it does not exist, and shows it again once it is restored', async () => {
  const playlistId = await openPlaylists().create('ann', { title: 'Mine', songs: createSongs(1) })
  const resource = openCatalogue().playlist(`my-${playlistId}`)
  const unsubscribe = resource.subscribe(() => {})
  await resource.refresh()
  await vi.waitFor(() => expect(resource.getSnapshot().status).toBe('ready'))
  await openPlaylists().remove('ann', playlistId)
  await vi.waitFor(() => expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'error', error: { code: 404 } }))
  await openPlaylists().restore('ann', playlistId)
  await vi.waitFor(() =>
    expect(resource.getSnapshot()).toMatchObject({ status: 'ready', stale: false, data: { playlist: { title: 'Mine' } } }),
  )
  unsubscribe()
})

it('device contexts: a long own playlist is shown with its first songs and the number of all; the others follow when the page is idle', async () => {
  const songNumbers = Array.from({ length: 100 }, (_, index) => index + 1)
  const playlistId = await openPlaylists().create('ann', { title: 'Long', songs: createSongs(...songNumbers) })
  let becomeIdle = () => {}
  const idlePromise = new Promise<void>((resolve) => {
    becomeIdle = resolve
  })
  const catalogue = openCatalogue({ whenIdle: () => idlePromise })
  const resource = catalogue.playlist(`my-${playlistId}`)
  await resource.refresh()
  const firstPage = { playlist: { song_count: 100 }, songs: createSongs(...songNumbers.slice(0, 6)) }
  expect(resource.getSnapshot()).toMatchObject({ status: 'ready', error: undefined, data: firstPage })
  expect((await catalogue.deviceSongs(`my-${playlistId}`))?.songs).toEqual(createSongs(...songNumbers))
  becomeIdle()
  await vi.waitFor(() => expect(resource.getSnapshot().data).toMatchObject({ ...firstPage, songs: createSongs(...songNumbers) }))
})

it('device contexts: an own playlist that the page lists opens from memory, as the list shows it, and disappears if it has been deleted', async () => {
  const playlists = openPlaylists()
  const playlistId = await playlists.create('ann', {
    title: 'Listed',
    songs: createSongs(...Array.from({ length: 9 }, (_, index) => index + 1)),
  })
  const unsubscribe = playlists.all('ann').subscribe(() => {})
  await vi.waitFor(() => expect(playlists.all('ann').getSnapshot()).toHaveLength(1))
  await preloadFirstSongs(database, 'ann', [`my-${playlistId}`])
  await playlists.change('ann', playlistId, { title: 'Renamed' })
  const readSpy = vi.spyOn(database, 'read')
  const openResource = () => openCatalogue({ whenIdle: () => new Promise(() => {}) }).playlist(`my-${playlistId}`)
  const resource = openResource()
  await resource.waitUntilOpened()
  expect(resource.getSnapshot().data).toMatchObject({ playlist: { title: 'Renamed', song_count: 9 }, songs: createSongs(1, 2, 3, 4, 5, 6) })
  expect(readSpy).not.toHaveBeenCalled()

  await database.change((tables) => tables.songs.put([{ ...createTestSong(2), title: 'New title' }]))
  const laterResource = openResource()
  await laterResource.waitUntilOpened()
  expect(laterResource.getSnapshot().data?.songs[1]?.title).toBe('New title')
  await playlists.remove('ann', playlistId)
  const deletedResource = openResource()
  await deletedResource.refresh()
  expect(deletedResource.getSnapshot()).toMatchObject({ data: undefined, error: { code: 404 } })
  unsubscribe()
})

it('device contexts: an own playlist says that it is partial until all its songs have arrived', async () => {
  await putFetchedPlaylist(database, 'ann', createSongs(1), true)
  const resource = openCatalogue().playlist('my-big')
  const unsubscribe = resource.subscribe(() => {})
  await vi.waitFor(() => expect(resource.getSnapshot().data).toMatchObject({ isPartial: true, songs: createSongs(1) }))
  await putFetchedPlaylist(database, 'ann', createSongs(1), false)
  await vi.waitFor(() => expect(resource.getSnapshot().data).not.toHaveProperty('isPartial'))
  expect(resource.getSnapshot().data).toMatchObject({ playlist: { song_count: 1 }, songs: createSongs(1) })
  unsubscribe()
})

it('device contexts: the songs of a partial own playlist are awaited for eight seconds at most, and are complete only once all have arrived', async () => {
  await putFetchedPlaylist(database, 'ann', createSongs(1), true)
  syncAccount = () => new Promise(() => {})
  vi.useFakeTimers()
  try {
    const songsPromise = openCatalogue().deviceSongs('my-big')
    await vi.advanceTimersByTimeAsync(8_000)
    expect(await songsPromise).toEqual({ songs: createSongs(1), complete: false })
  } finally {
    vi.useRealTimers()
  }
  syncAccount = async () => putFetchedPlaylist(database, 'ann', createSongs(1, 2), false)
  expect(await openCatalogue().deviceSongs('my-big')).toEqual({ songs: createSongs(1, 2), complete: true })
  expect(sentRequests).toEqual([])
})

const shareToken = 'a-token_of_22_letters_'
const sharedContextId = createSharedPlaylistContextId(shareToken)

it('device contexts: the songs of a shared playlist are read without a request while the device is offline, and the previous and next song of each song follow the order of the playlist', async () => {
  const contextId = sharedContextId
  expect((await openCatalogue().deviceSongs(contextId))?.songs).toEqual(createSongs(3, 1, 2))
  const catalogue = openCatalogue({ offline: () => true })
  expect((await catalogue.deviceSongs(contextId))?.songs).toEqual(createSongs(3, 1, 2))
  const songResource = catalogue.song(createSongId(1), contextId)
  await songResource.refresh()
  await vi.waitFor(() => expect(songResource.getSnapshot().data?.description).toBe('Described'))
  expect(songResource.getSnapshot().data).toMatchObject({
    ...{ context_id: contextId, context_title: 'Shared' },
    ...{ first_song: createSongId(3), previous: createSongId(3), next: createSongId(2) },
  })
  expect(sentRequests).toEqual([
    ['GET /list/get', { l: shareToken, limit: LIST_LIMIT_MAX }],
    ['GET /song/get', { s: createSongId(1) }],
  ])
})

it('device contexts: a shared playlist that is stored is requested again, and removed from this device if its owner has stopped sharing it', async () => {
  await openCatalogue().deviceSongs(sharedContextId)
  requestSharedPlaylist = async () => ({ ...sharedPlaylist, song_count: 1, songs: createSongs(2) })
  expect((await openCatalogue().deviceSongs(sharedContextId))?.songs).toEqual(createSongs(2))
  requestSharedPlaylist = () => Promise.reject(new ApiCallError('api', 404, 'There is none.'))
  const catalogue = openCatalogue()
  const songResource = catalogue.song(createSongId(2), sharedContextId)
  const unsubscribe = songResource.subscribe(() => {})
  await vi.waitFor(() => expect(songResource.getSnapshot().data?.context_id).toBe(sharedContextId))
  await songResource.refresh()
  await expect(catalogue.deviceSongs(sharedContextId)).rejects.toMatchObject({ code: 404 })
  await vi.waitFor(() => expect(songResource.getSnapshot().data).toMatchObject({ context_id: 'dance', next: 'next' }))
  expect(await database.read((tables) => Promise.all([tables.lists.keys(), tables.playlists.keys()]))).toEqual([[], []])
  unsubscribe()
})

it.each([
  ['does not answer', new ApiCallError('network', 0, 'No connection to the server.')],
  ['fails', new ApiCallError('api', 500, 'Broken.')],
])('device contexts: the songs of a shared playlist stay on this device if the server %s', async (_, failure) => {
  await openCatalogue().deviceSongs(sharedContextId)
  requestSharedPlaylist = () => Promise.reject(failure)
  expect((await openCatalogue().deviceSongs(sharedContextId))?.songs).toEqual(createSongs(3, 1, 2))
})

it('device contexts: a server that is slow to answer delays the stored songs of a shared playlist by eight seconds at most', async () => {
  await openCatalogue().deviceSongs(sharedContextId)
  requestSharedPlaylist = () => new Promise(() => {})
  vi.useFakeTimers()
  try {
    const songsPromise = openCatalogue().deviceSongs(sharedContextId)
    await vi.advanceTimersByTimeAsync(8_000)
    expect((await songsPromise)?.songs).toEqual(createSongs(3, 1, 2))
  } finally {
    vi.useRealTimers()
  }
})

it('device contexts: the playlists on this device do not include those that other persons share', async () => {
  const { localPlaylists, deviceSongs } = openCatalogue()
  await deviceSongs(sharedContextId)
  await database.change(async (tables) => {
    await putPlaylists(tables, [createTestPlaylist('a')])
    await putList(tables, createPlaylistSongsKey('a'), [], true)
  })
  const unsubscribe = localPlaylists.subscribe(() => {})
  await vi.waitFor(() => expect(localPlaylists.getSnapshot()?.map(({ id }) => id)).toEqual(['a']))
  unsubscribe()
})

it('device contexts: the row of a song is read once, and again after it has changed', async () => {
  const playlistId = await openPlaylists().create('ann', { title: 'Mine', songs: createSongs(1, 2) })
  const readSongIdLists: string[][] = []
  const readContext = () =>
    database.read(async (tables) => {
      const getMany = (songIds: readonly string[]) => {
        readSongIdLists.push([...songIds])
        return tables.songs.getMany(songIds)
      }
      return (await readPlaylistWithSongs(database, { ...tables, songs: { ...tables.songs, getMany } }, 'ann', `my-${playlistId}`))?.songs
    })
  await readContext()
  expect(await readContext()).toEqual(createSongs(1, 2))
  const renamedSong = { ...createTestSong(2), title: 'Renamed' }
  await database.change((tables) => tables.songs.put([renamedSong]))
  expect(await readContext()).toEqual([createTestSong(1), renamedSong])
  expect(readSongIdLists).toEqual([[createSongId(1), createSongId(2)], [createSongId(2)]])
})

it('device contexts: an own playlist that this device does not have is found by a sync, or does not exist', async () => {
  const openResource = async (songId: string) => {
    const resource = openCatalogue().playlist(`my-${songId}`)
    await resource.refresh()
    return resource.getSnapshot()
  }
  expect(await openResource('none')).toMatchObject({ status: 'error', error: { code: 404 } })
  let playlistId = ''
  syncAccount = async () => {
    playlistId = await openPlaylists().create('ann', { title: 'Of another device', songs: createSongs(1) })
    await database.change(async (tables) => {
      const rows = await tables.outbox.all()
      await tables.outbox.put(rows.map((row) => (row.call === 'POST /list/sync' ? { ...row, body: { ...row.body, l: 'known' } } : row)))
    })
  }
  expect((await openResource('known')).data?.playlist.title).toBe('Of another device')
  expect(playlistId).not.toBe('')
})

it('device contexts: an own playlist is shown to its owner only, and not once it is deleted', async () => {
  const playlists = openPlaylists()
  const playlistId = await playlists.create(ANONYMOUS_UID, { title: 'Device', songs: createSongs(1) })
  const readStatusFor = async (ownerUid: string | undefined) => {
    signedInUid = ownerUid
    const resource = openCatalogue().playlist(`my-${playlistId}`)
    await resource.refresh()
    return resource.getSnapshot().status
  }
  expect([await readStatusFor(undefined), await readStatusFor('ann')]).toEqual(['ready', 'error'])
  await playlists.remove(ANONYMOUS_UID, playlistId)
  expect(await readStatusFor(undefined)).toBe('error')
})

it('device contexts: a song has the previous and next song of an own playlist, and the description that the server sent', async () => {
  const playlistId = await openPlaylists().create('ann', { title: 'Mine', songs: createSongs(3, 1, 2) })
  const songResource = openCatalogue().song(createSongId(1), `my-${playlistId}`)
  const unsubscribe = songResource.subscribe(() => {})
  const neighbours = {
    context_id: `my-${playlistId}`,
    context_title: 'Mine',
    first_song: createSongId(3),
    previous: createSongId(3),
    next: createSongId(2),
  }
  await vi.waitFor(() => expect(songResource.getSnapshot().data).toMatchObject({ ...neighbours, description: '' }))
  await songResource.refresh()
  expect(sentRequests).toEqual([['GET /song/get', { s: createSongId(1) }]])
  await vi.waitFor(() => expect(songResource.getSnapshot().data).toMatchObject({ ...neighbours, description: 'Described' }))
  unsubscribe()
})

it('device contexts: a song has its neighbours in the favorites', async () => {
  const favorites = createFavorites({ database, sendOutbox: () => {}, nowMs: () => 1 })
  await favorites.edit(
    'ann',
    createSongs(1, 2, 3).map((song) => ({ songId: song.youtube_id, favorite: true, song })),
  )
  const songResource = openCatalogue().song(createSongId(2), 'favorite')
  await songResource.refresh()
  expect(songResource.getSnapshot().data).toMatchObject({
    context_id: 'favorite',
    previous: createSongId(3),
    next: createSongId(1),
    description: 'Described',
  })
  expect((await openCatalogue().deviceSongs('favorite'))?.songs).toEqual(createSongs(3, 2, 1))
})

it.each([
  ['is offline', new ApiCallError('network', 0, 'Offline'), true],
  ['is overloaded', new ApiCallError('api', 429, 'Too many'), true],
  ['is restarting', new ApiCallError('api', 503, 'Restarting'), true],
  ['has no such playlist', new ApiCallError('api', 404, 'There is none.'), false],
])(
  'device contexts: while the server %s, a random song is one of those on this device only if the server has not answered',
  async (_, failure, isFromDevice) => {
    randomSongFailure = failure
    await expect(openCatalogue().randomSong({}), 'no song on this device').rejects.toBe(failure)
    await openPlaylists().create('ann', { title: 'Mine', songs: createSongs(1, 2) })
    const songPromise = openCatalogue().randomSong({ not: createSongId(1) })
    if (isFromDevice) expect(await songPromise).toMatchObject({ youtube_id: createSongId(2) })
    else await expect(songPromise).rejects.toBe(failure)
  },
)

it('device contexts: a random song of an own playlist is chosen on this device', async () => {
  const playlistId = await openPlaylists().create('ann', { title: 'Mine', songs: createSongs(1, 2) })
  expect(await openCatalogue().randomSong({ p: `my-${playlistId}`, not: createSongId(1) })).toMatchObject({ youtube_id: createSongId(2) })
  await expect(openCatalogue().randomSong({ p: 'my-none' })).rejects.toThrow(ApiCallError)
  expect(sentRequests).toEqual([])
})
