import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PROMOTION_PAUSE_DAYS, planCalendar } from './promotions.ts'
import type { WaitingPromotion } from './store.ts'

const CURRENT_DAY_NUMBER = 20_000
const anyWaitingList = fc
  .uniqueArray(fc.record({ since: fc.integer({ min: 0, max: 60 }), shownAgo: fc.option(fc.integer({ min: 0, max: 45 })) }), {
    maxLength: 50,
    selector: ({ shownAgo, since }) => (shownAgo === null ? `since ${since}` : shownAgo),
  })
  .map((waitingEntries) =>
    waitingEntries.map(
      ({ since, shownAgo }, index): WaitingPromotion => ({
        uid: `uid-${index}`,
        sinceMs: shownAgo === null ? since : 1000 - shownAgo,
        lastDay: shownAgo === null ? undefined : CURRENT_DAY_NUMBER - shownAgo,
      }),
    ),
  )

const isRecentPromotion = ({ lastDay }: WaitingPromotion, day: number) => lastDay !== undefined && day - lastDay < PROMOTION_PAUSE_DAYS
const waitsLonger = (a: WaitingPromotion, b: WaitingPromotion) => a.sinceMs < b.sinceMs || (a.sinceMs === b.sinceMs && a.uid < b.uid)

describe('promotion calendar', () => {
  it('each waiting promotion has one day, and each day one promotion, without a free day in between', () => {
    fc.assert(
      fc.property(anyWaitingList, (waitingList) => {
        const days = planCalendar(waitingList, CURRENT_DAY_NUMBER + 1)
        expect([...days.keys()].sort()).toEqual(waitingList.map(({ uid }) => uid).sort())
        expect([...days.values()]).toEqual(waitingList.map((_, index) => CURRENT_DAY_NUMBER + 1 + index))
      }),
    )
  })

  it('each day shows the promotion that has waited longest, and no promotion is shown twice within 30 days while another one waits', () => {
    fc.assert(
      fc.property(anyWaitingList, (waitingList) => {
        const plannedDays = planCalendar(waitingList, CURRENT_DAY_NUMBER + 1)
        const readPlannedDay = (entry: WaitingPromotion) => plannedDays.get(entry.uid) ?? 0
        for (const chosenEntry of waitingList) {
          const laterEntries = waitingList.filter((other) => readPlannedDay(other) > readPlannedDay(chosenEntry))
          const otherDueEntries = laterEntries.filter((other) => !isRecentPromotion(other, readPlannedDay(chosenEntry)))
          if (isRecentPromotion(chosenEntry, readPlannedDay(chosenEntry))) expect(otherDueEntries).toEqual([])
          const rivals =
            otherDueEntries.length > 0 ? otherDueEntries : isRecentPromotion(chosenEntry, readPlannedDay(chosenEntry)) ? laterEntries : []
          for (const rival of rivals) expect(waitsLonger(chosenEntry, rival)).toBe(true)
        }
      }),
    )
  })

  it('the planned calendar does not depend on the order in which the promotions are listed, so that all processes plan the same', () => {
    fc.assert(
      fc.property(
        anyWaitingList.chain((waiting) => fc.tuple(fc.constant(waiting), fc.shuffledSubarray(waiting, { minLength: waiting.length }))),
        ([waiting, shuffled]) => {
          expect([...planCalendar(shuffled, CURRENT_DAY_NUMBER)]).toEqual([...planCalendar(waiting, CURRENT_DAY_NUMBER)])
        },
      ),
    )
  })

  it('a new promotion does not delay the promotions that have waited longer and were not shown in the last 30 days', () => {
    fc.assert(
      fc.property(anyWaitingList, (waitingList) => {
        const planBefore = planCalendar(waitingList, CURRENT_DAY_NUMBER + 1)
        const planAfter = planCalendar([...waitingList, { uid: 'newcomer', sinceMs: 2000, lastDay: undefined }], CURRENT_DAY_NUMBER + 1)
        for (const entry of waitingList) {
          const day = planBefore.get(entry.uid) ?? 0
          if (!isRecentPromotion(entry, day)) expect(planAfter.get(entry.uid)).toBe(day)
        }
      }),
    )
  })

  it('removing a promotion frees its day, and delays no other promotion', () => {
    fc.assert(
      fc.property(anyWaitingList, fc.nat(), (waitingList, index) => {
        const planBefore = planCalendar(waitingList, CURRENT_DAY_NUMBER + 1)
        const remaining = waitingList.filter((_, position) => position !== index % Math.max(1, waitingList.length))
        const after = planCalendar(remaining, CURRENT_DAY_NUMBER + 1)
        for (const { uid } of remaining) expect(after.get(uid)).toBeLessThanOrEqual(planBefore.get(uid) ?? 0)
      }),
    )
  })

  it('in a year in which promotions are added, removed and wait again, a promotion is shown twice within 30 days only if no other promotion waits', {
    tags: ['long'],
  }, () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ uid: fc.integer({ min: 0, max: 40 }), day: fc.nat(364), leaves: fc.boolean() })),
        (calendarEvents) => {
          const waitingByUid = new Map<string, WaitingPromotion>()
          const lastDayByUid = new Map<string, number>()
          let previousPlan: [string, number][] = []
          for (let dayNumber = 0; dayNumber < 365; dayNumber++) {
            let hasWaitingListChanged = false
            for (const event of calendarEvents.filter((each) => each.day === dayNumber)) {
              const uid = `uid-${event.uid}`
              hasWaitingListChanged = true
              if (event.leaves) waitingByUid.delete(uid)
              else if (!waitingByUid.has(uid)) waitingByUid.set(uid, { uid, sinceMs: dayNumber, lastDay: lastDayByUid.get(uid) })
            }
            const calendarPlan = planCalendar([...waitingByUid.values()], dayNumber)
            const [firstEntry] = calendarPlan
            if (!hasWaitingListChanged && previousPlan.length > 0)
              for (const [uid, promisedDay] of previousPlan) expect(calendarPlan.get(uid)).toBe(promisedDay)
            previousPlan = [...calendarPlan].slice(1)
            if (firstEntry === undefined) continue
            const [uid] = firstEntry
            const lastDay = lastDayByUid.get(uid)
            if (lastDay !== undefined && dayNumber - lastDay < PROMOTION_PAUSE_DAYS)
              for (const other of waitingByUid.values()) expect(isRecentPromotion(other, dayNumber)).toBe(true)
            lastDayByUid.set(uid, dayNumber)
            waitingByUid.set(uid, { uid, sinceMs: dayNumber + 1, lastDay: dayNumber })
          }
        },
      ),
    )
  })
})
