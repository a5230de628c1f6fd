import { useRouter } from '@tanstack/react-router'
import { createContext, use, useCallback } from 'react'
import type { OutboxRow } from '../data/local-database.ts'
import { busyTracker } from '../platform/busy.ts'
import { useServices } from './services.tsx'

/**
 * The React context that contains the function to sign out. This function asks first if unsent changes would be lost. One provider above
 * all pages sets the function.
 */
export const SignOutContext = createContext<() => void>(() => {})

export const useSignOut = (): (() => void) => use(SignOutContext)

/** Whether this tab is exporting files. A sign-out stops the exports. */
export const isExportingFiles = (): boolean => busyTracker.has('render')

/** Returns the function that reads the account's outbox rows that wait to be sent, without refused rows. */
export function useReadWaitingOutboxRows(): () => Promise<OutboxRow[]> {
  const { identity, database } = useServices()
  return useCallback(async () => {
    const uid = identity.getSnapshot()?.uid
    if (uid === undefined) return []
    // If the outbox cannot be read, the person is signed out without being asked: signing out by itself deletes no unsent change.
    return database
      .read(async (tables) => (await tables.outbox.all()).filter((row) => row.uid === uid && row.state === 'waiting'))
      .catch(() => [])
  }, [identity, database])
}

/**
 * Returns the function that signs out. Navigates to the home page first, because account pages would redirect to the login page. The
 * account's data is removed before the sign-out is shown, because the removal would be interrupted if the person left the page right after
 * the sign-out.
 */
export function useSignOutAndGoHome(): () => Promise<void> {
  const router = useRouter()
  const { identity, offlineMutations } = useServices()
  return useCallback(async () => {
    await router.navigate({ to: '/' })
    const uid = identity.getSnapshot()?.uid
    // If the rows cannot be removed now, they are removed after the sign-out or at the next start.
    if (uid !== undefined)
      await offlineMutations()
        .then(({ forgetAccount }) => forgetAccount(uid))
        .catch(() => {})
    await identity.signOut()
  }, [router, identity, offlineMutations])
}
