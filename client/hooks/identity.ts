import { useSyncExternalStore } from 'react'
import type { Identity } from '../platform/identity.ts'
import type { SignedInAccount } from '../platform/identity-types.ts'
import { useIsHydrated } from './hydration.ts'
import { useServices } from './services.tsx'

export type { SignedInAccount } from '../platform/identity-types.ts'

const getNoPerson = () => undefined

export const useIdentity = (): Identity => useServices().identity

/** Returns the signed-in account's email and uid. `undefined` if no account is signed in, and while the page hydrates. */
export function useSignedInAccount(): SignedInAccount | undefined {
  const identity = useIdentity()
  return useSyncExternalStore(identity.subscribe, identity.getSnapshot, getNoPerson)
}

/** Returns whether the page knows if an account is signed in. It does not know during server rendering and hydration. */
export const useIsAccountKnown = useIsHydrated
