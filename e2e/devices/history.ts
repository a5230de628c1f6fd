/**
 * The values that a device shows, by register. If a register is missing, the device does not show it, and nothing is known about the register's
 * value.
 */
export type ShownValues = ReadonlyMap<string, string>

/**
 * A change of one or more registers, which must be applied as a whole. A register is a value that has a state of its own, such as the title of a
 * playlist.
 */
export interface WriteEvent {
  kind: 'write'
  id: string
  device: number
  values: ShownValues
  /** When a person made the change, in epoch milliseconds, if the device's clock has always been right. */
  tapMs?: number
}

/** The entries that a person has placed in a list. */
export interface Placement {
  list: string
  entryIds: readonly string[]
  /** The entry directly before which they are to stand; `undefined` for the end of the list. */
  beforeId: string | undefined
}

/** The event that a device has shown values to its user. */
export interface ReadEvent {
  kind: 'read'
  device: number
  values: ShownValues
  /** The ids of the shown entries of each list, in order. */
  entryIdsByList?: ReadonlyMap<string, readonly string[]>
  /** What the person has placed on this device immediately before. */
  placement?: Placement
  /** The shown songs whose rows the device does not have. */
  missingSongIds?: readonly string[]
}

/** A device has stored a response of the server. */
export interface ResponseEvent {
  kind: 'response'
  device: number
  /** The writes that the server had applied before it received the request, and those of the request: the response must contain them. */
  certain: ReadonlySet<string>
  /** The writes that the response may contain: those of all requests that were sent to the server before the response. */
  possible: ReadonlySet<string>
}

export type HistoryEvent = WriteEvent | ReadEvent | ResponseEvent

/** The observed events of several devices of one account. */
export interface History {
  events: readonly HistoryEvent[]
  /** The values that each device, and a new device, shows after all faults have ended and all devices have synchronized. */
  finalReads: readonly ShownValues[]
  /** The songs of each list in the end, in order, as each device, a new device and the server have them. */
  finalOrders?: readonly ShownValues[]
  /** For each device, the number of changes that are still not sent in the end. */
  unsentCounts: readonly number[]
  /** The value of a register that no write has changed. */
  getInitialValue(register: string): string | undefined
}

/**
 * The consistency laws. `read your writes`: a device shows its own write, or a later one. `monotonic reads`: a device that has shown a value never
 * shows an older one. `monotonic writes` and `writes follow reads`: a device that shows a write also shows the earlier writes that the writing device
 * had made or seen. `atomicity`: all values of a write are shown together. `no invention`: every shown value was written. `no loss`: a device shows
 * each write that it has received. `later tap wins`: in the end, of two writes by devices with right clocks the later one is shown. `placement`: a device shows entries where its user has just placed
 * them. `songs`: a device has the row of each song that it shows. `convergence`: in the end, all devices show the same values, in the order of the
 * server. `liveness`: in the end, every change has been sent.
 */
export type ConsistencyLaw =
  | 'read your writes'
  | 'monotonic reads'
  | 'monotonic writes'
  | 'writes follow reads'
  | 'atomicity'
  | 'no invention'
  | 'no loss'
  | 'later tap wins'
  | 'placement'
  | 'songs'
  | 'convergence'
  | 'liveness'

export interface LawViolation {
  law: ConsistencyLaw
  description: string
}

/** The writes that a device knows at one moment of the history. */
interface DeviceKnowledge {
  /** The writes that the device has certainly made or received, and all writes that precede them. */
  certain: Set<WriteRecord>
  /** The writes that the device may have received, and its own. */
  possible: Set<string>
  /** The writes that the device has certainly shown. */
  shown: Set<WriteRecord>
}

interface WriteRecord extends WriteEvent {
  writeIndex: number
  /** The writes that the device certainly knew when it made this write. This write is later than all of them, whatever the clocks say. */
  preceding: ReadonlySet<WriteRecord>
}

const isPreceding = (earlier: WriteRecord, later: WriteRecord): boolean => later.preceding.has(earlier)

/** Two taps that are closer than this may be ordered either way, because a device dates the changes of one millisecond one after another. */
const TAP_DISTANCE_MIN_MS = 1000

/** Whether both writes were made while their devices' clocks were right, `earlier` clearly before `later`. */
const isEarlierTap = (earlier: WriteRecord, later: WriteRecord): boolean =>
  earlier.tapMs !== undefined && later.tapMs !== undefined && earlier.tapMs + TAP_DISTANCE_MIN_MS <= later.tapMs

function createKnowledge(): DeviceKnowledge {
  return { certain: new Set(), possible: new Set(), shown: new Set() }
}

function addWithPreceding(knownWrites: Set<WriteRecord>, addedWrite: WriteRecord) {
  knownWrites.add(addedWrite)
  for (const each of addedWrite.preceding) knownWrites.add(each)
}

/** Finds violations of consistency laws in a history. If the order of two events is not certain, the history is judged in favor of the devices. */
export function checkHistory({ events, finalReads, finalOrders = [], unsentCounts, getInitialValue }: History): LawViolation[] {
  const lawViolations: LawViolation[] = []
  const writeById = new Map<string, WriteRecord>()
  const writesByRegister = new Map<string, WriteRecord[]>()
  const knowledgeByDevice = new Map<number, DeviceKnowledge>()

  const computeKnowledge = (deviceNumber: number): DeviceKnowledge => {
    const knowledge = knowledgeByDevice.get(deviceNumber) ?? createKnowledge()
    knowledgeByDevice.set(deviceNumber, knowledge)
    return knowledge
  }

  function addWrite(event: WriteEvent) {
    const { certain, possible } = computeKnowledge(event.device)
    const writeRecord: WriteRecord = { ...event, writeIndex: writeById.size, preceding: new Set(certain) }
    writeById.set(writeRecord.id, writeRecord)
    certain.add(writeRecord)
    possible.add(writeRecord.id)
    for (const registerName of writeRecord.values.keys()) {
      const registerWrites = writesByRegister.get(registerName)
      if (registerWrites) registerWrites.push(writeRecord)
      else writesByRegister.set(registerName, [writeRecord])
    }
  }

  function addResponse({ device, certain, possible }: ResponseEvent) {
    const deviceKnowledge = computeKnowledge(device)
    for (const id of possible) deviceKnowledge.possible.add(id)
    for (const id of certain) {
      const write = writeById.get(id)
      if (write) addWithPreceding(deviceKnowledge.certain, write)
    }
  }

  /** Returns the law that a device breaks if it knows the write `missingWrite`, but shows an older value of the register. */
  function findBrokenLaw(
    deviceNumber: number,
    knowledge: DeviceKnowledge,
    missingWrite: WriteRecord,
    shownValues: ShownValues,
  ): ConsistencyLaw {
    const isElsewhereShown = [...missingWrite.values].some(([registerName, registerValue]) => {
      const sameValueWrites = (writesByRegister.get(registerName) ?? []).filter((write) => write.values.get(registerName) === registerValue)
      return shownValues.get(registerName) === registerValue && sameValueWrites.length === 1
    })
    if (isElsewhereShown) return 'atomicity'
    if (missingWrite.device === deviceNumber) return 'read your writes'
    if (knowledge.shown.has(missingWrite)) return 'monotonic reads'
    const following = [...knowledge.shown].find((write) => isPreceding(missingWrite, write))
    if (following) return following.device === missingWrite.device ? 'monotonic writes' : 'writes follow reads'
    return 'no loss'
  }

  /**
   * Checks what a device shows. Taps are compared in the end only, because until its own change is sent, a device shows it instead of a later one
   * of another device.
   */
  function checkRead(deviceNumber: number, shownValues: ShownValues, knowledge: DeviceKnowledge, readName: string, isInTheEnd = false) {
    const writesShownNow: WriteRecord[] = []
    for (const [registerName, registerValue] of shownValues) {
      const registerWrites = writesByRegister.get(registerName) ?? []
      const knownWrites = registerWrites.filter((write) => knowledge.certain.has(write))
      const candidateWrites = registerWrites.filter(
        (write) => write.values.get(registerName) === registerValue && knowledge.possible.has(write.id),
      )
      const isInitialValue = getInitialValue(registerName) === registerValue
      if (candidateWrites.length === 0 && !isInitialValue) {
        lawViolations.push({
          law: 'no invention',
          description: `${readName} shows ${registerName} = ${registerValue}, which no write that it has received has set`,
        })
        continue
      }
      const isUnprecededWrite = (write: WriteRecord) => !knownWrites.some((known) => isPreceding(write, known))
      const isCurrentWrite = (write: WriteRecord) =>
        isUnprecededWrite(write) && !(isInTheEnd && knownWrites.some((known) => isEarlierTap(write, known)))
      const isReadAllowed = candidateWrites.some(isCurrentWrite) || (isInitialValue && knownWrites.length === 0)
      if (!isReadAllowed) {
        const missingWrite = knownWrites.findLast((write) => isCurrentWrite(write))
        if (missingWrite)
          lawViolations.push({
            law: candidateWrites.some(isUnprecededWrite)
              ? 'later tap wins'
              : findBrokenLaw(deviceNumber, knowledge, missingWrite, shownValues),
            description: `${readName} shows ${registerName} = ${registerValue} instead of ${missingWrite.values.get(registerName)}, which device ${missingWrite.device} has set later`,
          })
      } else if (candidateWrites.length === 1 && candidateWrites[0] && !isInitialValue) writesShownNow.push(candidateWrites[0])
    }
    for (const write of writesShownNow) checkAtomicity(write, shownValues, readName)
    for (const write of writesShownNow) {
      knowledge.shown.add(write)
      addWithPreceding(knowledge.certain, write)
    }
  }

  /**
   * Checks that if a device shows one value of a write, it shows all values of this write, even if it is not certain that the device has received the
   * write.
   */
  function checkAtomicity(writeRecord: WriteRecord, shownValues: ShownValues, readName: string) {
    for (const [registerName, writtenValue] of writeRecord.values) {
      const readValue = shownValues.get(registerName)
      if (readValue === undefined || readValue === writtenValue) continue
      const otherWrites = (writesByRegister.get(registerName) ?? []).filter((each) => each.values.get(registerName) === readValue)
      const isInitial = getInitialValue(registerName) === readValue
      if (otherWrites.every((each) => isPreceding(each, writeRecord)) && (otherWrites.length > 0 || isInitial))
        lawViolations.push({
          law: 'atomicity',
          description: `${readName} shows the write ${writeRecord.id} without ${registerName} = ${writtenValue}`,
        })
    }
  }

  function checkList({ device, entryIdsByList, placement, missingSongIds = [] }: ReadEvent) {
    if (missingSongIds.length > 0)
      lawViolations.push({ law: 'songs', description: `device ${device} shows ${missingSongIds} without the rows of the songs` })
    if (!placement) return
    const { list, entryIds, beforeId } = placement
    const shownIds = entryIdsByList?.get(list) ?? []
    const endIndex = beforeId === undefined ? shownIds.length : shownIds.indexOf(beforeId)
    if (entryIds.some((id, index) => shownIds[endIndex - entryIds.length + index] !== id))
      lawViolations.push({
        law: 'placement',
        description: `device ${device} shows ${shownIds} after ${entryIds} were placed before ${beforeId ?? 'the end'}`,
      })
  }

  for (const event of events) {
    if (event.kind === 'write') addWrite(event)
    else if (event.kind === 'response') addResponse(event)
    else {
      checkRead(event.device, event.values, computeKnowledge(event.device), `device ${event.device}`)
      checkList(event)
    }
  }

  const completeKnowledge: DeviceKnowledge = { certain: new Set(writeById.values()), possible: new Set(writeById.keys()), shown: new Set() }
  for (const [deviceIndex, finalValues] of finalReads.entries()) {
    const deviceKnowledge = knowledgeByDevice.get(deviceIndex)
    checkRead(
      deviceIndex,
      finalValues,
      { ...completeKnowledge, shown: deviceKnowledge?.shown ?? new Set() },
      `in the end device ${deviceIndex}`,
      true,
    )
    const difference = describeDifference(finalReads[0] ?? new Map(), finalValues)
    if (difference !== undefined)
      lawViolations.push({ law: 'convergence', description: `device ${deviceIndex} and device 0 differ in the end: ${difference}` })
  }
  for (const finalOrder of finalOrders) {
    const difference = describeDifference(finalOrders[0] ?? new Map(), finalOrder)
    if (difference !== undefined)
      lawViolations.push({ law: 'convergence', description: `the orders of songs differ in the end: ${difference}` })
  }
  for (const [device, count] of unsentCounts.entries())
    if (count > 0)
      lawViolations.push({ law: 'liveness', description: `device ${device} has ${count} changes that are not sent in the end` })
  return lawViolations
}

function describeDifference(firstValues: ShownValues, otherValues: ShownValues): string | undefined {
  const registers = new Set([...firstValues.keys(), ...otherValues.keys()])
  const different = [...registers].find((register) => firstValues.get(register) !== otherValues.get(register))
  return different === undefined ? undefined : `${different} is ${otherValues.get(different)} and ${firstValues.get(different)}`
}
