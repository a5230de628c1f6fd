/** Matches sources that are not product code of their folder: tests and what only tests use. */
const testFile = /\.test\.tsx?$|\/testing\/|\/test-[^/]+\.tsx?$/

/** Files that join capabilities: their stores, their admin commands, and the data that a backup has of them. */
const joiningFiles = /^server\/(storage\/(open|migrations)|admin\/(commands|database-commands))\.ts$/

/**
 * Returns the folder of a source file at the level where cycles are forbidden: `server/http`, `client/ui`, `e2e`. Files directly in
 * `client/` and `server/` compose the folders below them and belong to none, nor do the files that join capabilities.
 *
 * @param {string} filePath
 */
function folderOf(filePath) {
  if (joiningFiles.test(filePath)) return undefined
  const [topFolder = '', secondFolder = '', thirdFolder] = filePath.split('/')
  if (topFolder === 'client' || topFolder === 'server') return thirdFolder === undefined ? undefined : `${topFolder}/${secondFolder}`
  return /^(contract|brands|dsp|sw|e2e|bench|scripts|testing)$/.test(topFolder) ? topFolder : undefined
}

/**
 * Finds the folders that import each other, directly or through further folders. Test files are skipped within `client/` and `server/`.
 *
 * @param {{ source: string, dependencies: { resolved: string }[] }[]} modules
 * @returns {{ from: string, to: string, files: [from: string, to: string][] }[]} one entry for each import between two folders of a cycle
 */
export function findFolderCycles(modules) {
  /** @type {Map<string, Map<string, [from: string, to: string][]>>} */
  const graph = new Map()
  for (const { source, dependencies } of modules) {
    const from = folderOf(source)
    if (from === undefined || (from.includes('/') && testFile.test(source))) continue
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved)
      if (to === undefined || to === from) continue
      const importedFolders = graph.get(from) ?? new Map()
      importedFolders.set(to, [...(importedFolders.get(to) ?? []), [source, resolved]])
      graph.set(from, importedFolders)
    }
  }
  /** @param {string} start @param {string} goal */
  const isReachable = (start, goal) => {
    const seenFolders = new Set([start])
    for (const folder of seenFolders) for (const next of graph.get(folder)?.keys() ?? []) seenFolders.add(next)
    return seenFolders.has(goal)
  }
  return [...graph].flatMap(([from, importedFolders]) =>
    [...importedFolders].flatMap(([to, files]) => (isReachable(to, from) ? [{ from, to, files }] : [])),
  )
}
