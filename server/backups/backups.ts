import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import type { Log } from '../log.ts'
import { BACKUP_RUNNING_MESSAGE } from '../storage/errors.ts'

/** The maximum age of the last successful backup: a day, and the time of several further attempts. */
const BACKUP_AGE_MAX_MS = DAY_MS + 2 * HOUR_MS
const CHECK_INTERVAL_MS = MINUTE_MS
/** The time after a failed backup until the next attempt. */
const RETRY_DELAY_MS = HOUR_MS

/** Returns the problems of the time of the last good backup, for `admin check`. */
export function findBackupProblems(lastBackupMs: number, nowMs: number): string[] {
  if (lastBackupMs === 0) return ['there is no good backup yet']
  return nowMs - lastBackupMs > BACKUP_AGE_MAX_MS ? [`the last good backup is of ${new Date(lastBackupMs).toISOString()}`] : []
}

/**
 * Whether a backup is due: the last good one is older than the last time of day at which one was to be made. A backup of the future was made while the
 * clock was wrong, and does not count.
 */
export function isBackupDue(lastBackupMs: number, nowMs: number, dueMinuteOfDay: number): boolean {
  const sinceSlotMs = (((nowMs - dueMinuteOfDay * MINUTE_MS) % DAY_MS) + DAY_MS) % DAY_MS
  return lastBackupMs < nowMs - sinceSlotMs || lastBackupMs > nowMs + HOUR_MS
}

interface BackupDeps {
  atMinutes: number
  dir: string
  kept: number
  /** Returns the time of the last good backup of the database, which all processes share. */
  readBackupTime: () => Promise<number>
  /** The built admin command, which makes the backup in a process of its own. */
  programFile: string
  nowMs: () => number
  log: Log
}

/** Runs the command `backup`. Resolves with its answer. @throws Error with the command's message */
async function runBackup({ dir, kept, programFile }: BackupDeps, onStart: (child: ChildProcess) => void): Promise<Record<string, unknown>> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const backupProcess = spawn(process.execPath, [programFile, 'backup', dir, '--keep', String(kept), '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onStart(backupProcess)
  if (backupProcess.pid !== undefined) setPriority(backupProcess.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  let [outputText, errorText] = ['', '']
  backupProcess.stdout.on('data', (chunk: Buffer) => {
    outputText += chunk.toString()
  })
  backupProcess.stderr.on('data', (chunk: Buffer) => {
    errorText += chunk.toString()
  })
  const exitCode = await new Promise((resolve, reject) => backupProcess.once('error', reject).once('close', resolve))
  if (exitCode !== 0) throw new Error(errorText.trim() || `the backup ended with ${String(exitCode)}`)
  const { tables: _, ...facts } = JSON.parse(outputText)
  return facts
}

/**
 * Makes a backup a day, and makes up for one that was missed. If several processes share a database, only one of them makes the backup: `backup`
 * holds a lock, and the time of the backup is stored in the database. Returns a function that stops the backups.
 */
export function startBackups(deps: BackupDeps): () => void {
  const { atMinutes, readBackupTime, nowMs, log } = deps
  let backupProcess: ChildProcess | undefined
  let isBackupRunning = false
  let isOtherBackupLogged = false
  let pausedUntilMs = Number.NEGATIVE_INFINITY

  async function makeBackupIfDue(): Promise<void> {
    if (isBackupRunning || performance.now() < pausedUntilMs) return
    isBackupRunning = true
    try {
      if (!isBackupDue(await readBackupTime(), nowMs(), atMinutes)) {
        isOtherBackupLogged = false
        return
      }
      const backupFacts = await runBackup(deps, (started) => {
        backupProcess = started
      })
      log.info(backupFacts, 'a backup was made, restored and compared')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (reason === BACKUP_RUNNING_MESSAGE) {
        // Without a pause, so that this process makes the backup soon if the other one fails.
        if (!isOtherBackupLogged) log.info({}, 'another process makes the backup')
        isOtherBackupLogged = true
        return
      }
      pausedUntilMs = performance.now() + RETRY_DELAY_MS
      log.error({ reason }, 'no backup was made')
    } finally {
      isBackupRunning = false
      backupProcess = undefined
    }
  }
  const timer = setInterval(() => void makeBackupIfDue(), CHECK_INTERVAL_MS)
  timer.unref()
  void makeBackupIfDue()
  return () => {
    clearInterval(timer)
    pausedUntilMs = Number.POSITIVE_INFINITY
    backupProcess?.kill()
  }
}
