import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { adminProgram, cleanEnvironment } from '../e2e/server.ts'

export interface ImportFigures {
  seconds: number
  /** The largest resident set that the operating system saw, MiB; 0 where there is no /proc. */
  peakMib: number
  output: string
}

/** Runs `admin catalog import` as a process of its own and watches its memory from outside. */
export async function timedImport(dataDir: string, file: string, env: Record<string, string> = {}): Promise<ImportFigures> {
  const began = performance.now()
  const child = spawn(process.execPath, [adminProgram, 'catalog', 'import', file], {
    env: cleanEnvironment({ DATA_DIR: dataDir, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  let peakMib = 0
  const watch = setInterval(async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '')
    peakMib = Math.max(peakMib, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  }, 50)
  await once(child, 'close')
  clearInterval(watch)
  if (child.exitCode !== 0) throw new Error(`The import ended with ${child.exitCode}: ${output}`)
  return { seconds: (performance.now() - began) / 1000, peakMib, output }
}
