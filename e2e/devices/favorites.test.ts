import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CatalogueStore } from '../../client/data/store.ts'
import { openPlans } from './plans-hold.ts'
import type { Plan } from './world.ts'

const TIMEOUT_MS = 120_000
let site: Awaited<ReturnType<typeof openPlans>>
beforeAll(async () => {
  site = await openPlans()
})
afterAll(() => site.close())

it('favorites are the same on all devices in the end, with every tap that counts', () => site.hold(80), TIMEOUT_MS)

describe('a planted defect is found:', { timeout: TIMEOUT_MS }, () => {
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
    expect(await site.find({ store, request })).toBe(true)
  })

  it('taps go by the clock of the device alone', async () => {
    const store = (own: CatalogueStore): CatalogueStore => ({
      ...own,
      change: (work) =>
        own.change((tables) => work({ ...tables, favoriteClocks: { ...tables.favoriteClocks, get: async () => undefined } })),
    })
    expect(await site.find({ store })).toBe(true)
  })

  // Random plans come upon it too, but not soon enough for every run.
  it('a change that comes again is applied again', async () => {
    const plan: Plan = {
      devices: [
        { tabs: 1, skewHours: 12 },
        { tabs: 1, skewHours: 0 },
      ],
      steps: [
        { kind: 'tap', device: 0, tab: 0, songs: [0], favorite: true },
        { kind: 'sync', tabs: [{ device: 0, tab: 0, fates: ['answer lost'] }] },
        { kind: 'sync', tabs: [{ device: 1, tab: 0, fates: [] }] },
        { kind: 'tap', device: 1, tab: 0, songs: [0], favorite: false },
        { kind: 'sync', tabs: [{ device: 1, tab: 0, fates: [] }] },
      ],
    }
    const request = async (body: string) => body.replaceAll(/"id":"[^"]+"/g, () => `"id":"${crypto.randomUUID()}"`)
    expect(await site.wrongAfter(plan)).toEqual([])
    expect(await site.wrongAfter(plan, { request })).not.toEqual([])
  })

  it('removals are forgotten', async () => {
    const request = async (body: string) => {
      const { changes, ...rest }: { changes: { favorite: boolean }[] } = JSON.parse(body)
      return JSON.stringify({ ...rest, changes: changes.filter(({ favorite }) => favorite) })
    }
    expect(await site.find({ request })).toBe(true)
  })
})
