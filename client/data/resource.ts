import { ApiFailure, PATIENCE_MS } from '../platform/api.ts'
import { sameRow } from './catalogue-rows.ts'
import { readOnce } from './memory-store.ts'
import type { CatalogueStore, Tables } from './store.ts'

export type ResourceStatus = 'loading' | 'ready' | 'error'

export interface ResourceState<T> {
  /** The rows as they stand; `undefined` as long as there are none. */
  data: T | undefined
  status: ResourceStatus
  /** What the last refresh failed with; absent after one that worked. */
  error: ApiFailure | undefined
  /** `data` is shown although the last refresh failed. */
  stale: boolean
}

/** Rows of the store under one key, and the refresh that keeps them current. */
export interface Resource<T> {
  readonly key: string
  getSnapshot(): ResourceState<T>
  /** What the HTML shows, where the rows came in it: the program takes that over before it shows what it knows by then. */
  getFirst?(): ResourceState<T>
  subscribe(listener: () => void): () => void
  /** Resolves when the store was read once; never waits for the network. */
  opened(): Promise<void>
  /**
   * Asks the server and stores what differs. Shared while one is under way; skipped for `FRESH_MS` after one that
   * worked unless `force`. Never rejects: a failure stands in the state.
   */
  refresh(options?: { force?: boolean }): Promise<void>
}

/** What the server answered: the rows it makes up, as `read` will give them, and how they get into the store. */
export interface Answer<T> {
  rows: T
  write(tables: Tables): Promise<void>
}

export interface ResourceOptions<T> {
  key: string
  store: CatalogueStore
  read(tables: Tables): Promise<T | undefined>
  ask(): Promise<Answer<T>>
  /** Rows of an earlier visit are held back until the first refresh has ended: for lists that are new on each visit. */
  networkFirst?: boolean
  /** What this device can show all the same, where it has no rows and no answer comes. */
  readSpare?(tables: Tables): Promise<T | undefined>
}

const FAILED = 'An error occurred while fetching data.'
const FRESH_MS = 10_000
const WRITTEN_TIMEOUT_MS = 5_000

/** Starts reading at the first subscription or `opened()`; `close` ends it for good. */
export function createResource<T>(options: ResourceOptions<T>): Resource<T> & { close(): void; readonly watched: boolean } {
  const listeners = new Set<() => void>()
  const waiting = new Set<() => void>()
  let rows: T | undefined
  /** An answer that is still being written: shown where the store has no rows yet, as a slow disk keeps nobody waiting. */
  let answered: T | undefined
  let refreshed = false
  /** By the page's own clock: that of the device may be set while the page is open. */
  let freshUntilMs = 0
  let error: ApiFailure | undefined
  /** Shown until there are rows or an answer. */
  let spare: T | undefined
  let running: Promise<void> | undefined
  /** The refresh that runs has been running for long. */
  let overdue = false
  let state: ResourceState<T> = { data: undefined, status: 'loading', error: undefined, stale: false }
  let stop: (() => void) | undefined
  let settleOpened = () => {}
  const openedPromise = new Promise<void>((resolve) => {
    settleOpened = resolve
  })

  function publish() {
    const data = options.networkFirst && !refreshed ? answered : (rows ?? answered ?? spare)
    const status: ResourceStatus = data !== undefined ? 'ready' : error && (!running || overdue) ? 'error' : 'loading'
    const next: ResourceState<T> = { data, status, error, stale: data !== undefined && error !== undefined }
    if (next.data === state.data && next.status === state.status && next.error === state.error) return
    state = next
    for (const listener of [...listeners]) listener()
  }

  function start() {
    stop ??= options.store.watch(options.read, {
      next(value) {
        // What is equal stays the same object, so that no row is rendered anew.
        rows = answered !== undefined && sameRow(value, answered) ? answered : value
        settleOpened()
        publish()
        if (value !== undefined) for (const done of [...waiting]) done()
      },
      error() {
        settleOpened()
        publish()
      },
    })
  }

  async function runRefresh() {
    const patience = setTimeout(async () => {
      const failure = new ApiFailure('network', 0, FAILED)
      const found = rows === undefined ? await readSpare() : undefined
      if (!running || rows !== undefined) return
      overdue = true
      error = failure
      spare = found
      publish()
    }, PATIENCE_MS)
    try {
      const answer = await options.ask()
      answered = answer.rows
      settleOpened()
      publish()
      await options.store.change(answer.write)
      error = undefined
      spare = undefined
      freshUntilMs = performance.now() + FRESH_MS
      // What was written is published by the watch, but a refresh that changed nothing must end the wait as well.
      if (rows === undefined) await nextRead()
      if (rows === undefined) throw new TypeError('The answer held no rows.')
    } catch (failure) {
      error = failure instanceof ApiFailure ? failure : new ApiFailure('network', 0, FAILED, { cause: failure })
      spare = error.kind === 'network' && rows === undefined ? await readSpare() : undefined
    } finally {
      clearTimeout(patience)
      overdue = false
      refreshed = true
      running = undefined
      answered = undefined
      publish()
    }
  }

  const readSpare = async () => options.readSpare && readOnce(options.store, options.readSpare).catch(() => undefined)

  /** Until the watch has told of rows that a refresh has just written; not for ever, should there be none. */
  function nextRead(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        waiting.delete(done)
        resolve()
      }
      const timer = setTimeout(done, WRITTEN_TIMEOUT_MS)
      waiting.add(done)
    })
  }

  return {
    key: options.key,
    get watched() {
      return listeners.size > 0
    },
    getSnapshot: () => state,
    subscribe(listener) {
      start()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened() {
      start()
      return openedPromise
    },
    refresh({ force = false } = {}) {
      start()
      if (running) return running
      if (!force && !error && performance.now() < freshUntilMs) return Promise.resolve()
      if (listeners.size === 0) refreshed = false
      running = runRefresh()
      publish()
      return running
    },
    close() {
      stop?.()
      stop = undefined
      settleOpened()
    },
  }
}

type Closable = Resource<unknown> & { close(): void; readonly watched: boolean }

// Enough that going back a few pages shows rows at once, without keeping every page that was ever open.
const KEEP_UNWATCHED = 16

export interface ResourcePool {
  /** One resource per key; closes those that nobody has looked at for longest. */
  get<T extends Closable>(key: string, create: () => T): T
  /** What someone looks at, by key. */
  watched(): [string, Resource<unknown>][]
}

/** `onUse` hears of every key that is asked for. */
export function createResourcePool(onUse: (key: string) => void = () => {}): ResourcePool {
  const pool = new Map<string, Closable>()
  return {
    get<T extends Closable>(key: string, create: () => T): T {
      // One key is always created by one method of the repository, so what is found is what `create` gives.
      const found = pool.get(key) as T | undefined
      const resource = found ?? create()
      onUse(key)
      pool.delete(key)
      pool.set(key, resource)
      const unwatched = [...pool].filter(([, entry]) => !entry.watched && entry !== resource)
      for (const [oldKey, entry] of unwatched.slice(0, Math.max(0, unwatched.length - KEEP_UNWATCHED))) {
        entry.close()
        pool.delete(oldKey)
      }
      return resource
    },
    watched: () => [...pool].filter(([, entry]) => entry.watched),
  }
}
