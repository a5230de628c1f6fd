import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { type Services, ServicesProvider } from '../bindings/services.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import { followLaunches } from './launches.ts'
import { followLinks } from './links.ts'
import type { AppRouter } from './router.tsx'

/** The brand's main site: its routes over its services. */
export function MainSite({ services, router }: { services: Services; router: AppRouter }) {
  useEffect(() => followLinks(document, router), [router])
  useEffect(() => followLaunches(window, router), [router])
  return (
    <ServicesProvider services={services}>
      <ToastRegion>
        <RouterProvider router={router} />
      </ToastRegion>
    </ServicesProvider>
  )
}
