import { useEffect, useSyncExternalStore } from 'react'
import { useRefreshEntitlement } from '../../hooks/entitlement.ts'
import { type Services, useServices } from '../../hooks/services.tsx'
import { type Conversion, type ConversionView, createConversion } from './conversion.ts'

export type { Conversion, ConversionView } from './conversion.ts'

/** The conversion of each page. It is created when its form is first opened, and continues when the form is left. */
const conversions = new WeakMap<Services, Conversion>()

function conversionOf(services: Services): Conversion {
  const existing = conversions.get(services)
  if (existing) return existing
  const { accountApi, identity, site } = services
  const conversion = createConversion({ accountApi, identity, baseUrl: site.api_base_url })
  conversions.set(services, conversion)
  return conversion
}

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
