import { pageAt } from './pages.ts'

/** Removes trailing slashes in linear time; a regular expression would need quadratic time for thousands of slashes. */
function withoutTrailingSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * Returns the canonical address of a page: its path, and of the query only the page's own parameters, in the page table's order. Tracking
 * parameters do not change the address. The last value of a repeated parameter is used.
 */
export function pageAddress(path: string, query: string): string {
  const pagePath = withoutTrailingSlashes(path)
  const allParameters = new URLSearchParams(query)
  const pageParameters = new URLSearchParams()
  for (const name of pageAt(pagePath)?.parameters ?? []) {
    const value = allParameters.getAll(name).at(-1)
    if (value !== undefined) pageParameters.set(name, value)
  }
  return pageParameters.size === 0 ? pagePath : `${pagePath}?${pageParameters}`
}
