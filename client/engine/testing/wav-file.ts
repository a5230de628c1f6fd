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
export function wavFile(channels: readonly (readonly number[])[], options: WavFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { sampleRate = 44_100, bits = 16, float: isFloat = false, extensible: isExtensible = false } = options
  const frames = channels[0]?.length ?? 0
  const frameBytes = channels.length * (bits / 8)
  const formatBytes = isExtensible ? 40 : 16
  const dataAt = 20 + formatBytes + 8
  const view = new DataView(new ArrayBuffer(dataAt + frames * frameBytes))
  const writeText = (offset: number, characters: string) =>
    [...characters].forEach((character, index) => {
      view.setUint8(offset + index, character.charCodeAt(0))
    })
  const tag = isFloat ? 3 : 1
  writeText(0, 'RIFF')
  view.setUint32(4, view.byteLength - 8, true)
  writeText(8, 'WAVEfmt ')
  view.setUint32(16, formatBytes, true)
  view.setUint16(20, isExtensible ? 0xfffe : tag, true)
  view.setUint16(22, channels.length, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * frameBytes, true)
  view.setUint16(32, frameBytes, true)
  view.setUint16(34, bits, true)
  if (isExtensible) {
    view.setUint16(36, 22, true)
    view.setUint16(38, bits, true)
    view.setUint32(40, options.channelMask ?? 0, true)
    view.setUint16(44, tag, true)
  }
  writeText(dataAt - 8, 'data')
  view.setUint32(dataAt - 4, options.declaredBytes ?? frames * frameBytes, true)
  for (let frame = 0; frame < frames; frame++) {
    channels.forEach((samples, channel) => {
      putSample(view, dataAt + frame * frameBytes + (channel * bits) / 8, samples[frame] ?? 0, bits, isFloat)
    })
  }
  return new Uint8Array(view.buffer)
}

function putSample(view: DataView, offset: number, sample: number, bits: number, isFloat: boolean) {
  const quantisedSample = Math.min(2 ** (bits - 1) - 1, Math.round(sample * 2 ** (bits - 1)))
  if (isFloat && bits === 64) view.setFloat64(offset, sample, true)
  else if (isFloat) view.setFloat32(offset, sample, true)
  else if (bits === 8) view.setUint8(offset, quantisedSample + 128)
  else if (bits === 16) view.setInt16(offset, quantisedSample, true)
  else if (bits === 24) {
    view.setUint16(offset, quantisedSample & 0xffff, true)
    view.setInt8(offset + 2, quantisedSample >> 16)
  } else view.setInt32(offset, quantisedSample, true)
}

/** Returns a sine tone. Its amplitude is `level`, where 1 is full scale. */
export const sineTone = (frames: number, periodFrames = 100, level = 0.5): number[] =>
  Array.from({ length: frames }, (_, frame) => level * Math.sin((2 * Math.PI * frame) / periodFrames))

export interface PcmFileOptions extends Pick<WavFileOptions, 'bits' | 'float'> {
  readonly littleEndian?: boolean
}

/** Builds an AIFF-C file at 44.1 kHz from one array of samples for each channel. */
export function aiffFile(channels: readonly (readonly number[])[], options: PcmFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { bits = 16, float: isFloat = false, littleEndian: isLittleEndian = false } = options
  const type = isFloat ? `fl${bits}` : isLittleEndian ? 'sowt' : 'NONE'
  const samples = samplesOf(channels, options)
  const frames = channels[0]?.length ?? 0
  const common = [...bigEndian(2, channels.length), ...bigEndian(4, frames), ...bigEndian(2, bits)]
  // The sampling rate 44,100 as an 80-bit float.
  const rate = [0x40, 0x0e, 0xac, 0x44, 0, 0, 0, 0, 0, 0]
  const content = [
    ...codesOf('AIFC'),
    ...chunkOf('COMM', [...common, ...rate, ...codesOf(type), 0, 0]),
    ...chunkOf('SSND', [...bigEndian(8, 0), ...samples]),
  ]
  return Uint8Array.from([...codesOf('FORM'), ...bigEndian(4, content.length), ...content])
}

/** Builds a CAF file at 44.1 kHz from one array of samples for each channel. If `bits` is 24, the header says that the size is unknown. */
export function cafFile(channels: readonly (readonly number[])[], options: PcmFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { bits = 16, float: isFloat = false, littleEndian: isLittleEndian = false } = options
  const rate = [...new Uint8Array(new Float64Array([44_100]).buffer)].reverse()
  const flags = Number(isFloat) + 2 * Number(isLittleEndian)
  const frameBytes = (channels.length * bits) / 8
  const numbers = [flags, frameBytes, 1, channels.length, bits].flatMap((value) => bigEndian(4, value))
  const samples = samplesOf(channels, options)
  const dataBytes = bits === 24 ? Array<number>(8).fill(0xff) : bigEndian(8, 4 + samples.length)
  return Uint8Array.from([
    ...[...codesOf('caff'), 0, 1, 0, 0],
    ...[...codesOf('desc'), ...bigEndian(8, 32), ...rate, ...codesOf('lpcm'), ...numbers],
    ...[...codesOf('data'), ...dataBytes, 0, 0, 0, 0, ...samples],
  ])
}

/** Returns the samples as in AIFF and CAF files: in big-endian order unless `littleEndian` is set, and signed if they have 8 bits. */
function samplesOf(
  channels: readonly (readonly number[])[],
  { littleEndian: isLittleEndian = false, ...options }: PcmFileOptions,
): number[] {
  const samples = wavFile(channels, options).slice(44)
  const sampleBytes = (options.bits ?? 16) / 8
  if (sampleBytes === 1) return Array.from(samples, (byte) => byte ^ 0x80)
  if (!isLittleEndian) for (let at = 0; at < samples.length; at += sampleBytes) samples.subarray(at, at + sampleBytes).reverse()
  return [...samples]
}

const codesOf = (characters: string): number[] => [...new TextEncoder().encode(characters)]
const bigEndian = (bytes: number, value: number): number[] =>
  Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256)
const chunkOf = (id: string, content: readonly number[]): number[] => [...codesOf(id), ...bigEndian(4, content.length), ...content]
