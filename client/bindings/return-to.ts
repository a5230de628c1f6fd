import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Song } from '../../contract/song.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** Where a person was going before the site asked who they are: a path of this site. */
    returnTo?: string
    /** The song whose heart asked them to log in. */
    wish?: Song | undefined
    /** The address of who has just signed up, or chosen a new password. */
    email?: string
    signedUp?: true
  }
}

/** Kept with the entry of the browser's history: it lasts over a reload, and stands in no address that somebody could hand out. */
export const useReturnTo = (): string | undefined => useLocation({ select: ({ state }) => state.returnTo })

/** Kept in the same way: who goes elsewhere without having logged in wishes for nothing any more. */
export const useWish = (): Song | undefined => useLocation({ select: ({ state }) => state.wish })

/** Goes to another of the pages around logging in, which then still know where to go after it, and what for. */
export function useGoOn(): (path: string) => void {
  const router = useRouter()
  const returnTo = useReturnTo()
  const wish = useWish()
  return useCallback((path) => router.history.push(path, { wish, ...(returnTo !== undefined && { returnTo }) }), [router, returnTo, wish])
}

/** Opens one of the pages around logging in, which leads back here after it. `wish`: the song whose heart asked for it. */
export function useGoToLogIn(): (path: string, wish: Song | undefined) => void {
  const router = useRouter()
  return useCallback(
    (path, wish) => {
      const { pathname, searchStr, state } = router.latestLocation
      router.history.push(path, { returnTo: state.returnTo ?? pathname + searchStr, wish })
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
