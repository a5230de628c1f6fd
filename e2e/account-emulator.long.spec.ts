import { openEmulatorPeer } from './identity/emulator-peer.ts'
import { test as base } from './identity/journey-test.ts'
import { declareDifferenceCheck, declareJourneys } from './identity/journeys.ts'
import type { IdentityPeer } from './identity/peer.ts'

const test = base.extend<object, { peer: IdentityPeer }>({
  peer: [
    async ({ browserName: _ }, use) => {
      const peer = await openEmulatorPeer()
      await use(peer)
      await peer.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

declareJourneys(test)
declareDifferenceCheck(test)
