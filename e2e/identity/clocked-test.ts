import { test as base } from '../fixtures.ts'
import { type ClockedSite, startClockedSite } from './clocked-site.ts'

/** Tests of a site whose clock they turn, one for each worker. */
export const test = base.extend<object, { clocked: ClockedSite }>({
  clocked: [
    async ({ browserName: _ }, use) => {
      const site = await startClockedSite()
      await use(site)
      await site.stop()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: async ({ clocked }, use) => use(clocked.origin),
})
