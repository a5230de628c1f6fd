import { expect, it } from 'vitest'
import { DAY_MS } from '../durations.ts'
import { describeStores } from '../storage/testing/databases.ts'

const NOW_MS = Date.UTC(2026, 6, 1, 12)
const createLimit = (key: string, max: number) => ({ key, max, windowMs: 1000 })

describeStores('attempts', (fixture) => {
  it('of attempts at the same time, exactly as many are counted as the limit allows; one that was given back makes room', async () => {
    const { attempts } = fixture.storage
    const takeOutcomes = await Promise.all(Array.from({ length: 20 }, () => attempts.take([createLimit('a', 5)], NOW_MS)))
    const countedAttempts = takeOutcomes.filter((each) => each !== undefined)
    expect(countedAttempts.map(({ earlier }) => earlier[0]).sort()).toEqual([0, 1, 2, 3, 4])
    expect(await attempts.take([createLimit('b', 5)], NOW_MS)).toMatchObject({ earlier: [0] })
    if (countedAttempts[0] !== undefined) await attempts.giveBack(countedAttempts[0])
    expect(await attempts.take([createLimit('a', 5)], NOW_MS)).toMatchObject({ earlier: [4] })
    expect(await attempts.take([createLimit('a', 5)], NOW_MS)).toBeUndefined()
    expect(await attempts.take([createLimit('a', 5)], NOW_MS + 1000)).toMatchObject({ earlier: [0] })
  })

  it('an attempt that one limit refuses counts under no key, and a limit with `isOpen` refuses no attempt', async () => {
    const { attempts } = fixture.storage
    const attemptLimits = [createLimit('full', 1), createLimit('other', 9), { ...createLimit('open', 1), isOpen: true }]
    expect(await attempts.take(attemptLimits, NOW_MS)).toMatchObject({ earlier: [0, 0, 0] })
    expect(await attempts.take(attemptLimits, NOW_MS)).toBeUndefined()
    expect(await attempts.take(attemptLimits.slice(1), NOW_MS)).toMatchObject({ earlier: [1, 1] })
    expect(await attempts.take(attemptLimits.slice(1), NOW_MS)).toMatchObject({ earlier: [2, 1] })
  })

  it('attempts no longer count after their day (UTC)', async () => {
    const { attempts } = fixture.storage
    const dayLimit = { ...createLimit('a', 1), windowMs: DAY_MS }
    await attempts.take([dayLimit], NOW_MS)
    expect(await attempts.take([dayLimit], NOW_MS + 1)).toBeUndefined()
    expect(await attempts.take([dayLimit], NOW_MS + DAY_MS - 1)).toBeDefined()
  })
})
