import { useCallback } from 'react'
import { ANONYMOUS_UID } from '../../data/local-database.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { describeOwnPlaylistFailure } from '../../hooks/own-playlists.ts'
import { toCallError } from '../../hooks/remote-data.ts'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'

/**
 * Returns the function that loads the store of the own playlists, for actions that can start before `useOwnPlaylistStore` returns the store. Rejects with
 * an `ApiCallError` if the code of the store cannot be loaded.
 */
export function useOpenOwnPlaylistStore() {
  const { offlineMutations } = useServices()
  const uid = useSignedInAccount()?.uid ?? ANONYMOUS_UID
  return useCallback(async () => {
    const { ownPlaylists } = await offlineMutations().catch((cause: unknown) => {
      throw toCallError(cause)
    })
    return { uid, ownPlaylists }
  }, [offlineMutations, uid])
}

/** Returns the error text for an action that stores nothing if it fails: that the site does not respond, or why the change was refused. */
export const describeSaveFailure = (cause: unknown): string =>
  cause instanceof ApiCallError
    ? "The site isn't responding, so nothing was saved. Try again when you are online."
    : describeOwnPlaylistFailure(cause)
