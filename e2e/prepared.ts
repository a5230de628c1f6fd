import { cp, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const preparedFolder = fileURLToPath(new URL('../test-results/prepared', import.meta.url))
const fileExists = (filePath: string) =>
  stat(filePath).then(
    () => true,
    () => false,
  )

/** Playwright's global setup: deletes the folders of an earlier run, which may come from another build. */
export default () => rm(preparedFolder, { recursive: true, force: true })

/**
 * Returns a folder that `fillFolder` fills once per test run for all workers. The first caller fills the folder; the others wait.
 *
 * @param folderName the folder's name
 */
export async function prepareFolderOnce(folderName: string, fillFolder: (path: string) => Promise<void>): Promise<string> {
  const filePath = join(preparedFolder, folderName)
  await mkdir(preparedFolder, { recursive: true })
  const isFirstWorker = await mkdir(`${filePath}.lock`).then(
    () => true,
    () => false,
  )
  if (isFirstWorker) {
    await mkdir(filePath)
    await fillFolder(filePath).catch(async (error: unknown) => {
      await mkdir(`${filePath}.failed`)
      throw error
    })
    await mkdir(`${filePath}.done`)
  }
  const deadlineMs = Date.now() + 120_000
  while (!(await fileExists(`${filePath}.done`))) {
    if (await fileExists(`${filePath}.failed`)) throw new Error(`Another worker could not prepare ${folderName}`)
    if (Date.now() > deadlineMs) throw new Error(`Another worker did not prepare ${folderName} in time`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return filePath
}

/** Copies a prepared data directory into `dataDir`. */
export const copyPreparedFolder = (path: string, dataDir: string) => cp(path, dataDir, { recursive: true })
