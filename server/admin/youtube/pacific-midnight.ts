import { DAY_MS, HOUR_MS } from '../../durations.ts'

const pacificTime = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
})

/** Returns the time of day in California in milliseconds, whole seconds. */
function pacificTimeOfDay(ms: number): number {
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(pacificTime.formatToParts(ms).find((each) => each.type === type)?.value)
  return part('hour') * HOUR_MS + part('minute') * 60_000 + part('second') * 1000
}

/** Returns the next midnight in California after `nowMs`, at which Google renews the daily quotas. Both are epoch milliseconds. */
export function nextPacificMidnightMs(nowMs: number): number {
  const wholeSecondMs = Math.floor(nowMs / 1000) * 1000
  const estimateMs = wholeSecondMs + DAY_MS - pacificTimeOfDay(wholeSecondMs)
  // A day on which the clocks change has 23 or 25 hours.
  const errorMs = pacificTimeOfDay(estimateMs)
  return estimateMs - (errorMs > DAY_MS / 2 ? errorMs - DAY_MS : errorMs)
}
