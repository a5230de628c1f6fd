import { measureTone } from './maker-judge.ts'
import { listPeers, SAMPLE_RATE } from './maker-peers.ts'
import { reportFigure } from './report.ts'

const TONE_AMPLITUDE = 0.5
const TONE_FRAMES = 4 * SAMPLE_RATE

/**
 * Prints the signal-to-noise ratio or alias level of three tones at -6 dBFS for each resampler. Returns whether the product's own resampler
 * meets the limits.
 */
export async function reportQuality(): Promise<boolean> {
  let areGoalsMet = true
  const qualityGoals = [
    { name: '997 Hz at 1.25, SNR', hz: 997, rate: 1.25, atLeast: 134 },
    { name: '15 kHz at 1.25, SNR', hz: 15_000, rate: 1.25, atLeast: 134 },
    { name: '15 kHz at 2, alias', hz: 15_000, rate: 2, atMost: -135 },
  ] as const
  for (const { name, hz, rate, ...qualityGoal } of qualityGoals) {
    const toneSamples = Float32Array.from(
      { length: TONE_FRAMES },
      (_, frame) => TONE_AMPLITUDE * Math.sin((2 * Math.PI * hz * frame) / SAMPLE_RATE),
    )
    for (const [index, testedPeer] of listPeers().entries()) {
      const outputSamples = await testedPeer.changeRate(toneSamples, rate)
      const frameCount = Math.floor(outputSamples.length / 2)
      const { residualDb } = measureTone(outputSamples, {
        firstFrame: Math.floor(outputSamples.length / 4),
        frames: frameCount,
        hz,
        rate,
        amplitude: TONE_AMPLITUDE,
      })
      const levelDb = 'atLeast' in qualityGoal ? -residualDb : residualDb
      areGoalsMet =
        reportFigure(`${name}: ${testedPeer.resamplerName}`, levelDb, 'dB', index === 0 ? qualityGoal : undefined) && areGoalsMet
    }
  }
  return areGoalsMet
}
