import { expect, it } from 'vitest'
import { wavHeader } from '../../dsp/wav.ts'
import { findLeaks } from '../testing/leaks.ts'
import { createEngine } from './create-engine.ts'
import type { SoundFile } from './engine.ts'
import { createPreview } from './preview.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'

const SAMPLE_RATE = 44_100
const MAKER_SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const ROUND_COUNT = 3

function wavFile(seconds: number): SoundFile {
  const frames = Math.round(seconds * SAMPLE_RATE)
  const samples = Int16Array.from({ length: 2 * frames }, (_, index) => ((index * 7919) % 20_000) - 10_000)
  return { name: 'noise.wav', blob: new Blob([wavHeader({ format: 'int16', channels: 2, sampleRate: SAMPLE_RATE, frames }), samples]) }
}

removeExportsAfterEach()

/**
 * Runs `cycle` several times and counts leaks from the second run on: the first run loads chunks and the compiled kernel, which stay in
 * memory.
 */
async function leaksOfRounds(runCycle: () => Promise<void>): Promise<string[]> {
  await runCycle()
  return findLeaks(async () => {
    for (let round = 0; round < ROUND_COUNT; round++) await runCycle()
  })
}

it('engine: dispose releases everything that loading, playing and exporting acquired', async () => {
  const file = wavFile(1)
  const leaks = await leaksOfRounds(async () => {
    const engine = createEngine({ workerCount: 2 })
    engine.subscribe(() => {})
    engine.onPosition(() => {})
    expect((await engine.load(file)).kind).toBe('loaded')
    await engine.play()
    engine.changeSettings({ speed: 1.5 })
    engine.seek(0.3)
    engine.setMonitor('original')
    engine.setLoop({ on: true, startS: 0.3, endS: 0.6 })
    for (const format of ['wav-int16', 'mp3'] as const) expect((await engine.export(format).result).kind).toBe('exported')
    await engine.dispose()
  })
  expect(leaks).toEqual([])
})

it('engine: dispose during a load, during playback and during an export releases all resources', { tags: ['long'] }, async () => {
  const file = wavFile(10)
  const leaks = await leaksOfRounds(async () => {
    const loadingEngine = createEngine()
    const loadPromise = loadingEngine.load(file)
    const disposal = loadingEngine.dispose()
    expect(await loadPromise).toEqual({ kind: 'cancelled' })
    await disposal

    const exportingEngine = createEngine({ workerCount: 2 })
    await exportingEngine.load(file)
    const { result } = exportingEngine.export('mp3')
    const playPromise = exportingEngine.play()
    const exportingDisposed = exportingEngine.dispose()
    expect(await result).toEqual({ kind: 'closed' })
    await playPromise
    await exportingDisposed
  })
  expect(leaks).toEqual([])
})

it('preview: dispose during playback releases all resources', async () => {
  const leaks = await leaksOfRounds(async () => {
    const sound = createMemorySound([new Float32Array(5 * SAMPLE_RATE).fill(0.1)], SAMPLE_RATE)
    const preview = createPreview({
      target: { sound, settings: MAKER_SETTINGS, monitor: 'edited', loop: { on: false, startS: 0, endS: 5 } },
      volume: 1,
      onPosition: () => {},
      onStop: () => {},
    })
    await preview.play()
    preview.apply({ settings: { ...MAKER_SETTINGS, speed: 0.8 } })
    preview.pause()
    await preview.play()
    preview.seek(2)
    preview.dispose()
    sound.dispose()
  })
  expect(leaks).toEqual([])
})
