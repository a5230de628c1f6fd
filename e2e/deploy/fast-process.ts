import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A clock that runs `speed` times as fast as the machine's, from the time at which it was made. */
export interface FastClock {
  fromMs: number
  speed: number
}

export const readClock = ({ fromMs, speed }: FastClock): number => fromMs + (Date.now() - fromMs) * speed

/** The memory of a process after a garbage collection, in bytes. */
export interface ProcessMemory {
  rss: number
  heapUsed: number
}

const createMemoryFilePath = (folder: string, pid: number) => join(folder, `memory-${pid}.json`)

/**
 * Writes a module that a Node process loads before its program: it makes the process's dates, timers and the times of files follow a fast clock, and
 * writes the process's memory into a file at the signal SIGWINCH. Returns the setting that loads it. Node's own timers, such as those of HTTP, keep their pace.
 */
export async function createFastProcessOptions(folderPath: string, { fromMs, speed }: FastClock): Promise<Record<string, string>> {
  const filePath = join(folderPath, 'fast-process.mjs')
  await writeFile(
    filePath,
    `import { syncBuiltinESMExports } from 'node:module'
import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
const RealDate = Date
const toFast = (ms) => ${fromMs} + (ms - ${fromMs}) * ${speed}
globalThis.Date = class extends RealDate {
  constructor(...given) { super(...(given.length === 0 ? [Date.now()] : given)) }
  static now() { return Math.trunc(toFast(RealDate.now())) }
}
for (const name of ['setTimeout', 'setInterval']) {
  const start = globalThis[name]
  globalThis[name] = Object.defineProperties((run, ms, ...rest) => start(run, (ms ?? 0) / ${speed}, ...rest), Object.getOwnPropertyDescriptors(start))
}
const timers = process.getBuiltinModule('node:timers/promises')
const pause = timers.setTimeout
timers.setTimeout = (ms, ...rest) => pause((ms ?? 0) / ${speed}, ...rest)
const files = process.getBuiltinModule('node:fs/promises')
const readStats = files.stat
files.stat = async (...given) => {
  const stats = await readStats(...given)
  return Object.defineProperty(stats, 'mtimeMs', { value: toFast(stats.mtimeMs) })
}
syncBuiltinESMExports()
process.on('SIGWINCH', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  collect()
  collect()
  writeFileSync(${JSON.stringify(join(folderPath, 'memory-'))} + process.pid + '.json', JSON.stringify(process.memoryUsage()))
})
`,
  )
  return { NODE_OPTIONS: `--import=${filePath}` }
}

/** Returns the memory of a process that runs with the options of `createFastProcessOptions`; undefined if the process ends before it is read. */
export async function readMemory(folderPath: string, processId: number): Promise<ProcessMemory | undefined> {
  const memoryFilePath = createMemoryFilePath(folderPath, processId)
  await rm(memoryFilePath, { force: true })
  try {
    process.kill(processId, 'SIGWINCH')
  } catch {
    return undefined
  }
  for (let attemptIndex = 0; attemptIndex < 50; attemptIndex++) {
    await sleep(100)
    const text = await readFile(memoryFilePath, 'utf8').catch(() => '')
    if (text.endsWith('}')) return JSON.parse(text)
  }
  return undefined
}
