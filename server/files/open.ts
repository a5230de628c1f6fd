import type { Config } from '../config.ts'
import type { FileStore } from './file-store.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'

/** Opens the store of the site's files. @throws FileStoreError if it is a bucket that cannot be used */
export const openFileStore = ({ dataDir, s3 }: Pick<Config, 'dataDir' | 's3'>): Promise<FileStore> =>
  s3 === undefined ? openFolderStore(dataDir) : openS3Store(s3)
