import { useEffect, useLayoutEffect } from 'react'
import type { InitialData } from '../../contract/initial-data.ts'
import { readRadioQuery, stationPath } from '../../contract/radio-page.ts'
import type { Site } from '../../contract/site.ts'
import { RadioPage } from '../features/radio/radio-page.tsx'
import { RadioContext } from '../features/radio/use-radio.ts'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { ServicesProvider } from '../hooks/services.tsx'
import { type EarlyEvent, replayEvents, takeEarlyEvents } from '../platform/early-events.ts'
import type { Install } from '../platform/install.ts'
import type { RadioPlayer } from '../player/radio/radio-player-interface.ts'
import { nextTask } from '../primitives/next-task.ts'
import { followLaunches } from './launches.ts'
import { createRadioServices, type RadioServices } from './radio-services.ts'

interface RadioSiteProps {
  services: RadioServices
  /** Input recorded before hydration, replayed after the first commit. */
  earlyEvents?: readonly EarlyEvent[]
}

/** Root component of a radio host. */
export function RadioSite({ services, earlyEvents }: RadioSiteProps) {
  const { radio } = services
  useEffect(() => followAddress(radio), [radio])
  useLayoutEffect(() => {
    if (earlyEvents) void nextTask().then(() => replayEvents(earlyEvents))
  }, [earlyEvents])
  return (
    <ServicesProvider services={services}>
      <RadioContext value={services}>
        <RadioPage />
        <UpdatePrompt />
      </RadioContext>
    </ServicesProvider>
  )
}

/** Creates the page of a radio host in the browser. */
export const createRadioSite = (site: Site, install: Install, initialData: InitialData) => (
  <RadioSite services={createRadioServices(site, install, initialData)} earlyEvents={takeEarlyEvents()} />
)

/** Selects the station that the address names, and keeps the address at the chosen one, so that it can be shared. */
function followAddress(radio: RadioPlayer): () => void {
  const open = (address: string) => {
    const { station, startsPlayback } = readRadioQuery(new URL(address, location.origin).search)
    if (station) radio.setStation(station)
    if (startsPlayback) radio.play()
  }
  open(location.search)
  followLaunches(window, { history: { push: open } })
  let { station } = radio.getSnapshot()
  return radio.subscribe(() => {
    const chosen = radio.getSnapshot().station
    if (chosen === station) return
    station = chosen
    history.replaceState(null, '', station === 'main' ? '/' : stationPath(station))
  })
}
