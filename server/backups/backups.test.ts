import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../durations.ts'
import { createLog } from '../log.ts'
import { BACKUP_RUNNING_MESSAGE } from '../storage/errors.ts'
import { findBackupProblems, isBackupDue, startBackups } from './backups.ts'

const BACKUP_MINUTE_OF_DAY = 3 * 60 + 30
const parseDayTime = (text: string) => Date.parse(`2026-11-${text}Z`)

test.each([
  ['26T03:29', '25T03:30', false],
  ['26T03:30', '25T03:30', true],
  ['26T03:31', '26T03:30', false],
  ['27T00:00', '26T03:30', false],
  ['28T12:00', '26T03:30', true],
  ['26T12:00', '26T14:00', true],
])('at %s, if the last good backup is of %s, a backup is due: %s', (nowMs, last, isDue) => {
  expect(isBackupDue(parseDayTime(last), parseDayTime(nowMs), BACKUP_MINUTE_OF_DAY)).toBe(isDue)
})

test('without a good backup, a backup is due immediately', () =>
  expect(isBackupDue(0, parseDayTime('26T00:00'), BACKUP_MINUTE_OF_DAY)).toBe(true))

test('`check` names a missing backup and one that is older than a day and two hours', () => {
  const nowMs = parseDayTime('26T12:00')
  expect(findBackupProblems(0, nowMs)).toEqual(['there is no good backup yet'])
  expect(findBackupProblems(nowMs - DAY_MS - 2 * HOUR_MS, nowMs)).toEqual([])
  expect(findBackupProblems(nowMs - DAY_MS - 3 * HOUR_MS, nowMs)).toEqual(['the last good backup is of 2026-11-25T09:00:00.000Z'])
})

let workFolder = ''
beforeEach(() => {
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-backups-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(workFolder, { recursive: true, force: true })
})

/** Starts backups with a program in the place of the admin command. Returns the log's lines, and a function that stops. */
function startBackupsWith(programPath: string, lastBackupMs: number) {
  const programFile = join(workFolder, 'program.mjs')
  writeFileSync(programFile, programPath)
  const logLines: string[] = []
  const log = createLog('info', { write: (line) => logLines.push(line) })
  const backupsDir = join(workFolder, 'backups')
  const stopBackups = startBackups({
    atMinutes: BACKUP_MINUTE_OF_DAY,
    dir: backupsDir,
    kept: 3,
    programFile,
    readBackupTime: async () => lastBackupMs,
    nowMs: () => parseDayTime('26T12:00'),
    log,
  })
  return { lines: logLines, dir: backupsDir, stop: stopBackups }
}

/** Waits longer than usual, because the backup runs with a low priority. */
const waitForLog = (lines: readonly string[], text: string) => vi.waitFor(() => expect(lines.join()).toContain(text), { timeout: 60_000 })

const WRITE_ARGUMENTS_PROGRAM = `import { writeFileSync } from 'node:fs'
  writeFileSync(process.argv[3] + '/arguments', process.argv.slice(2).join(' '))
  console.log(JSON.stringify({ rows: 5, tables: {} }))`

test('a missed backup is made at the start by the admin command, and its outcome is logged', async () => {
  const { lines, dir, stop } = startBackupsWith(WRITE_ARGUMENTS_PROGRAM, parseDayTime('25T03:30'))
  await waitForLog(lines, '"rows":5,"msg":"a backup was made, restored and compared"')
  expect(readdirSync(dir)).toEqual(['arguments'])
  stop()
})

test('the reason of a failed backup is one line of the log', async () => {
  const { lines, stop } = startBackupsWith("console.error('The disk of /b is full: no backup was made.'); process.exitCode = 1", 0)
  await vi.waitFor(() =>
    expect(lines.join()).toContain('"reason":"The disk of /b is full: no backup was made.","msg":"no backup was made"'),
  )
  expect(lines).toHaveLength(1)
  stop()
})

test('a backup that another process is making is awaited without an error and without a pause', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const attemptsFile = join(workFolder, 'attempts')
  const { lines, stop } = startBackupsWith(
    `import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(attemptsFile)}, '.')
    console.error(${JSON.stringify(BACKUP_RUNNING_MESSAGE)})
    process.exitCode = 1`,
    0,
  )
  const waitForAttempts = (attempts: string) =>
    vi.waitFor(
      () => {
        vi.advanceTimersByTime(MINUTE_MS)
        expect(readFileSync(attemptsFile, 'utf8')).toContain(attempts)
      },
      { timeout: 60_000 },
    )
  await waitForAttempts('...')
  stop()
  expect(lines.join()).toContain('another process makes the backup')
  expect(lines.join()).not.toContain('no backup was made')
})

test('a backup that is not due is not made', async () => {
  const { lines, stop } = startBackupsWith(WRITE_ARGUMENTS_PROGRAM, parseDayTime('26T03:30'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(readdirSync(workFolder)).toEqual(['program.mjs'])
  expect(lines).toEqual([])
  stop()
})

test('a stopped server ends the backup that runs', async () => {
  const { lines, stop } = startBackupsWith('setInterval(() => {}, 1000)', 0)
  await vi.waitFor(() => expect(readdirSync(workFolder)).toContain('backups'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  stop()
  await vi.waitFor(() => expect(lines.join()).toContain('no backup was made'))
})
