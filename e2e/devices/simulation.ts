import fc from 'fast-check'
import { ANONYMOUS_UID, type LocalDatabase, type OutboxRow } from '../../client/data/local-database.ts'
import { createSimulatedDevice, type SimulatedDevice, type SimulatedTab } from './device.ts'
import { checkHistory, type HistoryEvent, type LawViolation, type ShownValues } from './history.ts'
import type { SimulationSite } from './site.ts'
import type { EditIntention, ShownData, Workload } from './workloads.ts'

/**
 * The outcome of one request on the simulated network. `delayed`: the tab sees a network error, and the server receives the request later.
 * `killed before`, `killed after`: the tab is killed before or after the server receives the request.
 */
export type RequestOutcome = 'answered' | 'lost' | 'response lost' | 'sent twice' | 'delayed' | 'killed before' | 'killed after'

export type SimulationStep<E> =
  | { kind: 'edit'; device: number; tab: number; edit: E }
  /** The tabs that sync at the same time in this step. */
  | { kind: 'sync'; tabs: readonly { device: number; tab: number; outcomes: readonly RequestOutcome[] }[] }
  | { kind: 'kill tab'; device: number; tab: number }
  | { kind: 'sign in'; device: number }
  /** From this step on, no request of the device reaches the server (`isOffline`), or all requests reach it again. */
  | { kind: 'partition'; device: number; isOffline: boolean }
  | { kind: 'set clock skew'; device: number; hours: number }
  | { kind: 'advance clock'; minutes: number }
  | { kind: 'deliver delayed request'; index: number }
  | { kind: 'restart server' }

/** One simulated history: the devices, and the events that happen to them in order. */
export interface SimulationPlan<E> {
  devices: readonly { tabs: number; skewHours: number; signedIn: boolean }[]
  steps: readonly SimulationStep<E>[]
}

export interface PlanSize {
  deviceCount: number
  stepCount: number
  /** Whether servers are restarted, which takes as long as all other steps of a small plan together. */
  hasRestarts: boolean
}

const indexArbitrary = fc.nat({ max: 11 })
/** How far the clock of a device is ahead of the server's. Many clocks are right, so that the times of taps on different devices can be compared. */
const hoursArbitrary = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  fc.integer({ min: -12, max: 12 }),
  fc.integer({ min: -240, max: 240 }),
)
const anyRequestOutcome = fc.oneof(
  { weight: 4, arbitrary: fc.constant<RequestOutcome>('answered') },
  fc.constantFrom<RequestOutcome>('lost', 'response lost', 'sent twice', 'delayed', 'killed before', 'killed after'),
)

/** The outcomes that a plan chooses for the requests of one sync: one for each kind of data, and one for a request that is repeated. */
const REQUEST_OUTCOMES_MAX = 4

/** Creates an arbitrary that generates plans of at most the given size. */
export const createPlanArbitrary = <E>(
  { edit }: Workload<E>,
  { deviceCount, stepCount, hasRestarts }: PlanSize,
): fc.Arbitrary<SimulationPlan<E>> =>
  fc.record({
    devices: fc.array(
      fc.record({
        tabs: fc.integer({ min: 1, max: 3 }),
        skewHours: hoursArbitrary,
        signedIn: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
      }),
      { minLength: 2, maxLength: deviceCount },
    ),
    steps: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.record({ kind: fc.constant('edit' as const), device: indexArbitrary, tab: indexArbitrary, edit }) },
        {
          weight: 5,
          arbitrary: fc.record({
            kind: fc.constant('sync' as const),
            tabs: fc.array(
              fc.record({
                device: indexArbitrary,
                tab: indexArbitrary,
                outcomes: fc.array(anyRequestOutcome, { maxLength: REQUEST_OUTCOMES_MAX }),
              }),
              { minLength: 1, maxLength: 4 },
            ),
          }),
        },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('kill tab' as const), device: indexArbitrary, tab: indexArbitrary }) },
        { weight: 1, arbitrary: fc.record({ kind: fc.constant('sign in' as const), device: indexArbitrary }) },
        {
          weight: 1,
          arbitrary: fc.record({ kind: fc.constant('partition' as const), device: indexArbitrary, isOffline: fc.boolean() }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ kind: fc.constant('set clock skew' as const), device: indexArbitrary, hours: hoursArbitrary }),
        },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('advance clock' as const), minutes: fc.nat({ max: 300 }) }) },
        { weight: 2, arbitrary: fc.record({ kind: fc.constant('deliver delayed request' as const), index: indexArbitrary }) },
        { weight: hasRestarts ? 1 : 0, arbitrary: fc.constant({ kind: 'restart server' as const }) },
      ),
      { minLength: 1, maxLength: stepCount },
    ),
  })

/** Defects that a test plants to prove that the simulation finds them. */
export interface PlantedDefects {
  wrapDatabase?: (database: LocalDatabase) => LocalDatabase
  /** Returns the body that is sent instead of the body of a request. */
  replaceRequestBody?: (body: string) => Promise<string>
  /** Returns the body that a tab receives instead of the body of a response. */
  replaceResponseBody?: (body: string) => string
}

const MINUTE_MS = 60_000
/**
 * The number of times that each device synchronizes after the faults: first to send its own changes, then to receive those that others have
 * sent since.
 */
const FINAL_SYNC_ROUND_COUNT = 2

/** The writes that a response of the server must contain, and those that it may contain. */
interface ResponseContents {
  certain: ReadonlySet<string>
  possible: ReadonlySet<string>
}

/** Runs a plan with an account of its own. Records what the devices write, receive and show, and returns the violations of consistency laws. */
export async function runSimulationPlan<E>(
  site: SimulationSite,
  workload: Workload<E>,
  plan: SimulationPlan<E>,
  uid: string,
  defects: PlantedDefects = {},
): Promise<LawViolation[]> {
  const token = await site.createToken(uid)
  const historyEvents: HistoryEvent[] = []
  const initialValueByRegister = new Map<string, string>()
  const simulatedNetwork = createSimulatedNetwork(site, defects)
  /**
   * The devices whose changes are not dated when they are made: a clock that was ahead once dates later changes, too, and changes that were made
   * before the sign-in join the account later.
   */
  const misdatingDevices = new Set<number>()

  const simulatedDevices = plan.devices.map(({ skewHours, signedIn }, index) => {
    const simulatedDevice = createSimulatedDevice({
      nowMs: () => site.clockMs,
      createToken: async () => token,
      fetch: (tab, url, init) => simulatedNetwork.request(tab, index, url, init),
      onChangesStored: (rows) => recordWrites(index, rows),
      onResponseStored(syncCursor) {
        const contents = simulatedNetwork.contentsOf(syncCursor)
        if (contents) historyEvents.push({ kind: 'response', device: index, ...contents })
      },
      ...(defects.wrapDatabase && { wrapDatabase: defects.wrapDatabase }),
    })
    simulatedDevice.clockSkewMs = skewHours * 60 * MINUTE_MS
    simulatedDevice.uid = signedIn || !workload.isAnonymous ? uid : undefined
    if (skewHours !== 0 || simulatedDevice.uid === undefined) misdatingDevices.add(index)
    return simulatedDevice
  })

  function recordWrites(deviceNumber: number, rows: readonly OutboxRow[]) {
    for (const storedRow of rows) {
      const rowValues = workload.readChangedValues(storedRow)
      if (!rowValues) continue
      historyEvents.push({
        ...{ kind: 'write', id: storedRow.id, device: deviceNumber, values: rowValues },
        ...(!misdatingDevices.has(deviceNumber) && { tapMs: site.clockMs }),
      })
      for (const register of rowValues.keys()) {
        const initialValue = workload.getInitialValue(register)
        if (initialValue !== undefined) initialValueByRegister.set(register, initialValue)
      }
    }
  }

  /** Reads what a device shows, in one transaction. A register that the device does not show has its initial value. */
  async function readShownData(device: SimulatedDevice, ownerUid = uid): Promise<ShownData & { missingSongIds: readonly string[] }> {
    let shownData: ShownData = { values: new Map(), entriesByPlaylist: new Map(), songIds: [] }
    let missingSongIds: readonly string[] = []
    await device.database.change(async (tables) => {
      shownData = await workload.read(tables, ownerUid)
      const songRows = await tables.songs.getMany(shownData.songIds)
      missingSongIds = shownData.songIds.filter((_, index) => songRows[index] === undefined)
    })
    const initialValues = ownerUid === ANONYMOUS_UID ? [] : initialValueByRegister
    return { ...shownData, values: new Map([...initialValues, ...shownData.values]), missingSongIds }
  }
  /** What each device writes and shows while nobody is signed in. The device is then the only one that has these values. */
  const anonymousHistories: HistoryEvent[][] = plan.devices.map(() => [])
  async function recordRead(deviceNumber: number, intention?: EditIntention): Promise<void> {
    const index = deviceNumber % simulatedDevices.length
    const device = simulatedDevices[index]
    if (!device) return
    const { values, entriesByPlaylist, missingSongIds } = await readShownData(device, device.uid ?? ANONYMOUS_UID)
    const entryIdsByList = new Map([...entriesByPlaylist].map(([id, entries]) => [id, entries.map(({ e }) => e)]))
    const placement = intention?.placement
    const readEvent = {
      ...{ kind: 'read' as const, device: index, values, entryIdsByList, missingSongIds },
      ...(placement && { placement }),
    }
    if (device.uid !== undefined) historyEvents.push(readEvent)
    else {
      const events = anonymousHistories[index] ?? []
      if (intention) events.push({ kind: 'write', id: String(events.length), device: index, values: intention.values })
      events.push({ ...readEvent, values: selectWrittenValues(values, events) })
    }
  }
  /** Returns the values of the registers that people have changed, because the ids and positions of new entries are no part of an intention. */
  function selectWrittenValues(values: ShownValues, events: readonly HistoryEvent[]): ShownValues {
    const registers = events.flatMap((event) => (event.kind === 'write' ? [...event.values.keys()] : []))
    return new Map(registers.map((register) => [register, values.get(register) ?? workload.getInitialValue(register) ?? '']))
  }

  const tabsByDevice: SimulatedTab[][] = plan.devices.map(() => [])
  /** Returns an open tab of a device. A killed tab is replaced by a new one. */
  function openTab(deviceNumber: number, tabNumber: number): { device: SimulatedDevice; tab: SimulatedTab } {
    const deviceIndex = deviceNumber % simulatedDevices.length
    const [foundDevice, openTabs] = [simulatedDevices[deviceIndex], tabsByDevice[deviceIndex]]
    if (!foundDevice || !openTabs) throw new Error('The plan has no devices.')
    const tabIndex = tabNumber % (plan.devices[deviceIndex]?.tabs ?? 1)
    let foundTab = openTabs[tabIndex]
    if (!foundTab || foundTab.isKilled) {
      foundTab = foundDevice.openTab()
      openTabs[tabIndex] = foundTab
    }
    return { device: foundDevice, tab: foundTab }
  }
  async function syncTabs({ tabs }: Extract<SimulationStep<E>, { kind: 'sync' }>) {
    await Promise.all(
      tabs.map(async ({ device, tab: tabIndex, outcomes }) => {
        const { tab } = openTab(device, tabIndex)
        simulatedNetwork.setOutcomes(tab, outcomes)
        // Waits for the sync or for the end of its tab, whichever comes first, because the sync of a killed tab never settles.
        await Promise.race([tab.sync(), tab.whenKilled])
      }),
    )
    for (const { device } of tabs) await recordRead(device)
  }
  /** The values that devices showed immediately before the sign-in. The account must have these values in the end. */
  const anonymousReads: ShownValues[] = []
  async function signIn(index: number) {
    const device = simulatedDevices[index]
    if (!device || device.uid !== undefined) return
    await recordRead(index)
    const { values } = await readShownData(device, ANONYMOUS_UID)
    anonymousReads.push(new Map([...values, ...selectWrittenValues(values, anonymousHistories[index] ?? [])]))
    device.uid = uid
  }

  async function runStep(simulationStep: SimulationStep<E>) {
    if (simulationStep.kind === 'edit') {
      const { device, tab } = openTab(simulationStep.device, simulationStep.tab)
      site.clockMs += 1
      const eventCount = historyEvents.length
      const intention = await workload.apply(device, tab, simulationStep.edit)
      // A response that was stored in the meantime may have moved the entries.
      const isDisturbed = historyEvents.slice(eventCount).some((event) => event.kind === 'response')
      await recordRead(simulationStep.device, intention && isDisturbed ? { values: intention.values } : intention)
    } else if (simulationStep.kind === 'sync') await syncTabs(simulationStep)
    else if (simulationStep.kind === 'kill tab') openTab(simulationStep.device, simulationStep.tab).tab.kill()
    else if (simulationStep.kind === 'sign in') await signIn(simulationStep.device % simulatedDevices.length)
    else if (simulationStep.kind === 'partition')
      simulatedNetwork.setOffline(simulationStep.device % simulatedDevices.length, simulationStep.isOffline)
    else if (simulationStep.kind === 'set clock skew') {
      if (simulationStep.hours !== 0) misdatingDevices.add(simulationStep.device % simulatedDevices.length)
      openTab(simulationStep.device, 0).device.clockSkewMs = simulationStep.hours * 60 * MINUTE_MS
    } else if (simulationStep.kind === 'advance clock') site.clockMs += simulationStep.minutes * MINUTE_MS
    else if (simulationStep.kind === 'restart server') await site.restart()
    else await simulatedNetwork.deliverDelayed(simulationStep.index)
  }

  for (const step of plan.steps) await runStep(step)

  await simulatedNetwork.endFaults()
  for (const index of simulatedDevices.keys()) await signIn(index)
  const syncDevices = async () => {
    for (const index of simulatedDevices.keys()) await openTab(index, 0).tab.sync()
  }
  // Waits for the requests that were sent before the faults ended: a failed one ends the sync that is running.
  await syncDevices()
  for (let round = 0; round < FINAL_SYNC_ROUND_COUNT; round++) await syncDevices()
  const newDevice = createSimulatedDevice({
    nowMs: () => site.clockMs,
    createToken: async () => token,
    fetch: (_, url, init) => site.fetch(url, init),
    onChangesStored() {},
    onResponseStored() {},
  })
  newDevice.uid = uid
  await newDevice.openTab().sync()

  const finalReads: ShownValues[] = []
  const finalOrders: ShownValues[] = []
  for (const index of simulatedDevices.keys()) await recordRead(index)
  for (const device of [...simulatedDevices, newDevice]) {
    const { values, entriesByPlaylist } = await readShownData(device)
    finalReads.push(values)
    finalOrders.push(new Map([...entriesByPlaylist].map(([id, entries]) => [id, entries.map(({ songId }) => songId).join(' ')])))
  }
  const serverOrder = new Map<string, string>()
  for (const id of finalOrders[0]?.keys() ?? []) serverOrder.set(id, (await site.listPlaylistSongs(uid, id)).join(' '))
  finalOrders.push(serverOrder)
  const unsentCounts: number[] = []
  for (const device of simulatedDevices) unsentCounts.push((await device.readOutbox()).length)
  for (const device of [...simulatedDevices, newDevice]) device.close()
  const { getInitialValue } = workload
  return [
    ...checkHistory({ ...{ events: historyEvents, finalReads, finalOrders, unsentCounts }, getInitialValue }),
    ...anonymousHistories.flatMap((events) => checkHistory({ ...{ events, finalReads: [], unsentCounts: [] }, getInitialValue })),
    ...findUnjoinedValues(anonymousReads, historyEvents),
  ]
}

/** Finds the values that devices showed while nobody was signed in, and that no change of the account contains. */
function findUnjoinedValues(anonymousReads: readonly ShownValues[], events: readonly HistoryEvent[]): LawViolation[] {
  const writeEvents = events.filter((event) => event.kind === 'write')
  return anonymousReads.flatMap((registerValues) =>
    [...registerValues].flatMap(([registerName, registerValue]): LawViolation[] => {
      const registerWrites = writeEvents.filter(({ values }) => values.has(registerName))
      // A removed entry is not sent to the account, and no other device has it.
      const isJoined =
        registerValue === 'no'
          ? registerWrites.length === 0
          : registerWrites.some(({ values }) => values.get(registerName) === registerValue)
      // No write contains an initial value, such as that of a playlist that is not deleted.
      if (isJoined || registerValue === 'false') return []
      return [{ law: 'no loss', description: `${registerName} = ${registerValue} did not join the account` }]
    }),
  )
}

/** Simulates the network between the devices and the server, and records which writes each response contains. */
function createSimulatedNetwork(site: SimulationSite, defects: PlantedDefects) {
  const delayedRequests: (() => Promise<unknown>)[] = []
  const outcomesByTab = new Map<SimulatedTab, RequestOutcome[]>()
  const offlineDeviceNumbers = new Set<number>()
  /** The writes that were applied by the server, and those that were sent, by the address of their endpoint. */
  const appliedWritesByUrl = new Map<string, Set<string>>()
  const sentWritesByUrl = new Map<string, Set<string>>()
  const contentsByCursor = new Map<string, ResponseContents>()

  async function sendRequest(url: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]): Promise<Response> {
    const body = typeof init?.body === 'string' ? init.body : '{}'
    const { changes = [] }: { changes?: { id: string }[] } = JSON.parse(body)
    const appliedIds = appliedWritesByUrl.get(String(url)) ?? new Set()
    const sentIds = sentWritesByUrl.get(String(url)) ?? new Set()
    appliedWritesByUrl.set(String(url), appliedIds)
    sentWritesByUrl.set(String(url), sentIds)
    const earlierWriteIds = [...appliedIds]
    for (const { id } of changes) sentIds.add(id)
    const response = await site.fetch(url, { ...init, body: (await defects.replaceRequestBody?.(body)) ?? body })
    // If the server is stopped during a request, the response is a 500, which contains nothing.
    if (!response.ok) return response
    const responseText = await response.text()
    const { data, code }: { data: { cursor?: string } | null; code?: number } = JSON.parse(responseText)
    if (code === undefined || code === 200) {
      for (const { id } of changes) appliedIds.add(id)
      if (data?.cursor !== undefined)
        contentsByCursor.set(data.cursor, {
          certain: new Set([...earlierWriteIds, ...changes.map(({ id }) => id)]),
          possible: new Set(sentIds),
        })
    }
    return new Response(defects.replaceResponseBody?.(responseText) ?? responseText, { status: response.status })
  }

  return {
    contentsOf: (cursor: string) => contentsByCursor.get(cursor),
    setOutcomes(tab: SimulatedTab, outcomes: readonly RequestOutcome[]) {
      outcomesByTab.set(tab, [...outcomes])
    },
    setOffline(deviceNumber: number, isOffline: boolean) {
      if (isOffline) offlineDeviceNumbers.add(deviceNumber)
      else offlineDeviceNumbers.delete(deviceNumber)
    },
    async request(tab: SimulatedTab, deviceNumber: number, url: Parameters<typeof fetch>[0], init: Parameters<typeof fetch>[1]) {
      const createNetworkError = () => new TypeError('Failed to fetch')
      const requestOutcome = offlineDeviceNumbers.has(deviceNumber) ? 'lost' : (outcomesByTab.get(tab)?.shift() ?? 'answered')
      if (requestOutcome === 'delayed') delayedRequests.push(() => sendRequest(url, init))
      if (requestOutcome === 'delayed' || requestOutcome === 'lost') throw createNetworkError()
      if (requestOutcome === 'killed before') {
        tab.kill()
        throw createNetworkError()
      }
      const response = await sendRequest(url, init)
      if (requestOutcome === 'killed after') tab.kill()
      if (requestOutcome === 'killed after' || requestOutcome === 'response lost') throw createNetworkError()
      return requestOutcome === 'sent twice' ? sendRequest(url, init) : response
    },
    /** Delivers one of the requests that were delayed. */
    async deliverDelayed(index: number) {
      await delayedRequests.splice(index % Math.max(1, delayedRequests.length), 1)[0]?.()
    },
    /** Delivers all requests that were delayed. From now on every request is answered. */
    async endFaults() {
      for (const deliver of delayedRequests.splice(0)) await deliver()
      outcomesByTab.clear()
      offlineDeviceNumbers.clear()
    },
  }
}
