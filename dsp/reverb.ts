import { highPass } from './biquad.ts'
import { hashIndex } from './hash.ts'
import { filter } from './reference/biquad.ts'

export interface ReverbSettings {
  /** Reverberation time RT60 in seconds (decay by 60 dB): MIN_REVERB_SECONDS..MAX_REVERB_SECONDS. */
  readonly seconds: number
  /** The level of the reverb relative to the dry signal, 0..1. */
  readonly amount: number
}

export const MIN_REVERB_SECONDS = 0.2
export const MAX_REVERB_SECONDS = 6

/** The delay of the first reflection in seconds. */
const PRE_DELAY_SECONDS = 0.012
/** The cutoff frequency of the high-pass filter that keeps bass out of the reverb. */
const LOW_CUT_HZ = 220
/** The cutoff frequencies of the low-pass filter at the start and at the end of the decay: high frequencies are absorbed faster. */
const DAMPING_HZ = [14_000, 1800] as const
/** The interval in frames at which the low-pass cutoff is updated. */
const DAMPING_FRAMES = 64
/** A power decay of 60 dB is an amplitude factor of 1/1000. */
const DECAY_EXPONENT = Math.log(1000)

/** Complex impulse response of a room. */
export interface ImpulseResponse {
  readonly re: Float32Array
  readonly im: Float32Array
}

/** Returns the length in frames of the response that `designImpulse` computes. */
export const impulseFrames = (seconds: number, sampleRate: number): number =>
  Math.round(PRE_DELAY_SECONDS * sampleRate) + Math.round(seconds * sampleRate)

/**
 * Computes a room impulse response of exponentially decaying noise (J. A. Moorer, "About this reverberation business", Computer Music Journal
 * 3 (2), 1979). The result is deterministic and has an energy of 1. Stereo input is the complex signal left + i x right, so that the independent
 * real and imaginary parts of the response give a wide stereo reverb with one complex convolution.
 */
export function designImpulse(seconds: number, sampleRate: number): ImpulseResponse {
  const delayFrames = Math.round(PRE_DELAY_SECONDS * sampleRate)
  const frames = impulseFrames(seconds, sampleRate) - delayFrames
  const decayPerFrame = Math.exp(-DECAY_EXPONENT / frames)
  const decayingNoise = (seed: number) => {
    const samples = new Float32Array(delayFrames + frames)
    let [lowPassed, envelope, coefficient] = [0, 1, 0]
    for (let frame = 0; frame < frames; frame++) {
      if (frame % DAMPING_FRAMES === 0) {
        const cutoffHz = DAMPING_HZ[0] * (DAMPING_HZ[1] / DAMPING_HZ[0]) ** (frame / frames)
        // The coefficient of a first-order low-pass filter with the cutoff frequency `cutoffHz`.
        coefficient = 1 - Math.exp((-2 * Math.PI * cutoffHz) / sampleRate)
      }
      lowPassed += coefficient * (hashIndex(2 * frame + seed) / 2 ** 31 - lowPassed)
      samples[delayFrames + frame] = lowPassed * envelope
      envelope *= decayPerFrame
    }
    filter(highPass(LOW_CUT_HZ, sampleRate), samples, 1)
    return samples
  }
  const impulse = { re: decayingNoise(0), im: decayingNoise(1) }
  const energy = [impulse.re, impulse.im].reduce((sum, samples) => samples.reduce((total, sample) => total + sample * sample, sum), 0)
  for (const samples of [impulse.re, impulse.im])
    samples.forEach((sample, frame) => {
      samples[frame] = sample / Math.sqrt(energy)
    })
  return impulse
}
