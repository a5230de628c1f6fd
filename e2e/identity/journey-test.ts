import type { BrowserContext, Page } from '@playwright/test'
import { test as base } from '../fixtures.ts'
import type { FirebaseDifference } from './identity-test-site.ts'

/** The differences from a Firebase project that the tests of this worker have observed. */
export const observedFirebaseDifferences = new Set<FirebaseDifference>()

/** Waits for requests that still pass through a route, because closing the context during such a request fails the test. */
const waitForRoutes = (context: BrowserContext) => context.unrouteAll({ behavior: 'wait' })

/** A test function for account tests that run with the site and identity service of the fixture `identitySite`. */
export const test = base.extend<{ requestsRouted: undefined; otherPage: Page; hasDifference: (difference: FirebaseDifference) => boolean }>(
  {
    baseURL: async ({ identitySite }, use) => use(identitySite.origin),
    requestsRouted: [
      async ({ context, faults, identitySite }, use) => {
        for (const expectedFault of identitySite.expectedErrors) faults.expect(expectedFault)
        await identitySite.routeRequests(context)
        await use(undefined)
        await waitForRoutes(context)
      },
      { auto: true },
    ],
    /** A page in another browser, which shares no storage with the first one. */
    otherPage: async ({ browser, identitySite }, use) => {
      const context = await browser.newContext()
      await identitySite.routeRequests(context)
      await use(await context.newPage())
      await waitForRoutes(context)
      await context.close()
    },
    /** Returns whether the identity service differs from a Firebase project in this way, and adds the difference to the test report. */
    hasDifference: async ({ identitySite }, use, testInfo) =>
      use((difference) => {
        const differenceText = identitySite.knownDifferences[difference]
        if (differenceText === undefined) return false
        observedFirebaseDifferences.add(difference)
        testInfo.annotations.push({ type: `difference between ${identitySite.serviceName} and Firebase`, description: differenceText })
        console.log(`    difference between ${identitySite.serviceName} and Firebase: ${differenceText}`)
        return true
      }),
  },
)

export type JourneyTest = typeof test
