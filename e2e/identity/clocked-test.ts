import { test as base } from '../fixtures.ts'
import { type ClockedSite, startClockedSite } from './clocked-site.ts'

/** A test function with the fixture `clocked`: a site whose clock the test can advance. Each worker has its own site. */
export const test = base.extend<object, { clockedSite: ClockedSite }>({
  clockedSite: [
    async ({ browserName: _ }, use) => {
      const site = await startClockedSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ clockedSite: clocked }, use) => use(clocked.origin),
})
