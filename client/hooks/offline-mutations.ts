import { useEffect, useState } from 'react'
import { useSignedInAccount } from './identity.ts'
import { type OfflineMutations, type Services, useServices } from './services.tsx'

/** The loaded offline mutations, so that components that mount later get them on their first render. */
const loadedMutations = new WeakMap<Services, OfflineMutations>()

/** Returns the offline mutations; `undefined` until their chunk is loaded. Loads for anonymous people only with `allowAnonymous`. */
export function useOfflineMutations({ allowAnonymous = false } = {}): OfflineMutations | undefined {
  const services = useServices()
  const isNeeded = useSignedInAccount() !== undefined || allowAnonymous
  const [offlineMutations, setOfflineMutations] = useState(() => loadedMutations.get(services))
  useEffect(() => {
    if (!isNeeded || offlineMutations) return
    services.offlineMutations().then(
      (loadedModule) => {
        loadedMutations.set(services, loadedModule)
        setOfflineMutations(loadedModule)
      },
      () => {},
    )
  }, [services, isNeeded, offlineMutations])
  return isNeeded ? offlineMutations : undefined
}
