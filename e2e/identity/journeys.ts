import { expect } from '../fixtures.ts'
import { type JourneyTest, observedDifferences } from './journey-test.ts'
import { declareLoginTests } from './journeys-log-in.ts'
import { declarePasswordTests } from './journeys-password.ts'
import { declareSessionTests } from './journeys-session.ts'

/** Declares the account tests for the identity service of the fixture `peer`. */
export function declareJourneys(test: JourneyTest) {
  declareLoginTests(test)
  declarePasswordTests(test)
  declareSessionTests(test)
}

/**
 * Declares a final test for an identity service with known differences from Firebase. It runs in the same worker as the tests before it.
 */
export function declareDifferenceCheck(test: JourneyTest) {
  test('every listed difference of the identity service was checked by a test', async ({ peer }) => {
    expect([...observedDifferences].sort()).toEqual(Object.keys(peer.knownDifferences).sort())
  })
}
