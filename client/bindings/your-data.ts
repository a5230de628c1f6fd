import { useCallback } from 'react'
import { ApiFailure } from '../platform/api.ts'
import { IdentityFailure } from '../platform/person.ts'
import { saveFile } from '../platform/save-file.ts'
import { useServices } from './services.tsx'

/** Fetches all that is stored about who is signed in, and saves it as a file. */
export function useExportAccount(): () => Promise<void> {
  const { accountApi, site } = useServices()
  return useCallback(async () => {
    const data = await accountApi.call('GET /account/export', {})
    saveFile(`${site.brand}-account.json`, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
  }, [accountApi, site])
}

/** Removes the account of who is signed in, once more by their password. Rejects with an `IdentityFailure`. */
export function useDeleteAccount(): (password: string) => Promise<void> {
  const { accountApi, identity, writes, openEngine } = useServices()
  return useCallback(
    async (password) => {
      const account = await identity.open()
      await account.reauthenticate(password)
      // What this site keeps first: without the account nobody could ask for it any more.
      await accountApi.call('POST /account/delete', {}).catch((error: unknown) => {
        const isSilent = error instanceof ApiFailure && error.kind === 'network'
        throw new IdentityFailure(isSilent ? 'network-request-failed' : 'internal-error', { cause: error })
      })
      const uid = identity.getSnapshot()?.uid
      await account.remove()
      // What was never sent can never be.
      if (uid !== undefined)
        await writes()
          .then(({ outbox }) => outbox.forget(uid))
          .catch(() => undefined)
      // The song in the maker was kept for nobody else.
      await openEngine()
        .then((engine) => engine.clear())
        .catch(() => undefined)
      await identity.signOut()
    },
    [accountApi, identity, writes, openEngine],
  )
}
