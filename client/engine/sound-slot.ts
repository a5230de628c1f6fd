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
  edited: Sound
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
    open(create: CreatePreview, sound: Sound, details: LoadedSound, edits: SoundEdits, target: Omit<PreviewTarget, 'sound'>): OpenSound {
      close()
      const editedSound = editSound(sound, edits)
      const preview = create({
        target: { ...target, sound: editedSound },
        volume: model.state.volume,
        onOutput,
        onPosition: model.setPosition,
        onStop: () => model.setState({ isPlaying: current?.preview.isPlaying === true }),
      })
      current = { sound, details, edited: editedSound, preview }
      return current
    },
    close,
  }
}

export type SoundSlot = ReturnType<typeof createSoundSlot>
