import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { createServerRegister, type DeviceChange, type LastWriteWinsRegister, mergeChange } from './merge.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')
const [FIRST_ID, SECOND_ID] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const
const createDeviceChange = (deviceId: string, atMs: number, value = true): DeviceChange<boolean> => ({ value, atMs, deviceId })
const mergeChanges = (...deviceChanges: DeviceChange<boolean>[]) =>
  deviceChanges.reduce<LastWriteWinsRegister<boolean> | undefined>((stored, each) => mergeChange(each, stored, NOW_MS) ?? stored, undefined)

describe('merging two changes of a value', () => {
  it.each([
    [
      'the later change wins, in whichever order they arrive',
      createDeviceChange(FIRST_ID, NOW_MS - 2, true),
      createDeviceChange(SECOND_ID, NOW_MS - 1, false),
      false,
    ],
    [
      'at equal times the greater device id wins',
      createDeviceChange(FIRST_ID, NOW_MS - 1, true),
      createDeviceChange(SECOND_ID, NOW_MS - 1, false),
      false,
    ],
    [
      "a future time is limited to the server's time and then loses to the greater device id",
      createDeviceChange(FIRST_ID, NOW_MS + 86_400_000, true),
      createDeviceChange(SECOND_ID, NOW_MS, false),
      false,
    ],
    [
      'a time in the year 9999 wins over an earlier change',
      createDeviceChange(FIRST_ID, NOW_MS - 1, true),
      createDeviceChange(SECOND_ID, Date.UTC(9999, 11, 31), false),
      false,
    ],
    ['a time in 1970 loses', createDeviceChange(FIRST_ID, 0, false), createDeviceChange(SECOND_ID, Date.UTC(2001, 0, 1), true), true],
    [
      'all times before 2000 are equal',
      createDeviceChange(FIRST_ID, 946_684_700_000, true),
      createDeviceChange(SECOND_ID, 5, false),
      false,
    ],
  ])('merging two changes: %s', (_, firstChange, secondChange, expectedValue) => {
    expect(mergeChanges(firstChange, secondChange)?.value).toBe(expectedValue)
    expect(mergeChanges(secondChange, firstChange)?.value).toBe(expectedValue)
  })

  it("the stored time does not decrease when the server's clock is set back", () => {
    const storedRegister = mergeChanges(createDeviceChange(FIRST_ID, NOW_MS + 5, true))
    expect(mergeChange(createDeviceChange(FIRST_ID, NOW_MS + 6, false), storedRegister, NOW_MS - 1)).toMatchObject({
      value: false,
      changedAtMs: NOW_MS,
    })
    expect(mergeChange(createDeviceChange(SECOND_ID, NOW_MS + 6, false), storedRegister, NOW_MS - 1)).toBeUndefined()
  })

  it("a time that was stored while the server's clock was days ahead does not win over what is changed now", () => {
    const storedRegister = { value: true, changedAtMs: NOW_MS + 9 * DAY_MS, deviceId: SECOND_ID, claimedAtMs: NOW_MS }
    const expectedRegister = { value: false, changedAtMs: NOW_MS }
    expect(mergeChange(createDeviceChange(FIRST_ID, NOW_MS, false), storedRegister, NOW_MS)).toMatchObject(expectedRegister)
    expect(mergeChange(createDeviceChange(SECOND_ID, NOW_MS, false), storedRegister, NOW_MS)).toMatchObject(expectedRegister)
    expect(mergeChange(createDeviceChange(FIRST_ID, NOW_MS - 60_000, false), storedRegister, NOW_MS), 'a tap of before').toBeUndefined()
  })

  it('changes of one device are ordered by its own clock, even if that clock is far ahead', () => {
    const farFutureMs = Date.UTC(9999, 0, 1)
    expect(mergeChanges(createDeviceChange(FIRST_ID, farFutureMs, true), createDeviceChange(FIRST_ID, farFutureMs + 1, false))).toEqual({
      value: false,
      changedAtMs: NOW_MS,
      deviceId: FIRST_ID,
      claimedAtMs: farFutureMs + 1,
    })
    expect(mergeChanges(createDeviceChange(FIRST_ID, farFutureMs + 1, false), createDeviceChange(FIRST_ID, farFutureMs, true))?.value).toBe(
      false,
    )
    expect(
      mergeChanges(createDeviceChange(FIRST_ID, farFutureMs, true), createDeviceChange(FIRST_ID, farFutureMs, false))?.value,
      'arrived later',
    ).toBe(false)
    // The clock of the device was set back, so this newer change has an earlier time.
    expect(mergeChanges(createDeviceChange(FIRST_ID, farFutureMs, true), createDeviceChange(FIRST_ID, NOW_MS, false))?.value).toBe(true)
  })
})

it('a stored time is never in the future or before 2000, and never decreases', () => {
  const anyDeviceChange = fc.record({
    value: fc.boolean(),
    atMs: fc.oneof(fc.integer({ min: NOW_MS - 5, max: NOW_MS + 5 }), fc.constantFrom(-62_167_219_200_000, 0, Date.UTC(9999, 11, 31))),
    deviceId: fc.constantFrom(FIRST_ID, SECOND_ID),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(anyDeviceChange, fc.boolean()), { maxLength: 12 }), (mergeSteps) => {
      let storedRegister: LastWriteWinsRegister<boolean> | undefined
      for (const mergeStep of mergeSteps) {
        const nextRegister =
          typeof mergeStep === 'boolean'
            ? createServerRegister(mergeStep, storedRegister, NOW_MS)
            : mergeChange(mergeStep, storedRegister, NOW_MS)
        if (nextRegister === undefined) continue
        expect(nextRegister.changedAtMs).toBeGreaterThanOrEqual(Date.UTC(2000, 0, 1))
        expect(nextRegister.changedAtMs).toBeLessThanOrEqual(NOW_MS + 1)
        if (typeof mergeStep !== 'boolean') expect(nextRegister.changedAtMs).toBeGreaterThanOrEqual(storedRegister?.changedAtMs ?? 0)
        storedRegister = nextRegister
      }
    }),
  )
})

it('a change on the server wins over all earlier changes, and corrects a stored time in the future', () => {
  for (const storedRegister of [
    undefined,
    mergeChanges(createDeviceChange(SECOND_ID, NOW_MS, true)),
    mergeChanges(createDeviceChange(SECOND_ID, NOW_MS + 99, true)),
  ]) {
    const serverRegister = createServerRegister(false, storedRegister, NOW_MS)
    expect(mergeChange(createDeviceChange(SECOND_ID, NOW_MS - 1, true), serverRegister, NOW_MS)).toBeUndefined()
    if (storedRegister !== undefined)
      expect(mergeChange(createDeviceChange(SECOND_ID, NOW_MS, true), serverRegister, NOW_MS)).toBeUndefined()
    expect(mergeChange(createDeviceChange(FIRST_ID, NOW_MS + 2, true), serverRegister, NOW_MS + 2)?.value).toBe(true)
  }
  const futureState: LastWriteWinsRegister<boolean> = {
    value: true,
    changedAtMs: NOW_MS + 86_400_000,
    deviceId: SECOND_ID,
    claimedAtMs: NOW_MS,
  }
  expect(createServerRegister(false, futureState, NOW_MS).changedAtMs).toBe(NOW_MS + 1)
})
