import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { ConversionStatus } from '../../contract/conversion.ts'
import {
  CONVERSIONS_PER_HOUR,
  type ConversionFormat,
  EMPTY_FILE_MESSAGE,
  INVALID_SPEED_MESSAGE,
  MIN_CONVERTED_SPEED_PERCENT,
  UPLOAD_MAX_BYTES,
  UPLOAD_TOO_LARGE_MESSAGE,
} from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { toSongName } from '../../contract/file-name.ts'
import type { FileStore } from '../files/file-store.ts'
import { createNoDiskSpaceError, type Upload, type UploadService } from '../http/uploads.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/open.ts'
import { createAdmission } from './admission.ts'
import { createConversionLimits } from './conversion-limits.ts'
import { createConvertedFiles, createSignedDownloadPath } from './converted-files.ts'
import { findFfmpeg } from './ffmpeg.ts'
import { createConversionFileName, startSweeps, sweepConversions } from './files.ts'
import { createConversionHolds } from './holds.ts'
import { failureMessages, isFailureCode } from './job.ts'
import { createConversionQueue } from './queue.ts'
import { type ConversionProgram, createConversionRunner, INTERRUPTED } from './runner.ts'
import { isRawSamplesName, sniffFormat } from './sniff.ts'
import type { Conversion } from './store.ts'

interface ConversionRequest {
  id: string
  /** The change of the speed in percent. */
  speed: number
  format: ConversionFormat
}

interface ConversionsDeps {
  storage: Pick<Storage, 'conversions'>
  /** The store of the uploads that are being converted, and of the converted files. */
  fileStore: FileStore
  /** The uploads of requests. Unfinished files of conversions are in the same folder. */
  uploads: Pick<UploadService, 'dir' | 'reservedBytes'>
  /** The program that converts songs. If it is undefined, the server refuses conversions. */
  program: ConversionProgram | undefined
  /** The folders in which ffmpeg is searched, in the format of the variable `PATH`. */
  path?: string | undefined
  /** The limit of conversions of an account in an hour. */
  conversionsPerHour?: number
  nowMs: () => number
  log: Log
}

const UNKNOWN_FORMAT_MESSAGE = 'Please upload an MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC file.'
const RAW_FORMAT_MESSAGE = 'A .pcm file must be raw samples: 16-bit stereo at 44.1 kHz, a whole number of frames of 4 bytes.'

const INTERRUPTED_MESSAGE = 'The conversion was interrupted, and starts again by itself.'
/** The longest time until a process continues an interrupted conversion. */
const INTERRUPTED_RETRY_SECONDS = 35

/** The three escape sequences that browsers use in the file names of forms (HTML, "multipart form data"). */
const FORM_ESCAPES: Record<string, string> = { '%22': '"', '%0D': '', '%0A': '' }

/** Returns the name of the converted file: that of the upload, with the speed and the new extension. */
function createConvertedFileName(songFileName: string, speedFactor: number, format: ConversionFormat): string {
  const fileName = songFileName.replace(/%22|%0D|%0A/gi, (escaped) => FORM_ESCAPES[escaped.toUpperCase()] ?? '')
  return `${toSongName(fileName)} (${speedFactor >= 0 ? '+' : ''}${speedFactor}%).${format}`
}

/** Returns the row of a new conversion. @throws ApiError if the file or the speed is not supported */
async function createConversionRow(uid: string, upload: Upload | undefined, { id, speed, format }: ConversionRequest, nowMs: number) {
  if (upload === undefined) throw new ApiError('bad-input', 'file is required')
  if (upload.bytes === 0) throw new ApiError('bad-input', EMPTY_FILE_MESSAGE)
  if (upload.bytes > UPLOAD_MAX_BYTES) throw new ApiError('too-large', UPLOAD_TOO_LARGE_MESSAGE)
  if (speed < MIN_CONVERTED_SPEED_PERCENT) throw new ApiError('bad-input', INVALID_SPEED_MESSAGE)
  const demuxerName = await sniffFormat(upload.path, upload.name)
  if (demuxerName === undefined)
    throw new ApiError('bad-input', isRawSamplesName(upload.name) ? RAW_FORMAT_MESSAGE : UNKNOWN_FORMAT_MESSAGE)
  const conversion: Conversion = {
    id,
    uid,
    state: 'queued',
    file_name: createConvertedFileName(upload.name, speed, format),
    upload_bytes: upload.bytes,
    file_bytes: 0,
    demuxer: demuxerName,
    rate: 1 + speed / 100,
    format,
    message: '',
    secret: randomBytes(32).toString('base64url'),
    created: nowMs,
  }
  return { conversion, upload }
}

const hasConversionEnded = ({ state }: Conversion) => state !== 'queued' && state !== 'running'

/** Manages the conversions of uploaded songs. The queue is in the database, and each running conversion has a process of its own. */
export function createConversionService({
  storage,
  fileStore,
  uploads,
  program,
  path = process.env.PATH ?? '',
  conversionsPerHour = CONVERSIONS_PER_HOUR,
  nowMs,
  log,
}: ConversionsDeps) {
  const { conversions: conversionStore } = storage
  const { dir } = uploads
  const ffmpegPath = program === undefined ? Promise.resolve(undefined) : findFfmpeg(path)
  const conversionRunner = createConversionRunner({ program, ffmpeg: ffmpegPath, fileStore, dir })
  const queue = createConversionQueue({ run: runStoredConversion, log })
  const conversionHolds = createConversionHolds({
    store: conversionStore,
    queue,
    runner: conversionRunner,
    fileStore,
    canConvert: async () => (await ffmpegPath) !== undefined,
    nowMs,
    log,
  })
  const conversionLimits = createConversionLimits({
    store: conversionStore,
    uploads,
    waitingCount: queue.waitingCount,
    conversionsPerHour,
    nowMs,
  })
  const admission = createAdmission({
    store: conversionStore,
    fileStore,
    holds: conversionHolds,
    limits: conversionLimits,
    conversionsPerHour,
    nowMs,
  })
  const sweepFiles = () =>
    sweepConversions({ store: conversionStore, fileStore, dir, ownIds: queue.ids, nowMs }).catch((err: unknown) =>
      log.error({ err }, 'sweep failed'),
    )
  const deleteFile = (id: string, kind: 'in' | 'out') => fileStore.delete(createConversionFileName(id, kind))
  let isServiceClosed = false

  async function runStoredConversion(conversionId: string): Promise<void> {
    const conversion = await conversionStore.find(conversionId)
    const isConversionUnfinished = conversion !== undefined && (await conversionStore.update(conversionId, { state: 'running' }))
    if (!isConversionUnfinished) return deleteFile(conversionId, 'in')
    const outcome = await conversionRunner.run(conversion)
    // A conversion that is interrupted, or whose server is stopping, remains unfinished. It starts again from the beginning when nobody holds it any more.
    if (!isServiceClosed && outcome !== INTERRUPTED) await finishConversion(conversion, outcome)
  }

  async function finishConversion(conversion: Conversion, outcomeText: string): Promise<void> {
    const { id } = conversion
    const outputBytes = outcomeText === 'done' ? await fileStore.size(createConversionFileName(id, 'out')) : undefined
    const hasDiskRoom = outputBytes === undefined || (await conversionLimits.hasRoomFor(outputBytes))
    if (outputBytes === undefined || !hasDiskRoom) {
      if (!hasDiskRoom) await deleteFile(id, 'out')
      const message = hasDiskRoom ? failureMessages[isFailureCode(outcomeText) ? outcomeText : 'failed'] : failureMessages['no-room']
      await conversionStore.update(id, { state: 'failed', message })
    } else if (!(await conversionStore.complete(conversion, outputBytes)) && (await conversionStore.find(id))?.state !== 'done') {
      // The conversion was cancelled or deleted while it ran.
      await deleteFile(id, 'out')
    }
    // The upload is deleted last: without it, a conversion whose end could not be stored would never start again.
    await deleteFile(id, 'in')
  }

  async function findOwnConversion(uid: string, conversionId: string) {
    const conversion = await conversionStore.find(conversionId)
    if (conversion === undefined || conversion.uid !== uid) throw new ApiError('not-found', 'There is no such conversion.')
    return conversion
  }

  async function startService(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    if (program === undefined) return
    if ((await ffmpegPath) === undefined) log.warn('ffmpeg is not installed: songs cannot be converted on the server')
    await conversionHolds.takeFree()
    await sweepFiles()
  }
  const startPromise = startService().catch((error: unknown) => log.error({ err: error }, 'conversions could not be started'))
  const endSweeps = startSweeps(sweepFiles)

  return {
    requireRoom: conversionLimits.requireRoom,
    /** Returns the numbers of conversions of this process that wait and that run. */
    queueCounts: () => ({ waiting: queue.waitingCount(), running: queue.runningCount() }),

    /**
     * Converts an upload, and resolves with the URL of the converted file. A repeated request with the same id waits for the same conversion.
     * @throws ApiError if the file or the speed is not supported, the conversion fails, or a limit is reached
     */
    async convert(uid: string, upload: Upload | undefined, request: ConversionRequest): Promise<string> {
      const { id } = request
      await startPromise
      if ((await ffmpegPath) === undefined)
        throw new ApiError('unavailable', 'Songs cannot be converted here: ffmpeg is not installed on the server.')
      const storedConversion = await conversionStore.find(id)
      if (storedConversion === undefined) {
        const accepted = await createConversionRow(uid, upload, request, nowMs())
        await conversionLimits.count(() => admission.admit(accepted.conversion, accepted.upload))
      } else if (upload !== undefined && storedConversion.uid === uid) await admission.replaceLostUpload(storedConversion, upload)
      else await upload?.discard()
      const endedState = await queue.waitForEnd(id, () => findOwnConversion(uid, id), hasConversionEnded)
      if (endedState.state === 'done') return createSignedDownloadPath(endedState, nowMs())
      if (!hasConversionEnded(endedState)) throw new ApiError('unavailable', INTERRUPTED_MESSAGE, INTERRUPTED_RETRY_SECONDS)
      if (endedState.message === failureMessages['no-room']) throw createNoDiskSpaceError()
      throw new ApiError(
        'bad-input',
        endedState.state === 'cancelled' ? 'The conversion was cancelled.' : endedState.message || failureMessages.failed,
      )
    },

    async status(uid: string, conversionId: string): Promise<ConversionStatus> {
      const conversion = await findOwnConversion(uid, conversionId)
      const { state, file_name, message, progress } = conversion
      return {
        state,
        progress: state === 'done' ? 1 : conversionRunner.progressOf(conversionId) || progress,
        file_name,
        ...(message === '' ? {} : { message }),
        ...(state === 'done' ? { url: createSignedDownloadPath(conversion, nowMs()) } : {}),
      }
    },

    async cancel(uid: string, conversionId: string): Promise<void> {
      await findOwnConversion(uid, conversionId)
      await conversionStore.update(conversionId, { state: 'cancelled' })
      if (conversionRunner.stop(conversionId)) return
      await deleteFile(conversionId, 'in')
      queue.remove(conversionId)
    },

    ...createConvertedFiles({ store: conversionStore, fileStore, nowMs }),

    /** Deletes the files whose conversion was deleted, for instance together with its account. After a failure, the next sweep deletes them. */
    sweep: sweepFiles,

    /** Stops the running conversions. They start again from the beginning when the server starts. */
    async close(): Promise<void> {
      isServiceClosed = true
      const stoppedIds = queue.ids()
      queue.close()
      endSweeps()
      conversionRunner.close()
      await startPromise
      await conversionHolds.close(stoppedIds)
    },
  }
}
export type ConversionService = ReturnType<typeof createConversionService>
