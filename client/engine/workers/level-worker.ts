import { createLevelMeter } from '../../../dsp/level-meter.ts'
import type { LevelCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

let levelMeter: ReturnType<typeof createLevelMeter> | undefined

serveCalls<LevelCalls>({
  open(sound) {
    levelMeter = createLevelMeter(sound)
    return { response: undefined }
  },
  add({ samples }) {
    requireMeter().add(samples)
    return { response: undefined }
  },
  finish() {
    const profile = requireMeter().finish()
    return { response: profile, transfer: [profile.power.buffer, profile.peaks.buffer] }
  },
})

function requireMeter() {
  if (levelMeter === undefined) throw new Error('samples were sent before open')
  return levelMeter
}
