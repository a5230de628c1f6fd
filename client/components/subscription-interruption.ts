import { useEffect } from 'react'
import type { AccountInfo, SubscriptionInterruption } from '../../contract/account.ts'
import { useAccountInfo } from '../hooks/account-data.ts'
import type { LoadedResource } from '../hooks/catalogue.ts'
import { addListener } from '../primitives/scope.ts'

/** The messages about a paid subscription that still exists although it is not renewed, or although its last payment was taken back. */
export const interruptionMessages: Record<SubscriptionInterruption, string> = {
  payment_failed: 'Your last payment failed. Manage your subscription to update your card.',
  paused: 'Your subscription is paused. Manage your subscription to change it.',
  disputed:
    'Your last payment was disputed and taken back, so your plan is off until the next payment. Manage your subscription to change or end it.',
}

/**
 * Returns the account's data. While a subscription is interrupted, they are requested again when the page becomes visible, because the person may have
 * ended the interruption in the tab of the billing portal.
 */
export function usePlanInfo(uid: string): LoadedResource<AccountInfo> {
  const loadedInfo = useAccountInfo(uid)
  const { data, retry: refreshInfo } = loadedInfo
  const isInterrupted = data?.interrupted !== undefined
  useEffect(() => {
    if (!isInterrupted) return
    return addListener(document, 'visibilitychange', () => {
      if (document.visibilityState === 'visible') refreshInfo()
    })
  }, [isInterrupted, refreshInfo])
  return loadedInfo
}
