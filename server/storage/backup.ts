import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { extractBackup, replaceFiles, requireUnusedDatabase } from './dialects/sqlite-backup.ts'
import { StorageError } from './errors.ts'
import { openStorage } from './open.ts'

/**
 * Checks a backup, and replaces the database, the catalogue and the signing keys in `dataDir` by those of the backup. Invalidates the
 * positions from which devices continue to synchronise favorites and own playlists (`resetCursors`). Returns the folder with the replaced files.
 * @param checkFiles returns the problems of other files of a data directory
 * @throws StorageError if the backup is damaged, or if a process uses the database; nothing was changed
 */
export async function restoreBackup(
  dataDir: string,
  path: string,
  atMs: number,
  checkFiles: (dir: string) => Promise<string[]>,
): Promise<{ replacedDir: string }> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  requireUnusedDatabase(dataDir)
  const newDir = await mkdtemp(join(dataDir, 'restore-'))
  try {
    await extractBackup(path, newDir)
    const storage = await openStorage({ dataDir: newDir })
    try {
      const problems = [...(await storage.findProblems()), ...(await checkFiles(newDir))]
      if (problems.length > 0) throw new StorageError('corrupt', `The backup is damaged: ${problems.join('; ')}.`)
      await storage.favorites.resetCursors()
      await storage.ownPlaylists.resetCursors()
    } finally {
      await storage.close()
    }
    // The server may have been started while the backup was read.
    requireUnusedDatabase(dataDir)
    const replacedDir = await mkdtemp(join(dataDir, `before-restore-${new Date(atMs).toISOString().slice(0, 10)}-`))
    await replaceFiles(dataDir, newDir, replacedDir)
    return { replacedDir }
  } finally {
    await rm(newDir, { recursive: true, force: true })
  }
}
