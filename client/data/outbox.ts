import type { EndpointData } from '../../contract/endpoints.ts'
import { type Api, ApiCallError, withAuth } from '../platform/api.ts'
import type { Connection } from '../platform/connection.ts'
import type { Identity } from '../platform/identity.ts'
import { createEmitter } from '../primitives/emitter.ts'
import { createCleanupScope, type ListenerTarget, type Scope } from '../primitives/scope.ts'
import type { ChangeSync } from './change-sync.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import {
  ANONYMOUS_UID,
  type EndpointOutboxRow,
  type LocalDatabase,
  type OutboxEndpointKey,
  type OutboxRow,
  type Tables,
} from './local-database.ts'
import { readChangeTimeMs } from './logical-clock.ts'
import { isSyncOutboxRow, type SyncEndpointKey, type SyncOutboxRow } from './waiting-changes.ts'

/** The endpoints whose calls send one change each. Other changes are sent in batches by a `ChangeSync`. */
export type SingleChangeEndpointKey = Exclude<OutboxEndpointKey, SyncEndpointKey>
type SingleChangeRow = Exclude<OutboxRow, SyncOutboxRow>
type NewOutboxRow<C extends OutboxEndpointKey> = Pick<EndpointOutboxRow<C>, 'id' | 'uid' | 'call' | 'body'>

/** `waiting`: the change is still in the outbox, for example because the server did not answer. */
export type ChangeOutcome = { state: 'sent' | 'waiting' } | { state: 'refused'; message: string }

/** The members of `window` that the outbox uses: the events that trigger sending, and the Web Locks API. */
export interface OutboxWindow extends ListenerTarget {
  /** Web Locks are absent outside secure contexts, although the DOM types declare the property as present. */
  readonly navigator: {
    readonly locks?: { request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<unknown> }
  }
  /** Notifies the other tabs of sent rows. */
  readonly BroadcastChannel?: typeof BroadcastChannel
}

interface OutboxDeps {
  database: LocalDatabase
  api: Api
  identity: Pick<Identity, 'getSnapshot' | 'subscribe' | 'token' | 'loginSignal'>
  connection: Pick<Connection, 'offline' | 'subscribe'>
  /** The syncs that send changes in batches, in the order in which they run. */
  syncs: readonly ChangeSync[]
  /** Stores the server's response to a change, in the transaction that removes the change from the outbox. */
  onApplied(tables: Tables, row: SingleChangeRow, data: EndpointData<'POST /make/history'> | null): Promise<void>
  page?: OutboxWindow
}

/** Name of the Web Lock under which one tab at a time sends. The browser releases the lock of a closed tab. */
const SEND_LOCK_NAME = 'outbox'
/** Name of the BroadcastChannel whose messages are the ids of sent rows. */
const SENT_CHANNEL_NAME = 'outbox-sent'
/** Delays before a failed row is sent again, doubled after each attempt. */
const FIRST_RETRY_DELAY_MS = 30_000
const MAX_RETRY_DELAY_MS = 16 * 60_000
/** HTTP statuses that are not caused by the change itself (authentication, timeout, rate limit), so that the change is sent again. */
const TRANSIENT_STATUSES = [401, 408, 429]
const BAD_INPUT_STATUSES = [400, 413, 422]
/**
 * The minimum delay between a failed call and the next attempt, even if the connection returns earlier. The delay doubles with each further failure.
 */
const FIRST_RECONNECT_DELAY_MS = 1_000
const MAX_RECONNECT_DELAY_MS = 60_000

/** Whether the server refused the change itself, so that sending again is useless. */
const isRefusalError = (error: unknown): boolean =>
  error instanceof ApiCallError && error.code >= 400 && error.code < 500 && !TRANSIENT_STATUSES.includes(error.code)

/** Whether the server refused the request body as invalid or too large. */
const isBadInputError = (error: unknown): boolean => error instanceof ApiCallError && BAD_INPUT_STATUSES.includes(error.code)

/** Returns the delay before the next attempt after `attempts` failed attempts. */
export const computeRetryDelayMs = (attempts: number): number => Math.min(MAX_RETRY_DELAY_MS, FIRST_RETRY_DELAY_MS * 2 ** (attempts - 1))

/**
 * Opens the broadcast channel for the ids of sent rows. Returns `undefined` in a browser without broadcast channels, and in Firefox if it
 * blocks cookies.
 */
function openSentChannel(page: OutboxWindow): BroadcastChannel | undefined {
  try {
    return page.BroadcastChannel && new page.BroadcastChannel(SENT_CHANNEL_NAME)
  } catch {
    return undefined
  }
}

/** Reports the ids of sent rows, including rows that other tabs have sent. */
function createSentIdsChannel(page: OutboxWindow, scope: Scope) {
  const sentRowIds = createEmitter<string>()
  const sentChannel = openSentChannel(page)
  if (sentChannel) {
    sentChannel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string') sentRowIds.emit(data)
    }
    scope.add(() => sentChannel.close())
  }
  return {
    subscribe: sentRowIds.subscribe,
    report(rowId: string) {
      if (!scope.signal.aborted) sentChannel?.postMessage(rowId)
      sentRowIds.emit(rowId)
    },
  }
}

function createOutboxRows(database: LocalDatabase) {
  const liveRowsByUid = new Map<string, LiveQuery<OutboxRow[]>>()

  /** Returns the rows of an account and of anonymous people, oldest first. Rows that were stored together are sorted by the times of their changes. */
  const readAccountRows = async (tables: Tables, uid: string | undefined) =>
    (await tables.outbox.all())
      .filter((row) => row.uid === uid || row.uid === ANONYMOUS_UID)
      .sort((a, b) => a.createdAtMs - b.createdAtMs || readChangeTimeMs(a) - readChangeTimeMs(b))

  return {
    /** Returns the rows that wait to be sent, oldest first. */
    waiting: async (uid: string | undefined) =>
      (await database.read((tables) => readAccountRows(tables, uid))).filter((row) => row.state === 'waiting'),

    watch(uid: string): LiveQuery<OutboxRow[]> {
      const liveQuery = liveRowsByUid.get(uid) ?? createLiveQuery(database, (tables) => readAccountRows(tables, uid))
      liveRowsByUid.set(uid, liveQuery)
      return liveQuery
    },

    /** Updates a row, unless the row was discarded in the meantime. */
    update: (rowId: string, rowChange: Partial<Pick<OutboxRow, 'attempts' | 'lastError' | 'state'>>) =>
      database.change(async (tables) => {
        const row = await tables.outbox.get(rowId)
        if (row) await tables.outbox.put([{ ...row, ...rowChange }])
      }),

    /** Lets rows wait to be sent again, in one transaction, except those that were discarded in the meantime. */
    repeat: (ids: readonly string[]) =>
      database.change(async (tables) => {
        const rows = (await tables.outbox.getMany(ids)).filter((row) => row !== undefined)
        await tables.outbox.put(rows.map((row) => ({ ...row, state: 'waiting' as const, lastError: '' })))
      }),

    /** Returns the outcome of a row after an attempt to send it, and removes the row unless it still waits. */
    async takeOutcome(rowId: string): Promise<ChangeOutcome> {
      let outcome: ChangeOutcome = { state: 'sent' }
      await database.change(async (tables) => {
        const outboxRow = await tables.outbox.get(rowId)
        if (outboxRow === undefined) return
        if (outboxRow.state === 'waiting' && outboxRow.lastError === '') outcome = { state: 'waiting' }
        else {
          outcome = { state: 'refused', message: outboxRow.lastError }
          await tables.outbox.remove([rowId])
        }
      })
      return outcome
    },

    discard: (ids: readonly string[]) => database.change((tables) => tables.outbox.remove(ids)),

    forget: (uid: string) =>
      database.change(async (tables) => {
        const rows = (await tables.outbox.all()).filter((row) => row.uid === uid)
        await tables.outbox.remove(rows.map(({ id }) => id))
      }),
  }
}

/** Runs `runWork` in one tab at a time, and once more after a run during which it was requested again. */
function createSingleTabTask(runWork: () => Promise<void>, page: OutboxWindow, scope: Scope) {
  let runningTask: Promise<void> | undefined
  let isRunRequestedAgain = false

  async function runUnderLock() {
    let hasTaskStarted = false
    const startRun = () => {
      hasTaskStarted = true
      return runWork()
    }
    try {
      await page.navigator.locks?.request(SEND_LOCK_NAME, { signal: scope.signal }, startRun)
    } catch (error) {
      // Firefox refuses Web Locks if it blocks cookies.
      if (hasTaskStarted) throw error
    }
    // Without locks two tabs may send the same row; the server applies a change only once.
    if (!hasTaskStarted && !scope.signal.aborted) await runWork()
  }

  function run(): Promise<void> {
    if (runningTask) {
      isRunRequestedAgain = true
      return runningTask
    }
    runningTask = runUnderLock()
      .catch(() => {
        // If the database failed, the rows are unchanged and are sent at the next trigger.
      })
      .then(() => {
        runningTask = undefined
        if (!isRunRequestedAgain) return
        isRunRequestedAgain = false
        return run()
      })
    return runningTask
  }

  return {
    run,
    /** Cancels the additional run that was requested during the current run. No row is discarded. */
    forgetRunRequests() {
      isRunRequestedAgain = false
    },
  }
}

/** Creates the functions that send rows of the outbox to the server. */
function createRowCalls(api: Api, identity: OutboxDeps['identity']) {
  /** Returns an API that uses only tokens of `uid` and rejects if another account has signed in, in this tab or another. */
  const createAccountApi = (uid: string) =>
    withAuth(
      {
        async token(refusedToken) {
          const token = await identity.token(refusedToken)
          if (token === undefined || readUid(token) !== uid) throw new TypeError('Somebody else is signed in.')
          return token
        },
        loginSignal: identity.loginSignal,
      },
      api,
    )

  /**
   * Calls the endpoint of a row. A contact message is sent with the token of the account that wrote the message, if any, so that the
   * account's data export contains the message.
   */
  function callEndpoint(row: SingleChangeRow) {
    if (row.call === 'POST /make/history') return createAccountApi(row.uid).call(row.call, row.body)
    if (row.call === 'POST /contact/request' && row.uid !== ANONYMOUS_UID) return createAccountApi(row.uid).call(row.call, row.body)
    return api.call(row.call, row.body)
  }

  return { apiOf: createAccountApi, callWith: callEndpoint }
}

/**
 * Creates the outbox: changes that are stored on this device first. Sends the waiting ones now and whenever the server may have become reachable.
 */
export function createOutbox({ database, api, identity, connection, syncs, onApplied, page = window }: OutboxDeps) {
  const scope = createCleanupScope()
  const outboxRows = createOutboxRows(database)
  const sentRowIds = createSentIdsChannel(page, scope)
  const drainTask = createSingleTabTask(sendAll, page, scope)
  let cancelRetry = () => {}
  /** The kinds of rows for which changes of other devices must be fetched, even if this device has no change to send. */
  const requestedPulls = new Set<ChangeSync>()
  /** The number of successive failed calls, and the time of the last failure by `performance.now()`. */
  let failureCount = 0
  let lastFailureAtMs = 0

  const { apiOf, callWith } = createRowCalls(api, identity)

  /** Sends one row. Returns whether the next row may be sent. */
  async function sendRow(row: SingleChangeRow): Promise<boolean> {
    try {
      const responseData = await callWith(row)
      await database.change(async (tables) => {
        await tables.outbox.remove([row.id])
        await onApplied(tables, row, responseData)
      })
      sentRowIds.report(row.id)
      failureCount = 0
      return true
    } catch (error) {
      return recordFailure([row], error)
    }
  }

  function countFailure() {
    failureCount += 1
    lastFailureAtMs = performance.now()
  }

  /** Stores the error in the rows and schedules the next attempt. Returns whether other rows may be sent now. */
  async function recordFailure(failedRows: readonly Pick<OutboxRow, 'id' | 'attempts'>[], error: unknown): Promise<boolean> {
    const isFinalError = isRefusalError(error)
    const lastError = error instanceof ApiCallError && error.kind === 'api' ? error.message : ''
    for (const { id, attempts } of failedRows)
      await outboxRows.update(id, { attempts: attempts + 1, lastError, state: isFinalError ? 'failed' : 'waiting' })
    if (isFinalError) return true
    drainTask.forgetRunRequests()
    countFailure()
    cancelRetry()
    cancelRetry = scope.timeout(drainTask.run, computeRetryDelayMs((failedRows[0]?.attempts ?? 0) + 1))
    return false
  }

  /** Sends the changes of one kind in order and fetches those of other devices if requested. Returns whether other rows may be sent now. */
  async function sendBatches(sync: ChangeSync, uid: string): Promise<boolean> {
    const accountApi = apiOf(uid)
    for (let batchLimit: number | undefined; ; ) {
      const batch = await sync.readBatch(uid, batchLimit)
      const isPullRequested = requestedPulls.has(sync)
      if (batch.rows.length === 0 && !isPullRequested) return true
      try {
        requestedPulls.delete(sync)
        if (await batch.send(accountApi)) requestedPulls.add(sync)
        failureCount = 0
        if (batchLimit !== undefined) batchLimit *= 2
      } catch (error) {
        if (isPullRequested) requestedPulls.add(sync)
        // One invalid change must not block the others: they are sent one by one to find the invalid change.
        if (isBadInputError(error) && batch.rows.length > 1) {
          batchLimit = 1
          continue
        }
        if (batch.rows.length > 0) {
          if (!(await recordFailure(batch.rows, error))) return false
          continue
        }
        // A failed fetch of other devices' changes is ignored, because the next trigger fetches again. Only while rows of the account are missing
        // is it repeated, because the page shows playlists and favorites without them.
        countFailure()
        if (!isRefusalError(error) && (await sync.isIncomplete(uid))) {
          cancelRetry()
          cancelRetry = scope.timeout(drainTask.run, computeRetryDelayMs(failureCount))
        }
        return true
      }
    }
  }

  async function sendAllBatches(uid: string): Promise<boolean> {
    for (const sync of syncs) if (!(await sendBatches(sync, uid))) return false
    return true
  }

  async function sendAll() {
    cancelRetry()
    for (;;) {
      const uid = identity.getSnapshot()?.uid
      // An additional run requested earlier is cancelled before the rows are read, because this read includes its rows. A request made
      // after the read starts another run.
      drainTask.forgetRunRequests()
      // While the device is offline nothing is sent, because reconnecting triggers sending.
      if (connection.offline || scope.signal.aborted) return
      if (uid !== undefined && !(await sendAllBatches(uid))) return
      const waitingRows = await outboxRows.waiting(uid)
      const next = waitingRows.find((row): row is SingleChangeRow => !isSyncOutboxRow(row))
      if (next ? !(await sendRow(next)) : !waitingRows.some((row) => row.uid === uid)) return
    }
  }

  function syncOutbox(): Promise<void> {
    for (const sync of syncs) requestedPulls.add(sync)
    return drainTask.run()
  }

  const triggerSync = () => void syncOutbox()
  const onConnectionChange = () => {
    const delayMs = failureCount === 0 ? 0 : Math.min(MAX_RECONNECT_DELAY_MS, FIRST_RECONNECT_DELAY_MS * 2 ** failureCount)
    const remainingMs = lastFailureAtMs + delayMs - performance.now()
    if (remainingMs <= 0) return triggerSync()
    cancelRetry()
    cancelRetry = scope.timeout(triggerSync, remainingMs)
  }
  scope.add(identity.subscribe(triggerSync))
  scope.add(connection.subscribe(onConnectionChange))
  for (const type of ['focus', 'online', 'pageshow']) scope.listen(page, type, triggerSync)
  triggerSync()

  return {
    /** Resolves once the change is stored. The server applies a change with the same `id` only once. */
    async add(newChange: { [C in SingleChangeEndpointKey]: NewOutboxRow<C> }[SingleChangeEndpointKey]) {
      const row: SingleChangeRow = { ...newChange, createdAtMs: Date.now(), attempts: 0, lastError: '', state: 'waiting' }
      await database.change((tables) => tables.outbox.put([row]))
      void drainTask.run()
    },
    /**
     * Sends the waiting rows, and resolves with the outcome of an added row. If the server answered the row with an error, the row is removed,
     * because the person sees the error immediately and can try again.
     */
    async outcomeOf(rowId: string) {
      await drainTask.run()
      return outboxRows.takeOutcome(rowId)
    },
    /**
     * Calls `listener` with the id of each row that this tab or another tab of the page has sent. Returns the function that unsubscribes
     * it.
     */
    onSent: sentRowIds.subscribe,
    /** The rows of an account and the anonymous rows, waiting or refused, oldest first. */
    rows: outboxRows.watch,
    /** Sends refused rows again, in the order of their changes. */
    async retry(ids: readonly string[]) {
      await outboxRows.repeat(ids)
      void drainTask.run()
    },
    discard: outboxRows.discard,
    /** Removes all rows of an account. */
    forget: outboxRows.forget,
    /** Sends the waiting rows. Never rejects. */
    drain: drainTask.run,
    /** Sends the waiting rows, and fetches the changes of other devices. Never rejects. */
    sync: syncOutbox,
    close: scope.dispose,
  }
}

export type Outbox = ReturnType<typeof createOutbox>

/** Returns the account of a JWT: the claim `sub` (RFC 7519, 4.1.2). The signature is not verified here; the server verifies the token. */
function readUid(token: string): string | undefined {
  const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
  const claims: { sub?: string } = JSON.parse(atob(payload))
  return claims.sub
}
