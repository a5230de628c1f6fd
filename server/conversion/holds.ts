import { existsSync } from 'node:fs'
import type { Log } from '../log.ts'
import { conversionFilePath } from './files.ts'
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
  dir: string
  /** Whether this server can convert songs. */
  canConvert: boolean
  nowMs: () => number
  log: Log
}

/**
 * Shares the conversions among the processes of a site: one process holds a conversion while it waits or runs, and another one takes it when that process
 * has ended.
 */
export function createConversionHolds({ store, queue, runner, dir, canConvert, nowMs, log }: HoldsDeps) {
  const untilMs = () => nowMs() + HOLD_MS
  let extension: Promise<void> | undefined
  let isClosed = false

  /** Queues the conversions that no process holds. Skips those whose upload is not on this server, because it may be on another server. */
  async function takeFree(): Promise<void> {
    if (!canConvert) return
    for (const { id } of await store.listFree(nowMs())) {
      if (isClosed || !existsSync(conversionFilePath(dir, id, 'in'))) continue
      if (await store.take(id, { atMs: nowMs(), untilMs: untilMs() })) queue.add(id)
    }
  }

  /** Extends the holds of this process, and stops the conversions that another process has cancelled. */
  async function extendHolds(): Promise<void> {
    for (const id of queue.ids()) {
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
    /** Lets other processes take the given conversions, which this one has stopped. */
    async close(ids: readonly string[]): Promise<void> {
      isClosed = true
      clearInterval(timer)
      await extension
      for (const id of ids) await store.extendHold(id, 0, 0)
    },
  }
}
