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
}

/** A device has shown values. */
export interface ReadEvent {
  kind: 'read'
  device: number
  values: ShownValues
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
  /** For each device, the number of changes that are still not sent in the end. */
  unsentCounts: readonly number[]
  /** The value of a register that no write has changed. */
  initialValueOf(register: string): string | undefined
}

/**
 * The consistency laws. `read your writes`: a device shows its own write, or a later one. `monotonic reads`: a device that has shown a value never
 * shows an older one. `monotonic writes` and `writes follow reads`: a device that shows a write also shows the earlier writes that the writing device
 * had made or seen. `atomicity`: all values of a write are shown together. `no invention`: every shown value was written. `no loss`: a device shows
 * each write that it has received. `convergence`: in the end, all devices show the same values. `liveness`: in the end, every change has been sent.
 */
export type ConsistencyLaw =
  | 'read your writes'
  | 'monotonic reads'
  | 'monotonic writes'
  | 'writes follow reads'
  | 'atomicity'
  | 'no invention'
  | 'no loss'
  | 'convergence'
  | 'liveness'

export interface LawViolation {
  law: ConsistencyLaw
  description: string
}

/** The writes that a device knows at one moment of the history. */
interface Knowledge {
  /** The writes that the device has certainly made or received, and all writes that precede them. */
  certain: Set<WriteRecord>
  /** The writes that the device may have received, and its own. */
  possible: Set<string>
  /** The writes that the device has certainly shown. */
  shown: Set<WriteRecord>
}

interface WriteRecord extends WriteEvent {
  index: number
  /** The writes that the device certainly knew when it made this write. This write is later than all of them, whatever the clocks say. */
  preceding: ReadonlySet<WriteRecord>
}

const precedes = (earlier: WriteRecord, later: WriteRecord): boolean => later.preceding.has(earlier)

function createKnowledge(): Knowledge {
  return { certain: new Set(), possible: new Set(), shown: new Set() }
}

function addWithPreceding(knownWrites: Set<WriteRecord>, write: WriteRecord) {
  knownWrites.add(write)
  for (const each of write.preceding) knownWrites.add(each)
}

/** Finds the violations of the laws in a history. A history in which the order of two events is not certain is judged in favor of the devices. */
export function checkHistory({ events, finalReads, unsentCounts, initialValueOf }: History): LawViolation[] {
  const violations: LawViolation[] = []
  const writes = new Map<string, WriteRecord>()
  const writesByRegister = new Map<string, WriteRecord[]>()
  const knowledgeByDevice = new Map<number, Knowledge>()

  const knowledgeOf = (deviceNumber: number): Knowledge => {
    const knowledge = knowledgeByDevice.get(deviceNumber) ?? createKnowledge()
    knowledgeByDevice.set(deviceNumber, knowledge)
    return knowledge
  }

  function addWrite(event: WriteEvent) {
    const { certain, possible } = knowledgeOf(event.device)
    const write: WriteRecord = { ...event, index: writes.size, preceding: new Set(certain) }
    writes.set(write.id, write)
    certain.add(write)
    possible.add(write.id)
    for (const register of write.values.keys()) {
      const registerWrites = writesByRegister.get(register)
      if (registerWrites) registerWrites.push(write)
      else writesByRegister.set(register, [write])
    }
  }

  function addReceipt({ device, certain, possible }: ResponseEvent) {
    const knowledge = knowledgeOf(device)
    for (const id of possible) knowledge.possible.add(id)
    for (const id of certain) {
      const write = writes.get(id)
      if (write) addWithPreceding(knowledge.certain, write)
    }
  }

  /** Returns the law that a device breaks if it knows the write `missingWrite`, but shows an older value of the register. */
  function findLaw(deviceNumber: number, knowledge: Knowledge, missingWrite: WriteRecord, values: ShownValues): ConsistencyLaw {
    const isElsewhereShown = [...missingWrite.values].some(([register, value]) => {
      const sameValueWrites = (writesByRegister.get(register) ?? []).filter((write) => write.values.get(register) === value)
      return values.get(register) === value && sameValueWrites.length === 1
    })
    if (isElsewhereShown) return 'atomicity'
    if (missingWrite.device === deviceNumber) return 'read your writes'
    if (knowledge.shown.has(missingWrite)) return 'monotonic reads'
    const following = [...knowledge.shown].find((write) => precedes(missingWrite, write))
    if (following) return following.device === missingWrite.device ? 'monotonic writes' : 'writes follow reads'
    return 'no loss'
  }

  function checkRead(deviceNumber: number, values: ShownValues, knowledge: Knowledge, name: string) {
    const shownNow: WriteRecord[] = []
    for (const [register, value] of values) {
      const registerWrites = writesByRegister.get(register) ?? []
      const knownWrites = registerWrites.filter((write) => knowledge.certain.has(write))
      const candidates = registerWrites.filter((write) => write.values.get(register) === value && knowledge.possible.has(write.id))
      const isInitial = initialValueOf(register) === value
      if (candidates.length === 0 && !isInitial) {
        violations.push({
          law: 'no invention',
          description: `${name} shows ${register} = ${value}, which no write that it has received has set`,
        })
        continue
      }
      const isCurrent = (write: WriteRecord) => !knownWrites.some((known) => precedes(write, known))
      const isShown = candidates.some(isCurrent) || (isInitial && knownWrites.length === 0)
      if (!isShown) {
        const missingWrite = knownWrites.findLast((write) => isCurrent(write))
        if (missingWrite)
          violations.push({
            law: findLaw(deviceNumber, knowledge, missingWrite, values),
            description: `${name} shows ${register} = ${value} instead of ${missingWrite.values.get(register)}, which device ${missingWrite.device} has set later`,
          })
      } else if (candidates.length === 1 && candidates[0] && !isInitial) shownNow.push(candidates[0])
    }
    for (const write of shownNow) checkAtomicity(write, values, name)
    for (const write of shownNow) {
      knowledge.shown.add(write)
      addWithPreceding(knowledge.certain, write)
    }
  }

  /**
   * Checks that if a device shows one value of a write, it shows all values of this write, even if it is not certain that the device has received the
   * write.
   */
  function checkAtomicity(write: WriteRecord, values: ShownValues, name: string) {
    for (const [register, writtenValue] of write.values) {
      const value = values.get(register)
      if (value === undefined || value === writtenValue) continue
      const otherWrites = (writesByRegister.get(register) ?? []).filter((each) => each.values.get(register) === value)
      const isInitial = initialValueOf(register) === value
      if (otherWrites.every((each) => precedes(each, write)) && (otherWrites.length > 0 || isInitial))
        violations.push({ law: 'atomicity', description: `${name} shows the write ${write.id} without ${register} = ${writtenValue}` })
    }
  }

  for (const event of events) {
    if (event.kind === 'write') addWrite(event)
    else if (event.kind === 'response') addReceipt(event)
    else checkRead(event.device, event.values, knowledgeOf(event.device), `device ${event.device}`)
  }

  const completeKnowledge: Knowledge = { certain: new Set(writes.values()), possible: new Set(writes.keys()), shown: new Set() }
  for (const [deviceIndex, values] of finalReads.entries()) {
    const knowledge = knowledgeByDevice.get(deviceIndex)
    checkRead(deviceIndex, values, { ...completeKnowledge, shown: knowledge?.shown ?? new Set() }, `in the end device ${deviceIndex}`)
    const difference = describeDifference(finalReads[0] ?? new Map(), values)
    if (difference !== undefined)
      violations.push({ law: 'convergence', description: `device ${deviceIndex} and device 0 differ in the end: ${difference}` })
  }
  for (const [device, count] of unsentCounts.entries())
    if (count > 0) violations.push({ law: 'liveness', description: `device ${device} has ${count} changes that are not sent in the end` })
  return violations
}

function describeDifference(firstValues: ShownValues, otherValues: ShownValues): string | undefined {
  const registers = new Set([...firstValues.keys(), ...otherValues.keys()])
  const different = [...registers].find((register) => firstValues.get(register) !== otherValues.get(register))
  return different === undefined ? undefined : `${different} is ${otherValues.get(different)} and ${firstValues.get(different)}`
}
