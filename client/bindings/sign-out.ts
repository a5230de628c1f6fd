import { useRouter } from '@tanstack/react-router'
import { createContext, use, useCallback } from 'react'
import { readOnce } from '../data/memory-store.ts'
import type { OutboxRow } from '../data/store.ts'
import { useServices } from './services.tsx'

/** Signs out, from wherever on the site; what is not sent yet is asked about first. Given once above all pages. */
export const SignOut = createContext<() => void>(() => {})

export const useSignOut = (): (() => void) => use(SignOut)

/** What of who is signed in still waits to be sent: read from this device now, not what is rendered. What was refused waits for a person instead. */
export function useReadUnsent(): () => Promise<OutboxRow[]> {
  const { identity, store } = useServices()
  return useCallback(async () => {
    const uid = identity.getSnapshot()?.uid
    if (uid === undefined) return []
    // What cannot be read is not lost by leaving.
    return readOnce(store, async (tables) => (await tables.outbox.all()).filter((row) => row.uid === uid && row.state === 'waiting')).catch(
      () => [],
    )
  }, [identity, store])
}

/** Signs out at once, and goes home first: a page of the account would ask who is there. */
export function useLeave(): () => Promise<void> {
  const router = useRouter()
  const { identity } = useServices()
  return useCallback(async () => {
    await router.navigate({ to: '/' })
    await identity.signOut()
  }, [router, identity])
}
