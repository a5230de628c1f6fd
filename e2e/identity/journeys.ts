import { expect } from '../fixtures.ts'
import { type JourneyTest, observedFirebaseDifferences } from './journey-test.ts'
import { declareLoginTests } from './journeys-log-in.ts'
import { declarePasswordTests } from './journeys-password.ts'
import { declareSessionTests } from './journeys-session.ts'

/** Declares the account tests, which run with the site and identity service of the fixture `identitySite`. */
export function declareAccountJourneys(test: JourneyTest) {
  declareLoginTests(test)
  declarePasswordTests(test)
  declareSessionTests(test)
}

/**
 * Declares a final test, which expects that the tests before it have observed every known difference of the identity service from Firebase.
 * All these tests run in the same worker.
 */
export function declareFirebaseDifferenceCheck(test: JourneyTest) {
  test('every listed difference of the identity service was checked by a test', async ({ identitySite }) => {
    expect([...observedFirebaseDifferences].sort()).toEqual(Object.keys(identitySite.knownDifferences).sort())
  })
}
