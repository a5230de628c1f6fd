import { useCallback, useEffect, useMemo } from 'react'
import type { SubscriberInfo } from '../../../contract/website.ts'
import type { ClickTarget } from '../../../contract/website-rules.ts'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { useSite } from '../../hooks/services.tsx'
import { createApi } from '../../platform/api.ts'

/** Sends requests with `keepalive`, so that the browser completes them even if the page is left. */
const fetchWithKeepalive: typeof fetch = (url, init) => fetch(url, { ...init, keepalive: true })

function useSubscriberApi() {
  const { api_base_url: baseUrl } = useSite()
  return useMemo(() => createApi({ baseUrl, fetch: fetchWithKeepalive }), [baseUrl])
}

/**
 * Returns the data of a subscriber's site: from the HTML, or else from the server. Navigates to the main site if the server has no such website.
 */
export function useSubscriberSite(initialInfo: SubscriberInfo | undefined): {
  info: SubscriberInfo | undefined
  hasFailed: boolean
  retry: () => void
} {
  const { subdomain, main_url } = useSite()
  const api = useSubscriberApi()
  const loadWebsite = useCallback(
    (signal: AbortSignal) => api.call('GET /subscriber/getinfo', { domain_name: subdomain }, { signal }),
    [api, subdomain],
  )
  const { data, error, isLoading, reload } = useRemoteData(initialInfo ? undefined : loadWebsite)
  const isWebsiteMissing = error?.code === 404 || error?.code === 400
  useEffect(() => {
    if (isWebsiteMissing) location.replace(`${main_url}/`)
  }, [isWebsiteMissing, main_url])
  return { info: initialInfo ?? data, hasFailed: error !== undefined && !isWebsiteMissing && !isLoading, retry: reload }
}

/** Returns the function that counts a click for the owner of the website. No data about the visitor is sent. Never rejects. */
export function useCountClick(): (target: ClickTarget) => void {
  const { subdomain } = useSite()
  const api = useSubscriberApi()
  return useCallback(
    (target) => void api.call('POST /subscriber/click', { domain_name: subdomain, target }).catch(() => undefined),
    [api, subdomain],
  )
}
