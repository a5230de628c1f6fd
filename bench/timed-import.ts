import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { adminScriptPath, createMinimalEnvironment } from '../e2e/server.ts'

export interface ImportFigures {
  seconds: number
  /** The peak resident memory of the import process in MiB; 0 on systems without /proc. */
  peakMib: number
  output: string
}

/** Runs `admin catalog import` in a child process, and measures its duration and memory. */
export async function timedImport(dataDir: string, file: string, env: Record<string, string> = {}): Promise<ImportFigures> {
  const startMs = performance.now()
  const child = spawn(process.execPath, [adminScriptPath, 'catalog', 'import', file], {
    env: createMinimalEnvironment({ DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const appendOutput = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', appendOutput)
  child.stderr.on('data', appendOutput)
  let peakMib = 0
  const memoryTimer = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 50)
  await once(child, 'close')
  clearInterval(memoryTimer)
  if (child.exitCode !== 0) throw new Error(`The import ended with ${child.exitCode}: ${output}`)
  return { seconds: (performance.now() - startMs) / 1000, peakMib, output }
}
