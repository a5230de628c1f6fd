import type { LoopRange, MakerSettings } from './engine.ts'
import { createLoudnessMatcher, type LoudnessMatcher, type MonitorSource } from './loudness.ts'
import { createEditedSource, createOriginalSource, type PreviewLevel, type PreviewSource } from './preview-source.ts'
import { createRenderClient, type RenderClient } from './render-client.ts'
import type { Sound } from './sound.ts'

/** The sound, settings and loop that the preview plays. */
export interface PreviewTarget {
  /** The sound with its edits. */
  readonly sound: Sound
  readonly settings: MakerSettings
  readonly monitor: 'edited' | 'original'
  readonly loop: LoopRange
  /** The gain of the edited sound; `undefined` plays it as it is. */
  readonly level?: PreviewLevel | undefined
}

/**
 * The original and the edited sound, between which a person can switch. From the first switch on, the two are made equally loud.
 *
 * @param onEditedEnd called before the source of the edited sound becomes unreadable
 */
export function createMonitorSources(onEditedEnd: () => void) {
  let original: (MonitorSource & { readonly sound: Sound; readonly loudnessMatch: LoudnessMatcher }) | undefined
  let edited: (MonitorSource & Pick<PreviewTarget, 'sound' | 'settings' | 'level'>) | undefined
  let renderClient: RenderClient | undefined
  let isMatched = false

  /** Returns the source of the original sound. Each edit of the sound creates a new source. */
  function originalOf(sound: Sound) {
    if (original?.sound !== sound) {
      const monitorSource = { source: createOriginalSource(sound), peakSoFar: { peak: 0 } }
      original = { ...monitorSource, sound, loudnessMatch: createLoudnessMatcher(monitorSource) }
    }
    return original
  }

  function renewEdited(sound: Sound, settings: MakerSettings, level: PreviewLevel | undefined) {
    onEditedEnd()
    renderClient ??= createRenderClient()
    edited = { sound, settings, level, source: createEditedSource(renderClient, sound, settings, level), peakSoFar: { peak: 0 } }
  }

  return {
    /** Returns the source that plays `target`. After a change of settings, the source of the previous settings must not be read. */
    async sourceFor({ sound, settings, monitor, level }: Omit<PreviewTarget, 'loop'>) {
      const soundOriginal = originalOf(sound)
      if (monitor === 'original') isMatched = true
      const isOutdated = edited?.settings !== settings || edited.sound !== sound || edited.level !== level
      if (isOutdated && (monitor === 'edited' || isMatched)) renewEdited(sound, settings, level)
      if (monitor === 'edited' && edited !== undefined) return edited
      if (edited !== undefined) await soundOriginal.loudnessMatch.measure(edited)
      return soundOriginal
    },
    isEdited: (source: PreviewSource) => source === edited?.source,
    /** Returns the gain that makes the edited and the original sound equally loud. */
    gainOf: (source: PreviewSource) => original?.loudnessMatch.gainOf(source) ?? 1,
    /** Measures the loudness of the edited sound. Resolves with false, without measuring, if the original was never selected. */
    async matchEdited() {
      if (!isMatched || edited === undefined) return false
      await originalOf(edited.sound).loudnessMatch.measure(edited)
      return true
    },
    /** Prepares the render worker for changes of the settings. */
    warmUp: () => renderClient?.warmUp(),
    /** Terminates the render worker, after a failure or when the preview is disposed. The next edited source starts a new one. */
    reset() {
      renderClient?.terminate()
      renderClient = undefined
      edited = undefined
    },
  }
}

export type MonitorSources = ReturnType<typeof createMonitorSources>
