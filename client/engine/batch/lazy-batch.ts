import type { Batch, BatchHooks } from '../engine.ts'
import { hasStoredBatch } from './stored-batch.ts'

/** Holds the batch of an engine. Its code is loaded when it is first opened. */
export function createLazyBatch(ownerId: string, workerCount: number | undefined) {
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
