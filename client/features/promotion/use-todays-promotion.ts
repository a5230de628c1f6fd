import type { DailyPromotion } from '../../../contract/promotion.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { oncePerPage } from '../../hooks/repositories.ts'
import { useServices } from '../../hooks/services.tsx'
import { isDocumentCurrent } from '../../platform/initial-data.ts'

/** The latest known promotion. It is not stored on the device, because it is valid for one day only. */
const promotionOf = oncePerPage(({ api, initialData: { promotion } }) => {
  let isCurrent = promotion !== undefined && isDocumentCurrent()
  const latest = {
    promotion,
    /** The first call returns the promotion in the page's HTML, if the HTML is current. Other calls request it from the server. */
    async load() {
      if (!isCurrent) latest.promotion = await api.call('GET /promotion/today', {})
      isCurrent = false
      return latest.promotion
    },
  }
  return latest
})

/** Returns the promotion of the current day (UTC); null while it is unknown or if there is none. */
export function useTodaysPromotion(): DailyPromotion | null {
  const latest = promotionOf(useServices())
  const { data = latest.promotion } = useRemoteData(latest.load)
  return data ?? null
}
