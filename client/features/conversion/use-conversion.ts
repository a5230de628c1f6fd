import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { ConversionHistoryRow } from '../../../contract/conversion.ts'
import { DOWNLOAD_URL_VALID_MINUTES } from '../../../contract/conversion-rules.ts'
import { useAccountData } from '../../hooks/account-data.ts'
import { useRefreshEntitlement } from '../../hooks/entitlement.ts'
import { useNavigateTo } from '../../hooks/paths.ts'
import type { RemoteData } from '../../hooks/remote-data.ts'
import { createOncePerPage } from '../../hooks/repositories.ts'
import { useServices } from '../../hooks/services.tsx'
import { receiveFile } from '../../platform/received-files.ts'
import { addListener, startInterval } from '../../primitives/scope.ts'
import { type Conversion, createConversion, type TabConversionState } from './conversion.ts'

export type { Conversion, TabConversionState } from './conversion.ts'

/** Returns the conversion of this tab, which continues when the person leaves the form. */
const getConversion = createOncePerPage(({ accountApi, identity, site }) =>
  createConversion({ accountApi, identity, baseUrl: site.api_base_url }),
)

/** Returns this tab's conversion on the server, and its state for the page. */
export function useConversion(): { conversion: Conversion; view: TabConversionState } {
  const conversion = getConversion(useServices())
  const refreshEntitlement = useRefreshEntitlement()
  const conversionView = useSyncExternalStore(conversion.subscribe, conversion.getSnapshot)
  const isConversionForbidden = conversionView.state === 'failed' && conversionView.code === 403
  useEffect(() => {
    if (isConversionForbidden) refreshEntitlement()
  }, [isConversionForbidden, refreshEntitlement])
  return { conversion, view: conversionView }
}

/** Returns the function that opens a file in the maker. The maker accepts larger files than the server's conversion. */
export function useOpenInMaker(): (file: File) => void {
  const navigateTo = useNavigateTo()
  return useCallback(
    (convertedFile) => {
      receiveFile(convertedFile)
      navigateTo('/account/maker')
    },
    [navigateTo],
  )
}

const DOWNLOAD_URL_REFRESH_MS = (DOWNLOAD_URL_VALID_MINUTES / 2) * 60_000

/**
 * Returns the exported files of the signed-in account. A file that the server still stores has a URL, which is renewed before it expires.
 */
export function useConvertedFiles(): RemoteData<ConversionHistoryRow[]> {
  const fileHistory = useAccountData('GET /make/history', {})
  const { reload } = fileHistory
  useEffect(() => startInterval(reload, DOWNLOAD_URL_REFRESH_MS), [reload])
  // Reloads when the page becomes visible, because browsers stop the timers of hidden pages.
  useEffect(
    () =>
      addListener(document, 'visibilitychange', () => {
        if (!document.hidden) reload()
      }),
    [reload],
  )
  return fileHistory
}
