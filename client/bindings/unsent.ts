import { useSyncExternalStore } from 'react'
import type { OutboxRow } from '../data/store.ts'
import { usePerson } from './identity.ts'
import { useWrites } from './writes.ts'

export type { OutboxRow } from '../data/store.ts'

export interface Unsent {
  /** What the site was not told yet, or has refused, oldest first: of who is signed in, and what was done in nobody's name. */
  rows: readonly OutboxRow[]
  /** Sends once more what was refused. */
  retry(id: string): void
  discard(ids: readonly string[]): void
  /** Sends what waits now. */
  send(): void
}

const never = () => () => {}
const none: readonly OutboxRow[] = []

export function useUnsent(): Unsent {
  const uid = usePerson()?.uid
  const outbox = useWrites({ whoever: true })?.outbox
  const live = outbox?.rows(uid ?? '')
  const rows = useSyncExternalStore(live?.subscribe ?? never, live?.getSnapshot ?? (() => none), () => none)
  return {
    rows: rows ?? none,
    retry: (id) => void outbox?.retry(id),
    discard: (ids) => void outbox?.discard(ids),
    send: () => void outbox?.drain(),
  }
}
