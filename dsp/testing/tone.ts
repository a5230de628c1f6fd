import type { KernelSource } from '../kernel.ts'

/** A sine tone at -6 dBFS. The right channel leads by 90 degrees, so that swapped or duplicated channels are detected. */
export interface Tone {
  /** The frequency of the tone in Hz, at a sampling rate of 44,100. */
  readonly frequencyHz: number
  /** The first frame of the samples that `toneSource` returns; 0 by default. */
  readonly firstFrame?: number
  readonly frames: number
}

const AMPLITUDE = 0.5
const radiansPerFrame = ({ frequencyHz }: Tone) => (2 * Math.PI * frequencyHz) / 44_100

/** Returns the tone's sample at a frame of a channel. The frame may be fractional. */
const sampleAt = (tone: Tone, frame: number, channel: number) =>
  AMPLITUDE * Math.sin(radiansPerFrame(tone) * frame + (channel * Math.PI) / 2)

export function toneSource(tone: Tone): KernelSource {
  const { firstFrame = 0, frames } = tone
  const toneChannel = (index: number) => Float32Array.from({ length: frames }, (_, frame) => sampleAt(tone, firstFrame + frame, index))
  return { channels: [toneChannel(0), toneChannel(1)], startFrame: firstFrame }
}

const powerToDecibels = (powerRatio: number) => 10 * Math.log10(powerRatio)

/**
 * Returns the signal-to-noise ratio of interleaved stereo in dB. The signal is the ideal tone, resampled at `rate` from output frame
 * `firstFrame`.
 */
export function toneSnrDb(tone: Tone, rate: number, firstFrame: number, output: Float32Array): number {
  let signalPower = 0
  let errorPower = 0
  output.forEach((value, index) => {
    const ideal = sampleAt(tone, (firstFrame + (index >> 1)) * rate, index & 1)
    signalPower += ideal * ideal
    errorPower += (value - ideal) ** 2
  })
  return powerToDecibels(signalPower / errorPower)
}

/**
 * Returns the power of the output in dB, relative to the tone. For a tone that should be filtered out, this is the power of its aliases.
 */
export function residueDb(output: Float32Array): number {
  let power = 0
  for (const value of output) power += value * value
  return powerToDecibels(power / output.length / (AMPLITUDE ** 2 / 2))
}
