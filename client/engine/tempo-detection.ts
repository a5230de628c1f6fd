import { createScope, type Scope } from '../primitives/scope.ts'
import type { Sound } from './sound.ts'
import { detectTempo } from './tempo.ts'

const START_AFTER_MS = 500

export interface TempoDetection {
  /** Detects the tempo of a sound, after playback had time to start. Cancels an earlier detection. */
  start(sound: Sound): void
  cancel(): void
}

/** @param onEnd receives the beats per minute; undefined if the sound has no tempo or cannot be read */
export function createTempoDetection(onEnd: (bpm: number | undefined) => void): TempoDetection {
  let detection: Scope | undefined
  return {
    start(sound) {
      detection?.dispose()
      const ownDetection = createScope()
      detection = ownDetection
      ownDetection.timeout(async () => {
        const bpm = await detectTempo(sound, ownDetection.signal).catch(() => undefined)
        if (!ownDetection.signal.aborted) onEnd(bpm)
      }, START_AFTER_MS)
    },
    cancel: () => detection?.dispose(),
  }
}
