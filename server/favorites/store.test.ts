import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { FavoriteChange } from '../../contract/favorite.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { allRows, createSongRow, createSongRows, formatSongId, listFavorites, songReadOptions } from '../storage/testing/fixture.ts'
import { checkStoreAgainstModel } from './testing/devices.ts'

vi.setConfig({ testTimeout: 60_000 })

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000
const [FIRST_ID, SECOND_ID] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const
const formatIsoTime = (ms: number) => new Date(ms).toISOString()
const createFavoriteChange = (songNumber: number, isFavorite = true, changeOverrides: Partial<FavoriteChange> = {}): FavoriteChange => ({
  id: randomUUID(),
  s: formatSongId(songNumber),
  favorite: isFavorite,
  at: formatIsoTime(NOW_MS),
  device: FIRST_ID,
  ...changeOverrides,
})

describeStores('favorites', (fixture) => {
  const getFavoriteStore = () => fixture.storage.favorites
  const syncChanges = (changes: FavoriteChange[], since?: string, nowMs = NOW_MS, uid = 'ann') =>
    getFavoriteStore().sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs, songReadOptions)
  const syncWithoutChanges = (since?: string, uid = 'ann') =>
    getFavoriteStore().sync(uid, since === undefined ? {} : { since }, NOW_MS, songReadOptions)
  const readFavoriteIds = async (uid = 'ann') => (await listFavorites(fixture.storage, uid, allRows)).map(({ youtube_id }) => youtube_id)
  const setFavorite = (n: number, favorite: boolean, nowMs = NOW_MS, uid = 'ann') =>
    getFavoriteStore().set(uid, formatSongId(n), favorite, nowMs)

  test('sync returns states with their songs, and later only the states that changed since the cursor', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    const firstSync = await syncChanges([
      createFavoriteChange(1),
      createFavoriteChange(2, true, { at: formatIsoTime(NOW_MS - 1) }),
      createFavoriteChange(3, false),
    ])
    const storedSong = await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions)
    expect(firstSync).toEqual({
      cursor: expect.stringMatching(/^[0-9a-f]{16}\.3$/),
      whole: true,
      more: false,
      refused: [],
      favorites: [
        {
          s: formatSongId(1),
          favorite: true,
          at: formatIsoTime(NOW_MS),
          song: expect.objectContaining({ youtube_id: formatSongId(1), title: 'Song 1', new: 'false' }),
        },
        {
          s: formatSongId(2),
          favorite: true,
          at: formatIsoTime(NOW_MS - 1),
          song: expect.objectContaining({ youtube_id: formatSongId(2) }),
        },
      ],
    })
    expect(storedSong).toMatchObject(firstSync.favorites[0]?.song ?? { none: true })
    expect(await syncWithoutChanges(firstSync.cursor)).toEqual({
      cursor: firstSync.cursor,
      whole: false,
      more: false,
      favorites: [],
      refused: [],
    })
    const secondSync = await syncChanges(
      [createFavoriteChange(1, false, { device: SECOND_ID, at: formatIsoTime(NOW_MS + 5) })],
      firstSync.cursor,
    )
    expect(secondSync).toMatchObject({ whole: false, favorites: [{ s: formatSongId(1), favorite: false, at: formatIsoTime(NOW_MS) }] })
    expect(secondSync.favorites[0]).not.toHaveProperty('song')
    await fixture.reopen()
    expect(await syncWithoutChanges(firstSync.cursor)).toEqual(secondSync)
    expect((await syncWithoutChanges()).favorites.filter(({ favorite }) => favorite).map(({ s }) => s)).toEqual([formatSongId(2)])
    expect((await syncWithoutChanges(undefined, 'bob')).favorites).toEqual([])
  })

  test("sync without a cursor includes the latest change even if it is a removal, because the device's clock may be behind", async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    await syncChanges([
      createFavoriteChange(1),
      createFavoriteChange(2, true, { at: formatIsoTime(NOW_MS - 2) }),
      createFavoriteChange(3, true, { at: formatIsoTime(NOW_MS - 2) }),
    ])
    await syncChanges(
      [
        createFavoriteChange(2, false, { at: formatIsoTime(NOW_MS + 1) }),
        createFavoriteChange(3, false, { at: formatIsoTime(NOW_MS + 2) }),
      ],
      undefined,
      NOW_MS + 9,
    )
    expect((await syncWithoutChanges()).favorites).toMatchObject([
      { s: formatSongId(1), favorite: true },
      { s: formatSongId(3), favorite: false, at: formatIsoTime(NOW_MS + 2) },
    ])
    await syncChanges([createFavoriteChange(1, true, { at: formatIsoTime(NOW_MS + 3) })], undefined, NOW_MS + 9)
    expect((await syncWithoutChanges()).favorites).toMatchObject([{ s: formatSongId(1), favorite: true, at: formatIsoTime(NOW_MS + 3) }])
  })

  test('sync returns the complete list if the cursor is invalid, belongs to another list or is ahead of the list', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    const { cursor } = await syncChanges([createFavoriteChange(1), createFavoriteChange(2), createFavoriteChange(2, false)])
    const [cursorEpoch = ''] = cursor.split('.')
    const otherCursor = (await syncWithoutChanges(undefined, 'bob')).cursor
    for (const invalidCursor of [
      '',
      'x',
      cursorEpoch,
      `${cursorEpoch}.`,
      `${cursorEpoch}.-1`,
      `${cursorEpoch}.1e3`,
      `${cursorEpoch}.4`,
      `${otherCursor.split('.')[0]}.1`,
      `${cursorEpoch}.${'9'.repeat(30)}`,
    ])
      expect(await syncWithoutChanges(invalidCursor), invalidCursor).toMatchObject({
        cursor,
        whole: true,
        favorites: [{ s: formatSongId(1), favorite: true }],
      })
    // Sends a cursor that is ahead of the list. The change in the same request raises the list to the cursor's version, but the cursor is
    // still invalid.
    expect(await syncChanges([createFavoriteChange(3)], `${cursorEpoch}.4`)).toMatchObject({
      cursor: `${cursorEpoch}.4`,
      whole: true,
      favorites: [{ s: formatSongId(1) }, { s: formatSongId(3) }],
    })
    expect(await syncWithoutChanges(`${cursorEpoch}.0`)).toMatchObject({
      whole: false,
      favorites: [{ s: formatSongId(1) }, { s: formatSongId(2), favorite: false }, { s: formatSongId(3) }],
    })
    // A list that is created after a deletion has a new epoch.
    await fixture.storage.deleteBelongings({ uid: 'ann', verifiedEmail: undefined }, NOW_MS)
    const completeSync = await syncWithoutChanges(cursor)
    expect(completeSync).toMatchObject({ whole: true, more: false, favorites: [] })
    expect(completeSync.cursor).toMatch(/\.0$/)
    expect(completeSync.cursor).not.toContain(cursorEpoch)
    expect(await syncWithoutChanges(completeSync.cursor)).toMatchObject({ cursor: completeSync.cursor, whole: false })
  })

  test('after a restored backup, resetCursors makes every device request the complete list', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    const syncResult = await syncChanges([createFavoriteChange(1)])
    await syncChanges([createFavoriteChange(2)], undefined, NOW_MS, 'bob')
    expect(await getFavoriteStore().resetCursors()).toBe(2)
    await syncChanges([createFavoriteChange(3)])
    expect(await syncWithoutChanges(syncResult.cursor)).toMatchObject({
      whole: true,
      favorites: [{ s: formatSongId(1) }, { s: formatSongId(3) }],
    })
    expect((await syncWithoutChanges(undefined, 'bob')).favorites.map(({ s }) => s)).toEqual([formatSongId(2)])
  })

  test('sync returns pages of 2,000 states, also if changes are made between the requests', fixture.longOnPostgres, async () => {
    await fixture.importRows({ songs: createSongRows(2005) })
    for (let first = 0; first < 2005; first += 500)
      await syncChanges(Array.from({ length: Math.min(500, 2005 - first) }, (_, i) => createFavoriteChange(first + i + 1)))
    const firstPage = await syncWithoutChanges()
    expect([firstPage.whole, firstPage.more, firstPage.favorites.length, firstPage.cursor.split('.')[1]]).toEqual([
      true,
      true,
      2000,
      '2000',
    ])
    expect(firstPage.favorites.map(({ s }) => s)).toEqual(createSongRows(2000).map((each) => each.youtube_id))
    await syncChanges([createFavoriteChange(1, false, { device: SECOND_ID }), createFavoriteChange(2004, false, { device: SECOND_ID })])
    const remainingPage = await syncWithoutChanges(firstPage.cursor)
    expect(remainingPage).toMatchObject({ whole: false, more: false, cursor: expect.stringMatching(/\.2007$/) })
    expect(remainingPage.favorites.map(({ s, favorite }) => [s, favorite])).toEqual([
      ...[2001, 2002, 2003, 2005].map((n) => [formatSongId(n), true]),
      ...[1, 2004].map((n) => [formatSongId(n), false]),
    ])
    // Expects one page with the 2,000 remaining states. The state of version 1 is not among them, because its song was changed later.
    const pageLengths = [5, 6].map(async (sinceVersion) => {
      const { more, favorites: returnedStates } = await syncWithoutChanges(`${firstPage.cursor.split('.')[0]}.${sinceVersion}`)
      return [more, returnedStates.length]
    })
    expect(await Promise.all(pageLengths)).toEqual([
      [true, 2000],
      [false, 2000],
    ])
  })

  test('a change is applied once, in one request or in several, with its id in upper or lower case', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    const [firstChange, otherChange] = [createFavoriteChange(1), createFavoriteChange(1, false, { at: formatIsoTime(NOW_MS + 1) })]
    const { cursor } = await syncChanges(
      [firstChange, firstChange, otherChange, { ...firstChange, id: firstChange.id.toUpperCase(), s: formatSongId(2) }],
      undefined,
      NOW_MS + 1,
    )
    expect(cursor).toMatch(/\.2$/)
    const repeatedSync = await syncChanges([firstChange, otherChange], cursor, NOW_MS + MINUTE_MS)
    expect(repeatedSync).toMatchObject({ cursor, favorites: [], refused: [] })
    await Promise.all([1, 2, 3].map(() => syncChanges([firstChange, otherChange, createFavoriteChange(3, true, { id: firstChange.id })])))
    expect((await syncWithoutChanges()).cursor).toBe(cursor)
    expect(await readFavoriteIds()).toEqual([])
    // The same change id is used for two accounts, because ids are unique per account only.
    expect((await syncChanges([firstChange], undefined, NOW_MS, 'bob')).favorites).toHaveLength(1)
    // A change that loses the merge also counts as applied, so it is not applied when it is sent again.
    const lateChange = createFavoriteChange(2, true, { at: formatIsoTime(NOW_MS - MINUTE_MS), device: SECOND_ID })
    await syncChanges([createFavoriteChange(2, false), lateChange])
    await getFavoriteStore().set('ann', formatSongId(2), false, NOW_MS + MINUTE_MS)
    expect(
      (await syncChanges([{ ...lateChange, at: formatIsoTime(NOW_MS + 2 * MINUTE_MS) }], undefined, NOW_MS + 3 * MINUTE_MS)).favorites,
    ).toMatchObject([{ s: formatSongId(2), favorite: false, at: formatIsoTime(NOW_MS + MINUTE_MS) }])
  })

  test('a change that cannot be applied is refused by its id; the other changes are applied', async () => {
    await fixture.importRows({ songs: createSongRows(2) })
    const wrongChanges = [
      createFavoriteChange(9),
      createFavoriteChange(1, true, { s: 'https://example.org/' }),
      createFavoriteChange(1, false, { s: 'nothing' }),
      createFavoriteChange(1, true, { id: randomUUID().toUpperCase(), s: 'a\0b' }),
    ]
    const urlChange = createFavoriteChange(2, true, { s: `https://youtu.be/${formatSongId(2)}` })
    const syncResponse = await syncChanges([...wrongChanges, createFavoriteChange(1), urlChange, createFavoriteChange(9, false)])
    expect(syncResponse.refused).toEqual(wrongChanges.map(({ id }) => ({ id, message: 'There is no such song.' })))
    expect(syncResponse.favorites.map(({ s }) => s)).toEqual([formatSongId(1), formatSongId(2)])
    expect(syncResponse.cursor).toMatch(/\.2$/)
    // Removing an unknown song has no effect, also after an import adds the song. A refused change may be sent again.
    await fixture.importRows({ songs: [createSongRow(9)] })
    expect(await syncChanges([createFavoriteChange(9, true, { at: formatIsoTime(NOW_MS - 1), device: SECOND_ID })])).toMatchObject({
      refused: [],
      cursor: expect.stringMatching(/\.3$/),
    })
    expect(await syncChanges([{ ...createFavoriteChange(9), id: wrongChanges[0]?.id ?? '' }])).toMatchObject({
      refused: [],
      cursor: expect.stringMatching(/\.4$/),
    })
  })

  test("a change whose time is a leap second gets the server's time", async () => {
    await fixture.importRows({ songs: createSongRows(1) })
    expect(await syncChanges([createFavoriteChange(1, true, { at: '2016-12-31T23:59:60Z' })])).toMatchObject({
      favorites: [{ at: formatIsoTime(NOW_MS) }],
    })
  })

  test('setting a favorite overrides its stored state and all changes with an earlier time', async () => {
    await fixture.importRows({ songs: createSongRows(2) })
    expect([await setFavorite(9, true), await setFavorite(9, false), await setFavorite(2, false), await setFavorite(1, true)]).toEqual([
      'no-song',
      'set',
      'set',
      'set',
    ])
    expect([
      await getFavoriteStore().has('ann', formatSongId(1)),
      await getFavoriteStore().has('ann', formatSongId(2)),
      await getFavoriteStore().has('bob', formatSongId(1)),
    ]).toEqual([...[true, false, false]])
    await syncChanges([
      createFavoriteChange(1, false, { at: formatIsoTime(NOW_MS - 1), device: SECOND_ID }),
      createFavoriteChange(2, true, { at: formatIsoTime(NOW_MS - 1) }),
    ])
    expect(await readFavoriteIds()).toEqual([formatSongId(1)])
    for (let round = 0; round < 5; round++) {
      await setFavorite(1, false)
      expect(await readFavoriteIds()).toEqual([])
      await setFavorite(1, true)
      expect(await readFavoriteIds()).toEqual([formatSongId(1)])
    }
    expect((await syncWithoutChanges()).favorites[0]?.at).toBe(formatIsoTime(NOW_MS + 1))
    await syncChanges([createFavoriteChange(1, false, { at: formatIsoTime(NOW_MS + 2), device: FIRST_ID })], undefined, NOW_MS + 2)
    expect(await readFavoriteIds()).toEqual([])
  })

  test('list returns pages, newest first, without songs missing from the catalogue', async () => {
    await fixture.importRows({ songs: createSongRows(5) })
    expect(await getFavoriteStore().findLatest('ann')).toBeUndefined()
    await syncChanges([3, 1, 5, 2].map((n, index) => createFavoriteChange(n, true, { at: formatIsoTime(NOW_MS - 10 + index) })))
    await syncChanges([createFavoriteChange(4, true, { at: formatIsoTime(NOW_MS - 9) })])
    expect(await readFavoriteIds()).toEqual([2, 5, 4, 1, 3].map(formatSongId))
    expect((await listFavorites(fixture.storage, 'ann', { limit: 2, offset: 1 })).map(({ title }) => title)).toEqual(['Song 5', 'Song 4'])
    expect(await getFavoriteStore().findLatest('ann')).toEqual({
      youtube_id: formatSongId(2),
      youtube_url: `https://www.youtube.com/watch?v=${formatSongId(2)}`,
      title: 'Song 2',
      category_id: 'house',
    })
    expect(await getFavoriteStore().exportPage('ann', { limit: 9, offset: 0 })).toEqual(
      [-7, -8, -9, -9, -10].map((ms, index) => ({ s: formatSongId([2, 5, 4, 1, 3][index] ?? 0), at: formatIsoTime(NOW_MS + ms) })),
    )
  })

  test('pickRandom draws uniformly from the playable favorites', fixture.longOnPostgres, async () => {
    await fixture.importRows({ songs: createSongRows(9) })
    expect(await getFavoriteStore().pickRandom('ann', undefined)).toBeUndefined()
    await syncChanges([1, 2, 3, 4, 5, 6].map((n) => createFavoriteChange(n)))
    for (const clientId of ['a', 'b', 'c'])
      await fixture.storage.songs.reportUnplayable({ songId: formatSongId(2), reason: 'video error 150', clientId, atMs: NOW_MS })
    const drawsPerSong = fixture.kind === 'sqlite' ? 200 : 50
    const countBySong = new Map<string, number>()
    for (let draw = 0; draw < 4 * drawsPerSong; draw++) {
      const id = (await getFavoriteStore().pickRandom('ann', formatSongId(5)))?.youtube_id ?? ''
      countBySong.set(id, (countBySong.get(id) ?? 0) + 1)
    }
    expect([...countBySong.keys()].sort()).toEqual([1, 3, 4, 6].map(formatSongId))
    // Chi-square with three degrees of freedom. `store-songs.test.ts` explains the limit.
    expect([...countBySong.values()].reduce((sum, count) => sum + (count - drawsPerSong) ** 2 / drawsPerSong, 0)).toBeLessThan(
      3 + 5 * Math.sqrt(6) + 12,
    )
    for (const n of [1, 3, 4, 6]) await setFavorite(n, false)
    expect(await getFavoriteStore().pickRandom('ann', formatSongId(5))).toBeUndefined()
    expect((await getFavoriteStore().pickRandom('ann', undefined))?.youtube_id).toBe(formatSongId(5))
  })

  test(
    'random devices converge to the state of a simple model, even if changes are repeated, late or wrongly timed',
    fixture.longOnPostgres,
    () => checkStoreAgainstModel(fixture, fixture.kind === 'sqlite' ? 60 : 20),
  )

  test('removing an account, or only its data, deletes its favorites and the ids of its applied changes', async () => {
    await fixture.importRows({ songs: createSongRows(1) })
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW_MS })
    const repeatedChange = createFavoriteChange(1)
    for (const uid of ['ann', 'bob', 'cem']) await syncChanges([repeatedChange], undefined, NOW_MS, uid)
    await fixture.storage.accounts.remove('ann', 0)
    await fixture.storage.deleteBelongings({ uid: 'bob', verifiedEmail: undefined }, NOW_MS)
    expect([await readFavoriteIds('ann'), await readFavoriteIds('bob'), await readFavoriteIds('cem')]).toEqual([[], [], [formatSongId(1)]])
    expect((await syncChanges([repeatedChange])).cursor).toMatch(/\.1$/)
  })
})
