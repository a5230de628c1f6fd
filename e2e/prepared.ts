import { cp, mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test-results/prepared', import.meta.url))
const fileExists = (path: string) =>
  stat(path).then(
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
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  const isFirst = await mkdir(`${path}.lock`).then(
    () => true,
    () => false,
  )
  if (isFirst) {
    await mkdir(path)
    await fillFolder(path).catch(async (error: unknown) => {
      await mkdir(`${path}.failed`)
      throw error
    })
    await mkdir(`${path}.done`)
  }
  const deadlineMs = Date.now() + 120_000
  while (!(await fileExists(`${path}.done`))) {
    if (await fileExists(`${path}.failed`)) throw new Error(`Another worker could not prepare ${name}`)
    if (Date.now() > deadlineMs) throw new Error(`Another worker did not prepare ${name} in time`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return path
}

/** Copies a prepared data directory into `dataDir`. */
export const copyPreparedFolder = (path: string, dataDir: string) => cp(path, dataDir, { recursive: true })
