import { type Sleep, sleepIsDue } from './queue.ts'

/** Browsers slow the timers of hidden pages and stop them while a device sleeps, so the wall clock decides, not the timer. */
export function createSleepTimer(nowMs: () => number, onDue: () => void) {
  let sleep: Sleep = { kind: 'off' }
  let timer: ReturnType<typeof setTimeout> | undefined

  function check() {
    clearTimeout(timer)
    if (sleep.kind !== 'at') return
    if (sleepIsDue(sleep, nowMs())) {
      sleep = { kind: 'off' }
      onDue()
      return
    }
    timer = setTimeout(check, Math.max(1, sleep.atMs - nowMs()))
  }

  return {
    set(next: Sleep) {
      sleep = next
      check()
    },
    /** To be called whenever the page wakes for another reason: a song's progress, the page being shown again. */
    check() {
      if (sleepIsDue(sleep, nowMs())) check()
    },
    close: () => clearTimeout(timer),
  }
}
