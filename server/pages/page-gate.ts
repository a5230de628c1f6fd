import { ApiError } from '../../contract/errors.ts'
import { createFairQueue } from '../http/fair-queue.ts'

/**
 * The part of the time in which pages are made while more of them wait. Meanwhile, answers to listeners take longer, because pages share the main thread and
 * the processor with them. `npm run bench -- crawler` measures it.
 */
const TIME_SHARE = 0.15
/**
 * The time in which pages are made without a rest, if none was made for a while. It suffices for some dozens of pages, so that visitors and search
 * engines, which request one to ten pages a second, do not wait.
 */
const BURST_MS = 200
/**
 * The longest time that is counted for a page. Most take less on an idle machine. On a slow or busy one, rests in proportion would make visitors wait: it makes 25
 * pages a second, or as many as it can one after the other.
 */
const COUNTED_MAX_MS = 6
/** The time after which the next page does not wait any longer for one that is being made, which then waits for the database or never ends. */
const TURN_MAX_MS = 1000
/** The maximum number of waiting pages. The last of them waits six to eight seconds on an idle machine. */
const WAITING_MAX = 200
const RETRY_AFTER_SECONDS = 5

/** Who requests a page. */
export interface PageRequester {
  /** Identifies the client. Clients take turns. */
  client: string
  /** Emits `close` when the client has the response, or has left. */
  response: { once(event: 'close', listener: () => void): unknown }
}

/** A page that waits or is being made, for all requests for it. */
interface Place<T> {
  key: string
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

/**
 * Creates the gate for pages that are not in memory, so that a crawler does not slow down the answers to listeners. One page is made at a time, with rests
 * between pages while many are requested. Clients take turns.
 * @param readRevision returns the revision of the storage, which pages depend on
 */
export function createPageGate<T>(readRevision: () => number) {
  /** The pages that wait or are being made; of those with the same key, the latest. */
  const places = new Map<string, Place<T>>()
  const waitingPlaces = createFairQueue<Place<T>>(WAITING_MAX)
  /** The time in which pages may be made without a rest; negative while the gate has to rest. */
  let creditMs = BURST_MS
  let creditedAtMs = performance.now()
  let isMaking = false
  let restTimer: NodeJS.Timeout | undefined
  let isClosing = false

  function forgetPlace(place: Place<T>): void {
    if (places.get(place.key) === place) places.delete(place.key)
  }

  function makePage(place: Place<T>): void {
    const startedMs = performance.now()
    place.revision = readRevision()
    isMaking = true
    let hasTurn = true
    function endTurn(): void {
      if (!hasTurn) return
      hasTurn = false
      isMaking = false
      creditMs -= Math.min(COUNTED_MAX_MS, performance.now() - startedMs)
      startNext()
    }
    const turnTimer = setTimeout(endTurn, TURN_MAX_MS)
    const page = place.create().finally(() => {
      clearTimeout(turnTimer)
      forgetPlace(place)
      endTurn()
    })
    place.resolve(page)
  }

  function startNext(): void {
    if (isMaking || restTimer !== undefined || waitingPlaces.size() === 0) return
    const nowMs = performance.now()
    creditMs = Math.min(BURST_MS, creditMs + (nowMs - creditedAtMs) * TIME_SHARE)
    creditedAtMs = nowMs
    if (creditMs < 0 && !isClosing) {
      restTimer = setTimeout(endRest, -creditMs / TIME_SHARE)
      return
    }
    const place = waitingPlaces.take()
    if (place !== undefined) makePage(place)
  }

  function endRest(): void {
    clearTimeout(restTimer)
    restTimer = undefined
    startNext()
  }

  function addPlace(key: string, client: string, create: () => Promise<T>): Place<T> {
    let [resolve, reject]: [Place<T>['resolve'], Place<T>['reject']] = [() => {}, () => {}]
    const promise = new Promise<T>((...settlers) => {
      ;[resolve, reject] = settlers
    })
    const place = { key, lane: client, requesterCount: 0, create, promise, resolve, reject }
    places.set(key, place)
    const refusedPlace = waitingPlaces.add(place)
    if (refusedPlace !== undefined) {
      forgetPlace(refusedPlace)
      refusedPlace.reject(new ApiError('unavailable', 'Too many pages are requested. Please try again in a moment.', RETRY_AFTER_SECONDS))
    }
    return place
  }

  return {
    waitingCount: () => waitingPlaces.size(),
    /**
     * Makes a page when its turn comes. Requests with the same key share it, unless the storage has changed since it was begun. If all that wait for it leave,
     * it is not made, and the promise stays pending.
     * @throws ApiError 503 from the returned promise if too many pages wait
     */
    pass(key: string, { client, response }: PageRequester, create: () => Promise<T>): Promise<T> {
      const earlierPlace = places.get(key)
      const isCurrent = earlierPlace?.revision === undefined || earlierPlace.revision === readRevision()
      const place = (isCurrent ? earlierPlace : undefined) ?? addPlace(key, client, create)
      waitingPlaces.advance(place, client)
      place.requesterCount++
      response.once('close', () => {
        if (--place.requesterCount === 0 && waitingPlaces.remove(place)) forgetPlace(place)
      })
      startNext()
      return place.promise
    },
    /** Whether the server stops, so that pages have to be made as fast as possible. */
    isClosing: () => isClosing,
    /** Ends the rests, so that the pages that wait when the server stops are made at once. */
    close(): void {
      isClosing = true
      endRest()
    },
  }
}
export type PageGate<T> = ReturnType<typeof createPageGate<T>>
