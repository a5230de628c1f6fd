import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Where a person was going before the site asked who they are: a path of this site. */
    returnTo?: string
    /** The address of who has just signed up, or chosen a new password. */
    email?: string
    signedUp?: true
  }
}

/** Kept with the entry of the browser's history: it lasts over a reload, and stands in no address that somebody could hand out. */
export const useReturnTo = (): string | undefined => useLocation({ select: ({ state }) => state.returnTo })

/** Goes to another of the pages around logging in, which then still know where to go after it. */
export function useGoOn(): (path: string) => void {
  const router = useRouter()
  const returnTo = useReturnTo()
  return useCallback((path) => router.history.push(path, returnTo === undefined ? {} : { returnTo }), [router, returnTo])
}

/** Opens one of the pages around logging in, which leads back here after it. */
export function useGoToLogIn(): (path: string) => void {
  const router = useRouter()
  return useCallback(
    (path) => {
      const { pathname, searchStr, state } = router.latestLocation
      router.history.push(path, { returnTo: state.returnTo ?? pathname + searchStr })
    },
    [router],
  )
}

/** Sends who is not signed in to the log-in page, which says why if there is a reason, and back here after it. */
export function useAskToLogIn(): (reason?: string) => void {
  const router = useRouter()
  return useCallback(
    (reason) => {
      const { pathname, searchStr } = router.latestLocation
      const query = reason === undefined ? '' : `?${new URLSearchParams({ error: reason })}`
      router.history.replace(`/login${query}`, { returnTo: pathname + searchStr })
    },
    [router],
  )
}
