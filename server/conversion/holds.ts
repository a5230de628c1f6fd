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
  let holdExtension: Promise<void> | undefined
  let areHoldsClosed = false

  /** Queues the conversions that no process holds. Skips those whose upload is not in the store, because it may be on another server. */
  async function takeFreeConversions(): Promise<void> {
    if (!(await canConvert())) return
    for (const { id } of await store.listFree(nowMs())) {
      if (areHoldsClosed || (await fileStore.size(createConversionFileName(id, 'in'))) === undefined) continue
      if (await store.take(id, { atMs: nowMs(), untilMs: computeHoldEndMs() })) queue.add(id)
    }
  }

  /** Extends the holds of this process, and stops the conversions that another process has cancelled. */
  async function extendHolds(): Promise<void> {
    for (const id of [...storingIds, ...queue.ids()]) {
      const isUnfinished = await store.extendHold(id, computeHoldEndMs(), runner.progressOf(id))
      if (!isUnfinished && !runner.stop(id)) queue.remove(id)
    }
    await takeFreeConversions()
  }

  const timer = setInterval(() => {
    holdExtension ??= extendHolds()
      .catch((err: unknown) => log.error({ err }, 'conversions could not be held'))
      .finally(() => {
        holdExtension = undefined
      })
  }, HOLD_EXTENSION_INTERVAL_MS).unref()

  return {
    untilMs: computeHoldEndMs,
    takeFree: takeFreeConversions,
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
      await holdExtension
      for (const id of conversionIds) await store.extendHold(id, 0, 0)
    },
  }
}
