import { useEffect } from 'react'
import type { AccountInfo } from '../../contract/account.ts'
import { addListener } from '../primitives/scope.ts'
import { useAccountInfo } from './account-data.ts'
import type { LoadedResource } from './catalogue.ts'

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
