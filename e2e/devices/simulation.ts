import fc from 'fast-check'
import type { LocalDatabase } from '../../client/data/local-database.ts'
import { createSimulatedDevice, type SimulatedDevice, type SimulatedTab } from './device.ts'
import type { SimulationSite } from './site.ts'

/**
 * The outcome of one request on the simulated network. `delayed`: the tab sees a network error, and the server receives the request later.
 * `killed before`, `killed after`: the tab is killed before or after the server receives the request.
 */
export type RequestOutcome = 'answered' | 'lost' | 'response lost' | 'sent twice' | 'delayed' | 'killed before' | 'killed after'

export type SimulationStep =
  | { kind: 'edit'; device: number; tab: number; songs: readonly number[]; favorite: boolean }
  /** The tabs that sync at the same time in this step. */
  | { kind: 'sync'; tabs: readonly { device: number; tab: number; outcomes: readonly RequestOutcome[] }[] }
  | { kind: 'kill tab'; device: number; tab: number }
  | { kind: 'set clock skew'; device: number; hours: number }
  | { kind: 'advance clock'; minutes: number }
  | { kind: 'deliver delayed request'; index: number }
  | { kind: 'restart server' }

/** One simulated history: the devices, and the events that happen to them in order. */
export interface SimulationPlan {
  devices: readonly { tabs: number; skewHours: number }[]
  steps: readonly SimulationStep[]
}

const indexArbitrary = fc.nat({ max: 11 })
const hoursArbitrary = fc.integer({ min: -12, max: 12 })
const requestOutcome = fc.oneof(
  { weight: 4, arbitrary: fc.constant<RequestOutcome>('answered') },
  fc.constantFrom<RequestOutcome>('lost', 'response lost', 'sent twice', 'delayed', 'killed before', 'killed after'),
)

export interface PlanSize {
  songs: number
  devices: number
  steps: number
}

/** Creates an arbitrary that generates plans with at most the given numbers of songs, devices and steps. */
export const createPlanArbitrary = ({ songs, devices, steps }: PlanSize): fc.Arbitrary<SimulationPlan> =>
  fc.record({
    devices: fc.array(fc.record({ tabs: fc.integer({ min: 1, max: 3 }), skewHours: hoursArbitrary }), { minLength: 2, maxLength: devices }),
    steps: fc.array(
      fc.oneof(
        {
          weight: 6,
          arbitrary: fc.record({
            kind: fc.constant('edit' as const),
            device: indexArbitrary,
            tab: indexArbitrary,
            favorite: fc.boolean(),
            songs: fc.array(fc.nat({ max: songs - 1 }), { minLength: 1, maxLength: 3 }),
          }),
        },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('sync' as const),
            tabs: fc.array(
              fc.record({ device: indexArbitrary, tab: indexArbitrary, outcomes: fc.array(requestOutcome, { maxLength: 3 }) }),
              {
                minLength: 1,
                maxLength: 4,
              },
            ),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill tab' as const), device: indexArbitrary, tab: indexArbitrary }) },
        {
          weight: 1,
          arbitrary: fc.record({ kind: fc.constant('set clock skew' as const), device: indexArbitrary, hours: hoursArbitrary }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('advance clock' as const), minutes: fc.nat({ max: 300 }) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver delayed request' as const), index: indexArbitrary }) },
        // Only larger plans restart the server, because a restart takes as long as all other steps of a small plan together.
        { weight: devices > 2 ? 1 : 0, arbitrary: fc.constant({ kind: 'restart server' as const }) },
      ),
      { minLength: 1, maxLength: steps },
    ),
  })

/** A favorite edit that its device has stored. */
interface StoredEdit {
  songIndex: number
  favorite: boolean
  device: number
  /** The edits that the device knew when this one was made, including its own earlier edits. */
  precedingEdits: ReadonlySet<StoredEdit>
}

/** Defects that a test plants to prove that the simulation finds them. */
export interface PlantedDefects {
  wrapDatabase?: (database: LocalDatabase) => LocalDatabase
  /** Returns the body that is sent instead of the body of a request. */
  replaceRequestBody?: (body: string) => Promise<string>
}

const MINUTE_MS = 60_000

/** Runs a plan with a separate account, and syncs all devices at the end. Returns a description of each inconsistency. */
export async function runSimulationPlan(
  site: SimulationSite,
  plan: SimulationPlan,
  uid: string,
  songIds: readonly string[],
  defects: PlantedDefects = {},
): Promise<string[]> {
  const token = await site.createToken(uid)
  const delayedRequests: (() => Promise<unknown>)[] = []
  const outcomesByTab = new Map<SimulatedTab, RequestOutcome[]>()
  const storedEdits: StoredEdit[] = []
  /** For each device, by index, the edits that have reached it. */
  const editsOnDevice: Set<StoredEdit>[] = plan.devices.map(() => new Set())
  const editsOnServer = new Set<StoredEdit>()

  const editsById = new Map<string, StoredEdit>()

  const devices = plan.devices.map(({ skewHours }, deviceIndex) => {
    const device = createSimulatedDevice({
      nowMs: () => site.clockMs,
      createToken: async () => token,
      fetch: (tab, url, init) => simulateRequest(tab, deviceIndex, () => sendRequest(url, init)),
      ...(defects.wrapDatabase && { wrapDatabase: defects.wrapDatabase }),
    })
    device.clockSkewMs = skewHours * 60 * MINUTE_MS
    device.uid = uid
    return device
  })

  /**
   * Returns the server's response and the edits that it certainly includes: those of earlier requests and of this request. If the server is
   * stopped during a request, the response is a 500, which includes no edits.
   */
  async function sendRequest(url: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) {
    const body = typeof init?.body === 'string' ? init.body : '{}'
    const earlierEdits = [...editsOnServer]
    const response = await site.fetch(url, { ...init, body: (await defects.replaceRequestBody?.(body)) ?? body })
    if (!response.ok) return { response, includedEdits: [] }
    const { changes = [] }: { changes?: { id: string }[] } = JSON.parse(body)
    const sentEdits = changes.flatMap(({ id }) => editsById.get(id) ?? [])
    for (const edit of sentEdits) editsOnServer.add(edit)
    return { response, includedEdits: [...earlierEdits, ...sentEdits] }
  }

  async function simulateRequest(tab: SimulatedTab, deviceIndex: number, send: () => ReturnType<typeof sendRequest>): Promise<Response> {
    const createNetworkError = () => new TypeError('Failed to fetch')
    const outcome = outcomesByTab.get(tab)?.shift() ?? 'answered'
    if (outcome === 'delayed') delayedRequests.push(send)
    if (outcome === 'delayed' || outcome === 'lost') throw createNetworkError()
    if (outcome === 'killed before') {
      tab.kill()
      throw createNetworkError()
    }
    const firstResult = await send()
    if (outcome === 'killed after') tab.kill()
    if (outcome === 'killed after' || outcome === 'response lost') throw createNetworkError()
    const { response, includedEdits } = outcome === 'sent twice' ? await send() : firstResult
    for (const edit of includedEdits) editsOnDevice[deviceIndex]?.add(edit)
    return response
  }

  const tabsByDevice: SimulatedTab[][] = plan.devices.map(() => [])
  /** Returns an open tab of a device. A killed tab is replaced by a new one. */
  function openTab(deviceNumber: number, tab: number): { device: SimulatedDevice; deviceIndex: number; tab: SimulatedTab } {
    const deviceIndex = deviceNumber % devices.length
    const [foundDevice, openTabs] = [devices[deviceIndex], tabsByDevice[deviceIndex]]
    if (!foundDevice || !openTabs) throw new Error('The plan has no devices.')
    const tabIndex = tab % (plan.devices[deviceIndex]?.tabs ?? 1)
    let foundTab = openTabs[tabIndex]
    if (!foundTab || foundTab.isKilled) {
      foundTab = foundDevice.openTab()
      openTabs[tabIndex] = foundTab
    }
    return { device: foundDevice, deviceIndex, tab: foundTab }
  }
  async function editFavorites(step: Extract<SimulationStep, { kind: 'edit' }>) {
    const { device, tab, deviceIndex } = openTab(step.device, step.tab)
    const knownEdits = editsOnDevice[deviceIndex]
    if (!knownEdits) return
    for (const songNumber of step.songs) {
      const songIndex = songNumber % songIds.length
      site.clockMs += 1
      await tab.edit([{ songId: songIds[songIndex] ?? '', favorite: step.favorite }])
      const edit: StoredEdit = { songIndex, favorite: step.favorite, device: deviceIndex, precedingEdits: new Set(knownEdits) }
      storedEdits.push(edit)
      knownEdits.add(edit)
      for (const id of await device.readUnsentIds()) if (!editsById.has(id)) editsById.set(id, edit)
    }
  }

  async function syncTabs(step: Extract<SimulationStep, { kind: 'sync' }>) {
    await Promise.all(
      step.tabs.map(async ({ device, tab: tabIndex, outcomes }) => {
        const { tab } = openTab(device, tabIndex)
        outcomesByTab.set(tab, [...outcomes])
        // Waits for the sync or for the end of its tab, whichever comes first, because the sync of a killed tab never settles.
        await Promise.race([tab.sync(), tab.whenKilled])
      }),
    )
  }

  for (const step of plan.steps) {
    if (step.kind === 'edit') await editFavorites(step)
    else if (step.kind === 'sync') await syncTabs(step)
    else if (step.kind === 'kill tab') openTab(step.device, step.tab).tab.kill()
    else if (step.kind === 'set clock skew')
      (devices[step.device % devices.length] ?? { clockSkewMs: 0 }).clockSkewMs = step.hours * 60 * MINUTE_MS
    else if (step.kind === 'advance clock') site.clockMs += step.minutes * MINUTE_MS
    else if (step.kind === 'restart server') await site.restart()
    else await delayedRequests.splice(step.index % Math.max(1, delayedRequests.length), 1)[0]?.()
  }

  // Delivers the delayed requests, and then syncs every device twice, so that each receives the edits of all others.
  for (const send of delayedRequests.splice(0)) await send()
  for (let round = 0; round < 2; round++)
    for (const [deviceIndex] of devices.entries()) {
      const { tab } = openTab(deviceIndex, 0)
      outcomesByTab.delete(tab)
      await tab.sync()
    }
  const inconsistencies = await findInconsistencies(site, token, devices, uid, storedEdits, songIds)
  for (const device of devices) device.close()
  return inconsistencies
}

/**
 * Compares the favorites on the devices and on the server with those that result from the edits. Returns a description of each difference.
 */
async function findInconsistencies(
  site: SimulationSite,
  token: string,
  devices: readonly SimulatedDevice[],
  uid: string,
  storedEdits: readonly StoredEdit[],
  songIds: readonly string[],
): Promise<string[]> {
  const response = await site.fetch('/api/favorite/getall', { headers: { authorization: `Bearer ${token}` } })
  const { data }: { data: { youtube_id: string }[] } = await response.json()
  const serverFavorites = data.map(({ youtube_id }) => youtube_id)
  const inconsistencies: string[] = []
  for (const [deviceIndex, device] of devices.entries()) {
    const deviceFavorites = await device.readFavorites(uid)
    if (deviceFavorites.join() !== serverFavorites.join())
      inconsistencies.push(`device ${deviceIndex} has [${deviceFavorites}], the server [${serverFavorites}]`)
    if ((await device.readUnsentIds()).length > 0) inconsistencies.push(`device ${deviceIndex} has changes that are never sent`)
  }
  for (const [songIndex, id] of songIds.entries()) {
    const edits = storedEdits.filter((edit) => edit.songIndex === songIndex)
    const isFavorite = serverFavorites.includes(id)
    if (edits.length === 0 && isFavorite) inconsistencies.push(`${id} is a favorite without any edit`)
    if (edits.length > 0 && edits.every(({ favorite }) => favorite !== isFavorite))
      inconsistencies.push(`${id}: favorite is ${isFavorite}, but no edit set that`)
    // An edit made with knowledge of all other edits wins, whatever the clocks show.
    const lastEdit = edits.find((edit) => edits.every((otherEdit) => otherEdit === edit || edit.precedingEdits.has(otherEdit)))
    if (lastEdit && lastEdit.favorite !== isFavorite)
      inconsistencies.push(
        `${id}: favorite is ${isFavorite}, but the last edit, made with knowledge of all others, set ${lastEdit.favorite}`,
      )
  }
  return inconsistencies
}
