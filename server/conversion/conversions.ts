import type { ChildProcess } from 'node:child_process'
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { existsSync, type ReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ConversionStatus } from '../../contract/conversion.ts'
import {
  ADDRESS_MINUTES,
  CONVERSIONS_PER_HOUR,
  CONVERTED_DAYS,
  type ConversionFormat,
  INVALID_SPEED,
  MIN_CONVERTED_PERCENT,
  UPLOAD_MAX_BYTES,
} from '../../contract/conversion-rules.ts'
import { ApiError } from '../../contract/errors.ts'
import { hasDiskSpace } from '../disk-space.ts'
import { HOUR_MS } from '../durations.ts'
import { noRoom, type Upload, type Uploads } from '../http/uploads.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/storage.ts'
import { findFfmpeg } from './find-ffmpeg.ts'
import { type ConversionJob, failureTexts, isFailureCode, OUTPUT_MAX_BYTES, SAMPLES_MAX_BYTES } from './job.ts'
import { PROCESSOR_SECONDS, spawnIdle } from './process.ts'
import { sniffFormat } from './sniff.ts'
import type { Conversion } from './store.ts'

const DAY_SECONDS = 86_400
/** How long a conversion may take: its processes have limits of processor time, but wait for it while the server is busy. */
const CONVERSION_MS = 10 * 60_000
/** The number of conversions that run at once; the others wait. */
const RUNNING_MAX = 2
/** The number of conversions that may wait. */
const WAITING_MAX = 50
/** The disk space of all uploads, converted files, and samples of running conversions. */
const DISK_MAX_BYTES = 4 * 1024 ** 3
/** The disk space that is reserved for the conversions that run. */
const RUNNING_RESERVE_BYTES = RUNNING_MAX * (SAMPLES_MAX_BYTES + OUTPUT_MAX_BYTES)
/** The disk space of the converted files of one account. */
const ACCOUNT_MAX_BYTES = DISK_MAX_BYTES / 4
/** The disk space that is reserved for the converted file of a song that waits. */
const FILE_RESERVE_BYTES = 64 * 1024 ** 2
/** How often files that nobody has are deleted, and how old uploads and unfinished files then are: no request or conversion takes longer. */
const SWEEP_MS = CONVERSION_MS
/** The memory of the JavaScript heap of a conversion, in MiB. */
const HEAP_MIB = 256

const CONTENT_TYPES: Record<ConversionFormat, string> = { mp3: 'audio/mpeg', wav: 'audio/wav' }

interface ConversionRequest {
  id: string
  /** The change of the speed in percent. */
  speed: number
  format: ConversionFormat
}

/** The files of the built `server/conversion/main.ts` and of the compiled kernel of the sound. */
export interface ConversionProgram {
  file: string
  kernelFile: string
}

interface ConversionsDeps {
  storage: Pick<Storage, 'conversions' | 'makeHistory'>
  /** Its folder has the converted files, too. */
  uploads: Pick<Uploads, 'dir' | 'reservedBytes'>
  /** Without it nothing is converted. */
  program: ConversionProgram | undefined
  /** The folders in which ffmpeg is looked for. */
  path?: string | undefined
  nowMs: () => number
  log: Log
}

/** Returns the name of the converted file: that of the upload, with the speed and the new extension. */
function convertedName(name: string, speed: number, format: ConversionFormat): string {
  const base = name
    .replace(/^.*[\\/]/, '')
    .replace(/\.[^.]{1,5}$/, '')
    .replace(/[\p{C}]/gu, '')
    .slice(0, 200)
    .trim()
  return `${base === '' ? 'song' : base} (${speed >= 0 ? '+' : ''}${speed}%).${format}`
}

/** The conversions of uploaded songs: a queue in the database, a process for each that runs, and the converted files. */
export function createConversions({ storage, uploads, program, path = process.env.PATH ?? '', nowMs, log }: ConversionsDeps) {
  const { conversions: store } = storage
  const { dir } = uploads
  const ffmpeg = program === undefined ? Promise.resolve(undefined) : findFfmpeg(path)
  const fileOf = (id: string, kind: 'in' | 'out') => join(dir, `${id}.${kind}`)
  const running = new Map<string, { child: ChildProcess; progress: number }>()
  const waiting: string[] = []
  /** Emits the id of each conversion that has ended. */
  const ends = new EventEmitter().setMaxListeners(0)
  let isClosed = false

  function pathOf({ id, secret }: Conversion): string {
    const until = nowMs() + ADDRESS_MINUTES * 60_000
    return `/api/make/file/${id}?until=${until}&signature=${sign(secret, id, until)}`
  }
  const sign = (secret: string, id: string, until: number) => createHmac('sha256', secret).update(`${id} ${until}`).digest('base64url')

  const statusOf = (conversion: Conversion): ConversionStatus => ({
    state: conversion.state,
    progress: conversion.state === 'done' ? 1 : (running.get(conversion.id)?.progress ?? 0),
    file_name: conversion.file_name,
    ...(conversion.message === '' ? {} : { message: conversion.message }),
    ...(conversion.state === 'done' ? { url: pathOf(conversion) } : {}),
  })

  async function ownOf(uid: string, id: string): Promise<Conversion> {
    const conversion = await store.find(id)
    if (conversion === undefined || conversion.uid !== uid) throw new ApiError('not-found', 'There is no such conversion.')
    return conversion
  }

  /** Resolves with a conversion of an account's that has ended. */
  async function endOf(uid: string, id: string): Promise<Conversion> {
    const stopping = new AbortController()
    // Listens before it reads, so that no end is missed.
    const ended = once(ends, id, { signal: stopping.signal }).catch(() => undefined)
    try {
      const conversion = await ownOf(uid, id)
      if (conversion.state !== 'queued' && conversion.state !== 'running') return conversion
      await ended
      return await ownOf(uid, id)
    } finally {
      stopping.abort()
    }
  }

  async function finish(conversion: Conversion, outcome: string): Promise<void> {
    const { id, uid } = conversion
    await rm(fileOf(id, 'in'), { force: true })
    const output = outcome === 'done' ? await stat(fileOf(id, 'out')).catch(() => undefined) : undefined
    const hasRoom = output === undefined || (await store.sumBytes()) + output.size <= DISK_MAX_BYTES
    if (output === undefined || !hasRoom) {
      await rm(fileOf(id, 'out'), { force: true })
      const message = hasRoom ? failureTexts[isFailureCode(outcome) ? outcome : 'failed'] : failureTexts['no-room']
      await store.update(id, { state: 'failed', message })
    } else {
      await store.update(id, { state: 'done', file_bytes: output.size })
      const { file_name, rate, created } = conversion
      // A conversion that was cancelled or deleted meanwhile is in no history.
      if ((await store.find(id))?.state === 'done')
        await storage.makeHistory.add(uid, { id, file_name, file_size: output.size, speed: rate, pitch: 0, createdMs: created })
      else await rm(fileOf(id, 'out'), { force: true })
    }
  }

  /** Runs a conversion in a process of its own. Resolves with the last line of its output. */
  async function run({ id, demuxer, rate, format }: Conversion): Promise<string> {
    const ffmpegFile = await ffmpeg
    if (program === undefined || ffmpegFile === undefined || isClosed) return 'failed'
    // The files have a name of their own, because a process of a server that ended badly may still write its own.
    const attempt = join(dir, `${id}.${randomBytes(6).toString('hex')}`)
    const job: ConversionJob = {
      ffmpeg: ffmpegFile,
      kernelFile: program.kernelFile,
      inputFile: fileOf(id, 'in'),
      outputFile: `${attempt}-out`,
      samplesFile: `${attempt}-samples`,
      demuxer,
      rate,
      format,
    }
    const child = spawnIdle(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, program.file, JSON.stringify(job)], {
      cwd: dir,
      stdio: ['ignore', 'pipe', 'ignore'],
      limits: { processorSeconds: PROCESSOR_SECONDS },
    })
    const state = { child, progress: 0 }
    running.set(id, state)
    const timer = setTimeout(() => child.kill('SIGKILL'), CONVERSION_MS)
    let lastLine = 'failed'
    try {
      const ended = new Promise<void>((resolve) => {
        child.once('error', () => resolve())
        child.once('close', () => resolve())
      })
      if (child.stdout !== null) {
        for await (const line of createInterface({ input: child.stdout })) {
          const progress = /^progress ([\d.]+)$/.exec(line)?.[1]
          if (progress === undefined) lastLine = line
          else state.progress = Number(progress)
        }
      }
      await ended
      if (lastLine === 'done') await rename(job.outputFile, fileOf(id, 'out'))
    } finally {
      clearTimeout(timer)
      running.delete(id)
      await Promise.all([job.outputFile, job.samplesFile].map((file) => rm(file, { force: true })))
    }
    return lastLine
  }

  let activeCount = 0

  /** Runs conversions that wait, as many as may run at once. */
  async function runNext(): Promise<void> {
    if (isClosed || activeCount >= RUNNING_MAX) return
    const id = waiting.shift()
    if (id === undefined) return
    activeCount++
    try {
      const conversion = await store.find(id)
      if (conversion?.state === 'queued' || conversion?.state === 'running') {
        await store.update(id, { state: 'running' })
        const outcome = await run(conversion)
        // A server that stops leaves the conversion to its next start.
        if (!isClosed) await finish(conversion, outcome)
      } else await rm(fileOf(id, 'in'), { force: true })
    } catch (error) {
      log.error({ err: error }, 'conversion failed')
    } finally {
      activeCount--
      if (!isClosed) ends.emit(id)
      void runNext()
    }
  }

  function enqueue(id: string): void {
    waiting.push(id)
    void runNext()
  }

  /** The number of uploads that are being admitted, which count as if they waited: several arrive at once. */
  let admittedCount = 0

  const tooManyInAnHour = () =>
    new ApiError('too-many', `${CONVERSIONS_PER_HOUR} songs can be converted within an hour. Please try again later.`, HOUR_MS / 1000)

  /** Checks that an account may convert a song at present, unless it has begun that conversion already. @throws ApiError if it is too many or too much */
  async function requireRoom(uid: string, id: string | undefined): Promise<void> {
    if (id !== undefined && (await store.find(id))?.uid === uid) return
    const pendingCount = waiting.length + admittedCount
    if (pendingCount > WAITING_MAX)
      throw new ApiError('unavailable', 'Many songs are being converted. Please try again in a few minutes.', 300)
    if ((await store.countSince(uid, nowMs() - HOUR_MS)) >= CONVERSIONS_PER_HOUR) throw tooManyInAnHour()
    if ((await store.sumBytes(uid)) > ACCOUNT_MAX_BYTES)
      throw new ApiError(
        'too-many',
        `Your songs of the last ${CONVERTED_DAYS} days take ${ACCOUNT_MAX_BYTES / 1024 ** 3} GB here, the most for an account. MP3 takes less than WAV.`,
        DAY_SECONDS,
      )
    const reservedBytes = uploads.reservedBytes() + RUNNING_RESERVE_BYTES + pendingCount * FILE_RESERVE_BYTES
    if ((await store.sumBytes()) + reservedBytes > DISK_MAX_BYTES || !(await hasDiskSpace(dir, FILE_RESERVE_BYTES))) throw noRoom()
  }

  /** Stores a conversion and its upload, unless it is stored already. @throws ApiError if it is too many or too much */
  async function admit(conversion: Conversion, upload: Upload): Promise<void> {
    const { id, uid } = conversion
    await requireRoom(uid, id)
    const outcome = await store.add(conversion, CONVERSIONS_PER_HOUR, nowMs() - HOUR_MS)
    if (outcome === 'too-many') throw tooManyInAnHour()
    if (outcome === 'exists') return
    try {
      await upload.moveTo(fileOf(id, 'in'))
    } catch (error) {
      await store.update(id, { state: 'failed', message: failureTexts.failed })
      throw error
    }
    enqueue(id)
  }

  /** Deletes what is older than `CONVERTED_DAYS`, and the files that no request, conversion or account has. */
  async function sweep(): Promise<void> {
    await store.deleteBefore(nowMs() - CONVERTED_DAYS * 24 * HOUR_MS)
    // The files are listed first: a conversion is stored before it gets its file.
    const files = await readdir(dir).catch(() => [])
    const ids = new Set(await store.listIds())
    for (const file of files) {
      const [id = '', kind] = file.split('.')
      const isFinal = kind === 'in' || kind === 'out'
      // A server that was killed leaves uploads, and the files of what it was converting.
      if (isFinal ? !ids.has(id) : await isOlder(join(dir, file), SWEEP_MS)) await rm(join(dir, file), { force: true })
    }
  }
  const isOlder = async (file: string, ageMs: number) => {
    const stats = await stat(file).catch(() => undefined)
    return stats !== undefined && Date.now() - stats.mtimeMs > ageMs
  }

  async function start(): Promise<void> {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    if (program === undefined) return
    if ((await ffmpeg) === undefined) log.warn('ffmpeg is not installed: songs cannot be converted on the server')
    // Conversions that a stopped server had begun begin anew. Those of another server's disk are left to it.
    for (const { id } of await store.listUnfinished()) if (existsSync(fileOf(id, 'in'))) enqueue(id)
    await sweep()
  }
  const started = start().catch((error: unknown) => log.error({ err: error }, 'conversions could not be started'))
  const sweepTimer = setInterval(() => void sweep().catch((error: unknown) => log.error({ err: error }, 'sweep failed')), SWEEP_MS)
  sweepTimer.unref()

  return {
    requireRoom,

    /**
     * Converts an upload, and resolves with the address of the converted file. A request that is repeated with the same id waits for the same conversion.
     * @throws ApiError if the file or its speed cannot be converted, or the server has no room
     */
    async convert(uid: string, upload: Upload | undefined, { id, speed, format }: ConversionRequest): Promise<string> {
      await started
      if ((await ffmpeg) === undefined)
        throw new ApiError('unavailable', 'Songs cannot be converted here: ffmpeg is not installed on the server.')
      const earlier = await store.find(id)
      if (earlier === undefined) {
        if (upload === undefined || upload.bytes === 0) throw new ApiError('bad-input', 'file is required')
        if (upload.bytes > UPLOAD_MAX_BYTES) throw new ApiError('too-large', 'The file is larger than 10 MB.')
        if (speed < MIN_CONVERTED_PERCENT) throw new ApiError('bad-input', INVALID_SPEED)
        const demuxer = await sniffFormat(upload.path, upload.name)
        if (demuxer === undefined) throw new ApiError('bad-input', 'Please upload an MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC file.')
        admittedCount++
        try {
          await admit(
            {
              id,
              uid,
              state: 'queued',
              file_name: convertedName(upload.name, speed, format),
              upload_bytes: upload.bytes,
              file_bytes: 0,
              demuxer,
              rate: 1 + speed / 100,
              format,
              message: '',
              secret: randomBytes(32).toString('base64url'),
              created: nowMs(),
            },
            upload,
          )
        } finally {
          admittedCount--
        }
      } else await upload?.discard()
      const ended = await endOf(uid, id)
      if (ended.state === 'done') return pathOf(ended)
      if (ended.message === failureTexts['no-room']) throw noRoom()
      throw new ApiError('bad-input', ended.state === 'cancelled' ? 'The conversion was cancelled.' : ended.message || failureTexts.failed)
    },

    status: async (uid: string, id: string): Promise<ConversionStatus> => statusOf(await ownOf(uid, id)),

    async cancel(uid: string, id: string): Promise<void> {
      await ownOf(uid, id)
      await store.update(id, { state: 'cancelled' })
      const state = running.get(id)
      if (state) state.child.kill('SIGKILL')
      else {
        const index = waiting.indexOf(id)
        if (index >= 0) waiting.splice(index, 1)
        await rm(fileOf(id, 'in'), { force: true })
        ends.emit(id)
      }
    },

    /** Returns the addresses of an account's converted files, by the id of the conversion. */
    urlsOf: async (uid: string): Promise<Map<string, string>> =>
      new Map((await store.listDone(uid)).map((conversion) => [conversion.id, pathOf(conversion)])),

    /** Opens a converted file by a signed address. @throws ApiError 404 for an address that is wrong or too old */
    async openFile(
      id: string,
      until: number,
      signature: string,
    ): Promise<{ stream: ReadStream; name: string; type: string; bytes: number }> {
      const conversion = await store.find(id)
      const expected = Buffer.from(conversion === undefined ? '' : sign(conversion.secret, id, until))
      const given = Buffer.from(signature)
      const isValid = given.length === expected.length && timingSafeEqual(given, expected) && until > nowMs()
      // The file is opened before the answer begins: one that was deleted meanwhile is answered with 404.
      const file = conversion?.state === 'done' && isValid ? await open(fileOf(id, 'out')).catch(() => undefined) : undefined
      if (conversion === undefined || file === undefined)
        throw new ApiError('not-found', 'This address does not work any more. Open the list of your files for a new one.')
      const { file_name: name, format, file_bytes: bytes } = conversion
      return { stream: file.createReadStream(), name, type: CONTENT_TYPES[format], bytes }
    },

    /** Deletes the files of conversions that were deleted, such as those of an account. */
    sweep,

    /** Stops the conversions that run; they begin anew at the next start. */
    async close(): Promise<void> {
      isClosed = true
      clearInterval(sweepTimer)
      for (const { child } of running.values()) child.kill('SIGKILL')
      await started
    },
  }
}
export type Conversions = ReturnType<typeof createConversions>
