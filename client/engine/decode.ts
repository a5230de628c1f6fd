import { decodeParts } from './decode-parts.ts'
import type { LoadedSound, LoadFailure, Peaks, SoundFile } from './engine.ts'
import { isAudioByName } from './file-types.ts'
import { type Mp3Parts, mp3Parts } from './mp3-parts.ts'
import type { SourceFacts } from './sample-source.ts'
import { createScratch } from './scratch.ts'
import { createMemorySound, createStoredSound, type Sound } from './sound.ts'
import { createSourceReader, type SourceReader } from './source-reader.ts'

export interface Decoded {
  readonly kind: 'decoded'
  readonly sound: Sound
  readonly details: Omit<LoadedSound, 'bpm'>
}

export interface DecodeOptions {
  readonly signal?: AbortSignal | undefined
  /** 0 to 1; undefined where it cannot be told. */
  readonly onProgress?: ((progress: number | undefined) => void) | undefined
  /** What decoding may take of the memory; a sound that needs more lies on the disk. */
  readonly memoryBytes?: number | undefined
}

interface Job extends DecodeOptions {
  readonly file: SoundFile
  readonly reader: SourceReader
  readonly memoryBytes: number
  /** Where it is decoded so. */
  readonly parts: Promise<PartsUnderWay | undefined>
}

interface PartsUnderWay {
  readonly whole: Mp3Parts
  readonly pieces: AsyncIterable<readonly Float32Array<ArrayBuffer>[]>
}

/** What a sound comes to when it is read, however that is done. */
interface ReadSound {
  readonly sound: Sound
  readonly sourceChannels: number
  readonly peaks: Peaks
  readonly damaged: boolean
  readonly streamed: boolean
}

const FLOAT_BYTES = 4
const MEMORY_BYTES = 700 * 2 ** 20
/** Chromium took 2.9 GB to decode an hour that is 1.27 GB. */
const DECODER_BYTES_PER_BYTE = 2.3
/** An MP3 file is at least so much longer when it is decoded: 320 kbit/s, mono, at 32 kHz. */
const LEAST_MP3_GROWTH = 3.2
/** A frame or two that a codec leaves out at the end are not missed. */
const CODEC_EDGE_FRAMES = 4096
/** A file whose headers tell nothing may be any length: a small one is tried. */
const MAX_GUESS_BYTES = 16 * 2 ** 20
const GUESSED: SourceFacts = {
  plain: false,
  streamable: false,
  sampleRate: 44_100,
  channels: 2,
  expectedFrames: 0,
  declaredFrames: undefined,
  title: undefined,
  artist: undefined,
}

/**
 * Decodes a file at its own sampling rate: WAV by ourselves; MP3, OGG, M4A, AAC and FLAC as the browser does, all at once where memory is large
 * enough, else piece by piece onto the disk. What a file is its content tells. Of what those containers may hold, ALAC is 'undecodable'; AIFF is
 * not one of them. Never rejects.
 */
export async function decode(
  file: SoundFile,
  { signal, onProgress, memoryBytes = memoryBudget() }: DecodeOptions = {},
): Promise<Decoded | LoadFailure> {
  if (signal?.aborted) return { kind: 'cancelled' }
  const known = isAudioByName(file.name, file.blob.type)
  if (file.blob.size === 0) return { kind: known ? 'no-sound' : 'invalid-type' }
  const reader = createSourceReader(signal)
  const parts = startParts(file.blob, memoryBytes).catch(() => undefined)
  try {
    const opened = await reader.open(file.blob)
    const guessed = opened === 'unknown' && known && file.blob.size <= MAX_GUESS_BYTES
    if (opened === 'unknown' && !guessed) return { kind: known ? 'undecodable' : 'invalid-type' }
    if (typeof opened === 'string' && opened !== 'unknown') return { kind: opened }
    return await decodeOpened({ file, reader, signal, onProgress, memoryBytes, parts }, typeof opened === 'string' ? GUESSED : opened)
  } catch {
    return { kind: signal?.aborted ? 'cancelled' : 'undecodable' }
  } finally {
    reader.dispose()
  }
}

async function decodeOpened(job: Job, facts: SourceFacts): Promise<Decoded | LoadFailure> {
  const neededBytes = facts.expectedFrames * facts.channels * FLOAT_BYTES * (facts.plain ? 1 : DECODER_BYTES_PER_BYTE)
  const streamed = neededBytes > job.memoryBytes
  if (streamed && !facts.streamable) return { kind: 'too-large', neededBytes, availableBytes: job.memoryBytes }
  const read = await (streamed ? readToDisk(job, facts) : facts.plain ? readToMemory(job, facts) : decodeByBrowser(job, facts))
  if ('kind' in read) return read
  const { sound, sourceChannels, peaks, damaged } = read
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
      title: facts.title,
      artist: facts.artist,
      streamed,
      truncated: damaged || (facts.declaredFrames ?? 0) - sound.frames > (facts.plain ? 0 : CODEC_EDGE_FRAMES),
      peaks,
    },
  }
}

/** The browser's decoder, which works away from the page. It cannot be ended; what it gives after that is dropped. */
async function decodeByBrowser(job: Job, facts: SourceFacts): Promise<ReadSound | LoadFailure> {
  return (await decodeInParts(job)) ?? (await decodeWhole(job, facts))
}

/** While the worker that opens files starts: of an MP3 file its packets tell enough. */
async function startParts(blob: Blob, memoryBytes: number): Promise<PartsUnderWay | undefined> {
  const [first = 0, second = 0] = new Uint8Array(await blob.slice(0, 2).arrayBuffer())
  const isPacket = first === 0xff && second >= 0xe0
  const isId3 = first === 0x49 && second === 0x44
  if (!(isPacket || isId3) || blob.size * LEAST_MP3_GROWTH * DECODER_BYTES_PER_BYTE > memoryBytes) return undefined
  const bytes = new Uint8Array(await blob.arrayBuffer())
  const whole = mp3Parts(bytes)
  if (whole === undefined || whole.frames * whole.channels * FLOAT_BYTES * DECODER_BYTES_PER_BYTE > memoryBytes) return undefined
  return { whole, pieces: decodeParts(bytes, whole) }
}

/** Undefined where the file is none that can be decoded so. */
async function decodeInParts({ reader, signal, onProgress, parts }: Job): Promise<ReadSound | undefined> {
  const underWay = await parts
  if (underWay === undefined) return undefined
  const { whole, pieces } = underWay
  async function* told() {
    let frames = 0
    for await (const channels of pieces) {
      frames += channels[0]?.length ?? 0
      yield channels
      onProgress?.(frames / whole.frames)
    }
  }
  try {
    onProgress?.(0)
    const read = await unlessAborted(reader.take(whole.frames, told()), signal)
    const sound = createMemorySound(read.channels, whole.sampleRate)
    return { sound, sourceChannels: whole.channels, peaks: read.peaks, damaged: false, streamed: false }
  } catch {
    // Its parts are not as its headers say: what there is shows when it is decoded as a whole.
    signal?.throwIfAborted()
    return undefined
  }
}

async function decodeWhole(job: Job, facts: SourceFacts): Promise<ReadSound | LoadFailure> {
  const { file, reader, signal, onProgress } = job
  onProgress?.(undefined)
  const context = new OfflineAudioContext({ length: 1, sampleRate: facts.sampleRate })
  const bytes = await file.blob.arrayBuffer()
  const buffer = await unlessAborted(context.decodeAudioData(bytes), signal).catch(() => undefined)
  signal?.throwIfAborted()
  // It gives nothing of some damaged files that can be read in part.
  if (buffer === undefined) return readToMemory(job, facts)
  const channels = Array.from({ length: buffer.numberOfChannels }, (_, channel) => buffer.getChannelData(channel))
  const read = await reader.take(buffer.length, once(channels))
  const sound = createMemorySound(read.channels, buffer.sampleRate)
  return { sound, sourceChannels: channels.length, peaks: read.peaks, damaged: false, streamed: false }
}

async function* once<T>(value: T) {
  yield value
}

async function readToMemory({ reader, onProgress }: Job, facts: SourceFacts): Promise<ReadSound | LoadFailure> {
  const read = await reader.read(undefined, onProgress)
  if (read === 'no-room') return { kind: 'undecodable' }
  if (typeof read === 'string') return { kind: read === 'unknown' ? 'undecodable' : read }
  if (read.damaged && read.frames === 0) return { kind: 'undecodable' }
  const sound = createMemorySound(read.channels, facts.sampleRate)
  return { sound, sourceChannels: facts.channels, peaks: read.peaks, damaged: read.damaged, streamed: false }
}

async function readToDisk({ reader, onProgress, signal, memoryBytes }: Job, facts: SourceFacts): Promise<ReadSound | LoadFailure> {
  const channels = facts.channels === 1 ? 1 : 2
  const neededBytes = facts.expectedFrames * channels * FLOAT_BYTES
  const scratch = await createScratch()
  if (scratch === undefined) return { kind: 'too-large', neededBytes, availableBytes: memoryBytes }
  const dispose = () => void scratch.dispose()
  try {
    const availableBytes = await freeBytes()
    const read = neededBytes > availableBytes ? 'no-room' : await reader.read(scratch.name, onProgress)
    if (read === 'no-room') {
      dispose()
      return { kind: 'too-large', neededBytes, availableBytes: Math.min(availableBytes, neededBytes) }
    }
    if (typeof read === 'string' || (read.damaged && read.frames === 0)) throw new Error('the file cannot be decoded')
    const blob = await scratch.handle.getFile()
    signal?.throwIfAborted()
    const sound = createStoredSound({ blob, sampleRate: facts.sampleRate, channels, dispose })
    return { sound, sourceChannels: facts.channels, peaks: read.peaks, damaged: read.damaged, streamed: true }
  } catch (error) {
    // It holds its file until it has ended.
    reader.dispose()
    dispose()
    throw error
  }
}

function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

/** A quarter of the memory that the browser tells of, in GiB, and it does not tell of more than 8; browsers that do not tell at all are taken at MEMORY_BYTES. */
function memoryBudget(): number {
  const memoryGib: unknown = 'deviceMemory' in navigator ? navigator.deviceMemory : undefined
  return typeof memoryGib === 'number' ? Math.min(MEMORY_BYTES, (memoryGib * 2 ** 30) / 4) : MEMORY_BYTES
}

async function freeBytes(): Promise<number> {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate()
  return Math.max(0, quota - usage)
}
