import type { BatchItem, BatchPlan } from '../engine.ts'
import { BATCH_FOLDER } from '../engine.ts'
import { writeFile } from '../write-file.ts'
import { createFolderName, hasStoredBatch } from './stored-batch.ts'
import type { ZipEntry } from './zip-format.ts'

export const ZIP_FILE_NAME = 'songs.zip'

/** A batch as it is stored. IndexedDB can store handles of files and folders. */
export interface BatchRecord {
  readonly plan: BatchPlan
  readonly items: readonly StoredItem[]
  /** The folder that the files are written to; `undefined` if they are collected in a ZIP file. */
  readonly folder: FileSystemDirectoryHandle | undefined
  /** The complete entries of the ZIP file, and the offset of their end. */
  readonly zip: { readonly entries: readonly ZipEntry[]; readonly endOffset: number }
}

export interface StoredItem extends BatchItem {
  readonly handle?: FileSystemFileHandle | undefined
  readonly root?: FileSystemDirectoryHandle | undefined
}

/** Stores the batch of an account on this device. Without storage, a batch ends with the page: no method but `copy` rejects. */
export interface BatchStore {
  /** Names of the folders from the root of the private file system to the batch's folder. */
  readonly folderNames: readonly string[]
  load(): Promise<BatchRecord | undefined>
  save(record: BatchRecord): Promise<void>
  /** Copies a song to this device. @throws QuotaExceededError */
  copy(id: string, file: File): Promise<void>
  readCopy(id: string): Promise<File | undefined>
  removeCopy(id: string): Promise<void>
  readZip(): Promise<File | undefined>
  clear(): Promise<void>
}

const DATABASE_NAME = 'varispeed-batch'
const TABLE_NAME = 'batches'

export function createBatchStore(ownerId: string): BatchStore {
  const folderNames = [BATCH_FOLDER, createFolderName(ownerId)]
  const openFolder = async (createIfMissing: boolean) => {
    let folder = await navigator.storage.getDirectory()
    for (const name of folderNames) folder = await folder.getDirectoryHandle(name, { create: createIfMissing })
    return folder
  }
  const readFile = (fileName: string): Promise<File | undefined> =>
    openFolder(false)
      .then(async (folder) => (await folder.getFileHandle(fileName)).getFile())
      .catch(() => undefined)
  let lastSavePromise: Promise<unknown> = Promise.resolve()
  const pictureKey = `${ownerId} picture`
  let storedPicture: Blob | undefined

  return {
    folderNames,
    async load() {
      // If a record exists but its folder does not, the stored files were removed, and the record is a remainder.
      if (!(await hasStoredBatch(ownerId))) return undefined
      try {
        const batchRecord = await runInTable<BatchRecord | undefined>('readonly', (table) => table.get(ownerId))
        if (batchRecord?.plan.video === undefined) return batchRecord
        storedPicture = await runInTable<Blob | undefined>('readonly', (table) => table.get(pictureKey))
        return withPicture(batchRecord, storedPicture)
      } catch {
        return undefined
      }
    },
    async save(batchRecord) {
      await openFolder(true).catch(() => undefined)
      // The picture is stored separately and only once, because every save of the record would copy the picture's file.
      const picture = batchRecord.plan.video?.picture
      const putRecord = async () => {
        if (picture !== storedPicture) await runInTable('readwrite', (table) => table.put(picture, pictureKey))
        storedPicture = picture
        await runInTable('readwrite', (table) => table.put(withPicture(batchRecord, undefined), ownerId))
      }
      // Waits for the previous save, so that an older record never replaces a newer one.
      lastSavePromise = lastSavePromise.then(putRecord).catch(() => undefined)
      await lastSavePromise
    },
    async copy(itemId, sourceFile) {
      const batchFolder = await openFolder(true)
      await writeFile(batchFolder, itemId, sourceFile).catch(async (error: unknown) => {
        await batchFolder.removeEntry(itemId).catch(() => {})
        throw error
      })
    },
    readCopy: readFile,
    removeCopy: (itemId) =>
      openFolder(false)
        .then((folder) => folder.removeEntry(itemId))
        .catch(() => {}),
    readZip: () => readFile(ZIP_FILE_NAME),
    async clear() {
      await lastSavePromise
      storedPicture = undefined
      for (const key of [ownerId, pictureKey]) await runInTable('readwrite', (table) => table.delete(key)).catch(() => undefined)
      await navigator.storage
        .getDirectory()
        .then((root) => root.getDirectoryHandle(BATCH_FOLDER))
        .then((folder) => folder.removeEntry(createFolderName(ownerId), { recursive: true }))
        .catch(() => {})
    },
  }
}

/** Returns a record whose videos have a picture. */
function withPicture(record: BatchRecord, picture: Blob | undefined): BatchRecord {
  const { video } = record.plan
  return video === undefined ? record : { ...record, plan: { ...record.plan, video: { ...video, picture } } }
}

async function runInTable<T>(mode: IDBTransactionMode, runRequest: (table: IDBObjectStore) => IDBRequest<T> | IDBRequest): Promise<T> {
  const openRequest = indexedDB.open(DATABASE_NAME, 1)
  openRequest.onupgradeneeded = () => openRequest.result.createObjectStore(TABLE_NAME)
  const database = await toPromise(openRequest)
  try {
    const transaction = database.transaction(TABLE_NAME, mode)
    const tableRequest = runRequest(transaction.objectStore(TABLE_NAME)) as IDBRequest<T>
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve()
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'))
    })
    return tableRequest.result
  } finally {
    database.close()
  }
}

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the database could not be opened'))
  })
