import type { Config } from '../config.ts'
import type { Log } from '../log.ts'

const REQUEST_TIMEOUT_MS = 5_000

/** Reads a resource of the YouTube Data API v3, which costs one unit of the key's daily quota. Returns undefined if it cannot be read right now. */
export type YoutubeReader = (resource: string, parameters: Readonly<Record<string, string>>) => Promise<unknown>

/**
 * Returns a reader for responses that visitors wait for: it has a short timeout, and makes no second attempt. Returns undefined without an
 * API key.
 */
export function createYoutubeReader({ apiKey, apiBase }: Config['youtube'], log: Log): YoutubeReader | undefined {
  if (apiKey === undefined) return undefined
  return async (resourceName, queryParameters) => {
    const queryParams = new URLSearchParams({ ...queryParameters, key: apiKey })
    try {
      const response = await fetch(`${apiBase}/${resourceName}?${queryParams}`, {
        signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
        redirect: 'error',
      })
      if (response.status === 404) return 'not-found'
      if (response.ok) return await response.json()
      log.warn({ resource: resourceName, status: response.status }, 'YouTube refuses to answer a request')
    } catch (err) {
      log.warn({ resource: resourceName, err }, 'YouTube cannot be asked')
    }
    return undefined
  }
}
