import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react'
import { preloadOfflineMessage } from '../features/offline/offline-strip.tsx'
import { preloadDock } from '../features/player/dock.tsx'
import { type Services, ServicesProvider } from '../hooks/services.tsx'
import { replayEvents, takeEarlyEvents } from '../platform/early-events.ts'
import { waitUntilIdle } from '../platform/idle.ts'
import { handleAppLaunches } from '../platform/launches.ts'
import { waitForNextTask } from '../primitives/next-task.ts'
import { preloadToasts, ToastRegion } from '../ui/toast.tsx'
import { routeLinkClicks } from './links.ts'
import type { AppRouter } from './router.tsx'

interface MainSiteProps {
  services: Services
  router: AppRouter
  /** The start of the page's hydration, as a time of `performance.now()`; undefined if the page is not hydrated. */
  hydrationStartMs?: number
}

/** Root component of the main site: provides services, toasts and the router. */
export function MainSite({ services, router, hydrationStartMs }: MainSiteProps) {
  const uid = useSyncExternalStore(
    services.identity.subscribe,
    () => services.identity.getSnapshot()?.uid,
    () => undefined,
  )
  useEffect(() => routeLinkClicks(document, router), [router])
  useEffect(() => handleAppLaunches(window, router), [router])
  useEffect(() => {
    waitUntilIdle()
      .then(() => Promise.all([services.loadPlayer(), preloadDock(), preloadToasts(), preloadOfflineMessage()]))
      .catch(() => {
        // A failed preload is ignored, because each chunk is requested again when it is first used.
      })
  }, [services])
  useLayoutEffect(() => {
    const events = takeEarlyEvents(hydrationStartMs)
    void waitForNextTask().then(() => replayEvents(events))
  }, [hydrationStartMs])
  return (
    <ServicesProvider services={services}>
      <ToastRegion accountUid={uid}>
        <RouterProvider router={router} />
      </ToastRegion>
    </ServicesProvider>
  )
}
