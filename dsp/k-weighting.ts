import type { Biquad } from './biquad.ts'

/**
 * Designs the two filters of the K-weighting: a shelf for the effect of the head, and a high-pass. The recommendation has coefficients for 48 kHz
 * only; the analogue filters for other rates are from B. De Man, "Evaluation of Implementations of the EBU R128 Loudness Measurement", AES Convention e-Brief 464 (2018).
 */
export function designKWeighting(sampleRate: number): [Biquad, Biquad] {
  const shelfDesign = {
    k: Math.tan((Math.PI * 1681.974450955533) / sampleRate),
    q: 0.7071752369554196,
    high: 10 ** (3.999843853973347 / 20),
  }
  const bandGain = shelfDesign.high ** 0.4996667741545416
  const highPass = { k: Math.tan((Math.PI * 38.13547087602444) / sampleRate), q: 0.5003270373238773 }
  const computeDenominator = ({ k, q }: { k: number; q: number }) => {
    const a0 = 1 + k / q + k * k
    return { a0, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 }
  }
  const [{ a0, ...shelfPoles }, { a0: _scale, ...passPoles }] = [computeDenominator(shelfDesign), computeDenominator(highPass)]
  const { k, q, high: highGain } = shelfDesign
  return [
    {
      b0: (highGain + (bandGain * k) / q + k * k) / a0,
      b1: (2 * (k * k - highGain)) / a0,
      b2: (highGain - (bandGain * k) / q + k * k) / a0,
      ...shelfPoles,
    },
    { b0: 1, b1: -2, b2: 1, ...passPoles },
  ]
}
