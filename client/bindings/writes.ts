import { useEffect, useState } from 'react'
import { usePerson } from './identity.ts'
import { useServices, type Writes } from './services.tsx'

/** `undefined` until it has come, for good where it does not come, and where nobody is signed in. */
export function useWrites(): Writes | undefined {
  const services = useServices()
  const signedIn = usePerson() !== undefined
  const [writes, setWrites] = useState<Writes>()
  useEffect(() => {
    if (!signedIn) return
    services.writes().then(setWrites, () => {})
  }, [services, signedIn])
  return signedIn ? writes : undefined
}
