import { beforeEach, expect, it } from 'vitest'
import { createAttempts } from './attempts.ts'
import { createLogInGuard } from './log-in-guard.ts'

const MINUTE = 60_000
let now = 0
let waited: number[] = []
beforeEach(() => {
  now = 1_000_000
  waited = []
})
const guard = () =>
  createLogInGuard({
    ...{ pairMax: 20, addressMax: 100, nowMs: () => now },
    wait: async (ms) => {
      waited.push(ms)
    },
  })
const wrong = async () => undefined

it('a thousand guesses at one account from many addresses are slowed, and its owner elsewhere gets in', async () => {
  const run = guard()
  for (let i = 0; i < 1000; i++) await run(`address ${i}`, 'ann@example.com', wrong)
  expect(waited).toHaveLength(980)
  expect(waited.filter((ms) => ms === 3000)).toHaveLength(500)
  expect(await run('her own', 'ann@example.com', async () => 'in')).toBe('in')
  waited = []
  expect(await run('his own', 'bob@example.com', async () => 'in')).toBe('in')
  now += 15 * MINUTE
  expect(await run('her own', 'ann@example.com', async () => 'in')).toBe('in')
  expect(waited).toEqual([])
})

it('guesses at once slow each other down, and what succeeds counts for nothing', async () => {
  const run = guard()
  await Promise.all(Array.from({ length: 30 }, (_, i) => run(`address ${i}`, 'ann@example.com', async () => 'in')))
  expect(waited).toHaveLength(10)
  expect(await run('her own', 'ann@example.com', async () => 'in')).toBe('in')
  expect(waited).toHaveLength(10)
})

it('where the owner logged in before, a log-in is not slowed and takes a turn of its own, for a month', async () => {
  const run = guard()
  const lanes: string[] = []
  const right = async (lane: string) => {
    lanes.push(lane)
    return 'in'
  }
  await run('home', 'ann@example.com', right)
  for (let i = 0; i < 30; i++) await run(`address ${i}`, 'ann@example.com', wrong)
  waited = []
  await run('home', 'ann@example.com', right)
  expect(waited).toEqual([])
  await run('elsewhere', 'ann@example.com', right)
  expect(waited).toEqual([1000])
  expect(lanes).toEqual(['ann@example.com', 'home ann@example.com', 'ann@example.com'])
  now += 30 * 24 * 60 * MINUTE
  await run('home', 'ann@example.com', right)
  expect(lanes.at(-1)).toBe('ann@example.com')
})

it('a thousand guesses from one address at many accounts: a hundred are tried', async () => {
  const run = guard()
  let tried = 0
  for (let i = 0; i < 1000; i++) {
    const attempt = async () => {
      tried++
      return undefined
    }
    await run('one', `nobody-${i}@example.com`, attempt).catch((error: unknown) => expect(error).toMatchObject({ name: 'IdentityError' }))
  }
  expect(tried).toBe(100)
})

it('what fails on our side is no failed log-in', async () => {
  const run = guard()
  for (let i = 0; i < 50; i++) await expect(run('one', 'ann@example.com', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  expect(await run('one', 'ann@example.com', async () => 'in')).toBe('in')
})

it('attempts are forgotten by time, and the idle ones first where there are many', () => {
  const attempts = createAttempts({ windowMs: 1000, max: 2, nowMs: () => now, keysMax: 3 })
  expect([attempts.take('a'), attempts.take('a'), attempts.take('a')]).toEqual([true, true, false])
  attempts.giveBack('a')
  expect(attempts.count('a')).toBe(1)
  now += 999
  expect(attempts.take('a')).toBe(true)
  expect(attempts.take('a')).toBe(false)
  now += 1
  expect(attempts.take('a')).toBe(true)
  for (const key of ['b', 'a', 'c', 'd']) attempts.take(key)
  expect(attempts.count('b')).toBe(0)
  expect(attempts.count('a')).toBe(2)
})
