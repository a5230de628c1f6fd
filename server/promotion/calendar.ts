import type { WaitingPromotion } from './store.ts'

/** For how many days a promotion that was shown comes after those that were not. */
export const REPEAT_DAYS = 30

/**
 * Plans the calendar: one promotion for each day from `firstDay` on, until everybody who waits has a day. A day goes to the one who waited longest
 * of those that were not shown in the 30 days before it, or else of all.
 * @returns the days, by uid, in their order; days are counted from 1970-01-01 UTC
 */
export function planCalendar(waiting: readonly WaitingPromotion[], firstDay: number): Map<string, number> {
  const queue = waiting.toSorted((a, b) => a.sinceMs - b.sinceMs || (a.uid < b.uid ? -1 : 1))
  const days = new Map<string, number>()
  for (let day = firstDay; queue.length > 0; day++) {
    const isDue = ({ lastDay }: WaitingPromotion) => lastDay === undefined || day - lastDay >= REPEAT_DAYS
    // At most 30 were shown in 30 days, so the search passes few entries.
    const [next] = queue.splice(Math.max(0, queue.findIndex(isDue)), 1)
    if (next !== undefined) days.set(next.uid, day)
  }
  return days
}
