import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { MakeHistoryRow } from '../../contract/make.ts'
import type { ExportedFile } from '../data/make-history.ts'
import type { OutboxRow, OutboxRowOf } from '../data/store.ts'
import type { ApiFailure } from '../platform/api.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'
import { useWrites } from './writes.ts'

export type { ExportedFile } from '../data/make-history.ts'

/** A file that the site does not know of yet. */
export interface UnsentFile extends MakeHistoryRow {
  /** Why the site refused it; undefined while it waits, which ends by itself. */
  refusal: string | undefined
}

export interface LoadedHistory {
  /** What the site has recorded, newest first; `undefined` as long as it is not known. */
  rows: readonly MakeHistoryRow[] | undefined
  /** What is not recorded yet, newest first: it stands above the others. */
  unsent: readonly UnsentFile[]
  /** What the last refresh failed with; `rows` are from this device then. */
  error: ApiFailure | undefined
  refresh(): void
  /** Sends once more what was refused. */
  retry(id: string): void
  discard(id: string): void
}

const never = () => () => {}
const unread = () => undefined

const isMadeFile = (row: OutboxRow): row is OutboxRowOf<'POST /make/history'> => row.call === 'POST /make/history'

const unsentOf = ({
  id,
  body: { file_name, file_size },
  createdAtMs,
  state,
  lastError,
}: OutboxRowOf<'POST /make/history'>): UnsentFile => ({
  ...{ id, file_name, file_size },
  created: new Date(createdAtMs).toISOString(),
  refusal: state === 'failed' ? lastError : undefined,
})

/** What who is signed in has made. */
export function useMakeHistory(): LoadedHistory {
  const writes = useWrites()
  const uid = usePerson()?.uid
  const resource = uid === undefined ? undefined : writes?.makeHistory.rows(uid)
  const outbox = uid === undefined ? undefined : writes?.outbox.rows(uid)
  const state = useSyncExternalStore(resource?.subscribe ?? never, resource?.getSnapshot ?? unread, unread)
  const changes = useSyncExternalStore(outbox?.subscribe ?? never, outbox?.getSnapshot ?? unread, unread)
  useEffect(() => void resource?.refresh(), [resource])
  const rows = state?.data
  // One whose answer was lost is known to the site already.
  const known = new Set(rows?.map(({ id }) => id))
  const unsent = (changes ?? [])
    .filter(isMadeFile)
    .filter(({ id }) => !known.has(id))
    .map(unsentOf)
  return {
    rows,
    unsent: unsent.reverse(),
    error: state?.error,
    refresh: useCallback(() => void resource?.refresh({ force: true }), [resource]),
    retry: useCallback((id) => void writes?.outbox.retry(id), [writes]),
    discard: useCallback((id) => void writes?.outbox.discard([id]), [writes]),
  }
}

/** Records a file that was exported, in the name of who is signed in. Rejects where nothing of it could be kept. */
export function useRecordExport(): (file: ExportedFile) => Promise<void> {
  const { identity, writes } = useServices()
  return useCallback(
    async (file) => {
      const uid = identity.getSnapshot()?.uid
      if (uid !== undefined) await (await writes()).makeHistory.record(uid, file)
    },
    [identity, writes],
  )
}
