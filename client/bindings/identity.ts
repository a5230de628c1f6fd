import { useSyncExternalStore } from 'react'
import type { Identity } from '../platform/identity.ts'
import type { Person } from '../platform/person.ts'
import { useServices } from './services.tsx'

export type { Person } from '../platform/person.ts'

// What the server's HTML knows of who reads it.
const nobody = () => undefined

export const useIdentity = (): Identity => useServices().identity

/** Who is signed in; nobody as well while the page is still the server's. */
export function usePerson(): Person | undefined {
  const identity = useIdentity()
  return useSyncExternalStore(identity.subscribe, identity.getSnapshot, nobody)
}
