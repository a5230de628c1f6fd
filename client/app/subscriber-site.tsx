import { useLayoutEffect } from 'react'
import type { InitialData } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'
import type { SubscriberInfo } from '../../contract/website.ts'
import { SubscriberPage } from '../features/website/public-page.tsx'
import { ServicesProvider, type SubscriberHostServices } from '../hooks/services.tsx'
import { type EarlyEvent, replayEvents, takeEarlyEvents } from '../platform/early-events.ts'
import type { Install } from '../platform/install.ts'
import { nextTask } from '../primitives/next-task.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

// Loaded after the page.
const RadioWidget = lazyWithRetry(() => import('../features/radio/radio-widget.tsx').then((module) => module.RadioWidget))

interface SubscriberSiteProps {
  services: SubscriberHostServices
  /** What the HTML says of the website; requested from the server if it is absent. */
  initialInfo: SubscriberInfo | undefined
  /** Whether the address is none of the site. */
  isNotFound: boolean
  /** Input recorded before hydration, replayed after the first commit. */
  earlyEvents?: readonly EarlyEvent[]
}

/** Root component of a subscriber's site. */
export function SubscriberSite({ services, initialInfo, isNotFound, earlyEvents }: SubscriberSiteProps) {
  useLayoutEffect(() => {
    if (earlyEvents) void nextTask().then(() => replayEvents(earlyEvents))
  }, [earlyEvents])
  return (
    <ServicesProvider services={services}>
      <SubscriberPage initialInfo={initialInfo} isNotFound={isNotFound} radio={<RadioWidget />} />
    </ServicesProvider>
  )
}

/** Creates the page of a subscriber's host in the browser. */
export const createSubscriberSite = (site: Site, install: Install, { subscriber }: InitialData) => (
  <SubscriberSite
    services={{ kind: 'subscriber', site, install }}
    initialInfo={subscriber}
    isNotFound={location.pathname !== '/'}
    earlyEvents={takeEarlyEvents()}
  />
)
