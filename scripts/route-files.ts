import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of `client/routes` and the path that it declares by `createFileRoute`. */
export interface RouteFile {
  file: string
  path: string
}

/** Matches the id of the module that holds a page's component after the router plugin has split it off. */
export const createRoutePattern = (path: string) =>
  new RegExp(`/client/routes/${path.slice(1).replaceAll('/', '\\.') || 'index'}\\.tsx\\?tsr-split=component$`)

/** Reads the routes of a folder. A layout and a page at the same path count once; the root route does not count. */
export function readRouteFiles(folderPath: string): RouteFile[] {
  return readdirSync(folderPath)
    .filter((file) => file.endsWith('.tsx') && !file.startsWith('__') && !file.includes('.test.'))
    .map((fileName) => {
      const path = /createFileRoute\('([^']+)'\)/.exec(readFileSync(join(folderPath, fileName), 'utf8'))?.[1]
      if (path === undefined) throw new Error(`${join(folderPath, fileName)}: no createFileRoute('…')`)
      return { file: fileName, path: path.replace(/(?<=.)\/$/, '') }
    })
}
