import { useEffect } from 'react'
import { useIdentity } from '../../hooks/identity.ts'
import { usePendingFavorite } from '../../hooks/login-navigation.ts'
import { useAddFavoriteAfterLogin } from './add-pending-favorite.ts'

/** Rendered on the login pages: adds the pending favorite after the login. Renders nothing. */
export function PendingFavorite() {
  const identity = useIdentity()
  const pendingFavorite = usePendingFavorite()
  const addPendingFavorite = useAddFavoriteAfterLogin()
  useEffect(() => {
    // If an account was signed in from the start, an earlier login has already added the pending favorite.
    if (!pendingFavorite || identity.getSnapshot()) return
    const stop = identity.subscribe(() => {
      if (!identity.getSnapshot()) return
      stop()
      void addPendingFavorite(pendingFavorite)
    })
    return stop
  }, [identity, pendingFavorite, addPendingFavorite])
  return null
}
