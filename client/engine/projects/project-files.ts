import { createUniqueId } from '../../primitives/unique-id.ts'
import type { ProjectFolder } from './project-folder.ts'
import { createRecordName, type ProjectRecord, parseRecord, parseRecordName, serializeRecord } from './project-record.ts'
import { COVER_TYPE } from './square-picture.ts'

/** The data of a new project. */
export interface NewProject extends Omit<ProjectRecord, 'id' | 'revision' | 'source' | 'sourceBytes' | 'cover'> {
  readonly id?: string
  readonly sound: Blob
  readonly cover?: Blob | undefined
}

/**
 * How long a deletion can be undone, in milliseconds. A deletion that is dated further than this in the future cannot be undone either: the
 * clock was set back.
 */
export const UNDO_OFFERED_MS = 60_000

const SCAN_ATTEMPTS = 5

interface FolderScan {
  /** The names of all files in the folder. */
  readonly fileNames: readonly string[]
  /** The newest record of each project. */
  readonly recordById: ReadonlyMap<string, ProjectRecord>
  /** Names of records that are incomplete or that a later record replaces, the oldest first. */
  readonly outdatedFileNames: readonly string[]
  /** Whether another version of the maker has written records. */
  readonly hasForeignFiles: boolean
}

/**
 * The files of all projects. A crash at any step leaves each project as it was before the step or after it: a song and a cover are written before the record
 * that refers to them, a record is never overwritten, and the older record is removed after the newer one is written.
 *
 * Calls that write must not overlap, also not in other tabs.
 *
 * @param unrelatedFileName name of a file in the folder that belongs to no project
 */
export function createProjectFiles(folder: ProjectFolder, unrelatedFileName: string) {
  /** The content of records by their names. A record never changes. */
  let recordByFileName = new Map<string, ProjectRecord | 'foreign'>()

  const removeQuietly = (name: string) => folder.remove(name).catch(() => {})

  async function readRecord(fileName: string) {
    const cachedRecord = recordByFileName.get(fileName)
    if (cachedRecord !== undefined) return cachedRecord
    const projectRecord = await folder.read(fileName).then(
      async (file) => parseRecord(await file.text()),
      () => 'missing' as const,
    )
    if (projectRecord !== 'torn' && projectRecord !== 'missing') recordByFileName.set(fileName, projectRecord)
    return projectRecord
  }

  /** Reads all records. If another tab replaces a record in the meantime, the folder is listed again. */
  async function scanFolder(attemptsLeft = SCAN_ATTEMPTS): Promise<FolderScan> {
    const fileNames = await folder.listNames()
    const recordRevisions = fileNames
      .flatMap((name) => ({ name, id: '', revision: -1, ...parseRecordName(name) }))
      .filter(({ id }) => id !== '')
    const currentRecordById = new Map<string, ProjectRecord>()
    const outdatedNames: string[] = []
    let hasForeignRecord = false
    for (const { name, id } of recordRevisions.toSorted((a, b) => a.revision - b.revision)) {
      const record = await readRecord(name)
      if (record === 'missing' && attemptsLeft > 1) return scanFolder(attemptsLeft - 1)
      const olderRecord = currentRecordById.get(id)
      if (record === 'torn') outdatedNames.push(name)
      else if (record === 'foreign') {
        hasForeignRecord = true
        currentRecordById.delete(id)
      } else if (record !== 'missing') {
        if (olderRecord) outdatedNames.push(createRecordName(olderRecord))
        currentRecordById.set(id, record)
      }
    }
    recordByFileName = new Map([...recordByFileName].filter(([name]) => fileNames.includes(name)))
    return { fileNames, recordById: currentRecordById, outdatedFileNames: outdatedNames, hasForeignFiles: hasForeignRecord }
  }

  async function saveRecord(record: ProjectRecord, olderRecord?: ProjectRecord) {
    const fileName = createRecordName(record)
    try {
      await folder.write(fileName, serializeRecord(record))
    } catch (error) {
      await removeQuietly(fileName)
      throw error
    }
    if (olderRecord) await removeQuietly(createRecordName(olderRecord))
    return record
  }

  async function create({ sound, cover, id = createUniqueId(), ...project }: NewProject): Promise<ProjectRecord> {
    const sourceFileName = `${createUniqueId()}.sound`
    const coverName = cover && `${createUniqueId()}.cover`
    try {
      await folder.write(sourceFileName, sound)
      if (cover && coverName !== undefined) await folder.write(coverName, cover)
      const coverEntry = coverName === undefined ? {} : { cover: coverName }
      return await saveRecord({ ...project, ...coverEntry, id, revision: 1, source: sourceFileName, sourceBytes: sound.size })
    } catch (error) {
      await removeQuietly(sourceFileName)
      if (coverName !== undefined) await removeQuietly(coverName)
      throw error
    }
  }

  return {
    /** Returns all records, those of deleted projects too. */
    records: async (): Promise<readonly ProjectRecord[]> => [...(await scanFolder()).recordById.values()],
    find: async (id: string): Promise<ProjectRecord | undefined> => (await scanFolder()).recordById.get(id),
    /** Reads the song; `undefined` if its file is missing or does not have the saved size. */
    async readSound({ source, sourceBytes, type }: ProjectRecord): Promise<Blob | undefined> {
      const file = await folder.read(source).catch(() => undefined)
      return file?.size === sourceBytes ? file.slice(0, sourceBytes, type) : undefined
    },
    readCover: async ({ cover }: ProjectRecord): Promise<Blob | undefined> =>
      cover === undefined
        ? undefined
        : folder.read(cover).then(
            (file) => file.slice(0, file.size, COVER_TYPE),
            () => undefined,
          ),
    create,
    /** Adds a record. Its files exist already or are written afterwards. */
    add: (record: ProjectRecord) => saveRecord(record),
    /** Removes the record of a project immediately. */
    async discard(projectId: string): Promise<void> {
      const record = (await scanFolder()).recordById.get(projectId)
      if (record) await removeQuietly(createRecordName(record))
    },
    /** Saves a changed record. Returns it; `undefined` if the project does not exist. */
    async change(projectId: string, changeRecord: (record: ProjectRecord) => ProjectRecord): Promise<ProjectRecord | undefined> {
      const record = (await scanFolder()).recordById.get(projectId)
      return record && saveRecord({ ...changeRecord(record), id: projectId, revision: record.revision + 1 }, record)
    },
    /** Writes a picture to a file, which a record then names as its cover. */
    async writeCover(picture: Blob): Promise<string> {
      const cover = `${createUniqueId()}.cover`
      await folder.write(cover, picture)
      return cover
    },
    /** Creates a changed project that shares the files of another one. */
    async duplicate(projectId: string, changeRecord: (record: ProjectRecord) => ProjectRecord): Promise<ProjectRecord | undefined> {
      const record = (await scanFolder()).recordById.get(projectId)
      return record && saveRecord({ ...changeRecord(record), id: createUniqueId(), revision: 1 })
    },
    /** Removes the files of projects whose deletion can no longer be undone, and files that crashes have left. */
    async sweep(nowMs: number): Promise<void> {
      const { fileNames: names, recordById: current, outdatedFileNames: outdated, hasForeignFiles: hasForeign } = await scanFolder()
      const isExpiredRecord = ({ deletedAtMs }: ProjectRecord) =>
        deletedAtMs !== undefined && Math.abs(nowMs - deletedAtMs) > UNDO_OFFERED_MS
      const expiredRecords = [...current.values()].filter(isExpiredRecord)
      // A deleted project's last record is removed after the older ones, which would bring the project back.
      for (const name of [...outdated, ...expiredRecords.map(createRecordName)]) await removeQuietly(name)
      // Records of another version may refer to any file.
      if (hasForeign) return
      const usedFileNames = new Set(
        [...current.values()].filter((record) => !isExpiredRecord(record)).flatMap(({ source, cover }) => [source, cover]),
      )
      usedFileNames.add(unrelatedFileName)
      for (const name of names) if (parseRecordName(name) === undefined && !usedFileNames.has(name)) await removeQuietly(name)
    },
  }
}

export type ProjectFiles = ReturnType<typeof createProjectFiles>
