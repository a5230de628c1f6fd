import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TempoControls } from './tempo-controls.tsx'
import { createLoadedState, createTestSound } from './testing/loaded-state.ts'
import type { Engine, EngineState } from './use-maker.ts'

const testSound = createTestSound(new Float32Array(4))

const loadedState = createLoadedState(testSound, {
  settings: { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 },
  rate: 1.25,
  lengthS: 8,
})

let cleanUp = () => {}
afterEach(() => cleanUp())

/** Renders the controls with a fake engine that only has a tempo and a speed. Returns the engine's state and a function that changes it. */
function renderTempo(stateChanges: Partial<EngineState> = {}) {
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  let state = { ...loadedState, ...stateChanges }
  const engine: Pick<Engine, 'getSnapshot' | 'setBpm' | 'changeSettings'> = {
    getSnapshot: () => state,
    setBpm: (bpm) => updateState({ sound: { ...testSound, bpm }, isDetectingTempo: false }),
    changeSettings: (settings) => updateState({ settings: { ...state.settings, ...settings } }),
  }
  const updateState = (newChanges: Partial<EngineState>) => {
    state = { ...state, ...newChanges }
    renderControls()
  }
  const renderControls = () => root.render(<TempoControls engine={engine as Engine} state={state} />)
  flushSync(renderControls)
  cleanUp = () => {
    root.unmount()
    document.body.replaceChildren()
  }
  return { getState: () => state, update: updateState }
}

const findField = () => page.getByRole('textbox', { name: 'Song’s BPM' })
const locateTapButton = () => page.getByRole('button', { name: 'Tap the beat' })

/** Dispatches a pointer press whose event time is `timeMs`. */
function pressAt(timeMs: number) {
  const press = new PointerEvent('pointerdown', { bubbles: true, button: 0 })
  Object.defineProperty(press, 'timeStamp', { value: timeMs })
  flushSync(() => locateTapButton().element().dispatchEvent(press))
}

test('tempo: for a song without a beat the page explains how to set the tempo, but not while the detection runs', async () => {
  const { update } = renderTempo({ isDetectingTempo: true })
  await expect.element(page.getByRole('status')).toHaveTextContent(/^$/)
  update({ isDetectingTempo: false })
  await expect.element(page.getByRole('status')).toHaveTextContent('Tap along with the song, or type its BPM.')
  update({ sound: { ...testSound, bpm: 128 } })
  await expect.element(page.getByRole('status')).toHaveTextContent('The song has 128 BPM.')
})

test('tempo: a tempo that is typed while the detection runs is not replaced by the detected tempo', async () => {
  const { getState, update } = renderTempo({ isDetectingTempo: true })
  await findField().fill('98')
  update({ sound: { ...testSound, bpm: 128 }, isDetectingTempo: false })
  await expect.element(findField()).toHaveValue('98')
  await userEvent.keyboard('{Enter}')
  expect(getState().sound?.bpm).toBe(98)
})

test('tempo: a typed tempo is used exactly, and the speed can be fitted to it', async () => {
  const { getState } = renderTempo()
  await expect.element(page.getByRole('button', { name: 'Fit 140-160 BPM' })).toBeDisabled()
  await findField().fill('117,27')
  await userEvent.keyboard('{Enter}')
  expect(getState().sound?.bpm).toBe(117.27)
  await expect.element(findField()).toHaveValue('117.27')
  await page.getByRole('button', { name: 'Fit 140-160 BPM' }).click()
  expect(getState().settings.speed).toBe(1.3)
  await page.getByRole('button', { name: '×½ the song’s BPM' }).click()
  expect(getState().sound?.bpm).toBe(58.635)
  await page.getByRole('button', { name: '×2 the song’s BPM' }).click()
  expect(getState().sound?.bpm).toBe(117.27)
})

test.each(['fast', '19.9', '400.1', '-120'])('tempo: the typed text %s is marked as invalid and changes nothing', async (typedText) => {
  const { getState } = renderTempo({ sound: { ...testSound, bpm: 100 } })
  await findField().fill(typedText)
  await expect.element(findField()).toHaveAttribute('aria-invalid', 'true')
  await userEvent.keyboard('{Enter}')
  expect(getState().sound?.bpm).toBe(100)
  await userEvent.keyboard('{Escape}')
  await expect.element(findField()).toHaveValue('100')
  await expect.element(findField()).not.toHaveAttribute('aria-invalid')
})

test('number field: the field says which numbers are valid, and shows its value again when it loses the focus', async () => {
  renderTempo({ sound: { ...testSound, bpm: 100 } })
  await findField().fill('999')
  await expect.element(page.getByRole('alert').first()).toHaveTextContent('20 to 400')
  await userEvent.keyboard('{Tab}')
  await expect.element(findField()).toHaveValue('100')
  await expect.element(findField()).not.toHaveAttribute('aria-invalid')
})

test.each([
  ['125 BPM', 125],
  ['125bpm', 125],
  ['１２５', 125],
])('number field: %s is the number %d', async (typedText, bpm) => {
  const { getState } = renderTempo({ sound: { ...testSound, bpm: 100 } })
  await findField().fill(typedText)
  await userEvent.keyboard('{Enter}')
  expect(getState().sound?.bpm).toBe(bpm)
})

test('tempo: a typed target tempo sets the speed, limited to the allowed speeds', async () => {
  const { getState } = renderTempo({ sound: { ...testSound, bpm: 100 }, settings: { ...loadedState.settings, pitch: 12 } })
  const targetBpmField = page.getByRole('textbox', { name: 'BPM to play at' })
  await targetBpmField.fill('150')
  await userEvent.keyboard('{Enter}')
  expect(getState().settings.speed).toBe(0.75)
  await targetBpmField.fill('399')
  await userEvent.keyboard('{Enter}')
  expect(getState().settings.speed).toBe(1.995)
})

test.each([
  ['0:20', 0.5],
  ['8', 1.25],
  ['0:05,5', 1.818],
  ['1:00:00', 0.1],
  ['0:01', 2],
])('tempo: the typed length %s sets the speed %d of a song of 10 s', async (typedText, speed) => {
  const { getState } = renderTempo()
  const lengthField = page.getByRole('textbox', { name: 'Length to play' })
  await expect.element(lengthField).toHaveValue('0:08')
  await lengthField.fill(typedText)
  await userEvent.keyboard('{Enter}')
  expect(getState().settings.speed).toBe(speed)
})

test('tempo: an invalid length is marked, with the lengths that the song can have', async () => {
  renderTempo()
  await page.getByRole('textbox', { name: 'Length to play' }).fill('3 minutes')
  await expect.element(page.getByRole('alert').last()).toHaveTextContent('0:05 to 1:40')
})

test('tempo: four taps while nothing plays set the tempo of the song', async () => {
  const { getState } = renderTempo()
  for (const timeMs of [1000, 1500, 2000]) pressAt(timeMs)
  await expect.element(page.getByRole('status')).toHaveTextContent('Keep tapping on the beat.')
  expect(getState().sound?.bpm).toBeUndefined()
  pressAt(2500)
  expect(getState().sound?.bpm).toBe(120)
  await expect.element(findField()).toHaveValue('120')
})

test('tempo: taps are divided by the playback rate while the edited song plays, and not while the original plays', () => {
  const { getState, update } = renderTempo({ isPlaying: true })
  for (const timeMs of [1000, 1500, 2000, 2500]) pressAt(timeMs)
  expect(getState().sound?.bpm).toBe(96)
  update({ monitor: 'original' })
  for (const timeMs of [3000, 3500, 4000, 4500]) pressAt(timeMs)
  expect(getState().sound?.bpm).toBe(120)
})

test('tempo: after a pause the page no longer asks to keep tapping', async () => {
  renderTempo()
  pressAt(1000)
  await expect.element(page.getByRole('status')).toHaveTextContent('Keep tapping on the beat.')
  await expect.element(page.getByRole('status')).toHaveTextContent('Tap along with the song, or type its BPM.')
})

test.each([' ', '{Enter}'])('tempo: pressing the key "%s" counts as a tap', async (pressedKey) => {
  renderTempo()
  locateTapButton().element().focus()
  await userEvent.keyboard(pressedKey)
  await expect.element(page.getByRole('status')).toHaveTextContent('Keep tapping on the beat.')
})
