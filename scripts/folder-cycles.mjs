/** Matches sources that are not product code of their folder: tests and what only tests use. */
const testFile = /\.test\.tsx?$|\/testing\/|\/test-[^/]+\.tsx?$/

/** Files that import every feature folder, because they list the features' stores, admin commands and data in backups. */
const joiningFiles = /^server\/(storage\/(open|migrations)|admin\/(commands|database-commands))\.ts$/

/**
 * Returns the folder of a source file at the level where cycles are forbidden: `server/http`, `client/ui`, `e2e`. Files directly in
 * `client/` and `server/` compose the folders below them and belong to none; nor do `joiningFiles`.
 *
 * @param {string} filePath
 */
function findBoundaryFolder(filePath) {
  if (joiningFiles.test(filePath)) return undefined
  const [topFolder = '', secondFolder = '', thirdFolder] = filePath.split('/')
  if (topFolder === 'client' || topFolder === 'server') return thirdFolder === undefined ? undefined : `${topFolder}/${secondFolder}`
  return /^(contract|brands|dsp|sw|e2e|bench|scripts|testing)$/.test(topFolder) ? topFolder : undefined
}

/**
 * Finds the folders that import each other, directly or through further folders. Test files are skipped within `client/` and `server/`.
 *
 * @param {{ source: string, dependencies: { resolved: string }[] }[]} cruisedModules
 * @returns {{ from: string, to: string, files: [from: string, to: string][] }[]} one entry for each import between two folders of a cycle
 */
export function findFolderCycles(cruisedModules) {
  /** @type {Map<string, Map<string, [from: string, to: string][]>>} */
  const importGraph = new Map()
  for (const { source, dependencies } of cruisedModules) {
    const sourceFolder = findBoundaryFolder(source)
    if (sourceFolder === undefined || (sourceFolder.includes('/') && testFile.test(source))) continue
    for (const { resolved } of dependencies) {
      const targetFolder = findBoundaryFolder(resolved)
      if (targetFolder === undefined || targetFolder === sourceFolder) continue
      const importedFolders = importGraph.get(sourceFolder) ?? new Map()
      importedFolders.set(targetFolder, [...(importedFolders.get(targetFolder) ?? []), [source, resolved]])
      importGraph.set(sourceFolder, importedFolders)
    }
  }
  /** @param {string} startFolder @param {string} goalFolder */
  const isReachable = (startFolder, goalFolder) => {
    const seenFolders = new Set([startFolder])
    for (const folder of seenFolders) for (const next of importGraph.get(folder)?.keys() ?? []) seenFolders.add(next)
    return seenFolders.has(goalFolder)
  }
  return [...importGraph].flatMap(([from, importedFolders]) =>
    [...importedFolders].flatMap(([to, files]) => (isReachable(to, from) ? [{ from, to, files }] : [])),
  )
}
