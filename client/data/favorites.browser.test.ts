import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FavoriteSynced } from '../../contract/favorite.ts'
import { type Api, ApiFailure } from '../platform/api.ts'
import { createAccounts } from './account-repository.ts'
import { clearSeen } from './eviction.ts'
import { createFavoriteSync } from './favorite-sync.ts'
import { createFavorites } from './favorites.ts'
import type { FavoriteTap } from './favorites-interface.ts'
import { readOnce } from './memory-store.ts'
import { openStore } from './open-store.ts'
import type { DeviceStore, OutboxRow } from './store.ts'
import { testSong } from './testing/rows.ts'

const DAY = 86_400_000
let made = 0
let name = ''
let store: DeviceStore
let now: number
let stops: (() => void)[]

beforeEach(async () => {
  made += 1
  name = `favorites-test-${made}`
  store = await openStore(name)
  now = Date.parse('2026-03-01T12:00:00Z')
  stops = []
})
afterEach(async () => {
  for (const stop of stops) stop()
  await Dexie.delete(name)
})

const song = (n: number) => testSong(n)
const id = (n: number) => song(n).youtube_id
const tap = (n: number, favorite = true): FavoriteTap => ({ songId: id(n), favorite, song: song(n) })
const open = (own = store) => createFavorites({ store: own, send: () => {}, nowMs: () => now })
const outbox = () => readOnce(store, (tables) => tables.outbox.all())
const taps = async () =>
  (await outbox())
    .flatMap((row) => (row.call === 'POST /favorite/sync' ? [row.body] : []))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))

function followed(uid = 'ann', own = store) {
  const favorites = open(own)
  const [list, songs] = [favorites.list(uid), favorites.songs(uid)]
  stops.push(
    list.subscribe(() => {}),
    songs.subscribe(() => {}),
  )
  return { favorites, list, songs, ids: () => list.getSnapshot()?.entries.map(({ songId }) => songId) }
}

/** As the site answers a first call: all that it has. */
const whole = (states: FavoriteSynced['favorites'], cursor = 'e.1'): FavoriteSynced => ({
  ...{ cursor, whole: true, more: false, favorites: states, refused: [] },
})
const state = (n: number, atMs: number, favorite = true) => ({
  ...{ s: id(n), favorite, at: new Date(atMs).toISOString() },
  ...(favorite && { song: song(n) }),
})
/** What the site answers the next call; what it was asked comes back. */
async function exchange(answer: Partial<FavoriteSynced>, { uid = 'ann', signedIn = uid as string | undefined } = {}) {
  const sync = createFavoriteSync({ store, signedIn: () => signedIn })
  const asked: unknown[] = []
  const call = async (_key: string, input: unknown) => {
    asked.push(input)
    return { cursor: 'e.2', whole: false, more: false, favorites: [], refused: [], ...answer }
  }
  // Only what it uses.
  const more = await sync.exchange({ call } as unknown as Api, uid, await sync.waiting(uid))
  return { asked: asked[0] as { since?: string; changes: { s: string }[] }, more }
}

describe('a tap', () => {
  it('shows at once, before it is stored, and after', async () => {
    const { favorites, list, songs, ids } = followed()
    await vi.waitFor(() => expect(ids()).toEqual([]))
    const stored = favorites.tap('ann', [tap(1)])
    expect(list.getSnapshot()?.has(id(1))).toBe(true)
    await stored
    expect(ids()).toEqual([id(1)])
    await vi.waitFor(() => expect(songs.getSnapshot()).toEqual([song(1)]))
    now += 1000
    void favorites.tap('ann', [tap(2)])
    expect(ids()).toEqual([id(2), id(1)])
    void favorites.tap('ann', [tap(1, false)])
    expect(ids()).toEqual([id(2)])
  })

  it('is as it was where this device cannot keep it, and says so', async () => {
    const failing = { ...store, change: () => Promise.reject(new Error('The disk is full.')) }
    const { favorites, list } = followed('ann', failing)
    await vi.waitFor(() => expect(list.getSnapshot()).toBeDefined())
    const stored = favorites.tap('ann', [tap(1)])
    expect(list.getSnapshot()?.has(id(1))).toBe(true)
    await expect(stored).rejects.toThrow('The disk is full.')
    expect(list.getSnapshot()?.has(id(1))).toBe(false)
  })

  it('is one change of the database with its row and its song', async () => {
    await open().tap('ann', [tap(1), tap(2), tap(1, false)])
    expect((await taps()).map(({ s, favorite }) => [s, favorite])).toEqual([
      [id(1), true],
      [id(2), true],
      [id(1), false],
    ])
    expect(await readOnce(store, (tables) => tables.songs.keys())).toEqual([id(1), id(2)])
    expect(new Set((await taps()).map(({ device }) => device)).size).toBe(1)
  })

  it('is later than all that the device heard of, whatever its clock says', async () => {
    const favorites = open()
    await favorites.tap('ann', [tap(1)])
    now -= 400 * DAY
    await favorites.tap('ann', [tap(1, false)])
    const [first, second] = await taps()
    expect(second?.favorite).toBe(false)
    expect(Date.parse(second?.at ?? '')).toBe(Date.parse(first?.at ?? '') + 1)
    await exchange(whole([state(3, now + 2000 * DAY)]))
    await favorites.tap('ann', [tap(3, false)])
    expect(Date.parse((await taps()).at(-1)?.at ?? '')).toBe(now + 2000 * DAY + 1)
  })

  it('of a clock beyond the year 9999 still has a date that the site takes', async () => {
    now = Date.parse('9999-12-31T23:59:59.999Z') + DAY
    await open().tap('ann', [tap(1), tap(2)])
    for (const { at } of await taps()) expect(at).toBe('9999-12-31T23:59:59.999Z')
  })

  it('shows in another tab', async () => {
    const other = await openStore(name)
    const { ids } = followed('ann', other)
    await open().tap('ann', [tap(1)])
    await vi.waitFor(() => expect(ids()).toEqual([id(1)]))
  })

  it('is its own account’s alone', async () => {
    await open().tap('ann', [tap(1)])
    const bob = followed('bob')
    await vi.waitFor(() => expect(bob.ids()).toEqual([]))
    expect((await exchange({}, { uid: 'bob' })).asked.changes).toEqual([])
    expect(await outbox()).toHaveLength(1)
  })
})

describe('what the site answers', () => {
  it('takes out what it has taken, and keeps what it has refused, with its reason', async () => {
    const { favorites, ids } = followed()
    await favorites.tap('ann', [tap(1), tap(2)])
    const [, second] = await taps()
    const { asked } = await exchange({ ...whole([state(1, now)]), refused: [{ id: second?.id ?? '', message: 'There is no such song.' }] })
    expect(asked.since).toBeUndefined()
    expect(asked.changes.map(({ s }) => s)).toEqual([id(1), id(2)])
    const left: Partial<OutboxRow>[] = await outbox()
    expect(left).toMatchObject([{ id: second?.id, state: 'failed', lastError: 'There is no such song.' }])
    // What was refused is no favorite.
    await vi.waitFor(() => expect(ids()).toEqual([id(1)]))
  })

  it('adds to what is known, and goes on from there; taps that wait stay above it', async () => {
    const { favorites, ids, list } = followed()
    await exchange(whole([state(1, now), state(2, now - 1000)]))
    await vi.waitFor(() => expect(ids()).toEqual([id(1), id(2)]))
    expect(list.getSnapshot()?.complete).toBe(true)
    const sync = createFavoriteSync({ store, signedIn: () => 'ann' })
    await favorites.tap('ann', [tap(2, false)])
    const call = async (_key: string, input: unknown) => {
      expect(input).toMatchObject({ since: 'e.1', changes: [{ s: id(2) }] })
      // Meanwhile a person goes on.
      await favorites.tap('ann', [tap(4)])
      return { cursor: 'e.5', whole: false, more: true, favorites: [state(3, now + 5), state(1, now, false)], refused: [] }
    }
    expect(await sync.exchange({ call } as unknown as Api, 'ann', await sync.waiting('ann'))).toBe(true)
    await vi.waitFor(() => expect(ids()).toEqual([id(3), id(4), id(2)]))
  })

  it('is all of them only once there is no more to hear, in the last answer or after it', async () => {
    const { favorites, list } = followed()
    await exchange({ ...whole([state(1, now)], 'e.1'), more: true })
    await vi.waitFor(() => expect(list.getSnapshot()).toMatchObject({ complete: false, entries: [{ songId: id(1) }] }))
    const waited = favorites.listWhen('ann', ({ complete }) => complete)
    // The rest has gone meanwhile.
    await exchange({ cursor: 'e.1' })
    await vi.waitFor(() => expect(list.getSnapshot()?.complete).toBe(true))
    expect((await waited)?.has(id(1))).toBe(true)
  })

  it('begins anew where the site says so', async () => {
    const { ids } = followed()
    await exchange(whole([state(1, now), state(2, now - 1000)]))
    await exchange(whole([state(2, now)], 'f.1'))
    await vi.waitFor(() => expect(ids()).toEqual([id(2)]))
  })

  it('is not kept where somebody else has signed in meanwhile', async () => {
    await open().tap('ann', [tap(1)])
    await exchange(whole([state(1, now)]), { signedIn: 'bob' })
    expect(await readOnce(store, (tables) => tables.favorites.all())).toEqual([])
    expect(await outbox()).toEqual([])
  })

  it('asks again where another tab has heard more', async () => {
    await exchange(whole([state(1, now)]))
    const sync = createFavoriteSync({ store, signedIn: () => 'ann' })
    const call = async () => {
      await store.change((tables) => tables.favorites.put([{ uid: 'ann', cursor: 'e.9', ids: [id(5)], atMs: [now] }]))
      return { cursor: 'e.8', whole: false, more: false, favorites: [state(6, now)], refused: [] }
    }
    expect(await sync.exchange({ call } as unknown as Api, 'ann', [])).toBe(true)
    expect(await readOnce(store, (tables) => tables.favorites.get('ann'))).toMatchObject({ cursor: 'e.9', ids: [id(5)] })
  })

  it.each([
    ['nothing', null],
    ['something else', {}],
    [
      'songs that are none',
      { cursor: 'e.2', whole: true, more: false, refused: [], favorites: [{ ...state(1, 1), song: { title: 'x' } }] },
    ],
    ['times that are none', { cursor: 'e.2', whole: true, more: false, refused: [], favorites: [{ s: 'x', favorite: true, at: 'noon' }] }],
  ])('changes nothing where it is %s', async (_, data) => {
    await open().tap('ann', [tap(1)])
    const sync = createFavoriteSync({ store, signedIn: () => 'ann' })
    const api = { call: async () => data } as unknown as Api
    await expect(sync.exchange(api, 'ann', await sync.waiting('ann'))).rejects.toThrow(ApiFailure)
    expect(await outbox()).toHaveLength(1)
    expect(store.health).toBe('kept')
  })

  it('is not asked for ever where the site stands still', async () => {
    expect((await exchange({ ...whole([state(1, now)]), more: true })).more).toBe(true)
    expect((await exchange({ cursor: 'e.1', more: true })).more).toBe(false)
  })

  it('changes nothing where it does not come', async () => {
    await open().tap('ann', [tap(1)])
    const sync = createFavoriteSync({ store, signedIn: () => 'ann' })
    const call = () => Promise.reject(new ApiFailure('network', 0, 'No connection to the server.'))
    await expect(sync.exchange({ call } as unknown as Api, 'ann', await sync.waiting('ann'))).rejects.toThrow('No connection')
    expect(await outbox()).toHaveLength(1)
  })
})

it('what an account has goes with its sign-out; what is not sent stays for its next log-in', async () => {
  const favorites = open()
  await exchange(whole([state(1, now)]))
  await favorites.tap('ann', [tap(2)])
  const [before] = await taps()
  await createAccounts({ api: { call: vi.fn() }, store, signedIn: () => undefined }).forget('ann')
  expect(await readOnce(store, (tables) => tables.favorites.all())).toEqual([])
  await favorites.tap('ann', [tap(2, false)])
  const [, after] = await taps()
  expect(Date.parse(after?.at ?? '')).toBeGreaterThan(Date.parse(before?.at ?? ''))
})

it('their songs stay when space is freed', async () => {
  await store.change((tables) => tables.songs.put([song(8), song(9)]))
  await exchange(whole([state(1, now)]))
  await open().tap('ann', [tap(2)])
  await clearSeen(store, { keys: [], songIds: [] })
  expect(await readOnce(store, (tables) => tables.songs.keys())).toEqual([id(1), id(2)])
})

it('20,000 of them: a tap shows at once, and the list comes bit by bit', async () => {
  const count = 20_000
  await store.change(async (tables) => {
    await tables.songs.put(Array.from({ length: count }, (_, n) => song(n)))
    const ids = Array.from({ length: count }, (_, n) => id(n))
    await tables.favorites.put([{ uid: 'ann', cursor: 'e.1', ids, atMs: ids.map((_, n) => now - n) }])
  })
  const { favorites, list, songs } = followed()
  now += 1
  await vi.waitFor(() => expect(songs.getSnapshot()).toHaveLength(count), 15_000)
  const startMs = performance.now()
  const stored = favorites.tap('ann', [tap(count + 1)])
  expect(list.getSnapshot()?.has(id(count + 1))).toBe(true)
  expect(performance.now() - startMs).toBeLessThan(50)
  await stored
  await vi.waitFor(() => expect(songs.getSnapshot()?.[0]?.youtube_id).toBe(id(count + 1)), 15_000)
})
