import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CONVERTED_FILE_STORAGE_DAYS } from '../../contract/conversion-rules.ts'
import { DAY_MS } from '../durations.ts'
import type { FileStore } from '../files/file-store.ts'
import { failureMessages } from './job.ts'
import type { ConversionStore } from './store.ts'

/**
 * The maximum duration of a conversion. It is longer than the limits of processor time, because conversions wait for the processor while the server
 * is busy.
 */
export const CONVERSION_MAX_MS = 10 * 60_000

const CONVERSIONS_FOLDER = 'conversions'

/** Returns the name of a conversion's upload (`in`) or of its converted file (`out`) in the file store. */
export const createConversionFileName = (id: string, kind: 'in' | 'out'): string => `${CONVERSIONS_FOLDER}/${id}.${kind}`

/** The interval of sweeps, and the minimum age of uploads and unfinished files that a sweep deletes. No request or conversion takes longer. */
const SWEEP_INTERVAL_MS = CONVERSION_MAX_MS

async function isFileOlder(filePath: string, ageMs: number): Promise<boolean> {
  const stats = await stat(filePath).catch(() => undefined)
  return stats !== undefined && Date.now() - stats.mtimeMs > ageMs
}

interface SweepDeps {
  store: ConversionStore
  fileStore: FileStore
  /** The folder of this process for uploads of requests and unfinished files. */
  dir: string
  /** The ids of the conversions that wait or run in this process. */
  ownIds: () => readonly string[]
  nowMs: () => number
}

const isStoreFileName = (name: string) => /\.(?:in|out)$/.test(name)

/**
 * Deletes conversions that are older than `CONVERTED_FILE_STORAGE_DAYS`, and files that belong neither to an unfinished conversion nor to a current
 * request. Ends conversions whose upload was lost.
 */
export async function sweepConversions({ store, fileStore, dir, ownIds, nowMs }: SweepDeps): Promise<void> {
  await store.deleteBefore(nowMs() - CONVERTED_FILE_STORAGE_DAYS * DAY_MS)
  // The files are listed before the conversions. A conversion is stored before its files are, so each listed file of an existing conversion finds
  // its id in the second list.
  const fileNames = (await fileStore.list(CONVERSIONS_FOLDER)).filter(isStoreFileName)
  const uploadIds = fileNames.flatMap((name) => (name.endsWith('.in') ? [name.slice(0, -'.in'.length)] : []))
  await store.failAbandoned(nowMs() - SWEEP_INTERVAL_MS, uploadIds, failureMessages.failed)
  const hasEndedById = new Map((await store.listEnds()).map(({ id, hasEnded }) => [id, hasEnded]))
  for (const fileName of fileNames) {
    const hasEnded = hasEndedById.get(fileName.slice(0, fileName.lastIndexOf('.')))
    const isNeeded = fileName.endsWith('.in') ? hasEnded === false : hasEnded !== undefined
    if (!isNeeded) await fileStore.delete(`${CONVERSIONS_FOLDER}/${fileName}`)
  }
  // A server that was killed leaves uploads of requests and unfinished files of conversions behind.
  for (const name of await readdir(dir).catch(() => []))
    if (!isStoreFileName(name) && !ownIds().some((id) => name.startsWith(id)) && (await isFileOlder(join(dir, name), SWEEP_INTERVAL_MS)))
      await rm(join(dir, name), { force: true })
}

/** Runs `sweepFiles` every `SWEEP_INTERVAL_MS`. Returns a function that stops the interval. */
export function startSweeps(sweepFiles: () => Promise<void>): () => void {
  const timer = setInterval(() => void sweepFiles(), SWEEP_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}
