import type { EngineModel } from './engine-model.ts'
import { START_POSITION } from './engine-state.ts'
import type { ExportRunner } from './export-runner.ts'
import type { PreviewTarget } from './monitor-sources.ts'
import { createPreview, type Preview, type PreviewDeps } from './preview.ts'
import type { Sound } from './sound.ts'

/** A sound and its preview, which are disposed together. */
export interface OpenSound {
  readonly sound: Sound
  readonly preview: Preview
}

export interface SoundSlotDeps {
  readonly model: EngineModel
  readonly exportRunner: ExportRunner
  readonly onOutput: PreviewDeps['onOutput']
}

/** Holds the open sound. Opening another sound replaces it. */
export function createSoundSlot({ model, exportRunner, onOutput }: SoundSlotDeps) {
  let current: OpenSound | undefined

  function close() {
    if (current !== undefined) {
      const { preview, sound } = current
      preview.dispose()
      // A running export may read the sound until it ends.
      if (exportRunner.isRunning) void exportRunner.whenIdle().then(() => sound.dispose())
      else sound.dispose()
      current = undefined
    }
    model.setPosition(START_POSITION)
  }

  return {
    get current() {
      return current
    },
    open(sound: Sound, target: PreviewTarget) {
      close()
      const preview = createPreview({
        sound,
        target,
        volume: model.state.volume,
        onOutput,
        onPosition: model.setPosition,
        onStop: () => model.setState({ isPlaying: current?.preview.isPlaying === true }),
      })
      current = { sound, preview }
      return current
    },
    close,
  }
}

export type SoundSlot = ReturnType<typeof createSoundSlot>
