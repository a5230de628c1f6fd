import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { createLive } from '../data/live.ts'
import type { AccountRow, CatalogueStore } from '../data/store.ts'
import { usePerson } from './identity.ts'
import { useServices } from './services.tsx'

/**
 * Whether who is signed in may use what is for subscribers. `unknown`: not told yet. `stale`: they were a subscriber when that was last
 * confirmed, or it never was, and now it cannot be: the site must be reached once.
 */
export type Entitlement = 'unknown' | 'entitled' | 'locked' | 'stale'

/** How long a role counts without the site's word. */
export const HONOURED_MS = 30 * 24 * 3_600_000

/** @param row null where this device knows nothing of the account @param failed whether the site was asked in vain just now */
export function entitlementOf(row: AccountRow | null | undefined, failed: boolean, nowMs: number): Entitlement {
  if (row === undefined) return 'unknown'
  if (row !== null && !row.info.roles.includes('subscriber')) return 'locked'
  if (row !== null && nowMs - row.confirmedAtMs <= HONOURED_MS) return 'entitled'
  return failed ? 'stale' : 'unknown'
}

const never = () => () => {}
const unread = () => undefined

/** For pages of who is signed in; follows what the site says, in this tab or another. */
export function useEntitlement(): Entitlement {
  const { accounts, store } = useServices()
  const uid = usePerson()?.uid
  const live = useMemo(
    () => (uid === undefined ? undefined : createLive(store, async (tables) => (await tables.accounts.get(uid)) ?? null)),
    [store, uid],
  )
  const info = uid === undefined ? undefined : accounts.info(uid)
  const row = useSyncExternalStore(live?.subscribe ?? never, live?.getSnapshot ?? unread, unread)
  const state = useSyncExternalStore(info?.subscribe ?? never, info?.getSnapshot ?? unread, unread)
  useEffect(() => void info?.refresh(), [info])

  const nowMs = Date.now()
  const entitlement = entitlementOf(row, state?.error !== undefined, nowMs)
  // A page that stays open for so long asks once more.
  const isOver = row !== undefined && entitlement === 'unknown'
  useEffect(() => {
    if (isOver) void info?.refresh({ force: true })
  }, [isOver, info])

  const isAhead = row !== undefined && row !== null && row.confirmedAtMs > nowMs
  useEffect(() => {
    if (isAhead && uid !== undefined) void bringBack(store, uid)
  }, [isAhead, store, uid])
  return entitlement
}

/** Confirmed at a time that is to come: the clock was set back. It counts from now on, and not anew as often as it is looked at. */
async function bringBack(store: CatalogueStore, uid: string): Promise<void> {
  try {
    await store.change(async (tables) => {
      const row = await tables.accounts.get(uid)
      const nowMs = Date.now()
      if (row && row.confirmedAtMs > nowMs) await tables.accounts.put([{ ...row, confirmedAtMs: nowMs }])
    })
  } catch {
    // Tried again on the next visit.
  }
}

/** Asks the site at once. */
export function useRefreshEntitlement(): () => void {
  const { accounts } = useServices()
  const uid = usePerson()?.uid
  return useCallback(() => {
    if (uid !== undefined) void accounts.info(uid).refresh({ force: true })
  }, [accounts, uid])
}
