/** Query parameters of a URL as strings: `?q=2024` is not parsed as a number. */
export type SearchParams = Record<string, string | undefined>

/** Parses a query string. A key without a value, as in `?shuffle`, becomes an empty string; of a repeated key the last value counts. */
export function parseSearch(search: string): SearchParams {
  return Object.fromEntries(new URLSearchParams(search))
}

/** Returns `''` or a query string that starts with `?`. A key whose value is an empty string is written without `=`. */
export function stringifySearch(searchParams: Record<string, unknown>): string {
  const queryPairs: string[] = []
  for (const [paramName, paramValue] of Object.entries(searchParams)) {
    if (paramValue === undefined || paramValue === null) continue
    const text = String(paramValue)
    queryPairs.push(text === '' ? encodeURIComponent(paramName) : new URLSearchParams({ [paramName]: text }).toString())
  }
  return queryPairs.length === 0 ? '' : `?${queryPairs.join('&')}`
}
