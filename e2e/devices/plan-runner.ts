import fc from 'fast-check'
import { expect } from 'vitest'
import { createPlanArbitrary, type PlantedDefects, runSimulationPlan, type SimulationPlan } from './simulation.ts'
import { openSimulationSite, type SimulationSite } from './site.ts'

const SONG_IDS = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'AAAAAAAAAA4']
const PLAN_SIZE = { songs: SONG_IDS.length, devices: 4, steps: 40 }
/** The size of the random plans. Plans of this size reveal defects most often. */
const SMALL_PLAN_SIZE = { songs: 1, devices: 2, steps: 20 }

/** Starts a server. Returns functions that run random plans with it, each plan with a separate account. */
export async function openPlanRunner() {
  const site: SimulationSite = await openSimulationSite(SONG_IDS.map((youtube_id, index) => ({ youtube_id, title: `Song ${index}` })))
  let accountCount = 0
  return {
    /** Expects that random plans find no inconsistency. With `FAVORITES_SEED` and `FAVORITES_RUNS`, a failed run can be repeated. */
    async expectConsistent(defaultRuns: number): Promise<void> {
      const runCount = Number(process.env.FAVORITES_RUNS ?? defaultRuns)
      const seed = Number(process.env.FAVORITES_SEED ?? Date.now() % 2 ** 31)
      process.stdout.write(`favorites on several devices: ${runCount} plans, seed ${seed}\n`)
      await fc.assert(
        fc.asyncProperty(createPlanArbitrary(PLAN_SIZE), async (plan) => {
          expect(await runSimulationPlan(site, plan, `account-${++accountCount}`, SONG_IDS)).toEqual([])
        }),
        { numRuns: runCount, seed, endOnFailure: true },
      )
    },

    /** Runs one plan. Returns a description of each inconsistency. */
    run: (plan: SimulationPlan, defects?: PlantedDefects) => runSimulationPlan(site, plan, `account-${++accountCount}`, SONG_IDS, defects),

    /** Returns whether small random plans reveal the given defects. An exception during a plan fails the test. */
    async reveals(defects: PlantedDefects): Promise<boolean> {
      const errors: unknown[] = []
      const checkResult = await fc.check(
        fc.asyncProperty(createPlanArbitrary(SMALL_PLAN_SIZE), async (plan) => {
          const inconsistencies = await runSimulationPlan(
            site,
            plan,
            `account-${++accountCount}`,
            SONG_IDS.slice(0, SMALL_PLAN_SIZE.songs),
            defects,
          ).catch((error: unknown) => {
            errors.push(error)
            return []
          })
          return inconsistencies.length === 0
        }),
        { numRuns: 1000, endOnFailure: true },
      )
      expect(errors).toEqual([])
      return checkResult.failed
    },

    close: () => site.close(),
  }
}
