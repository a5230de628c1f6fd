import { useEffect, useState } from 'react'
import { usePerson } from './identity.ts'
import { useServices, type Writes } from './services.tsx'

/** `undefined` until it has come, for good where it does not come. `whoever`: when nobody is signed in as well. */
export function useWrites({ whoever = false } = {}): Writes | undefined {
  const services = useServices()
  const wanted = usePerson() !== undefined || whoever
  const [writes, setWrites] = useState<Writes>()
  useEffect(() => {
    if (!wanted) return
    services.writes().then(setWrites, () => {})
  }, [services, wanted])
  return wanted ? writes : undefined
}
