import { useEffect, useState } from 'react'
import { usePerson } from './identity.ts'
import { type Services, useServices, type Writes } from './services.tsx'

/** What has come: rows of a long list that are shown later have it at once. */
const here = new WeakMap<Services, Writes>()

/** `undefined` until it has come, for good where it does not come. `whoever`: when nobody is signed in as well. */
export function useWrites({ whoever = false } = {}): Writes | undefined {
  const services = useServices()
  const wanted = usePerson() !== undefined || whoever
  const [writes, setWrites] = useState(() => here.get(services))
  useEffect(() => {
    if (!wanted || writes) return
    services.writes().then(
      (loaded) => {
        here.set(services, loaded)
        setWrites(loaded)
      },
      () => {},
    )
  }, [services, wanted, writes])
  return wanted ? writes : undefined
}
