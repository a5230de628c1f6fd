import { useEffect, useState } from 'react'
import { startInterval } from '../primitives/scope.ts'
import { useSignedInAccount } from './identity.ts'
import { createOncePerPage } from './repositories.ts'
import { type OfflineMutations, type Services, useServices } from './services.tsx'

/** The milliseconds after which the chunk is loaded again if loading failed. */
export const RELOAD_AFTER_MS = 10_000

const getMutationsCache = createOncePerPage((): { loaded?: OfflineMutations } => ({}))

/**
 * Loads the offline mutations, so that components that are rendered later have them on their first render. Rejects if their chunk cannot be
 * loaded.
 */
export async function loadOfflineMutations(services: Services): Promise<OfflineMutations> {
  const loaded = await services.offlineMutations()
  getMutationsCache(services).loaded = loaded
  return loaded
}

/**
 * Returns the offline mutations; `undefined` until their chunk is loaded. If nobody is signed in, the chunk is loaded only with
 * `allowAnonymous`.
 */
export function useOfflineMutations({ allowAnonymous = false } = {}): OfflineMutations | undefined {
  const services = useServices()
  const areMutationsNeeded = useSignedInAccount() !== undefined || allowAnonymous
  const [offlineMutations, setOfflineMutations] = useState(() => getMutationsCache(services).loaded)
  useEffect(() => {
    if (!areMutationsNeeded || offlineMutations) return
    const loadMutations = () => void loadOfflineMutations(services).then(setOfflineMutations, () => {})
    loadMutations()
    return startInterval(loadMutations, RELOAD_AFTER_MS)
  }, [services, areMutationsNeeded, offlineMutations])
  return areMutationsNeeded ? offlineMutations : undefined
}
