import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CatalogueStore } from '../../client/data/store.ts'
import { openSite, type Site } from './site.ts'
import { type Plan, type Planted, plans, play } from './world.ts'

/** How many plans are tried; more with `npm run test:long`. */
const RUNS = Number(process.env.FAVORITES_RUNS ?? 250)
const SONGS = ['AAAAAAAAAA1', 'AAAAAAAAAA2', 'AAAAAAAAAA3', 'AAAAAAAAAA4']

let site: Site
let accounts = 0
beforeAll(async () => {
  site = await openSite(SONGS.map((youtube_id, index) => ({ youtube_id, title: `Song ${index}` })))
})
afterAll(() => site.close())

const wrongAfter = (plan: Plan, planted?: Planted) => play(site, plan, `account-${++accounts}`, SONGS, planted)

describe('favorites on several devices', () => {
  it(`are the same on all in the end, with every tap that counts (${RUNS} plans)`, async () => {
    const seed = Number(process.env.FAVORITES_SEED ?? Date.now() % 2 ** 31)
    process.stdout.write(`favorites: ${RUNS} plans, seed ${seed}\n`)
    await fc.assert(
      fc.asyncProperty(plans(SONGS.length, 40), async (plan) => expect(await wrongAfter(plan)).toEqual([])),
      { numRuns: RUNS, seed, endOnFailure: true },
    )
  }, 600_000)
})

/** Whether some plan shows that something is wrong; what fails otherwise fails the test. */
async function isFound(planted: Planted): Promise<boolean> {
  const failures: unknown[] = []
  const result = await fc.check(
    fc.asyncProperty(plans(SONGS.length, 40), async (plan) => {
      const wrong = await wrongAfter(plan, planted).catch((error: unknown) => failures.push(error))
      return typeof wrong === 'object' && wrong.length === 0
    }),
    { numRuns: 300, endOnFailure: true },
  )
  expect(failures).toEqual([])
  return result.failed
}

describe('a planted defect is found:', () => {
  it('the page forgets a tap before the site has answered', async () => {
    let last: CatalogueStore | undefined
    const store = (own: CatalogueStore) => {
      last = own
      return own
    }
    const request = async (body: string) => {
      await last?.change(async (tables) => tables.outbox.remove(await tables.outbox.keys()))
      return body
    }
    expect(await isFound({ store, request })).toBe(true)
  })

  it('taps go by the clock of the device alone', async () => {
    const store = (own: CatalogueStore): CatalogueStore => ({
      ...own,
      change: (work) =>
        own.change((tables) => work({ ...tables, favoriteClocks: { ...tables.favoriteClocks, get: async () => undefined } })),
    })
    expect(await isFound({ store })).toBe(true)
  })

  it('a change that comes again is applied again', async () => {
    const request = async (body: string) => body.replaceAll(/"id":"[^"]+"/g, () => `"id":"${crypto.randomUUID()}"`)
    expect(await isFound({ request })).toBe(true)
  })

  it('removals are forgotten', async () => {
    const request = async (body: string) => {
      const { changes, ...rest }: { changes: { favorite: boolean }[] } = JSON.parse(body)
      return JSON.stringify({ ...rest, changes: changes.filter(({ favorite }) => favorite) })
    }
    expect(await isFound({ request })).toBe(true)
  })
})
