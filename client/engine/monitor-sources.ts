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
 * @param onEditedSourceEnd called before the source of the edited sound becomes unreadable
 */
export function createMonitorSources(onEditedSourceEnd: () => void) {
  let originalMonitor: (MonitorSource & { readonly sound: Sound; readonly loudnessMatch: LoudnessMatcher }) | undefined
  let editedMonitor: (MonitorSource & Pick<PreviewTarget, 'sound' | 'settings' | 'level'>) | undefined
  let renderClient: RenderClient | undefined
  let isLoudnessMatched = false

  /** Returns the source of the original sound. Each edit of the sound creates a new source. */
  function getOriginalSource(sound: Sound) {
    if (originalMonitor?.sound !== sound) {
      const monitorSource = { source: createOriginalSource(sound), peakSoFar: { peak: 0 } }
      originalMonitor = { ...monitorSource, sound, loudnessMatch: createLoudnessMatcher(monitorSource) }
    }
    return originalMonitor
  }

  function renewEditedSource(sound: Sound, settings: MakerSettings, level: PreviewLevel | undefined) {
    onEditedSourceEnd()
    renderClient ??= createRenderClient()
    editedMonitor = { sound, settings, level, source: createEditedSource(renderClient, sound, settings, level), peakSoFar: { peak: 0 } }
  }

  return {
    /** Returns the source that plays `target`. After a change of settings, the source of the previous settings must not be read. */
    async sourceFor({ sound, settings, monitor, level }: Omit<PreviewTarget, 'loop'>) {
      const originalSource = getOriginalSource(sound)
      if (monitor === 'original') isLoudnessMatched = true
      const isMonitorOutdated = editedMonitor?.settings !== settings || editedMonitor.sound !== sound || editedMonitor.level !== level
      if (isMonitorOutdated && (monitor === 'edited' || isLoudnessMatched)) renewEditedSource(sound, settings, level)
      if (monitor === 'edited' && editedMonitor !== undefined) return editedMonitor
      if (editedMonitor !== undefined) await originalSource.loudnessMatch.measure(editedMonitor)
      return originalSource
    },
    isEdited: (source: PreviewSource) => source === editedMonitor?.source,
    /** Returns the gain that makes the edited and the original sound equally loud. */
    gainOf: (source: PreviewSource) => originalMonitor?.loudnessMatch.gainOf(source) ?? 1,
    /** Measures the loudness of the edited sound. Resolves with false, without measuring, if the original was never selected. */
    async matchEdited() {
      if (!isLoudnessMatched || editedMonitor === undefined) return false
      await getOriginalSource(editedMonitor.sound).loudnessMatch.measure(editedMonitor)
      return true
    },
    /** Prepares the render worker for changes of the settings. */
    warmUp: () => renderClient?.warmUp(),
    /** Terminates the render worker, after a failure or when the preview is disposed. The next edited source starts a new one. */
    reset() {
      renderClient?.terminate()
      renderClient = undefined
      editedMonitor = undefined
    },
  }
}

export type MonitorSources = ReturnType<typeof createMonitorSources>
