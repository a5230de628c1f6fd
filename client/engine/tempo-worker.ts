import { detectBeat } from './beat.ts'
import type { TempoReply, TempoRequest } from './tempo-messages.ts'

self.addEventListener('message', ({ data: { samples, sampleRate } }: MessageEvent<TempoRequest>) => {
  const reply: TempoReply = { bpm: detectBeat(samples, sampleRate) }
  self.postMessage(reply)
})
