import { highPass } from './biquad.ts'
import { hash } from './hash.ts'
import { filter } from './reference/biquad.ts'

export interface ReverbSettings {
  /** How long the room sounds, until 60 dB below its beginning: MIN_REVERB_SECONDS .. MAX_REVERB_SECONDS. */
  readonly seconds: number
  /** The level of the room against the dry sound: 0 .. 1, where 1 is as loud. */
  readonly amount: number
}

export const MIN_REVERB_SECONDS = 0.2
export const MAX_REVERB_SECONDS = 6

/** The first reflection comes later than the sound itself. */
const PRE_DELAY_SECONDS = 0.012
/** Bass stays dry: a room of bass is mud. */
const LOW_CUT_HZ = 220
/** Air and walls swallow the heights first: the room's upper limit falls from the first to the second over its time. */
const DAMPING_HZ = [14_000, 1800] as const
/** How often that limit is worked out. */
const DAMPING_FRAMES = 64
/** The power falls by 60 dB: the amplitude by a factor of 1000. */
const DECAY = Math.log(1000)

/** The answer of a room to a click, as complex numbers over time. */
export interface Impulse {
  readonly re: Float32Array
  readonly im: Float32Array
}

/** The length of `designImpulse`. */
export const impulseFrames = (seconds: number, sampleRate: number): number =>
  Math.round(PRE_DELAY_SECONDS * sampleRate) + Math.round(seconds * sampleRate)

/**
 * A room: noise that dies away (J. A. Moorer, "About this reverberation business", Computer Music Journal 3 (2), 1979), the same at every
 * call. Its real and imaginary parts are independent, and the sound is left + i x right: each side hears itself in one part and the other side in
 * the other, which is wide and still costs one complex convolution. Its energy is 1.
 */
export function designImpulse(seconds: number, sampleRate: number): Impulse {
  const delayFrames = Math.round(PRE_DELAY_SECONDS * sampleRate)
  const frames = impulseFrames(seconds, sampleRate) - delayFrames
  const decay = Math.exp(-DECAY / frames)
  const part = (seed: number) => {
    const samples = new Float32Array(delayFrames + frames)
    let [damped, level, share] = [0, 1, 0]
    for (let frame = 0; frame < frames; frame++) {
      if (frame % DAMPING_FRAMES === 0) {
        const limitHz = DAMPING_HZ[0] * (DAMPING_HZ[1] / DAMPING_HZ[0]) ** (frame / frames)
        // A low pass of first order.
        share = 1 - Math.exp((-2 * Math.PI * limitHz) / sampleRate)
      }
      damped += share * (hash(2 * frame + seed) / 2 ** 31 - damped)
      samples[delayFrames + frame] = damped * level
      level *= decay
    }
    filter(highPass(LOW_CUT_HZ, sampleRate), samples, 1)
    return samples
  }
  const impulse = { re: part(0), im: part(1) }
  const energy = [impulse.re, impulse.im].reduce((sum, samples) => samples.reduce((total, sample) => total + sample * sample, sum), 0)
  for (const samples of [impulse.re, impulse.im])
    samples.forEach((sample, frame) => {
      samples[frame] = sample / Math.sqrt(energy)
    })
  return impulse
}
