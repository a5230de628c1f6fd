import { fileURLToPath } from 'node:url'
import { CATCH_ALL_ROUTE, type Page, pages } from '../contract/pages.ts'
import { isRedirectPath, isServerPath } from '../contract/paths.ts'
import { type RouteFile, readRouteFiles } from './route-files.ts'

const LOGIN_LAYOUT = '/account'

/** Compares the page table with the client's routes. Returns one line for each contradiction. */
export function findPageTableFaults(pageTable: Readonly<Record<string, Page>>, routes: readonly RouteFile[]): string[] {
  const routedPaths = new Set(routes.map(({ path }) => path))
  const isBelowLayout = (path: string) => path === LOGIN_LAYOUT || path.startsWith(`${LOGIN_LAYOUT}/`)
  return [
    ...Object.entries(pageTable).flatMap(([routePath, page]) => [
      ...(page.planned || routedPaths.has(routePath)
        ? []
        : [`${routePath} is in contract/pages.ts, but no file of client/routes has it: add the route, or mark the page as planned`]),
      ...(page.planned && routedPaths.has(routePath) ? [`${routePath} is marked as planned in contract/pages.ts, but has a route`] : []),
      ...((page.access === undefined) === isBelowLayout(routePath)
        ? [`${routePath} has access '${page.access ?? 'everyone'}', but the login layout covers ${LOGIN_LAYOUT} alone`]
        : []),
      ...(isServerPath(routePath) ? [`${routePath} is a page, but contract/paths.ts lists it as a path of the server`] : []),
    ]),
    ...routes
      .filter(({ path }) => !Object.hasOwn(pageTable, path) && !isRedirectPath(path) && path !== CATCH_ALL_ROUTE)
      .map(({ file, path }) => `client/routes/${file} declares ${path}, which contract/pages.ts does not list`),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const tableFaults = findPageTableFaults(pages, readRouteFiles(fileURLToPath(new URL('../client/routes', import.meta.url))))
  const plannedPaths = Object.entries<Page>(pages).flatMap(([path, page]) => (page.planned ? [path] : []))
  for (const fault of tableFaults) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${Object.keys(pages).length} pages, ${tableFaults.length} faults; planned: ${plannedPaths.join(', ')}\n`)
  process.exitCode = tableFaults.length === 0 ? 0 : 1
}
