import fc from 'fast-check'
import { expect } from 'vitest'
import { openSite, type Site } from './site.ts'
import { type Plan, type Planted, plans, play } from './world.ts'

const SONGS = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'AAAAAAAAAA4']
const SIZE = { songs: SONGS.length, devices: 4, steps: 40 }
/** Where defects show most often. */
const SMALL = { songs: 1, devices: 2, steps: 20 }

/** Plays random plans against one site, each in an account of its own. */
export async function openPlans() {
  const site: Site = await openSite(SONGS.map((youtube_id, index) => ({ youtube_id, title: `Song ${index}` })))
  let accounts = 0
  return {
    /** `FAVORITES_SEED` and `FAVORITES_RUNS` play what failed again. */
    async hold(usualRuns: number): Promise<void> {
      const runs = Number(process.env.FAVORITES_RUNS ?? usualRuns)
      const seed = Number(process.env.FAVORITES_SEED ?? Date.now() % 2 ** 31)
      process.stdout.write(`favorites on several devices: ${runs} plans, seed ${seed}\n`)
      await fc.assert(
        fc.asyncProperty(plans(SIZE), async (plan) => {
          expect(await play(site, plan, `account-${++accounts}`, SONGS)).toEqual([])
        }),
        { numRuns: runs, seed, endOnFailure: true },
      )
    },

    /** What is wrong after one plan; see `play`. */
    wrongAfter: (plan: Plan, planted?: Planted) => play(site, plan, `account-${++accounts}`, SONGS, planted),

    /** Whether some small plan shows that something is wrong; what fails otherwise fails the test. */
    async find(planted: Planted): Promise<boolean> {
      const failures: unknown[] = []
      const result = await fc.check(
        fc.asyncProperty(plans(SMALL), async (plan) => {
          const wrong = await play(site, plan, `account-${++accounts}`, SONGS.slice(0, SMALL.songs), planted).catch((error: unknown) => {
            failures.push(error)
            return []
          })
          return wrong.length === 0
        }),
        { numRuns: 1000, endOnFailure: true },
      )
      expect(failures).toEqual([])
      return result.failed
    },

    close: () => site.close(),
  }
}
