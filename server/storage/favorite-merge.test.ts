import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Standing, standingAfter, standingSet, type Tap } from './favorite-merge.ts'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const [A, B] = ['aaaaaaaa-0000-4000-8000-000000000000', 'bbbbbbbb-0000-4000-8000-000000000000'] as const
const tap = (deviceId: string, atMs: number, favorite = true): Tap => ({ favorite, atMs, deviceId })
const standing = (...taps: Tap[]) => taps.reduce<Standing | undefined>((known, each) => standingAfter(each, known, NOW) ?? known, undefined)

describe('of two taps on a song', () => {
  it.each([
    ['the later one wins, whichever is told of first', tap(A, NOW - 2, true), tap(B, NOW - 1, false), false],
    ['at one time the greater device wins', tap(A, NOW - 1, true), tap(B, NOW - 1, false), false],
    [
      'what is to come counts as now: a clock a day ahead wins over no tap of now',
      tap(A, NOW + 86_400_000, true),
      tap(B, NOW, false),
      false,
    ],
    ['a clock of 9999 wins over what was before', tap(A, NOW - 1, true), tap(B, Date.UTC(9999, 11, 31), false), false],
    ['a clock of 1970 loses', tap(A, 0, false), tap(B, Date.UTC(2001, 0, 1), true), true],
    ['all times before 2000 are one', tap(A, 946_684_700_000, true), tap(B, 5, false), false],
  ])('%s', (_, one, other, favorite) => {
    expect(standing(one, other)?.favorite).toBe(favorite)
    expect(standing(other, one)?.favorite).toBe(favorite)
  })

  it('the time of a song does not go back with the clock of the server', () => {
    const known = standing(tap(A, NOW + 5, true))
    expect(standingAfter(tap(A, NOW + 6, false), known, NOW - 1)).toMatchObject({ favorite: false, changedAtMs: NOW })
    expect(standingAfter(tap(B, NOW + 6, false), known, NOW - 1)).toBeUndefined()
  })

  it('of one device the one wins that is later by its own clock, even by one that is far ahead', () => {
    const ahead = Date.UTC(9999, 0, 1)
    expect(standing(tap(A, ahead, true), tap(A, ahead + 1, false))).toEqual({
      ...{ favorite: false, changedAtMs: NOW, deviceId: A, claimedAtMs: ahead + 1 },
    })
    expect(standing(tap(A, ahead + 1, false), tap(A, ahead, true))?.favorite).toBe(false)
    expect(standing(tap(A, ahead, true), tap(A, ahead, false))?.favorite, 'told of later').toBe(false)
    // Its clock was put right: what it taps now was tapped later, but no clock says so.
    expect(standing(tap(A, ahead, true), tap(A, NOW, false))?.favorite).toBe(true)
  })
})

it('a song never stands at a time to come, or before 2000, and its time never goes back', () => {
  const anyTap = fc.record({
    favorite: fc.boolean(),
    atMs: fc.oneof(fc.integer({ min: NOW - 5, max: NOW + 5 }), fc.constantFrom(-62_167_219_200_000, 0, Date.UTC(9999, 11, 31))),
    deviceId: fc.constantFrom(A, B),
  })
  fc.assert(
    fc.property(fc.array(fc.oneof(anyTap, fc.boolean()), { maxLength: 12 }), (steps) => {
      let known: Standing | undefined
      for (const step of steps) {
        const next = typeof step === 'boolean' ? standingSet(step, known, NOW) : standingAfter(step, known, NOW)
        if (next === undefined) continue
        expect(next.changedAtMs).toBeGreaterThanOrEqual(Date.UTC(2000, 0, 1))
        expect(next.changedAtMs).toBeLessThanOrEqual(NOW + 1)
        if (typeof step !== 'boolean') expect(next.changedAtMs).toBeGreaterThanOrEqual(known?.changedAtMs ?? 0)
        known = next
      }
    }),
  )
})

it('what is set now stands against every tap that was before, and a stored time to come is mended', () => {
  for (const known of [undefined, standing(tap(B, NOW, true)), standing(tap(B, NOW + 99, true))]) {
    const set = standingSet(false, known, NOW)
    expect(standingAfter(tap(B, NOW - 1, true), set, NOW)).toBeUndefined()
    if (known !== undefined) expect(standingAfter(tap(B, NOW, true), set, NOW)).toBeUndefined()
    expect(standingAfter(tap(A, NOW + 2, true), set, NOW + 2)?.favorite).toBe(true)
  }
  const future: Standing = { favorite: true, changedAtMs: NOW + 86_400_000, deviceId: B, claimedAtMs: NOW }
  expect(standingSet(false, future, NOW).changedAtMs).toBe(NOW + 1)
})
