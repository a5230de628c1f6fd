import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The number of client builds whose files stay available for pages that were opened with them. */
const RETAINED_BUILD_COUNT = 3

/**
 * Replaces the current build of the client by a new one, by renaming folders, so that a running server finds all files. The hashed
 * files of earlier builds are copied into the new build, for open pages without a service worker. The file at `recordPath` lists the
 * files of each build.
 *
 * @param {string} nextFolder the folder of the new build @param {string} currentFolder the folder that the server reads
 * @param {string} recordPath
 */
export function replaceBuild(nextFolder, currentFolder, recordPath) {
  const ownFiles = listFilesBelow(nextFolder, 'assets')
  const retainedBuilds = [ownFiles, ...readBuildRecord(recordPath).filter((build) => !areFilesSame(build, ownFiles))].slice(
    0,
    RETAINED_BUILD_COUNT,
  )
  for (const assetPath of new Set(retainedBuilds.flat())) {
    const [currentPath, nextPath] = [join(currentFolder, assetPath), join(nextFolder, assetPath)]
    if (existsSync(nextPath) || !existsSync(currentPath)) continue
    mkdirSync(dirname(nextPath), { recursive: true })
    copyFileSync(currentPath, nextPath)
  }
  const oldFolder = `${currentFolder}.old`
  rmSync(oldFolder, { recursive: true, force: true })
  if (existsSync(currentFolder)) renameSync(currentFolder, oldFolder)
  renameSync(nextFolder, currentFolder)
  rmSync(oldFolder, { recursive: true, force: true })
  writeFileSync(recordPath, JSON.stringify(retainedBuilds))
}

/** @param {readonly string[]} firstFiles @param {readonly string[]} otherFiles */
const areFilesSame = (firstFiles, otherFiles) =>
  firstFiles.length === otherFiles.length && firstFiles.every((file, index) => file === otherFiles[index])

/** Lists the files of a subfolder. @param {string} folderPath @param {string} subfolderPath @returns {string[]} paths from `folderPath`, sorted */
function listFilesBelow(folderPath, subfolderPath) {
  if (!existsSync(join(folderPath, subfolderPath))) return []
  return readdirSync(join(folderPath, subfolderPath), { withFileTypes: true })
    .flatMap((entry) =>
      entry.isDirectory() ? listFilesBelow(folderPath, `${subfolderPath}/${entry.name}`) : [`${subfolderPath}/${entry.name}`],
    )
    .sort()
}

/** Reads the record of the retained builds. @param {string} filePath @returns {string[][]} the files of each build, the newest first */
function readBuildRecord(filePath) {
  try {
    return JSON.parse(readFileSync(filePath, 'utf8'))
  } catch {
    return []
  }
}
