import { useSyncExternalStore } from 'react'

const subscribeToNothing = () => () => {}

/** Returns false during server rendering and hydration, and true afterwards. A component that is mounted later gets true from the start. */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
