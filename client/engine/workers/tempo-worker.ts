import { detectBeat } from './beat.ts'
import type { TempoCalls } from './calls.ts'
import { serveCalls } from './serve-calls.ts'

serveCalls<TempoCalls>({
  detect: ({ samples, sampleRate }) => ({ response: { bpm: detectBeat(samples, sampleRate) } }),
})
