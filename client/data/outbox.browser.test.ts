import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { MadeFile } from '../../contract/make.ts'
import { createApi } from '../platform/api.ts'
import { IdentityFailure, type Person } from '../platform/person.ts'
import { uniqueId } from '../platform/unique-id.ts'
import { addToHistory, createMakeHistory } from './make-history.ts'
import { readOnce } from './memory-store.ts'
import { openStore } from './open-store.ts'
import { createOutbox, type Outbox, waitMs } from './outbox.ts'
import type { DeviceStore } from './store.ts'
import { noFavorites } from './testing/no-favorites.ts'

type Answer = number | 'offline' | 'lost' | 'never'

let made = 0
let name = ''
let store: DeviceStore
let outboxes: Outbox[]
/** What the site has recorded, by whose token and by the change. */
let recorded: Map<string, MadeFile>
let sent: string[]
/** How the site answers the next calls; 200 when there is none. */
let answers: Answer[]
let tokenUid: string | undefined
let refusesToken = false
let hold: (() => void)[] | undefined

const person = { now: undefined as Person | undefined, listeners: new Set<() => void>() }
const connection = { offline: false, listeners: new Set<() => void>() }
const following = (listeners: Set<() => void>) => (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const tell = (listeners: Set<() => void>) => {
  for (const listener of [...listeners]) listener()
}
function signIn(uid: string | undefined) {
  tokenUid = uid
  person.now = uid === undefined ? undefined : { uid, email: `${uid}@example.com`, emailVerified: true }
  tell(person.listeners)
}
function connect(connected: boolean) {
  connection.offline = !connected
  tell(connection.listeners)
}

beforeEach(async () => {
  made += 1
  name = `outbox-test-${made}`
  store = await openStore(name)
  ;[outboxes, recorded, sent, answers, tokenUid, refusesToken, hold] = [[], new Map(), [], [], undefined, false, undefined]
  signIn('ann')
  connect(true)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const outbox of outboxes) outbox.close()
  for (const release of hold ?? []) release()
  await Dexie.delete(name)
})

const identity = {
  getSnapshot: () => person.now,
  subscribe: following(person.listeners),
  async token() {
    if (refusesToken) throw new IdentityFailure('user-token-expired')
    return tokenUid === undefined ? undefined : `x.${btoa(JSON.stringify({ sub: tokenUid }))}.y`
  },
}

const api = createApi({
  baseUrl: '/api',
  async fetch(_url, init) {
    const token = new Headers(init?.headers).get('authorization')?.split('.')[1]
    const { sub } = JSON.parse(atob(token ?? ''))
    const body: MadeFile = JSON.parse(String(init?.body))
    sent.push(`${sub} ${body.file_name}`)
    if (hold) await new Promise<void>((resolve) => hold?.push(resolve))
    const answer = answers.shift() ?? 200
    if (answer === 'offline') throw new TypeError('Failed to fetch')
    const key = `${sub} ${body.change_id}`
    if (answer === 200 || answer === 'lost') recorded.set(key, recorded.get(key) ?? body)
    if (answer === 'lost') throw new TypeError('Failed to fetch')
    if (answer === 'never') await new Promise(() => {})
    const { file_name, file_size } = body
    const data = answer === 200 ? { id: body.change_id, file_name, file_size, created: body.exported_at } : null
    return new Response(JSON.stringify({ code: answer, message: `Answer ${answer}.`, data }))
  },
})

function open(own = store) {
  const outbox = createOutbox({
    ...{ store: own, api, identity, favorites: noFavorites },
    connection: {
      get offline() {
        return connection.offline
      },
      subscribe: following(connection.listeners),
    },
    async applied(tables, { uid }, row) {
      if (row) await addToHistory(tables, uid, row)
    },
  })
  outboxes.push(outbox)
  return outbox
}

const change = (file_name: string, uid = 'ann'): Parameters<Outbox['add']>[0] => {
  const id = uniqueId()
  const body = { file_name, file_size: 1, speed: 1, pitch: 0, change_id: id, exported_at: '2026-03-01T12:00:00.000Z' }
  return { id, uid, call: 'POST /make/history', body }
}
const rows = () => readOnce(store, (tables) => tables.outbox.all())
const states = async () =>
  (await rows())
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .map(({ body, state, lastError }) => ['file_name' in body && body.file_name, state, lastError])
const names = () => [...recorded.values()].map(({ file_name }) => file_name)

it('sends what is added, in order, once', async () => {
  const outbox = open()
  for (const each of ['1', '2', '3']) await outbox.add(change(each))
  await outbox.drain()
  expect(sent).toEqual(['ann 1', 'ann 2', 'ann 3'])
  expect(await rows()).toEqual([])
})

it('waits without a connection, outlives the page, and goes when it is back', async () => {
  connect(false)
  const before = open()
  for (let index = 0; index < 50; index += 1) await before.add(change(String(index)))
  await before.drain()
  before.close()
  expect([await rows()].flat()).toHaveLength(50)
  const after = open(await openStore(name))
  await after.drain()
  expect(sent).toEqual([])
  connect(true)
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
  expect(recorded.size).toBe(50)
  expect(sent).toHaveLength(50)
})

it.each(['online', 'focus'] as const)('tries when the window says %s', async (event) => {
  answers = ['offline']
  await open().add(change('a'))
  await vi.waitFor(async () => expect(await states()).toEqual([['a', 'waiting', 'No connection to the server.']]))
  dispatchEvent(new Event(event))
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
})

it('one whose answer was lost is recorded once', async () => {
  answers = ['lost']
  const outbox = open()
  await outbox.add(change('a'))
  await vi.waitFor(async () => expect(await states()).toEqual([['a', 'waiting', 'No connection to the server.']]))
  expect(names()).toEqual(['a'])
  await outbox.drain()
  expect([sent, names(), await rows()]).toEqual([['ann a', 'ann a'], ['a'], []])
})

it('one tab sends at a time', async () => {
  hold = []
  const [one, other] = [open(), open(await openStore(name))]
  await one.add(change('a'))
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  const drained = other.drain()
  await other.add(change('b'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(sent).toEqual(['ann a'])
  const waiting = hold
  hold = undefined
  for (const release of waiting) release()
  await drained
  await vi.waitFor(async () => expect(await rows()).toEqual([]))
  expect(sent).toEqual(['ann a', 'ann b'])
})

it('is sent in nobody else’s name: not after another has signed in, nor when that happens in another tab', async () => {
  connect(false)
  const outbox = open()
  await outbox.add(change('of ann'))
  signIn('bob')
  await outbox.add(change('of bob', 'bob'))
  connect(true)
  await vi.waitFor(() => expect(sent).toEqual(['bob of bob']))
  await outbox.drain()
  expect(await states()).toEqual([['of ann', 'waiting', '']])
  signIn('ann')
  await vi.waitFor(() => expect(sent).toEqual(['bob of bob', 'ann of ann']))
  await outbox.drain()
  tokenUid = 'bob'
  await outbox.add(change('again of ann'))
  await outbox.drain()
  tokenUid = undefined
  await outbox.drain()
  expect(sent).toHaveLength(2)
  expect((await states()).map(([each]) => each)).toEqual(['again of ann'])
})

it.each([400, 403, 404, 409, 413])('what the site refuses with %s stays, with its reason, and does not stand in the way', async (code) => {
  answers = [code]
  const outbox = open()
  await outbox.add(change('a'))
  await outbox.add(change('b'))
  await outbox.drain()
  expect([await states(), names()]).toEqual([[['a', 'failed', `Answer ${code}.`]], ['b']])
  await outbox.drain()
  expect(sent).toHaveLength(2)
})

it.each([401, 408, 429, 500, 503])('after %s it waits, and what is behind it as well', async (code) => {
  // Unauthorized is asked twice, with a new token if there is one.
  answers = [code]
  const outbox = open()
  connect(false)
  await outbox.add(change('a'))
  await outbox.add(change('b'))
  connect(true)
  await vi.waitFor(async () => expect((await states())[0]?.[2]).not.toBe(''))
  await outbox.drain()
  expect(names()).toEqual(['a', 'b'])
})

it('a session that is over loses nothing', async () => {
  refusesToken = true
  const outbox = open()
  await outbox.add(change('a'))
  await outbox.drain()
  expect(await states()).toEqual([['a', 'waiting', 'Please log in.']])
})

it('what was refused is sent once more, or is discarded', async () => {
  answers = [403, 403]
  const outbox = open()
  for (const each of ['a', 'b']) await outbox.add(change(each))
  await outbox.drain()
  const live = outbox.rows('ann')
  const stop = live.subscribe(() => {})
  await vi.waitFor(() => expect(live.getSnapshot()?.map(({ state }) => state)).toEqual(['failed', 'failed']))
  const [first, second] = live.getSnapshot() ?? []
  await outbox.discard([second?.id ?? ''])
  await outbox.retry(first?.id ?? '')
  await vi.waitFor(() => expect(live.getSnapshot()).toEqual([]))
  expect(names()).toEqual(['a'])
  stop()
})

it('what is discarded while it is sent stays away', async () => {
  hold = []
  answers = [500]
  const outbox = open()
  const one = change('a')
  await outbox.add(one)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  await outbox.discard([one.id])
  for (const release of hold) release()
  await outbox.drain()
  expect(await rows()).toEqual([])
})

it('goes with a deleted account, and no other', async () => {
  connect(false)
  const outbox = open()
  await outbox.add(change('a'))
  await outbox.add(change('b', 'bob'))
  await outbox.forget('ann')
  expect((await states()).map(([each]) => each)).toEqual(['b'])
})

it('tries again by itself: after 30 s at first, and 16 minutes at the longest', async () => {
  expect([1, 2, 3, 4, 5, 6, 7, 99].map((attempts) => waitMs(attempts) / 1000)).toEqual([30, 60, 120, 240, 480, 960, 960, 960])
  const timers = vi.spyOn(globalThis, 'setTimeout')
  answers = ['offline', 503]
  const outbox = open()
  await outbox.add(change('a'))
  await vi.waitFor(async () => expect((await rows())[0]?.attempts).toBe(1))
  await outbox.drain()
  const again = timers.mock.calls.filter(([work]) => work === outbox.drain).map(([, ms]) => ms)
  timers.mockRestore()
  expect(again).toEqual([30_000, 60_000])
})

it('what the site has recorded stands in the list at once', async () => {
  const history = createMakeHistory({ api: { call: api.call }, store, outbox: open(), signedIn: () => person.now?.uid })
  const old = { id: 'old', file_name: 'old', file_size: 1, created: '2026-02-01T12:00:00.000Z' }
  await store.change((tables) => tables.makeHistories.put([{ uid: 'ann', rows: [old] }]))
  await history.record('ann', { file_name: `${'x'.repeat(300)}.wav`, file_size: 44, speed: 1.25, pitch: -1 })
  const list = () => readOnce(store, async (tables) => (await tables.makeHistories.get('ann'))?.rows ?? [])
  await vi.waitFor(async () => expect((await list()).map(({ file_size }) => file_size)).toEqual([44, 1]))
  const [first] = [...recorded.values()]
  expect(first).toMatchObject({ file_name: 'x'.repeat(255), speed: 1.25, pitch: -1, change_id: (await list())[0]?.id })
  expect(Math.abs(Date.now() - Date.parse(first?.exported_at ?? ''))).toBeLessThan(60_000)
})
