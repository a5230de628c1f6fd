import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { createEmitter } from '../../primitives/emitter.ts'
import { findLeaks } from '../../testing/leaks.ts'
import { createLoadedState, createTestSound } from './testing/loaded-state.ts'
import type { Engine, Position } from './use-maker.ts'
import { Waveform } from './waveform.tsx'

const MOUNT_CYCLE_COUNT = 3
const testSound = createTestSound(new Float32Array(2 * 1723).fill(0.5))
const loadedState = createLoadedState(testSound, { isPlaying: true, loop: { on: true, startS: 2, endS: 4 } })

/** Creates a fake engine with only the methods that a waveform uses. */
function createEngineStub() {
  const positionChanges = createEmitter<Position>()
  const onSeek = vi.fn<Engine['seek']>()
  const onLoop = vi.fn<Engine['setLoop']>()
  const engine: Pick<Engine, 'seek' | 'setLoop' | 'onPosition'> = { seek: onSeek, setLoop: onLoop, onPosition: positionChanges.subscribe }
  return { engine: engine as Engine, positions: positionChanges, seek: onSeek, setLoop: onLoop }
}

function renderWaveform() {
  const engineStub = createEngineStub()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() => root.render(<Waveform engine={engineStub.engine} sound={testSound} state={loadedState} />))
  const waveformElement = container.querySelector('section')
  const waveElement = waveformElement?.querySelector<HTMLElement>('input[type=range]')?.parentElement
  if (!waveformElement || !waveElement) throw new Error('The waveform was not rendered')
  // Replaces `setPointerCapture`, because the test presses no real pointer that could be captured.
  waveElement.setPointerCapture = () => {}
  const { left, width } = waveElement.getBoundingClientRect()
  /** Dispatches a pointer event at the time `atS` of the sound, in seconds. */
  const dispatchPointer = (eventType: string, atS: number, pointerType = 'mouse') => {
    const clientX = left + (atS / testSound.durationS) * width
    flushSync(() =>
      waveElement.dispatchEvent(new PointerEvent(eventType, { bubbles: true, isPrimary: true, pointerId: 1, pointerType, clientX })),
    )
  }
  const unmountWaveform = () => {
    flushSync(() => root.unmount())
    container.remove()
  }
  return { ...engineStub, waveform: waveformElement, point: dispatchPointer, unmount: unmountWaveform }
}

/** The start and the end of the displayed loop, in seconds. */
const readLoop = (waveform: Element) =>
  ['Loop start', 'Loop end'].map((label) => Number(waveform.querySelector(`[aria-label="${label}"]`)?.getAttribute('aria-valuenow')))

it('waveform: a press seeks; a drag in either direction sets the loop, which starts to play when the pointer is released', () => {
  const { waveform, point, seek, setLoop, unmount } = renderWaveform()
  point('pointerdown', 3)
  point('pointerup', 3)
  expect(seek).toHaveBeenCalledOnce()
  expect(seek.mock.calls[0]?.[0]).toBeCloseTo(3, 1)
  point('pointerdown', 8)
  point('pointermove', 6)
  expect(readLoop(waveform)[0]).toBeCloseTo(6, 1)
  point('pointermove', 5)
  expect(setLoop).not.toHaveBeenCalled()
  point('pointerup', 5)
  expect(setLoop).toHaveBeenCalledOnce()
  const [{ on, startS, endS } = { on: false, startS: 0, endS: 0 }] = setLoop.mock.calls[0] ?? []
  expect(on).toBe(true)
  expect(startS).toBeCloseTo(5, 1)
  expect(endS).toBeCloseTo(8, 1)
  expect(seek).toHaveBeenCalledOnce()
  unmount()
})

it('waveform: Escape cancels a drag, and so does the browser when a finger scrolls the page', () => {
  const { waveform, point, seek, setLoop, unmount } = renderWaveform()
  const onKeyOutside = vi.fn()
  document.addEventListener('keydown', onKeyOutside)
  for (const cancelGesture of [
    () => flushSync(() => document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))),
    () => point('pointercancel', 7, 'touch'),
  ]) {
    point('pointerdown', 5, 'touch')
    point('pointermove', 7, 'touch')
    expect(readLoop(waveform)[1]).toBeCloseTo(7, 1)
    cancelGesture()
    expect(readLoop(waveform)).toEqual([2, 4])
    point('pointerup', 7, 'touch')
  }
  expect(onKeyOutside).not.toHaveBeenCalled()
  expect(seek).not.toHaveBeenCalled()
  expect(setLoop).not.toHaveBeenCalled()
  document.removeEventListener('keydown', onKeyOutside)
  unmount()
})

it('waveform: the loop follows the pointer through a zoom during the drag', () => {
  const { waveform, point, setLoop, unmount } = renderWaveform()
  point('pointerdown', 1)
  point('pointermove', 3)
  const { left } = waveform.getBoundingClientRect()
  const zoomIn = new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100, clientX: left })
  flushSync(() => waveform.dispatchEvent(zoomIn))
  // The visible range is 1.2 times shorter than before, with the same start.
  point('pointermove', 6)
  point('pointerup', 6)
  const [{ startS, endS } = { startS: 0, endS: 0 }] = setLoop.mock.calls[0] ?? []
  expect(startS).toBeCloseTo(1, 1)
  expect(endS).toBeCloseTo(5, 1)
  unmount()
})

/** Renders a waveform, plays, presses, drags and zooms, and unmounts it. */
function mountAndUse(): { listenersLeft: number; seekCount: number } {
  const { waveform, point, positions, seek, unmount } = renderWaveform()
  positions.emit({ sourceS: 5, peakDb: [-6, -6] })
  point('pointerdown', 1)
  point('pointerup', 1)
  point('pointerdown', 1)
  point('pointermove', 4)
  point('pointerup', 4)
  flushSync(() => waveform.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100 })))
  unmount()
  return { listenersLeft: positions.listenerCount, seekCount: seek.mock.calls.length }
}

it('waveform: unmounting releases its listeners, observers and the engine subscription', async () => {
  const observeMock = vi.spyOn(ResizeObserver.prototype, 'observe')
  const disconnectMock = vi.spyOn(ResizeObserver.prototype, 'disconnect')
  const runCycle = () => {
    const { listenersLeft, seekCount } = mountAndUse()
    expect(seekCount).toBeGreaterThan(0)
    expect(listenersLeft).toBe(0)
  }
  runCycle()
  const leaks = await findLeaks(() => {
    for (let round = 0; round < MOUNT_CYCLE_COUNT; round++) runCycle()
  })
  // When the test renders, React adds listeners to the container and to inputs; they are released together with these elements.
  expect(leaks.filter((leak) => !leak.includes('acquired at /client/features/maker/waveform.browser.test.tsx'))).toEqual([])
  // The overview and the main waveform each have one observer.
  expect(observeMock).toHaveBeenCalledTimes(2 * (1 + MOUNT_CYCLE_COUNT))
  expect(disconnectMock).toHaveBeenCalledTimes(2 * (1 + MOUNT_CYCLE_COUNT))
})
