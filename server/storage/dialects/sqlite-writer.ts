import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '../database.ts'
import { StorageError } from '../errors.ts'
import { asStorageError, type SqliteConnection } from './sqlite-connection.ts'

const LOCK_WAIT_MS = 15_000
const LOCK_RETRY_MS = 5

interface Job {
  run: (queries: Queries) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Begins a transaction that may write. Waits for other processes without holding up this one. */
export async function beginImmediate(connection: SqliteConnection, file: string): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      connection.handle.exec('begin immediate')
      return
    } catch (error) {
      const known = asStorageError(error, file)
      if (!(known instanceof StorageError && known.fault === 'busy') || Date.now() > deadline) throw known
    }
    await sleep(LOCK_RETRY_MS)
  }
}

export function rollBack(connection: SqliteConnection): void {
  if (connection.handle.inTransaction) connection.handle.exec('rollback')
}

/**
 * Runs jobs one after the other, all that came in one tick in one transaction with one commit: a commit waits for the
 * disk, and this way that wait is shared. A job that fails undoes only its own work. All resolve after the commit.
 */
export function createWriter(connection: SqliteConnection, file: string, onCommit: () => void) {
  let waiting: Job[] = []
  let running: Promise<void> | undefined

  async function runBatch(batch: readonly Job[]): Promise<void> {
    const settle: (() => void)[] = []
    try {
      await beginImmediate(connection, file)
      for (const job of batch) {
        connection.handle.exec('savepoint job')
        try {
          const value = await job.run(connection.queries)
          connection.handle.exec('release job')
          settle.push(() => job.resolve(value))
        } catch (error) {
          // A full disk rolls the whole transaction back by itself: then nothing of the batch is left to commit.
          if (!connection.handle.inTransaction) throw error
          connection.handle.exec('rollback to job; release job')
          settle.push(() => job.reject(error))
        }
      }
      connection.handle.exec('commit')
    } catch (error) {
      rollBack(connection)
      const reason = asStorageError(error, file)
      for (const job of batch) job.reject(reason)
      return
    }
    onCommit()
    for (const each of settle) each()
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      await runBatch(batch)
    }
  }

  function schedule(): void {
    if (running !== undefined || waiting.length === 0) return
    running = new Promise<void>((tick) => setImmediate(tick)).then(drain).finally(() => {
      running = undefined
      schedule()
    })
  }

  function write<T>(run: (queries: Queries) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The value that settles this job is the one its own `run` gave, so the type is known.
      waiting.push({ run, resolve: (value) => resolve(value as T), reject })
      schedule()
    })
  }

  return {
    write,
    /** Resolves once what was asked for so far is settled. */
    idle: async () => {
      while (running !== undefined) await running
    },
  }
}
