import type { LoopRange, MakerSettings } from './engine.ts'
import { createLoudnessMatch, type MonitorSource } from './loudness.ts'
import { editedSource, originalSource, type PreviewSource } from './preview-source.ts'
import { createRenderClient, type RenderClient } from './render-client.ts'
import type { Sound } from './sound.ts'

/** The sound, settings and loop that the preview plays. */
export interface PreviewTarget {
  readonly settings: MakerSettings
  readonly monitor: 'edited' | 'original'
  readonly loop: LoopRange
}

/**
 * The original and the edited sound, between which a person can switch. From the first switch on, the two are made equally loud.
 *
 * @param onEditedEnd called before the source of the edited sound becomes unreadable
 */
export function createMonitorSources(sound: Sound, onEditedEnd: () => void) {
  const original: MonitorSource = { source: originalSource(sound), peakSoFar: { peak: 0 } }
  const loudnessMatch = createLoudnessMatch(original)
  let edited: (MonitorSource & { readonly settings: MakerSettings }) | undefined
  let renderClient: RenderClient | undefined
  let isMatched = false

  function renewEdited(settings: MakerSettings) {
    onEditedEnd()
    renderClient ??= createRenderClient()
    edited = { settings, source: editedSource(renderClient, sound, settings), peakSoFar: { peak: 0 } }
  }

  return {
    /** Returns the source that plays `target`. After a change of settings, the source of the previous settings must not be read. */
    async sourceFor({ settings, monitor }: Pick<PreviewTarget, 'settings' | 'monitor'>) {
      if (monitor === 'original') isMatched = true
      if (edited?.settings !== settings && (monitor === 'edited' || isMatched)) renewEdited(settings)
      if (monitor === 'edited' && edited !== undefined) return edited
      if (edited !== undefined) await loudnessMatch.measure(edited)
      return original
    },
    isEdited: (source: PreviewSource) => source !== original.source,
    /** Returns the gain that makes the edited and the original sound equally loud. */
    gainOf: loudnessMatch.gainOf,
    /** Measures the loudness of the edited sound. Resolves with false, without measuring, if the original was never selected. */
    async matchEdited() {
      if (!isMatched || edited === undefined) return false
      await loudnessMatch.measure(edited)
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
