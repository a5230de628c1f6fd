import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCleanupScope } from '../primitives/scope.ts'
import { createSleepTimer } from './sleep-timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const createSleepSetting = (minutes: number) => ({ kind: 'at', minutes, atMs: Date.now() + minutes * 60_000 }) as const

test('sleep timer: onDue is called once, at the chosen time', () => {
  const onDue = vi.fn()
  createSleepTimer(createCleanupScope(), Date.now, onDue).set(createSleepSetting(15))
  vi.advanceTimersByTime(15 * 60_000 - 1)
  expect(onDue).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onDue).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60 * 60_000)
  expect(onDue).toHaveBeenCalledTimes(1)
})

test('sleep timer: setting a new time replaces the old one, and switching off cancels the timer', () => {
  const onDue = vi.fn()
  const timer = createSleepTimer(createCleanupScope(), Date.now, onDue)
  timer.set(createSleepSetting(15))
  timer.set(createSleepSetting(30))
  vi.advanceTimersByTime(16 * 60_000)
  expect(onDue).not.toHaveBeenCalled()
  timer.set({ kind: 'off' })
  vi.advanceTimersByTime(60 * 60_000)
  expect(onDue).not.toHaveBeenCalled()
})

test('sleep timer: check calls onDue if the chosen time passed while timers were suspended', () => {
  const onDue = vi.fn()
  let nowMs = 0
  const timer = createSleepTimer(createCleanupScope(), () => nowMs, onDue)
  timer.set({ kind: 'at', minutes: 1, atMs: 60_000 })
  nowMs = 59_999
  timer.check()
  expect(onDue).not.toHaveBeenCalled()
  nowMs = 3_600_000
  timer.check()
  expect(onDue).toHaveBeenCalledTimes(1)
})
