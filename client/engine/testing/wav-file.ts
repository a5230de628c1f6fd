export interface WavFileOptions {
  readonly sampleRate?: number
  readonly bits?: 8 | 16 | 24 | 32 | 64
  readonly float?: boolean
  readonly extensible?: boolean
  /** The size in the header of the data chunk, if it is to differ from the real size. */
  readonly declaredBytes?: number
}

/** Builds a WAV file of one array of samples for each channel, full scale ±1. */
export function wavFile(channels: readonly (readonly number[])[], options: WavFileOptions = {}): Uint8Array<ArrayBuffer> {
  const { sampleRate = 44_100, bits = 16, float: isFloat = false, extensible: isExtensible = false } = options
  const frames = channels[0]?.length ?? 0
  const frameBytes = channels.length * (bits / 8)
  const formatBytes = isExtensible ? 40 : 16
  const dataAt = 20 + formatBytes + 8
  const view = new DataView(new ArrayBuffer(dataAt + frames * frameBytes))
  const writeText = (at: number, characters: string) =>
    [...characters].forEach((character, index) => {
      view.setUint8(at + index, character.charCodeAt(0))
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

function putSample(view: DataView, at: number, sample: number, bits: number, isFloat: boolean) {
  const quantisedSample = Math.min(2 ** (bits - 1) - 1, Math.round(sample * 2 ** (bits - 1)))
  if (isFloat && bits === 64) view.setFloat64(at, sample, true)
  else if (isFloat) view.setFloat32(at, sample, true)
  else if (bits === 8) view.setUint8(at, quantisedSample + 128)
  else if (bits === 16) view.setInt16(at, quantisedSample, true)
  else if (bits === 24) {
    view.setUint16(at, quantisedSample & 0xffff, true)
    view.setInt8(at + 2, quantisedSample >> 16)
  } else view.setInt32(at, quantisedSample, true)
}

/** Returns a sine tone with the amplitude `level`, relative to full scale. */
export const sineTone = (frames: number, periodFrames = 100, level = 0.5): number[] =>
  Array.from({ length: frames }, (_, frame) => level * Math.sin((2 * Math.PI * frame) / periodFrames))
