import { LRUCache } from 'lru-cache'
import { ApiError } from '../../contract/errors.ts'
import { createFairQueue } from '../http/fair-queue.ts'
import { createEntryLimit } from '../lru-limit.ts'

/**
 * The part of the time in which pages are made for one client while more of its pages wait. Meanwhile, answers to listeners take longer, because pages
 * share the main thread and the processor with them. `npm run bench -- crawler` measures it.
 */
const CLIENT_TIME_SHARE = 0.06
/**
 * The time in which pages are made for a client without a pause, if it requested none for a while. It suffices for some dozens of pages, so that
 * visitors and search engines, which request one to ten pages a second, do not wait.
 */
const BURST_MS = 200
/**
 * The longest time that is counted for a page. Most take less on an idle machine. On a slow or busy one, pauses in proportion to the whole
 * time would make visitors behind
 * one address wait: a client gets ten pages a second, or as many as can be made one after the other.
 */
const COUNTED_PAGE_MAX_MS = 6
/** The maximum number of clients whose credit is stored. A client that is forgotten counts as one that requested no page for a while. */
const CLIENTS_MAX = 1000
/** The longest time for which the next page waits for the page that is being made. A page that takes longer waits for the database, or never ends. */
const PAGE_TURN_MAX_MS = 1000
/** The maximum number of waiting pages. If one client requested all of them, the last one waits for 15 to 20 seconds. */
const WAITING_PAGES_MAX = 200
const RETRY_AFTER_SECONDS = 5

/** The client that requests a page, and the response to it. */
export interface PageRequester {
  /** Identifies the client. Clients take turns. */
  client: string
  /** Emits `close` when the client has the response, or has left. */
  response: { once(event: 'close', listener: () => void): unknown }
}

/** A page that waits or is being made, for all requests for it. */
interface PendingPage<T> {
  pageKey: string
  /** The client in whose turn the page is made. */
  lane: string
  /** The revision of the storage from which the page is made; undefined while it waits. */
  revision?: number
  requesterCount: number
  create: () => Promise<T>
  promise: Promise<T>
  resolve: (result: Promise<T>) => void
  reject: (reason: ApiError) => void
}

/** The time in which pages may be made for a client without a pause; negative while its pages are paused. */
interface PageTimeCredit {
  creditMs: number
  /** When the credit was computed. */
  computedAtMs: number
}

/**
 * Creates the gate for pages that are not in memory, so that a crawler does not slow down the answers to listeners. One page is made at a time. Clients take
 * turns, and a client that requests many pages has pauses between them.
 * @param readRevision returns the revision of the storage, which pages depend on
 */
export function createPageGate<T>(readRevision: () => number) {
  /** The pages that wait or are being made; of those with the same key, the latest. */
  const pageByKey = new Map<string, PendingPage<T>>()
  const waitingPages = createFairQueue<PendingPage<T>>(WAITING_PAGES_MAX)
  const creditByClient = new LRUCache<string, PageTimeCredit>(createEntryLimit(CLIENTS_MAX))
  let isMakingPage = false
  let pauseTimer: NodeJS.Timeout | undefined
  let isClosing = false

  function forgetPage(page: PendingPage<T>): void {
    if (pageByKey.get(page.pageKey) === page) pageByKey.delete(page.pageKey)
  }

  function readCreditMs(clientId: string): number {
    const credit = creditByClient.get(clientId)
    return credit === undefined
      ? BURST_MS
      : Math.min(BURST_MS, credit.creditMs + (performance.now() - credit.computedAtMs) * CLIENT_TIME_SHARE)
  }

  /** Returns the time until the next page may be made for a client. */
  const computePauseMs = (client: string): number => (isClosing ? 0 : Math.max(0, -readCreditMs(client) / CLIENT_TIME_SHARE))

  function makePage(nextPage: PendingPage<T>): void {
    const startedMs = performance.now()
    nextPage.revision = readRevision()
    isMakingPage = true
    let hasTurn = true
    function endPageTurn(): void {
      if (!hasTurn) return
      hasTurn = false
      isMakingPage = false
      const atMs = performance.now()
      creditByClient.set(nextPage.lane, {
        creditMs: readCreditMs(nextPage.lane) - Math.min(COUNTED_PAGE_MAX_MS, atMs - startedMs),
        computedAtMs: atMs,
      })
      startNext()
    }
    const turnTimer = setTimeout(endPageTurn, PAGE_TURN_MAX_MS)
    const pagePromise = nextPage.create().finally(() => {
      clearTimeout(turnTimer)
      forgetPage(nextPage)
      endPageTurn()
    })
    nextPage.resolve(pagePromise)
  }

  function startNext(): void {
    if (isMakingPage || waitingPages.size() === 0) return
    clearTimeout(pauseTimer)
    const duePage = waitingPages.take((client) => computePauseMs(client) === 0)
    if (duePage !== undefined) makePage(duePage)
    else pauseTimer = setTimeout(startNext, Math.min(...waitingPages.lanes().map(computePauseMs)))
  }

  function addPendingPage(pageKey: string, clientId: string, createPage: () => Promise<T>): PendingPage<T> {
    let [resolvePage, rejectPage]: [PendingPage<T>['resolve'], PendingPage<T>['reject']] = [() => {}, () => {}]
    const pagePromise = new Promise<T>((...settlers) => {
      ;[resolvePage, rejectPage] = settlers
    })
    const newPage = {
      pageKey,
      lane: clientId,
      requesterCount: 0,
      create: createPage,
      promise: pagePromise,
      resolve: resolvePage,
      reject: rejectPage,
    }
    pageByKey.set(pageKey, newPage)
    const refusedPage = waitingPages.add(newPage)
    if (refusedPage !== undefined) {
      forgetPage(refusedPage)
      refusedPage.reject(new ApiError('unavailable', 'Too many pages are requested. Please try again in a moment.', RETRY_AFTER_SECONDS))
    }
    return newPage
  }

  return {
    waitingCount: () => waitingPages.size(),
    /**
     * Makes a page when its turn comes. Requests with the same key share it, unless the storage has changed since it
     * was begun. If all clients that wait for it leave,
     * it is not made, and the promise stays pending.
     * @throws ApiError 503 from the returned promise if too many pages wait
     */
    pass(pageKey: string, { client, response }: PageRequester, createPage: () => Promise<T>): Promise<T> {
      const earlierPage = pageByKey.get(pageKey)
      const isPageCurrent = earlierPage?.revision === undefined || earlierPage.revision === readRevision()
      const sharedPage = (isPageCurrent ? earlierPage : undefined) ?? addPendingPage(pageKey, client, createPage)
      waitingPages.advance(sharedPage, client)
      sharedPage.requesterCount++
      response.once('close', () => {
        if (--sharedPage.requesterCount === 0 && waitingPages.remove(sharedPage)) forgetPage(sharedPage)
      })
      startNext()
      return sharedPage.promise
    },
    /** Whether the server stops, so that pages have to be made as fast as possible. */
    isClosing: () => isClosing,
    /** Ends the pauses of clients with many pages, so that the pages that wait when the server stops are made at once. */
    close(): void {
      isClosing = true
      startNext()
    },
  }
}
export type PageGate<T> = ReturnType<typeof createPageGate<T>>
