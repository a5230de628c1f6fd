import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DiscordPeer, startDiscordPeer } from '../../discord/testing/discord-peer.ts'
import { acceptedCountByStep, lifeCommands, prepareAccounts, stepKindCount } from './life-commands.ts'
import { createModel } from './life-model.ts'
import { openLifeSite } from './life-site.ts'
import type { FuzzRun } from './run.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')

/**
 * Registers a test that calls the site in random sequences as three people would. After each call, compares what other people see with a
 * model.
 */
export function describeAccountLife({ seed, minutes }: FuzzRun): void {
  describe('random sequences of account actions', () => {
    let peer: DiscordPeer
    beforeAll(async () => {
      peer = await startDiscordPeer()
    })
    afterAll(() => peer.stop())

    it('after each step of any sequence, other people see what the model predicts, and a deleted account has left nothing', {
      timeout: 4 * 3_600_000,
    }, async () => {
      // `fc.commands` has no minimum length, and short sequences reach few states.
      const anySequence = fc.array(fc.oneof(...lifeCommands), { minLength: 80, maxLength: 80, size: 'max' })
      let runCount = 0
      let requestCount = 0
      const lifeProperty = fc.asyncProperty(anySequence, async (lifeCommands) => {
        const site = await openLifeSite(peer, START_MS)
        try {
          const model = createModel(START_MS)
          await prepareAccounts(model, site)
          await fc.asyncModelRun(() => ({ model, real: site }), lifeCommands)
        } finally {
          runCount++
          requestCount += site.requestCount()
          await site.close()
        }
      })
      await fc.assert(lifeProperty, {
        seed,
        // Shortening a failing sequence repeats many sequences, for which only a long run has the time.
        endOnFailure: minutes === undefined,
        ...(minutes === undefined ? { numRuns: 2 } : { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 }),
      })
      console.info(JSON.stringify({ seed, runs: runCount, requests: requestCount, steps: Object.fromEntries(acceptedCountByStep) }))
      if (minutes !== undefined) expect(acceptedCountByStep.size).toBe(stepKindCount)
    })
  })
}
