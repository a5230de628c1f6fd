import type { InitialData } from '../../contract/initial-data.ts'
import type { Api } from '../platform/api.ts'
import { ApiCallError, UNREACHABLE_AFTER_MS } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { areRowsEqual } from './catalogue-rows.ts'
import type { LocalDatabase, Observer, Tables } from './local-database.ts'

export type ResourceStatus = 'loading' | 'ready' | 'error'

export interface ResourceState<T> {
  /** The rows to show; `undefined` as long as there are none. */
  data: T | undefined
  status: ResourceStatus
  /** The error of the last refresh, absent after a refresh that succeeded. */
  error: ApiCallError | undefined
  /** Whether `data` is shown although the last refresh failed. */
  stale: boolean
}

/** Rows of the local database under one key, with the request to the server that refreshes them. */
export interface Resource<T> {
  readonly key: string
  getSnapshot(): ResourceState<T>
  /** Returns the state that the server rendered, with which React hydrates: the embedded rows if the HTML has them. */
  getServerSnapshot(): ResourceState<T>
  subscribe(listener: () => void): () => void
  /** Resolves once the first rows are known, from the HTML or the database. Never waits for the network. */
  waitUntilOpened(): Promise<void>
  /**
   * Requests the rows from the server and writes those that differ. Concurrent calls share one request. Skipped for `ROWS_FRESH_MS` after a refresh
   * that succeeded, unless `force` is set. Never rejects: the state has the error.
   */
  refresh(options?: { force?: boolean }): Promise<void>
}

/**
 * Rows that were fetched from the server, in the form in which the database returns them later, and the function that writes these rows.
 */
export interface FetchedRows<T> {
  rows: T
  /** Absent if the rows were read from the database. */
  write?(tables: Tables): Promise<void>
}

interface CommonResourceOptions<T> {
  key: string
  database: LocalDatabase
  request(): Promise<FetchedRows<T>>
  /**
   * The rows in the page's HTML, shown as long as the database has no rows or its rows are hidden, unless the server answers that they are gone. If `answer` is given, the first refresh writes its rows instead
   * of sending a request.
   */
  initial?: { rows: T; answer?: FetchedRows<T> | undefined } | undefined
  /**
   * Hides rows of the database until a refresh has ended: the first one of this document (`once`), for lists that others may take away, or each one that
   * begins while nothing subscribes (`always`), for lists that differ on each visit.
   */
  networkFirst?: 'once' | 'always'
  /**
   * Derives a substitute for missing rows from other rows of the database. The substitute is shown if the resource has no rows and the request fails.
   */
  readSubstitute?(tables: Tables): Promise<T | undefined>
}

/** The rows come from `read`, or from `watch`, which reports them immediately and after each change. `watch` returns the function that stops it. */
type ResourceOptions<T> = CommonResourceOptions<T> &
  ({ read(tables: Tables): Promise<T | undefined> } | { watch(observer: Observer<T | undefined>): () => void })

const FETCH_ERROR_MESSAGE = 'An error occurred while fetching data.'
const ROWS_FRESH_MS = 10_000
const READ_AFTER_WRITE_TIMEOUT_MS = 5_000

/**
 * Creates a resource. It starts reading at the first subscription or the first call of `waitUntilOpened`. After `close`, it never reads
 * again.
 */
export function createResource<T>(options: ResourceOptions<T>): Resource<T> & { close(): void; readonly isWatched: boolean } {
  const { initial, database } = options
  const stateChanges = createEmitter()
  const rowsRead = createEmitter()
  let storedRows: T | undefined
  /**
   * The fetched rows that are being written. They are shown while the database has no rows, so that a slow disk does not delay the page.
   */
  let responseRows: T | undefined
  let initialAnswer = initial?.answer
  let initialRows = initial?.rows
  let isRefreshed = false
  /** The time until which the rows count as fresh, by `performance.now()`, which does not follow changes of the device's clock. */
  let freshUntilMs = 0
  let error: ApiCallError | undefined
  let substituteRows: T | undefined
  let runningRefresh: Promise<void> | undefined
  /** Whether the running refresh has taken longer than `UNREACHABLE_AFTER_MS`. */
  let isRefreshOverdue = false
  let state: ResourceState<T> = { data: initial?.rows, status: initial ? 'ready' : 'loading', error: undefined, stale: false }
  const serverRenderedState = initial && state
  let stopWatching: (() => void) | undefined
  let settleOpened = () => {}
  const openedPromise = new Promise<void>((resolve) => {
    settleOpened = resolve
  })
  if (initial) settleOpened()

  function publishState() {
    const isHidden = options.networkFirst && !isRefreshed
    const shownData = (isHidden ? undefined : storedRows) ?? responseRows ?? initialRows ?? substituteRows
    // 'Not found' is shown while it is asked again: a page that is missing is no page that loads.
    const isFailed = error && (!runningRefresh || isRefreshOverdue || error.code === 404)
    const status: ResourceStatus = shownData !== undefined ? 'ready' : isFailed ? 'error' : 'loading'
    const nextState: ResourceState<T> = { data: shownData, status, error, stale: shownData !== undefined && error !== undefined }
    if (nextState.data === state.data && nextState.status === state.status && nextState.error === state.error) return
    state = nextState
    stateChanges.emit()
  }

  function publishOpened() {
    settleOpened()
    publishState()
  }

  const observer: Observer<T | undefined> = {
    next(storedValue) {
      // Equal rows stay the same object, so that nothing is rendered again.
      const shownRows = responseRows ?? initialRows
      storedRows = shownRows !== undefined && areRowsEqual(storedValue, shownRows) ? shownRows : storedValue
      publishOpened()
      if (storedValue !== undefined) rowsRead.emit()
    },
    error() {
      // The next refresh starts reading again, because a watch that could not load its code reports nothing more.
      close()
      publishState()
    },
  }

  function startReading() {
    stopWatching ??= 'watch' in options ? options.watch(observer) : database.watch(options.read, observer)
  }

  function close() {
    stopWatching?.()
    stopWatching = undefined
    settleOpened()
  }

  async function runRefresh() {
    const overdueTimer = setTimeout(async () => {
      const timeoutFailure = new ApiCallError('network', 0, FETCH_ERROR_MESSAGE)
      const foundSubstitute = state.data === undefined ? await readSubstitute() : undefined
      if (!runningRefresh || state.data !== undefined) return
      isRefreshOverdue = true
      error = timeoutFailure
      substituteRows = foundSubstitute
      publishState()
    }, UNREACHABLE_AFTER_MS)
    try {
      const fetchedRows = initialAnswer ?? (await options.request())
      initialAnswer = undefined
      responseRows = initial && areRowsEqual(fetchedRows.rows, initial.rows) ? initial.rows : fetchedRows.rows
      publishOpened()
      if (fetchedRows.write) await database.change(fetchedRows.write)
      error = undefined
      substituteRows = undefined
      freshUntilMs = performance.now() + ROWS_FRESH_MS
      // Waits until the database subscription has read and published the written rows. If the write changed no row, a timeout ends the
      // wait.
      if (storedRows === undefined) await waitForNextRows()
      if (storedRows === undefined) throw new TypeError('no rows')
    } catch (failure) {
      error = failure instanceof ApiCallError ? failure : new ApiCallError('network', 0, FETCH_ERROR_MESSAGE, { cause: failure })
      // The server no longer has what it embedded in the page.
      if (error.code === 404) initialRows = undefined
      substituteRows = error.kind === 'network' && storedRows === undefined ? await readSubstitute() : undefined
    } finally {
      clearTimeout(overdueTimer)
      isRefreshOverdue = false
      isRefreshed = true
      runningRefresh = undefined
      responseRows = undefined
      publishState()
    }
  }

  const readSubstitute = async () => options.readSubstitute && database.read(options.readSubstitute).catch(() => undefined)

  /** Waits until the database subscription reports rows, for `READ_AFTER_WRITE_TIMEOUT_MS` at most. */
  function waitForNextRows(): Promise<void> {
    return new Promise((resolve) => {
      const finishWaiting = () => {
        clearTimeout(timer)
        unsubscribe()
        resolve()
      }
      const timer = setTimeout(finishWaiting, READ_AFTER_WRITE_TIMEOUT_MS)
      const unsubscribe = rowsRead.subscribe(finishWaiting)
    })
  }

  return {
    key: options.key,
    get isWatched() {
      return stateChanges.listenerCount > 0
    },
    getSnapshot: () => state,
    getServerSnapshot: () => serverRenderedState ?? state,
    subscribe(listener) {
      startReading()
      return stateChanges.subscribe(listener)
    },
    waitUntilOpened() {
      startReading()
      return openedPromise
    },
    refresh({ force = false } = {}) {
      startReading()
      if (runningRefresh) return runningRefresh
      if (!force && !error && performance.now() < freshUntilMs) return Promise.resolve()
      if (options.networkFirst === 'always' && stateChanges.listenerCount === 0) isRefreshed = false
      runningRefresh = runRefresh()
      publishState()
      return runningRefresh
    },
    close,
  }
}

type ClosableResource = Resource<unknown> & { close(): void; readonly isWatched: boolean }

// The number of unwatched resources that stay open, so that going back shows rows immediately and memory stays bounded.
const UNWATCHED_RESOURCES_MAX = 16

export interface ResourcePool {
  /** Returns the resource of `key`, created on first use, and closes resources that are least recently used and not watched. */
  get<T extends ClosableResource>(key: string, createNew: () => T): T
  /** The resources that have subscribers, by key. */
  watchedResources(): [string, Resource<unknown>][]
}

export interface RepositoryDeps {
  api: Api
  database: LocalDatabase
  connection: Pick<Connection, 'offline' | 'subscribe'>
  /** The rows that the server embedded in the page's HTML. */
  initialData?: InitialData
  /**
   * Whether `initialData` is as new as a response of the server. If so, complete rows of `initialData` are stored, and no request is sent.
   */
  isInitialCurrent?: boolean
}

interface ResourcePoolOptions {
  /** Called with the key of a resource each time the pool returns the resource. */
  onUse?: (key: string) => void
  /** Whenever this connection is restored, the watched resources are refreshed. */
  connection?: RepositoryDeps['connection']
}

/** Creates a pool of resources, which closes those that have not been used for long. */
export function createResourcePool({ onUse = () => {}, connection }: ResourcePoolOptions = {}): ResourcePool {
  const resourcePool = new Map<string, ClosableResource>()
  const listWatchedResources = () => [...resourcePool].filter(([, entry]) => entry.isWatched)
  connection?.subscribe(() => {
    if (!connection.offline) for (const [, resource] of listWatchedResources()) void resource.refresh({ force: true })
  })
  return {
    get<T extends ClosableResource>(resourceKey: string, createNew: () => T): T {
      // The cast is safe: for each key, one method of the repository creates all resources, so a pooled resource has the expected type.
      const pooledResource = resourcePool.get(resourceKey) as T | undefined
      const resource = pooledResource ?? createNew()
      onUse(resourceKey)
      resourcePool.delete(resourceKey)
      resourcePool.set(resourceKey, resource)
      const unwatchedEntries = [...resourcePool].filter(([, entry]) => !entry.isWatched && entry !== resource)
      for (const [oldKey, entry] of unwatchedEntries.slice(0, Math.max(0, unwatchedEntries.length - UNWATCHED_RESOURCES_MAX))) {
        entry.close()
        resourcePool.delete(oldKey)
      }
      return resource
    },
    watchedResources: listWatchedResources,
  }
}
