import type { Biquad } from '../../dsp/biquad.ts'
import { filter } from '../../dsp/reference/biquad.ts'

/** Gives frames from `firstFrame` on, an array for each channel. */
export type ReadFrames = (firstFrame: number, frames: number) => Promise<readonly Float32Array[]>

const WINDOWS = 8
const WINDOW_FRAMES = 16_384

/**
 * The mean power of a sound as it is heard, in windows spread over it: K-weighted and summed over its channels as in Recommendation ITU-R
 * BS.1770-5, annex 1, without the gate. And their peak.
 *
 * @param frames of the sound
 */
export async function heardPower(read: ReadFrames, frames: number, sampleRate: number): Promise<{ power: number; peak: number }> {
  const filters = kWeighting(sampleRate)
  let [power, peak, counted] = [0, 0, 0]
  for (let window = 0; window < WINDOWS; window++) {
    const firstFrame = Math.max(0, Math.round(((window + 0.5) / WINDOWS) * frames - WINDOW_FRAMES / 2))
    const length = Math.min(WINDOW_FRAMES, frames - firstFrame)
    for (const channel of await read(firstFrame, length)) {
      const weighted = new Float32Array(channel)
      peak = channel.reduce((most, sample) => Math.max(most, Math.abs(sample)), peak)
      for (const each of filters) filter(each, weighted, 1)
      power += weighted.reduce((sum, sample) => sum + sample * sample, 0)
    }
    counted += length
  }
  return { power: counted === 0 ? 0 : power / counted, peak }
}

/**
 * A shelf for the head and a high-pass. The recommendation has coefficients for 48 kHz only; for other rates its analogue filters are worked out
 * by B. De Man, "Evaluation of Implementations of the EBU R128 Loudness Measurement", AES Convention e-Brief 464 (2018).
 */
function kWeighting(sampleRate: number): [Biquad, Biquad] {
  const shelf = { k: Math.tan((Math.PI * 1681.974450955533) / sampleRate), q: 0.7071752369554196, high: 10 ** (3.999843853973347 / 20) }
  const band = shelf.high ** 0.4996667741545416
  const pass = { k: Math.tan((Math.PI * 38.13547087602444) / sampleRate), q: 0.5003270373238773 }
  const poles = ({ k, q }: { k: number; q: number }) => {
    const a0 = 1 + k / q + k * k
    return { a0, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 }
  }
  const [{ a0, ...shelfPoles }, { a0: _scale, ...passPoles }] = [poles(shelf), poles(pass)]
  const { k, q, high } = shelf
  return [
    { b0: (high + (band * k) / q + k * k) / a0, b1: (2 * (k * k - high)) / a0, b2: (high - (band * k) / q + k * k) / a0, ...shelfPoles },
    { b0: 1, b1: -2, b2: 1, ...passPoles },
  ]
}
