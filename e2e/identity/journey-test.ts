import type { BrowserContext, Page } from '@playwright/test'
import { test as base } from '../fixtures.ts'
import type { FirebaseDifference } from './peer.ts'

/** The differences that the tests of this worker have met. */
export const observedDifferences = new Set<FirebaseDifference>()

/** Waits for requests that still pass through a route, because closing the context during such a request fails the test. */
const waitForRoutes = (context: BrowserContext) => context.unrouteAll({ behavior: 'wait' })

/** A test function for journeys with the identity service of the fixture `peer`. */
export const test = base.extend<{ requestsRouted: undefined; otherPage: Page; hasDifference: (difference: FirebaseDifference) => boolean }>(
  {
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
    hasDifference: async ({ peer }, use, testInfo) =>
      use((difference) => {
        const description = peer.knownDifferences[difference]
        if (description === undefined) return false
        observedDifferences.add(difference)
        testInfo.annotations.push({ type: `difference between ${peer.name} and Firebase`, description })
        console.log(`    difference between ${peer.name} and Firebase: ${description}`)
        return true
      }),
  },
)

export type JourneyTest = typeof test
