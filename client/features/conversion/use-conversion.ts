import { useEffect, useSyncExternalStore } from 'react'
import { useRefreshEntitlement } from '../../hooks/entitlement.ts'
import { oncePerPage } from '../../hooks/repositories.ts'
import { useServices } from '../../hooks/services.tsx'
import { type Conversion, type ConversionView, createConversion } from './conversion.ts'

export type { Conversion, ConversionView } from './conversion.ts'

/** Returns the conversion of the page, which continues when its form is left. */
const conversionOf = oncePerPage(({ accountApi, identity, site }) => createConversion({ accountApi, identity, baseUrl: site.api_base_url }))

/** Returns this tab's conversion on the server, and its state for the page. */
export function useConversion(): { conversion: Conversion; view: ConversionView } {
  const conversion = conversionOf(useServices())
  const refreshEntitlement = useRefreshEntitlement()
  const view = useSyncExternalStore(conversion.subscribe, conversion.getSnapshot)
  const isLocked = view.state === 'failed' && view.code === 403
  useEffect(() => {
    if (isLocked) refreshEntitlement()
  }, [isLocked, refreshEntitlement])
  return { conversion, view }
}
