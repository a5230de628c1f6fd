import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Services, ServicesProvider } from '../bindings/services.tsx'
import { type EarlyEvent, replay } from '../platform/early-events.ts'
import { ToastRegion } from '../ui/toast.tsx'
import { followLaunches } from './launches.ts'
import { followLinks } from './links.ts'
import type { AppRouter } from './router.tsx'

interface MainSiteProps {
  services: Services
  router: AppRouter
  /** What a person did before the program took over the page. */
  early?: readonly EarlyEvent[]
}

/** The brand's main site: its routes over its services. */
export function MainSite({ services, router, early }: MainSiteProps) {
  useEffect(() => followLinks(document, router), [router])
  useEffect(() => followLaunches(window, router), [router])
  useEffect(() => void replay(early ?? []), [early])
  return (
    <ServicesProvider services={services}>
      <ToastRegion>
        <RouterProvider router={router} />
      </ToastRegion>
    </ServicesProvider>
  )
}
