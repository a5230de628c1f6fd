import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FileStore } from './file-store.ts'

/** Handles a rejection: returns undefined if a file does not exist, and rejects otherwise. */
function ignoreMissingFile(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
}

/** Opens a store whose files are in a folder, readable by their owner only. */
export async function openFolderStore(storeDir: string): Promise<FileStore> {
  const resolvePath = (name: string) => join(storeDir, name)
  const createParentFolder = (name: string) => mkdir(dirname(resolvePath(name)), { recursive: true, mode: 0o700 })
  const listFiles = async (folder: string) => (await readdir(resolvePath(folder)).catch(ignoreMissingFile)) ?? []

  // An administrator may have copied the signing keys to this folder with other permissions.
  for (const name of await listFiles('identity')) await chmod(resolvePath(`identity/${name}`), 0o600)

  return {
    list: listFiles,

    async put(fileName, fileContent) {
      await createParentFolder(fileName)
      const temporaryPath = `${resolvePath(fileName)}.${randomBytes(6).toString('hex')}.tmp`
      try {
        const temporaryFile = await open(temporaryPath, 'wx', 0o600)
        try {
          await temporaryFile.writeFile(fileContent)
          await temporaryFile.sync()
        } finally {
          await temporaryFile.close()
        }
        await rename(temporaryPath, resolvePath(fileName))
      } catch (error) {
        await rm(temporaryPath, { force: true })
        throw error
      }
    },

    async moveIn(filePath, fileName) {
      await createParentFolder(fileName)
      await rename(filePath, resolvePath(fileName))
    },

    async open(fileName, byteRange) {
      const file = await open(resolvePath(fileName)).catch(ignoreMissingFile)
      return file?.createReadStream(byteRange)
    },

    size: async (name) => (await stat(resolvePath(name)).catch(ignoreMissingFile))?.size,

    localPath: async (name) => ((await stat(resolvePath(name)).catch(ignoreMissingFile)) === undefined ? undefined : resolvePath(name)),

    delete: (name) => rm(resolvePath(name), { force: true }),
  }
}
