import { useCallback, useEffect, useMemo, useState } from 'react'
import type { SubscriberInfo } from '../../../contract/website.ts'
import type { ClickTarget } from '../../../contract/website-rules.ts'
import { useSite } from '../../hooks/services.tsx'
import { ApiCallError, createApi } from '../../platform/api.ts'

/** Requests that the browser finishes when the page is left. */
const keepaliveFetch: typeof fetch = (url, init) => fetch(url, { ...init, keepalive: true })

function useSubscriberApi() {
  const { api_base_url: baseUrl } = useSite()
  return useMemo(() => createApi({ baseUrl, fetch: keepaliveFetch }), [baseUrl])
}

/**
 * Returns the data of a subscriber's site: from the HTML, or else from the server. Navigates to the main site if the server has no such website.
 */
export function useSubscriberInfo(initialInfo: SubscriberInfo | undefined): {
  info: SubscriberInfo | undefined
  hasFailed: boolean
  retry: () => void
} {
  const { subdomain, main_url } = useSite()
  const api = useSubscriberApi()
  const [info, setInfo] = useState(initialInfo)
  const [attempt, setAttempt] = useState({ count: 0, hasFailed: false })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry repeats the request.
  useEffect(() => {
    if (info) return
    let isStale = false
    api.call('GET /subscriber/getinfo', { domain_name: subdomain }).then(
      (answer) => {
        if (!isStale) setInfo(answer)
      },
      (error: unknown) => {
        if (isStale) return
        if (error instanceof ApiCallError && error.code === 404) location.replace(`${main_url}/`)
        else setAttempt(({ count }) => ({ count, hasFailed: true }))
      },
    )
    return () => {
      isStale = true
    }
  }, [api, info, subdomain, main_url, attempt.count])
  const retry = useCallback(() => setAttempt(({ count }) => ({ count: count + 1, hasFailed: false })), [])
  return { info, hasFailed: attempt.hasFailed, retry }
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
