export interface WavFileOptions {
  readonly sampleRate?: number
  readonly bits?: 8 | 16 | 24 | 32 | 64
  readonly float?: boolean
  readonly extensible?: boolean
  /** The speakers of the channels, in the extensible format. */
  readonly channelMask?: number
  /** The size that the header of the data chunk states, if it differs from the real size. */
  readonly declaredBytes?: number
}

/** Builds a WAV file from one array of samples for each channel, with full scale at ±1. */
export function createWavBytes(channelSamples: readonly (readonly number[])[], options: WavFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { sampleRate = 44_100, bits = 16, float: isFloat = false, extensible: isExtensible = false } = options
  const frameCount = channelSamples[0]?.length ?? 0
  const frameBytes = channelSamples.length * (bits / 8)
  const formatBytes = isExtensible ? 40 : 16
  const dataStart = 20 + formatBytes + 8
  const view = new DataView(new ArrayBuffer(dataStart + frameCount * frameBytes))
  const writeText = (byteOffset: number, asciiText: string) =>
    [...asciiText].forEach((character, index) => {
      view.setUint8(byteOffset + index, character.charCodeAt(0))
    })
  const formatTag = isFloat ? 3 : 1
  writeText(0, 'RIFF')
  view.setUint32(4, view.byteLength - 8, true)
  writeText(8, 'WAVEfmt ')
  view.setUint32(16, formatBytes, true)
  view.setUint16(20, isExtensible ? 0xfffe : formatTag, true)
  view.setUint16(22, channelSamples.length, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * frameBytes, true)
  view.setUint16(32, frameBytes, true)
  view.setUint16(34, bits, true)
  if (isExtensible) {
    view.setUint16(36, 22, true)
    view.setUint16(38, bits, true)
    view.setUint32(40, options.channelMask ?? 0, true)
    view.setUint16(44, formatTag, true)
  }
  writeText(dataStart - 8, 'data')
  view.setUint32(dataStart - 4, options.declaredBytes ?? frameCount * frameBytes, true)
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    channelSamples.forEach((samples, channel) => {
      putSample(view, dataStart + frameIndex * frameBytes + (channel * bits) / 8, samples[frameIndex] ?? 0, bits, isFloat)
    })
  }
  return new Uint8Array(view.buffer)
}

function putSample(view: DataView, byteOffset: number, sampleValue: number, bitDepth: number, isFloat: boolean) {
  const quantisedSample = Math.min(2 ** (bitDepth - 1) - 1, Math.round(sampleValue * 2 ** (bitDepth - 1)))
  if (isFloat && bitDepth === 64) view.setFloat64(byteOffset, sampleValue, true)
  else if (isFloat) view.setFloat32(byteOffset, sampleValue, true)
  else if (bitDepth === 8) view.setUint8(byteOffset, quantisedSample + 128)
  else if (bitDepth === 16) view.setInt16(byteOffset, quantisedSample, true)
  else if (bitDepth === 24) {
    view.setUint16(byteOffset, quantisedSample & 0xffff, true)
    view.setInt8(byteOffset + 2, quantisedSample >> 16)
  } else view.setInt32(byteOffset, quantisedSample, true)
}

/** Returns a sine tone. Its amplitude is `level`, where 1 is full scale. */
export const synthesizeSine = (frames: number, periodFrames = 100, level = 0.5): number[] =>
  Array.from({ length: frames }, (_, frame) => level * Math.sin((2 * Math.PI * frame) / periodFrames))

export interface PcmFileOptions extends Pick<WavFileOptions, 'bits' | 'float'> {
  readonly littleEndian?: boolean
}

/** Builds an AIFF-C file at 44.1 kHz from one array of samples for each channel. */
export function createAiffBytes(channelSamples: readonly (readonly number[])[], options: PcmFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { bits = 16, float: isFloat = false, littleEndian: isLittleEndian = false } = options
  const compressionType = isFloat ? `fl${bits}` : isLittleEndian ? 'sowt' : 'NONE'
  const samples = readSamples(channelSamples, options)
  const frameCount = channelSamples[0]?.length ?? 0
  const commonChunk = [...encodeBigEndian(2, channelSamples.length), ...encodeBigEndian(4, frameCount), ...encodeBigEndian(2, bits)]
  // The sampling rate 44,100 as an 80-bit float.
  const rateBytes = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
  const contentBytes = [
    ...toCodes('AIFC'),
    ...encodeChunk('COMM', [...commonChunk, ...rateBytes, ...toCodes(compressionType), 0, 0]),
    ...encodeChunk('SSND', [...encodeBigEndian(8, 0), ...samples]),
  ]
  return Uint8Array.from([...toCodes('FORM'), ...encodeBigEndian(4, contentBytes.length), ...contentBytes])
}

/** Builds a CAF file at 44.1 kHz from one array of samples for each channel. If `bits` is 24, the header says that the size is unknown. */
export function createCafBytes(channelSamples: readonly (readonly number[])[], options: PcmFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { bits = 16, float: isFloat = false, littleEndian: isLittleEndian = false } = options
  const rateBytes = [...new Uint8Array(new Float64Array([44_100]).buffer)].reverse()
  const formatFlags = Number(isFloat) + 2 * Number(isLittleEndian)
  const frameBytes = (channelSamples.length * bits) / 8
  const formatNumbers = [formatFlags, frameBytes, 1, channelSamples.length, bits].flatMap((value) => encodeBigEndian(4, value))
  const samples = readSamples(channelSamples, options)
  const dataSizeField = bits === 24 ? Array<number>(8).fill(0xff) : encodeBigEndian(8, 4 + samples.length)
  return Uint8Array.from([
    ...[...toCodes('caff'), 0, 1, 0, 0],
    ...[...toCodes('desc'), ...encodeBigEndian(8, 32), ...rateBytes, ...toCodes('lpcm'), ...formatNumbers],
    ...[...toCodes('data'), ...dataSizeField, 0, 0, 0, 0, ...samples],
  ])
}

/** Returns the samples as in AIFF and CAF files: in big-endian order unless `littleEndian` is set, and signed if they have 8 bits. */
function readSamples(
  channelSamples: readonly (readonly number[])[],
  { littleEndian: isLittleEndian = false, ...options }: PcmFileOptions,
): number[] {
  const samples = createWavBytes(channelSamples, options).slice(44)
  const sampleBytes = (options.bits ?? 16) / 8
  if (sampleBytes === 1) return Array.from(samples, (byte) => byte ^ 0x80)
  if (!isLittleEndian) for (let at = 0; at < samples.length; at += sampleBytes) samples.subarray(at, at + sampleBytes).reverse()
  return [...samples]
}

const toCodes = (characters: string): number[] => [...new TextEncoder().encode(characters)]
const encodeBigEndian = (bytes: number, value: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256)
const encodeChunk = (chunkId: string, chunkContent: readonly number[]): number[] => [
  ...toCodes(chunkId),
  ...encodeBigEndian(4, chunkContent.length),
  ...chunkContent,
]
