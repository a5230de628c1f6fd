import type { FileStore } from '../files/file-store.ts'
import type { Log } from '../log.ts'
import { createConversionFileName } from './files.ts'
import type { createConversionQueue } from './queue.ts'
import type { createConversionRunner } from './runner.ts'
import type { ConversionStore } from './store.ts'

/** The time for which a process holds a conversion, and the interval at which it extends its holds. */
const HOLD_DURATION_MS = 30_000
const HOLD_EXTENSION_INTERVAL_MS = 2000

interface HoldsDeps {
  store: ConversionStore
  queue: ReturnType<typeof createConversionQueue>
  runner: Pick<ReturnType<typeof createConversionRunner>, 'progressOf' | 'stop'>
  fileStore: Pick<FileStore, 'size'>
  /** Resolves with whether this process can convert songs: another one may have ffmpeg, which this one lacks. */
  canConvert: () => Promise<boolean>
  nowMs: () => number
  log: Log
}

/**
 * Shares the conversions among the processes of a site: one process holds a conversion while it waits or runs, and another one takes it when that process
 * has ended.
 */
export function createConversionHolds({ store, queue, runner, fileStore, canConvert, nowMs, log }: HoldsDeps) {
  const computeHoldEndMs = () => nowMs() + HOLD_DURATION_MS
  /** The ids of conversions whose uploads are being stored. */
  const storingIds = new Set<string>()
  let areHoldsClosed = false

  /** Returns functions that run `work`, unless it is running, and that wait for its end. A failure is logged. */
  function createExclusiveTask(work: () => Promise<void>) {
    let runningWork: Promise<void> | undefined
    return {
      start(): void {
        runningWork ??= work()
          .catch((err: unknown) => log.error({ err }, 'conversions could not be held'))
          .finally(() => {
            runningWork = undefined
          })
      },
      end: async () => runningWork,
    }
  }

  /** Holds a conversion. Returns false if it has ended, or another process holds it. */
  const takeConversion = (id: string) => store.take(id, { atMs: nowMs(), untilMs: computeHoldEndMs() })

  /** Queues the conversions that no process holds. Skips those whose upload is not in the store, because it may be on another server. */
  async function takeFreeConversions(): Promise<void> {
    if (!(await canConvert())) return
    for (const { id } of await store.listFree(nowMs())) {
      const hasUpload = !areHoldsClosed && (await fileStore.size(createConversionFileName(id, 'in'))) !== undefined
      if (areHoldsClosed) return
      if (hasUpload && (await takeConversion(id))) queue.add(id)
    }
  }

  /** Extends the holds of this process, and stops the conversions that another process has cancelled. */
  async function extendHolds(): Promise<void> {
    for (const id of [...storingIds, ...queue.ids()]) {
      const isUnfinished = await store.extendHold(id, computeHoldEndMs(), runner.progressOf(id))
      if (!isUnfinished && !runner.stop(id)) queue.remove(id)
    }
  }

  // Two tasks, because a file store that answers slowly must not keep the holds from being extended.
  const extension = createExclusiveTask(extendHolds)
  const taking = createExclusiveTask(takeFreeConversions)
  const timer = setInterval(() => {
    extension.start()
    taking.start()
  }, HOLD_EXTENSION_INTERVAL_MS).unref()

  return {
    untilMs: computeHoldEndMs,
    takeFree: takeFreeConversions,
    take: takeConversion,
    /** Holds a conversion while `storeUpload` stores its upload, and queues it then. */
    async queueStored(conversionId: string, storeUpload: () => Promise<void>): Promise<void> {
      storingIds.add(conversionId)
      try {
        await storeUpload()
        queue.add(conversionId)
      } finally {
        storingIds.delete(conversionId)
      }
    },
    /** Lets other processes take the given conversions, which this one has stopped. */
    async close(conversionIds: readonly string[]): Promise<void> {
      areHoldsClosed = true
      clearInterval(timer)
      await Promise.all([extension.end(), taking.end()])
      // The holds end now instead of at 0, which a sweep would take for an upload that was lost long ago.
      for (const id of conversionIds) await store.extendHold(id, nowMs(), 0)
    },
  }
}
