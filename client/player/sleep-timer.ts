import type { Scope } from '../primitives/scope.ts'
import { isSleepDue, type SleepSetting } from './queue.ts'

/**
 * Calls `onDue` when a `SleepSetting` is due, unless the scope is disposed before. Browsers delay the timers of hidden pages and suspend them while the
 * device sleeps, so the wall clock decides, not the timer.
 */
export function createSleepTimer(scope: Scope, nowMs: () => number, onDue: () => void) {
  let sleepSetting: SleepSetting = { kind: 'off' }
  let cancelTimer = () => {}

  function updateTimer() {
    cancelTimer()
    if (sleepSetting.kind !== 'at') return
    if (isSleepDue(sleepSetting, nowMs())) {
      sleepSetting = { kind: 'off' }
      onDue()
      return
    }
    cancelTimer = scope.timeout(updateTimer, Math.max(1, sleepSetting.atMs - nowMs()))
  }

  return {
    set(newSetting: SleepSetting) {
      sleepSetting = newSetting
      updateTimer()
    },
    /**
     * Checks whether the sleep timer has expired. Call this function on events that fire even if browser timers are delayed: the song's progress, and
     * the page becoming visible.
     */
    check() {
      if (isSleepDue(sleepSetting, nowMs())) updateTimer()
    },
  }
}
