import type { Source } from '../source.ts'

/** One tone at -6 dBFS, the right channel a quarter turn ahead, so that a swapped or a repeated channel is found. */
export interface Tone {
  /** Hz at a sample rate of 44,100. */
  readonly frequencyHz: number
  /** Where the part of it that `toneSource` gives begins; 0 where it is not said. */
  readonly firstFrame?: number
  readonly frames: number
}

const AMPLITUDE = 0.5
const radiansPerFrame = ({ frequencyHz }: Tone) => (2 * Math.PI * frequencyHz) / 44_100

/** The tone's sample of `channel` at a frame that need not be whole. */
const sampleAt = (tone: Tone, frame: number, channel: number) =>
  AMPLITUDE * Math.sin(radiansPerFrame(tone) * frame + (channel * Math.PI) / 2)

export function toneSource(tone: Tone): Source {
  const { firstFrame = 0, frames } = tone
  const channel = (index: number) => Float32Array.from({ length: frames }, (_, frame) => sampleAt(tone, firstFrame + frame, index))
  return { channels: [channel(0), channel(1)], startFrame: firstFrame }
}

const decibels = (powerRatio: number) => 10 * Math.log10(powerRatio)

/** Signal to everything else, in dB, of interleaved stereo that should be the tone from output frame `firstFrame` on at `rate`. */
export function toneSnrDb(tone: Tone, rate: number, firstFrame: number, output: Float32Array): number {
  let signal = 0
  let error = 0
  output.forEach((value, index) => {
    const ideal = sampleAt(tone, (firstFrame + (index >> 1)) * rate, index & 1)
    signal += ideal * ideal
    error += (value - ideal) ** 2
  })
  return decibels(signal / error)
}

/** What is left, in dB relative to the tone, where nothing of it should be. */
export function residueDb(output: Float32Array): number {
  let power = 0
  for (const value of output) power += value * value
  return decibels(power / output.length / (AMPLITUDE ** 2 / 2))
}
