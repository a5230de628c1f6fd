import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { adminScriptPath, createMinimalEnvironment } from '../e2e/server.ts'

export interface CommandFigures {
  durationS: number
  /** The peak resident memory of the process in MiB; 0 on systems without /proc. */
  peakMib: number
  outputText: string
}

/** Runs an admin command in a child process, and measures its duration and memory. @throws Error with the output of a command that fails */
export async function runTimedCommand(dataDir: string, args: readonly string[], env: Record<string, string> = {}): Promise<CommandFigures> {
  const startMs = performance.now()
  const importProcess = spawn(process.execPath, [adminScriptPath, ...args], {
    env: createMinimalEnvironment({ DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let outputText = ''
  const appendOutput = (chunk: Buffer) => {
    outputText += chunk.toString()
  }
  importProcess.stdout.on('data', appendOutput)
  importProcess.stderr.on('data', appendOutput)
  let peakMib = 0
  const memoryTimer = setInterval(async () => {
    const status = await readFile(`/proc/${importProcess.pid}/status`, 'utf8').catch(() => '')
    peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 50)
  await once(importProcess, 'close')
  clearInterval(memoryTimer)
  if (importProcess.exitCode !== 0) throw new Error(`The command ended with ${importProcess.exitCode}: ${outputText}`)
  return { durationS: (performance.now() - startMs) / 1000, peakMib, outputText }
}

/** Runs `admin catalog import` in a child process, and measures its duration and memory. */
export const runTimedImport = (dataDir: string, file: string, env?: Record<string, string>): Promise<CommandFigures> =>
  runTimedCommand(dataDir, ['catalog', 'import', file], env)
