import { expect, test, vi } from 'vitest'
import { describeStores } from './testing/databases.ts'
import { everything, playlist, song, songId, songs, view } from './testing/fixture.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

describeStores('songs', (fixture) => {
  const report = (n: number, clientId: string, atMs = NOW_MS) =>
    fixture.storage.songs.reportUnplayable({ songId: songId(n), reason: `error ${clientId}`, clientId, atMs })
  const takeOut = async (n: number) => {
    for (const client of ['a', 'b', 'c']) await report(n, client)
  }

  test('a song has its fields, and its place in the playlist that was asked for', async () => {
    await fixture.importRows({
      songs: [
        ...songs(3),
        song(4, { author_channel_id: 'UC1', duration: 61, description: 'Two\nlines', date_added: '2026-02-03 04:05:06' }),
      ],
      playlists: [playlist('mine', [4, 2, 3], { title: 'Mine' })],
    })
    expect(await fixture.storage.songs.get(songId(4), 'mine', view)).toEqual({
      youtube_id: songId(4),
      youtube_url: `https://www.youtube.com/watch?v=${songId(4)}`,
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
      first_song: songId(4),
      next: songId(2),
      next_title: 'Song 2',
      favorite: false,
    })
    const last = await fixture.storage.songs.get(songId(3), 'mine', view)
    expect(last).toMatchObject({ previous: songId(2), next: songId(4), next_title: 'Song 4', new: 'false' })
    expect(last).not.toHaveProperty('duration')
    expect(last).not.toHaveProperty('author_channel_id')
  })

  test('without a context, or outside of it, a song stands in its category, newest first', async () => {
    await fixture.importRows({
      songs: [...songs(3), song(9, { category_id: 'trap', category_name: 'Trap' })],
      playlists: [playlist('mine', [1])],
    })
    for (const context of [undefined, 'mine', 'nothing', 'trap']) {
      expect(await fixture.storage.songs.get(songId(2), context, view)).toMatchObject({
        context_id: 'house',
        context_title: 'House',
        first_song: songId(3),
        next: songId(1),
        previous: songId(3),
      })
    }
    expect(await fixture.storage.songs.get(songId(9), 'trap', view)).toMatchObject({
      context_id: 'trap',
      next: songId(9),
      first_song: songId(9),
    })
  })

  test('a playlist wins over a category of the same id', async () => {
    await fixture.importRows({ songs: songs(3), playlists: [playlist('house', [1, 2], { title: 'The playlist' })] })
    expect(await fixture.storage.songs.get(songId(1), 'house', view)).toMatchObject({ context_title: 'The playlist', next: songId(2) })
    // Not in the playlist, so its own category is the context.
    expect(await fixture.storage.songs.get(songId(3), 'house', view)).toMatchObject({ context_title: 'House', next: songId(2) })
    expect((await fixture.storage.playlists.get('house', everything, view))?.songs).toHaveLength(2)
  })

  test('what does not exist is undefined', async () => {
    expect(await fixture.storage.songs.get(songId(1), undefined, view)).toBeUndefined()
    expect(await fixture.storage.songs.random(undefined, undefined)).toBeUndefined()
    await fixture.importRows({ songs: songs(1) })
    expect(await fixture.storage.songs.random('nothing', undefined)).toBeUndefined()
    expect(await fixture.storage.songs.random(undefined, songId(1))).toBeUndefined()
    expect(await report(2, 'a')).toBe(false)
    expect(
      await fixture.storage.songs.countPlay({ songId: songId(2), contextId: undefined, clientId: 'a', atMs: NOW_MS, nowMs: NOW_MS }),
    ).toBe(false)
  })

  test('three distinct reporters in a day take a song out of next, random and the list; fewer do not', async () => {
    await fixture.importRows({ songs: songs(4), playlists: [playlist('mine', [1, 2, 3, 4])] })
    for (let i = 0; i < 5; i++) await report(2, 'same')
    await report(2, 'old', NOW_MS - 25 * HOUR_MS)
    await report(2, 'second')
    expect(await fixture.storage.songs.listUnplayable()).toEqual([])
    expect(await fixture.storage.songs.get(songId(1), 'mine', view)).toMatchObject({ next: songId(2) })

    await report(2, 'third', NOW_MS + HOUR_MS)
    expect(await fixture.storage.songs.listUnplayable()).toEqual([
      { youtube_id: songId(2), title: 'Song 2', reporters: 4, reason: 'error third', last_reported: '2026-03-01T13:00:00.000Z' },
    ])
    expect(await fixture.storage.songs.get(songId(1), 'mine', view)).toMatchObject({ next: songId(3) })
    expect(await fixture.storage.songs.get(songId(3), 'mine', view)).toMatchObject({ previous: songId(1) })
    await takeOut(1)
    expect(await fixture.storage.songs.get(songId(4), 'mine', view)).toMatchObject({ first_song: songId(3), next: songId(3) })
    // Its own page still works.
    expect(await fixture.storage.songs.get(songId(2), 'mine', view)).toMatchObject({ youtube_id: songId(2), next: songId(3) })
    for (let i = 0; i < 30; i++)
      expect([songId(3), songId(4)]).toContain((await fixture.storage.songs.random('mine', undefined))?.youtube_id)
  })

  test.each([
    { name: 'a playlist with songs left out', contextId: 'mine', members: [2, 3, 5, 7, 11, 13, 17, 19], out: [3, 11], not: 19 },
    {
      name: 'a playlist of which nearly all is left out',
      contextId: 'mine',
      members: [1, 2, 3, 4, 5, 6, 7, 8, 9],
      out: [1, 2, 4, 5, 7, 9],
      not: 8,
    },
    { name: 'all songs', contextId: undefined, members: Array.from({ length: 20 }, (_, i) => i + 1), out: [1, 20], not: 10 },
  ])('random is uniform over $name', async ({ contextId, members, out, not }) => {
    await fixture.importRows({ songs: songs(20), playlists: [playlist('mine', members.length < 20 ? members : [1])] })
    for (const n of out) await takeOut(n)
    const expected = members.filter((n) => !out.includes(n) && n !== not)
    const counts = new Map<string, number>()
    const each = fixture.kind === 'sqlite' ? 400 : 60
    for (let i = 0; i < expected.length * each; i++) {
      const drawn = await fixture.storage.songs.random(contextId, songId(not))
      if (drawn !== undefined) counts.set(drawn.youtube_id, (counts.get(drawn.youtube_id) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual(expected.map(songId).sort())
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - each) ** 2 / each, 0)
    // Five standard deviations above the mean of chi-square: about one false alarm in a million runs.
    const freedom = expected.length - 1
    expect(chiSquare).toBeLessThan(freedom + 5 * Math.sqrt(2 * freedom) + 12)
  })

  test('a play counts once an hour for a client and song', async () => {
    await fixture.importRows({ songs: songs(4), playlists: [playlist('a', [1, 2, 3]), playlist('b', [1, 2, 3])] })
    const play = (n: number, contextId: string, clientId: string, atMs: number) =>
      fixture.storage.songs.countPlay({ songId: songId(n), contextId, clientId, atMs, nowMs: atMs })
    const order = async (nowMs: number) =>
      (await fixture.storage.playlists.all({ ...everything, homeOnly: false, order: undefined, nowMs }, view))
        .map((each) => each.id)
        .filter((id) => id !== 'new')
    expect(await order(NOW_MS)).toEqual(['a', 'b'])
    // A song that the playlist does not have lifts it no higher.
    expect(await play(4, 'b', 'three', NOW_MS)).toBe(true)
    expect(await order(NOW_MS)).toEqual(['a', 'b'])
    const revision = fixture.storage.revision()
    expect(await play(1, 'b', 'one', NOW_MS)).toBe(true)
    expect(await order(NOW_MS)).toEqual(['b', 'a'])
    // The same client again: only the first counts, so one play of another client draws level and the title decides.
    for (let minute = 1; minute < 60; minute += 10) await play(1, 'b', 'one', NOW_MS + minute * 60_000)
    await play(1, 'a', 'two', NOW_MS)
    expect(await order(NOW_MS)).toEqual(['a', 'b'])
    await play(1, 'b', 'one', NOW_MS + HOUR_MS)
    expect(await order(NOW_MS)).toEqual(['b', 'a'])
    // 30 days later they no longer count.
    expect(await order(NOW_MS + 31 * 24 * HOUR_MS)).toEqual(['a', 'b'])
    expect(fixture.storage.revision()).toBe(revision)
  })

  test('a play of the past counts in its own hour, whatever was counted since, and a change counts once', async () => {
    await fixture.importRows({ songs: songs(2), playlists: [playlist('a', [1, 2]), playlist('b', [1, 2]), playlist('c', [1])] })
    const nowMs = NOW_MS
    const play = (minutesAgo: number, contextId = 'b', changeId?: string, clientId = 'one') =>
      fixture.storage.songs.countPlay({ songId: songId(1), contextId, clientId, atMs: NOW_MS - minutesAgo * MINUTE_MS, nowMs, changeId })
    /** How many plays of `b` counted: as many of `a` draw level, and one more is ahead. */
    const counted = async () => {
      for (let plays = 0; ; plays++) {
        const [first] = await fixture.storage.playlists.all({ ...everything, homeOnly: false, order: undefined, nowMs }, view)
        if (first?.id !== 'b') return plays
        await play(0, 'a', undefined, `another ${Math.random()}`)
      }
    }
    await play(0)
    for (const minutesAgo of [59, 300, 290, 355, 241, 359]) await play(minutesAgo)
    expect(await counted(), 'now, and five hours ago').toBe(2)
    for (const minutesAgo of [240, 60]) await play(minutesAgo)
    expect(await counted()).toBe(2)
    await Promise.all([1, 2, 3].map(() => play(600, 'b', 'id')))
    await play(1200, 'b', 'id')
    await play(1200, 'b', 'other id')
    await play(1140, 'b', 'third id', 'two')
    expect(await counted()).toBe(3)
    // An id that was used up by a play within the hour of another stays used up.
    await play(1201, 'b', 'early')
    await play(2000, 'b', 'early')
    expect(await counted()).toBe(0)
  })

  test('favorites are a context too: newest first, without what cannot be played', async () => {
    await fixture.importRows({ songs: songs(6) })
    const get = (n: number, uid?: string) => fixture.storage.songs.get(songId(n), 'favorite', view, uid)
    for (const n of [2, 1, 3, 4]) await fixture.storage.favorites.set('ann', songId(n), true, NOW_MS - (n > 2 ? 0 : n))
    // At one time by id: 4, 3, 1, 2.
    expect(await get(4, 'ann')).toMatchObject({
      ...{
        favorite: true,
        context_id: 'favorite',
        context_title: 'Favorites',
        first_song: songId(4),
        next: songId(3),
        next_title: 'Song 3',
      },
    })
    expect(await get(4, 'ann')).not.toHaveProperty('previous')
    expect(await get(3, 'ann')).toMatchObject({ previous: songId(4), next: songId(1) })
    expect(await get(2, 'ann')).toMatchObject({ previous: songId(1), next: songId(4), first_song: songId(4) })
    for (const n of [1, 4]) await takeOut(n)
    expect(await get(2, 'ann')).toMatchObject({ previous: songId(3), next: songId(3), first_song: songId(3) })
    expect(await get(4, 'ann')).toMatchObject({ next: songId(3), first_song: songId(3) })
    // What is not among them stands in its category.
    for (const [n, uid] of [
      [5, 'ann'],
      [1, 'bob'],
      [1, undefined],
    ] as const)
      expect(await get(n, uid)).toMatchObject({ favorite: false, context_id: 'house', context_title: 'House' })
    expect(await fixture.storage.songs.get(songId(1), undefined, view, 'ann')).toMatchObject({ favorite: true, context_id: 'house' })
    expect(await fixture.storage.songs.get(songId(1), undefined, view)).toMatchObject({ favorite: false })
  })

  test('favorites decide between playlists that are played as often', async () => {
    await fixture.importRows({
      songs: songs(6),
      playlists: [playlist('a', [1, 2]), playlist('b', [2, 3]), playlist('c', [4, 5]), playlist('d', [6])],
    })
    const set = (n: number, favorite: boolean, nowMs = NOW_MS, uid = 'ann') =>
      fixture.storage.favorites.set(uid, songId(n), favorite, nowMs)
    const order = async (nowMs: number, page = everything) =>
      (await fixture.storage.playlists.all({ ...page, homeOnly: false, order: undefined, nowMs }, view))
        .map(({ id }) => id)
        .filter((id) => id !== 'new')
    await set(3, true, NOW_MS, 'bob')
    for (const uid of ['bob', 'cem']) await set(6, false, NOW_MS, uid)
    for (const uid of ['ann', 'bob', 'cem']) await set(5, true, NOW_MS, uid)
    await set(2, true)
    expect(await order(NOW_MS)).toEqual(['c', 'b', 'a', 'd'])
    await fixture.storage.songs.countPlay({ songId: songId(6), contextId: 'd', clientId: 'x', atMs: NOW_MS, nowMs: NOW_MS })
    expect(await order(NOW_MS + MINUTE_MS)).toEqual(['d', 'c', 'b', 'a'])
    // They are counted now and then, and the count before stands meanwhile.
    for (const uid of ['ann', 'bob', 'cem', 'dan']) await set(1, true, NOW_MS, uid)
    expect(await order(NOW_MS + 9 * MINUTE_MS)).toEqual(['d', 'c', 'b', 'a'])
    await order(NOW_MS + 11 * MINUTE_MS)
    await vi.waitFor(async () => expect(await order(NOW_MS + 12 * MINUTE_MS)).toEqual(['d', 'a', 'c', 'b']))
    expect(await order(NOW_MS + 12 * MINUTE_MS, { limit: 2, offset: 2 })).toEqual(['a', 'c'])
    // Of a new catalogue they are counted at once.
    await fixture.importRows({ playlists: [playlist('b', [1, 2, 3])] })
    await order(NOW_MS + 12 * MINUTE_MS)
    await vi.waitFor(async () => expect(await order(NOW_MS + 12 * MINUTE_MS)).toEqual(['d', 'b', 'a', 'c']))
  })
})
