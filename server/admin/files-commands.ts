import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FileStore } from '../files/file-store.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { openFileStore } from '../files/open.ts'
import { CommandError, defineStandaloneCommand, toPrintable, UsageError } from './command.ts'

/** The folders of a file store. `isShared` returns true for the files that processes share, and false for unfinished files of running servers. */
const sharedFolders = [
  { folder: 'conversions', isShared: (name: string) => /\.(?:in|out)$/.test(name) },
  { folder: 'identity', isShared: (name: string) => name === 'keys.json' },
]

async function copyFile(fileName: string, sourceStore: FileStore, targetStore: FileStore, temporaryPath: string): Promise<void> {
  const fileStream = await sourceStore.open(fileName)
  // A file that was deleted after the listing is not copied.
  if (fileStream === undefined) return
  try {
    await pipeline(fileStream, createWriteStream(temporaryPath, { mode: 0o600 }))
    await targetStore.moveIn(temporaryPath, fileName)
  } finally {
    await rm(temporaryPath, { force: true })
  }
}

export const copyFilesCommand = defineStandaloneCommand({
  words: 'files copy',
  summary:
    'Copies the signing keys and the files of conversions from DATA_DIR to the bucket of FILE_STORE, or back. The server must be stopped.',
  details:
    'The originals stay as they are. Files of conversions that are there already are left out, so that an interrupted command can be repeated.',
  options: { to: { value: 'bucket|folder', help: 'where the files are copied to', required: true } },
  run: async ({ to: targetName }, { config }) => {
    if (targetName !== 'bucket' && targetName !== 'folder')
      throw new UsageError(`--to must be bucket or folder, not '${toPrintable(targetName)}'`)
    if (config.s3 === undefined) throw new CommandError('FILE_STORE must be set to the bucket')
    const [folderStore, bucketStore] = [await openFolderStore(config.dataDir), await openFileStore(config)]
    const [sourceStore, targetStore] = targetName === 'bucket' ? [folderStore, bucketStore] : [bucketStore, folderStore]
    let copiedFileCount = 0
    for (const { folder, isShared } of sharedFolders) {
      for (const fileName of (await sourceStore.list(folder)).filter(isShared).map((name) => `${folder}/${name}`)) {
        if (folder === 'conversions' && (await targetStore.size(fileName)) === (await sourceStore.size(fileName))) continue
        await copyFile(fileName, sourceStore, targetStore, join(config.dataDir, `files-copy-${process.pid}.tmp`))
        copiedFileCount++
      }
    }
    return { text: `${copiedFileCount} ${copiedFileCount === 1 ? 'file was' : 'files were'} copied.`, data: { copied: copiedFileCount } }
  },
})
