import { type ReactNode, useLayoutEffect } from 'react'
import type { Site } from '../../contract/site.ts'
import { UpdatePrompt } from '../features/update/update-prompt.tsx'
import { ServicesProvider } from '../hooks/services.tsx'
import { replayEvents, takeEarlyEvents } from '../platform/early-events.ts'
import { readInitialData } from '../platform/initial-data.ts'
import type { AppInstaller } from '../platform/install.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
import { lazyWithRetry } from '../ui/lazy-with-retry.tsx'

/** The radio on a subscriber's site. Its code is loaded after the page is shown. */
export const RadioWidget = lazyWithRetry(() => import('../features/radio/radio-widget.tsx').then((module) => module.RadioWidget))

/** Replays input that was recorded before hydration, after the first commit of `children`. */
function ReplayEvents({ hydrationStartMs, children }: { hydrationStartMs: number; children: ReactNode }) {
  useLayoutEffect(() => {
    const events = takeEarlyEvents(hydrationStartMs)
    void waitForNextTask().then(() => replayEvents(events))
  }, [hydrationStartMs])
  return children
}

/** Creates the page of a host that serves a radio or a subscriber's site. Called in the browser; the page's code is loaded on demand. */
export async function createRadioOrSubscriberPage(site: Site, appInstaller: AppInstaller): Promise<ReactNode> {
  const initialData = readInitialData(document)
  const page =
    site.host_class === 'radio'
      ? (await import('../features/radio/radio-site.tsx')).createRadioSite(<UpdatePrompt />, site, appInstaller, initialData)
      : await createSubscriberSite(site, appInstaller, initialData)
  return <ReplayEvents hydrationStartMs={performance.now()}>{page}</ReplayEvents>
}

async function createSubscriberSite(
  site: Site,
  appInstaller: AppInstaller,
  { subscriber }: ReturnType<typeof readInitialData>,
): Promise<ReactNode> {
  const [{ SubscriberSitePage }, { RadioDock }] = await Promise.all([
    import('../features/website/public-page.tsx'),
    import('../features/radio/radio-dock.tsx'),
  ])
  return (
    <ServicesProvider services={{ kind: 'subscriber', site, install: appInstaller }}>
      <SubscriberSitePage initialInfo={subscriber} isNotFound={location.pathname !== '/'} radio={<RadioWidget />} />
      <RadioDock />
    </ServicesProvider>
  )
}
