import { type ReactNode, useEffect } from 'react'
import { followAddress, type RadioServices } from './radio-host.ts'
import { RadioPage } from './radio-page.tsx'
import { RadioContext } from './use-radio.ts'

/** The content of a radio host's page, with `children` below it. */
export function RadioSite({ services, children }: { services: RadioServices; children: ReactNode }) {
  const { radio } = services
  useEffect(() => followAddress(radio), [radio])
  return (
    <RadioContext value={services}>
      <RadioPage />
      {children}
    </RadioContext>
  )
}
