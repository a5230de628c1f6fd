import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import type { Engine, EngineState, LoadedSound, Position } from '../../bindings/maker.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { leaksOf } from '../../testing/leaks.ts'
import { Waveform } from './waveform.tsx'

const ROUND_COUNT = 3
const sound = {
  name: 'noise.wav',
  fileBytes: 1000,
  sampleRate: 44_100,
  sourceChannels: 2,
  channels: 2,
  frames: 441_000,
  durationS: 10,
  title: undefined,
  artist: undefined,
  bpm: undefined,
  streamed: false,
  truncated: false,
  peaks: { framesPerPeak: 256, values: new Float32Array(2 * 1723).fill(0.5) },
} satisfies LoadedSound

const state: EngineState = {
  phase: 'loaded',
  sound,
  settings: { speed: 1, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 },
  rate: 1,
  lengthS: 10,
  isPlaying: true,
  monitor: 'edited',
  loop: { on: true, startS: 2, endS: 4 },
  volume: 1,
  isDetectingTempo: false,
  runningExport: undefined,
}

/** Creates a fake engine with the methods that a waveform uses. */
function createEngineStub() {
  const positionChanges = createEmitter<Position>()
  const onSeek = vi.fn()
  const engine: Pick<Engine, 'seek' | 'setLoop' | 'onPosition'> = { seek: onSeek, setLoop: () => {}, onPosition: positionChanges.subscribe }
  return { engine: engine as Engine, positions: positionChanges, seek: onSeek }
}

/** Renders a waveform, plays, drags and zooms in it, and removes it again. */
function mountAndUse(): { listenersLeft: number; seekCount: number } {
  const { engine, positions, seek: onSeek } = createEngineStub()
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  flushSync(() => root.render(<Waveform engine={engine} sound={sound} state={state} />))
  positions.emit({ sourceS: 5, peakDb: [-6, -6] })
  const waveform = container.querySelector('section')
  const waveElement = waveform?.querySelector('canvas')?.parentElement
  // Replaces the capture function, because the test presses no real pointer that could be captured.
  if (waveElement) waveElement.setPointerCapture = () => {}
  waveElement?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0, pointerId: 1, clientX: 10 }))
  waveElement?.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, pointerId: 1, clientX: 20 }))
  waveElement?.dispatchEvent(new PointerEvent('pointerup', { bubbles: true, pointerId: 1 }))
  flushSync(() => waveform?.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ctrlKey: true, deltaY: -100 })))
  flushSync(() => root.unmount())
  container.remove()
  return { listenersLeft: positions.listenerCount, seekCount: onSeek.mock.calls.length }
}

it('waveform: unmounting releases its listeners, observers and the engine subscription', async () => {
  const observe = vi.spyOn(ResizeObserver.prototype, 'observe')
  const disconnect = vi.spyOn(ResizeObserver.prototype, 'disconnect')
  const runCycle = () => {
    const { listenersLeft, seekCount } = mountAndUse()
    expect(seekCount).toBeGreaterThan(0)
    expect(listenersLeft).toBe(0)
  }
  runCycle()
  const leaks = await leaksOf(() => {
    for (let round = 0; round < ROUND_COUNT; round++) runCycle()
  })
  // React adds listeners to the container and to inputs when the test renders; they are released with the elements.
  expect(leaks.filter((leak) => !leak.includes('acquired at /client/features/maker/waveform.browser.test.tsx'))).toEqual([])
  // The overview and the wave have an observer each.
  expect(observe).toHaveBeenCalledTimes(2 * (1 + ROUND_COUNT))
  expect(disconnect).toHaveBeenCalledTimes(2 * (1 + ROUND_COUNT))
})
