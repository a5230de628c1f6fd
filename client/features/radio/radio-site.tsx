import { type ReactNode, useEffect } from 'react'
import { ServicesProvider } from '../../hooks/services.tsx'
import { createRadioServices, type RadioServices, syncStationWithAddress } from './radio-host.ts'
import { RadioPage } from './radio-page.tsx'
import { RadioContext } from './use-radio.ts'

/** The page of a radio website, with `children` below its content. */
export function RadioSite({ services, children }: { services: RadioServices; children: ReactNode }) {
  const { radio } = services
  useEffect(() => syncStationWithAddress(radio), [radio])
  return (
    <ServicesProvider services={services}>
      <RadioContext value={services}>
        <RadioPage />
        {children}
      </RadioContext>
    </ServicesProvider>
  )
}

/** Creates the page of a radio website in the browser. */
export const createRadioSite = (children: ReactNode, ...args: Parameters<typeof createRadioServices>) => (
  <RadioSite services={createRadioServices(...args)}>{children}</RadioSite>
)
