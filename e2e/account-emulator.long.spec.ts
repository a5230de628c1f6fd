import { startEmulatorIdentitySite } from './identity/emulator-identity-site.ts'
import type { IdentityTestSite } from './identity/identity-test-site.ts'
import { test as base } from './identity/journey-test.ts'
import { declareAccountJourneys, declareFirebaseDifferenceCheck } from './identity/journeys.ts'

const test = base.extend<object, { identitySite: IdentityTestSite }>({
  identitySite: [
    async ({ browserName: _ }, workOnSite) => {
      const identitySite = await startEmulatorIdentitySite()
      await workOnSite(identitySite)
      await identitySite.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

declareAccountJourneys(test)
declareFirebaseDifferenceCheck(test)
