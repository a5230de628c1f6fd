import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

/*
 * A restore prepares a folder in DATA_DIR, which it then names `restore-ready`. From then on it is carried out, if necessary by the next program that
 * opens the data: the replaced files are moved out, the folder is renamed to `restore-moving`, and its files are moved in. Every step can be repeated.
 */

const READY_FOLDER = 'restore-ready'
const MOVING_FOLDER = 'restore-moving'
const PLAN_FILE = 'plan.json'

interface RestorePlan {
  /** The name of the folder in DATA_DIR to which the replaced files are moved. */
  replacedDir: string
  /** The names of the files and folders in DATA_DIR that are replaced. */
  replacedNames: readonly string[]
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

/** Carries out a restore that was interrupted after its files were complete. */
export function finishRestore(dataDir: string): void {
  const [readyFolder, movingFolder] = [join(dataDir, READY_FOLDER), join(dataDir, MOVING_FOLDER)]
  if (existsSync(readyFolder)) {
    const { replacedDir, replacedNames }: RestorePlan = JSON.parse(readFileSync(join(readyFolder, PLAN_FILE), 'utf8'))
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

/** Replaces files of `dataDir` by those of `newDir`, a folder in it: all of them or none. */
export function replaceFiles(dataDir: string, newDir: string, plan: RestorePlan): void {
  const fileDescriptor = openSync(join(newDir, PLAN_FILE), 'w', 0o600)
  writeFileSync(fileDescriptor, JSON.stringify(plan))
  fsyncSync(fileDescriptor)
  closeSync(fileDescriptor)
  syncDirectory(newDir)
  renameSync(newDir, join(dataDir, READY_FOLDER))
  syncDirectory(dataDir)
  finishRestore(dataDir)
}
