import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'
import { allRows, createPlaylistRow, createSongRow, createSongRows, formatSongId, songReadOptions } from '../storage/testing/fixture.ts'

const MINUTE_MS = 60_000
const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('songs', (fixture) => {
  const reportSong = (n: number, clientId: string, atMs = NOW_MS) =>
    fixture.storage.songs.reportUnplayable({ songId: formatSongId(n), reason: `video error 150 ${clientId}`, clientId, atMs })
  const excludeSong = async (n: number) => {
    for (const client of ['a', 'b', 'c']) await reportSong(n, client)
  }

  test('get returns the fields of a song and its neighbours in the requested playlist', async () => {
    await fixture.importRows({
      songs: [
        ...createSongRows(3),
        createSongRow(4, { author_channel_id: 'UC1', duration: 61, description: 'Two\nlines', date_added: '2026-02-03 04:05:06' }),
      ],
      playlists: [createPlaylistRow('mine', [4, 2, 3], { title: 'Mine' })],
    })
    expect(await fixture.storage.songs.get(formatSongId(4), 'mine', songReadOptions)).toEqual({
      youtube_id: formatSongId(4),
      youtube_url: `https://www.youtube.com/watch?v=${formatSongId(4)}`,
      title: 'Song 4',
      author_name: 'Somebody',
      author_channel_id: 'UC1',
      category_id: 'house',
      category_name: 'House',
      date_added: '2026-02-03T04:05:06.000Z',
      duration: 61,
      new: 'true',
      description: 'Two\nlines',
      context_id: 'mine',
      context_title: 'Mine',
      first_song: formatSongId(4),
      next: formatSongId(2),
      next_title: 'Song 2',
      favorite: false,
    })
    const lastSong = await fixture.storage.songs.get(formatSongId(3), 'mine', songReadOptions)
    expect(lastSong).toMatchObject({ previous: formatSongId(2), next: formatSongId(4), next_title: 'Song 4', new: 'false' })
    expect(lastSong).not.toHaveProperty('duration')
    expect(lastSong).not.toHaveProperty('author_channel_id')
  })

  test("if the requested context does not contain the song, the context is the song's category, newest first", async () => {
    await fixture.importRows({
      songs: [...createSongRows(3), createSongRow(9, { category_id: 'trap', category_name: 'Trap' })],
      playlists: [createPlaylistRow('mine', [1])],
    })
    for (const contextId of [undefined, 'mine', 'nothing', 'trap']) {
      expect(await fixture.storage.songs.get(formatSongId(2), contextId, songReadOptions)).toMatchObject({
        context_id: 'house',
        context_title: 'House',
        first_song: formatSongId(3),
        next: formatSongId(1),
        previous: formatSongId(3),
      })
    }
    expect(await fixture.storage.songs.get(formatSongId(9), 'trap', songReadOptions)).toMatchObject({
      context_id: 'trap',
      next: formatSongId(9),
      first_song: formatSongId(9),
    })
  })

  test('a playlist takes precedence over a category with the same id', async () => {
    await fixture.importRows({ songs: createSongRows(3), playlists: [createPlaylistRow('house', [1, 2], { title: 'The playlist' })] })
    expect(await fixture.storage.songs.get(formatSongId(1), 'house', songReadOptions)).toMatchObject({
      context_title: 'The playlist',
      next: formatSongId(2),
    })
    // The context is the category, because the song is not in the playlist.
    expect(await fixture.storage.songs.get(formatSongId(3), 'house', songReadOptions)).toMatchObject({
      context_title: 'House',
      next: formatSongId(2),
    })
    expect((await fixture.storage.playlists.get('house', allRows, songReadOptions))?.songs).toHaveLength(2)
  })

  test('get returns undefined for an unknown song', fixture.longOnPostgres, async () => {
    expect(await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions)).toBeUndefined()
    expect(await fixture.storage.songs.pickRandom(undefined, undefined)).toBeUndefined()
    await fixture.importRows({ songs: createSongRows(1) })
    expect(await fixture.storage.songs.pickRandom('nothing', undefined)).toBeUndefined()
    expect(await fixture.storage.songs.pickRandom(undefined, formatSongId(1))).toBeUndefined()
    expect(await reportSong(2, 'a')).toBe(false)
    expect(
      await fixture.storage.songs.countPlay({ songId: formatSongId(2), contextId: undefined, clientId: 'a', atMs: NOW_MS, nowMs: NOW_MS }),
    ).toBe(false)
  })

  test('three different reporters within a day exclude a song from next and random songs; two do not', async () => {
    await fixture.importRows({ songs: createSongRows(4), playlists: [createPlaylistRow('mine', [1, 2, 3, 4])] })
    for (let i = 0; i < 5; i++) await reportSong(2, 'same')
    await reportSong(2, 'old', NOW_MS - 25 * HOUR_MS)
    await reportSong(2, 'second')
    expect(await fixture.storage.songs.listUnplayable(NOW_MS)).toEqual([])
    expect(await fixture.storage.songs.get(formatSongId(1), 'mine', songReadOptions)).toMatchObject({ next: formatSongId(2) })

    await reportSong(2, 'third', NOW_MS + HOUR_MS)
    expect(await fixture.storage.songs.listUnplayable(NOW_MS)).toEqual([
      {
        youtube_id: formatSongId(2),
        title: 'Song 2',
        reporters: 4,
        reason: 'video error 150 third',
        last_reported: '2026-03-01T13:00:00.000Z',
        excluded: true,
      },
    ])
    expect(await fixture.storage.songs.get(formatSongId(1), 'mine', songReadOptions)).toMatchObject({ next: formatSongId(3) })
    expect(await fixture.storage.songs.get(formatSongId(3), 'mine', songReadOptions)).toMatchObject({ previous: formatSongId(1) })
    await excludeSong(1)
    expect(await fixture.storage.songs.get(formatSongId(4), 'mine', songReadOptions)).toMatchObject({
      first_song: formatSongId(3),
      next: formatSongId(3),
    })
    // Checks that an unplayable song can still be read.
    expect(await fixture.storage.songs.get(formatSongId(2), 'mine', songReadOptions)).toMatchObject({
      youtube_id: formatSongId(2),
      next: formatSongId(3),
    })
    for (let i = 0; i < 30; i++)
      expect([formatSongId(3), formatSongId(4)]).toContain((await fixture.storage.songs.pickRandom('mine', undefined))?.youtube_id)
  })

  const playSong = (n: number, clientId: string, nowMs = NOW_MS) =>
    fixture.storage.songs.countPlay({ songId: formatSongId(n), contextId: undefined, clientId, atMs: nowMs, nowMs })
  const reportLength = (n: number, clientId: string, durationS: number, nowMs = NOW_MS) =>
    fixture.storage.songs.countPlay({ songId: formatSongId(n), contextId: undefined, clientId, atMs: nowMs, nowMs, durationS })
  const readSongLength = async (n: number) => (await fixture.storage.songs.get(formatSongId(n), undefined, songReadOptions))?.duration

  test('a missing length is set when three clients report lengths within 2 s of each other; lists, stations and later imports then have it', async () => {
    const songRows = [createSongRow(1), createSongRow(2, { duration: 100 })]
    await fixture.importRows({ songs: songRows, playlists: [createPlaylistRow('mine', [1, 2])] })
    for (let play = 0; play < 5; play++) await reportLength(1, 'same', 180)
    await reportLength(1, 'second', 181.4)
    await reportLength(1, 'mistaken', 300)
    for (const clientId of ['a', 'b', 'c']) await reportLength(2, clientId, 200)
    expect([await readSongLength(1), await readSongLength(2)]).toEqual([undefined, 100])
    const revisionBefore = fixture.storage.revision()
    await reportLength(1, 'third', 182)
    expect(await readSongLength(1)).toBe(181)
    expect(fixture.storage.revision()).not.toBe(revisionBefore)
    expect(await fixture.storage.radio.listSongs({ kind: 'all' })).toContainEqual({ id: formatSongId(1), durationS: 181 })
    expect((await fixture.storage.playlists.get('mine', { limit: 10, offset: 0 }, songReadOptions))?.songs[0]?.duration).toBe(181)
    // The length that was set first stays.
    for (const clientId of ['a', 'b', 'c']) await reportLength(1, clientId, 300)
    expect(await readSongLength(1)).toBe(181)
    await fixture.importRows({ songs: songRows })
    expect(await readSongLength(1)).toBe(181)
    await fixture.importRows({ songs: [createSongRow(1, { duration: 240 })] })
    expect(await readSongLength(1)).toBe(240)
  })

  test('reported lengths set no length if they disagree, come on different days or belong to no song; those of an earlier day are deleted together with the salt of the day', async () => {
    await fixture.importRows({ songs: createSongRows(4) })
    for (const [index, durationS] of [100, 103, 106, 109].entries()) await reportLength(1, `client ${index}`, durationS)
    for (const day of [0, 1, 2]) await reportLength(2, `client ${day}`, 100, NOW_MS + 24 * day * HOUR_MS)
    for (const clientId of ['a', 'b', 'c', 'd']) await reportLength(3, clientId, 29)
    for (const clientId of ['a', 'b', 'c', 'd']) await reportLength(4, clientId, 4 * 3600 + 1)
    expect(await Promise.all([1, 2, 3, 4].map(readSongLength))).toEqual([undefined, undefined, undefined, undefined])
    const dayMs = 24 * HOUR_MS
    await fixture.storage.salts.ofDay(Math.floor(NOW_MS / dayMs) + 1)
    // The first day's reports were deleted, so the report of 103 s no longer counts together with these two reports, although the clock shows the
    // first day again.
    await reportLength(1, 'other', 102)
    await reportLength(1, 'another', 104)
    expect(await readSongLength(1)).toBeUndefined()
    await reportLength(1, 'a third', 103)
    expect(await readSongLength(1)).toBe(103)
  })

  const listReported =
    (isExcluded: boolean) =>
    async (atMs = NOW_MS) =>
      (await fixture.storage.songs.listUnplayable(atMs)).flatMap((song) => (song.excluded === isExcluded ? [song.youtube_id] : []))
  const excludedIds = listReported(true)
  const withheldIds = listReported(false)

  test.each([2, 100, 101, 150])('reports of error %i exclude a song', fixture.longOnPostgres, async (errorCode) => {
    await fixture.importRows({ songs: createSongRows(2) })
    for (const clientId of ['a', 'b', 'c'])
      await fixture.storage.songs.reportUnplayable({ songId: formatSongId(1), reason: `video error ${errorCode}`, clientId, atMs: NOW_MS })
    expect(await excludedIds()).toEqual([formatSongId(1)])
  })

  test.each(['video error 5', 'video error 153', 'video error 1500', 'it is silent', '0'])(
    'reports of %o do not exclude a song',
    fixture.longOnPostgres,
    async (reportReason) => {
      await fixture.importRows({ songs: createSongRows(2) })
      for (const clientId of ['a', 'b', 'c', 'd'])
        expect(
          await fixture.storage.songs.reportUnplayable({ songId: formatSongId(1), reason: reportReason, clientId, atMs: NOW_MS }),
        ).toBe(true)
      expect(await excludedIds()).toEqual([])
    },
  )

  test('an excluded song returns when three different clients play it within a day, and then only three new reports exclude it', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    await excludeSong(2)
    await playSong(2, 'old', NOW_MS - 25 * HOUR_MS)
    for (let i = 0; i < 5; i++) await playSong(2, 'same', NOW_MS + i * HOUR_MS)
    await playSong(2, 'second')
    await playSong(1, 'third')
    expect(await excludedIds()).toEqual([formatSongId(2)])
    await playSong(2, 'third')
    expect(await excludedIds()).toEqual([])
    await reportSong(2, 'd')
    await reportSong(2, 'e')
    expect(await excludedIds()).toEqual([])
    await reportSong(2, 'f')
    expect(await excludedIds(), 'as many clients have played the song').toEqual([])
    await reportSong(2, 'g')
    expect(await excludedIds()).toEqual([formatSongId(2)])
  })

  test('a song that as many clients play as report, for instance because its video is blocked in one country only, is not excluded', async () => {
    await fixture.importRows({ songs: createSongRows(2) })
    const earlyMs = Date.parse('2026-03-01T02:00:00Z')
    for (let player = 0; player < 5; player++) await playSong(1, `early ${player}`, earlyMs)
    for (const clientId of ['a', 'b', 'c', 'd', 'e']) await reportSong(1, clientId, earlyMs)
    expect(await excludedIds(earlyMs)).toEqual([])
    // Plays after a song's first report are counted for the rest of the day, not only for an hour.
    for (let hour = 3; hour < 8; hour++) await playSong(1, `later ${hour}`, Date.parse(`2026-03-01T0${hour}:00:00Z`))
    await fixture.storage.deleteExpired(NOW_MS)
    await reportSong(1, 'e')
    expect(await excludedIds()).toEqual([])
    await reportSong(1, 'f')
    expect(await excludedIds()).toEqual([formatSongId(1)])
    // Plays before the exclusion do not end it.
    await playSong(1, 'g', NOW_MS + MINUTE_MS)
    expect(await excludedIds()).toEqual([formatSongId(1)])
  })

  test('an excluded song returns after 30 days, or by the admin command', async () => {
    await fixture.importRows({ songs: createSongRows(3) })
    await excludeSong(1)
    await excludeSong(2)
    expect(await fixture.storage.songs.restoreSong(formatSongId(2))).toBe(true)
    expect(await fixture.storage.songs.restoreSong(formatSongId(2))).toBe(false)
    expect(await excludedIds()).toEqual([formatSongId(1)])
    await fixture.storage.deleteExpired(NOW_MS + 30 * 24 * HOUR_MS - 1)
    expect(await excludedIds()).toEqual([formatSongId(1)])
    await fixture.storage.deleteExpired(NOW_MS + 30 * 24 * HOUR_MS)
    expect(await excludedIds()).toEqual([])
    await excludeSong(1)
    await excludeSong(3)
    expect(await fixture.storage.songs.restoreAll()).toBe(2)
    expect(await excludedIds()).toEqual([])
  })

  test(
    'reports exclude at most a twentieth of the songs in one day, and a fifth at any time, of all songs and of each list; further reported songs are listed as still playable',
    fixture.longOnPostgres,
    async () => {
      const ownSongNumbers = Array.from({ length: 40 }, (_, index) => index + 1)
      await fixture.importRows({ songs: createSongRows(100), playlists: [createPlaylistRow('mine', ownSongNumbers)] })
      const excludedCounts: number[][] = []
      for (let dayNumber = 0; dayNumber < 6; dayNumber++) {
        const atMs = NOW_MS + dayNumber * DAY_MS
        for (const first of [1, 51])
          for (let n = first + 5 * dayNumber; n < first + 5 * (dayNumber + 1); n++)
            for (const client of ['a', 'b', 'c']) await reportSong(n, `${client}${dayNumber}`, atMs)
        const excluded = await excludedIds(atMs)
        excludedCounts.push([excluded.length, excluded.filter((id) => id <= formatSongId(40)).length])
        if (dayNumber === 0)
          expect(await withheldIds(atMs)).toEqual([formatSongId(4), formatSongId(5), formatSongId(53), formatSongId(54), formatSongId(55)])
      }
      expect(excludedCounts).toEqual([
        [5, 3],
        [9, 6],
        [13, 8],
        [17, 8],
        [20, 8],
        [20, 8],
      ])
    },
  )

  test('at most 20 reports of one client, and reports of 10 clients for one song, are stored in a day', async () => {
    await fixture.importRows({ songs: createSongRows(60) })
    for (const clientId of ['a', 'b']) for (let n = 1; n <= 20; n++) await reportSong(n, clientId)
    for (const n of [21, 1]) for (const clientId of ['a', 'b', 'c']) await reportSong(n, clientId)
    expect(await excludedIds()).toEqual([formatSongId(1)])
    await reportSong(21, 'd')
    expect(await excludedIds(), 'the reports of a and b are above their limit').toEqual([formatSongId(1)])
    await reportSong(21, 'e')
    expect(await excludedIds()).toEqual([formatSongId(1), formatSongId(21)])
    for (let client = 0; client < 30; client++) await reportSong(21, `client ${client}`)
    expect((await fixture.storage.songs.listUnplayable(NOW_MS)).map(({ reporters }) => reporters).toSorted()).toEqual([10, 3])
  })

  test.runIf(fixture.kind === 'sqlite')('no sequence of reports and plays exceeds the shares', { tags: ['long'] }, async () => {
    await fixture.importRows({ songs: createSongRows(70), playlists: [createPlaylistRow('mine', [1, 2, 3, 4, 5, 6, 7, 8])] })
    const anyStep = fc.record({ n: fc.integer({ min: 1, max: 12 }), client: fc.nat(5), isPlay: fc.boolean(), laterMs: fc.nat(3 * HOUR_MS) })
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 60, maxLength: 120 }), async (simulatedSteps) => {
        await fixture.storage.songs.restoreAll()
        let nowMs = NOW_MS
        for (const { n, client, isPlay, laterMs } of simulatedSteps) {
          nowMs += laterMs
          const excludedBefore = await excludedIds(nowMs)
          if (isPlay) await playSong(n, `${client}`, nowMs)
          else for (const each of [client, client + 1, client + 2]) await reportSong(n, `${each}`, nowMs)
          const after = await excludedIds(nowMs)
          expect(after.length).toBeLessThanOrEqual(Math.max(excludedBefore.length, 14))
          expect(after.filter((id) => id <= formatSongId(8)).length).toBeLessThanOrEqual(3)
        }
      }),
      { numRuns: 10 },
    )
  })

  test.each([
    { name: 'a playlist with excluded songs', contextId: 'mine', members: [2, 3, 5, 7, 11, 13, 17, 19], out: [3, 11], not: 19 },
    {
      name: 'a playlist with few playable songs',
      contextId: 'mine',
      members: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      out: [1, 2, 4, 5, 7, 9],
      not: 8,
    },
    { name: 'all songs', contextId: undefined, members: Array.from({ length: 20 }, (_, i) => i + 1), out: [1, 20], not: 10 },
  ])(
    'pickRandom draws uniformly from $name',
    fixture.longOnPostgres,
    async ({ contextId, members, out: excludedSongs, not: skippedSong }) => {
      const songs = createSongRows(contextId === undefined ? 20 : 200)
      await fixture.importRows({ songs })
      for (const n of excludedSongs) await excludeSong(n)
      // The limit would keep most reported songs of a playlist from being excluded, so the playlist is imported after the reports.
      if (contextId !== undefined) await fixture.importRows({ playlists: [createPlaylistRow(contextId, members)] })
      const expectedSongs = members.filter((n) => !excludedSongs.includes(n) && n !== skippedSong)
      const countBySong = new Map<string, number>()
      const drawsPerSong = 60
      for (let i = 0; i < expectedSongs.length * drawsPerSong; i++) {
        const drawnSong = await fixture.storage.songs.pickRandom(contextId, formatSongId(skippedSong))
        if (drawnSong !== undefined) countBySong.set(drawnSong.youtube_id, (countBySong.get(drawnSong.youtube_id) ?? 0) + 1)
      }
      expect([...countBySong.keys()].sort()).toEqual(expectedSongs.map(formatSongId).sort())
      const chiSquare = [...countBySong.values()].reduce((sum, count) => sum + (count - drawsPerSong) ** 2 / drawsPerSong, 0)
      // The limit is five standard deviations above the mean of chi-square, so that about one of a million correct runs fails.
      const degreesOfFreedom = expectedSongs.length - 1
      expect(chiSquare).toBeLessThan(degreesOfFreedom + 5 * Math.sqrt(2 * degreesOfFreedom) + 12)
    },
  )

  test('the playlists of the setting come first on the home page; elsewhere they come before other playlists of the same popularity', async () => {
    const ownMusic = { category_id: 'trap', category_name: 'Trap' }
    await fixture.importRows({
      songs: createSongRows(2),
      playlists: [
        createPlaylistRow('a', [1], { home: true }),
        createPlaylistRow('b', [1], { home: true }),
        createPlaylistRow('c', [1], { home: true, ...ownMusic }),
        createPlaylistRow('d', [1], { home: true }),
      ],
    })
    await fixture.storage.songs.countPlay({ songId: formatSongId(1), contextId: 'b', clientId: 'one', atMs: NOW_MS, nowMs: NOW_MS })
    const readPlaylistIds = async (homeOnly: boolean, leadIds: string[]) =>
      (await fixture.storage.playlists.list({ ...allRows, homeOnly, order: undefined, leadIds, nowMs: NOW_MS }))
        .map(({ id }) => id)
        .filter((id) => id !== 'new')
    expect(await readPlaylistIds(true, [])).toEqual(['b', 'a', 'c', 'd'])
    expect(await readPlaylistIds(true, ['d', 'trap'])).toEqual(['d', 'c', 'b', 'a'])
    expect(await readPlaylistIds(false, ['d', 'trap'])).toEqual(['b', 'd', 'c', 'a'])
  })

  test('a play counts once an hour for each client and song', async () => {
    await fixture.importRows({
      songs: createSongRows(4),
      playlists: [createPlaylistRow('a', [1, 2, 3]), createPlaylistRow('b', [1, 2, 3])],
    })
    const addPlay = (n: number, contextId: string, clientId: string, atMs: number) =>
      fixture.storage.songs.countPlay({ songId: formatSongId(n), contextId, clientId, atMs, nowMs: atMs })
    const readPlaylistOrder = async (nowMs: number) =>
      (await fixture.storage.playlists.list({ ...allRows, homeOnly: false, order: undefined, nowMs }))
        .map((each) => each.id)
        .filter((id) => id !== 'new')
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['a', 'b'])
    // A play of a song outside of the playlist does not count for the playlist.
    expect(await addPlay(4, 'b', 'three', NOW_MS)).toBe(true)
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['a', 'b'])
    const revisionBefore = fixture.storage.revision()
    expect(await addPlay(1, 'b', 'one', NOW_MS)).toBe(true)
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['b', 'a'])
    // More plays of the same client do not count. One play in `a` therefore makes both playlists equal, and the title decides.
    for (let minute = 1; minute < 60; minute += 10) await addPlay(1, 'b', 'one', NOW_MS + minute * 60_000)
    await addPlay(1, 'a', 'two', NOW_MS)
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['a', 'b'])
    await addPlay(1, 'b', 'one', NOW_MS + HOUR_MS)
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['b', 'a'])
    // Checks that plays older than 30 days do not count.
    expect(await readPlaylistOrder(NOW_MS + 31 * 24 * HOUR_MS)).toEqual(['a', 'b'])
    expect(fixture.storage.revision()).toBe(revisionBefore)
  })

  test('the context `favorite` lists favorites newest first, and skips unplayable songs', async () => {
    await fixture.importRows({ songs: createSongRows(6) })
    const getSongInFavorites = (n: number, uid?: string) => fixture.storage.songs.get(formatSongId(n), 'favorite', songReadOptions, uid)
    for (const n of [2, 1, 3, 4]) await fixture.storage.favorites.set('ann', formatSongId(n), true, NOW_MS - (n > 2 ? 0 : n))
    // Changes at the same time are sorted by version: 4, 3, 1, 2.
    expect(await getSongInFavorites(4, 'ann')).toMatchObject({
      favorite: true,
      context_id: 'favorite',
      context_title: 'Favorites',
      first_song: formatSongId(4),
      next: formatSongId(3),
      next_title: 'Song 3',
    })
    expect(await getSongInFavorites(4, 'ann')).not.toHaveProperty('previous')
    expect(await getSongInFavorites(3, 'ann')).toMatchObject({ previous: formatSongId(4), next: formatSongId(1) })
    expect(await getSongInFavorites(2, 'ann')).toMatchObject({
      previous: formatSongId(1),
      next: formatSongId(4),
      first_song: formatSongId(4),
    })
    for (const n of [1, 4]) await excludeSong(n)
    expect(await getSongInFavorites(2, 'ann')).toMatchObject({
      previous: formatSongId(3),
      next: formatSongId(3),
      first_song: formatSongId(3),
    })
    expect(await getSongInFavorites(4, 'ann')).toMatchObject({ next: formatSongId(3), first_song: formatSongId(3) })
    // A song that is not a favorite has its category as context.
    for (const [songNumber, uid] of [
      [5, 'ann'],
      [1, 'bob'],
      [1, undefined],
    ] as const)
      expect(await getSongInFavorites(songNumber, uid)).toMatchObject({ favorite: false, context_id: 'house', context_title: 'House' })
    expect(await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions, 'ann')).toMatchObject({
      favorite: true,
      context_id: 'house',
    })
    expect(await fixture.storage.songs.get(formatSongId(1), undefined, songReadOptions)).toMatchObject({ favorite: false })
  })

  test('playlists with equally many plays are sorted by their number of favorites', async () => {
    await fixture.importRows({
      songs: createSongRows(6),
      playlists: [
        createPlaylistRow('a', [1, 2]),
        createPlaylistRow('b', [2, 3]),
        createPlaylistRow('c', [4, 5]),
        createPlaylistRow('d', [6]),
      ],
    })
    const setFavorite = (n: number, favorite: boolean, nowMs = NOW_MS, uid = 'ann') =>
      fixture.storage.favorites.set(uid, formatSongId(n), favorite, nowMs)
    const readPlaylistOrder = async (nowMs: number, page = allRows) =>
      (await fixture.storage.playlists.list({ ...page, homeOnly: false, order: undefined, nowMs }))
        .map(({ id }) => id)
        .filter((id) => id !== 'new')
    await setFavorite(3, true, NOW_MS, 'bob')
    for (const uid of ['bob', 'cem']) await setFavorite(6, false, NOW_MS, uid)
    for (const uid of ['ann', 'bob', 'cem']) await setFavorite(5, true, NOW_MS, uid)
    await setFavorite(2, true)
    expect(await readPlaylistOrder(NOW_MS)).toEqual(['c', 'b', 'a', 'd'])
    await fixture.storage.songs.countPlay({ songId: formatSongId(6), contextId: 'd', clientId: 'x', atMs: NOW_MS, nowMs: NOW_MS })
    expect(await readPlaylistOrder(NOW_MS + MINUTE_MS)).toEqual(['d', 'c', 'b', 'a'])
    // The counts of favorites are refreshed every ten minutes; until then the previous counts are used.
    for (const uid of ['ann', 'bob', 'cem', 'dan']) await setFavorite(1, true, NOW_MS, uid)
    expect(await readPlaylistOrder(NOW_MS + 9 * MINUTE_MS)).toEqual(['d', 'c', 'b', 'a'])
    await readPlaylistOrder(NOW_MS + 11 * MINUTE_MS)
    await vi.waitFor(async () => expect(await readPlaylistOrder(NOW_MS + 12 * MINUTE_MS)).toEqual(['d', 'a', 'c', 'b']))
    expect(await readPlaylistOrder(NOW_MS + 12 * MINUTE_MS, { limit: 2, offset: 2 })).toEqual(['a', 'c'])
    // A new catalogue refreshes the counts immediately.
    await fixture.importRows({ playlists: [createPlaylistRow('b', [1, 2, 3])] })
    await readPlaylistOrder(NOW_MS + 12 * MINUTE_MS)
    await vi.waitFor(async () => expect(await readPlaylistOrder(NOW_MS + 12 * MINUTE_MS)).toEqual(['d', 'b', 'a', 'c']))
  })
})
