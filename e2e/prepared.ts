import { cp, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test-results/prepared', import.meta.url))
const fileExists = (filePath: string) =>
  stat(filePath).then(
    () => true,
    () => false,
  )

/** Playwright's global setup: deletes the folders of an earlier run, which may come from another build. */
export default () => rm(folder, { recursive: true, force: true })

/**
 * Returns a folder that `fillFolder` fills once per test run for all workers. The first caller fills the folder; the others wait.
 *
 * @param name the folder's name
 */
export async function prepareFolderOnce(name: string, fillFolder: (path: string) => Promise<void>): Promise<string> {
  const filePath = join(folder, name)
  await mkdir(folder, { recursive: true })
  const isFirst = await mkdir(`${filePath}.lock`).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await mkdir(filePath)
    await fillFolder(filePath).catch(async (error: unknown) => {
      await mkdir(`${filePath}.failed`)
      throw error
    })
    await mkdir(`${filePath}.done`)
  }
  const deadlineMs = Date.now() + 120_000
  while (!(await fileExists(`${filePath}.done`))) {
    if (await fileExists(`${filePath}.failed`)) throw new Error(`Another worker could not prepare ${name}`)
    if (Date.now() > deadlineMs) throw new Error(`Another worker did not prepare ${name} in time`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return filePath
}

/** Copies a prepared data directory into `dataDir`. */
export const copyPreparedFolder = (path: string, dataDir: string) => cp(path, dataDir, { recursive: true })
