import { decodeSoundFile } from '../decode.ts'
import type { BatchHooks, BatchItem, BatchPlan, BatchProblem, ExportFailure, ExportSuccess, LoadFailure, MakerSettings } from '../engine.ts'
import { type ExportRequest, runExport } from '../export.ts'
import { estimateExportSize } from '../export-estimate.ts'
import { toExportFailure } from '../export-failure.ts'
import { chooseFileExtension, fillNamePattern, listFileNameFields } from '../file-name.ts'
import { isOutOfSpaceError } from '../out-of-space-error.ts'
import type { RenderPool } from '../render-pool.ts'
import { toPlaybackRate } from '../render-settings.ts'
import { detectTempo } from '../tempo.ts'
import { findFreeFileName, removeRefusedCharacters, toComparableName } from './batch-names.ts'
import { type BatchOutput, FileNameRefused, type OutputFile } from './batch-output.ts'
import type { BatchRecord } from './batch-store.ts'

export interface BatchSongRequest {
  readonly item: BatchItem
  /** The position of the song in the batch, from 1. */
  readonly songNumber: number
  readonly plan: BatchPlan
  readonly readSong: () => Promise<File | undefined>
  /** The names of the files of the other songs. */
  readonly takenFileNames: readonly string[]
  readonly output: BatchOutput
  readonly pool: RenderPool
  readonly hooks: BatchHooks
  /** Stores the name of a file before the file is created, so that an interrupted song replaces its own files. */
  readonly reserveName: (name: ReservedName) => Promise<void>
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
}

type ReservedName = Pick<BatchItem, 'fileName' | 'videoName'>

export interface ExportedSong {
  readonly kind: 'done'
  readonly settings: MakerSettings
  readonly files: readonly { readonly fileName: string; readonly bytes: number }[]
  readonly result: Pick<BatchItem, 'writtenBytes' | 'loweredDb' | 'fittedSpeed'>
  readonly changes: Partial<BatchRecord>
}

/** The outcome of a song. `paused`: the export met a problem with which the next songs would fail, too. */
export type SongOutcome = ExportedSong | LoadFailure | ExportFailure | { readonly kind: 'paused'; readonly problem: BatchProblem }

/** Thrown if the output cannot be written to. */
class OutputError extends Error {
  readonly problem: BatchProblem

  constructor(failureCause: unknown) {
    super('the output cannot be written to', { cause: failureCause })
    this.problem = isOutOfSpaceError(failureCause) ? 'no-room' : 'folder-lost'
  }
}

/** The share of a song's progress that decoding takes. */
const DECODING_PROGRESS_SHARE = 0.3

/** Decodes a song, exports it to the output and releases it. Never rejects. */
export async function exportSong(request: BatchSongRequest): Promise<SongOutcome> {
  const { item, plan, hooks, signal, onProgress } = request
  try {
    const songBlob = await request.readSong()
    if (songBlob === undefined) return { kind: 'unreadable' }
    const decodedSound = await decodeSoundFile(
      { name: item.name, blob: songBlob },
      { signal, onProgress: (progress = 0) => onProgress(DECODING_PROGRESS_SHARE * progress) },
    )
    if (decodedSound.kind !== 'decoded') return decodedSound
    const { sound } = decodedSound
    try {
      const detectedBpm = plan.isTempoFitted ? await detectTempo(sound, decodedSound.details.peaks, signal) : undefined
      const fittedSpeed = detectedBpm === undefined ? undefined : hooks.fitSpeed(detectedBpm, plan.settings.pitch)
      const songSettings = fittedSpeed === undefined ? plan.settings : { ...plan.settings, speed: fittedSpeed }
      const soundDetails = { ...decodedSound.details, bpm: detectedBpm }
      const outcome = await writeSong(request, { sound, details: soundDetails, settings: songSettings })
      if (outcome.kind !== 'done' || !plan.isTempoFitted) return outcome
      return { ...outcome, result: { ...outcome.result, fittedSpeed: fittedSpeed ?? null } }
    } finally {
      sound.dispose()
    }
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    if (error instanceof OutputError) return { kind: 'paused', problem: error.problem }
    const failure = toExportFailure(error)
    return failure.kind === 'no-room' ? { kind: 'paused', problem: 'no-room' } : failure
  }
}

type DecodedSong = Pick<ExportRequest, 'sound' | 'details' | 'settings'>

/** Renders one file of a song into the file that `createFile` creates. */
type FileWriter = (
  request: BatchSongRequest,
  song: DecodedSong,
  createFile: (key: keyof ReservedName, extension: string, maxBytes: number) => Promise<OutputFile>,
  onProgress: (progress: number) => void,
) => Promise<ExportSuccess | ExportFailure>

/** Writes the files of a song. If one of them fails, the others are removed, too. */
async function writeSong(request: BatchSongRequest, song: DecodedSong): Promise<SongOutcome> {
  const { video } = request.plan
  const fileWriters: readonly FileWriter[] =
    video === undefined ? [writeSound] : video.isBesideSound ? [writeSound, writeVideo] : [writeVideo]
  const createdFiles: OutputFile[] = []
  const writtenFiles: { fileName: string; bytes: number }[] = []
  let loweredDb = 0
  let recordChanges: Partial<BatchRecord> = {}
  let isExportDone = false
  try {
    for (const [index, writeOutput] of fileWriters.entries()) {
      let fileName = ''
      const createFile = async (nameKey: keyof ReservedName, fileExtension: string, maxBytes: number) => {
        try {
          fileName = request.item[nameKey] ?? (await chooseName(request, song, fileExtension))
          await request.reserveName({ [nameKey]: fileName })
          const file = await request.output.createFile(fileName, maxBytes)
          createdFiles.push(file)
          return file
        } catch (error) {
          throw error instanceof FileNameRefused ? error : new OutputError(error)
        }
      }
      const onProgress = (progress: number) =>
        request.onProgress(DECODING_PROGRESS_SHARE + ((1 - DECODING_PROGRESS_SHARE) * (index + progress)) / fileWriters.length)
      const exportedFile = await writeOutput(request, song, createFile, onProgress)
      if (exportedFile.kind === 'no-room') return { kind: 'paused', problem: 'no-room' }
      if (exportedFile.kind !== 'exported') return exportedFile
      recordChanges = { ...recordChanges, ...(await createdFiles.at(-1)?.complete()) }
      writtenFiles.push({ fileName, bytes: exportedFile.bytes })
      loweredDb = Math.max(loweredDb, exportedFile.loweredDb)
    }
    isExportDone = true
    const writtenBytes = writtenFiles.reduce((sum, { bytes }) => sum + bytes, 0)
    return { kind: 'done', settings: song.settings, files: writtenFiles, result: { writtenBytes, loweredDb }, changes: recordChanges }
  } finally {
    if (!isExportDone) for (const file of createdFiles.toReversed()) await file.discard()
  }
}

const writeSound: FileWriter = async ({ plan: { format, targetLufs }, pool, signal }, song, createFile, onProgress) => {
  const { exportProblem, bytes } = estimateExportSize({ ...song, format }, undefined)
  if (exportProblem !== undefined) return { kind: exportProblem }
  const { sink } = await createFile('fileName', chooseFileExtension(format), bytes)
  return runExport(pool, { ...song, format, output: { namePattern: '', targetLufs }, sink, onProgress }, signal)
}

const writeVideo: FileWriter = async (request, { sound, details, settings }, createFile, onProgress) => {
  const { plan, item, hooks, pool, signal } = request
  if (plan.video === undefined) return { kind: 'failed', reason: 'the plan has no video' }
  const { design, hasText, picture, format } = plan.video
  const nameFields = listFileNameFields({ ...details, name: item.name }, settings)
  const exportJob = {
    sound,
    settings,
    details,
    format,
    design: {
      ...design,
      picture: picture ?? (await keepDecodableCover(details.cover)) ?? (await hooks.describeCover(design, item.name)),
      title: hasText ? nameFields.title : '',
      artist: hasText ? (nameFields.artist ?? '') : '',
    },
    output: { targetLufs: plan.targetLufs },
    onProgress,
  }
  const { renderVideoFile } = await import('../video-task.ts')
  const { scratch, file, ...writtenVideo } = await renderVideoFile(pool, exportJob, signal)
  try {
    const { sink } = await createFile('videoName', format.container, writtenVideo.bytes)
    await file.stream().pipeTo(sink, { signal })
    return { kind: 'exported', fileName: '', file: undefined, ...writtenVideo }
  } finally {
    await scratch?.dispose()
  }
}

/** Returns the cover of a song if the browser can decode it. */
const keepDecodableCover = (cover: Blob | undefined): Promise<Blob | undefined> =>
  cover === undefined
    ? Promise.resolve(undefined)
    : createImageBitmap(cover, { resizeWidth: 1, resizeHeight: 1 }).then(
        (bitmap) => {
          bitmap.close()
          return cover
        },
        () => undefined,
      )

/** Returns a file name by the name pattern of the plan that no other file has. @throws FileNameRefused */
async function chooseName(
  { item, songNumber, plan, takenFileNames: otherNames, output }: BatchSongRequest,
  song: DecodedSong,
  fileExtension: string,
): Promise<string> {
  const { details, settings } = song
  const nameFields = {
    ...listFileNameFields({ ...details, name: item.name }, settings),
    artist: details.artist ?? 'Unknown artist',
    preset: plan.presetName,
    bpm: details.bpm === undefined ? 'no BPM' : String(Math.round(details.bpm * toPlaybackRate(settings))),
    number: String(songNumber).padStart(2, '0'),
  }
  const fileName = fillNamePattern(plan.namePattern, nameFields, fileExtension)
  const usedNames = new Set(otherNames.map(toComparableName))
  const isNameTaken = async (name: string) => usedNames.has(toComparableName(name)) || (await output.isTaken(name))
  try {
    return await findFreeFileName(fileName, isNameTaken)
  } catch (error) {
    if (!(error instanceof FileNameRefused)) throw error
    return findFreeFileName(removeRefusedCharacters(fileName), isNameTaken)
  }
}
