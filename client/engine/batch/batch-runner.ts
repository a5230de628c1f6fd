import type { BatchHooks, BatchProblem, BatchProgress } from '../engine.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import { createRenderPool, type RenderPool } from '../render-pool.ts'
import type { BatchData } from './batch-data.ts'
import { type BatchOutput, createFolderOutput, openZipOutput } from './batch-output.ts'
import { exportSong, type SongOutcome } from './batch-song.ts'
import type { BatchRecord, StoredItem } from './batch-store.ts'

export interface BatchRunnerDeps {
  readonly data: BatchData
  readonly hooks: BatchHooks
  readonly workerCount: number | undefined
  readonly onProgress: (progress: BatchProgress) => void
}

/** A copy of a song is made only if this much space remains for the exported files. */
const RESERVED_EXPORT_BYTES = 512 * 2 ** 20

/** Exports the songs of a batch one after the other. */
export function createBatchRunner({ data, hooks, workerCount, onProgress }: BatchRunnerDeps) {
  /** Cancels the song in progress. */
  let songController: AbortController | undefined
  /** Resolves when nothing is written to the batch's files any more. */
  let idlePromise: Promise<unknown> = Promise.resolve()
  /** Whether the output was completed after its last file. */
  let isComplete = false
  let completionPromise: Promise<void> | undefined

  async function startSong(item: StoredItem, { plan, items }: BatchRecord, output: BatchOutput, pool: RenderPool): Promise<SongOutcome> {
    // The song can be cancelled as soon as its state has changed.
    const controller = new AbortController()
    songController = controller
    await data.saveItem(item.id, { state: 'running', failure: undefined })
    return exportSong({
      item,
      songNumber: items.indexOf(item) + 1,
      plan,
      readSong: () => data.readSong(item),
      takenFileNames: items.flatMap(({ id, fileName, videoName }) =>
        id === item.id ? [] : [fileName, videoName].filter((name) => name !== undefined),
      ),
      output,
      pool,
      hooks,
      reserveName: (name) => data.saveItem(item.id, name),
      onProgress: (progress) => onProgress({ id: item.id, progress }),
      signal: controller.signal,
    })
  }

  /** Stores the outcome of a song. Returns the problem if the outcome makes the batch pause. */
  async function saveOutcome(item: StoredItem, outcome: SongOutcome): Promise<BatchProblem | undefined> {
    const { id } = item
    switch (outcome.kind) {
      case 'paused':
        await data.saveItem(id, { state: 'waiting' })
        return outcome.problem
      case 'done': {
        const { settings, files, changes, result } = outcome
        const updatedItems = data.record?.items.map((each) => (each.id === id ? { ...each, ...result, state: 'done' as const } : each))
        await data.save({ ...changes, ...(updatedItems !== undefined && { items: updatedItems }) })
        await data.store.removeCopy(id)
        data.files.delete(id)
        for (const file of files) hooks.onExported({ ...file, settings })
        return undefined
      }
      case 'unreadable':
        // A song whose copy was removed from the device can be picked again.
        await data.saveItem(id, item.source === 'copy' ? { state: 'waiting', source: 'page' } : { state: 'failed', failure: outcome })
        data.files.delete(id)
        return undefined
      case 'cancelled':
        await data.saveItem(id, { state: 'cancelled' })
        return undefined
      default:
        await data.saveItem(id, { state: 'failed', failure: outcome })
        return undefined
    }
  }

  /** Exports songs until none is left that can be exported. Returns the problem if the export stopped early. */
  async function exportWaitingSongs(output: BatchOutput, pool: RenderPool): Promise<BatchProblem | undefined> {
    for (;;) {
      const item = data.nextItem()
      if (data.record === undefined || item === undefined || data.isClosed) return undefined
      const songOutcome = await startSong(item, data.record, output, pool)
      // A song whose export ends because the page is closed waits for the next visit.
      if (data.isClosed) return undefined
      const problem = await saveOutcome(item, songOutcome)
      if (problem !== undefined) return problem
    }
  }

  /** Opens the output for `writeSongs`, and completes it if no song waits afterwards. Returns the problem if there was one. */
  async function writeOutput(
    record: BatchRecord,
    writeSongs: (output: BatchOutput) => Promise<BatchProblem | undefined>,
  ): Promise<BatchProblem | undefined> {
    let output: BatchOutput | undefined
    try {
      output = record.folder ? createFolderOutput(record.folder) : await openZipOutput(data.store, record)
      const problem = await writeSongs(output)
      if (problem === undefined && data.restingPhase() === 'ended') {
        await output.finish()
        isComplete = true
      }
      return problem
    } catch (error) {
      return isOutOfSpaceError(error) ? 'no-room' : record.folder ? 'folder-lost' : 'no-storage'
    } finally {
      await output?.close()
    }
  }

  async function exportToOutput(record: BatchRecord) {
    await completionPromise
    isComplete = false
    const pool = createRenderPool(workerCount)
    const problem = await writeOutput(record, (output) => exportWaitingSongs(output, pool))
    pool.dispose()
    data.show({ phase: data.restingPhase(), problem })
  }

  async function completeOutput(record: BatchRecord) {
    data.show({ problem: await writeOutput(record, async () => undefined) })
    completionPromise = undefined
  }

  return {
    /** Exports songs until none waits, or until a problem pauses the batch. */
    run(): Promise<void> {
      const { record, state } = data
      if (record === undefined || state.phase === 'running') return Promise.resolve()
      data.show({ phase: 'running', problem: undefined })
      const exporting = exportToOutput(record)
      idlePromise = Promise.allSettled([exporting, copySongs(data)])
      return exporting
    },
    /**
     * Completes the output of a batch that has ended without a run, such as one that was cancelled while it was paused. Resolves with
     * whether the output is complete. If it is not, the state has the problem.
     */
    async complete(): Promise<boolean> {
      if (!isComplete && data.record !== undefined) completionPromise ??= completeOutput(data.record)
      await completionPromise
      return isComplete
    },
    cancelSong: () => songController?.abort(),
    whenIdle: () => Promise.all([idlePromise, completionPromise]),
  }
}

/** Copies the songs that could not be read again after the tab was closed, while there is enough space. */
async function copySongs(data: BatchData) {
  for (const { id } of data.record?.items ?? []) {
    const item = data.findItem(id)
    const itemFile = data.files.get(id)
    if (data.isClosed || data.state.phase !== 'running') return
    if (item?.source !== 'page' || itemFile === undefined) continue
    const { quota = 0, usage = 0 } = await navigator.storage.estimate()
    if (quota - usage - itemFile.size < RESERVED_EXPORT_BYTES) return
    await data.store.copy(id, itemFile)
    const copied = data.findItem(id)
    if (copied === undefined || copied.state === 'done') await data.store.removeCopy(id)
    else await data.saveItem(id, { source: 'copy' })
  }
}
