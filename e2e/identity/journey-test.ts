import type { BrowserContext, Page } from '@playwright/test'
import { test as base } from '../fixtures.ts'
import type { ServiceGap } from './peer.ts'

/** The differences that the tests of this worker have met. */
export const metGaps = new Set<ServiceGap>()

/** Waits for requests that still pass through a route, because closing the context during such a request fails the test. */
const waitForRoutes = (context: BrowserContext) => context.unrouteAll({ behavior: 'wait' })

/** A test function for journeys with the identity service of the fixture `peer`. */
export const test = base.extend<{ requestsRouted: undefined; otherPage: Page; hasGap: (gap: ServiceGap) => boolean }>({
  baseURL: async ({ peer }, use) => use(peer.origin),
  requestsRouted: [
    async ({ context, faults, peer }, use) => {
      for (const expectedFault of peer.expectedErrors) faults.expect(expectedFault)
      await peer.routeRequests(context)
      await use(undefined)
      await waitForRoutes(context)
    },
    { auto: true },
  ],
  /** A page in another browser, which shares no storage with the first one. */
  otherPage: async ({ browser, peer }, use) => {
    const context = await browser.newContext()
    await peer.routeRequests(context)
    await use(await context.newPage())
    await waitForRoutes(context)
    await context.close()
  },
  /** Returns whether the identity service differs from a Firebase project in this way, and adds the difference to the test report. */
  hasGap: async ({ peer }, use, testInfo) =>
    use((gap) => {
      const description = peer.knownGaps[gap]
      if (description === undefined) return false
      metGaps.add(gap)
      testInfo.annotations.push({ type: `gap of ${peer.name}`, description })
      console.log(`    gap of ${peer.name}: ${description}`)
      return true
    }),
})

export type JourneyTest = typeof test
