import { type ByteSource, createArraySource, readAsciiAt } from './byte-source.ts'
import type { FileTags } from './file-tags.ts'
import { INFO_CHUNK_IDS } from './wav.ts'

/** The error of a file that is not a WAV file, or whose sample format is not supported. */
export class WavError extends Error {
  override readonly name = 'WavError'
}

export interface Wav {
  readonly sampleRate: number
  readonly bitsPerSample: number
  readonly frames: number
  /** The samples of each channel, full scale ±1. */
  readonly channels: readonly Float32Array<ArrayBuffer>[]
  readonly tags: FileTags
}

/** The format of uncompressed interleaved samples, in the terms of WAV files. It is also used for AIFF and CAF files. */
export interface WavFormat {
  /** The WAVE format tag: 1 is PCM, 3 is IEEE float. */
  readonly formatTag: number
  readonly channels: number
  readonly sampleRate: number
  /** The number of bits that a sample takes in the file. */
  readonly bitsPerSample: number
  /** The number of used bits if the integers are stored in the lowest bits of larger integers; `undefined` if the highest bits are used. */
  readonly rightAlignedBits?: number | undefined
  /** The speakers of the channels (WAVE_FORMAT_EXTENSIBLE); `undefined` if the file does not name them. */
  readonly channelMask?: number | undefined
  readonly isBigEndian?: boolean
  /** Whether samples of 8 bits are signed, as in AIFF and CAF files. */
  readonly isSigned8Bit?: boolean
}

/** The content of the headers of a WAV file. */
export interface WavFile {
  /** Undefined if the file has no valid `fmt ` chunk. */
  readonly format: WavFormat | undefined
  /** Undefined if the file has no `data` chunk. */
  readonly data: WavData | undefined
  readonly tags: FileTags
  /** The position of the ID3 tag, if the file stores one in a separate chunk. */
  readonly id3: { readonly start: number; readonly end: number } | undefined
}

export interface WavData {
  readonly start: number
  /** The end of the samples in the file. */
  readonly end: number
  /** The end of the samples according to the headers. In a truncated file, it is beyond the end of the file. */
  readonly declaredEnd: number
  /**
   * Whether the samples are in fact a compressed stream: DTS, or a stream for a digital output (IEC 61937). Such a stream would sound like
   * noise if it were played as samples.
   */
  readonly isEncodedStream: boolean
}

const PCM_TAG = 1
const IEEE_FLOAT_TAG = 3
/** The tag WAVE_FORMAT_EXTENSIBLE: the actual format tag is in the first two bytes of the SubFormat GUID. */
const EXTENSIBLE_TAG = 0xfffe
/** The maximum number of chunks that are read: valid files have about a dozen, a damaged file may seem to have millions. */
const MAX_CHUNKS = 200
const MAX_HEADER_BYTES = 2 ** 20
/** The placeholder for a size that is stated in another chunk (RF64) or was unknown when the file was written. */
const SIZE_UNKNOWN = 0xffffffff

/** Reads a WAV file. A truncated file is read up to its end. @throws WavError */
export async function readWav(bytes: Uint8Array<ArrayBuffer>): Promise<Wav> {
  const wavFile = await parseWav(createArraySource(bytes))
  if (wavFile === undefined) throw new WavError('The file has no RIFF/WAVE header')
  const { format, data, tags } = wavFile
  if (format === undefined || data === undefined) throw new WavError('The WAV file has no fmt chunk or no data chunk')
  const { sampleRate, bitsPerSample } = format
  const channels = readWavSamples(format, createDataView(bytes.subarray(data.start, data.end)))
  return { sampleRate, bitsPerSample, frames: channels[0]?.length ?? 0, channels, tags }
}

/**
 * Parses the headers of a WAV file (RIFF), also of a big-endian one (RIFX) or one over 4 GiB (RF64, EBU Tech 3306; BW64, ITU-R BS.2088).
 * `undefined` if the file is of another type. Sizes that a program never filled in, or that exceed the file, are corrected.
 */
export async function parseWav(source: ByteSource): Promise<WavFile | undefined> {
  const headerBytes = await source.read(0, 12)
  const containerType = readAsciiAt(headerBytes, 0, 4)
  if (headerBytes.length < 12 || !['RIFF', 'RIFX', 'RF64', 'BW64'].includes(containerType) || readAsciiAt(headerBytes, 8, 4) !== 'WAVE')
    return undefined
  const isBigEndian = containerType === 'RIFX'
  const riffEnd = 8 + createDataView(headerBytes).getUint32(4, !isBigEndian)
  let format: WavFormat | undefined
  let dataChunk: Omit<WavData, 'isEncodedStream'> | undefined
  let tags: FileTags = {}
  let id3Chunk: WavFile['id3']
  let dataBytes64: number | undefined
  for (let chunkStart = 12, chunkCount = 0; chunkCount < MAX_CHUNKS; chunkCount++) {
    // Some programs do not pad chunks of odd size.
    const currentChunk =
      (await readChunkAt(source, chunkStart, isBigEndian)) ??
      (chunkStart > 12 ? await readChunkAt(source, chunkStart - 1, isBigEndian) : undefined)
    if (currentChunk === undefined) break
    const { id, start } = currentChunk
    const sizeBytes = id === 'data' && currentChunk.sizeBytes === SIZE_UNKNOWN ? (dataBytes64 ?? SIZE_UNKNOWN) : currentChunk.sizeBytes
    const readContent = () => source.read(start, start + Math.min(sizeBytes, MAX_HEADER_BYTES))
    if (id === 'ds64') dataBytes64 = readDataBytes64(await readContent())
    else if (id === 'fmt ') format ??= readFormat(await readContent(), isBigEndian)
    else if (id === 'LIST') tags = { ...tags, ...readInfoTags(await readContent(), isBigEndian) }
    else if (id === 'id3 ' || id === 'ID3 ') id3Chunk ??= { start, end: start + sizeBytes }
    else if (id === 'data') dataChunk ??= await findData(source, { start, declaredBytes: sizeBytes, riffEnd, isBigEndian })
    chunkStart = start + sizeBytes + (sizeBytes % 2)
  }
  if (format === undefined || dataChunk === undefined)
    return { format, data: dataChunk && { ...dataChunk, isEncodedStream: false }, tags, id3: id3Chunk }
  const isEncodedStream =
    format.formatTag === PCM_TAG && holdsEncodedStream(await source.read(dataChunk.start, dataChunk.start + STREAM_SEARCH_BYTES))
  return { format: await resolveSampleAlignment(source, format, dataChunk), data: { ...dataChunk, isEncodedStream }, tags, id3: id3Chunk }
}

/** Returns the chunk at an offset; `undefined` if the chunk's id is not text, and at the end of the file. */
async function readChunkAt(source: ByteSource, chunkStart: number, isBigEndian: boolean) {
  const chunkHeader = await source.read(chunkStart, chunkStart + 8)
  const id = readAsciiAt(chunkHeader, 0, 4)
  if (chunkHeader.length < 8 || !/^[\x20-\x7e]{4}$/.test(id)) return undefined
  return { id, start: chunkStart + 8, sizeBytes: createDataView(chunkHeader).getUint32(4, !isBigEndian) }
}

/**
 * Returns the size of the samples of an RF64 file. @param content of the `ds64` chunk: the sizes of the file and of the samples, 8 bytes
 * each
 */
const readDataBytes64 = (content: Uint8Array<ArrayBuffer>): number | undefined =>
  content.length < 16 ? undefined : Number(createDataView(content).getBigUint64(8, true))

interface DataHeader {
  readonly start: number
  readonly declaredBytes: number
  readonly riffEnd: number
  readonly isBigEndian: boolean
}

async function findData(source: ByteSource, { start, declaredBytes, riffEnd, isBigEndian }: DataHeader) {
  const fileEnd = Math.max(start, source.sizeBytes)
  const declaredEnd = start + declaredBytes
  // An interrupted recording has a size of 0. If another chunk follows, the size is right, and the file has no samples.
  const nextChunk = declaredBytes === 0 ? await readChunkAt(source, start, isBigEndian) : undefined
  const isDataEmpty = nextChunk !== undefined && nextChunk.start + nextChunk.sizeBytes <= fileEnd
  if (isDataEmpty || (declaredBytes > 0 && declaredEnd <= fileEnd)) return { start, end: declaredEnd, declaredEnd }
  // Programs that do not know the size in advance write 0 or about 2^31 or 2^32; some count the header, too.
  const isUnknown = declaredBytes === 0 || [0x7fff, 0xffff].includes(Math.floor(declaredBytes / 2 ** 16))
  const isComplete = isUnknown || riffEnd <= fileEnd || declaredBytes <= fileEnd
  return { start, end: fileEnd, declaredEnd: isComplete ? fileEnd : declaredEnd }
}

/** Reads the sample format. @param contentBytes of a `fmt ` chunk; the result is `undefined` if it is too short */
function readFormat(contentBytes: Uint8Array<ArrayBuffer>, isBigEndian: boolean): WavFormat | undefined {
  if (contentBytes.length < 16) return undefined
  const view = createDataView(contentBytes)
  const [headerFormatTag = 0, channelCount = 0] = [view.getUint16(0, !isBigEndian), view.getUint16(2, !isBigEndian)]
  const [sampleRate, bytesPerSecond] = [view.getUint32(4, !isBigEndian), view.getUint32(8, !isBigEndian)]
  const [frameBytes, usedBits] = [view.getUint16(12, !isBigEndian), view.getUint16(14, !isBigEndian)]
  const isExtensible = headerFormatTag === EXTENSIBLE_TAG && contentBytes.length >= 26
  const formatTag = isExtensible ? view.getUint16(24, !isBigEndian) : headerFormatTag
  // A sample may occupy more bytes than its bits need. The frame size in the header is used only if it agrees with the bytes per second.
  const packedBits = 8 * Math.ceil(usedBits / 8)
  const frameBits = (8 * frameBytes) / channelCount
  const isPaddedFrame = formatTag === PCM_TAG && frameBits > packedBits && frameBits % 8 === 0 && bytesPerSecond === sampleRate * frameBytes
  return {
    formatTag,
    channels: channelCount,
    sampleRate,
    bitsPerSample: isPaddedFrame ? frameBits : formatTag === PCM_TAG ? packedBits : usedBits,
    ...(isPaddedFrame && { rightAlignedBits: usedBits }),
    channelMask: isExtensible ? view.getUint32(20, !isBigEndian) || undefined : undefined,
    isBigEndian,
  }
}

const ALIGNMENT_PROBE_BYTES = 2 ** 16

/**
 * Samples that do not use all bits of their bytes are left-aligned by the standard, but some programs right-align them. The unused bits
 * show which alignment a file has.
 */
async function resolveSampleAlignment(
  source: ByteSource,
  format: WavFormat,
  { start, end }: { readonly start: number; readonly end: number },
) {
  const { rightAlignedBits, bitsPerSample, channels } = format
  if (rightAlignedBits === undefined) return format
  const leftAlignedFormat = { ...format, rightAlignedBits: undefined }
  if (!isDecodableWav(leftAlignedFormat)) return leftAlignedFormat
  const frameBytes = (bitsPerSample / 8) * channels
  const middleByte = start + frameBytes * Math.floor((end - start) / 2 / frameBytes)
  const fullScale = 2 ** (rightAlignedBits - 1)
  for (const startByte of [start, middleByte]) {
    const readBytes = await source.read(startByte, Math.min(end, startByte + ALIGNMENT_PROBE_BYTES))
    // The unused lowest bits of a left-aligned sample are 0.
    const areLowestBitsUsed = readWavSamples(leftAlignedFormat, createDataView(readBytes)).some((samples) =>
      samples.some((sample) => !Number.isInteger(sample * fullScale)),
    )
    if (areLowestBitsUsed) return format
  }
  return leftAlignedFormat
}

/** The number of bytes in which a compressed stream has at least two of its frames. */
const STREAM_SEARCH_BYTES = 2 ** 16
/** The sync words of DTS, of 16 and 14 bits and in both byte orders (ETSI TS 102 114, 5.3 and annex E), and of IEC 61937. */
const STREAM_SYNC_WORDS = [0x7ffe8001, 0xfe7f0180, 0x1fffe800, 0xff1f00e8, 0x72f81f4e, 0xf8724e1f]

/** Whether the bytes contain a sync word of a compressed stream twice, at a distance that a frame can have. */
function holdsEncodedStream(bytes: Uint8Array<ArrayBuffer>): boolean {
  const view = createDataView(bytes)
  const lastOffsetByWord = new Map<number, number>()
  for (let byteOffset = 0; byteOffset + 4 <= bytes.length; byteOffset += 2) {
    const sampleWord = view.getUint32(byteOffset)
    if (!STREAM_SYNC_WORDS.includes(sampleWord)) continue
    const distance = byteOffset - (lastOffsetByWord.get(sampleWord) ?? byteOffset)
    if (distance >= 96) return true
    lastOffsetByWord.set(sampleWord, byteOffset)
  }
  return false
}

/** Reads the texts and the tempo. @param contentBytes of a LIST chunk; the result is empty if it is not of type INFO */
function readInfoTags(contentBytes: Uint8Array<ArrayBuffer>, isBigEndian: boolean): FileTags {
  if (readAsciiAt(contentBytes, 0, 4) !== 'INFO') return {}
  const textByTag = new Map<string, string>()
  for (let chunkStart = 4; chunkStart + 8 <= contentBytes.length; ) {
    const sizeBytes = createDataView(contentBytes).getUint32(chunkStart + 4, !isBigEndian)
    textByTag.set(readAsciiAt(contentBytes, chunkStart, 4), decodeText(contentBytes.subarray(chunkStart + 8, chunkStart + 8 + sizeBytes)))
    chunkStart += 8 + sizeBytes + (sizeBytes & 1)
  }
  const namedTexts = (['title', 'artist', 'album', 'year'] as const).flatMap((tagName) => {
    const text = textByTag.get(INFO_CHUNK_IDS[tagName])
    return text === undefined ? [] : [[tagName, text]]
  })
  const bpm = Number(textByTag.get(INFO_CHUNK_IDS.bpm))
  return { ...Object.fromEntries(namedTexts), ...(bpm > 0 && { bpm }) }
}

/** Decodes a text of a chunk: UTF-8, or Windows-1252 as older programs write it, up to the first zero byte. */
export function decodeText(bytes: Uint8Array): string {
  const endIndex = bytes.indexOf(0)
  const textBytes = endIndex === -1 ? bytes : bytes.subarray(0, endIndex)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(textBytes)
  } catch {
    return new TextDecoder('windows-1252').decode(textBytes)
  }
}

const createDataView = (bytes: Uint8Array<ArrayBuffer>) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/**
 * Decodes a range of the samples that starts at a frame boundary, to one array per channel.
 *
 * @throws WavError if the sample format is not supported
 */
export function readWavSamples(format: WavFormat, dataView: DataView<ArrayBuffer>): Float32Array<ArrayBuffer>[] {
  const { formatTag, channels, bitsPerSample } = format
  const sampleReader = isDecodableWav(format) ? SAMPLE_READERS[formatTag]?.[bitsPerSample] : undefined
  if (sampleReader === undefined) throw new WavError(`WAV format ${formatTag} with ${bitsPerSample} bits per sample is not supported`)
  const sampleBytes = bitsPerSample / 8
  const frameCount = Math.floor(dataView.byteLength / (sampleBytes * channels))
  const orderedBytes = toWavOrder(format, new Uint8Array(dataView.buffer, dataView.byteOffset, frameCount * channels * sampleBytes))
  // A typed array must start at a multiple of the size of its numbers within its buffer.
  const { buffer, byteOffset } = orderedBytes.byteOffset % sampleBytes === 0 ? orderedBytes : orderedBytes.slice()
  const sampleValues = sampleReader.read(buffer, byteOffset, frameCount * channels)
  const { silenceValue } = sampleReader
  const fullScale = sampleReader.fullScale / 2 ** (bitsPerSample - (format.rightAlignedBits ?? bitsPerSample))
  return Array.from({ length: channels }, (_, channelIndex) => {
    const channelSamples = new Float32Array(frameCount)
    for (let frame = 0, at = channelIndex; frame < frameCount; frame++, at += channels)
      channelSamples[frame] = ((sampleValues[at] ?? 0) - silenceValue) / fullScale
    return channelSamples
  })
}

/**
 * Returns samples as WAV files store them: in little-endian order, and unsigned if they have 8 bits. The bytes are copied only if they must
 * be changed.
 */
function toWavOrder({ bitsPerSample, isBigEndian, isSigned8Bit }: WavFormat, bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const sampleBytes = bitsPerSample / 8
  if (sampleBytes === 1) return isSigned8Bit === true ? bytes.map((byte) => byte ^ 0x80) : bytes
  if (isBigEndian !== true) return bytes
  const swappedBytes = new Uint8Array(bytes.length)
  for (let at = 0; at < bytes.length; at += sampleBytes)
    for (let index = 0; index < sampleBytes; index++) swappedBytes[at + index] = bytes[at + sampleBytes - 1 - index] ?? 0
  return swappedBytes
}

/** Returns true if samples of this format can be decoded. */
export const isDecodableWav = ({ formatTag, channels, bitsPerSample }: WavFormat): boolean =>
  channels > 0 && SAMPLE_READERS[formatTag]?.[bitsPerSample] !== undefined

/** Returns true if samples of this format can be infinite or not a number. */
export const canBeNonFinite = ({ formatTag }: WavFormat): boolean => formatTag === IEEE_FLOAT_TAG

/** Reads `count` values of a sample format from a byte offset, which is a multiple of the size of a sample. */
interface SampleReader {
  read(buffer: ArrayBufferLike, offset: number, count: number): Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array
  /** The sample value that means silence. */
  readonly silenceValue: number
  /** The difference between the sample values of full scale and of silence. */
  readonly fullScale: number
}

/** The readers by format tag and bits per sample. WAV files are little-endian, as are all processors that run browsers. */
const SAMPLE_READERS: Readonly<Record<number, Readonly<Record<number, SampleReader>>>> = {
  [PCM_TAG]: {
    8: { read: (buffer, offset, count) => new Uint8Array(buffer, offset, count), silenceValue: 128, fullScale: 128 },
    16: { read: (buffer, offset, count) => new Int16Array(buffer, offset, count), silenceValue: 0, fullScale: 2 ** 15 },
    24: { read: readInt24, silenceValue: 0, fullScale: 2 ** 23 },
    32: { read: (buffer, offset, count) => new Int32Array(buffer, offset, count), silenceValue: 0, fullScale: 2 ** 31 },
  },
  [IEEE_FLOAT_TAG]: {
    32: { read: (buffer, offset, count) => new Float32Array(buffer, offset, count), silenceValue: 0, fullScale: 1 },
    64: { read: (buffer, offset, count) => new Float64Array(buffer, offset, count), silenceValue: 0, fullScale: 1 },
  },
}

function readInt24(buffer: ArrayBufferLike, byteOffset: number, sampleCount: number): Int32Array {
  const sampleBytes = new Uint8Array(buffer, byteOffset, 3 * sampleCount)
  const integerSamples = new Int32Array(sampleCount)
  for (let index = 0, at = 0; index < sampleCount; index++, at += 3)
    integerSamples[index] = (((sampleBytes[at] ?? 0) << 8) | ((sampleBytes[at + 1] ?? 0) << 16) | ((sampleBytes[at + 2] ?? 0) << 24)) >> 8
  return integerSamples
}
