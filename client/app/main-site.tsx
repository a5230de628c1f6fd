import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useLayoutEffect } from 'react'
import { type Services, ServicesProvider } from '../bindings/services.tsx'
import { type EarlyEvent, replay, takeEarlyEvents } from '../platform/early-events.ts'
import { nextTask } from '../platform/next-task.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { followLaunches } from './launches.ts'
import { followLinks } from './links.ts'
import type { AppRouter } from './router.tsx'

interface MainSiteProps {
  services: Services
  router: AppRouter
  /** What a person did before the program took over the page; where it is made anew, that is taken once it stands there. */
  early?: readonly EarlyEvent[]
}

/** The brand's main site: its routes over its services. */
export function MainSite({ services, router, early }: MainSiteProps) {
  useEffect(() => followLinks(document, router), [router])
  useEffect(() => followLaunches(window, router), [router])
  useLayoutEffect(() => {
    const events = early ?? takeEarlyEvents()
    void nextTask().then(() => replay(events))
  }, [early])
  return (
    <ServicesProvider services={services}>
      <ToastRegion>
        <RouterProvider router={router} />
      </ToastRegion>
    </ServicesProvider>
  )
}
