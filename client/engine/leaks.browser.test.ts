import { expect, it } from 'vitest'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { findLeaks } from '../testing/leaks.ts'
import { createEngine } from './create-engine.ts'
import type { SoundFile } from './engine.ts'
import { createPreview } from './preview.ts'
import { createMemorySound } from './sound.ts'
import { removeExportsAfterEach } from './testing/exported-files.ts'

const SAMPLE_RATE = 44_100
const MAKER_SETTINGS = { speed: 1.25, pitch: 0, reverbSize: 50, reverbAmount: 0, bassDb: 0 }
const ROUND_COUNT = 3

function createWavFile(durationS: number): SoundFile {
  const frameCount = Math.round(durationS * SAMPLE_RATE)
  const samples = Int16Array.from({ length: 2 * frameCount }, (_, index) => ((index * 7919) % 20_000) - 10_000)
  return {
    name: 'noise.wav',
    blob: new Blob([encodeWavHeader({ format: 'int16', channels: 2, sampleRate: SAMPLE_RATE, frames: frameCount }), samples]),
  }
}

removeExportsAfterEach()

/**
 * Runs `runCycle` several times and counts leaks from the second run on: the first run loads chunks and the compiled kernel, which stay in
 * memory.
 */
async function findLeaksOfRounds(runCycle: () => Promise<void>): Promise<string[]> {
  await runCycle()
  return findLeaks(async () => {
    for (let round = 0; round < ROUND_COUNT; round++) await runCycle()
  })
}

it('engine: dispose releases everything that loading, playing and exporting acquired', async () => {
  const file = createWavFile(1)
  const leaks = await findLeaksOfRounds(async () => {
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
  const file = createWavFile(10)
  const leaks = await findLeaksOfRounds(async () => {
    const loadingEngine = createEngine()
    const loadPromise = loadingEngine.load(file)
    const disposePromise = loadingEngine.dispose()
    expect(await loadPromise).toEqual({ kind: 'cancelled' })
    await disposePromise

    const exportingEngine = createEngine({ workerCount: 2 })
    await exportingEngine.load(file)
    const { result } = exportingEngine.export('mp3')
    const playPromise = exportingEngine.play()
    const exportingDisposePromise = exportingEngine.dispose()
    expect(await result).toEqual({ kind: 'closed' })
    await playPromise
    await exportingDisposePromise
  })
  expect(leaks).toEqual([])
})

it('preview: dispose during playback releases all resources', async () => {
  const leaks = await findLeaksOfRounds(async () => {
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
