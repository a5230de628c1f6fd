import { decodeSoundFile } from '../decode.ts'
import type { BatchHooks, BatchItem, BatchPlan, BatchProblem, ExportFailure, LoadFailure, MakerSettings } from '../engine.ts'
import { estimateExportSize, startExport } from '../export.ts'
import { fileExtension, fillNamePattern, nameFields } from '../file-name.ts'
import { isNoRoom } from '../no-room.ts'
import type { RenderPool } from '../render-pool.ts'
import { toPlaybackRate } from '../render-settings.ts'
import { detectTempo } from '../tempo.ts'
import { comparableName, freeFileName } from './batch-names.ts'
import type { BatchOutput } from './batch-output.ts'
import type { BatchRecord } from './batch-store.ts'

export interface SongRequest {
  readonly item: BatchItem
  /** The position of the song in the batch, from 1. */
  readonly number: number
  readonly plan: BatchPlan
  readonly readSong: () => Promise<File | undefined>
  /** The names of the files of the other songs. */
  readonly otherNames: readonly string[]
  readonly output: BatchOutput
  readonly pool: RenderPool
  readonly fitSpeed: BatchHooks['fitSpeed']
  /** Stores the name of the file before the file is created, so that an interrupted song replaces its own file. */
  readonly reserveName: (fileName: string) => Promise<void>
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
}

export interface SongDone {
  readonly kind: 'done'
  readonly settings: MakerSettings
  readonly result: {
    readonly fileName: string
    readonly writtenBytes: number
    readonly loweredDb: number
    readonly fittedSpeed?: number | null
  }
  readonly changes: Partial<BatchRecord>
}

/** The outcome of a song. `paused`: the next songs would fail likewise. */
export type SongOutcome = SongDone | LoadFailure | ExportFailure | { readonly kind: 'paused'; readonly problem: BatchProblem }

/** The share of a song's progress that decoding takes. */
const DECODING_SHARE = 0.3

/** Decodes a song, exports it to the output and releases it. Never rejects. */
export async function exportSong(request: SongRequest): Promise<SongOutcome> {
  const { item, plan, signal, onProgress } = request
  try {
    const blob = await request.readSong()
    if (blob === undefined) return { kind: 'unreadable' }
    const decoded = await decodeSoundFile(
      { name: item.name, blob },
      { signal, onProgress: (progress = 0) => onProgress(DECODING_SHARE * progress) },
    )
    if (decoded.kind !== 'decoded') return decoded
    const { sound } = decoded
    try {
      const bpm = plan.isTempoFitted ? await detectTempo(sound, decoded.details.peaks, signal) : undefined
      const fittedSpeed = bpm === undefined ? undefined : request.fitSpeed(bpm, plan.settings.pitch)
      const settings = fittedSpeed === undefined ? plan.settings : { ...plan.settings, speed: fittedSpeed }
      const details = { ...decoded.details, bpm }
      const outcome = await writeSong(request, { sound, details, settings })
      if (outcome.kind !== 'done' || !plan.isTempoFitted) return outcome
      return { ...outcome, result: { ...outcome.result, fittedSpeed: fittedSpeed ?? null } }
    } finally {
      sound.dispose()
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    return { kind: 'failed', reason: error instanceof Error || error instanceof DOMException ? error.message : String(error) }
  }
}

type RenderedSong = Pick<Parameters<typeof startExport>[1], 'sound' | 'details' | 'settings'>

async function writeSong(request: SongRequest, { sound, details, settings }: RenderedSong): Promise<SongOutcome> {
  const { plan, output, pool, onProgress, signal } = request
  const { exportProblem, bytes: expectedBytes } = estimateExportSize({ sound, details, settings, format: plan.format }, undefined)
  if (exportProblem !== undefined) {
    const failure: ExportFailure = { kind: exportProblem }
    return failure
  }
  let file: Awaited<ReturnType<BatchOutput['createFile']>>
  let fileName: string
  try {
    fileName = await chooseName(request, { sound, details, settings })
    await request.reserveName(fileName)
    file = await output.createFile(fileName, expectedBytes)
  } catch (error) {
    return { kind: 'paused', problem: isNoRoom(error) ? 'no-room' : 'folder-lost' }
  }
  try {
    const task = startExport(pool, {
      sound,
      details,
      settings,
      format: plan.format,
      sink: file.sink,
      onProgress: (progress) => onProgress(DECODING_SHARE + (1 - DECODING_SHARE) * progress),
    })
    signal.addEventListener('abort', task.cancel, { once: true })
    if (signal.aborted) task.cancel()
    const exported = await task.result
    signal.removeEventListener('abort', task.cancel)
    if (exported.kind !== 'exported') {
      await file.discard()
      return exported.kind === 'no-room' ? { kind: 'paused', problem: 'no-room' } : exported
    }
    const result = { fileName, writtenBytes: exported.bytes, loweredDb: exported.loweredDb }
    return { kind: 'done', settings, result, changes: await file.complete() }
  } catch (error) {
    await file.discard()
    if (isNoRoom(error)) return { kind: 'paused', problem: 'no-room' }
    throw error
  }
}

/** Returns the name that was reserved for the song before it was interrupted, or a free name by the pattern. */
async function chooseName({ item, number, plan, otherNames, output }: SongRequest, { details, settings }: RenderedSong): Promise<string> {
  if (item.fileName !== undefined) return item.fileName
  const fields = {
    ...nameFields({ ...details, name: item.name }, settings),
    artist: details.artist ?? 'Unknown artist',
    preset: plan.presetName,
    bpm: details.bpm === undefined ? 'no BPM' : String(Math.round(details.bpm * toPlaybackRate(settings))),
    number: String(number).padStart(2, '0'),
  }
  const fileName = fillNamePattern(plan.namePattern, fields, fileExtension(plan.format))
  const usedNames = new Set(otherNames.map(comparableName))
  return freeFileName(fileName, async (name) => usedNames.has(comparableName(name)) || (await output.isTaken(name)))
}
