import { useEffect, useState } from 'react'
import type { DailyPromotion } from '../../../contract/promotion.ts'
import { oncePerPage } from '../../hooks/repositories.ts'
import { useServices } from '../../hooks/services.tsx'
import { isReturn } from '../../platform/initial-data.ts'

/** The last response of the server. It is not stored on the device, because it is valid for one day only. */
const lastResponseOf = oncePerPage((): { promotion?: DailyPromotion | null } => ({}))

/** Returns the promotion of the current day (UTC); null while it is unknown or if there is none. */
export function useTodaysPromotion(): DailyPromotion | null {
  const services = useServices()
  const { promotion: embedded } = services.initialData
  const lastResponse = lastResponseOf(services)
  const [promotion, setPromotion] = useState(lastResponse.promotion ?? embedded ?? null)
  useEffect(() => {
    if (embedded !== undefined && lastResponse.promotion === undefined && !isReturn()) {
      lastResponse.promotion = embedded
      return
    }
    let isUnmounted = false
    services.api.call('GET /promotion/today', {}).then(
      (answer) => {
        lastResponse.promotion = answer
        if (!isUnmounted) setPromotion(answer)
      },
      () => {
        // Without a response, the page keeps the last known promotion.
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [services, lastResponse, embedded])
  return promotion
}
