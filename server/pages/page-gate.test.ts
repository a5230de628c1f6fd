import { EventEmitter } from 'node:events'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApiError } from '../../contract/errors.ts'
import { createPageGate } from './page-gate.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Creates a gate, and a function that requests a page of it that takes `pageCreationMs` to make. */
function createTestGate(pageCreationMs: number) {
  let storageRevision = 1
  const pageGate = createPageGate<string>(() => storageRevision)
  const madePages: string[] = []
  let [makingCount, makingCountMax] = [0, 0]
  async function makePage(pageName: string): Promise<string> {
    makingCountMax = Math.max(makingCountMax, ++makingCount)
    madePages.push(pageName)
    await new Promise((resolve) => setTimeout(resolve, pageCreationMs))
    makingCount--
    return pageName
  }
  return {
    gate: pageGate,
    changeStorage: () => {
      storageRevision++
    },
    /** The pages that were made or are being made, in their order. */
    madePages,
    makingMax: () => makingCountMax,
    request: (page: string, { client = 'crawler', response = new EventEmitter(), create = makePage } = {}) =>
      pageGate.pass(page, { client, response }, () => create(page)),
  }
}

const createPageNames = (count: number) => Array.from({ length: count }, (_, index) => `page ${index}`)

it('page gate: the pages of a client are made one after the other, some dozens without a pause, and then in 6 % of the time', async () => {
  const { madePages, makingMax, request } = createTestGate(4)
  const pagePromises = Promise.all(createPageNames(200).map((page) => request(page)))
  await vi.advanceTimersByTimeAsync(100)
  expect(madePages).toHaveLength(26)
  await vi.advanceTimersByTimeAsync(900)
  const madeCountInFirstSecond = madePages.length
  await vi.advanceTimersByTimeAsync(1000)
  // 60 ms are the time of 15 pages. A pause is longer than computed by up to a millisecond, because timers count whole milliseconds.
  expect(madePages.length - madeCountInFirstSecond).toBeGreaterThan(13)
  expect(madePages.length - madeCountInFirstSecond).toBeLessThanOrEqual(15)
  await vi.advanceTimersByTimeAsync(12_000)
  expect(await pagePromises).toEqual(createPageNames(200))
  expect(madePages).toEqual(createPageNames(200))
  expect(makingMax()).toBe(1)
})

it('page gate: at the pace of a search engine, ten pages a second, no page waits', async () => {
  const { madePages, request } = createTestGate(15)
  for (const pageName of createPageNames(100)) {
    void request(pageName)
    expect(madePages.at(-1)).toBe(pageName)
    await vi.advanceTimersByTimeAsync(100)
  }
})

it('page gate: a visitor waits for one page of a crawler at most, and for the one that is being made', async () => {
  const { madePages, request } = createTestGate(5)
  for (const page of createPageNames(100)) void request(page)
  await vi.advanceTimersByTimeAsync(1000)
  const madeCount = madePages.length
  void request('visited page', { client: 'visitor' })
  await vi.advanceTimersByTimeAsync(200)
  expect(madePages.indexOf('visited page') - madeCount).toBeLessThanOrEqual(1)
})

it('page gate: visitors who request a few pages each get them without pauses between their pages', async () => {
  const { madePages, request } = createTestGate(5)
  for (const page of createPageNames(100)) void request(page)
  await vi.advanceTimersByTimeAsync(1000)
  for (let visitor = 0; visitor < 50; visitor++) {
    for (const page of createPageNames(3)) void request(`${page} of ${visitor}`, { client: `visitor ${visitor}` })
  }
  await vi.advanceTimersByTimeAsync(900)
  expect(madePages.filter((page) => page.includes(' of '))).toHaveLength(150)
})

it('page gate: requests for the same page share it; it is made in the turn of the client that has to wait less', async () => {
  const { madePages, request } = createTestGate(5)
  const pagePromises = [...createPageNames(100), 'page 99'].map((page) => request(page))
  pagePromises.push(request('page 99', { client: 'visitor' }), request('page 0', { client: 'visitor' }))
  await vi.advanceTimersByTimeAsync(8000)
  expect(await Promise.all(pagePromises)).toEqual([...createPageNames(100), 'page 99', 'page 99', 'page 0'])
  expect(madePages.slice(0, 3)).toEqual(['page 0', 'page 1', 'page 99'])
  expect(madePages).toHaveLength(100)
})

it('page gate: a waiting page is also the answer to requests after a change of the storage; a page that is being made is not', async () => {
  const { gate, madePages, request, changeStorage } = createTestGate(5)
  const pagePromises = ['page 0', 'page 1'].map((page) => request(page))
  for (let change = 0; change < 3; change++) {
    changeStorage()
    pagePromises.push(request('page 0'), request('page 1'))
  }
  expect(gate.waitingCount()).toBe(2)
  await vi.advanceTimersByTimeAsync(100)
  await Promise.all(pagePromises)
  expect(madePages).toEqual(['page 0', 'page 1', 'page 0'])
})

it('page gate: a machine that takes twice the time for a page still makes ten pages a second for a client', async () => {
  const { madePages, request } = createTestGate(10)
  for (const page of createPageNames(200)) void request(page)
  await vi.advanceTimersByTimeAsync(4000)
  const madeBefore = madePages.length
  await vi.advanceTimersByTimeAsync(1000)
  expect(madePages.length - madeBefore).toBeGreaterThanOrEqual(9)
})

it('page gate: a page whose creation does not end delays the next one by a second', async () => {
  const { madePages, request } = createTestGate(5)
  void request('endless page', { create: () => new Promise(() => {}) })
  void request('next page')
  await vi.advanceTimersByTimeAsync(999)
  expect(madePages).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(madePages).toEqual(['next page'])
})

it('page gate: a page that cannot be made fails alone, and can be requested again', async () => {
  const { request } = createTestGate(5)
  const failedPage = request('page', { create: () => Promise.reject(new Error('broken component')) })
  const nextPage = request('next page')
  await expect(failedPage).rejects.toThrow('broken component')
  const again = request('page')
  await vi.advanceTimersByTimeAsync(100)
  expect(await Promise.all([nextPage, again])).toEqual(['next page', 'page'])
})

it('page gate: a page is not made if all clients that wait for it have left', async () => {
  const { gate, madePages, request } = createTestGate(5)
  const [leavingResponse, stayingResponse] = [new EventEmitter().setMaxListeners(0), new EventEmitter()]
  void request('first page', { response: leavingResponse })
  void request('shared page', { response: leavingResponse })
  const sharedPage = request('shared page', { response: stayingResponse })
  for (const page of createPageNames(100)) void request(page, { response: leavingResponse })
  expect(gate.waitingCount()).toBe(101)
  leavingResponse.emit('close')
  expect(gate.waitingCount()).toBe(1)
  const repeatedPage = request('page 0')
  await vi.advanceTimersByTimeAsync(200)
  expect(await Promise.all([sharedPage, repeatedPage])).toEqual(['shared page', 'page 0'])
  expect(madePages).toEqual(['first page', 'shared page', 'page 0'])
})

it('page gate: if too many pages wait, the client with the most waiting pages gets 503 for its last ones, and a visitor gets a page', async () => {
  const { gate, request } = createTestGate(5)
  const refusalErrors: ApiError[] = []
  for (const page of createPageNames(300)) request(page).catch((error: ApiError) => refusalErrors.push(error))
  const visitedPage = request('visited page', { client: 'visitor' })
  await vi.advanceTimersByTimeAsync(100)
  expect(await visitedPage).toBe('visited page')
  // Of the 301 requested pages, one was being made and 200 waited.
  expect(refusalErrors).toHaveLength(100)
  expect(refusalErrors[0]).toMatchObject({ code: 503, retryAfterSeconds: 5 })
  await vi.advanceTimersByTimeAsync(20_000)
  expect(gate.waitingCount()).toBe(0)
  expect(refusalErrors).toHaveLength(100)
})

it('page gate: when the server stops, the waiting pages are made without pauses', async () => {
  const { gate, madePages, request } = createTestGate(5)
  const pagePromises = Promise.all(createPageNames(200).map((page) => request(page)))
  await vi.advanceTimersByTimeAsync(500)
  const madeCountBefore = madePages.length
  gate.close()
  // One page may already be in the making when the gate is closed, so that the time of one more page is allowed.
  await vi.advanceTimersByTimeAsync(5 * (201 - madeCountBefore))
  expect(madePages).toHaveLength(200)
  await pagePromises
})
