import { test as base } from '../fixtures.ts'
import { type SiteWithTestClock, startSiteWithTestClock } from './site-with-test-clock.ts'

/** A test function with the fixture `clockedSite`: a site whose clock the test can advance. Each worker has its own site. */
export const test = base.extend<object, { clockedSite: SiteWithTestClock }>({
  clockedSite: [
    async ({ browserName: _ }, use) => {
      const site = await startSiteWithTestClock()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ clockedSite: clocked }, use) => use(clocked.origin),
})
