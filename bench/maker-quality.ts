import { judgeTone } from './maker-judge.ts'
import { peers, SAMPLE_RATE } from './maker-peers.ts'
import { report } from './report.ts'

const AMPLITUDE = 0.5
const FRAMES = 4 * SAMPLE_RATE

/** What each makes of three tones at -6 dBFS; the goals are ours alone. Gives whether they were met. */
export async function reportQuality(): Promise<boolean> {
  let met = true
  const cases = [
    { name: '997 Hz at 1.25, SNR', hz: 997, rate: 1.25, atLeast: 134 },
    { name: '15 kHz at 1.25, SNR', hz: 15_000, rate: 1.25, atLeast: 134 },
    { name: '15 kHz at 2, alias', hz: 15_000, rate: 2, atMost: -135 },
  ] as const
  for (const { name, hz, rate, ...goal } of cases) {
    const tone = Float32Array.from({ length: FRAMES }, (_, frame) => AMPLITUDE * Math.sin((2 * Math.PI * hz * frame) / SAMPLE_RATE))
    for (const [index, peer] of peers().entries()) {
      const output = await peer.change(tone, rate)
      const frames = Math.floor(output.length / 2)
      const { restDb } = judgeTone(output, { firstFrame: Math.floor(output.length / 4), frames, hz, rate, amplitude: AMPLITUDE })
      const figure = 'atLeast' in goal ? -restDb : restDb
      met = report(`${name}: ${peer.name}`, figure, 'dB', index === 0 ? goal : undefined) && met
    }
  }
  return met
}
