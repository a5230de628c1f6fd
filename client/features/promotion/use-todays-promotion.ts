import { useEffect, useState } from 'react'
import type { DailyPromotion } from '../../../contract/promotion.ts'
import { type Services, useServices } from '../../hooks/services.tsx'
import { isReturn } from '../../platform/initial-data.ts'

/** The last response of the server. It is not stored on the device, because it is valid for one day only. */
const answers = new WeakMap<Services, DailyPromotion | null>()

/** Returns the promotion of the current day (UTC); null while it is unknown or if there is none. */
export function useTodaysPromotion(): DailyPromotion | null {
  const services = useServices()
  const { promotion: embedded } = services.initialData
  const [promotion, setPromotion] = useState(answers.get(services) ?? embedded ?? null)
  useEffect(() => {
    if (embedded !== undefined && !answers.has(services) && !isReturn()) {
      answers.set(services, embedded)
      return
    }
    let isUnmounted = false
    services.api.call('GET /promotion/today', {}).then(
      (answer) => {
        answers.set(services, answer)
        if (!isUnmounted) setPromotion(answer)
      },
      () => {
        // Without a response, the page keeps the last known promotion.
      },
    )
    return () => {
      isUnmounted = true
    }
  }, [services, embedded])
  return promotion
}
