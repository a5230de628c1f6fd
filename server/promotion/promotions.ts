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
  const waitingQueue = waiting.toSorted((a, b) => a.sinceMs - b.sinceMs || (a.uid < b.uid ? -1 : 1))
  const dayByUid = new Map<string, number>()
  for (let dayNumber = firstDay; waitingQueue.length > 0; dayNumber++) {
    const isPromotionDue = ({ lastDay }: WaitingPromotion) => lastDay === undefined || dayNumber - lastDay >= PROMOTION_PAUSE_DAYS
    // The search skips at most `PROMOTION_PAUSE_DAYS` entries, because each day has only one promotion.
    const [next] = waitingQueue.splice(Math.max(0, waitingQueue.findIndex(isPromotionDue)), 1)
    if (next !== undefined) dayByUid.set(next.uid, dayNumber)
  }
  return dayByUid
}

/** The time for which the promotion of the day is cached. It is short, because another process may change the promotion. */
const TODAYS_PROMOTION_CACHE_MS = 1000

const formatDay = (day: number) => new Date(day * DAY_MS).toISOString()

interface PromotionsDeps {
  promotions: PromotionStore
  /** Returns the website of an account; `undefined` if visitors see none. */
  findSite: (uid: string) => Promise<PromotionSite | undefined>
  /** Returns the revision of the storage, which changes when an admin hides a video. */
  revision: () => number
  nowMs: () => number
}

/**
 * The calendar of promotions. Future days are planned anew for each request, from the promotions that wait. The current day is stored once it is
 * known, so that it never changes, and all processes of a database agree.
 */
export function createPromotionService({ promotions: promotionStore, findSite, revision, nowMs }: PromotionsDeps) {
  let shownToday: { day: number; untilMs: number; revision: number; promotion: Promise<DailyPromotion | null> } | undefined

  /** Returns the promotion of a day that has begun. Assigns a free day to the entry that has waited longest. */
  async function findPromotionOfDay(dayNumber: number, atMs: number): Promise<DailyPromotion | null> {
    let shownPromotion = await promotionStore.findShown(dayNumber)
    if (shownPromotion === undefined) {
      await promotionStore.updateWaiting(atMs)
      const [firstEntry] = planCalendar(await promotionStore.listWaiting(atMs), dayNumber)
      if (firstEntry === undefined) return null
      await promotionStore.takeDay(dayNumber, firstEntry[0], (dayNumber + 1) * DAY_MS)
      shownPromotion = await promotionStore.findShown(dayNumber)
    }
    return shownPromotion?.links === undefined
      ? null
      : { date: formatDay(dayNumber), ...shownPromotion.links, ...(await findSite(shownPromotion.uid)) }
  }

  /** Returns the promotion of the current day (UTC); null if no promotion waits. */
  function getTodaysPromotion(): Promise<DailyPromotion | null> {
    const atMs = nowMs()
    const dayNumber = Math.floor(atMs / DAY_MS)
    const currentRevision = revision()
    if (shownToday?.day === dayNumber && shownToday.revision === currentRevision && atMs < shownToday.untilMs) return shownToday.promotion
    const promotionPromise = findPromotionOfDay(dayNumber, atMs)
    shownToday = { day: dayNumber, untilMs: atMs + TODAYS_PROMOTION_CACHE_MS, revision: currentRevision, promotion: promotionPromise }
    promotionPromise.catch(() => {
      if (shownToday?.promotion === promotionPromise) shownToday = undefined
    })
    return promotionPromise
  }

  return {
    today: getTodaysPromotion,
    /** Returns the promotion of an account with its days; empty texts and no days before the first save. */
    async of(uid: string): Promise<Promotion> {
      const atMs = nowMs()
      const dayNumber = Math.floor(atMs / DAY_MS)
      await promotionStore.updateWaiting(atMs)
      await getTodaysPromotion()
      const [storedLinks, shownDays, todaysPromotion] = await Promise.all([
        promotionStore.find(uid),
        promotionStore.listDays(uid),
        promotionStore.findShown(dayNumber),
      ])
      const plannedDay = planCalendar(
        await promotionStore.listWaiting(atMs),
        todaysPromotion === undefined ? dayNumber : dayNumber + 1,
      ).get(uid)
      const allDays = plannedDay === undefined ? shownDays : [...shownDays, plannedDay]
      return {
        youtube_channel: storedLinks?.youtube_channel ?? '',
        youtube_share: storedLinks?.youtube_share ?? '',
        ...(storedLinks !== undefined && (await promotionStore.isVideoHidden(storedLinks)) && { video_hidden: true }),
        ...(await findSite(uid)),
        promotion_calendar: allDays.map((each) => ({ date: formatDay(each) })),
      }
    },
    /** Stores the promotion of an account, which is shown immediately if the current day is free. */
    async save(uid: string, promotion: Parameters<PromotionStore['save']>[1]): Promise<void> {
      await promotionStore.save(uid, promotion, nowMs())
      shownToday = undefined
      await getTodaysPromotion()
    },
  }
}
export type PromotionService = ReturnType<typeof createPromotionService>
