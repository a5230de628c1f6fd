import { randomUUID } from 'node:crypto'
import type { Log } from '../log.ts'
import type { RadioStore } from './store.ts'

/** A client counts as a listener for this time after a request. */
const LISTENER_WINDOW_MS = 15_000
/** The interval at which the processes that share a database exchange their listeners, while somebody listens. */
const EXCHANGE_INTERVAL_MS = 5000
/** The largest number of ids that a process stores: with more listeners, those of several processes are estimated to within 5 %. */
const STORED_LISTENER_IDS_MAX = 512
/** The largest number of listeners that a process counts at a station. */
const LISTENERS_MAX = 100_000
/** Ids are hashes of 48 bits. */
const LISTENER_ID_RANGE = 2 ** 48

interface StationKey {
  brandId: string
  station: string
}

interface StationListeners {
  /** The times of the clients' last requests by id, oldest first. */
  readonly lastSeenMsById: Map<number, number>
  /** The number of listeners that other processes have counted but this process has not. */
  otherProcessListenerCount: number
  exchangedMs: number
}

interface RadioListenersDeps {
  exchange: RadioStore['exchangeListeners']
  nowMs: () => number
  log: Log
}

/** Counts the clients that have requested a station's programme in the last 15 s, in all processes that share the database. */
export function createRadioListeners({ exchange, nowMs, log }: RadioListenersDeps) {
  const processId = randomUUID()
  const listenersByStation = new Map<string, StationListeners>()

  function findOrAddStation({ brandId, station }: StationKey): StationListeners {
    const stationKey = `${brandId}/${station}`
    const knownListeners = listenersByStation.get(stationKey)
    if (knownListeners !== undefined) return knownListeners
    const listeners: StationListeners = { lastSeenMsById: new Map(), otherProcessListenerCount: 0, exchangedMs: Number.NEGATIVE_INFINITY }
    listenersByStation.set(stationKey, listeners)
    return listeners
  }

  function removeGoneListeners({ lastSeenMsById }: StationListeners, atMs: number): void {
    for (const [id, lastMs] of lastSeenMsById) {
      if (lastMs > atMs - LISTENER_WINDOW_MS && lastMs <= atMs) return
      lastSeenMsById.delete(id)
    }
  }

  async function exchangeListeners(key: StationKey, listeners: StationListeners, atMs: number): Promise<void> {
    const ids = keepSmallestIds([...listeners.lastSeenMsById.keys()])
    const samples = await exchange({ processId, ...key, ids }, { atMs, sinceMs: atMs - LISTENER_WINDOW_MS })
    listeners.otherProcessListenerCount =
      samples.length === 0 ? 0 : Math.max(0, estimateDistinctCount([ids, ...samples]) - listeners.lastSeenMsById.size)
  }

  return {
    /** Records a request of a listening client. */
    add(key: StationKey, clientId: string): void {
      const stationListeners = findOrAddStation(key)
      const id = Buffer.from(clientId.slice(0, 8), 'base64url').readUIntBE(0, 6)
      stationListeners.lastSeenMsById.delete(id)
      if (stationListeners.lastSeenMsById.size < LISTENERS_MAX) stationListeners.lastSeenMsById.set(id, nowMs())
    },
    /** Returns the number of listeners of each station that this process has counted, by the name of the brand and the station. */
    counts: () =>
      [...listenersByStation].map(([stationKey, listeners]) => {
        removeGoneListeners(listeners, nowMs())
        return { station: stationKey, count: listeners.lastSeenMsById.size }
      }),
    /** Returns the number of listeners. The listeners that other processes have counted are read in the background. */
    count(key: StationKey): number {
      const stationListeners = findOrAddStation(key)
      const atMs = nowMs()
      removeGoneListeners(stationListeners, atMs)
      if (Math.abs(atMs - stationListeners.exchangedMs) >= EXCHANGE_INTERVAL_MS) {
        stationListeners.exchangedMs = atMs
        exchangeListeners(key, stationListeners, atMs).catch((err: unknown) => {
          stationListeners.otherProcessListenerCount = 0
          log.warn({ err }, 'the listeners of other processes could not be read')
        })
      }
      return stationListeners.lastSeenMsById.size + stationListeners.otherProcessListenerCount
    },
  }
}
export type RadioListeners = ReturnType<typeof createRadioListeners>

const keepSmallestIds = (ids: Iterable<number>): number[] => [...Float64Array.from(ids).sort().subarray(0, STORED_LISTENER_IDS_MAX)]

/**
 * Returns the number of distinct ids in all samples. A sample contains at most the `STORED_LISTENER_IDS_MAX` smallest ids of a
 * process. If the samples together
 * contain at least as many distinct ids, the number is estimated from the density of the smallest of them (Z. Bar-Yossef et al.,
 * "Counting Distinct Elements in a Data Stream", 2002).
 */
function estimateDistinctCount(idSamples: readonly (readonly number[])[]): number {
  const smallest = keepSmallestIds(new Set(idSamples.flat()))
  if (smallest.length < STORED_LISTENER_IDS_MAX) return smallest.length
  return Math.round(((STORED_LISTENER_IDS_MAX - 1) / ((smallest.at(-1) ?? 0) + 1)) * LISTENER_ID_RANGE)
}
