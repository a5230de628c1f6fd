import type { LoadedSound, SoundEdits } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { START_POSITION } from './engine-state.ts'
import type { ExportRunner } from './export-runner.ts'
import type { PreviewTarget } from './monitor-sources.ts'
import type { createPreview, Preview, PreviewDeps } from './preview.ts'
import type { Sound } from './sound.ts'
import { editSound } from './sound-edits.ts'

/** The function that plays sounds. Its code is loaded with the first sound. */
export type CreatePreview = typeof createPreview

/** A sound and its preview, which are disposed together. */
export interface OpenSound {
  /** The sound of the whole file. */
  readonly sound: Sound
  readonly details: LoadedSound
  /** The sound with its edits, which is played and exported. */
  editedSound: Sound
  readonly preview: Preview
}

export interface SoundSlotDeps {
  readonly model: EngineModel
  readonly exportRunner: ExportRunner
  readonly onOutput: PreviewDeps['onOutput']
}

/** Holds the open sound. Opening another sound replaces it. */
export function createSoundSlot({ model, exportRunner, onOutput }: SoundSlotDeps) {
  let currentSound: OpenSound | undefined

  function closeSound() {
    if (currentSound !== undefined) {
      const { preview, sound } = currentSound
      preview.dispose()
      // A running export may read the sound until it ends.
      if (exportRunner.isRunning) void exportRunner.whenIdle().then(() => sound.dispose())
      else sound.dispose()
      currentSound = undefined
    }
    model.setPosition(START_POSITION)
  }

  return {
    get current() {
      return currentSound
    },
    open(
      createPreview: CreatePreview,
      sound: Sound,
      loadedSound: LoadedSound,
      soundEdits: SoundEdits,
      target: Omit<PreviewTarget, 'sound'>,
    ): OpenSound {
      closeSound()
      const editedSound = editSound(sound, soundEdits)
      const preview = createPreview({
        target: { ...target, sound: editedSound },
        volume: model.state.volume,
        onOutput,
        onPosition: model.setPosition,
        onStop: () => model.setState({ isPlaying: currentSound?.preview.isPlaying === true }),
      })
      currentSound = { sound, details: loadedSound, editedSound, preview }
      return currentSound
    },
    close: closeSound,
  }
}

export type SoundSlot = ReturnType<typeof createSoundSlot>
