import { encodeFlacPackets } from '../../../dsp/flac-encoder.ts'
import type { Kernel } from '../../../dsp/kernel.ts'
import { applyGainCurve } from '../../../dsp/limiter.ts'
import type { SegmentRequest, SegmentResponse } from './calls.ts'

/** The values on which the conversion of a segment depends. */
export interface OutputDeps {
  readonly kernel: Pick<Kernel, 'quantise'>
  readonly channels: 1 | 2
  readonly sampleRate: number
}

/** Converts interleaved samples, which may be changed, to the requested output. */
export function convertSegment(
  { kernel, channels, sampleRate }: OutputDeps,
  { output, gain: segmentGain, firstFrame }: Pick<SegmentRequest, 'output' | 'gain' | 'firstFrame'>,
  samples: Float32Array,
): SegmentResponse['samples'] {
  if (typeof segmentGain !== 'number') applyGainCurve(samples, channels, firstFrame, segmentGain)
  const constantGain = typeof segmentGain === 'number' ? segmentGain : 1
  const quantise16 = () => {
    const quantisedSamples = new Int16Array(samples.length)
    kernel.quantise(samples, constantGain, channels * firstFrame, quantisedSamples)
    return quantisedSamples
  }
  const toFlac = (quantised: Int16Array | Int32Array, bitsPerSample: 16 | 24) => [
    encodeFlacPackets(splitChannels(quantised, channels, Int32Array), { sampleRate, bitsPerSample }, firstFrame),
  ]
  switch (output) {
    case 'none':
      return []
    case 'int16':
      return [quantise16()]
    case 'int24':
      return [packBytes(quantise24(samples, constantGain))]
    case 'flac-int16':
      return toFlac(quantise16(), 16)
    case 'flac-int24':
      return toFlac(quantise24(samples, constantGain), 24)
    case 'float32':
      return [amplify(samples, constantGain)]
    case 'planar':
      return splitChannels(amplify(samples, constantGain), channels, Float32Array)
  }
}

const amplify = (samples: Float32Array, gain: number): Float32Array<ArrayBuffer> =>
  gain === 1 ? new Float32Array(samples) : Float32Array.from(samples, (sample) => sample * gain)

/** Rounds to 24 bits without dither, which would change nothing, because the samples have no greater precision themselves. */
function quantise24(samples: Float32Array, gainFactor: number): Int32Array<ArrayBuffer> {
  const fullScale = 2 ** 23
  const quantisedSamples = new Int32Array(samples.length)
  for (let index = 0; index < samples.length; index++)
    quantisedSamples[index] = Math.max(-fullScale, Math.min(fullScale - 1, Math.round((samples[index] as number) * gainFactor * fullScale)))
  return quantisedSamples
}

/** Returns integers as three bytes each, in little-endian order. */
function packBytes(quantisedSamples: Int32Array): Uint8Array<ArrayBuffer> {
  const packedBytes = new Uint8Array(3 * quantisedSamples.length)
  for (let index = 0; index < quantisedSamples.length; index++) {
    const quantisedSample = quantisedSamples[index] as number
    packedBytes[3 * index] = quantisedSample
    packedBytes[3 * index + 1] = quantisedSample >> 8
    packedBytes[3 * index + 2] = quantisedSample >> 16
  }
  return packedBytes
}

/** Returns interleaved samples as an array for each channel. */
function splitChannels<Samples extends Int32Array | Float32Array>(
  interleavedSamples: ArrayLike<number>,
  channelCount: number,
  ArrayType: new (length: number) => Samples,
): Samples[] {
  return Array.from({ length: channelCount }, (_, channelIndex) => {
    const samples = new ArrayType(interleavedSamples.length / channelCount)
    for (let frame = 0; frame < samples.length; frame++) samples[frame] = interleavedSamples[channelCount * frame + channelIndex] as number
    return samples
  })
}
