import type { EditHistory, EditStep, Fade, MakerSettings, SoundEdits } from './engine.ts'
import { clampSettings, DEFAULT_SETTINGS } from './render-settings.ts'
import { FADE_SHAPES, NO_EDITS, NO_FADE } from './sound-edits.ts'

/** The maximum number of steps in the edit history of a project. */
export const MAX_STEPS = 100

export const createHistory = (step: EditStep): EditHistory => ({ steps: [step], index: 0 })

/** Returns the names of the settings and edits in which two steps differ. */
function listChangedNames(firstStep: EditStep, secondStep: EditStep): string[] {
  const settingNames = (Object.keys(firstStep.settings) as (keyof MakerSettings)[]).filter(
    (name) => firstStep.settings[name] !== secondStep.settings[name],
  )
  const editNames = (Object.keys(firstStep.edits) as (keyof SoundEdits)[]).filter(
    (name) => JSON.stringify(firstStep.edits[name]) !== JSON.stringify(secondStep.edits[name]),
  )
  return [...settingNames, ...editNames]
}

/**
 * Adds a step after the current one, and drops the steps that were undone. With `isContinuation`, the step replaces the current one, so
 * that dragging a slider makes only one step. A step that changes nothing is not added.
 */
export function addStep({ steps, index }: EditHistory, step: EditStep, isContinuation = false): EditHistory {
  const earlierSteps = steps.slice(0, isContinuation && index > 0 ? index : index + 1)
  const previousStep = earlierSteps.at(-1)
  const isStepChanged = previousStep === undefined || listChangedNames(previousStep, step).length > 0
  if (!isStepChanged && earlierSteps.length === index + 1) return { steps, index }
  const newSteps = isStepChanged ? [...earlierSteps, step].slice(-MAX_STEPS) : earlierSteps
  return { steps: newSteps, index: newSteps.length - 1 }
}

/** Changes of one value at most this many milliseconds apart are combined into one step. */
const STEP_CONTINUATION_MS = 800

/** Returns the function that adds steps. Changes of one value in quick succession are combined into one step. */
export function createStepRecorder() {
  let lastChange: { readonly name: string; readonly atMs: number; readonly history: EditHistory } | undefined
  return (history: EditHistory, step: EditStep, nowMs: number): EditHistory => {
    const currentStep = history.steps[history.index]
    const settingNames = currentStep === undefined ? [] : listChangedNames(currentStep, step)
    const [settingName] = settingNames
    if (settingName === undefined) return history
    const isContinuation =
      settingNames.length === 1 &&
      lastChange?.history === history &&
      lastChange.name === settingName &&
      nowMs - lastChange.atMs < STEP_CONTINUATION_MS
    const newHistory = addStep(history, step, isContinuation)
    lastChange = settingNames.length === 1 ? { name: settingName, atMs: nowMs, history: newHistory } : undefined
    return newHistory
  }
}

/** Reads a stored history; `undefined` if it is not valid. Values out of range are limited. */
export function parseHistory(storedValue: unknown): EditHistory | undefined {
  if (!isRecordObject(storedValue) || !Array.isArray(storedValue.steps) || !Number.isInteger(storedValue.index)) return undefined
  const index = Number(storedValue.index)
  const steps = storedValue.steps.map(parseStep).filter((step) => step !== undefined)
  return steps.length === storedValue.steps.length && steps.length <= MAX_STEPS && index in steps ? { steps, index } : undefined
}

function parseStep(storedValue: unknown): EditStep | undefined {
  if (!isRecordObject(storedValue) || !isRecordObject(storedValue.settings) || !isRecordObject(storedValue.edits)) return undefined
  const { range, fadeIn, fadeOut } = storedValue.edits
  const settings = Object.fromEntries(Object.entries(storedValue.settings).filter(([, setting]) => typeof setting === 'number'))
  return {
    settings: clampSettings(DEFAULT_SETTINGS, settings),
    edits: {
      ...NO_EDITS,
      ...(isRecordObject(range) &&
        isFrameNumber(range.startFrame) &&
        isFrameNumber(range.endFrame) && { range: { startFrame: range.startFrame, endFrame: range.endFrame } }),
      fadeIn: parseFade(fadeIn),
      fadeOut: parseFade(fadeOut),
    },
  }
}

function parseFade(storedValue: unknown): Fade {
  if (!isRecordObject(storedValue) || typeof storedValue.seconds !== 'number' || !(storedValue.seconds > 0)) return NO_FADE
  return { seconds: storedValue.seconds, shape: FADE_SHAPES.find((shape) => shape === storedValue.shape) ?? NO_FADE.shape }
}

const isRecordObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isFrameNumber = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
