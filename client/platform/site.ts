import type { Site } from '../../contract/site.ts'

/** The site as the server wrote it into the page, or `undefined` where it did not. */
export function readSite(page: Document): Site | undefined {
  const text = page.getElementById('site')?.textContent?.trim()
  if (!text) return undefined
  try {
    // Written by our own server from the same contract.
    return JSON.parse(text) as Site
  } catch {
    return undefined
  }
}

/** The site as the server describes it now. */
export async function fetchSite(fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis)): Promise<Site> {
  const response = await fetch('/api/site', { headers: { Accept: 'application/json' } })
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null || !('data' in body) || !body.data) throw new Error('The site could not be read.')
  return body.data as Site
}
