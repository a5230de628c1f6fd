import { useLocation, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Song } from '../../contract/song.ts'

declare module '@tanstack/history' {
  interface HistoryState {
    /** The path of this site to navigate to after login. */
    returnTo?: string
    /** The song whose heart button opened the login page. */
    pendingFavorite?: Song | undefined
    /** The email address of the last sign-up or password reset, to fill in the login form. */
    email?: string
    signedUp?: true
  }
}

/** Returns the path to navigate to after login. Stored in the history state: survives a reload, and is not part of a URL that can be shared. */
export const useReturnTo = (): string | undefined => useLocation({ select: ({ state }) => state.returnTo })

/** Returns the song to add to the favorites after login. Stored in the history state: leaving the login pages discards the song. */
export const usePendingFavorite = (): Song | undefined => useLocation({ select: ({ state }) => state.pendingFavorite })

/** Returns the function that navigates between the login pages and passes on `returnTo` and `pendingFavorite`. */
export function useAuthNavigate(): (path: string) => void {
  const router = useRouter()
  const returnTo = useReturnTo()
  const pendingFavorite = usePendingFavorite()
  return useCallback(
    (path) => router.history.push(path, { pendingFavorite, ...(returnTo !== undefined && { returnTo }) }),
    [router, returnTo, pendingFavorite],
  )
}

/** Returns the function that opens a login page, which navigates back to the current page after login and then adds `pendingFavorite`. */
export function useOpenLogin(): (path: string, pendingFavorite: Song | undefined) => void {
  const router = useRouter()
  return useCallback(
    (urlPath, pendingFavorite) => {
      const { pathname, searchStr, state } = router.latestLocation
      router.history.push(urlPath, { returnTo: state.returnTo ?? pathname + searchStr, pendingFavorite })
    },
    [router],
  )
}

/** Returns the function that redirects an anonymous person to the login page, which shows `reason` and navigates back after login. */
export function useRequireLogin(): (reason?: string) => void {
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
