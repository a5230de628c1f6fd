import { useCallback, useEffect } from 'react'
import type { ConversionHistoryRow } from '../../../contract/conversion.ts'
import type { ExportedFile } from '../../data/export-history.ts'
import type { EndpointOutboxRow, OutboxRow } from '../../data/local-database.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useOfflineMutations } from '../../hooks/offline-mutations.ts'
import { useServices } from '../../hooks/services.tsx'
import type { ApiCallError } from '../../platform/api.ts'

export type { ExportedFile } from '../../data/export-history.ts'

/** An exported file whose record is in the outbox. */
export interface ExportInOutbox extends ConversionHistoryRow {
  /** Why the server refused the record; undefined while the record waits to be sent. */
  refusal: string | undefined
}

export interface ExportHistoryState {
  /** The files that the server has recorded, newest first; `undefined` until loaded. */
  rows: readonly ConversionHistoryRow[] | undefined
  /** The exported files whose records still wait in the outbox, newest first. */
  outboxFiles: readonly ExportInOutbox[]
  /** The error of the last request for the history. If there is an error, `rows` are the rows that this device stored earlier. */
  error: ApiCallError | undefined
  refresh(): void
  /** Sends the record of an exported file again after the server refused it. */
  retry(id: string): void
  discard(id: string): void
}

const isMakeHistoryRow = (row: OutboxRow): row is EndpointOutboxRow<'POST /make/history'> => row.call === 'POST /make/history'

const toOutboxFile = ({
  id,
  body: { file_name, file_size },
  createdAtMs,
  state,
  lastError,
}: EndpointOutboxRow<'POST /make/history'>): ExportInOutbox => ({
  id,
  file_name,
  file_size,
  created: new Date(createdAtMs).toISOString(),
  refusal: state === 'failed' ? lastError : undefined,
})

/** Returns the files that the signed-in account has exported in the maker. */
export function useExportHistory(): ExportHistoryState {
  const offlineMutations = useOfflineMutations()
  const uid = useSignedInAccount()?.uid
  const historyResource = uid === undefined ? undefined : offlineMutations?.makeHistory.rows(uid)
  const outboxResource = uid === undefined ? undefined : offlineMutations?.outbox.rows(uid)
  const historyState = useLiveQuery(historyResource)
  const outboxRows = useLiveQuery(outboxResource)
  useEffect(() => void historyResource?.refresh(), [historyResource])
  const historyRows = historyState?.data
  // A record whose response was lost is both in the outbox and in the server's list: it is shown once.
  const recordedIds = new Set(historyRows?.map(({ id }) => id))
  const outboxFiles = (outboxRows ?? [])
    .filter(isMakeHistoryRow)
    .filter(({ id }) => !recordedIds.has(id))
    .map(toOutboxFile)
  return {
    rows: historyRows,
    outboxFiles: outboxFiles.reverse(),
    error: historyState?.error,
    refresh: useCallback(() => void historyResource?.refresh({ force: true }), [historyResource]),
    retry: useCallback((id) => void offlineMutations?.outbox.retry([id]), [offlineMutations]),
    discard: useCallback((id) => void offlineMutations?.outbox.discard([id]), [offlineMutations]),
  }
}

/** Returns the function that records an exported file for the signed-in account. Rejects if the record cannot be stored on this device. */
export function useRecordExport(): (file: ExportedFile) => Promise<void> {
  const { identity, offlineMutations } = useServices()
  return useCallback(
    async (exportedFile) => {
      const uid = identity.getSnapshot()?.uid
      if (uid !== undefined) await (await offlineMutations()).makeHistory.record(uid, exportedFile)
    },
    [identity, offlineMutations],
  )
}
