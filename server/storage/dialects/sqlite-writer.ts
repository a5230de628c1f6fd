import { setTimeout as sleep } from 'node:timers/promises'
import type { Queries } from '../database.ts'
import { StorageError } from '../errors.ts'
import { type SqliteConnection, toStorageError } from './sqlite-connection.ts'

const LOCK_WAIT_MS = 15_000
const LOCK_RETRY_MS = 5

interface WriteJob {
  run: (queries: Queries) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/** Begins a write transaction. Retries while another process holds the lock, without blocking this process. */
export async function beginImmediate(connection: SqliteConnection, filePath: string): Promise<void> {
  const deadlineMs = Date.now() + LOCK_WAIT_MS
  for (;;) {
    try {
      connection.handle.exec('begin immediate')
      return
    } catch (error) {
      const storageError = toStorageError(error, filePath)
      if (!(storageError instanceof StorageError && storageError.fault === 'busy') || Date.now() > deadlineMs) throw storageError
    }
    await sleep(LOCK_RETRY_MS)
  }
}

export function rollBack(connection: SqliteConnection): void {
  if (connection.handle.inTransaction) connection.handle.exec('rollback')
}

/**
 * Runs write jobs one after the other. Jobs of the same tick share one transaction and therefore one fsync. A failed job is rolled back to its
 * savepoint. All jobs settle after the commit.
 */
export function createWriter(connection: SqliteConnection, filePath: string, onCommit: () => void) {
  let waitingJobs: WriteJob[] = []
  let runningBatch: Promise<void> | undefined

  async function runBatch(batch: readonly WriteJob[]): Promise<void> {
    const settleFunctions: (() => void)[] = []
    try {
      await beginImmediate(connection, filePath)
      for (const writeJob of batch) {
        connection.handle.exec('savepoint job')
        try {
          const value = await writeJob.run(connection.queries)
          connection.handle.exec('release job')
          settleFunctions.push(() => writeJob.resolve(value))
        } catch (error) {
          // SQLite rolls back the whole transaction when the disk is full, so that nothing of the batch can be committed.
          if (!connection.handle.inTransaction) throw error
          connection.handle.exec('rollback to job; release job')
          settleFunctions.push(() => writeJob.reject(error))
        }
      }
      connection.handle.exec('commit')
    } catch (error) {
      try {
        rollBack(connection)
      } catch {
        // An error of the rollback is ignored: the jobs are rejected with the original error, and the next batch tries to roll back again.
      }
      const jobError = toStorageError(error, filePath)
      for (const job of batch) job.reject(jobError)
      return
    }
    onCommit()
    for (const settle of settleFunctions) settle()
  }

  async function drainJobs(): Promise<void> {
    while (waitingJobs.length > 0) {
      const batch = waitingJobs
      waitingJobs = []
      await runBatch(batch)
    }
  }

  function scheduleJobDrain(): void {
    if (runningBatch !== undefined || waitingJobs.length === 0) return
    runningBatch = new Promise<void>((resolve) => setImmediate(resolve)).then(drainJobs).finally(() => {
      runningBatch = undefined
      scheduleJobDrain()
    })
  }

  function writeJob<T>(writeRows: (queries: Queries) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      // The cast is safe: `resolve` is called only with the value that `writeRows` of the same job returned.
      waitingJobs.push({ run: writeRows, resolve: (value) => resolve(value as T), reject })
      scheduleJobDrain()
    })
  }

  return {
    write: writeJob,
    /** Resolves after all scheduled jobs have settled. */
    idle: async () => {
      while (runningBatch !== undefined) await runningBatch
    },
  }
}
