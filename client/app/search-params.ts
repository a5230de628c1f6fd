/** What stands behind the `?` of an address: plain texts, never parsed further, so that `?q=2024` stays a text. */
export type SearchParams = Record<string, string | undefined>

/** A key that stands alone, as in `?shuffle`, gives an empty text; of a repeated key the last one counts. */
export function parseSearch(search: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Gives `''` or a text that begins with `?`. A key with an empty text stands alone. */
export function stringifySearch(params: Record<string, unknown>): string {
  const parts: string[] = []
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    const text = String(value)
    parts.push(text === '' ? encodeURIComponent(key) : new URLSearchParams({ [key]: text }).toString())
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}
