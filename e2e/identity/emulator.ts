import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureEmulator } from '../../scripts/emulator.mjs'
import { createMinimalEnvironment, findFreePort } from '../server.ts'

/** The project id begins with `demo-`, because for such ids the emulator never calls Google. */
export const EMULATOR_PROJECT_ID = 'demo-varispeed'
const READY_WITHIN_MS = 60_000

export interface AuthEmulator {
  origin: string
  /** Advances the emulator's clock by two hours. */
  advanceClock(): void
  stop(): Promise<void>
}

/** A script that is loaded into the emulator before it starts. It replaces `Date`; the signal SIGUSR2 advances the time. */
const CLOCK_SCRIPT = `
const RealDate = Date
let offsetMs = 0
process.on('SIGUSR2', () => { offsetMs += 2 * 3600_000 })
globalThis.Date = class Date extends RealDate {
  constructor(...args) { args.length === 0 ? super(RealDate.now() + offsetMs) : super(...args) }
  static now() { return RealDate.now() + offsetMs }
}
`

/** Starts Google's Auth emulator on free ports. */
export async function startAuthEmulator(): Promise<AuthEmulator> {
  const programPath = ensureEmulator()
  const emulatorFolder = await mkdtemp(join(tmpdir(), 'varispeed-emulator-'))
  const [port, hubPort, loggingPort] = [await findFreePort(), await findFreePort(), await findFreePort()]
  const host = '127.0.0.1'
  await writeFile(join(emulatorFolder, 'clock.cjs'), CLOCK_SCRIPT)
  await writeFile(
    join(emulatorFolder, 'firebase.json'),
    JSON.stringify({
      emulators: { auth: { host, port }, hub: { host, port: hubPort }, logging: { host, port: loggingPort }, ui: { enabled: false } },
    }),
  )
  const emulatorProcess = spawn(
    process.execPath,
    ['--require', join(emulatorFolder, 'clock.cjs'), programPath, 'emulators:start', '--only', 'auth', '--project', EMULATOR_PROJECT_ID],
    {
      cwd: emulatorFolder,
      env: createMinimalEnvironment({ HOME: emulatorFolder, TMPDIR: emulatorFolder, CI: '1' }),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let emulatorLog = ''
  for (const stream of [emulatorProcess.stdout, emulatorProcess.stderr])
    stream.on('data', (chunk: Buffer) => {
      emulatorLog += chunk.toString()
    })
  const stopEmulator = async () => {
    if (emulatorProcess.exitCode === null && emulatorProcess.signalCode === null) {
      emulatorProcess.kill('SIGTERM')
      await once(emulatorProcess, 'exit')
    }
    await rm(emulatorFolder, { recursive: true, force: true })
  }
  const origin = `http://${host}:${port}`
  const deadlineMs = Date.now() + READY_WITHIN_MS
  while (!(await fetch(origin).catch(() => undefined))?.ok) {
    if (emulatorProcess.exitCode !== null || Date.now() > deadlineMs) {
      await stopEmulator()
      throw new Error(`The emulator did not start:\n${emulatorLog}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return { origin, advanceClock: () => void emulatorProcess.kill('SIGUSR2'), stop: stopEmulator }
}
