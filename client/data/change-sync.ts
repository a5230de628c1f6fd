import { type AccountApi, ApiCallError } from '../platform/api.ts'
import type { EndpointOutboxRow, LocalDatabase, OutboxRow, Tables } from './local-database.ts'
import { advanceClock } from './logical-clock.ts'
import { readWaitingChanges, type SyncEndpointKey } from './waiting-changes.ts'

/** The fields that every sync response has. */
interface SyncResponse {
  cursor: string
  more?: boolean
  refused: readonly { id: string; message: string }[]
}

/** The stored row with the sync cursor, which identifies the last change of the server that this device has received. */
interface SyncCursor {
  cursor: string
  more?: true
}

/** The waiting changes of one account that are sent in the next request. */
export interface ChangeBatch {
  readonly rows: readonly Pick<OutboxRow, 'id' | 'attempts'>[]
  /**
   * Sends the waiting changes, fetches the changes of other devices, and stores the results of both in one transaction. Rejects with an
   * `ApiCallError`. Resolves with whether the server has further changes to fetch.
   */
  send(api: AccountApi): Promise<boolean>
}

/** Sends the waiting changes of one kind and fetches those of other devices. */
export interface ChangeSync {
  /** Reads the oldest waiting changes, at most `limit` and at most as many as fit into one request. */
  readBatch(uid: string, limit?: number): Promise<ChangeBatch>
  /** Whether this device has not yet received all rows of the account. */
  isIncomplete(uid: string): Promise<boolean>
}

/** Describes how one kind of rows, such as favorites, is synchronized. */
export interface SyncedRowKind<C extends SyncEndpointKey, R extends SyncResponse> {
  call: C
  /** Runs before the waiting changes of `uid` are read. */
  prepare?(uid: string): Promise<void>
  /** Returns how many of the waiting rows, counted from the oldest, are sent in one request. */
  countSendable(rows: readonly EndpointOutboxRow<C>[]): number
  request(api: AccountApi, since: string | undefined, changes: EndpointOutboxRow<C>['body'][]): Promise<R>
  /** Returns whether a response has the fields that `store` reads. The login page of a captive portal, for example, lacks them. */
  isResponse(response: Partial<R>): boolean
  readCursor(tables: Tables, uid: string): Promise<SyncCursor | undefined>
  /** Whether a response has no changes. */
  isEmpty(response: R): boolean
  /** Stores the rows and the cursor of a response. */
  store(tables: Tables, uid: string, response: R): Promise<void>
  /** Returns the time of the latest change in a response, in epoch milliseconds. */
  latestMs(response: R): number
}

interface ChangeSyncDeps {
  database: LocalDatabase
  getSignedInUid: () => string | undefined
}

export function createChangeSync<C extends SyncEndpointKey, R extends SyncResponse>(
  { database, getSignedInUid }: ChangeSyncDeps,
  syncedKind: SyncedRowKind<C, R>,
): ChangeSync {
  async function sendChanges(api: AccountApi, uid: string, changeRows: readonly EndpointOutboxRow<C>[]): Promise<boolean> {
    const cursorBefore = await database.read((tables) => syncedKind.readCursor(tables, uid))
    const response = await syncedKind.request(
      api,
      cursorBefore?.cursor,
      changeRows.map(({ body }) => body),
    )
    if (!hasSyncMembers(response ?? {}) || !syncedKind.isResponse(response))
      throw new ApiCallError('network', 0, 'The answer is not the site’s.')
    let isResponseOvertaken = false
    await database.change(async (tables) => {
      const isSignedIn = getSignedInUid() === uid
      const cursorNow = await syncedKind.readCursor(tables, uid)
      // Another tab has stored its response since. This response, which is relative to the old cursor, is discarded, and the changes are
      // requested again. The sent changes stay in the outbox until then, and the server applies each of them only once. The tabs do not repeat
      // this forever, because each repetition follows a stored response.
      isResponseOvertaken = isSignedIn && cursorNow?.cursor !== cursorBefore?.cursor
      if (isResponseOvertaken) return
      await settleSentRows(
        tables,
        changeRows.map(({ id }) => id),
        response.refused,
      )
      // The clock advances in the transaction that removes the sent changes, because the next change must be dated after them.
      await advanceClock(tables, uid, syncedKind.latestMs(response))
      // Another account has signed in: the rows of the previous account are not stored.
      if (!isSignedIn) return
      const isBodyUnchanged =
        cursorNow?.cursor === response.cursor && syncedKind.isEmpty(response) && cursorNow.more === (response.more || undefined)
      if (isBodyUnchanged) return
      await syncedKind.store(tables, uid, response)
    })
    // Stops if the response has the same cursor as the request, so that a faulty server is not requested forever.
    return (response.more === true && response.cursor !== cursorBefore?.cursor) || isResponseOvertaken
  }

  return {
    async readBatch(uid, rowLimit = Number.POSITIVE_INFINITY) {
      await syncedKind.prepare?.(uid)
      const waitingRows = await database.read((tables) => readWaitingChanges(tables, uid, syncedKind.call))
      const count = syncedKind.countSendable(waitingRows)
      const changes = waitingRows.slice(0, Math.min(rowLimit, count))
      return { rows: changes, send: (api) => sendChanges(api, uid, changes) }
    },
    async isIncomplete(uid) {
      const cursor = await database.read((tables) => syncedKind.readCursor(tables, uid))
      return cursor === undefined || cursor.more === true
    },
  }
}

const hasSyncMembers = ({ cursor, refused }: Partial<SyncResponse>): boolean => typeof cursor === 'string' && Array.isArray(refused)

/** Removes sent changes from the outbox; the refused ones stay with the server's message. */
async function settleSentRows(tables: Tables, rowIds: readonly string[], refusedChanges: SyncResponse['refused']): Promise<void> {
  const messageByChangeId = new Map(refusedChanges.map(({ id, message }) => [id, message]))
  const sentRows = (await tables.outbox.getMany(rowIds)).filter((row) => row !== undefined)
  await tables.outbox.remove(sentRows.flatMap(({ id }) => (messageByChangeId.has(id) ? [] : [id])))
  await tables.outbox.put(
    sentRows.flatMap((sentRow) => {
      const lastError = messageByChangeId.get(sentRow.id)
      return lastError === undefined ? [] : [{ ...sentRow, attempts: sentRow.attempts + 1, lastError, state: 'failed' as const }]
    }),
  )
}
