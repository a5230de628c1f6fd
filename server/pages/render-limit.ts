import type { InitialData, Prerender } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'

/** The limit of simultaneous renderings: each blocks the event loop for 20 ms, and more would delay all other requests. */
const MAX_SIMULTANEOUS_RENDERS = 8

/** Creates the function that renders a page. It resolves to `undefined` beyond the limit of simultaneous renderings: the client then renders the page. */
export function createLimitedRender(prerender: Prerender | undefined) {
  let activeRenders = 0

  return async function renderWithinLimit(siteData: Site, address: string, data: InitialData): Promise<string | undefined> {
    if (activeRenders >= MAX_SIMULTANEOUS_RENDERS) return undefined
    activeRenders++
    try {
      return await prerender?.renderPage(siteData, address, data)
    } finally {
      activeRenders--
    }
  }
}
