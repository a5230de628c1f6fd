import type { Plugin } from 'vite'
import { hasLoadedHeading, loadedHeadingKinds } from '../contract/page-properties.ts'
import { type Page, pagePaths, pages } from '../contract/pages.ts'
import { createRoutePattern } from './route-files.ts'

/** The properties of a module in Rolldown's module graph that the assignment reads. */
export interface GraphModule {
  id: string
  isEntry: boolean
  importedIds: readonly string[]
  dynamicallyImportedIds: readonly string[]
}

/**
 * Assigns the modules that every page starts with to chunks. Chunk 0 holds the static imports of the HTML's scripts, and chunk n what their
 * n-th `import()` reaches by static imports. Modules that every one of `routes` reaches join the last chunk. A module belongs to the first chunk that
 * reaches it. The scripts, the imported modules themselves and all other modules are in none: Rolldown puts them into chunks of their own.
 * `client/main.tsx` must not share a chunk: its top-level `await` waits for on-demand chunks, which import the shared chunks, so each would wait
 * for the other for ever.
 */
export function assignStartChunks(modules: readonly GraphModule[], routes: readonly RegExp[] = []): Map<string, number> {
  const moduleById = new Map(modules.map((module) => [module.id, module]))
  const scriptIds = modules.filter(({ isEntry }) => isEntry).flatMap(({ importedIds }) => importedIds)
  const listImports = (id: string) => moduleById.get(id)?.importedIds ?? []
  const chunkRootIds = [
    scriptIds.flatMap(listImports),
    ...scriptIds.flatMap((id) => moduleById.get(id)?.dynamicallyImportedIds ?? []).map(listImports),
  ]
  const listReachedFrom = (rootIds: readonly string[]): Set<string> => {
    const reachedModules = new Set<string>()
    const pendingModules = [...rootIds]
    for (let moduleId = pendingModules.pop(); moduleId !== undefined; moduleId = pendingModules.pop()) {
      if (reachedModules.has(moduleId) || scriptIds.includes(moduleId)) continue
      reachedModules.add(moduleId)
      pendingModules.push(...listImports(moduleId))
    }
    return reachedModules
  }
  const chunkModules = chunkRootIds.map(listReachedFrom)
  const chunksByRoute = routes.map((route) =>
    listReachedFrom(modules.filter(({ id }) => route.test(id)).flatMap(({ importedIds }) => importedIds)),
  )
  for (const id of chunksByRoute[0] ?? []) if (chunksByRoute.every((routeModules) => routeModules.has(id))) chunkModules.at(-1)?.add(id)
  const chunkByModuleId = new Map<string, number>()
  for (const [chunk, ids] of chunkModules.entries()) for (const id of ids) if (!chunkByModuleId.has(id)) chunkByModuleId.set(id, chunk)
  return chunkByModuleId
}

/**
 * The routes of the catalogue: pages whose heading depends on loaded rows or on the query, and those that sort rows. The page of a shared playlist does
 * not belong to the catalogue.
 */
const catalogueRoutes = pagePaths
  .filter((routePath) => {
    const { parameters }: Page = pages[routePath]
    const isOfCatalogue = hasLoadedHeading(routePath) && loadedHeadingKinds[routePath] !== 'list'
    return isOfCatalogue || parameters?.includes('sort') === true
  })
  .map((path) => createRoutePattern(path))

/** How many chunks `assignStartChunks` may fill: the entry's imports, React, the page. */
const START_CHUNKS_MAX = 3

/**
 * Reads the module graph of each build. `chunkGroups` are the chunk groups for Rolldown that follow from it. `isStartFile` returns whether a file is
 * one of these chunks: every
 * page has loaded these, so that no `import()` needs to preload them.
 */
export function createStartChunks() {
  let chunkByModuleId = new Map<string, number>()
  const startFiles = new Set<string>()
  const plugin: Plugin = {
    name: 'varispeed:start-chunks',
    apply: 'build',
    buildEnd(error) {
      if (error !== undefined) return
      const modules = [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? [])
      chunkByModuleId = assignStartChunks(modules, catalogueRoutes)
      if (Math.max(...chunkByModuleId.values()) >= START_CHUNKS_MAX)
        this.error(`client/entry.ts has more than ${START_CHUNKS_MAX - 1} import()`)
    },
    generateBundle(_, bundle) {
      for (const { fileName, name } of Object.values(bundle)) if (name?.startsWith('start-')) startFiles.add(fileName)
    },
  }
  // The order of the groups matters: an earlier group takes its modules before a later one, together with whatever they import.
  const chunkGroups = Array.from({ length: START_CHUNKS_MAX }, (_, chunk) => ({
    name: `start-${chunk}`,
    test: (id: string) => chunkByModuleId.get(id) === chunk,
  }))
  return { plugin, groups: chunkGroups, isStartFile: (file: string) => startFiles.has(file) }
}
