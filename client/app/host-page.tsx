import { type ReactNode, useLayoutEffect } from 'react'
import type { Site } from '../../contract/site.ts'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { type RadioHostServices, ServicesProvider, type SubscriberHostServices } from '../hooks/services.tsx'
import { type EarlyEvent, replayEvents, takeEarlyEvents } from '../platform/early-events.ts'
import { readInitialData } from '../platform/initial-data.ts'
import type { Install } from '../platform/install.ts'
import { nextTask } from '../primitives/next-task.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

/** The radio on a subscriber's site, loaded after the page. */
export const RadioWidget = lazyWithRetry(() => import('../features/radio/radio-widget.tsx').then((module) => module.RadioWidget))

interface HostPageProps {
  services: RadioHostServices | SubscriberHostServices
  /** Input recorded before hydration, replayed after the first commit. */
  earlyEvents?: readonly EarlyEvent[]
  children: ReactNode
}

/** Root component of the page of a radio or subscriber host. */
export function HostPage({ services, earlyEvents, children }: HostPageProps) {
  useLayoutEffect(() => {
    if (earlyEvents) void nextTask().then(() => replayEvents(earlyEvents))
  }, [earlyEvents])
  return <ServicesProvider services={services}>{children}</ServicesProvider>
}

/** Creates the page of a radio or subscriber host in the browser. Its code is loaded on demand. */
export async function createHostPage(site: Site, install: Install): Promise<ReactNode> {
  const initialData = readInitialData(document)
  if (site.host_class === 'radio') {
    const [{ RadioSite }, { createRadioServices }] = await Promise.all([
      import('../features/radio/radio-site.tsx'),
      import('../features/radio/radio-host.ts'),
    ])
    const services = createRadioServices(site, install, initialData)
    return (
      <HostPage services={services} earlyEvents={takeEarlyEvents()}>
        <RadioSite services={services}>
          <UpdatePrompt />
        </RadioSite>
      </HostPage>
    )
  }
  const { SubscriberPage } = await import('../features/website/public-page.tsx')
  return (
    <HostPage services={{ kind: 'subscriber', site, install }} earlyEvents={takeEarlyEvents()}>
      <SubscriberPage initialInfo={initialData.subscriber} isNotFound={location.pathname !== '/'} radio={<RadioWidget />} />
    </HostPage>
  )
}
