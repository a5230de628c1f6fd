import type { KernelSource } from '../kernel.ts'

/** A sine tone at -6 dBFS. The right channel leads by 90 degrees, so that swapped or duplicated channels are detected. */
export interface Tone {
  /** The frequency of the tone in Hz, at a sampling rate of 44,100. */
  readonly frequencyHz: number
  /** The first frame of the samples that `synthesizeTone` returns; 0 by default. */
  readonly firstFrame?: number
  readonly frames: number
}

const AMPLITUDE = 0.5
const computeRadiansPerFrame = ({ frequencyHz }: Tone) => (2 * Math.PI * frequencyHz) / 44_100

/** Returns the tone's sample at a frame of a channel. The frame may be fractional. */
const computeSampleAt = (tone: Tone, frame: number, channel: number) =>
  AMPLITUDE * Math.sin(computeRadiansPerFrame(tone) * frame + (channel * Math.PI) / 2)

export function synthesizeTone(tone: Tone): KernelSource {
  const { firstFrame = 0, frames } = tone
  const synthesizeToneChannel = (index: number) =>
    Float32Array.from({ length: frames }, (_, frame) => computeSampleAt(tone, firstFrame + frame, index))
  return { channels: [synthesizeToneChannel(0), synthesizeToneChannel(1)], startFrame: firstFrame }
}

const convertPowerToDecibels = (powerRatio: number) => 10 * Math.log10(powerRatio)

/**
 * Returns the signal-to-noise ratio of interleaved stereo in dB. The signal is the ideal tone, resampled at `resamplingRate` from output frame
 * `firstFrame`.
 */
export function measureToneSnrDb(tone: Tone, resamplingRate: number, firstFrame: number, outputSamples: Float32Array): number {
  let signalPower = 0
  let errorPower = 0
  outputSamples.forEach((sampleValue, index) => {
    const ideal = computeSampleAt(tone, (firstFrame + (index >> 1)) * resamplingRate, index & 1)
    signalPower += ideal * ideal
    errorPower += (sampleValue - ideal) ** 2
  })
  return convertPowerToDecibels(signalPower / errorPower)
}

/**
 * Returns the power of the output in dB, relative to the tone. For a tone that should be filtered out, this is the power of its aliases.
 */
export function measureResidueDb(outputSamples: Float32Array): number {
  let power = 0
  for (const value of outputSamples) power += value * value
  return convertPowerToDecibels(power / outputSamples.length / (AMPLITUDE ** 2 / 2))
}
