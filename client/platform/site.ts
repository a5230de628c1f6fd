import type { Site } from '../../contract/site.ts'

/** Returns the site that the server embedded in the HTML, or `undefined` if there is none. */
export function readSite(page: Document): Site | undefined {
  const text = page.getElementById('site')?.textContent?.trim()
  if (!text) return undefined
  try {
    // The cast is safe, because the server wrote the JSON by the same contract.
    return JSON.parse(text) as Site
  } catch {
    return undefined
  }
}

/** Fetches the site from the server. */
export async function fetchSite(fetch: typeof globalThis.fetch = globalThis.fetch.bind(globalThis)): Promise<Site> {
  const response = await fetch('/api/site', { headers: { Accept: 'application/json' } })
  const body: unknown = await response.json()
  if (typeof body !== 'object' || body === null || !('data' in body) || !body.data) throw new Error('The site could not be read.')
  return body.data as Site
}
