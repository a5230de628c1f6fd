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

/** The original and the edited sound, which the monitor compares. They are matched in loudness from the first comparison on. */
export interface MonitorSources {
  /** Returns the source that plays `target`. After a change of settings, the source of the previous settings must not be read. */
  sourceFor(target: Pick<PreviewTarget, 'settings' | 'monitor'>): Promise<MonitorSource>
  isEdited(source: PreviewSource): boolean
  /** Returns the gain that makes the source as loud as the other one. */
  gainOf(source: PreviewSource): number
  /** Measures the loudness of the edited sound. Resolves with false if nothing is compared. */
  matchEdited(): Promise<boolean>
  /** Prepares the render worker for changes of the settings. */
  warmUp(): Promise<void> | undefined
  /** Ends the render worker, after a failure or at the end. The next edited source starts a new one. */
  reset(): void
}

/** @param onEditedEnd called before the source of the edited sound becomes unreadable */
export function createMonitorSources(sound: Sound, onEditedEnd: () => void): MonitorSources {
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
    async sourceFor({ settings, monitor }) {
      if (monitor === 'original') isMatched = true
      if (edited?.settings !== settings && (monitor === 'edited' || isMatched)) renewEdited(settings)
      if (monitor === 'edited' && edited !== undefined) return edited
      if (edited !== undefined) await loudnessMatch.measure(edited)
      return original
    },
    isEdited: (source) => source !== original.source,
    gainOf: loudnessMatch.gainOf,
    async matchEdited() {
      if (!isMatched || edited === undefined) return false
      await loudnessMatch.measure(edited)
      return true
    },
    warmUp: () => renderClient?.warmUp(),
    reset() {
      renderClient?.terminate()
      renderClient = undefined
      edited = undefined
    },
  }
}
