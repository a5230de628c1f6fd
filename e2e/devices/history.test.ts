import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ConsistencyLaw, checkHistory, type History, type HistoryEvent, type ShownValues } from './history.ts'

const REGISTERS = ['a', 'b', 'c']
const DEVICE_COUNT = 3

type StoreStep = { kind: 'write'; device: number; registers: readonly number[] } | { kind: 'read'; device: number }
const anyStoreSteps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      device: fc.nat(DEVICE_COUNT - 1),
      registers: fc.uniqueArray(fc.nat(REGISTERS.length - 1), { minLength: 1 }),
    }),
    fc.record({ kind: fc.constant('read' as const), device: fc.nat(DEVICE_COUNT - 1) }),
  ),
  { maxLength: 30 },
)

interface StoreDefect {
  /**
   * Returns what a device shows instead of the store's values. `earlier` are the store's values before the first write and after each
   * write.
   */
  shown?(values: ShownValues, earlier: readonly ShownValues[], device: number): ShownValues
  final?(values: ShownValues, device: number): ShownValues
  unsent?: number
}

/** Records a history of a trivial store: one map that all devices write and read at the same time. */
function recordStoreHistory(steps: readonly StoreStep[], { shown, final, unsent = 0 }: StoreDefect = {}): History {
  let valueByRegister: ShownValues = new Map(REGISTERS.map((register) => [register, '0']))
  const earlierValues: ShownValues[] = [valueByRegister]
  const historyEvents: HistoryEvent[] = []
  const writeIds: string[] = []
  const receiveResponse = (device: number) =>
    historyEvents.push({ kind: 'response', device, certain: new Set(writeIds), possible: new Set(writeIds) })
  for (const { device, ...historyStep } of steps) {
    receiveResponse(device)
    if (historyStep.kind === 'write') {
      const writeId = String(writeIds.length + 1)
      const writtenValueByRegister = new Map(historyStep.registers.map((index) => [REGISTERS[index] ?? '', writeId]))
      historyEvents.push({ kind: 'write', id: writeId, device, values: writtenValueByRegister })
      writeIds.push(writeId)
      valueByRegister = new Map([...valueByRegister, ...writtenValueByRegister])
      earlierValues.push(valueByRegister)
    }
    historyEvents.push({ kind: 'read', device, values: shown?.(valueByRegister, earlierValues, device) ?? valueByRegister })
  }
  const finalReads = Array.from({ length: DEVICE_COUNT }, (_, device) => final?.(valueByRegister, device) ?? valueByRegister)
  return { events: historyEvents, finalReads, unsentCounts: [0, unsent], getInitialValue: () => '0' }
}

/** Returns the laws that some history breaks. */
function findBrokenLaws(defect: StoreDefect): Set<ConsistencyLaw> {
  const brokenLaws = new Set<ConsistencyLaw>()
  fc.assert(
    fc.property(anyStoreSteps, (steps) => {
      for (const { law } of checkHistory(recordStoreHistory(steps, defect))) brokenLaws.add(law)
    }),
    { numRuns: 200 },
  )
  return brokenLaws
}

it('histories: a store that all devices read and write without delay violates no consistency law', () => {
  fc.assert(
    fc.property(anyStoreSteps, (steps) => {
      expect(checkHistory(recordStoreHistory(steps))).toEqual([])
    }),
  )
})

describe('histories: a defect of the store breaks a law of consistency:', () => {
  let readCount = 0
  it.each<[string, StoreDefect, ConsistencyLaw[]]>([
    ['a read is one write behind', { shown: (values, earlier) => earlier.at(-2) ?? values }, ['read your writes', 'no loss']],
    [
      'every third read is of the past',
      { shown: (values, earlier) => (++readCount % 3 === 0 ? (earlier[1] ?? values) : values) },
      ['read your writes', 'monotonic reads'],
    ],
    [
      'a write of two values shows one of them',
      { shown: (values, earlier) => new Map([...values, ['a', earlier.at(-2)?.get('a') ?? '0']]) },
      ['atomicity'],
    ],
    ['a value is shown that nobody has written', { shown: (values) => new Map([...values, ['b', 'invented']]) }, ['no invention']],
    [
      'a device shows something else in the end',
      { final: (values, device) => (device === 1 ? new Map([...values, ['c', '0']]) : values) },
      ['convergence'],
    ],
    ['a change is not sent', { unsent: 1 }, ['liveness']],
  ])('%s', (_, plantedDefect, expectedLaws) => {
    const brokenLaws = findBrokenLaws(plantedDefect)
    for (const law of expectedLaws) expect(brokenLaws).toContain(law)
  })
})

describe('histories: writes are ordered by what their devices knew:', () => {
  const createWriteEvent = (writeId: string, deviceIndex: number, valueByRegister: Record<string, string>): HistoryEvent => ({
    kind: 'write',
    id: writeId,
    device: deviceIndex,
    values: new Map(Object.entries(valueByRegister)),
  })
  const createResponseEvent = (deviceIndex: number, ...changeIds: string[]): HistoryEvent => ({
    kind: 'response',
    device: deviceIndex,
    certain: new Set(),
    possible: new Set(changeIds),
  })
  const createReadEvent = (deviceIndex: number, valueByRegister: Record<string, string>): HistoryEvent => ({
    kind: 'read',
    device: deviceIndex,
    values: new Map(Object.entries(valueByRegister)),
  })
  const findBrokenLaws = (...events: HistoryEvent[]) =>
    checkHistory({ events, finalReads: [], unsentCounts: [], getInitialValue: () => '0' }).map(({ law }) => law)

  it('a device that shows the second write of another device must also show the first write of that device', () => {
    const writeEvents = [createWriteEvent('1', 0, { a: 'x' }), createWriteEvent('2', 0, { b: 'y' }), createResponseEvent(1, '1', '2')]
    expect(findBrokenLaws(...writeEvents, createReadEvent(1, { a: '0', b: '0' }))).toEqual([])
    expect(findBrokenLaws(...writeEvents, createReadEvent(1, { a: 'x', b: 'y' }))).toEqual([])
    expect(findBrokenLaws(...writeEvents, createReadEvent(1, { b: 'y' }), createReadEvent(1, { a: '0' }))).toEqual(['monotonic writes'])
  })

  it('a device that shows a write of another device must also show the writes that the other device had seen before', () => {
    const writeEvents = [
      createWriteEvent('1', 0, { a: 'x' }),
      createResponseEvent(1, '1'),
      createReadEvent(1, { a: 'x' }),
      createWriteEvent('2', 1, { b: 'y' }),
      createResponseEvent(2, '1', '2'),
    ]
    expect(findBrokenLaws(...writeEvents, createReadEvent(2, { b: 'y' }), createReadEvent(2, { a: '0' }))).toEqual(['writes follow reads'])
  })

  it('of two writes by devices with right clocks that did not know each other, the later tap is shown in the end', () => {
    const createTap = (writeId: string, deviceIndex: number, value: string, tapMs: number): HistoryEvent => ({
      ...{ kind: 'write', id: writeId, device: deviceIndex, values: new Map([['a', value]]) },
      tapMs,
    })
    const findFinalLaws = (finalValue: string, events: HistoryEvent[]) =>
      checkHistory({ events, finalReads: [new Map([['a', finalValue]])], unsentCounts: [], getInitialValue: () => '0' }).map(
        ({ law }) => law,
      )
    const taps = [createTap('1', 0, 'x', 60_000), createTap('2', 1, 'y', 0)]
    expect(findFinalLaws('x', taps)).toEqual([])
    expect(findFinalLaws('y', taps)).toEqual(['later tap wins'])
    const tapsAtOnce = [createTap('1', 0, 'x', 1), createTap('2', 1, 'y', 0)]
    expect(findFinalLaws('y', tapsAtOnce)).toEqual([])
  })

  it('entries stand where they were placed, directly before their target or at the end', () => {
    const findPlacementLaws = (shownIds: readonly string[], beforeId?: string) =>
      findBrokenLaws({
        ...{ kind: 'read', device: 0, values: new Map(), entryIdsByList: new Map([['l', shownIds]]) },
        placement: { list: 'l', entryIds: ['x', 'y'], beforeId },
      })
    expect(findPlacementLaws(['a', 'x', 'y', 'b'], 'b')).toEqual([])
    expect(findPlacementLaws(['a', 'b', 'x', 'y'])).toEqual([])
    expect(findPlacementLaws(['x', 'y', 'a', 'b'], 'b')).toEqual(['placement'])
    expect(findPlacementLaws(['a', 'y', 'x', 'b'], 'b')).toEqual(['placement'])
    expect(findPlacementLaws(['x', 'y', 'a', 'b'])).toEqual(['placement'])
  })

  it('of two concurrent writes, either may win', () => {
    const writeEvents = [createWriteEvent('1', 0, { a: 'x' }), createWriteEvent('2', 1, { a: 'y' }), createResponseEvent(0, '2')]
    expect(findBrokenLaws(...writeEvents, createReadEvent(0, { a: 'x' }))).toEqual([])
    expect(findBrokenLaws(...writeEvents, createReadEvent(0, { a: 'y' }))).toEqual([])
    expect(
      findBrokenLaws(...writeEvents, createReadEvent(0, { a: 'y' }), createWriteEvent('3', 0, { a: 'z' }), createReadEvent(0, { a: 'y' })),
    ).toEqual(['read your writes'])
  })
})
