import { expect } from '../fixtures.ts'
import { testWith } from './journey-test.ts'
import { declareLogIns } from './journeys-log-in.ts'
import { declarePasswords } from './journeys-password.ts'
import { declareSessions } from './journeys-session.ts'
import type { IdentityPeer } from './peer.ts'

/** What people do with their accounts, whichever service keeps them. */
export function declareJourneys(openPeer: () => Promise<IdentityPeer>) {
  const test = testWith(openPeer)
  declareLogIns(test)
  declarePasswords(test)
  declareSessions(test)
  return test
}

/** For a peer with gaps: the last of its tests, in the worker of all of them. */
export function declareGapsMet(test: ReturnType<typeof testWith>) {
  test('each gap of the table was met by a test', async ({ peer, metGaps }) => {
    expect([...metGaps].sort()).toEqual(Object.keys(peer.gaps).sort())
  })
}
