import { Dexie } from 'dexie'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ExportedFileRecord } from '../../contract/conversion.ts'
import { createApi } from '../platform/api.ts'
import { IdentityFailure, type SignedInAccount } from '../platform/identity-types.ts'
import { createUniqueId } from '../primitives/unique-id.ts'
import { addToHistory, createExportHistory } from './export-history.ts'
import type { DeviceDatabase } from './local-database.ts'
import { computeRetryDelayMs, createOutbox, type Outbox } from './outbox.ts'
import { openDeviceDatabase } from './testing/databases.ts'

type FakeResponse = number | 'offline' | 'lost' | 'never'

let databaseCount = 0
let databaseName = ''
let database: DeviceDatabase
let outboxes: Outbox[]
/** The conversions that the fake server has recorded, by account and change id. */
let recordedFiles: Map<string, ExportedFileRecord>
let sentFileNames: string[]
/** The responses that the fake server sends next. If there are none, it responds with 200. */
let fakeResponses: FakeResponse[]
let tokenUid: string | undefined
let refusesToken = false
let heldRequests: (() => void)[] | undefined

const person = { now: undefined as SignedInAccount | undefined, listeners: new Set<() => void>() }
const connection = { offline: false, listeners: new Set<() => void>() }
const subscribeTo = (listeners: Set<() => void>) => (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
const notifyListeners = (listeners: Set<() => void>) => {
  for (const listener of [...listeners]) listener()
}
function signIn(uid: string | undefined) {
  tokenUid = uid
  person.now = uid === undefined ? undefined : { uid, email: `${uid}@example.com`, emailVerified: true }
  notifyListeners(person.listeners)
}
function setConnected(isConnected: boolean) {
  connection.offline = !isConnected
  notifyListeners(connection.listeners)
}

beforeEach(async () => {
  databaseCount += 1
  databaseName = `outbox-test-${databaseCount}`
  database = await openDeviceDatabase(databaseName)
  ;[outboxes, recordedFiles, sentFileNames, fakeResponses, tokenUid, refusesToken, heldRequests] = [
    [],
    new Map(),
    [],
    [],
    undefined,
    false,
    undefined,
  ]
  signIn('ann')
  setConnected(true)
})
afterEach(async () => {
  vi.useRealTimers()
  for (const outbox of outboxes) outbox.close()
  for (const release of heldRequests ?? []) release()
  await Dexie.delete(databaseName)
})

const identity = {
  getSnapshot: () => person.now,
  subscribe: subscribeTo(person.listeners),
  loginSignal: () => new AbortController().signal,
  async token() {
    if (refusesToken) throw new IdentityFailure('user-token-expired')
    return tokenUid === undefined ? undefined : `x.${btoa(JSON.stringify({ sub: tokenUid }))}.y`
  },
}

const api = createApi({
  baseUrl: '/api',
  async fetch(_url, init) {
    const token = new Headers(init?.headers).get('authorization')?.split('.')[1]
    const { sub: tokenSubject } = JSON.parse(atob(token ?? ''))
    const body: ExportedFileRecord = JSON.parse(String(init?.body))
    sentFileNames.push(`${tokenSubject} ${body.file_name}`)
    if (heldRequests) await new Promise<void>((resolve) => heldRequests?.push(resolve))
    const response = fakeResponses.shift() ?? 200
    if (response === 'offline') throw new TypeError('Failed to fetch')
    const recordKey = `${tokenSubject} ${body.change_id}`
    if (response === 200 || response === 'lost') recordedFiles.set(recordKey, recordedFiles.get(recordKey) ?? body)
    if (response === 'lost') throw new TypeError('Failed to fetch')
    if (response === 'never') await new Promise(() => {})
    const { file_name, file_size } = body
    const data = response === 200 ? { id: body.change_id, file_name, file_size, created: body.exported_at } : null
    return new Response(JSON.stringify({ code: response, message: `Answer ${response}.`, data }))
  },
})

function openOutbox(ownDatabase = database) {
  const outbox = createOutbox({
    database: ownDatabase,
    api,
    identity,
    syncs: [],
    connection: {
      get offline() {
        return connection.offline
      },
      subscribe: subscribeTo(connection.listeners),
    },
    async onApplied(tables, { uid }, row) {
      if (row) await addToHistory(tables, uid, row)
    },
  })
  outboxes.push(outbox)
  return outbox
}

const createMakeHistoryChange = (file_name: string, uid = 'ann'): Parameters<Outbox['add']>[0] => {
  const id = createUniqueId()
  const body = { file_name, file_size: 1, speed: 1, pitch: 0, change_id: id, exported_at: '2026-03-01T12:00:00.000Z' }
  return { id, uid, call: 'POST /make/history', body }
}
const readRows = () => database.read((tables) => tables.outbox.all())
const readStatuses = async () =>
  (await readRows())
    .sort((a, b) => a.createdAtMs - b.createdAtMs)
    .map(({ body, state, lastError }) => ['file_name' in body && body.file_name, state, lastError])
const readRecordedNames = () => [...recordedFiles.values()].map(({ file_name }) => file_name)

it('outbox: rows are sent once, in the order in which they were added', async () => {
  const outbox = openOutbox()
  for (const each of ['1', '2', '3']) await outbox.add(createMakeHistoryChange(each))
  await outbox.drain()
  expect(sentFileNames).toEqual(['ann 1', 'ann 2', 'ann 3'])
  expect(await readRows()).toEqual([])
})

it('outbox: rows added offline survive a reload and are sent after reconnecting', async () => {
  setConnected(false)
  const outboxBefore = openOutbox()
  for (let index = 0; index < 50; index += 1) await outboxBefore.add(createMakeHistoryChange(String(index)))
  await outboxBefore.drain()
  outboxBefore.close()
  expect([await readRows()].flat()).toHaveLength(50)
  const outboxAfter = openOutbox(await openDeviceDatabase(databaseName))
  await outboxAfter.drain()
  expect(sentFileNames).toEqual([])
  setConnected(true)
  await vi.waitFor(async () => expect(await readRows()).toEqual([]))
  expect(recordedFiles.size).toBe(50)
  expect(sentFileNames).toHaveLength(50)
})

it.each(['online', 'focus'] as const)('outbox: the window event %s triggers sending', async (event) => {
  fakeResponses = ['offline']
  await openOutbox().add(createMakeHistoryChange('a'))
  await vi.waitFor(async () => expect(await readRows()).toMatchObject([{ attempts: 1, state: 'waiting', lastError: '' }]))
  dispatchEvent(new Event(event))
  await vi.waitFor(async () => expect(await readRows()).toEqual([]))
})

it('outbox: a row whose response was lost is sent again, and the server records it only once', async () => {
  fakeResponses = ['lost']
  const outbox = openOutbox()
  await outbox.add(createMakeHistoryChange('a'))
  await vi.waitFor(async () => expect(await readRows()).toMatchObject([{ attempts: 1, state: 'waiting', lastError: '' }]))
  expect(readRecordedNames()).toEqual(['a'])
  await outbox.drain()
  expect([sentFileNames, readRecordedNames(), await readRows()]).toEqual([['ann a', 'ann a'], ['a'], []])
})

it('outbox: only one tab sends at a time', async () => {
  heldRequests = []
  const [firstOutbox, otherOutbox] = [openOutbox(), openOutbox(await openDeviceDatabase(databaseName))]
  await firstOutbox.add(createMakeHistoryChange('a'))
  await vi.waitFor(() => expect(sentFileNames).toHaveLength(1))
  const drainPromise = otherOutbox.drain()
  await otherOutbox.add(createMakeHistoryChange('b'))
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(sentFileNames).toEqual(['ann a'])
  const releaseRequests = heldRequests
  heldRequests = undefined
  for (const release of releaseRequests) release()
  await drainPromise
  await vi.waitFor(async () => expect(await readRows()).toEqual([]))
  expect(sentFileNames).toEqual(['ann a', 'ann b'])
})

it('outbox: a row is sent only with a token of the account that created it, even if another account signs in in another tab', async () => {
  setConnected(false)
  const outbox = openOutbox()
  await outbox.add(createMakeHistoryChange('of ann'))
  signIn('bob')
  await outbox.add(createMakeHistoryChange('of bob', 'bob'))
  setConnected(true)
  await vi.waitFor(() => expect(sentFileNames).toEqual(['bob of bob']))
  await outbox.drain()
  expect(await readStatuses()).toEqual([['of ann', 'waiting', '']])
  signIn('ann')
  await vi.waitFor(() => expect(sentFileNames).toEqual(['bob of bob', 'ann of ann']))
  await outbox.drain()
  tokenUid = 'bob'
  await outbox.add(createMakeHistoryChange('again of ann'))
  await outbox.drain()
  tokenUid = undefined
  await outbox.drain()
  expect(sentFileNames).toHaveLength(2)
  expect((await readStatuses()).map(([each]) => each)).toEqual(['again of ann'])
})

it.each([400, 403, 404, 409, 413])(
  'outbox: a row refused with %s stays with its error and does not block later rows',
  async (statusCode) => {
    fakeResponses = [statusCode]
    const outbox = openOutbox()
    await outbox.add(createMakeHistoryChange('a'))
    await outbox.add(createMakeHistoryChange('b'))
    await outbox.drain()
    expect([await readStatuses(), readRecordedNames()]).toEqual([[['a', 'failed', `Answer ${statusCode}.`]], ['b']])
    await outbox.drain()
    expect(sentFileNames).toHaveLength(2)
  },
)

it.each([401, 408, 429, 500, 503])('outbox: after %s a row and the rows after it wait', async (statusCode) => {
  // A request that was answered with 401 is repeated once with a new token.
  fakeResponses = [statusCode]
  const outbox = openOutbox()
  setConnected(false)
  await outbox.add(createMakeHistoryChange('a'))
  await outbox.add(createMakeHistoryChange('b'))
  setConnected(true)
  await vi.waitFor(async () => expect((await readStatuses())[0]?.[2]).not.toBe(''))
  await outbox.drain()
  expect(readRecordedNames()).toEqual(['a', 'b'])
})

it("outbox: rows wait if the account's login has ended", async () => {
  refusesToken = true
  const outbox = openOutbox()
  await outbox.add(createMakeHistoryChange('a'))
  await outbox.drain()
  expect(await readStatuses()).toEqual([['a', 'waiting', 'Please log in.']])
})

it('outbox: a row that the server refused can be sent again or discarded', async () => {
  fakeResponses = [403, 403]
  const outbox = openOutbox()
  for (const each of ['a', 'b']) await outbox.add(createMakeHistoryChange(each))
  await outbox.drain()
  const liveRows = outbox.rows('ann')
  const stopWatching = liveRows.subscribe(() => {})
  await vi.waitFor(() => expect(liveRows.getSnapshot()?.map(({ state }) => state)).toEqual(['failed', 'failed']))
  const [firstRow, secondRow] = liveRows.getSnapshot() ?? []
  await outbox.discard([secondRow?.id ?? ''])
  await outbox.retry([firstRow?.id ?? ''])
  await vi.waitFor(() => expect(liveRows.getSnapshot()).toEqual([]))
  expect(readRecordedNames()).toEqual(['a'])
  stopWatching()
})

it('outbox: a row that is discarded while its request runs is not stored again', async () => {
  heldRequests = []
  fakeResponses = [500]
  const outbox = openOutbox()
  const repeatedChange = createMakeHistoryChange('a')
  await outbox.add(repeatedChange)
  await vi.waitFor(() => expect(sentFileNames).toHaveLength(1))
  await outbox.discard([repeatedChange.id])
  for (const release of heldRequests) release()
  await outbox.drain()
  expect(await readRows()).toEqual([])
})

it('outbox: forget removes only the rows of the given account', async () => {
  setConnected(false)
  const outbox = openOutbox()
  await outbox.add(createMakeHistoryChange('a'))
  await outbox.add(createMakeHistoryChange('b', 'bob'))
  await outbox.forget('ann')
  expect((await readStatuses()).map(([each]) => each)).toEqual(['b'])
})

it('outbox: failed requests are retried after 30 s, and the delay doubles up to 16 minutes', async () => {
  expect([1, 2, 3, 4, 5, 6, 7, 99].map((attempts) => computeRetryDelayMs(attempts) / 1000)).toEqual([30, 60, 120, 240, 480, 960, 960, 960])
  const setTimeoutSpy = vi.spyOn(globalThis, 'setTimeout')
  fakeResponses = ['offline', 503]
  const outbox = openOutbox()
  await outbox.add(createMakeHistoryChange('a'))
  await vi.waitFor(async () => expect((await readRows())[0]?.attempts).toBe(1))
  await outbox.drain()
  const retryDelaysMs = setTimeoutSpy.mock.calls.map(([, ms]) => ms).filter((ms) => ms === 30_000 || ms === 60_000)
  setTimeoutSpy.mockRestore()
  expect(retryDelaysMs).toEqual([30_000, 60_000])
})

it('outbox: a conversion that the server recorded is added to the stored history immediately', async () => {
  const exportHistory = createExportHistory({
    api: { call: api.call },
    database,
    outbox: openOutbox(),
    getSignedInUid: () => person.now?.uid,
  })
  const oldFile = { id: 'old', file_name: 'old', file_size: 1, created: '2026-02-01T12:00:00.000Z' }
  await database.change((tables) => tables.makeHistories.put([{ uid: 'ann', rows: [oldFile] }]))
  await exportHistory.record('ann', { file_name: `${'x'.repeat(300)}.wav`, file_size: 44, speed: 1.25, pitch: -1 })
  const readMakeHistory = () => database.read(async (tables) => (await tables.makeHistories.get('ann'))?.rows ?? [])
  await vi.waitFor(async () => expect((await readMakeHistory()).map(({ file_size }) => file_size)).toEqual([44, 1]))
  const [firstFile] = [...recordedFiles.values()]
  expect(firstFile).toMatchObject({ file_name: 'x'.repeat(255), speed: 1.25, pitch: -1, change_id: (await readMakeHistory())[0]?.id })
  expect(Math.abs(Date.now() - Date.parse(firstFile?.exported_at ?? ''))).toBeLessThan(60_000)
})

it('outbox: outcomeOf reports whether a row was sent, waits or was refused, and removes a row that the server refused', async () => {
  fakeResponses = [200, 'lost', 400, 429]
  const outbox = openOutbox()
  const sendFile = async (fileName: string) => {
    const change = createMakeHistoryChange(fileName)
    await outbox.add(change)
    return outbox.outcomeOf(change.id)
  }
  expect(await sendFile('a')).toEqual({ state: 'sent' })
  expect(await sendFile('b')).toEqual({ state: 'waiting' })
  expect((await readStatuses()).map(([name]) => name)).toEqual(['b'])
  await outbox.discard((await readRows()).map(({ id }) => id))
  expect(await sendFile('c')).toEqual({ state: 'refused', message: 'Answer 400.' })
  expect(await sendFile('d')).toEqual({ state: 'refused', message: 'Answer 429.' })
  expect(await readRows()).toEqual([])
})

it('outbox: onSent reports a sent row in every tab, and never a discarded row', async () => {
  setConnected(false)
  const [firstOutbox, otherOutbox] = [openOutbox(), openOutbox(await openDeviceDatabase(databaseName))]
  const reportedRowIds: string[][] = [[], []]
  for (const [tab, outbox] of [firstOutbox, otherOutbox].entries()) outbox.onSent((id) => reportedRowIds[tab]?.push(id))
  const [sentChange, discardedChange] = [createMakeHistoryChange('a'), createMakeHistoryChange('b')]
  for (const change of [sentChange, discardedChange]) await firstOutbox.add(change)
  await firstOutbox.discard([discardedChange.id])
  setConnected(true)
  await vi.waitFor(() => expect(reportedRowIds).toEqual([[sentChange.id], [sentChange.id]]))
  expect(await readRows()).toEqual([])
})
