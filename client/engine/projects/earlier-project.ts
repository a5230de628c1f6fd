import type { ProjectFiles } from './project-files.ts'
import type { ProjectFolder } from './project-folder.ts'
import { isNumberValue, isObject, isStringValue, type ProjectRecord, parseEdit } from './project-record.ts'
import { createSongTitle } from './project-title.ts'

/** The index of the one project that earlier versions saved. The project's song is the only other file in the folder. */
const INDEX_FILE_NAME = 'project.json'

/**
 * Adds the project of an earlier version to the projects, once. Returns its id; `undefined` if there is none. The record is written first, and the index
 * of the earlier version is removed last, so that a crash at any step leaves a project that the next call completes.
 */
export async function adoptEarlierProject(
  earlierFolder: ProjectFolder,
  files: ProjectFiles,
  targetFolder: ProjectFolder,
  nowMs: number,
): Promise<string | undefined> {
  const project = await readIndex(earlierFolder)
  if (project === undefined) return undefined
  const { source: earlierName } = project
  const sourceFileName = `${earlierName}.sound`
  const isSoundWhole = await earlierFolder.read(earlierName).then(
    ({ size }) => size === project.sourceBytes,
    () => false,
  )
  const existingRecord = await files.find(earlierName)
  if (isSoundWhole) {
    if (existingRecord === undefined)
      await files.add({ ...project, id: earlierName, revision: 1, source: sourceFileName, changedAtMs: nowMs })
    try {
      await earlierFolder.move(earlierName, targetFolder, sourceFileName)
    } catch (error) {
      // If there is no storage space for a copy, the project stays in the folder of the earlier version.
      await files.discard(earlierName)
      throw error
    }
  }
  for (const name of [INDEX_FILE_NAME, earlierName]) await earlierFolder.remove(name).catch(() => {})
  return existingRecord === undefined && !isSoundWhole ? undefined : earlierName
}

async function readIndex(earlierFolder: ProjectFolder): Promise<Omit<ProjectRecord, 'id' | 'revision' | 'changedAtMs'> | undefined> {
  try {
    const parsedIndex: unknown = JSON.parse(await (await earlierFolder.read(INDEX_FILE_NAME)).text())
    if (!isObject(parsedIndex)) return undefined
    const { owner, source, sourceBytes, name } = parsedIndex
    if (!isStringValue(owner) || !isStringValue(source) || !isNumberValue(sourceBytes) || !isStringValue(name)) return undefined
    return { ...parseEdit(parsedIndex), owner, source, sourceBytes, name, title: createSongTitle(name) }
  } catch {
    return undefined
  }
}
