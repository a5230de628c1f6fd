import { beforeEach, expect, it } from 'vitest'
import { createSlidingWindow } from '../http/sliding-window.ts'
import type { AttemptStore } from '../http/store-attempts.ts'
import { createLoginGuard } from './login-guard.ts'

const MINUTE_MS = 60_000
let nowMs = 0
let waitsMs: number[] = []
beforeEach(() => {
  nowMs = 1_000_000
  waitsMs = []
})
/** Counts attempts in memory, because thousands of writes to a database would take long. */
function createMemoryAttemptStore(): AttemptStore {
  const attemptRows: { id: string; key: string; expires: number }[] = []
  const countAttempts = (key: string, atMs: number) => attemptRows.filter((row) => row.key === key && row.expires > atMs).length
  return {
    take: async (attemptLimits, atMs) => {
      const earlierCounts = attemptLimits.map(({ key }) => countAttempts(key, atMs))
      if (attemptLimits.some(({ max, isOpen }, index) => isOpen !== true && (earlierCounts[index] ?? 0) >= max)) return undefined
      const id = String(Math.random())
      for (const { key, windowMs } of attemptLimits) attemptRows.push({ id, key, expires: atMs + windowMs })
      return { id, earlier: earlierCounts }
    },
    giveBack: async ({ id }) => {
      attemptRows.splice(0, attemptRows.length, ...attemptRows.filter((row) => row.id !== id))
    },
  }
}
const createGuard = (attemptStore = createMemoryAttemptStore()) =>
  createLoginGuard({
    attempts: attemptStore,
    maxFailuresPerPair: 20,
    maxFailuresPerAddress: 100,
    nowMs: () => nowMs,
    wait: async (ms) => {
      waitsMs.push(ms)
    },
  })
const tryWrongPassword = async () => undefined

it('1,000 guesses at one account from many addresses are delayed, and the owner can log in from another address', async () => {
  const guardAttempt = createGuard()
  for (let i = 0; i < 1000; i++) await guardAttempt(`address ${i}`, 'ann@example.com', tryWrongPassword)
  expect(waitsMs).toHaveLength(980)
  expect(waitsMs.filter((ms) => ms === 3000)).toHaveLength(500)
  expect(await guardAttempt('her own', 'ann@example.com', async () => 'in')).toBe('in')
  waitsMs = []
  expect(await guardAttempt('his own', 'bob@example.com', async () => 'in')).toBe('in')
  nowMs += 15 * MINUTE_MS
  expect(await guardAttempt('her own', 'ann@example.com', async () => 'in')).toBe('in')
  expect(waitsMs).toEqual([])
})

it('concurrent attempts delay each other, and successful logins are not counted as failures', async () => {
  const runGuarded = createGuard()
  await Promise.all(Array.from({ length: 30 }, (_, i) => runGuarded(`address ${i}`, 'ann@example.com', async () => 'in')))
  expect(waitsMs).toHaveLength(10)
  expect(await runGuarded('her own', 'ann@example.com', async () => 'in')).toBe('in')
  expect(waitsMs).toHaveLength(10)
})

it('for a month, a login from an address with an earlier successful login is not delayed, and has a separate lane in the queue', async () => {
  const runGuarded = createGuard()
  const usedLanes: string[] = []
  const tryRightPassword = async (queueLane: string) => {
    usedLanes.push(queueLane)
    return 'in'
  }
  await runGuarded('home', 'ann@example.com', tryRightPassword)
  for (let i = 0; i < 30; i++) await runGuarded(`address ${i}`, 'ann@example.com', tryWrongPassword)
  waitsMs = []
  await runGuarded('home', 'ann@example.com', tryRightPassword)
  expect(waitsMs).toEqual([])
  await runGuarded('elsewhere', 'ann@example.com', tryRightPassword)
  expect(waitsMs).toEqual([1000])
  expect(usedLanes).toEqual(['ann@example.com', 'home ann@example.com', 'ann@example.com'])
  nowMs += 30 * 24 * 60 * MINUTE_MS
  await runGuarded('home', 'ann@example.com', tryRightPassword)
  expect(usedLanes.at(-1)).toBe('ann@example.com')
})

it('of 1,000 guesses from one address at many accounts, 100 are attempted', async () => {
  const runGuarded = createGuard()
  let attemptCount = 0
  for (let i = 0; i < 1000; i++) {
    const attemptLogin = async () => {
      attemptCount++
      return undefined
    }
    await runGuarded('one', `nobody-${i}@example.com`, attemptLogin).catch((error: unknown) =>
      expect(error).toMatchObject({ name: 'IdentityError' }),
    )
  }
  expect(attemptCount).toBe(100)
})

it('two processes count the attempts from an address together', async () => {
  const attemptStore = createMemoryAttemptStore()
  const guardedProcesses = [createGuard(attemptStore), createGuard(attemptStore)]
  const loginOutcomes: string[] = []
  for (let i = 0; i < 30; i++)
    await guardedProcesses[i % 2]?.('one', 'ann@example.com', tryWrongPassword).then(
      () => loginOutcomes.push('wrong'),
      () => loginOutcomes.push('refused'),
    )
  expect(loginOutcomes).toEqual([...Array<string>(20).fill('wrong'), ...Array<string>(10).fill('refused')])
})

it('a server error does not count as a failed login', async () => {
  const run = createGuard()
  for (let i = 0; i < 50; i++) await expect(run('one', 'ann@example.com', () => Promise.reject(new Error('disk')))).rejects.toThrow('disk')
  expect(await run('one', 'ann@example.com', async () => 'in')).toBe('in')
})

it('attempts expire after the time window, and the least recently used keys are evicted', () => {
  const attemptWindow = createSlidingWindow({ windowMs: 1000, max: 2, nowMs: () => nowMs, keysMax: 3 })
  expect([attemptWindow.take('a'), attemptWindow.take('a'), attemptWindow.take('a')]).toEqual([true, true, false])
  attemptWindow.giveBack('a')
  expect(attemptWindow.count('a')).toBe(1)
  nowMs += 999
  expect(attemptWindow.take('a')).toBe(true)
  expect(attemptWindow.take('a')).toBe(false)
  nowMs += 1
  expect(attemptWindow.take('a')).toBe(true)
  for (const key of ['b', 'a', 'c', 'd']) attemptWindow.take(key)
  expect(attemptWindow.count('b')).toBe(0)
  expect(attemptWindow.count('a')).toBe(2)
})
