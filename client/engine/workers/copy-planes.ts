import type { AudioSample } from 'mediabunny'
import { amplify } from './amplify.ts'
import type { Channels } from './calls.ts'

/**
 * Copies the samples of a range of frames, one array for each channel. Integers are divided by 2^15 or 2^31, as in a WAV file. The
 * browsers' own conversion divides positive integers by 2^15 - 1 or 2^31 - 1.
 */
export function copyPlanes(sample: AudioSample, frameOffset: number, frameCount: number): Channels {
  const { format, numberOfChannels } = sample
  const frameRange = { frameOffset, frameCount }
  if (format !== 's16' && format !== 's32') {
    const planes = Array.from({ length: numberOfChannels }, () => new Float32Array(frameCount))
    for (const [planeIndex, samples] of planes.entries()) sample.copyTo(samples, { ...frameRange, planeIndex, format: 'f32-planar' })
    return planes
  }
  const interleavedSamples = new (format === 's16' ? Int16Array : Int32Array)(frameCount * numberOfChannels)
  sample.copyTo(interleavedSamples, { ...frameRange, planeIndex: 0, format })
  const sampleScale = format === 's16' ? 2 ** -15 : 2 ** -31
  return Array.from({ length: numberOfChannels }, (_, channelIndex) => {
    const samples = new Float32Array(frameCount)
    for (let frame = 0; frame < frameCount; frame++)
      samples[frame] = (interleavedSamples[frame * numberOfChannels + channelIndex] ?? 0) * sampleScale
    return samples
  })
}

export interface FrameRange {
  readonly start: number
  readonly end: number
}

export interface FrameRangeOptions {
  /**
   * The position of the first decoded frame in the track, or a function that finds this position. This position is needed, because
   * WebCodecs does not remove the encoder's delay and padding.
   */
  readonly firstFrame: number | ((sample: AudioSample) => number)
  /** The frames to yield, in order. */
  readonly ranges: readonly FrameRange[]
  /** The factor that is applied to all samples. */
  readonly gain: number
}

/** Yields ranges of the frames of consecutive samples, and closes the samples. */
export async function* copyRanges(
  samples: AsyncIterable<AudioSample>,
  { firstFrame, ranges, gain }: FrameRangeOptions,
): AsyncGenerator<Channels> {
  const lastEndFrame = Math.max(...ranges.map(({ end }) => end))
  let framePosition: number | undefined
  for await (const audioSample of samples) {
    try {
      framePosition ??= typeof firstFrame === 'number' ? firstFrame : firstFrame(audioSample)
      const sampleEnd: number = framePosition + audioSample.numberOfFrames
      for (const { start, end } of ranges) {
        const [fromFrame, toFrame] = [Math.max(start, framePosition), Math.min(end, sampleEnd)]
        if (fromFrame >= toFrame) continue
        const channels = copyPlanes(audioSample, fromFrame - framePosition, toFrame - fromFrame)
        amplify(channels, gain)
        yield channels
      }
      framePosition = sampleEnd
    } finally {
      audioSample.close()
    }
    if (framePosition >= lastEndFrame) return
  }
}
