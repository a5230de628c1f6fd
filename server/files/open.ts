import type { Config } from '../config.ts'
import type { FileStore } from './file-store.ts'
import { openFolderStore } from './folder-store.ts'

/** Opens the store of the site's files. @throws FileStoreError if it is a bucket that cannot be used */
export async function openFileStore({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<FileStore> {
  if (s3 === undefined) return openFolderStore(dataDir)
  // Loaded only if it is used, because it costs the start of a server and of each admin command some time.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(s3)
}
