import type { Batch, BatchHooks } from './batch-model.ts'

/** The folder of the origin private file system with a folder for the batch of each account: copies of songs, and the ZIP file. */
export const BATCH_FOLDER = 'maker-batch'

export const batchFolderName = (ownerId: string) => `of-${ownerId}`

/** Whether an account has a batch on this device. */
export async function hasStoredBatch(ownerId: string): Promise<boolean> {
  try {
    const root = await navigator.storage.getDirectory()
    await (await root.getDirectoryHandle(BATCH_FOLDER)).getDirectoryHandle(batchFolderName(ownerId))
    return true
  } catch {
    return false
  }
}

/** Holds the batch of an engine. Its code is loaded when it is first opened. */
export function createBatchSlot(ownerId: string, workerCount: number | undefined) {
  let batch: Batch | undefined
  let isDisposed = false

  return {
    hasStored: () => hasStoredBatch(ownerId),
    async open(hooks: BatchHooks): Promise<Batch> {
      const { createBatch } = await import('./batch.ts')
      batch ??= createBatch({ ownerId, hooks, workerCount })
      if (isDisposed) batch.dispose()
      return batch
    },
    dispose() {
      isDisposed = true
      batch?.dispose()
    },
  }
}
