import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { OwnPlaylistChange, OwnPlaylistSyncResult } from '../../contract/own-playlist.ts'
import { DELETED_PLAYLIST_RESTORABLE_MS, ownPlaylistMessages } from '../../contract/own-playlist-rules.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { createSongRows, formatSongId, type StorageFixture, songReadOptions } from '../storage/testing/fixture.ts'
import {
  createEntryAddition,
  createEntryId,
  createPlaylistChange,
  createPlaylistId,
  createPosition,
  DEVICE_A,
  DEVICE_B,
  formatIsoTime,
  NOW_MS,
} from './testing/changes.ts'

vi.setConfig({ testTimeout: 60_000 })

/** The playlists of an account as a device knows them. */
function createReplica() {
  const playlistTextById = new Map<string, string>()
  const entryTextById = new Map<string, string>()
  let syncCursor: string | undefined
  return {
    since: () => syncCursor,
    apply(result: OwnPlaylistSyncResult) {
      if (result.whole) {
        playlistTextById.clear()
        entryTextById.clear()
      }
      for (const playlist of result.playlists) playlistTextById.set(playlist.l, JSON.stringify(playlist))
      for (const changedEntry of result.entries) {
        const key = `${changedEntry.l} ${changedEntry.e}`
        if (changedEntry.removed) entryTextById.delete(key)
        else entryTextById.set(key, JSON.stringify(changedEntry))
      }
      syncCursor = result.cursor
    },
    content: () => ({ playlists: [...playlistTextById].sort(), entries: [...entryTextById].sort() }),
  }
}

describeStores('own playlists', { isLongOnPostgres: true }, (fixture) => {
  const getStore = () => fixture.storage.ownPlaylists
  const sync = (changes: OwnPlaylistChange[], since?: string, nowMs = NOW_MS, uid = 'ann') =>
    getStore().sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs, songReadOptions)
  const readSync = (since?: string, uid = 'ann') => getStore().sync(uid, since === undefined ? {} : { since }, NOW_MS, songReadOptions)
  /** The song ids of the entries of playlist 1 in their order. */
  const readSongOrder = async () =>
    (await readSync()).entries.toSorted((a, b) => (a.position + a.e < b.position + b.e ? -1 : 1)).map(({ s }) => Number(s.slice(-6)))
  const fillPlaylist = async (entryCount: number) => {
    await fixture.importRows({ songs: createSongRows(entryCount) })
    return sync([
      createPlaylistChange({ title: 'Mine', entries: Array.from({ length: entryCount }, (_, i) => createEntryAddition(i + 1)) }),
    ])
  }

  test('sync stores a playlist with its entries, and returns it with the songs; later syncs return only the changes since the cursor', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    const firstSync = await sync([
      createPlaylistChange({
        title: '  Night\u202e drive ',
        description: 'For\nroads',
        entries: [createEntryAddition(1), createEntryAddition(2), createEntryAddition(3, { s: formatSongId(1) })],
      }),
    ])
    expect(firstSync).toEqual({
      cursor: expect.stringMatching(/^[0-9a-f]{16}\.4$/),
      latest: formatIsoTime(NOW_MS),
      whole: true,
      more: false,
      refused: [],
      playlists: [{ l: createPlaylistId(1), title: 'Night drive', description: 'For\nroads', deleted: false, at: formatIsoTime(NOW_MS) }],
      entries: [1, 2, 1].map((songNumber, index) => ({
        l: createPlaylistId(1),
        e: createEntryId(index + 1),
        s: formatSongId(songNumber),
        position: createPosition(index + 1),
        removed: false,
        at: formatIsoTime(NOW_MS),
      })),
      songs: expect.arrayContaining([
        expect.objectContaining({ youtube_id: formatSongId(1) }),
        expect.objectContaining({ title: 'Song 2' }),
      ]),
    })
    expect(firstSync.songs).toHaveLength(2)
    expect(await readSync(firstSync.cursor)).toEqual({ ...firstSync, whole: false, playlists: [], entries: [], songs: [] })
    const secondSync = await sync(
      [createPlaylistChange({ at: formatIsoTime(NOW_MS + 9), title: 'Day', entries: [{ e: createEntryId(2), removed: true }] })],
      firstSync.cursor,
      NOW_MS + 5,
    )
    expect(secondSync).toMatchObject({
      whole: false,
      latest: formatIsoTime(NOW_MS + 5),
      playlists: [{ title: 'Day', description: 'For\nroads' }],
      entries: [{ e: createEntryId(2), removed: true }],
      songs: [],
    })
    await fixture.reopen()
    expect(await readSync(firstSync.cursor)).toEqual(secondSync)
    expect((await readSync()).entries.map(({ e }) => e)).toEqual([createEntryId(1), createEntryId(3)])
    expect(await readSync(undefined, 'bob')).toEqual({
      ...{ cursor: expect.any(String), whole: true, more: false },
      ...{ playlists: [], entries: [], songs: [], refused: [] },
    })
  })

  test('the moves of different entries by two devices are both stored; of two moves of one entry, the later one is stored', async () => {
    const { cursor } = await fillPlaylist(4)
    await sync(
      [createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), entries: [{ e: createEntryId(4), position: 'a000000' }] })],
      cursor,
      NOW_MS + 9,
    )
    await sync(
      [
        createPlaylistChange({
          at: formatIsoTime(NOW_MS + 2),
          device: DEVICE_B,
          entries: [{ e: createEntryId(1), position: `${createPosition(3)}V` }],
        }),
      ],
      cursor,
      NOW_MS + 9,
    )
    expect(await readSongOrder()).toEqual([4, 2, 3, 1])
    const lateChange = createPlaylistChange({
      at: formatIsoTime(NOW_MS + 1),
      device: DEVICE_B,
      entries: [{ e: createEntryId(4), position: 'z' }],
    })
    const latestChange = createPlaylistChange({
      at: formatIsoTime(NOW_MS + 3),
      device: DEVICE_B,
      entries: [{ e: createEntryId(1), position: 'Z' }],
    })
    await sync([latestChange, lateChange], cursor, NOW_MS + 9)
    // Of two changes with the same time, the change of the device with the greater id wins.
    expect(await readSongOrder()).toEqual([1, 2, 3, 4])
  })

  test('the values of a change are merged separately: an older title is dropped, while the description of the same change is stored', async () => {
    await fillPlaylist(1)
    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 5), title: 'Newer' })], undefined, NOW_MS + 9)
    await sync(
      [createPlaylistChange({ at: formatIsoTime(NOW_MS + 4), device: DEVICE_B, title: 'Older', description: 'Only one' })],
      undefined,
      NOW_MS + 9,
    )
    expect((await readSync()).playlists).toMatchObject([{ title: 'Newer', description: 'Only one' }])
  })

  test('songs that have left the catalogue are left out of a change, and the rest of the change is applied', async () => {
    await fixture.importRows({ songs: createSongRows(1) })
    const { refused } = await sync([
      createPlaylistChange({ title: 'Night drive', entries: [createEntryAddition(8, { s: formatSongId(1) }), createEntryAddition(9)] }),
      createPlaylistChange({ l: createPlaylistId(2), title: 'Only lost songs', entries: [createEntryAddition(9)] }),
      createPlaylistChange({ entries: [{ e: createEntryId(9), position: 'a' }] }),
    ])
    expect(refused).toEqual([])
    const { playlists, entries } = await readSync()
    expect(playlists.map(({ title }) => title)).toEqual(['Night drive', 'Only lost songs'])
    expect(entries).toMatchObject([{ e: createEntryId(8), s: formatSongId(1) }])
  })

  test('a change is refused as a whole with a message, and the other changes of the call are applied', async () => {
    await fillPlaylist(2)
    const stateBefore = await readSync()
    const wrongChanges: [OwnPlaylistChange, string][] = [
      [createPlaylistChange({ entries: [createEntryAddition(9)] }), ownPlaylistMessages.noSong],
      [
        createPlaylistChange({ title: 'Lost', entries: [{ e: createEntryId(1), removed: true }, createEntryAddition(9, { s: 'a\0b' })] }),
        ownPlaylistMessages.noSong,
      ],
      [createPlaylistChange({ title: ' \u200b', entries: [{ e: createEntryId(1), removed: true }] }), ownPlaylistMessages.noTitle],
      [
        createPlaylistChange({ l: createPlaylistId(2), description: 'No title', entries: [createEntryAddition(1)] }),
        ownPlaylistMessages.noPlaylist,
      ],
    ]
    const { refused } = await sync([
      ...wrongChanges.map(([change]) => change),
      createPlaylistChange({ l: createPlaylistId(3), title: 'Other' }),
    ])
    expect(refused).toEqual(wrongChanges.map(([{ id }, message]) => ({ id, message })))
    const stateAfter = await readSync(stateBefore.cursor)
    expect([stateAfter.playlists.map(({ l, title }) => [l, title]), stateAfter.entries]).toEqual([[[createPlaylistId(3), 'Other']], []])
    // A refused change may be sent again.
    await fixture.importRows({ songs: createSongRows(9) })
    expect((await sync([wrongChanges[0]?.[0] ?? createPlaylistChange()])).refused).toEqual([])
    expect(await readSongOrder()).toEqual([1, 2, 9])
  })

  test('changes of entries that the playlist does not have store nothing; an entry is added once', async () => {
    await fillPlaylist(2)
    const { cursor } = await readSync()
    const [moveChange, removeChange] = [
      { e: createEntryId(7), position: 'b' },
      { e: createEntryId(8), removed: true },
    ]
    await sync([
      createPlaylistChange({
        entries: [
          moveChange,
          removeChange,
          createEntryAddition(6, { s: formatSongId(1), removed: true }),
          { e: createEntryId(5), s: formatSongId(1) },
        ],
      }),
    ])
    expect(await readSync(cursor)).toMatchObject({ cursor, playlists: [], entries: [] })
    await sync([
      createPlaylistChange({ entries: [{ ...createEntryAddition(1), s: formatSongId(2) }] }),
      createPlaylistChange({ l: createPlaylistId(2), title: 'B', entries: [createEntryAddition(1)] }),
    ])
    expect((await readSync()).entries.map(({ l, e, s }) => [l, e, s])).toEqual([
      [createPlaylistId(1), createEntryId(1), formatSongId(1)],
      [createPlaylistId(1), createEntryId(2), formatSongId(2)],
      [createPlaylistId(2), createEntryId(1), formatSongId(1)],
    ])
  })

  test('a change is applied once, with its ids in upper or lower case', async () => {
    await fillPlaylist(2)
    const change = createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), entries: [{ e: createEntryId(1), removed: true }] })
    const { cursor } = await sync([change, change], undefined, NOW_MS + 9)
    await sync(
      [createPlaylistChange({ at: formatIsoTime(NOW_MS + 2), entries: [{ e: createEntryId(1), removed: false }] })],
      undefined,
      NOW_MS + 9,
    )
    const upperCaseChange = { ...change, id: change.id.toUpperCase(), l: change.l.toUpperCase(), at: formatIsoTime(NOW_MS + 8) }
    expect(await sync([upperCaseChange, change], cursor, NOW_MS + 9)).toMatchObject({
      entries: [{ e: createEntryId(1), removed: false }],
      refused: [],
    })
    expect(await readSongOrder()).toEqual([1, 2])
    await Promise.all(
      [1, 2, 3].map(() => sync([createPlaylistChange({ ...change, l: createPlaylistId(2), title: 'B', id: createEntryId(9) })])),
    )
    expect((await readSync()).playlists).toHaveLength(2)
  })

  test('an edit of a deleted playlist is kept and does not restore it; within 30 days the playlist can be restored with all its songs', async () => {
    const { cursor } = await fillPlaylist(2)
    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), deleted: true })], undefined, NOW_MS + 9)
    await sync(
      [
        createPlaylistChange({
          at: formatIsoTime(NOW_MS + 2),
          device: DEVICE_B,
          title: 'Edited',
          entries: [createEntryAddition(3, { s: formatSongId(2) })],
        }),
      ],
      cursor,
      NOW_MS + 9,
    )
    expect((await readSync()).playlists).toMatchObject([{ title: 'Edited', deleted: true, deleted_at: formatIsoTime(NOW_MS + 9) }])
    const restoredMs = NOW_MS + DELETED_PLAYLIST_RESTORABLE_MS - 1
    await fixture.storage.deleteExpired(restoredMs)
    await sync([createPlaylistChange({ at: formatIsoTime(restoredMs), deleted: false })], cursor, restoredMs)
    const [restoredPlaylist] = (await readSync()).playlists
    expect(restoredPlaylist).toMatchObject({ title: 'Edited', deleted: false })
    expect(restoredPlaylist).not.toHaveProperty('deleted_at')
    expect(await readSongOrder()).toEqual([1, 2, 2])
    // A deletion that was made before the playlist was restored, but arrives after it, has no effect.
    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 3), device: DEVICE_B, deleted: true })], cursor, restoredMs)
    expect((await readSync()).playlists).toMatchObject([{ deleted: false }])
  })

  test('after 30 days the entries of a deleted playlist are gone, and its row stays', async () => {
    await fillPlaylist(2)
    await sync([createPlaylistChange({ l: createPlaylistId(2), title: 'Stays', entries: [createEntryAddition(1)] })])
    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), deleted: true })], undefined, NOW_MS + 9)
    const laterMs = NOW_MS + 9 + DELETED_PLAYLIST_RESTORABLE_MS + 1
    const restoringChange = createPlaylistChange({ at: formatIsoTime(laterMs), deleted: false })
    expect((await sync([restoringChange], undefined, laterMs)).refused).toEqual([
      { id: restoringChange.id, message: ownPlaylistMessages.notRestorable },
    ])
    await fixture.storage.deleteExpired(laterMs)
    const { playlists, entries } = await readSync()
    expect(playlists.map(({ l, deleted }) => [l, deleted])).toEqual([
      [createPlaylistId(2), false],
      [createPlaylistId(1), true],
    ])
    expect(entries.map(({ l }) => l)).toEqual([createPlaylistId(2)])
  })

  test('sync returns pages of 2,000 entries, each with all changed playlists', fixture.longOnPostgres, async () => {
    await fixture.importRows({ songs: createSongRows(2) })
    const entryChanges = Array.from({ length: 2500 }, (_, i) => createEntryAddition(i + 1, { s: formatSongId((i % 2) + 1) }))
    await sync([createPlaylistChange({ title: 'Long' })])
    for (let first = 0; first < 2500; first += 500) await sync([createPlaylistChange({ entries: entryChanges.slice(first, first + 500) })])
    const syncPage = await readSync()
    expect([syncPage.whole, syncPage.more, syncPage.entries.length, syncPage.songs.length]).toEqual([true, true, 2000, 2])
    expect(syncPage.playlists).toHaveLength(1)
    await sync(
      [createPlaylistChange({ at: formatIsoTime(NOW_MS + 1), title: 'Longer', entries: [{ e: createEntryId(1), removed: true }] })],
      undefined,
      NOW_MS + 1,
    )
    const nextPage = await readSync(syncPage.cursor)
    expect([nextPage.whole, nextPage.more, nextPage.entries.length]).toEqual([false, false, 501])
    expect(nextPage.playlists).toMatchObject([{ title: 'Longer' }])
    expect(nextPage.entries.at(-1)).toMatchObject({ e: createEntryId(1), removed: true })
  })

  test("for a cursor that is invalid, of another account or ahead of the account's sync position, sync returns all rows; resetCursors invalidates all cursors", async () => {
    const { cursor } = await fillPlaylist(1)
    const [cursorEpoch = ''] = cursor.split('.')
    const otherCursor = (await readSync(undefined, 'bob')).cursor.split('.')[0]
    for (const since of ['', 'x', cursorEpoch, `${cursorEpoch}.-1`, `${cursorEpoch}.3`, `${otherCursor}.1`])
      expect(await readSync(since), since).toMatchObject({ cursor, whole: true, entries: [{ e: createEntryId(1) }] })
    expect(await readSync(`${cursorEpoch}.0`)).toMatchObject({ whole: false, playlists: [{ l: createPlaylistId(1) }] })
    expect(await getStore().resetCursors()).toBe(2)
    expect(await readSync(cursor)).toMatchObject({ whole: true, entries: [{ e: createEntryId(1) }] })
  })

  test('a shared playlist is found by its token until it is private, hidden or deleted, and each sharing creates a new token', async () => {
    await fillPlaylist(3)
    await sync(
      [
        createPlaylistChange({
          at: formatIsoTime(NOW_MS + 1),
          entries: [
            { e: createEntryId(1), position: 'b' },
            { e: createEntryId(2), removed: true },
          ],
        }),
      ],
      undefined,
      NOW_MS + 1,
    )
    const share = async (isShared: boolean, isIndexed?: boolean) => {
      const outcome = await getStore().share('ann', createPlaylistId(1), isShared, isIndexed)
      if (typeof outcome === 'string') throw new Error(outcome)
      return outcome.token
    }
    const { cursor } = await readSync()
    const shareToken = await share(true)
    expect(shareToken).toMatch(/^[\w-]{22}$/)
    expect(await share(true, true)).toBe(shareToken)
    expect((await readSync(cursor)).playlists).toMatchObject([{ share: { token: shareToken, indexed: true } }])
    const expectedSharedPlaylist = { uid: 'ann', playlistId: createPlaylistId(1), title: 'Mine', description: '', isIndexed: true }
    expect(await getStore().findShared(shareToken)).toEqual(expectedSharedPlaylist)
    expect(await getStore().countSongs('ann', createPlaylistId(1))).toBe(2)
    const songs = await getStore().listSongs('ann', createPlaylistId(1), { limit: 9, offset: 0 }, songReadOptions)
    expect(songs.map(({ youtube_id }) => youtube_id)).toEqual([formatSongId(3), formatSongId(1)])
    expect(await getStore().listSongs('ann', createPlaylistId(1), { limit: 1, offset: 1 }, songReadOptions)).toMatchObject([
      { title: 'Song 1' },
    ])

    expect(await share(false)).toBe('')
    expect(await getStore().findShared(shareToken)).toBeUndefined()
    expect((await readSync(cursor)).playlists[0]).not.toHaveProperty('share')
    const secondToken = await share(true)
    expect(secondToken).not.toBe(shareToken)
    expect(await getStore().findShared(secondToken)).toMatchObject({ isIndexed: false })

    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 2), deleted: true })], undefined, NOW_MS + 9)
    expect(await getStore().findShared(secondToken)).toBeUndefined()
    await sync([createPlaylistChange({ at: formatIsoTime(NOW_MS + 3), deleted: false })], undefined, NOW_MS + 700_000)
    expect(await getStore().findShared(secondToken)).toBeUndefined()

    const thirdToken = await share(true)
    const adminAct = { actor: 'admin', command: 'list hide', reason: 'Spam', atMs: NOW_MS }
    expect(await fixture.storage.moderation.hideList(thirdToken, { act: adminAct, isDryRun: false })).toMatchObject({ kind: 'done' })
    expect(await getStore().findShared(thirdToken)).toBeUndefined()
    expect((await readSync(cursor)).playlists).toMatchObject([{ hidden: 'Spam' }])
    expect(await getStore().share('ann', createPlaylistId(1), false, undefined)).toBe('hidden')
    expect(await fixture.storage.moderation.showList(thirdToken, { act: adminAct, isDryRun: false })).toMatchObject({ kind: 'done' })
    expect(await getStore().findShared(thirdToken)).toMatchObject({ title: 'Mine' })
    expect(await fixture.storage.moderation.hideList(shareToken, { act: adminAct, isDryRun: false })).toEqual({ kind: 'unknown' })
    expect(await getStore().share('bob', createPlaylistId(1), true, undefined)).toBe('no-playlist')
  })

  test('a deleted playlist has no public page; if it is restored within ten minutes, as by Undo, its page is back under the same address', async () => {
    await fillPlaylist(1)
    const outcome = await getStore().share('ann', createPlaylistId(1), true, true)
    const shareToken = typeof outcome === 'string' ? '' : outcome.token
    const setDeleted = (deleted: boolean, receivedAtMs: number) =>
      sync([createPlaylistChange({ at: formatIsoTime(receivedAtMs), deleted })], undefined, receivedAtMs)
    const findTitle = async () => (await getStore().findShared(shareToken))?.title

    const deletedState = await setDeleted(true, NOW_MS + 1)
    expect(deletedState.playlists[0]).not.toHaveProperty('share')
    expect(await findTitle()).toBeUndefined()
    expect(await getStore().report(shareToken, { clientId: 'one', reason: 'Rude', atMs: NOW_MS })).toBe(false)
    expect(await getStore().share('ann', createPlaylistId(1), true, undefined)).toBe('no-playlist')
    const restoredState = await setDeleted(false, NOW_MS + 600_001)
    expect(restoredState.playlists).toMatchObject([{ share: { token: shareToken, indexed: true } }])
    expect(await findTitle()).toBe('Mine')

    await setDeleted(true, NOW_MS + 700_000)
    await fixture.storage.deleteExpired(NOW_MS + 1_300_000)
    await setDeleted(false, NOW_MS + 1_300_000)
    expect(await findTitle()).toBe('Mine')

    await setDeleted(true, NOW_MS + 1_400_000)
    const adminAct = { actor: 'admin', command: 'list hide', reason: 'Spam', atMs: NOW_MS }
    expect(await fixture.storage.moderation.hideList(shareToken, { act: adminAct, isDryRun: false })).toMatchObject({ kind: 'done' })
    await setDeleted(false, NOW_MS + 1_400_001)
    expect(await findTitle()).toBeUndefined()
    expect(await fixture.storage.moderation.showList(shareToken, { act: adminAct, isDryRun: false })).toMatchObject({ kind: 'done' })
    expect(await findTitle()).toBe('Mine')

    await setDeleted(true, NOW_MS + 1_500_000)
    await fixture.storage.deleteExpired(NOW_MS + 2_100_001)
    expect(await fixture.storage.moderation.hideList(shareToken, { act: adminAct, isDryRun: false })).toEqual({ kind: 'unknown' })
    await setDeleted(false, NOW_MS + 2_100_002)
    expect(await findTitle()).toBeUndefined()
  })

  test('reports of a shared playlist are stored up to 20 of a client and 10 of a playlist in a day, for a month', async () => {
    const report = (token: string, clientId: string, atMs = NOW_MS) =>
      getStore().report(token, { clientId, reason: `by ${clientId}`, atMs })
    await sync(Array.from({ length: 22 }, (_, n) => createPlaylistChange({ l: createPlaylistId(n + 1), title: `List ${n + 1}` })))
    const shareTokens: string[] = []
    for (let n = 1; n <= 22; n++) {
      const outcome = await getStore().share('ann', createPlaylistId(n), true, undefined)
      if (typeof outcome !== 'string') shareTokens.push(outcome.token)
    }
    const [firstToken = ''] = shareTokens
    expect(await report('unknown', 'one')).toBe(false)
    for (const token of shareTokens) expect(await report(token, 'one')).toBe(true)
    expect(await fixture.storage.moderation.listReports(100)).toHaveLength(20)
    for (let client = 0; client < 12; client++) await report(firstToken, `client ${client}`)
    expect((await fixture.storage.moderation.listReports(100)).filter(({ target }) => target === `list ${firstToken}`)).toHaveLength(10)
    expect(await report(firstToken, 'next day', NOW_MS + 86_400_000)).toBe(true)
    expect((await fixture.storage.moderation.listReports(1))[0]).toEqual({
      target: `list ${firstToken}`,
      title: 'List 1',
      reason: 'by next day',
      reported: formatIsoTime(NOW_MS + 86_400_000),
    })
    await fixture.storage.deleteExpired(NOW_MS + 31.5 * 86_400_000)
    expect(await fixture.storage.moderation.listReports(100)).toHaveLength(1)
  })

  test('the export has all songs in order, also those that the catalogue no longer has; deletion of the account leaves nothing', async () => {
    await fillPlaylist(2)
    await sync([createPlaylistChange({ l: createPlaylistId(2), title: 'Gone', deleted: true, entries: [createEntryAddition(1)] })])
    const readExport = async () => {
      const playlists: unknown[] = []
      for await (const rows of getStore().exportAll('ann')) playlists.push(...rows)
      return playlists
    }
    const importedSongs = [1, 2].map((n) => ({ s: formatSongId(n), at: formatIsoTime(NOW_MS) }))
    expect(await readExport()).toEqual([{ title: 'Mine', description: '', created: formatIsoTime(NOW_MS), songs: importedSongs }])
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    expect(await readExport()).toEqual([])
    expect(await readSync()).toMatchObject({ whole: true, playlists: [], entries: [] })
  })

  test(
    'after random changes of three devices, all devices have the same rows, whatever requests are repeated or lost',
    fixture.longOnPostgres,
    async () => {
      await checkConvergence(fixture, fixture.kind === 'sqlite' ? 25 : 5)
    },
  )
})

const DEVICE_IDS = [DEVICE_A, DEVICE_B, 'cccccccc-0000-4000-8000-000000000000']
const anyEntry = fc.record(
  {
    e: fc.integer({ min: 1, max: 4 }).map(createEntryId),
    s: fc.integer({ min: 1, max: 3 }).map(formatSongId),
    position: fc.constantFrom('a', 'b', 'bV', 'c'),
    removed: fc.boolean(),
  },
  { requiredKeys: ['e'] },
)
const anyChange = fc.record(
  {
    l: fc.integer({ min: 1, max: 2 }).map(createPlaylistId),
    at: fc.oneof(fc.integer({ min: NOW_MS - 4, max: NOW_MS + 4 }), fc.constantFrom(0, Date.UTC(9999, 0))).map(formatIsoTime),
    title: fc.constantFrom('A', 'B'),
    description: fc.constantFrom('', 'x'),
    deleted: fc.boolean(),
    entries: fc.array(anyEntry, { maxLength: 4 }),
  },
  { requiredKeys: ['l', 'at'] },
)
const anyCall = fc.record({
  device: fc.nat(DEVICE_IDS.length - 1),
  changes: fc.array(anyChange, { maxLength: 3 }),
  repeated: fc.array(fc.nat(20), { maxLength: 2 }),
  laterMs: fc.integer({ min: -1, max: 2 }),
  isLost: fc.boolean(),
})

/**
 * Random devices send changes of two playlists, repeat earlier ones, and lose responses. In the end all devices have the same rows. Song 3 is not in
 * the catalogue.
 */
async function checkConvergence({ storage: { ownPlaylists }, importRows }: StorageFixture, numRuns: number): Promise<void> {
  await importRows({ songs: createSongRows(2) })
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { maxLength: 10 }), async (syncCalls) => {
      const uid = randomUUID()
      const replicas = DEVICE_IDS.map(createReplica)
      const sentChanges: OwnPlaylistChange[] = []
      let nowMs = NOW_MS
      const sync = (changes: OwnPlaylistChange[], since?: string) =>
        ownPlaylists.sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs, songReadOptions)
      for (const { device, changes, repeated, laterMs, isLost } of syncCalls) {
        nowMs += laterMs
        const freshChanges = changes.map((change): OwnPlaylistChange => ({ ...change, id: randomUUID(), device: DEVICE_IDS[device] ?? '' }))
        sentChanges.push(...freshChanges)
        const callingReplica = replicas[device]
        const syncResult = await sync(
          [...repeated.flatMap((index) => sentChanges.slice(index, index + 1)), ...freshChanges],
          callingReplica?.since(),
        )
        for (const { id } of syncResult.refused) {
          const { title, entries = [] } = sentChanges.find((change) => change.id === id) ?? {}
          expect(title === undefined || entries.some(({ s }) => s === formatSongId(3)), 'only changes with a fault are refused').toBe(true)
        }
        if (!isLost) callingReplica?.apply(syncResult)
      }
      const newDevice = createReplica()
      newDevice.apply(await sync([]))
      // A refused change may be accepted when it is sent again. Sending any other change again has no effect.
      const { refused, cursor } = await sync(sentChanges)
      const refusedIds = new Set(refused.map(({ id }) => id))
      expect((await sync(sentChanges.filter(({ id }) => !refusedIds.has(id)).reverse())).cursor).toBe(cursor)
      for (const replica of [...replicas, newDevice]) replica.apply(await sync([], replica.since()))
      const [first, ...others] = replicas.map((replica) => replica.content())
      for (const other of [...others, newDevice.content()]) expect(other).toEqual(first)
      for (const [, text] of first?.entries ?? []) expect(JSON.parse(text).s).not.toBe(formatSongId(3))
    }),
    { numRuns },
  )
}
