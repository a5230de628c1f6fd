/** From a finished first piece to its first frame, beyond what the device takes at once: until then the audio thread has it. */
const LEAD_SECONDS = 0.01

/** The earliest time for which something can be scheduled with certainty. */
export const soon = ({ currentTime, baseLatency }: AudioContext) => currentTime + (baseLatency || 0) + LEAD_SECONDS

/** At the sound's own rate, so that nothing is resampled twice; at the device's where it cannot be had. */
export function openContext(sampleRate: number): AudioContext {
  try {
    return new AudioContext({ sampleRate, latencyHint: 'interactive' })
  } catch {
    return new AudioContext({ latencyHint: 'interactive' })
  }
}
