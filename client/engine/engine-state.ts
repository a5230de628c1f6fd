import { plannedFrames, planRender } from '../../dsp/render-plan.ts'
import type { EngineState, LoopRange, MakerSettings, Position } from './engine.ts'
import { rateOf, renderSettings, withChanges } from './render-settings.ts'

const DEFAULT_SETTINGS: MakerSettings = { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
export const AT_REST: Position = { sourceS: 0, peakDb: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] }
export const NO_LOOP: LoopRange = { on: true, startS: 0, endS: 0 }

export const emptyState = (settings: Partial<MakerSettings>): EngineState =>
  withFigures({
    phase: 'empty',
    loadProgress: undefined,
    sound: undefined,
    settings: withChanges(DEFAULT_SETTINGS, settings),
    rate: 1,
    lengthS: 0,
    playing: false,
    heard: 'edited',
    loop: NO_LOOP,
    volume: 1,
    exporting: undefined,
  })

/** With what follows from the settings. */
export function withFigures(state: EngineState): EngineState {
  const { sound, settings } = state
  const frames = sound === undefined ? 0 : plannedFrames(planRender(renderSettings(settings, sound.sampleRate)), sound.frames)
  return { ...state, rate: rateOf(settings), lengthS: sound === undefined ? 0 : frames / sound.sampleRate }
}

/** Within the sound, its start before its end. */
export function clampLoop({ on, startS, endS }: LoopRange, durationS: number): LoopRange {
  const [start, end] = [startS, endS].map((each) => Math.min(durationS, Math.max(0, each || 0))) as [number, number]
  return { on, startS: Math.min(start, end), endS: Math.max(start, end) }
}
