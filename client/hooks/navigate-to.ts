import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

/** Returns the function that navigates to a path of the site and adds a history entry. */
export function useNavigateTo(): (path: string) => void {
  const router = useRouter()
  return useCallback((path: string) => router.history.push(path), [router])
}
