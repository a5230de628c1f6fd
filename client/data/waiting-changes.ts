import type { EndpointOutboxRow, OutboxRow, Tables } from './local-database.ts'

/** The endpoints to which waiting changes are sent in batches, and whose responses have the changes of other devices. */
export type SyncEndpointKey = 'POST /favorite/sync' | 'POST /list/sync' | 'POST /follow/sync'

const syncedCalls: ReadonlySet<string> = new Set<SyncEndpointKey>(['POST /favorite/sync', 'POST /list/sync', 'POST /follow/sync'])

export type SyncOutboxRow = Extract<OutboxRow, { call: SyncEndpointKey }>

export const isSyncOutboxRow = (row: OutboxRow): row is SyncOutboxRow => syncedCalls.has(row.call)

/** Reads the waiting changes of an account for one endpoint, oldest first, without refused changes. */
export async function readWaitingChanges<C extends SyncEndpointKey>(
  tables: Tables,
  uid: string,
  endpointKey: C,
): Promise<EndpointOutboxRow<C>[]> {
  const isWaitingRow = (row: OutboxRow): row is OutboxRow & EndpointOutboxRow<C> =>
    row.call === endpointKey && row.uid === uid && row.state === 'waiting'
  return (await tables.outbox.all()).filter(isWaitingRow).sort((a, b) => Date.parse(a.body.at) - Date.parse(b.body.at))
}
