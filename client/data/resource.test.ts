import { expect, it, vi } from 'vitest'
import { ApiCallError, UNREACHABLE_AFTER_MS } from '../platform/api.ts'
import type { LocalDatabase, Observer } from './local-database.ts'
import { createMemoryDatabase } from './memory-database.ts'
import { createResource } from './resource.ts'

/** A database whose writes wait until `releaseWrites` is called. */
function createSlowDatabase() {
  const database = createMemoryDatabase()
  let releaseWrites = () => {}
  const releasePromise = new Promise<void>((resolve) => {
    releaseWrites = resolve
  })
  const slowDatabase: LocalDatabase = { ...database, change: async (work) => releasePromise.then(() => database.change(work)) }
  return { database: slowDatabase, release: releaseWrites }
}

const createListRow = (title: string) => ({ key: 'a', ids: [title], complete: true })

it('resource: a response is shown before a slow disk has stored it, and then replaced by the stored rows', async () => {
  const { database, release } = createSlowDatabase()
  const resource = createResource<string[]>({
    key: 'a',
    database,
    read: async (tables) => (await tables.lists.get('a'))?.ids,
    request: async () => ({ rows: ['answered'], write: (tables) => tables.lists.put([createListRow('written')]) }),
  })
  const refreshPromise = resource.refresh()
  await expect.poll(() => resource.getSnapshot()).toMatchObject({ data: ['answered'], status: 'ready' })
  await resource.waitUntilOpened()
  release()
  await refreshPromise
  expect(resource.getSnapshot()).toMatchObject({ data: ['written'], status: 'ready', error: undefined })
})

it('resource: if a request takes too long, substitute rows from the database and an error are shown; a late response replaces both', async () => {
  vi.useFakeTimers()
  try {
    let respondWithRows = (_rows: string[]) => {}
    const resource = createResource<string[]>({
      key: 'a',
      database: createMemoryDatabase(),
      read: async (tables) => (await tables.lists.get('a'))?.ids,
      readSubstitute: async () => ['substitute'],
      request: async () => {
        const shownRows = await new Promise<string[]>((resolve) => {
          respondWithRows = resolve
        })
        return { rows: shownRows, write: (tables) => tables.lists.put([createListRow('written')]) }
      },
    })
    const refreshPromise = resource.refresh()
    await vi.advanceTimersByTimeAsync(UNREACHABLE_AFTER_MS - 1)
    expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'loading' })
    await vi.advanceTimersByTimeAsync(1)
    expect(resource.getSnapshot()).toMatchObject({ data: ['substitute'], status: 'ready', error: { kind: 'network' } })
    respondWithRows(['answered'])
    await vi.advanceTimersByTimeAsync(1)
    await refreshPromise
    expect(resource.getSnapshot()).toMatchObject({ data: ['written'], status: 'ready', error: undefined })
  } finally {
    vi.useRealTimers()
  }
})

it('resource: rows that could not be read are read again by the next refresh', async () => {
  const watch = vi.fn((observer: Observer<string[] | undefined>) => {
    if (watch.mock.calls.length === 1) queueMicrotask(() => observer.error(new TypeError('Failed to fetch')))
    else observer.next(['read'])
    return () => {}
  })
  const request = vi.fn(async () => ({ rows: ['read'] }))
  request.mockRejectedValueOnce(new TypeError('Failed to fetch'))
  const resource = createResource<string[]>({ key: 'a', database: createMemoryDatabase(), watch, request })
  await resource.refresh()
  expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'error' })
  await resource.refresh({ force: true })
  expect(resource.getSnapshot()).toMatchObject({ data: ['read'], status: 'ready', error: undefined })
})

it('resource: initial rows are shown immediately, and are stored in place of the first request', async () => {
  const request = vi.fn(async () => ({ rows: ['requested'], write: async () => {} }))
  const initialRows = ['initial']
  const resource = createResource<string[]>({
    key: 'a',
    database: createMemoryDatabase(),
    initial: { rows: initialRows, answer: { rows: initialRows, write: (tables) => tables.lists.put([createListRow('initial')]) } },
    read: async (tables) => (await tables.lists.get('a'))?.ids,
    request,
  })
  expect(resource.getSnapshot()).toMatchObject({ data: initialRows, status: 'ready' })
  const onRender = vi.fn()
  resource.subscribe(onRender)
  await resource.waitUntilOpened()
  await resource.refresh()
  expect(resource.getSnapshot().data, 'equal rows stay the same object').toBe(initialRows)
  expect(onRender).not.toHaveBeenCalled()
  expect(request).not.toHaveBeenCalled()
  await resource.refresh({ force: true })
  expect(request).toHaveBeenCalledOnce()
})

it('resource: the snapshot for server rendering stays the initial state after newer rows are loaded', async () => {
  const resource = createResource<string[]>({
    key: 'a',
    database: createMemoryDatabase(),
    initial: { rows: ['initial'] },
    read: async (tables) => (await tables.lists.get('a'))?.ids,
    request: async () => ({ rows: ['newer'], write: (tables) => tables.lists.put([createListRow('newer')]) }),
  })
  await resource.refresh()
  expect(resource.getSnapshot().data).toEqual(['newer'])
  expect(resource.getServerSnapshot().data).toEqual(['initial'])
})

it('resource: rows of the HTML are no longer shown once the server answers that they are gone', async () => {
  const resource = createResource<string[]>({
    key: 'a',
    database: createMemoryDatabase(),
    initial: { rows: ['embedded'] },
    networkFirst: 'once',
    read: async (tables) => (await tables.lists.get('a'))?.ids,
    request: () => Promise.reject(new ApiCallError('api', 404, 'There is no such playlist.')),
  })
  await resource.waitUntilOpened()
  expect(resource.getSnapshot()).toMatchObject({ data: ['embedded'], status: 'ready' })
  await resource.refresh()
  expect(resource.getSnapshot()).toMatchObject({ data: undefined, status: 'error', error: { code: 404 } })
})

it('resource: rows of an earlier document are hidden until the server confirms them, and stay shown while they are requested again', async () => {
  vi.useFakeTimers()
  try {
    const database = createMemoryDatabase()
    await database.change((tables) => tables.lists.put([createListRow('earlier')]))
    let respond = () => {}
    const openList = () =>
      createResource<string[]>({
        key: 'a',
        database,
        networkFirst: 'once',
        read: async (tables) => (await tables.lists.get('a'))?.ids,
        request: async () => {
          await new Promise<void>((resolve) => {
            respond = resolve
          })
          return { rows: ['confirmed'], write: (tables) => tables.lists.put([createListRow('confirmed')]) }
        },
      })
    const hanging = openList()
    void hanging.refresh()
    await vi.advanceTimersByTimeAsync(UNREACHABLE_AFTER_MS - 1)
    expect(hanging.getSnapshot()).toMatchObject({ data: undefined, status: 'loading' })
    await vi.advanceTimersByTimeAsync(1)
    expect(hanging.getSnapshot()).toMatchObject({ data: undefined, status: 'error', error: { kind: 'network' } })
    respond()
    await vi.advanceTimersByTimeAsync(10_001)
    const stopWatching = hanging.subscribe(() => {})
    expect(hanging.getSnapshot()).toMatchObject({ data: ['confirmed'], status: 'ready' })
    stopWatching()
    void hanging.refresh()
    expect(hanging.getSnapshot()).toMatchObject({ data: ['confirmed'], status: 'ready' })
  } finally {
    vi.useRealTimers()
  }
})
