import type { EditHistory, EditStep, Fade, MakerSettings, SoundEdits } from './engine.ts'
import { clampSettings, DEFAULT_SETTINGS } from './render-settings.ts'
import { FADE_SHAPES, NO_EDITS, NO_FADE } from './sound-edits.ts'

/** The maximum number of steps in the edit history of a project. */
export const MAX_STEPS = 100

export const createHistory = (step: EditStep): EditHistory => ({ steps: [step], index: 0 })

/** Returns the names of the settings and edits in which two steps differ. */
function changedNames(a: EditStep, b: EditStep): string[] {
  const settingNames = (Object.keys(a.settings) as (keyof MakerSettings)[]).filter((name) => a.settings[name] !== b.settings[name])
  const editNames = (Object.keys(a.edits) as (keyof SoundEdits)[]).filter(
    (name) => JSON.stringify(a.edits[name]) !== JSON.stringify(b.edits[name]),
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
  const isChange = previousStep === undefined || changedNames(previousStep, step).length > 0
  if (!isChange && earlierSteps.length === index + 1) return { steps, index }
  const newSteps = isChange ? [...earlierSteps, step].slice(-MAX_STEPS) : earlierSteps
  return { steps: newSteps, index: newSteps.length - 1 }
}

/** Changes of one value at most this many milliseconds apart are combined into one step. */
const CONTINUATION_MS = 800

/** Returns the function that adds steps. Changes of one value in quick succession are combined into one step. */
export function createStepRecorder() {
  let lastChange: { readonly name: string; readonly atMs: number; readonly history: EditHistory } | undefined
  return (history: EditHistory, step: EditStep, nowMs: number): EditHistory => {
    const currentStep = history.steps[history.index]
    const settingNames = currentStep === undefined ? [] : changedNames(currentStep, step)
    const [name] = settingNames
    if (name === undefined) return history
    const isContinuation =
      settingNames.length === 1 && lastChange?.history === history && lastChange.name === name && nowMs - lastChange.atMs < CONTINUATION_MS
    const newHistory = addStep(history, step, isContinuation)
    lastChange = settingNames.length === 1 ? { name, atMs: nowMs, history: newHistory } : undefined
    return newHistory
  }
}

/** Reads a stored history; `undefined` if it is not valid. Values out of range are limited. */
export function parseHistory(value: unknown): EditHistory | undefined {
  if (!isObject(value) || !Array.isArray(value.steps) || !Number.isInteger(value.index)) return undefined
  const index = Number(value.index)
  const steps = value.steps.map(parseStep).filter((step) => step !== undefined)
  return steps.length === value.steps.length && steps.length <= MAX_STEPS && index in steps ? { steps, index } : undefined
}

function parseStep(value: unknown): EditStep | undefined {
  if (!isObject(value) || !isObject(value.settings) || !isObject(value.edits)) return undefined
  const { range, fadeIn, fadeOut } = value.edits
  const settings = Object.fromEntries(Object.entries(value.settings).filter(([, setting]) => typeof setting === 'number'))
  return {
    settings: clampSettings(DEFAULT_SETTINGS, settings),
    edits: {
      ...NO_EDITS,
      ...(isObject(range) &&
        isFrame(range.startFrame) &&
        isFrame(range.endFrame) && { range: { startFrame: range.startFrame, endFrame: range.endFrame } }),
      fadeIn: parseFade(fadeIn),
      fadeOut: parseFade(fadeOut),
    },
  }
}

function parseFade(value: unknown): Fade {
  if (!isObject(value) || typeof value.seconds !== 'number' || !(value.seconds > 0)) return NO_FADE
  return { seconds: value.seconds, shape: FADE_SHAPES.find((shape) => shape === value.shape) ?? NO_FADE.shape }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isFrame = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
