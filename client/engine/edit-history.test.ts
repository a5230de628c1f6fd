import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addStep, createHistory, createStepRecorder, MAX_STEPS, parseHistory } from './edit-history.ts'
import type { EditStep } from './engine.ts'
import { FADE_SHAPES, NO_EDITS } from './sound-edits.ts'

const FIRST_STEP: EditStep = { settings: { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }, edits: NO_EDITS }
const createSpeedStep = (speed: number): EditStep => ({ ...FIRST_STEP, settings: { ...FIRST_STEP.settings, speed } })

const anyFade = fc.record({ seconds: fc.double({ min: 0.01, max: 60, noNaN: true }), shape: fc.constantFrom(...FADE_SHAPES) })
const anyStep: fc.Arbitrary<EditStep> = fc.record({
  settings: fc.record({
    speed: fc.double({ min: 0.1, max: 2, noNaN: true }),
    pitch: fc.integer({ min: -12, max: 12 }),
    reverbSize: fc.integer({ min: 0, max: 100 }),
    reverbAmount: fc.integer({ min: 0, max: 100 }),
    bassDb: fc.integer({ min: -12, max: 12 }),
  }),
  edits: fc.record({
    range: fc.option(fc.record({ startFrame: fc.nat(1000), endFrame: fc.nat(100_000) }), { nil: undefined }),
    fadeIn: anyFade,
    fadeOut: anyFade,
  }),
})

it('edit history: undo and redo return to the same steps, in any order, also after storing', () => {
  const anyAction = fc.oneof(anyStep, fc.constantFrom('undo' as const, 'redo' as const, 'store' as const))
  fc.assert(
    fc.property(fc.array(anyAction, { maxLength: 60 }), (actions) => {
      let history = createHistory(FIRST_STEP)
      let [doneSteps, undoneSteps]: [EditStep[], EditStep[]] = [[FIRST_STEP], []]
      for (const historyAction of actions) {
        if (historyAction === 'undo') {
          const last = doneSteps.length > 1 ? doneSteps.pop() : undefined
          if (last !== undefined) undoneSteps.push(last)
          history = { ...history, index: Math.max(0, history.index - 1) }
        } else if (historyAction === 'redo') {
          const next = undoneSteps.pop()
          if (next !== undefined) doneSteps.push(next)
          history = { ...history, index: Math.min(history.steps.length - 1, history.index + 1) }
        } else if (historyAction === 'store') {
          history = parseHistory(JSON.parse(JSON.stringify(history))) ?? createHistory(FIRST_STEP)
        } else {
          const isChange = JSON.stringify(historyAction) !== JSON.stringify(doneSteps.at(-1))
          if (isChange) [doneSteps, undoneSteps] = [[...doneSteps, historyAction], []]
          history = addStep(history, historyAction)
        }
        expect(history.steps).toEqual([...doneSteps, ...undoneSteps.toReversed()])
        expect(history.index).toBe(doneSteps.length - 1)
      }
    }),
  )
})

it('edit history: dragging a slider makes one step, or none if the slider returns to its initial value', () => {
  const recordStep = createStepRecorder()
  let history = createHistory(FIRST_STEP)
  for (const [index, speed] of [1.1, 1.2, 1.3].entries()) history = recordStep(history, createSpeedStep(speed), index * 100)
  expect(history.steps.map(({ settings }) => settings.speed)).toEqual([1, 1.3])
  history = recordStep(history, createSpeedStep(1.4), 5000)
  expect(history.steps.map(({ settings }) => settings.speed)).toEqual([1, 1.3, 1.4])
  history = recordStep(history, createSpeedStep(1.3), 5100)
  expect(history).toEqual({ steps: [FIRST_STEP, createSpeedStep(1.3)], index: 1 })
})

it('edit history: a change after undo is a step of its own, and removes the undone steps', () => {
  const recordStep = createStepRecorder()
  const changedHistory = recordStep(recordStep(createHistory(FIRST_STEP), createSpeedStep(1.1), 0), createSpeedStep(1.5), 5000)
  const undoneHistory = { ...changedHistory, index: 1 }
  expect(recordStep(undoneHistory, createSpeedStep(1.6), 5001)).toEqual({
    steps: [FIRST_STEP, createSpeedStep(1.1), createSpeedStep(1.6)],
    index: 2,
  })
})

it('edit history: the oldest of more than MAX_STEPS steps is dropped', () => {
  let history = createHistory(FIRST_STEP)
  for (let step = 1; step <= MAX_STEPS + 5; step++) history = addStep(history, createSpeedStep(0.1 + step / 100))
  expect(history.steps).toHaveLength(MAX_STEPS)
  expect(history.index).toBe(MAX_STEPS - 1)
})

it('stored edit history: invalid values are refused, and values out of range are limited', () => {
  const parseStoredStep = (step: unknown) => parseHistory({ steps: [step], index: 0 })?.steps[0]
  for (const value of [null, 1, [], { steps: [], index: 0 }, { steps: [FIRST_STEP], index: 1 }, { steps: [FIRST_STEP, {}], index: 0 }])
    expect(parseHistory(value)).toBeUndefined()
  expect(
    parseStoredStep({ settings: { speed: 99, pitch: 'x' }, edits: { range: { startFrame: -1, endFrame: 4 }, fadeIn: { seconds: 1e9 } } }),
  ).toEqual({ settings: { ...FIRST_STEP.settings, speed: 2 }, edits: { ...NO_EDITS, fadeIn: { seconds: 1e9, shape: 'equal-power' } } })
})
