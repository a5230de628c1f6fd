import fc from 'fast-check'
import { expect } from 'vitest'
import { createTestSong } from '../../client/data/testing/rows.ts'
import type { Song } from '../../contract/song.ts'
import type { LawViolation } from './history.ts'
import { createPlanArbitrary, type PlanSize, type PlantedDefects, runSimulationPlan, type SimulationPlan } from './simulation.ts'
import { openSimulationSite, openStoreSite, type SimulationSite } from './site.ts'
import { createFavoriteWorkload, createFollowWorkload, createPlaylistWorkload, type Workload } from './workloads.ts'

const SONGS: readonly Song[] = [1, 2, 3, 4].map((index) => createTestSong(index, { author_name: `Artist ${index}` }))
const PLAN_SIZE: PlanSize = { deviceCount: 5, stepCount: 40, hasRestarts: true }
/** The size of the random plans that reveal planted defects. Plans of this size reveal defects most often. */
const SMALL_PLAN_SIZE: PlanSize = { deviceCount: 2, stepCount: 20, hasRestarts: false }

export const workloadByName = {
  favorites: createFavoriteWorkload(SONGS),
  'a single favorite': createFavoriteWorkload(SONGS.slice(0, 1)),
  'own playlists': createPlaylistWorkload(SONGS),
  follows: createFollowWorkload(SONGS),
  'a single follow': createFollowWorkload(SONGS.slice(0, 1)),
  'titles of own playlists': createPlaylistWorkload(SONGS, { isTitlesOnly: true }),
}

/**
 * Opens a server, by default without its routes. Returns functions that run random plans with it, each with an account of its own. The variables
 * `DEVICES_SEED` and `DEVICES_RUNS` repeat a failed run.
 */
export async function openPlanRunner({ withRoutes = false } = {}) {
  const site: SimulationSite = await (withRoutes ? openSimulationSite(SONGS) : openStoreSite(SONGS))
  let accountCount = 0

  const runPlan = <E>(workload: Workload<E>, plan: SimulationPlan<E>, defects?: PlantedDefects): Promise<LawViolation[]> =>
    runSimulationPlan(site, workload, plan, `account-${++accountCount}`, defects)

  return {
    /** Runs one plan. Returns the violations of consistency laws. */
    run: runPlan,

    /** Expects that random plans break no law. */
    async expectLawful<E>(workloadName: string, workload: Workload<E>, defaultRuns: number): Promise<void> {
      const runCount = Number(process.env.DEVICES_RUNS ?? defaultRuns)
      const planSeed = Number(process.env.DEVICES_SEED ?? Date.now() % 2 ** 31)
      process.stdout.write(`${workloadName} on several devices: ${runCount} histories, DEVICES_SEED=${planSeed}\n`)
      await fc.assert(
        fc.asyncProperty(createPlanArbitrary(workload, PLAN_SIZE), async (plan) => {
          expect(await runPlan(workload, plan)).toEqual([])
        }),
        { numRuns: runCount, seed: planSeed, endOnFailure: process.env.DEVICES_SEED === undefined },
      )
    },

    /** Returns the laws that the first failing small plan breaks with the given defects. An exception during a plan fails the test. */
    async findBrokenLaws<E>(workload: Workload<E>, defects: PlantedDefects): Promise<string[]> {
      const runErrors: unknown[] = []
      let brokenLaws: string[] = []
      await fc.check(
        fc.asyncProperty(createPlanArbitrary(workload, SMALL_PLAN_SIZE), async (plan) => {
          const lawViolations = await runPlan(workload, plan, defects).catch((error: unknown) => {
            runErrors.push(error)
            return []
          })
          brokenLaws = [...new Set(lawViolations.map(({ law }) => law))]
          return lawViolations.length === 0
        }),
        { numRuns: 1000, endOnFailure: true },
      )
      expect(runErrors).toEqual([])
      return brokenLaws
    },

    close: () => site.close(),
  }
}
