import type { Batch, BatchHooks } from '../engine.ts'
import { hasStoredBatch } from './stored-batch.ts'

/** Holds the batch of an engine. Its code is loaded when it is first opened. */
export function createLazyBatch(ownerId: string, workerCount: number | undefined) {
  let loadedBatch: Batch | undefined
  let isBatchDisposed = false

  return {
    hasStored: () => hasStoredBatch(ownerId),
    async open(hooks: BatchHooks): Promise<Batch> {
      const { createBatch } = await import('./batch.ts')
      loadedBatch ??= createBatch({ ownerId, hooks, workerCount })
      if (isBatchDisposed) loadedBatch.dispose()
      return loadedBatch
    },
    dispose() {
      isBatchDisposed = true
      loadedBatch?.dispose()
    },
  }
}
