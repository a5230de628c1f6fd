import type { FileStore } from '../files/file-store.ts'
import type { Log } from '../log.ts'
import { conversionFileName } from './files.ts'
import type { createConversionQueue } from './queue.ts'
import type { createConversionRunner } from './runner.ts'
import type { ConversionStore } from './store.ts'

/** The time for which a process holds a conversion, and the interval at which it extends its holds. */
const HOLD_MS = 30_000
const EXTENSION_MS = 2000

interface HoldsDeps {
  store: ConversionStore
  queue: ReturnType<typeof createConversionQueue>
  runner: Pick<ReturnType<typeof createConversionRunner>, 'progressOf' | 'stop'>
  fileStore: Pick<FileStore, 'size'>
  /** Whether this server can convert songs. */
  canConvert: boolean
  nowMs: () => number
  log: Log
}

/**
 * Shares the conversions among the processes of a site: one process holds a conversion while it waits or runs, and another one takes it when that process
 * has ended.
 */
export function createConversionHolds({ store, queue, runner, fileStore, canConvert, nowMs, log }: HoldsDeps) {
  const untilMs = () => nowMs() + HOLD_MS
  /** The ids of conversions whose uploads are being stored. */
  const storing = new Set<string>()
  let extension: Promise<void> | undefined
  let isClosed = false

  /** Queues the conversions that no process holds. Skips those whose upload is not in the store, because it may be on another server. */
  async function takeFree(): Promise<void> {
    if (!canConvert) return
    for (const { id } of await store.listFree(nowMs())) {
      if (isClosed || (await fileStore.size(conversionFileName(id, 'in'))) === undefined) continue
      if (await store.take(id, { atMs: nowMs(), untilMs: untilMs() })) queue.add(id)
    }
  }

  /** Extends the holds of this process, and stops the conversions that another process has cancelled. */
  async function extendHolds(): Promise<void> {
    for (const id of [...storing, ...queue.ids()]) {
      const isUnfinished = await store.extendHold(id, untilMs(), runner.progressOf(id))
      if (!isUnfinished && !runner.stop(id)) queue.remove(id)
    }
    await takeFree()
  }

  const timer = setInterval(() => {
    extension ??= extendHolds()
      .catch((err: unknown) => log.error({ err }, 'conversions could not be held'))
      .finally(() => {
        extension = undefined
      })
  }, EXTENSION_MS).unref()

  return {
    untilMs,
    takeFree,
    /** Holds a conversion while `storeUpload` stores its upload, and queues it then. */
    async queueStored(id: string, storeUpload: () => Promise<void>): Promise<void> {
      storing.add(id)
      try {
        await storeUpload()
        queue.add(id)
      } finally {
        storing.delete(id)
      }
    },
    /** Lets other processes take the given conversions, which this one has stopped. */
    async close(ids: readonly string[]): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await extension
      for (const id of ids) await store.extendHold(id, 0, 0)
    },
  }
}
