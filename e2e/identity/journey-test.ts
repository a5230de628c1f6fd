import type { Page } from '@playwright/test'
import { test as base } from '../fixtures.ts'
import type { Gap, IdentityPeer } from './peer.ts'

/** Tests that run against a service of accounts, which is started once for a worker. */
export function testWith(openPeer: () => Promise<IdentityPeer>) {
  return base.extend<{ entered: undefined; otherPage: Page; lacks: (gap: Gap) => boolean }, { peer: IdentityPeer; metGaps: Set<Gap> }>({
    peer: [
      async ({ browserName: _ }, use) => {
        const peer = await openPeer()
        await use(peer)
        await peer.stop()
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    metGaps: [async ({ browserName: _ }, use) => use(new Set()), { scope: 'worker' }],
    baseURL: async ({ peer }, use) => use(peer.origin),
    entered: [
      async ({ context, faults, peer }, use) => {
        for (const fault of peer.faults) faults.expect(fault)
        await peer.enter(context)
        await use(undefined)
      },
      { auto: true },
    ],
    /** A page in another browser. */
    otherPage: async ({ browser, peer }, use) => {
      const context = await browser.newContext()
      await peer.enter(context)
      await use(await context.newPage())
      await context.close()
    },
    /** Whether the service differs here: then the test is about what it does instead, and says so. */
    lacks: async ({ peer, metGaps }, use, testInfo) =>
      use((gap) => {
        const sentence = peer.gaps[gap]
        if (sentence === undefined) return false
        metGaps.add(gap)
        testInfo.annotations.push({ type: `gap of ${peer.name}`, description: sentence })
        console.log(`    gap of ${peer.name}: ${sentence}`)
        return true
      }),
  })
}

export type JourneyTest = ReturnType<typeof testWith>
