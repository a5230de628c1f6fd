import { useEffect, useState } from 'react'
import { useSignedInAccount } from './identity.ts'
import { createOncePerPage } from './repositories.ts'
import { type OfflineMutations, useServices } from './services.tsx'

/** The loaded offline mutations, so that components that mount later get them on their first render. */
const cacheOf = createOncePerPage((): { loaded?: OfflineMutations } => ({}))

/** Returns the offline mutations; `undefined` until their chunk is loaded. Loads for anonymous people only with `allowAnonymous`. */
export function useOfflineMutations({ allowAnonymous = false } = {}): OfflineMutations | undefined {
  const services = useServices()
  const isNeeded = useSignedInAccount() !== undefined || allowAnonymous
  const [offlineMutations, setOfflineMutations] = useState(() => cacheOf(services).loaded)
  useEffect(() => {
    if (!isNeeded || offlineMutations) return
    services.offlineMutations().then(
      (loadedModule) => {
        cacheOf(services).loaded = loadedModule
        setOfflineMutations(loadedModule)
      },
      () => {},
    )
  }, [services, isNeeded, offlineMutations])
  return isNeeded ? offlineMutations : undefined
}
