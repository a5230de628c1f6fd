import { computePlannedOutputFrames, planRender } from '../../dsp/render-plan.ts'
import { createHistory } from './edit-history.ts'
import type { EngineState, LoopRange, MakerSettings, OutputOptions, Position, Progress } from './engine.ts'
import { clampSettings, DEFAULT_SETTINGS, toPlaybackRate, toRenderSettings } from './render-settings.ts'
import { NO_EDITS } from './sound-edits.ts'

export const START_POSITION: Position = { sourceS: 0, peakDb: [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY] }
export const NO_PROGRESS: Progress = { loadProgress: undefined, exportProgress: undefined }
export const EMPTY_LOOP: LoopRange = { on: true, startS: 0, endS: 0 }
/** By default, exported files have the tags of the song's file, the usual names, and an unchanged level. */
export const DEFAULT_OUTPUT: OutputOptions = { tags: {}, namePattern: '', targetLufs: undefined }

export function createEmptyEngineState(initialSettings: Partial<MakerSettings>): EngineState {
  const settings = clampSettings(DEFAULT_SETTINGS, initialSettings)
  return withDerivedFields({
    phase: 'empty',
    sound: undefined,
    settings,
    edits: NO_EDITS,
    history: createHistory({ settings, edits: NO_EDITS }),
    rate: 1,
    lengthS: 0,
    isPlaying: false,
    monitor: 'edited',
    loop: EMPTY_LOOP,
    volume: 1,
    isDetectingTempo: false,
    runningExport: undefined,
    waitingExports: [],
    output: DEFAULT_OUTPUT,
    projectId: undefined,
    saveProblem: undefined,
  })
}

/** Returns the state with `rate` and `lengthS` computed from its settings and its sound. */
export function withDerivedFields(state: EngineState): EngineState {
  const { sound, settings } = state
  const frames =
    sound === undefined ? 0 : computePlannedOutputFrames(planRender(toRenderSettings(settings, sound.sampleRate)), sound.frames)
  return { ...state, rate: toPlaybackRate(settings), lengthS: sound === undefined ? 0 : frames / sound.sampleRate }
}

/** Limits a loop to the sound and orders its ends. NaN counts as 0. */
export function clampLoop({ on, startS, endS }: LoopRange, durationS: number): LoopRange {
  const clampSeconds = (seconds: number) => Math.min(durationS, Math.max(0, seconds || 0))
  const [clampedStartS, clampedEndS] = [clampSeconds(startS), clampSeconds(endS)]
  return { on, startS: Math.min(clampedStartS, clampedEndS), endS: Math.max(clampedStartS, clampedEndS) }
}
