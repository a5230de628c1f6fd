import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'

/** Handles a rejection: returns undefined if a file does not exist, and rejects otherwise. */
function ifMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Opens a store whose files are in a folder, readable by their owner only. */
export async function openFolderStore(dir: string): Promise<FileStore> {
  const pathOf = (name: string) => join(dir, name)
  const makeFolderOf = (name: string) => mkdir(dirname(pathOf(name)), { recursive: true, mode: 0o700 })
  const list = async (folder: string) => (await readdir(pathOf(folder)).catch(ifMissing)) ?? []

  // An administrator may have copied the signing keys to this folder with other permissions.
  for (const name of await list('identity')) await chmod(pathOf(`identity/${name}`), 0o600)

  return {
    list,

    async put(name, content) {
      await makeFolderOf(name)
      const temporaryPath = `${pathOf(name)}.${randomBytes(6).toString('hex')}.tmp`
      try {
        const file = await open(temporaryPath, 'wx', 0o600)
        try {
          await file.writeFile(content)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(temporaryPath, pathOf(name))
      } catch (error) {
        await rm(temporaryPath, { force: true })
        throw error
      }
    },

    async moveIn(filePath, name) {
      await makeFolderOf(name)
      await rename(filePath, pathOf(name))
    },

    async open(name, range) {
      const file = await open(pathOf(name)).catch(ifMissing)
      return file?.createReadStream(range)
    },

    size: async (name) => (await stat(pathOf(name)).catch(ifMissing))?.size,

    localPath: async (name) => ((await stat(pathOf(name)).catch(ifMissing)) === undefined ? undefined : pathOf(name)),

    delete: (name) => rm(pathOf(name), { force: true }),
  }
}
