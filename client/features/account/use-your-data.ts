import { useCallback } from 'react'
import { useServices } from '../../hooks/services.tsx'
import { ApiCallError } from '../../platform/api.ts'
import { IdentityFailure } from '../../platform/identity-types.ts'
import { saveFile } from '../../platform/save-file.ts'

/** Returns the function that downloads all stored data of the signed-in account as a JSON file. */
export function useExportAccountData(): () => Promise<void> {
  const { accountApi, site } = useServices()
  return useCallback(async () => {
    const accountExport = await accountApi.call('GET /account/export', {})
    saveFile(`${site.brand}-account.json`, new Blob([JSON.stringify(accountExport, null, 2)], { type: 'application/json' }))
  }, [accountApi, site])
}

/** Returns the function that deletes the signed-in account after a check of the password. Rejects with an `IdentityFailure`. */
export function useDeleteAccount(): (password: string) => Promise<void> {
  const { accountApi, identity, offlineMutations, openEngine } = useServices()
  return useCallback(
    async (password) => {
      const account = await identity.open()
      await account.reauthenticate(password)
      // The server deletes the account's data before the account itself, because afterwards the request could no longer be authenticated.
      await accountApi.call('POST /account/delete', {}).catch((error: unknown) => {
        const isUnreachable = error instanceof ApiCallError && error.kind === 'network'
        throw new IdentityFailure(isUnreachable ? 'network-request-failed' : 'internal-error', { cause: error })
      })
      const uid = identity.getSnapshot()?.uid
      await account.remove()
      // Removes the account's unsent changes, because they can no longer be sent.
      if (uid !== undefined)
        await offlineMutations()
          .then(({ outbox }) => outbox.forget(uid))
          .catch(() => undefined)
      // Removes the project that is saved in the maker, because it belongs to the deleted account.
      await openEngine()
        .then((engine) => engine.clear())
        .catch(() => undefined)
      await identity.signOut()
    },
    [accountApi, identity, offlineMutations, openEngine],
  )
}
