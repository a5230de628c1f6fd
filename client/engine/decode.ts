import { isAudioFile } from '../../contract/audio-files.ts'
import { startTimeout } from '../primitives/scope.ts'
import { createDecodeClient, type DecodeClient, startDecodeWorker } from './decode-client.ts'
import type { LoadedSound, LoadFailure, Peaks, SoundFile } from './engine.ts'
import type { ParsedFile } from './parse-file.ts'
import { createScratchFile } from './scratch.ts'
import { createChunkedSound, type Sound } from './sound.ts'
import { openStoredSound } from './stored-sound.ts'
import type { SourceFacts, SourceFailure, SourceTags } from './workers/sample-source.ts'

export interface DecodeSuccess {
  readonly kind: 'decoded'
  readonly sound: Sound
  readonly details: Omit<LoadedSound, 'bpm'>
}

export interface DecodeOptions {
  readonly signal?: AbortSignal | undefined
  /** Receives the progress of decoding, 0 to 1, or `undefined` while it is unknown. */
  readonly onProgress?: ((progress: number | undefined) => void) | undefined
  /** The memory that decoding may use, in bytes. A sound that needs more is decoded to the disk. */
  readonly memoryBytes?: number | undefined
  /** Returns the worker that decodes the file and is terminated afterwards. By default, a new worker is started. */
  readonly takeWorker?: (() => Worker) | undefined
}

interface DecodeJob extends Omit<DecodeOptions, 'takeWorker'> {
  readonly file: SoundFile
  readonly tags: SourceTags
  /** The bytes that the browser's own decoder receives: those of the file without tags and damaged parts. */
  readonly content: Blob
  readonly client: DecodeClient
  readonly memoryBytes: number
  /** Resolves with `undefined` if the page has no parser for the file's type. */
  readonly parsedFile: Promise<ParsedFile | undefined>
}

interface DecodedFile {
  readonly sound: Sound
  readonly sourceChannels: number
  readonly peaks: Peaks
  readonly isDamaged: boolean
  readonly isStreamed: boolean
}

const FLOAT_BYTES = 4
const DECODE_MEMORY_BYTES = 700 * 2 ** 20
/**
 * The bytes of memory that Chromium's decoder uses for each byte of decoded samples. Measured: 2.9 GB for one hour of sound, whose samples
 * have 1.27 GB.
 */
const DECODER_BYTES_PER_SAMPLE_BYTE = 2.3
/**
 * The time to wait for the browser's decoder: without a plug-in, WebKitGTK neither decodes nor refuses M4A and AAC. The time allows for a
 * slow phone, which decodes 30 s of sound in a second, and for compressed files with as few as 4000 bytes for each second of sound.
 */
const DECODER_START_WAIT_MS = 15_000
const DECODER_MIN_SPEED_RATIO = 10
const COMPRESSED_MIN_BYTES_PER_S = 4000
/** The number of frames that a codec may drop at the end without the file counting as truncated. */
const CODEC_DROPPED_FRAMES_MAX = 4096
/** The size of the largest file that is decoded although its headers do not announce its length. */
const MAX_UNKNOWN_LENGTH_FILE_BYTES = 16 * 2 ** 20
const GUESSED_FACTS: SourceFacts = {
  codec: 'other',
  isWorkerPreferred: false,
  isUncompressed: false,
  isStreamable: false,
  sampleRate: 44_100,
  channels: 2,
  channelMask: undefined,
  expectedFrames: 0,
  declaredFrames: undefined,
}

/**
 * Decodes a file at its own sampling rate: WAV, AIFF and CAF with our own readers; MP3, Ogg, M4A, AAC, FLAC and WebM with the browser's
 * decoders, in memory if the memory is large enough, else in chunks to the disk. The content decides the type of a file, not its name.
 * Never rejects.
 */
export async function decodeSoundFile(
  file: SoundFile,
  { signal, onProgress, memoryBytes = estimateMemoryBudget(), takeWorker = startDecodeWorker }: DecodeOptions = {},
): Promise<DecodeSuccess | LoadFailure> {
  if (signal?.aborted) return { kind: 'cancelled' }
  const isNamedAsAudio = isAudioFile({ name: file.name, type: file.blob.type })
  if (file.blob.size === 0) return { kind: isNamedAsAudio ? 'no-sound' : 'invalid-type' }
  if (!(await isFileReadable(file.blob))) return { kind: 'unreadable' }
  const decodeClient = createDecodeClient(takeWorker(), signal)
  const parsedFile = import('./parse-file.ts')
    .then(({ parseFile }) => parseFile(file.blob, memoryBytes / DECODER_BYTES_PER_SAMPLE_BYTE))
    .catch(() => undefined)
  try {
    const openedFile = await decodeClient.open(file.blob)
    const isCodecGuessed = openedFile === 'unknown' && isNamedAsAudio && file.blob.size <= MAX_UNKNOWN_LENGTH_FILE_BYTES
    if (openedFile === 'unknown' && !isCodecGuessed) return { kind: isNamedAsAudio ? 'undecodable' : 'invalid-type' }
    if (typeof openedFile === 'string' && openedFile !== 'unknown') return toLoadFailure(openedFile)
    const opened = typeof openedFile === 'string' ? { facts: GUESSED_FACTS, tags: {}, content: file.blob } : openedFile
    const { facts, tags, content } = opened
    return await decodeOpenedFile({ file, tags, content, client: decodeClient, signal, onProgress, memoryBytes, parsedFile }, facts)
  } catch {
    return { kind: signal?.aborted ? 'cancelled' : 'undecodable' }
  } finally {
    decodeClient.dispose()
  }
}

function toLoadFailure(failure: SourceFailure): LoadFailure {
  if (failure === 'unsupported-codec' || failure === 'convertible')
    return { kind: 'unsupported-codec', isConvertible: failure === 'convertible' }
  return { kind: failure === 'unknown' ? 'undecodable' : failure }
}

const isFileReadable = (blob: Blob): Promise<boolean> =>
  blob
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

async function decodeOpenedFile(job: DecodeJob, sourceFacts: SourceFacts): Promise<DecodeSuccess | LoadFailure> {
  const neededBytes =
    sourceFacts.expectedFrames * sourceFacts.channels * FLOAT_BYTES * (sourceFacts.isUncompressed ? 1 : DECODER_BYTES_PER_SAMPLE_BYTE)
  const isStreamed = neededBytes > job.memoryBytes
  if (isStreamed && !sourceFacts.isStreamable) return { kind: 'too-large', neededBytes, availableBytes: job.memoryBytes }
  const decodeResult = await (isStreamed
    ? readToDisk(job, sourceFacts)
    : sourceFacts.isUncompressed
      ? readToMemory(job, sourceFacts)
      : sourceFacts.isWorkerPreferred && sourceFacts.isStreamable
        ? decodeInWorker(job, sourceFacts)
        : decodeInBrowser(job, sourceFacts))
  if ('kind' in decodeResult) return decodeResult
  const { sound, sourceChannels, peaks, isDamaged } = decodeResult
  const missingFrames = (sourceFacts.declaredFrames ?? 0) - sound.frames
  if (sound.frames === 0) {
    sound.dispose()
    return { kind: 'no-sound' }
  }
  return {
    kind: 'decoded',
    sound,
    details: {
      name: job.file.name,
      fileBytes: job.file.blob.size,
      sampleRate: sound.sampleRate,
      sourceChannels,
      channels: sound.channels,
      frames: sound.frames,
      durationS: sound.frames / sound.sampleRate,
      ...job.tags,
      streamed: isStreamed,
      truncated: isDamaged || sourceFacts.isCut === true,
      damaged: sourceFacts.hasGaps === true || (!sourceFacts.isUncompressed && missingFrames > CODEC_DROPPED_FRAMES_MAX),
      peaks,
    },
  }
}

/** Decodes with WebCodecs in the worker. */
async function decodeInWorker(job: DecodeJob, sourceFacts: SourceFacts): Promise<DecodedFile | LoadFailure> {
  const workerResult = await readToMemory(job, sourceFacts)
  if ('sound' in workerResult && !workerResult.isDamaged && isWholeSound(workerResult, sourceFacts)) return workerResult
  // The browser's decoder skips damage at which the worker's decoder ends.
  const browserResult = await decodeWholeFile(job, sourceFacts)
  const isLonger = 'sound' in browserResult && 'sound' in workerResult && browserResult.sound.frames > workerResult.sound.frames
  return isLonger || 'kind' in workerResult ? browserResult : workerResult
}

/** Whether the decoded sound has the length of the file's packets. */
const isWholeSound = ({ sound }: DecodedFile, { declaredFrames = 0 }: SourceFacts): boolean =>
  declaredFrames - sound.frames <= CODEC_DROPPED_FRAMES_MAX

/** Decodes with `decodeAudioData`, which cannot be cancelled: its result is dropped after an abort. */
async function decodeInBrowser(job: DecodeJob, facts: SourceFacts): Promise<DecodedFile | LoadFailure> {
  return (await decodeInSections(job)) ?? (await decodeWholeFile(job, facts))
}

/** Resolves with `undefined` if the file cannot be decoded in sections. */
async function decodeInSections({ client, signal, onProgress, parsedFile }: DecodeJob): Promise<DecodedFile | undefined> {
  const { sections, gain = 1 } = (await parsedFile) ?? {}
  if (sections === undefined) return undefined
  const { layout, chunks } = sections
  async function* yieldAndReportProgress() {
    let decodedFrames = 0
    for await (const chunkChannels of chunks) {
      decodedFrames += chunkChannels[0]?.length ?? 0
      yield chunkChannels
      onProgress?.(decodedFrames / layout.frames)
    }
  }
  try {
    onProgress?.(0)
    const measuredSound = await resolveUnlessAborted(client.measure(gain, yieldAndReportProgress()), signal)
    const sound = createChunkedSound(measuredSound.chunks, layout.sampleRate)
    return { sound, sourceChannels: layout.channels, peaks: measuredSound.peaks, isDamaged: false, isStreamed: false }
  } catch {
    // If a section does not decode to the length that its headers announce, the whole file may still decode.
    signal?.throwIfAborted()
    return undefined
  }
}

async function decodeWholeFile(job: DecodeJob, sourceFacts: SourceFacts): Promise<DecodedFile | LoadFailure> {
  const { content, client, signal, onProgress } = job
  onProgress?.(undefined)
  const context = new OfflineAudioContext({ length: 1, sampleRate: sourceFacts.sampleRate })
  const parsedFile = await job.parsedFile
  // The bytes are copied if they are only a part of their buffer, because the decoder would decode the whole buffer.
  const fileBytes = parsedFile?.bytes.slice().buffer ?? (await content.arrayBuffer())
  const durationS =
    sourceFacts.expectedFrames === 0 ? content.size / COMPRESSED_MIN_BYTES_PER_S : sourceFacts.expectedFrames / sourceFacts.sampleRate
  const audioBuffer = await resolveWithinTime(
    resolveUnlessAborted(context.decodeAudioData(fileBytes), signal).catch(() => undefined),
    DECODER_START_WAIT_MS + (durationS * 1000) / DECODER_MIN_SPEED_RATIO,
  )
  signal?.throwIfAborted()
  // The worker decodes the file if the browser fails, because it reads damaged files up to the damage.
  if (audioBuffer === undefined) return readToMemory(job, sourceFacts)
  const channelSamples = Array.from({ length: audioBuffer.numberOfChannels }, (_, channel) => audioBuffer.getChannelData(channel))
  const measuredSound = await client.measure(parsedFile?.gain ?? 1, toAsyncIterable(channelSamples))
  if (sourceFacts.codec === 'mp3' && parsedFile === undefined && isClippedSound(measuredSound.peaks)) {
    const unclippedSound = await readToMemory(job, sourceFacts)
    // The worker's decoder ends at damage that the browser's decoder skips.
    if ('sound' in unclippedSound && measuredSound.frames - unclippedSound.sound.frames <= CODEC_DROPPED_FRAMES_MAX) return unclippedSound
  }
  const sound = createChunkedSound(measuredSound.chunks, audioBuffer.sampleRate)
  return { sound, sourceChannels: channelSamples.length, peaks: measuredSound.peaks, isDamaged: false, isStreamed: false }
}

/** Resolves with `undefined` if the promise does not settle in time. */
function resolveWithinTime<T>(promise: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const cancel = startTimeout(() => resolve(undefined), timeoutMs)
    promise.finally(cancel).then(resolve, reject)
  })
}

/** Whether a sample reaches full scale. */
const isClippedSound = ({ values }: Peaks): boolean => values.some((sample) => Math.abs(sample) >= 1)

async function* toAsyncIterable<T>(value: T) {
  yield value
}

async function readToMemory({ client, onProgress }: DecodeJob, sourceFacts: SourceFacts): Promise<DecodedFile | LoadFailure> {
  const readResult = await client.read(undefined, onProgress)
  if (readResult === 'no-room') return { kind: 'undecodable' }
  if (typeof readResult === 'string') return toLoadFailure(readResult)
  if (readResult.damaged && readResult.frames === 0) return { kind: 'undecodable' }
  const sound = createChunkedSound(readResult.chunks, sourceFacts.sampleRate)
  return { sound, sourceChannels: sourceFacts.channels, peaks: readResult.peaks, isDamaged: readResult.damaged, isStreamed: false }
}

async function readToDisk(
  { client, onProgress, signal, memoryBytes }: DecodeJob,
  sourceFacts: SourceFacts,
): Promise<DecodedFile | LoadFailure> {
  const channelCount = sourceFacts.channels === 1 ? 1 : 2
  const neededBytes = sourceFacts.expectedFrames * channelCount * FLOAT_BYTES
  const scratchFile = await createScratchFile()
  if (scratchFile === undefined) return { kind: 'too-large', neededBytes, availableBytes: memoryBytes }
  const disposeScratch = () => void scratchFile.dispose()
  try {
    const availableBytes = await measureFreeBytes()
    const readResult = neededBytes > availableBytes ? 'no-room' : await client.read(scratchFile.name, onProgress)
    if (readResult === 'no-room') {
      disposeScratch()
      return { kind: 'too-large', neededBytes, availableBytes: Math.min(availableBytes, neededBytes) }
    }
    if (typeof readResult === 'string' || (readResult.damaged && readResult.frames === 0)) throw new Error('the file cannot be decoded')
    const sound = await openStoredSound(scratchFile, {
      sampleRate: sourceFacts.sampleRate,
      channels: channelCount,
      frames: readResult.frames,
    })
    if (signal?.aborted) {
      sound.dispose()
      throw signal.reason
    }
    return { sound, sourceChannels: sourceFacts.channels, peaks: readResult.peaks, isDamaged: readResult.damaged, isStreamed: true }
  } catch (error) {
    // Terminates the worker first, because a scratch file that it has open could not be removed.
    client.dispose()
    disposeScratch()
    throw error
  }
}

/** Returns the promise, which also rejects with the signal's reason as soon as the signal is aborted. */
function resolveUnlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectAborted = () => reject(signal?.reason)
    signal?.addEventListener('abort', rejectAborted, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', rejectAborted))
  })
}

/**
 * Returns a quarter of the device's memory, at most `DECODE_MEMORY_BYTES`, which is also returned if the browser does not
 * report the memory. Browsers report 8
 * GiB at most.
 */
function estimateMemoryBudget(): number {
  const memoryGib: unknown = 'deviceMemory' in navigator ? navigator.deviceMemory : undefined
  return typeof memoryGib === 'number' ? Math.min(DECODE_MEMORY_BYTES, (memoryGib * 2 ** 30) / 4) : DECODE_MEMORY_BYTES
}

async function measureFreeBytes(): Promise<number> {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  return Math.max(0, quota - usage)
}
