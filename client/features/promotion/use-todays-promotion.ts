import { useEffect } from 'react'
import type { DailyPromotion } from '../../../contract/promotion.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { createOncePerPage } from '../../hooks/repositories.ts'
import { useServices } from '../../hooks/services.tsx'
import { isDocumentCurrent } from '../../platform/initial-data.ts'
import { createCleanupScope } from '../../primitives/scope.ts'

/** The latest promotion that was received. It is not stored on the device, because it is valid for one day only. */
const getPromotionLoader = createOncePerPage(({ api, initialData: { promotion } }) => {
  let isPromotionCurrent = promotion !== undefined && isDocumentCurrent()
  const promotionLoader = {
    promotion,
    /**
     * The first call returns the promotion in the page's HTML, if that promotion is for the current day. Other calls request it from the
     * server.
     */
    async load() {
      if (!isPromotionCurrent) promotionLoader.promotion = await api.call('GET /promotion/today', {})
      isPromotionCurrent = false
      return promotionLoader.promotion
    },
  }
  return promotionLoader
})

/** The interval in milliseconds at which a page that stays open checks whether a new day has begun. */
const DAY_CHECK_INTERVAL_MS = 60_000
const formatUtcDay = () => new Date().toISOString().slice(0, 10)

/** Returns the promotion of the current day (UTC); null while it is unknown or if there is none. */
export function useTodaysPromotion(): DailyPromotion | null {
  const promotionLoader = getPromotionLoader(useServices())
  const { data = promotionLoader.promotion, reload } = useRemoteData(promotionLoader.load)
  useEffect(() => {
    const scope = createCleanupScope()
    let utcDay = formatUtcDay()
    const reloadOnNewDay = () => {
      if (document.hidden || formatUtcDay() === utcDay) return
      utcDay = formatUtcDay()
      reload()
    }
    scope.interval(reloadOnNewDay, DAY_CHECK_INTERVAL_MS)
    scope.listen(document, 'visibilitychange', reloadOnNewDay)
    return scope.dispose
  }, [reload])
  return data ?? null
}
