import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { FileStoreError } from '../files/file-store.ts'
import { openFileStore } from '../files/open.ts'
import type { CheckContext } from './checks-services.ts'
import type { Finding } from './probe.ts'

const CHECK_NAME = 'file store'
const FILE_STORE_REMEDY =
  'Check FILE_STORE and its key, which must be allowed to list the bucket, and to read, write and delete its objects (docs/scale.md).'

/** Whether files can be stored in the bucket, read in part, listed and deleted. */
export async function checkFileStore({ config }: Pick<CheckContext, 'config'>): Promise<Finding[]> {
  if (config.s3 === undefined)
    return [{ check: CHECK_NAME, status: 'not configured', text: 'FILE_STORE is not set: files are in DATA_DIR.' }]
  const [folderName, randomId] = ['doctor', randomBytes(8).toString('hex')]
  const fileName = `${folderName}/${randomId}`
  try {
    const fileStore = await openFileStore(config)
    await fileStore.put(fileName, 'varispeed')
    const storedPart = await fileStore.open(fileName, { start: 4, end: 8 })
    const readBackValues = [
      storedPart && (await text(storedPart)),
      await fileStore.size(fileName),
      (await fileStore.list(folderName)).includes(randomId),
    ]
    await fileStore.delete(fileName)
    readBackValues.push(await fileStore.size(fileName))
    if (JSON.stringify(readBackValues) === JSON.stringify(['speed', 9, true, undefined]))
      return [{ check: CHECK_NAME, status: 'ok', text: `Files can be stored in ${config.s3.bucket}, read in part, listed and deleted.` }]
    return [
      {
        check: CHECK_NAME,
        status: 'wrong',
        text: `A file that was stored was read as ${JSON.stringify(readBackValues)}.`,
        mend: FILE_STORE_REMEDY,
      },
    ]
  } catch (error) {
    if (!(error instanceof FileStoreError)) throw error
    return [{ check: CHECK_NAME, status: 'wrong', text: error.message, mend: FILE_STORE_REMEDY }]
  }
}
