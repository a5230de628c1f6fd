import type { AudioSample } from 'mediabunny'
import type { Channels } from './calls.ts'

/**
 * Copies the samples of a range of frames, one array for each channel. Integers are divided by 2^15 or 2^31, as in a WAV file, because browsers
 * divide positive integers by one less.
 */
export function copyPlanes(sample: AudioSample, frameOffset: number, frameCount: number): Channels {
  const { format, numberOfChannels } = sample
  const range = { frameOffset, frameCount }
  if (format !== 's16' && format !== 's32') {
    const planes = Array.from({ length: numberOfChannels }, () => new Float32Array(frameCount))
    for (const [planeIndex, samples] of planes.entries()) sample.copyTo(samples, { ...range, planeIndex, format: 'f32-planar' })
    return planes
  }
  const interleaved = new (format === 's16' ? Int16Array : Int32Array)(frameCount * numberOfChannels)
  sample.copyTo(interleaved, { ...range, planeIndex: 0, format })
  const scale = format === 's16' ? 2 ** -15 : 2 ** -31
  return Array.from({ length: numberOfChannels }, (_, channel) => {
    const samples = new Float32Array(frameCount)
    for (let frame = 0; frame < frameCount; frame++) samples[frame] = (interleaved[frame * numberOfChannels + channel] ?? 0) * scale
    return samples
  })
}
