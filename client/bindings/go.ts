import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Goes to an address of the site, as a link would: for what only an action can know. */
export function useGo(): (path: string) => void {
  const router = useRouter()
  return useCallback((path: string) => router.history.push(path), [router])
}
