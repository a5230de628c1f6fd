import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { FavoriteChange } from '../../contract/favorite.ts'
import { describeStores } from './testing/databases.ts'
import { checkDevices } from './testing/favorite-devices.ts'
import { everything, song, songId, songs, view } from './testing/fixture.ts'

vi.setConfig({ testTimeout: 60_000 })

const NOW = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const [A, B] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const
const iso = (ms: number) => new Date(ms).toISOString()
const tap = (n: number, favorite = true, over: Partial<FavoriteChange> = {}): FavoriteChange => ({
  ...{ id: randomUUID(), s: songId(n), favorite, at: iso(NOW), device: A },
  ...over,
})

describeStores('favorites', (fixture) => {
  const favorites = () => fixture.storage.favorites
  const tell = (changes: FavoriteChange[], since?: string, nowMs = NOW, uid = 'ann') =>
    favorites().sync(uid, { changes, ...(since !== undefined && { since }) }, nowMs, view)
  const ask = (since?: string, uid = 'ann') => favorites().sync(uid, since === undefined ? {} : { since }, NOW, view)
  const ids = async (uid = 'ann') => (await favorites().all(uid, everything, view)).map(({ youtube_id }) => youtube_id)
  const set = (n: number, favorite: boolean, nowMs = NOW, uid = 'ann') => favorites().set(uid, songId(n), favorite, nowMs)

  test('are told with their songs, and once more only what has changed since', async () => {
    await fixture.importRows({ songs: songs(3) })
    const first = await tell([tap(1), tap(2, true, { at: iso(NOW - 1) }), tap(3, false)])
    const stored = await fixture.storage.songs.get(songId(1), undefined, view)
    expect(first).toEqual({
      ...{ cursor: expect.stringMatching(/^[0-9a-f]{16}\.3$/), whole: true, more: false, refused: [] },
      favorites: [
        {
          s: songId(1),
          favorite: true,
          at: iso(NOW),
          song: expect.objectContaining({ youtube_id: songId(1), title: 'Song 1', new: 'false' }),
        },
        { s: songId(2), favorite: true, at: iso(NOW - 1), song: expect.objectContaining({ youtube_id: songId(2) }) },
      ],
    })
    expect(stored).toMatchObject(first.favorites[0]?.song ?? { none: true })
    expect(await ask(first.cursor)).toEqual({ cursor: first.cursor, whole: false, more: false, favorites: [], refused: [] })
    const second = await tell([tap(1, false, { device: B, at: iso(NOW + 5) })], first.cursor)
    expect(second).toMatchObject({ whole: false, favorites: [{ s: songId(1), favorite: false, at: iso(NOW) }] })
    expect(second.favorites[0]).not.toHaveProperty('song')
    await fixture.reopen()
    expect(await ask(first.cursor)).toEqual(second)
    expect((await ask()).favorites.filter(({ favorite }) => favorite).map(({ s }) => s)).toEqual([songId(2)])
    expect((await ask(undefined, 'bob')).favorites).toEqual([])
  })

  test('a device that knows nothing hears of the last tap, if that has removed a song: its clock may be behind', async () => {
    await fixture.importRows({ songs: songs(3) })
    await tell([tap(1), tap(2, true, { at: iso(NOW - 2) }), tap(3, true, { at: iso(NOW - 2) })])
    await tell([tap(2, false, { at: iso(NOW + 1) }), tap(3, false, { at: iso(NOW + 2) })], undefined, NOW + 9)
    expect((await ask()).favorites).toMatchObject([
      { s: songId(1), favorite: true },
      { s: songId(3), favorite: false, at: iso(NOW + 2) },
    ])
    await tell([tap(1, true, { at: iso(NOW + 3) })], undefined, NOW + 9)
    expect((await ask()).favorites).toMatchObject([{ s: songId(1), favorite: true, at: iso(NOW + 3) }])
  })

  test('a cursor that says nothing, of another list, or ahead of the list begins anew', async () => {
    await fixture.importRows({ songs: songs(3) })
    const { cursor } = await tell([tap(1), tap(2), tap(2, false)])
    const [epoch = ''] = cursor.split('.')
    const other = (await ask(undefined, 'bob')).cursor
    for (const since of [
      '',
      'x',
      epoch,
      `${epoch}.`,
      `${epoch}.-1`,
      `${epoch}.1e3`,
      `${epoch}.4`,
      `${other.split('.')[0]}.1`,
      `${epoch}.${'9'.repeat(30)}`,
    ])
      expect(await ask(since), since).toMatchObject({ cursor, whole: true, favorites: [{ s: songId(1), favorite: true }] })
    // Ahead as it comes, although its own change lets the list catch up.
    expect(await tell([tap(3)], `${epoch}.4`)).toMatchObject({
      cursor: `${epoch}.4`,
      whole: true,
      favorites: [{ s: songId(1) }, { s: songId(3) }],
    })
    expect(await ask(`${epoch}.0`)).toMatchObject({
      whole: false,
      favorites: [{ s: songId(1) }, { s: songId(2), favorite: false }, { s: songId(3) }],
    })
    // Another list of the same account is another one.
    await favorites().forget('ann')
    const anew = await ask(cursor)
    expect(anew).toMatchObject({ whole: true, more: false, favorites: [] })
    expect(anew.cursor).toMatch(/\.0$/)
    expect(anew.cursor).not.toContain(epoch)
    expect(await ask(anew.cursor)).toMatchObject({ cursor: anew.cursor, whole: false })
  })

  test('after a backup was put back every device asks for all, however far the list has come since', async () => {
    await fixture.importRows({ songs: songs(3) })
    const backup = await tell([tap(1)])
    await tell([tap(2)], undefined, NOW, 'bob')
    expect(await favorites().renew()).toBe(2)
    await tell([tap(3)])
    expect(await ask(backup.cursor)).toMatchObject({ whole: true, favorites: [{ s: songId(1) }, { s: songId(3) }] })
    expect((await ask(undefined, 'bob')).favorites.map(({ s }) => s)).toEqual([songId(2)])
  })

  test('come in pages of 2,000, over changes between them', async () => {
    await fixture.importRows({ songs: songs(2005) })
    for (let first = 0; first < 2005; first += 500)
      await tell(Array.from({ length: Math.min(500, 2005 - first) }, (_, i) => tap(first + i + 1)))
    const page = await ask()
    expect([page.whole, page.more, page.favorites.length, page.cursor.split('.')[1]]).toEqual([true, true, 2000, '2000'])
    expect(page.favorites.map(({ s }) => s)).toEqual(songs(2000).map((each) => each.youtube_id))
    await tell([tap(1, false, { device: B }), tap(2004, false, { device: B })])
    const rest = await ask(page.cursor)
    expect(rest).toMatchObject({ whole: false, more: false, cursor: expect.stringMatching(/\.2007$/) })
    expect(rest.favorites.map(({ s, favorite }) => [s, favorite])).toEqual([
      ...[2001, 2002, 2003, 2005].map((n) => [songId(n), true]),
      ...[1, 2004].map((n) => [songId(n), false]),
    ])
    // Exactly full is not more. (Of those below 7, the first was changed.)
    const lengths = [5, 6].map(async (version) => {
      const { more, favorites: told } = await ask(`${page.cursor.split('.')[0]}.${version}`)
      return [more, told.length]
    })
    expect(await Promise.all(lengths)).toEqual([
      [true, 2000],
      [false, 2000],
    ])
  })

  test('a change is applied once, in one call or several, in whatever case its id is', async () => {
    await fixture.importRows({ songs: songs(3) })
    const [one, other] = [tap(1), tap(1, false, { at: iso(NOW + 1) })]
    const { cursor } = await tell([one, one, other, { ...one, id: one.id.toUpperCase(), s: songId(2) }], undefined, NOW + 1)
    expect(cursor).toMatch(/\.2$/)
    const again = await tell([one, other], cursor, NOW + MINUTE)
    expect(again).toMatchObject({ cursor, favorites: [], refused: [] })
    await Promise.all([1, 2, 3].map(() => tell([one, other, tap(3, true, { id: one.id })])))
    expect((await ask()).cursor).toBe(cursor)
    expect(await ids()).toEqual([])
    // An account's own: another may have the same id.
    expect((await tell([one], undefined, NOW, 'bob')).favorites).toHaveLength(1)
    // One that was overtaken counts as applied: it does not come to life.
    const late = tap(2, true, { at: iso(NOW - MINUTE), device: B })
    await tell([tap(2, false), late])
    await favorites().set('ann', songId(2), false, NOW + MINUTE)
    expect((await tell([{ ...late, at: iso(NOW + 2 * MINUTE) }], undefined, NOW + 3 * MINUTE)).favorites).toMatchObject([
      { s: songId(2), favorite: false, at: iso(NOW + MINUTE) },
    ])
  })

  test('what can never be applied is refused by its own id, and hinders nothing', async () => {
    await fixture.importRows({ songs: songs(2) })
    const wrong = [
      tap(9),
      tap(1, true, { s: 'https://example.org/' }),
      tap(1, false, { s: 'nothing' }),
      tap(1, true, { id: randomUUID().toUpperCase(), s: 'a\0b' }),
    ]
    const url = tap(2, true, { s: `https://youtu.be/${songId(2)}` })
    const answer = await tell([...wrong, tap(1), url, tap(9, false)])
    expect(answer.refused).toEqual(wrong.map(({ id }) => ({ id, message: 'There is no such song.' })))
    expect(answer.favorites.map(({ s }) => s)).toEqual([songId(1), songId(2)])
    expect(answer.cursor).toMatch(/\.3$/)
    // A removal stays, of whatever song: an older tap may still come. And what was refused may be tried again.
    await fixture.importRows({ songs: [song(9)] })
    expect(await tell([tap(9, true, { at: iso(NOW - 1), device: B })])).toMatchObject({ refused: [], cursor: answer.cursor })
    expect(await tell([{ ...tap(9), id: wrong[0]?.id ?? '' }])).toMatchObject({ refused: [], cursor: expect.stringMatching(/\.4$/) })
  })

  test('a leap second, which no clock here knows, counts as now', async () => {
    await fixture.importRows({ songs: songs(1) })
    expect(await tell([tap(1, true, { at: '2016-12-31T23:59:60Z' })])).toMatchObject({ favorites: [{ at: iso(NOW) }] })
  })

  test('are set now, whatever is stored, and no tap from before comes back', async () => {
    await fixture.importRows({ songs: songs(2) })
    expect([await set(9, true), await set(9, false), await set(2, false), await set(1, true)]).toEqual(['no-song', 'set', 'set', 'set'])
    expect([
      await favorites().has('ann', songId(1)),
      await favorites().has('ann', songId(2)),
      await favorites().has('bob', songId(1)),
    ]).toEqual([...[true, false, false]])
    await tell([tap(1, false, { at: iso(NOW - 1), device: B }), tap(2, true, { at: iso(NOW - 1) })])
    expect(await ids()).toEqual([songId(1)])
    for (let round = 0; round < 5; round++) {
      await set(1, false)
      expect(await ids()).toEqual([])
      await set(1, true)
      expect(await ids()).toEqual([songId(1)])
    }
    expect((await ask()).favorites[0]?.at).toBe(iso(NOW + 1))
    await tell([tap(1, false, { at: iso(NOW + 2), device: A })], undefined, NOW + 2)
    expect(await ids()).toEqual([])
  })

  test('are listed newest first, in pages; the catalogue may lack some', async () => {
    await fixture.importRows({ songs: songs(5) })
    expect(await favorites().latest('ann')).toBeUndefined()
    await tell([3, 1, 5, 2].map((n, index) => tap(n, true, { at: iso(NOW - 10 + index) })))
    await tell([tap(4, true, { at: iso(NOW - 9) })])
    expect(await ids()).toEqual([2, 5, 4, 1, 3].map(songId))
    expect((await favorites().all('ann', { limit: 2, offset: 1 }, view)).map(({ title }) => title)).toEqual(['Song 5', 'Song 4'])
    expect(await favorites().latest('ann')).toEqual({
      ...{ youtube_id: songId(2), youtube_url: `https://www.youtube.com/watch?v=${songId(2)}`, title: 'Song 2', category_id: 'house' },
    })
    expect(await favorites().export('ann')).toEqual(
      [-7, -8, -9, -9, -10].map((ms, index) => ({ s: songId([2, 5, 4, 1, 3][index] ?? 0), at: iso(NOW + ms) })),
    )
  })

  test('random is uniform over those that can be played', async () => {
    await fixture.importRows({ songs: songs(9) })
    expect(await favorites().random('ann', undefined)).toBeUndefined()
    await tell([1, 2, 3, 4, 5, 6].map((n) => tap(n)))
    for (const clientId of ['a', 'b', 'c'])
      await fixture.storage.songs.reportUnplayable({ songId: songId(2), reason: 'x', clientId, atMs: NOW })
    const each = fixture.kind === 'sqlite' ? 200 : 50
    const counts = new Map<string, number>()
    for (let draw = 0; draw < 4 * each; draw++) {
      const id = (await favorites().random('ann', songId(5)))?.youtube_id ?? ''
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    expect([...counts.keys()].sort()).toEqual([1, 3, 4, 6].map(songId))
    // Three degrees of freedom: as in the test of all songs.
    expect([...counts.values()].reduce((sum, count) => sum + (count - each) ** 2 / each, 0)).toBeLessThan(3 + 5 * Math.sqrt(6) + 12)
    for (const n of [1, 3, 4, 6]) await set(n, false)
    expect(await favorites().random('ann', songId(5))).toBeUndefined()
    expect((await favorites().random('ann', undefined))?.youtube_id).toBe(songId(5))
  })

  test('stand as the rule says, whatever comes twice, late or with which clock, and every device ends with the same', () =>
    checkDevices(fixture, fixture.kind === 'sqlite' ? 150 : 20))

  test('go with the account, or alone, and so does what was applied', async () => {
    await fixture.importRows({ songs: songs(1) })
    await fixture.storage.accounts.create({ uid: 'ann', email: 'ann@example.com', passwordHash: 'x', atMs: NOW })
    const one = tap(1)
    for (const uid of ['ann', 'bob', 'cem']) await tell([one], undefined, NOW, uid)
    await fixture.storage.accounts.remove('ann')
    await favorites().forget('bob')
    expect([await ids('ann'), await ids('bob'), await ids('cem')]).toEqual([[], [], [songId(1)]])
    expect((await tell([one])).cursor).toMatch(/\.1$/)
  })
})
