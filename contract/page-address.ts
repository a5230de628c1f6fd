/** What each page reads of its address's query. Whatever else stands there changes nothing that is shown. */
const parametersOf: Record<string, readonly string[]> = {
  '/playlists': ['sort'],
  '/playlist': ['p'],
  '/song': ['s', 'p', 'shuffle'],
  '/search': ['q', 'type', 'sort'],
}

/** A path without the slashes at its end. By hand: an expression for it takes quadratic time over a path of thousands of slashes. */
function withoutEndSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end--
  return path.slice(0, end)
}

/**
 * The address of a page (a path and its query) with only what the page reads: the same text for the same page, whatever trackers add to
 * a link. Of a parameter that is given twice the last one counts.
 */
export function pageAddress(path: string, query: string): string {
  const page = withoutEndSlashes(path)
  const given = new URLSearchParams(query)
  const read = new URLSearchParams()
  for (const name of (Object.hasOwn(parametersOf, page) && parametersOf[page]) || []) {
    const value = given.getAll(name).at(-1)
    if (value !== undefined) read.set(name, value)
  }
  return read.size === 0 ? page : `${page}?${read}`
}
