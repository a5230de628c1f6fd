import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSleepTimer } from './sleep-timer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const at = (minutes: number) => ({ kind: 'at', minutes, atMs: Date.now() + minutes * 60_000 }) as const

test('onDue is called once, at the chosen time', () => {
  const due = vi.fn()
  createSleepTimer(Date.now, due).set(at(15))
  vi.advanceTimersByTime(15 * 60_000 - 1)
  expect(due).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(due).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60 * 60_000)
  expect(due).toHaveBeenCalledTimes(1)
})

test('setting a new time replaces the old one, and switching off cancels the timer', () => {
  const due = vi.fn()
  const timer = createSleepTimer(Date.now, due)
  timer.set(at(15))
  timer.set(at(30))
  vi.advanceTimersByTime(16 * 60_000)
  expect(due).not.toHaveBeenCalled()
  timer.set({ kind: 'off' })
  vi.advanceTimersByTime(60 * 60_000)
  expect(due).not.toHaveBeenCalled()
})

test('check calls onDue if the chosen time passed while timers were suspended', () => {
  const due = vi.fn()
  let nowMs = 0
  const timer = createSleepTimer(() => nowMs, due)
  timer.set({ kind: 'at', minutes: 1, atMs: 60_000 })
  nowMs = 59_999
  timer.check()
  expect(due).not.toHaveBeenCalled()
  nowMs = 3_600_000
  timer.check()
  expect(due).toHaveBeenCalledTimes(1)
})
