import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CONVERTED_DAYS } from '../../contract/conversion-rules.ts'
import { DAY_MS } from '../durations.ts'
import type { Log } from '../log.ts'
import type { ConversionStore } from './store.ts'

/** How long a conversion may take: its processes have limits of processor time, but wait for it while the server is busy. */
export const CONVERSION_MAX_MS = 10 * 60_000

/** Returns the path of a conversion's upload (`in`) or of its converted file (`out`). */
export const conversionFile = (dir: string, id: string, kind: 'in' | 'out'): string => join(dir, `${id}.${kind}`)

/** The interval of sweeps, and the minimum age of the uploads and unfinished files that they delete: no request or conversion takes longer. */
const SWEEP_MS = CONVERSION_MAX_MS

async function isOlder(file: string, ageMs: number): Promise<boolean> {
  const stats = await stat(file).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > ageMs
}

interface SweepDeps {
  store: ConversionStore
  dir: string
  nowMs: () => number
}

/** Deletes conversions that are older than `CONVERTED_DAYS`, and files that belong to no conversion or request. */
export async function sweepConversions({ store, dir, nowMs }: SweepDeps): Promise<void> {
  await store.deleteBefore(nowMs() - CONVERTED_DAYS * DAY_MS)
  // The files are listed first: every new file's conversion is stored before it, and is therefore in the second list.
  const files = await readdir(dir).catch(() => [])
  const ids = new Set(await store.listIds())
  for (const file of files) {
    const [id = '', kind] = file.split('.')
    const isFinal = kind === 'in' || kind === 'out'
    // A server that was killed leaves uploads, and the files of what it was converting.
    if (isFinal ? !ids.has(id) : await isOlder(join(dir, file), SWEEP_MS)) await rm(join(dir, file), { force: true })
  }
}

/** Runs `sweep` every `SWEEP_MS`. Returns the function that ends it. */
export function startSweeps(sweep: () => Promise<void>, log: Log): () => void {
  const timer = setInterval(() => void sweep().catch((error: unknown) => log.error({ err: error }, 'sweep failed')), SWEEP_MS)
  timer.unref()
  return () => clearInterval(timer)
}
