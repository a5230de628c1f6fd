import { createCleanupScope, type Scope } from '../primitives/scope.ts'
import type { MakerSettings } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import type { Sound } from './sound.ts'
import type { OpenSound, SoundSlot } from './sound-slot.ts'

/** The delay in milliseconds after the last change, because the whole sound is rendered for its level. */
const LEVEL_MEASUREMENT_DELAY_MS = 700

/** The values on which the level of the preview depends. */
interface LevelRequest {
  readonly sound: Sound | undefined
  readonly settings: MakerSettings
  readonly targetLufs: number | undefined
}

const isSameRequest = (a: LevelRequest, b: LevelRequest | undefined) =>
  a.sound === b?.sound && a.settings === b?.settings && a.targetLufs === b?.targetLufs

/**
 * Plays the preview at the loudness that is chosen for exported files. The gain is computed a moment after each change, while nothing is
 * exported.
 */
export function createLevelPreview(model: EngineModel, soundSlot: SoundSlot) {
  /** The request whose level is already played, and the request whose level is being computed. */
  let playedRequest: LevelRequest | undefined
  let pendingRequest: LevelRequest | undefined
  let taskScope: Scope | undefined

  function updateLevel() {
    const { settings, output, runningExport } = model.state
    const { current } = soundSlot
    const wantedRequest = { sound: current?.editedSound, settings, targetLufs: output.targetLufs }
    if (runningExport !== undefined) {
      taskScope?.dispose()
      pendingRequest = undefined
    } else if (!isSameRequest(wantedRequest, playedRequest) && !isSameRequest(wantedRequest, pendingRequest)) {
      taskScope?.dispose()
      pendingRequest = wantedRequest
      if (current !== undefined && wantedRequest.targetLufs !== undefined) measureLevel(current, wantedRequest, wantedRequest.targetLufs)
      else {
        if (playedRequest?.targetLufs !== undefined) current?.preview.apply({ level: undefined })
        playedRequest = wantedRequest
      }
    }
  }

  function measureLevel({ preview, editedSound }: OpenSound, wantedRequest: LevelRequest, targetLufs: number) {
    const measurementScope = createCleanupScope()
    taskScope = measurementScope
    const applyLevel = async () => {
      const { computePreviewLevel } = await import('./level.ts')
      const previewLevel = await computePreviewLevel(editedSound, wantedRequest.settings, targetLufs, measurementScope.signal)
      if (measurementScope.signal.aborted) return
      preview.apply({ level: previewLevel })
      playedRequest = wantedRequest
    }
    // If the level cannot be computed, the sound is played with an unchanged level.
    measurementScope.timeout(() => void applyLevel().catch(() => {}), LEVEL_MEASUREMENT_DELAY_MS)
  }

  const unsubscribe = model.subscribe(updateLevel)
  return {
    dispose() {
      unsubscribe()
      taskScope?.dispose()
    },
  }
}
