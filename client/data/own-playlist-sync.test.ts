import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { DELETED_PLAYLIST_RESTORABLE_MS, ENTRIES_PER_CHANGE_MAX, ownPlaylistMessages } from '../../contract/own-playlist-rules.ts'
import type { Api } from '../platform/api.ts'
import { createChangeSync } from './change-sync.ts'
import { ANONYMOUS_UID, type LocalDatabase } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createSyncedPlaylists } from './own-playlist-sync.ts'
import { createOwnPlaylists } from './own-playlists.ts'
import { createPlaylistReader, listSongs, readQuery } from './testing/own-playlists.ts'
import { createTestSong } from './testing/rows.ts'

let database: LocalDatabase
let nowMs: number
beforeEach(() => {
  database = createMemoryDatabase()
  nowMs = Date.parse('2026-03-01T12:00:00Z')
})

const createSongs = (...numbers: number[]) => numbers.map((n) => createTestSong(n))
const listSongIds = (...numbers: number[]) => numbers.map((n) => createTestSong(n).youtube_id)
const openPlaylists = () => createOwnPlaylists({ database, sendOutbox: () => {}, nowMs: () => nowMs })
const { songIdsOf, titlesOf, readChanges } = createPlaylistReader(() => database)

/** Synchronizes once. Returns the request. */
async function syncOnce(response: Partial<OwnPlaylistSyncResult>, uid = 'ann') {
  const changeSync = createChangeSync(
    { database, getSignedInUid: () => uid },
    createSyncedPlaylists(database, () => nowMs),
  )
  let request: { since?: string; changes: { id: string; at: string; l: string; entries?: unknown[] }[] } | undefined
  const call = async (_: string, syncRequest: typeof request) => {
    request = syncRequest
    return { cursor: 'e.1', whole: false, more: false, playlists: [], entries: [], songs: [], refused: [], ...response }
  }
  // The cast is safe, because the sync calls only this method of the API.
  const hasMore = await (await changeSync.readBatch(uid)).send({ call } as unknown as Api)
  return { request, hasMore }
}

const createState = (l: string, title: string) => ({ l, title, description: '', deleted: false, at: '2026-02-01T00:00:00.000Z' })

const createEntryOf = (playlistId: string, songNumber: number) => ({
  ...{ l: playlistId, e: `${playlistId}${songNumber}`, s: createTestSong(songNumber).youtube_id },
  ...{ position: `V${songNumber}`, removed: false, at: '2026-02-01T00:00:00.000Z' },
})

describe('own playlists: sync', () => {
  const createEntry = (playlistId: string, songNumber: number, positionText: string, isRemoved = false) => ({
    l: playlistId,
    e: `e${songNumber}`,
    s: createTestSong(songNumber).youtube_id,
    position: positionText,
    removed: isRemoved,
    at: '2026-02-01T00:00:00.000Z',
  })

  it('own playlists: the playlists that the server sends are stored with their songs, and waiting changes still apply to them', async () => {
    await syncOnce({
      whole: true,
      playlists: [createState('l', 'A')],
      entries: [createEntry('l', 2, 'b'), createEntry('l', 1, 'a')],
      songs: createSongs(1, 2),
    })
    const playlists = openPlaylists()
    expect(listSongs(await readQuery(playlists.content('ann', 'l')))).toEqual(createSongs(1, 2))
    await playlists.removeEntries('ann', 'l', ['e1'])
    await playlists.change('ann', 'l', { title: 'Mine' })
    const ownChanges = await readChanges()
    const { request } = await syncOnce({
      playlists: [createState('l', 'Theirs')],
      entries: [createEntry('l', 3, 'c'), createEntry('l', 2, 'd')],
      songs: createSongs(3),
      refused: ownChanges.map(({ id }) => ({ id, message: 'No.' })),
    })
    expect(request).toMatchObject({
      since: 'e.1',
      changes: [
        { l: 'l', entries: [{ e: 'e1', removed: true }] },
        { l: 'l', title: 'Mine' },
      ],
    })
    // Checks that the changes that the server refused are no longer applied to the playlist.
    expect([await titlesOf('ann'), await songIdsOf('ann', 'l')]).toEqual([['Theirs'], listSongIds(1, 3, 2)])
    expect((await readChanges()).map(({ state: each, lastError }) => [each, lastError])).toEqual([
      ['failed', 'No.'],
      ['failed', 'No.'],
    ])
  })

  it('own playlists: a response with all playlists replaces those of its account only', async () => {
    await syncOnce({ whole: true, playlists: [createState('l', 'A')], entries: [createEntry('l', 1, 'a')], songs: createSongs(1) }, 'ann')
    await syncOnce({ whole: true, playlists: [createState('m', 'B')] }, 'bob')
    await syncOnce({ whole: true, playlists: [createState('n', 'C')] }, 'bob')
    expect([await titlesOf('ann'), await titlesOf('bob')]).toEqual([['A'], ['C']])
  })

  it('own playlists: a request has at most the number of entries that the server accepts in one call', async () => {
    for (const title of ['A', 'B', 'C'])
      await openPlaylists().create('ann', { title, songs: Array.from({ length: ENTRIES_PER_CHANGE_MAX }, (_, n) => createTestSong(n)) })
    const { request } = await syncOnce({})
    expect(request?.changes).toHaveLength(2)
    expect(await readChanges()).toHaveLength(1)
  })

  it('own playlists: a change is dated after the latest change that the server knows', async () => {
    await syncOnce({ whole: true, latest: new Date(nowMs + DELETED_PLAYLIST_RESTORABLE_MS).toISOString() })
    await openPlaylists().create('ann', { title: 'A' })
    expect((await readChanges()).map(({ body }) => body.at)).toEqual([new Date(nowMs + DELETED_PLAYLIST_RESTORABLE_MS + 1).toISOString()])
  })

  it('own playlists: a change is sent for its own account only', async () => {
    await openPlaylists().create('ann', { title: 'A' })
    expect((await syncOnce({}, 'bob')).request?.changes).toEqual([])
  })

  it.each([
    ['no playlists', { playlists: undefined }],
    ['an entry without a position', { entries: [{ l: 'l', e: 'e', s: 's' }] }],
    ['a song without a title', { songs: [{ youtube_id: 'x' }] }],
  ])('own playlists: a response with %s stores nothing', async (_, response) => {
    await openPlaylists().create('ann', { title: 'A' })
    // The cast is needed, because the response is not valid.
    await expect(syncOnce(response as Partial<OwnPlaylistSyncResult>)).rejects.toThrow('The answer is not the site’s.')
    expect(await readChanges()).toHaveLength(1)
  })
})

describe('own playlists: merging', () => {
  async function mergeOffline() {
    await syncOnce({
      whole: true,
      playlists: [createState('P', 'P'), createState('Q', 'Q')],
      entries: [createEntryOf('P', 1), createEntryOf('Q', 2)],
      songs: createSongs(1, 2),
    })
    const playlists = openPlaylists()
    await playlists.merge('ann', 'P', ['Q'], { duplicates: 'skip' })
    expect([await titlesOf('ann'), await songIdsOf('ann', 'P')]).toEqual([['P'], listSongIds(1, 2)])
  }

  it('own playlists: the other playlists of a merge are deleted once the server has accepted the added songs', async () => {
    await mergeOffline()
    expect((await syncOnce({})).request?.changes).toMatchObject([{ l: 'P', entries: [{ s: createTestSong(2).youtube_id }] }])
    expect((await syncOnce({})).request?.changes).toMatchObject([{ l: 'Q', deleted: true }])
    expect(await readChanges()).toEqual([])
  })

  it('own playlists: if the server refuses the added songs of a merge, the other playlists are not deleted until the songs are sent again', async () => {
    await mergeOffline()
    const [addition, deletion] = await readChanges()
    const refused = [{ id: addition?.id ?? '', message: ownPlaylistMessages.playlistFull }]
    await syncOnce({ refused })
    expect((await syncOnce({})).request?.changes).toEqual([])
    expect([await titlesOf('ann'), await songIdsOf('ann', 'Q')]).toEqual([['P', 'Q'], listSongIds(2)])
    expect((await readChanges()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ['failed', ownPlaylistMessages.playlistFull],
      ['failed', ownPlaylistMessages.playlistFull],
    ])
    const retry = (row: typeof addition) => database.change((tables) => tables.outbox.put(row ? [{ ...row, state: 'waiting' }] : []))

    await retry(deletion)
    expect((await syncOnce({})).request?.changes).toEqual([])
    await retry(addition)
    await retry(deletion)
    expect((await syncOnce({})).request?.changes).toMatchObject([{ l: 'P' }])
    expect((await syncOnce({})).request?.changes).toMatchObject([{ l: 'Q', deleted: true }])
  })
})

describe('own playlists: joining an account', () => {
  it('own playlists: playlists made without an account become changes of the account that signs in; a second transfer makes the same changes', async () => {
    const playlistId = await openPlaylists().create(ANONYMOUS_UID, {
      title: 'A',
      songs: Array.from({ length: 501 }, (_, n) => createTestSong(n)),
    })
    const songIds = await songIdsOf(ANONYMOUS_UID, playlistId)
    const playlistRowsBefore = await database.read((tables) => tables.ownPlaylists.all())
    const allPlaylists = openPlaylists().all('ann')
    const unsubscribe = allPlaylists.subscribe(() => {})
    await vi.waitFor(() => expect(allPlaylists.getSnapshot()).toMatchObject([{ id: playlistId, title: 'A', songCount: 501 }]))
    unsubscribe()
    expect([await titlesOf(ANONYMOUS_UID), await songIdsOf('ann', playlistId)]).toEqual([[], songIds])
    const changeIds = (await readChanges()).map((row) => row.id)
    expect(changeIds).toHaveLength(2)
    // Simulates a browser that has lost the transaction.
    await database.change(async (tables) => {
      await tables.ownPlaylists.put(playlistRowsBefore)
      await tables.ownPlaylistCursors.put([{ uid: ANONYMOUS_UID, cursor: '' }])
    })
    const { request } = await syncOnce({})
    expect(request?.changes.map((change) => change.id)).toEqual(changeIds)
    expect([await readChanges(), await database.read((tables) => tables.ownPlaylists.all())]).toEqual([[], []])
  })

  it('own playlists: a deleted playlist that was made without an account can be restored for 30 days, also after it was added to the account', async () => {
    const playlists = openPlaylists()
    const [oldPlaylist, recentPlaylist] = [
      await playlists.create(ANONYMOUS_UID, { title: 'Old' }),
      await playlists.create(ANONYMOUS_UID, { title: 'Recent' }),
    ]
    await playlists.remove(ANONYMOUS_UID, oldPlaylist)
    nowMs += DELETED_PLAYLIST_RESTORABLE_MS + 1
    await playlists.remove(ANONYMOUS_UID, recentPlaylist)
    expect((await readQuery(playlists.deleted(ANONYMOUS_UID))).map(({ id }) => id)).toEqual([recentPlaylist])
    const { request } = await syncOnce({})
    expect(request?.changes).toMatchObject([
      { l: recentPlaylist, title: 'Recent' },
      { l: recentPlaylist, deleted: true },
    ])
  })
})

describe('own playlists: while the account is still being loaded', () => {
  const firstPage = {
    ...{ whole: true, more: true, cursor: 'e.1', playlists: [createState('big', 'Big'), createState('small', 'Small')] },
    ...{ entries: [createEntryOf('big', 1), createEntryOf('big', 2)], songs: createSongs(1, 2) },
  }
  const lastPage = { cursor: 'e.2', entries: [createEntryOf('big', 3), createEntryOf('small', 4)], songs: createSongs(3, 4) }

  it('own playlists: nothing is copied from or added to a playlist of which entries are missing, until the last page has arrived', async () => {
    const playlists = openPlaylists()
    await syncOnce(firstPage)
    const changes = [
      () => playlists.merge('ann', 'small', ['big'], { duplicates: 'keep' }),
      () => playlists.countDuplicates('ann', 'small', ['big']),
      () => playlists.duplicate('ann', 'big', 'Copy'),
      () => playlists.addSongs('ann', 'big', createSongs(5), { duplicates: 'skip' }),
      () => playlists.moveEntries('ann', 'big', ['big1'], undefined),
    ]
    for (const change of changes) await expect(change()).rejects.toThrow('Your playlists are still loading.')
    expect([await readChanges(), await titlesOf('ann')]).toEqual([[], ['Big', 'Small']])

    await syncOnce(lastPage)
    await playlists.merge('ann', 'small', ['big'], { duplicates: 'keep' })
    expect([await songIdsOf('ann', 'small'), await titlesOf('ann')]).toEqual([listSongIds(4, 1, 2, 3), ['Small']])
  })

  it('own playlists: a playlist says that it is partial until the last page has arrived', async () => {
    const playlists = openPlaylists()
    const isLoading = playlists.isLoading('ann')
    const unsubscribe = isLoading.subscribe(() => {})
    await syncOnce(firstPage)
    await vi.waitFor(() => expect(isLoading.getSnapshot()).toBe(true))
    expect(await readQuery(playlists.all('ann'))).toMatchObject([{ isPartial: true }, { isPartial: true }])
    expect((await playlists.readContent('ann', 'big'))?.summary).toMatchObject({ isPartial: true, songCount: 2 })

    await syncOnce(lastPage)
    await vi.waitFor(() => expect(isLoading.getSnapshot()).toBe(false))
    unsubscribe()
    expect((await readQuery(playlists.all('ann'))).map(({ isPartial, songCount }) => [isPartial, songCount])).toEqual([
      [undefined, 3],
      [undefined, 1],
    ])
    expect((await playlists.readContent('ann', 'big'))?.summary.isPartial).toBeUndefined()
  })

  it('own playlists: a playlist that is made meanwhile can be changed, and what is removed can be put back', async () => {
    const playlists = openPlaylists()
    await syncOnce(firstPage)
    const playlistId = await playlists.create('ann', { title: 'New', songs: createSongs(6) })
    await playlists.addSongs('ann', playlistId, createSongs(7), { duplicates: 'skip' })
    expect(await songIdsOf('ann', playlistId)).toEqual(listSongIds(6, 7))
    const removedEntries = await playlists.removeEntries('ann', 'big', ['big1'])
    await playlists.restoreEntries('ann', 'big', removedEntries)
    expect(await songIdsOf('ann', 'big')).toEqual(listSongIds(1, 2))
  })
})
