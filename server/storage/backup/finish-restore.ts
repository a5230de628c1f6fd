import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { withRestoreMark } from '../dialects/postgres-restore.ts'
import { StorageError } from '../errors.ts'

/*
 * A restore prepares a folder in DATA_DIR, which it then names `restore-ready`. From then on it is carried out, if necessary by the next program that
 * opens the data: the replaced files are moved out, the folder is renamed to `restore-moving`, and its files are moved in. Every step can be repeated.
 * A restore to PostgreSQL names its folder before it commits the rows, with which it stores the mark of its plan: without that mark in the database, the
 * folder is deleted.
 */

/** The name of a folder in which a restore prepares its files. */
export const PREPARED_PREFIX = 'restore-of-'
const READY_FOLDER = 'restore-ready'
const MOVING_FOLDER = 'restore-moving'
const PLAN_FILE = 'plan.json'

export interface RestorePlan {
  /** The name of the folder in DATA_DIR to which the replaced files are moved. */
  replacedDir: string
  /** The names of the files and folders in DATA_DIR that are replaced. */
  replacedNames: readonly string[]
  /** The mark that a restore to PostgreSQL commits with its rows. */
  mark?: number
}

function syncDirectory(filePath: string): void {
  const fileDescriptor = openSync(filePath, 'r')
  try {
    fsyncSync(fileDescriptor)
  } finally {
    closeSync(fileDescriptor)
  }
}

function moveIfExists(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to)
}

const readPlan = (readyFolder: string): RestorePlan => JSON.parse(readFileSync(join(readyFolder, PLAN_FILE), 'utf8'))

function carryOut(dataDir: string): void {
  const [readyFolder, movingFolder] = [join(dataDir, READY_FOLDER), join(dataDir, MOVING_FOLDER)]
  if (existsSync(readyFolder)) {
    const { replacedDir, replacedNames } = readPlan(readyFolder)
    mkdirSync(join(dataDir, replacedDir), { recursive: true, mode: 0o700 })
    for (const name of replacedNames) moveIfExists(join(dataDir, name), join(dataDir, replacedDir, name))
    syncDirectory(dataDir)
    renameSync(readyFolder, movingFolder)
  }
  if (!existsSync(movingFolder)) return
  for (const name of readdirSync(movingFolder)) if (name !== PLAN_FILE) moveIfExists(join(movingFolder, name), join(dataDir, name))
  syncDirectory(dataDir)
  rmSync(movingFolder, { recursive: true, force: true })
}

/** Deletes the folder of a restore that was not committed. Its first name is taken away at once, because a part of it would be no plan. */
function discard(dataDir: string): void {
  const discardedFolder = mkdtempSync(join(dataDir, PREPARED_PREFIX))
  renameSync(join(dataDir, READY_FOLDER), discardedFolder)
  rmSync(discardedFolder, { recursive: true, force: true })
}

/**
 * Carries out a restore that was interrupted after its files were complete, or after its rows were committed to PostgreSQL. Returns whether the rows of
 * an interrupted restore are in PostgreSQL.
 * @throws StorageError if PostgreSQL does not answer, or is not set any more
 */
export async function finishRestore(dataDir: string, databaseUrl: string | undefined): Promise<boolean> {
  const readyFolder = join(dataDir, READY_FOLDER)
  if (!existsSync(readyFolder) || readPlan(readyFolder).mark === undefined) {
    carryOut(dataDir)
    return false
  }
  if (databaseUrl === undefined || databaseUrl === '')
    throw new StorageError(
      'failed',
      `A restore to PostgreSQL was interrupted: set its DATABASE_URL to finish it, or delete ${readyFolder}.`,
    )
  let isCommitted = false
  await withRestoreMark(databaseUrl, (committedMark) => {
    // A restore that was under way may have ended meanwhile, or another process may have finished it.
    const mark = existsSync(readyFolder) ? readPlan(readyFolder).mark : undefined
    isCommitted = mark !== undefined && mark === committedMark
    if (isCommitted) carryOut(dataDir)
    else if (mark !== undefined) discard(dataDir)
  })
  return isCommitted
}

/** Makes `newDir`, a folder in `dataDir`, the folder whose files `finishRestore` puts in the place of those of the plan. */
export function prepareFiles(dataDir: string, newDir: string, plan: RestorePlan): void {
  const fileDescriptor = openSync(join(newDir, PLAN_FILE), 'w', 0o600)
  writeFileSync(fileDescriptor, JSON.stringify(plan))
  fsyncSync(fileDescriptor)
  closeSync(fileDescriptor)
  syncDirectory(newDir)
  renameSync(newDir, join(dataDir, READY_FOLDER))
  syncDirectory(dataDir)
}
