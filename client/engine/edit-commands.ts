import { createStepRecorder } from './edit-history.ts'
import type { EditHistory, EditStep, Engine, EngineState, FrameRange, MakerSettings, SoundEdits } from './engine.ts'
import type { EngineModel } from './engine-model.ts'
import { clampLoop } from './engine-state.ts'
import type { ProjectStore } from './projects/project-store.ts'
import { clampSettings } from './render-settings.ts'
import { computeEditedLength, editSound, findKeptRange } from './sound-edits.ts'
import type { OpenSound, SoundSlot } from './sound-slot.ts'

type EditCommands = Pick<Engine, 'changeSettings' | 'changeEdits' | 'keepRange' | 'cutSilence' | 'goToStep'>

/** The commands that change settings and edits. Each change is a step that can be undone, and is saved with the project. */
export function createEditCommands(model: EngineModel, soundSlot: SoundSlot, store: ProjectStore): EditCommands {
  const recordStep = createStepRecorder()

  /** Shows and plays a step. The preview starts to render before the page draws the change, so that the sound changes first. */
  function showStep({ settings, edits }: EditStep, history: EditHistory) {
    const openSound = soundSlot.current
    if (openSound !== undefined && edits !== model.state.edits) {
      model.setState({ settings, edits, history, ...applyEdits(openSound, edits, settings) })
    } else {
      openSound?.preview.apply({ settings })
      model.setState({ settings, edits, history })
    }
    if (openSound === undefined) return
    store.saveSettings(model.state.settings, model.state.lengthS)
    store.saveHistory(model.state.history)
  }

  /**
   * Plays the edited sound, and returns its details and its loop. The position and the loop stay at the same places in the music, unless
   * the edit removes these places.
   */
  function applyEdits(openSound: OpenSound, soundEdits: SoundEdits, settings: MakerSettings): Pick<EngineState, 'sound' | 'loop'> {
    const { sound: soundDetails, loop: earlierLoop, edits: earlierEdits } = model.state
    const { sound, preview } = openSound
    const newLength = computeEditedLength(openSound.details, soundEdits)
    const [keptRange, earlierKeptRange] = [findKeptRange(soundEdits, sound.frames), findKeptRange(earlierEdits, sound.frames)]
    const isSameRange = keptRange.startFrame === earlierKeptRange.startFrame && keptRange.endFrame === earlierKeptRange.endFrame
    const shiftS = (earlierKeptRange.startFrame - keptRange.startFrame) / sound.sampleRate
    const shiftedLoop = { ...earlierLoop, startS: earlierLoop.startS + shiftS, endS: earlierLoop.endS + shiftS }
    const clampedLoop = clampLoop(isSameRange ? earlierLoop : shiftedLoop, newLength.durationS)
    const newLoop = clampedLoop.endS > clampedLoop.startS ? clampedLoop : { ...clampedLoop, startS: 0, endS: newLength.durationS }
    const positionS = preview.positionS + shiftS
    openSound.editedSound = editSound(sound, soundEdits)
    preview.apply({ sound: openSound.editedSound, settings, loop: newLoop })
    if (!isSameRange) preview.seek(positionS < newLength.durationS ? positionS : 0)
    if (!isSameRange) store.saveLoop(newLoop)
    return { loop: newLoop, sound: soundDetails && { ...soundDetails, ...newLength } }
  }

  function changeStep(stepChanges: Partial<EditStep>) {
    const { settings, edits, history } = model.state
    const step = { settings, edits, ...stepChanges }
    showStep(step, recordStep(history, step, performance.now()))
  }

  const changeEdits = (changes: Partial<SoundEdits>) => changeStep({ edits: { ...model.state.edits, ...changes } })

  /** Keeps a range of the file. A range that covers the whole file removes the cut. */
  function keepFrames({ startFrame, endFrame }: FrameRange, fileFrames: number) {
    const isWhole = startFrame <= 0 && endFrame >= fileFrames
    changeEdits({ range: isWhole ? undefined : findKeptRange({ range: { startFrame, endFrame } }, fileFrames) })
  }

  return {
    changeSettings: (changes) => changeStep({ settings: clampSettings(model.state.settings, changes) }),
    changeEdits,
    keepRange(startS, endS) {
      const openedSound = soundSlot.current?.sound
      if (openedSound === undefined || !(endS > startS)) return
      const range = findKeptRange(model.state.edits, openedSound.frames)
      const findFrameAt = (seconds: number) =>
        Math.min(range.endFrame, range.startFrame + Math.round(Math.max(0, seconds) * openedSound.sampleRate))
      keepFrames({ startFrame: findFrameAt(startS), endFrame: findFrameAt(endS) }, openedSound.frames)
    },
    async cutSilence() {
      const openSound = soundSlot.current
      const { edits } = model.state
      if (openSound === undefined) return false
      const { sound } = openSound
      const { findSoundRange } = await import('./find-silence.ts')
      const range = findKeptRange(edits, sound.frames)
      const soundRange = await findSoundRange(sound, range)
      const isSoundOutdated = soundSlot.current !== openSound || model.state.edits !== edits
      const hasNoSilence = soundRange?.startFrame === range.startFrame && soundRange.endFrame === range.endFrame
      if (soundRange === undefined || isSoundOutdated || hasNoSilence) return false
      keepFrames(soundRange, sound.frames)
      return true
    },
    goToStep(index) {
      const { history } = model.state
      const step = history.steps[index]
      if (step === undefined || index === history.index) return
      showStep(step, { ...history, index })
    },
  }
}
