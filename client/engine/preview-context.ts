/** The time between scheduling a buffer and its start, beyond the device's latency, in which the audio thread receives it. */
const LEAD_SECONDS = 0.005

/** Returns the earliest time of the context at which a buffer that is scheduled now starts on time. */
export const earliestStartS = ({ currentTime, baseLatency }: AudioContext) => currentTime + (baseLatency || 0) + LEAD_SECONDS

/** Opens a context at the sound's own rate, so that the sound is not resampled twice, or at the device's rate if the browser refuses the sound's. */
export function openContext(sampleRate: number): AudioContext {
  try {
    return new AudioContext({ sampleRate, latencyHint: 'interactive' })
  } catch {
    return new AudioContext({ latencyHint: 'interactive' })
  }
}
