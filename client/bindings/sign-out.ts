import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useIdentity } from './identity.ts'

/** Signs out, and goes home first: a page of the account would ask who is there. */
export function useSignOut(onDone?: () => void): () => void {
  const router = useRouter()
  const identity = useIdentity()
  return useCallback(() => {
    void (async () => {
      await router.navigate({ to: '/' })
      await identity.signOut()
      onDone?.()
    })()
  }, [router, identity, onDone])
}
