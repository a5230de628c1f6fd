import type { ReactNode } from 'react'
import type { Site } from '../../contract/site.ts'
import { readInitialData } from '../platform/initial-data.ts'
import type { Install } from '../platform/install.ts'

/** Creates the page of a host other than the main one. */
export async function createHostPage(site: Site, install: Install): Promise<ReactNode> {
  if (site.host_class === 'radio') {
    const { createRadioSite } = await import('./radio-site.tsx')
    return createRadioSite(site, install, readInitialData(document))
  }
  const { createSubscriberSite } = await import('./subscriber-site.tsx')
  return createSubscriberSite(site, install, readInitialData(document))
}
