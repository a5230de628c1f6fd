import { createCleanupScope, type Scope } from '../primitives/scope.ts'
import type { Peaks } from './engine.ts'
import type { Sound } from './sound.ts'

/** The delay in milliseconds after a sound was opened, in which its playback starts. */
const DETECTION_DELAY_MS = 500

async function detectSoundTempo(sound: Sound, peaks: Peaks | undefined, signal: AbortSignal): Promise<number | undefined> {
  const { detectTempo } = await import('./tempo.ts')
  return detectTempo(sound, peaks, signal)
}

/** @param onEnd receives the beats per minute; undefined if the sound has no tempo or cannot be read */
export function createTempoDetection(onEnd: (bpm: number | undefined) => void) {
  let detectionScope: Scope | undefined
  return {
    /** Detects the tempo of a sound, after playback had time to start. Cancels an earlier detection. */
    start(sound: Sound, peaks: Peaks | undefined) {
      detectionScope?.dispose()
      const newDetectionScope = createCleanupScope()
      detectionScope = newDetectionScope
      newDetectionScope.timeout(async () => {
        const bpm = await detectSoundTempo(sound, peaks, newDetectionScope.signal).catch(() => undefined)
        if (!newDetectionScope.signal.aborted) onEnd(bpm)
      }, DETECTION_DELAY_MS)
    },
    cancel: () => detectionScope?.dispose(),
  }
}
