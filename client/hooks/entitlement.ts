import { useCallback, useEffect, useMemo } from 'react'
import { createLiveQuery } from '../data/live-query.ts'
import type { AccountRow, LocalDatabase } from '../data/local-database.ts'
import { useSignedInAccount } from './identity.ts'
import { useLiveQuery } from './live-query.ts'
import { useServices } from './services.tsx'

/**
 * Whether the account has access to the features for subscribers. `unknown`: the server has not confirmed the role yet. `stale`: the confirmation
 * is missing or too old and the server is unreachable.
 */
export type Entitlement = 'unknown' | 'entitled' | 'locked' | 'stale'

/** How long a role stays valid after the server last confirmed the role. */
export const ROLE_VALID_OFFLINE_MS = 30 * 24 * 3_600_000

/**
 * Returns the entitlement of an account. @param row null if no row of the account is stored @param hasFailed whether the last request to confirm
 * the role failed
 */
export function computeEntitlement(row: AccountRow | null | undefined, hasFailed: boolean, nowMs: number): Entitlement {
  if (row === undefined) return 'unknown'
  if (row !== null && !row.info.roles.includes('subscriber')) return 'locked'
  if (row !== null && nowMs - row.confirmedAtMs <= ROLE_VALID_OFFLINE_MS) return 'entitled'
  return hasFailed ? 'stale' : 'unknown'
}

/** Returns the entitlement of the signed-in account, and renders again when this tab or another tab stores a new role. */
export function useEntitlement(): Entitlement {
  const { accounts, database } = useServices()
  const uid = useSignedInAccount()?.uid
  const liveAccount = useMemo(
    () => (uid === undefined ? undefined : createLiveQuery(database, async (tables) => (await tables.accounts.get(uid)) ?? null)),
    [database, uid],
  )
  const infoResource = uid === undefined ? undefined : accounts.info(uid)
  const accountRow = useLiveQuery(liveAccount)
  const infoState = useLiveQuery(infoResource)
  useEffect(() => void infoResource?.refresh(), [infoResource])

  const nowMs = Date.now()
  const entitlement = computeEntitlement(accountRow, infoState?.error !== undefined, nowMs)
  // Requests the role again if the stored role expires while the page is open.
  const isEntitlementExpired = accountRow !== undefined && entitlement === 'unknown'
  useEffect(() => {
    if (isEntitlementExpired) void infoResource?.refresh({ force: true })
  }, [isEntitlementExpired, infoResource])

  const isConfirmedInFuture = accountRow !== undefined && accountRow !== null && accountRow.confirmedAtMs > nowMs
  useEffect(() => {
    if (isConfirmedInFuture && uid !== undefined) void correctFutureConfirmation(database, uid)
  }, [isConfirmedInFuture, database, uid])
  return entitlement
}

/**
 * Replaces a confirmation time in the future (the clock was set back) by the current time, so that the role expires after the usual period.
 */
async function correctFutureConfirmation(database: LocalDatabase, uid: string): Promise<void> {
  try {
    await database.change(async (tables) => {
      const row = await tables.accounts.get(uid)
      const nowMs = Date.now()
      if (row && row.confirmedAtMs > nowMs) await tables.accounts.put([{ ...row, confirmedAtMs: nowMs }])
    })
  } catch {
    // A failed request for the account's roles is ignored, because the next visit repeats it.
  }
}

/** Returns the function that requests the account's roles from the server immediately. */
export function useRefreshEntitlement(): () => void {
  const { accounts } = useServices()
  const uid = useSignedInAccount()?.uid
  return useCallback(() => {
    if (uid !== undefined) void accounts.info(uid).refresh({ force: true })
  }, [accounts, uid])
}
