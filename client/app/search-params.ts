/** Query parameters of a URL as strings: `?q=2024` is not parsed as a number. */
export type SearchParams = Record<string, string | undefined>

/** Parses a query string. A key without a value, as in `?shuffle`, becomes an empty string; of a repeated key the last value counts. */
export function parseSearch(search: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Returns `''` or a query string that starts with `?`. A key whose value is an empty string is written without `=`. */
export function stringifySearch(params: Record<string, unknown>): string {
  const pairs: string[] = []
  for (const [key, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    const text = String(value)
    pairs.push(text === '' ? encodeURIComponent(key) : new URLSearchParams({ [key]: text }).toString())
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
