import fc from 'fast-check'
import type { CatalogueStore } from '../../client/data/store.ts'
import { createDevice, type Device, type Tab } from './device.ts'
import type { Site } from './site.ts'

/** What becomes of one request. `late`: it is lost for the tab, and arrives some time after. `killed`: its tab is gone before the answer. */
export type Fate = 'answered' | 'lost' | 'answer lost' | 'twice' | 'late' | 'killed before' | 'killed after'

export type Step =
  | { kind: 'tap'; device: number; tab: number; songs: readonly number[]; favorite: boolean }
  /** All of these at once. */
  | { kind: 'sync'; tabs: readonly { device: number; tab: number; fates: readonly Fate[] }[] }
  | { kind: 'kill'; device: number; tab: number }
  | { kind: 'skew'; device: number; hours: number }
  | { kind: 'wait'; minutes: number }
  | { kind: 'arrive'; which: number }
  | { kind: 'restart' }

export interface Plan {
  devices: readonly { tabs: number; skewHours: number }[]
  steps: readonly Step[]
}

const index = fc.nat({ max: 11 })
const hours = fc.integer({ min: -12, max: 12 })
const fate = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>('answered') },
  fc.constantFrom<Fate>('lost', 'answer lost', 'twice', 'late', 'killed before', 'killed after'),
)

export interface PlanSize {
  songs: number
  devices: number
  steps: number
}

export const plans = ({ songs, devices, steps }: PlanSize): fc.Arbitrary<Plan> =>
  fc.record({
    devices: fc.array(fc.record({ tabs: fc.integer({ min: 1, max: 3 }), skewHours: hours }), { minLength: 2, maxLength: devices }),
    steps: fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('tap' as const),
            ...{ device: index, tab: index, favorite: fc.boolean() },
            songs: fc.array(fc.nat({ max: songs - 1 }), { minLength: 1, maxLength: 3 }),
          }),
        },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('sync' as const),
            tabs: fc.array(fc.record({ device: index, tab: index, fates: fc.array(fate, { maxLength: 3 }) }), {
              minLength: 1,
              maxLength: 4,
            }),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill' as const), device: index, tab: index }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('skew' as const), device: index, hours }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.nat({ max: 300 }) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('arrive' as const), which: index }) },
        // It takes as long as all the others.
        { weight: devices > 2 ? 1 : 0, arbitrary: fc.constant({ kind: 'restart' as const }) },
      ),
      { minLength: 1, maxLength: steps },
    ),
  })

/** A tap that its person may rely on. */
interface Kept {
  song: number
  favorite: boolean
  device: number
  /** The taps that its device had heard of, its own included. */
  knew: ReadonlySet<Kept>
}

/** Defects to plant, so that it shows that they are found. */
export interface Planted {
  store?: (store: CatalogueStore) => CatalogueStore
  /** What is sent in place of a request's body. */
  request?: (body: string) => Promise<string>
}

const MINUTE = 60_000

/** Plays a plan in an account of its own, lets all devices meet, and gives what is wrong then; empty where nothing is. */
export async function play(site: Site, plan: Plan, uid: string, songIds: readonly string[], planted: Planted = {}): Promise<string[]> {
  const token = await site.tokenOf(uid)
  const late: (() => Promise<unknown>)[] = []
  const fates = new Map<Tab, Fate[]>()
  const kept: Kept[] = []
  /** What each device has heard of. */
  const heard: Set<Kept>[] = plan.devices.map(() => new Set())
  /** What the site has heard of. */
  const told = new Set<Kept>()

  const byId = new Map<string, Kept>()

  const devices = plan.devices.map(({ skewHours }, number) => {
    const device = createDevice({
      nowMs: () => site.clockMs,
      tokenOf: async () => token,
      fetch: (tab, url, init) => request(tab, number, () => sent(url, init)),
      ...(planted.store && { broken: planted.store }),
    })
    device.skewMs = skewHours * 60 * MINUTE
    device.uid = uid
    return device
  })

  /**
   * Gives the site's answer, with the taps that it tells of for sure: those that were there before, and its own. A server that is stopped under
   * a request answers with 500, and tells of nothing.
   */
  async function sent(url: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) {
    const body = typeof init?.body === 'string' ? init.body : '{}'
    const before = [...told]
    const answer = await site.fetch(url, { ...init, body: (await planted.request?.(body)) ?? body })
    if (!answer.ok) return { answer, tells: [] }
    const { changes = [] }: { changes?: { id: string }[] } = JSON.parse(body)
    const own = changes.flatMap(({ id }) => byId.get(id) ?? [])
    for (const one of own) told.add(one)
    return { answer, tells: [...before, ...own] }
  }

  async function request(tab: Tab, number: number, send: () => ReturnType<typeof sent>): Promise<Response> {
    const refused = () => new TypeError('Failed to fetch')
    const fate = fates.get(tab)?.shift() ?? 'answered'
    if (fate === 'late') late.push(send)
    if (fate === 'late' || fate === 'lost') throw refused()
    if (fate === 'killed before') {
      tab.kill()
      throw refused()
    }
    const first = await send()
    if (fate === 'killed after') tab.kill()
    if (fate === 'killed after' || fate === 'answer lost') throw refused()
    const { answer, tells } = fate === 'twice' ? await send() : first
    for (const one of tells) heard[number]?.add(one)
    return answer
  }

  const tabs: Tab[][] = plan.devices.map(() => [])
  /** One that is open: who killed the last one opens another. */
  function tabOf(device: number, tab: number): { device: Device; number: number; tab: Tab } {
    const number = device % devices.length
    const [own, open] = [devices[number], tabs[number]]
    if (!own || !open) throw new Error('A plan has devices.')
    const place = tab % (plan.devices[number]?.tabs ?? 1)
    let found = open[place]
    if (!found || found.killed) {
      found = own.open()
      open[place] = found
    }
    return { device: own, number, tab: found }
  }
  async function tap(step: Extract<Step, { kind: 'tap' }>) {
    const { device, tab, number } = tabOf(step.device, step.tab)
    const known = heard[number]
    if (!known) return
    for (const each of step.songs) {
      const song = each % songIds.length
      site.clockMs += 1
      await tab.tap([{ songId: songIds[song] ?? '', favorite: step.favorite }])
      const one: Kept = { song, favorite: step.favorite, device: number, knew: new Set(known) }
      kept.push(one)
      known.add(one)
      for (const id of await device.waiting()) if (!byId.has(id)) byId.set(id, one)
    }
  }

  async function sync(step: Extract<Step, { kind: 'sync' }>) {
    await Promise.all(
      step.tabs.map(async ({ device, tab: tabIndex, fates: given }) => {
        const { tab } = tabOf(device, tabIndex)
        fates.set(tab, [...given])
        // Nothing comes of what a killed tab was about.
        await Promise.race([tab.sync(), tab.end])
      }),
    )
  }

  for (const step of plan.steps) {
    if (step.kind === 'tap') await tap(step)
    else if (step.kind === 'sync') await sync(step)
    else if (step.kind === 'kill') tabOf(step.device, step.tab).tab.kill()
    else if (step.kind === 'skew') (devices[step.device % devices.length] ?? { skewMs: 0 }).skewMs = step.hours * 60 * MINUTE
    else if (step.kind === 'wait') site.clockMs += step.minutes * MINUTE
    else if (step.kind === 'restart') await site.restart()
    else await late.splice(step.which % Math.max(1, late.length), 1)[0]?.()
  }

  // At last everything arrives, and every device meets the site; the second time for what the others told.
  for (const send of late.splice(0)) await send()
  for (let round = 0; round < 2; round++)
    for (const [number] of devices.entries()) {
      const { tab } = tabOf(number, 0)
      fates.delete(tab)
      await tab.sync()
    }
  const found = await judge(site, token, devices, uid, kept, songIds)
  for (const device of devices) device.close()
  return found
}

async function judge(
  site: Site,
  token: string,
  devices: readonly Device[],
  uid: string,
  kept: readonly Kept[],
  songIds: readonly string[],
): Promise<string[]> {
  const answer = await site.fetch('/api/favorite/getall', { headers: { authorization: `Bearer ${token}` } })
  const { data }: { data: { youtube_id: string }[] } = await answer.json()
  const onSite = data.map(({ youtube_id }) => youtube_id)
  const wrong: string[] = []
  for (const [number, device] of devices.entries()) {
    const here = await device.favorites(uid)
    if (here.join() !== onSite.join()) wrong.push(`device ${number} has [${here}], the site [${onSite}]`)
    if ((await device.waiting()).length > 0) wrong.push(`device ${number} has something that waits for ever`)
  }
  for (const [song, id] of songIds.entries()) {
    const taps = kept.filter((one) => one.song === song)
    const isFavorite = onSite.includes(id)
    if (taps.length === 0 && isFavorite) wrong.push(`${id} came from nowhere`)
    if (taps.length > 0 && taps.every(({ favorite }) => favorite !== isFavorite)) wrong.push(`${id}: nobody wanted it to be ${isFavorite}`)
    // A tap by one who knew of all others is the last word, whatever the clocks say.
    const last = taps.find((one) => taps.every((other) => other === one || one.knew.has(other)))
    if (last && last.favorite !== isFavorite)
      wrong.push(`${id} is ${isFavorite}, but the last who tapped it, knowing all, made it ${last.favorite}`)
  }
  return wrong
}
