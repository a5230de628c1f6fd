import type { DailyPromotion, Promotion, PromotionSite } from '../../contract/promotion.ts'
import { DAY_MS } from '../durations.ts'
import type { PromotionStore, WaitingPromotion } from './store.ts'

/** For this number of days after it was shown, a promotion waits behind all promotions that were not shown during these days. */
export const PROMOTION_PAUSE_DAYS = 30

/**
 * Plans the calendar: one promotion for each day from `firstDay` on, until each waiting promotion has a day. A day is assigned to the promotion that
 * has waited longest of those not shown in the 30 days before it, or else of all.
 * @returns the days in order, by uid; days are counted from 1970-01-01 UTC
 */
export function planCalendar(waiting: readonly WaitingPromotion[], firstDay: number): Map<string, number> {
  const queue = waiting.toSorted((a, b) => a.sinceMs - b.sinceMs || (a.uid < b.uid ? -1 : 1))
  const days = new Map<string, number>()
  for (let day = firstDay; queue.length > 0; day++) {
    const isDue = ({ lastDay }: WaitingPromotion) => lastDay === undefined || day - lastDay >= PROMOTION_PAUSE_DAYS
    // The search skips at most `PROMOTION_PAUSE_DAYS` entries, because each day has only one promotion.
    const [next] = queue.splice(Math.max(0, queue.findIndex(isDue)), 1)
    if (next !== undefined) days.set(next.uid, day)
  }
  return days
}

/** The time for which the promotion of the day is cached. It is short, because another process may change the promotion. */
const RECHECK_AFTER_MS = 1000

const dayToIsoTime = (day: number) => new Date(day * DAY_MS).toISOString()

interface PromotionsDeps {
  promotions: PromotionStore
  /** Returns the website of an account; `undefined` if visitors see none. */
  siteOf: (uid: string) => Promise<PromotionSite | undefined>
  nowMs: () => number
}

/**
 * The calendar of promotions. Future days are planned anew for each request, from the promotions that wait. The current day is stored once it is
 * known, so that it never changes, and all processes of a database agree.
 */
export function createPromotionService({ promotions: store, siteOf, nowMs }: PromotionsDeps) {
  let memory: { day: number; untilMs: number; promotion: Promise<DailyPromotion | null> } | undefined

  /** Returns the promotion of a day that has begun. Assigns a free day to the entry that has waited longest. */
  async function showDay(day: number, atMs: number): Promise<DailyPromotion | null> {
    let shownPromotion = await store.findShown(day)
    if (shownPromotion === undefined) {
      await store.updateWaiting(atMs)
      const [firstEntry] = planCalendar(await store.listWaiting(atMs), day)
      if (firstEntry === undefined) return null
      await store.takeDay(day, firstEntry[0], (day + 1) * DAY_MS)
      shownPromotion = await store.findShown(day)
    }
    return shownPromotion?.links === undefined
      ? null
      : { date: dayToIsoTime(day), ...shownPromotion.links, ...(await siteOf(shownPromotion.uid)) }
  }

  /** Returns the promotion of the current day (UTC); null if no promotion waits. */
  function today(): Promise<DailyPromotion | null> {
    const atMs = nowMs()
    const day = Math.floor(atMs / DAY_MS)
    if (memory?.day === day && atMs < memory.untilMs) return memory.promotion
    const promotion = showDay(day, atMs)
    memory = { day, untilMs: atMs + RECHECK_AFTER_MS, promotion }
    promotion.catch(() => {
      if (memory?.promotion === promotion) memory = undefined
    })
    return promotion
  }

  return {
    today,
    /** Returns the promotion of an account with its days; empty texts and no days before the first save. */
    async of(uid: string): Promise<Promotion> {
      const atMs = nowMs()
      const day = Math.floor(atMs / DAY_MS)
      await store.updateWaiting(atMs)
      await today()
      const [links, shownDays, isTaken] = await Promise.all([store.find(uid), store.listDays(uid), store.findShown(day)])
      const plannedDay = planCalendar(await store.listWaiting(atMs), isTaken === undefined ? day : day + 1).get(uid)
      const days = plannedDay === undefined ? shownDays : [...shownDays, plannedDay]
      return {
        youtube_channel: links?.youtube_channel ?? '',
        youtube_share: links?.youtube_share ?? '',
        ...(await siteOf(uid)),
        promotion_calendar: days.map((each) => ({ date: dayToIsoTime(each) })),
      }
    },
    /** Stores the promotion of an account, which is shown immediately if the current day is free. */
    async save(uid: string, promotion: Parameters<PromotionStore['save']>[1]): Promise<void> {
      await store.save(uid, promotion, nowMs())
      memory = undefined
      await today()
    },
  }
}
export type PromotionService = ReturnType<typeof createPromotionService>
