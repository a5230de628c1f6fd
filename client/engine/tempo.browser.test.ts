import { expect, test } from 'vitest'
import { expectFasterThan } from '../../testing/timing.ts'
import { createMemorySound } from './sound.ts'
import { detectTempo } from './tempo.ts'
import { synthesizeDrumLoop } from './testing/drum-loop.ts'
import { createPeakMeter } from './workers/peaks.ts'

test.each([8000, 44_100, 48_000, 96_000, 192_000])('detectTempo: the tempo of a sound at %i Hz is detected', async (sampleRate) => {
  const loop = synthesizeDrumLoop(126, { sampleRate, seconds: 20 })
  const foundBpm = await detectTempo(createMemorySound([loop, loop], sampleRate))
  expect(Math.abs((foundBpm ?? 0) / 126 - 1)).toBeLessThan(0.001)
})

test('detectTempo: the middle of a long sound is analysed', async () => {
  const samples = new Float32Array(200 * 8000)
  samples.set(synthesizeDrumLoop(110, { sampleRate: 8000, seconds: 60 }), 70 * 8000)
  expect(Math.abs(((await detectTempo(createMemorySound([samples], 8000))) ?? 0) / 110 - 1)).toBeLessThan(0.001)
})

test('detectTempo: the end of a sound is analysed if the middle is silent', async () => {
  const samples = new Float32Array(400 * 8000)
  samples.set(synthesizeDrumLoop(110, { sampleRate: 8000, seconds: 60 }), 340 * 8000)
  const meter = createPeakMeter()
  meter.add([samples])
  expect(Math.abs(((await detectTempo(createMemorySound([samples], 8000), meter.peaks())) ?? 0) / 110 - 1)).toBeLessThan(0.001)
})

test('detectTempo: the detection can be aborted, and does not block the page', async () => {
  const drumSamples = synthesizeDrumLoop(126, { seconds: 120 })
  const controller = new AbortController()
  const tempoPromise = detectTempo(createMemorySound([drumSamples, drumSamples], 44_100), undefined, controller.signal)
  let lastTaskAtMs = performance.now()
  let longestTaskMs = 0
  for (let taskIndex = 0; taskIndex < 20; taskIndex++) {
    await new Promise((resolve) => setTimeout(resolve))
    longestTaskMs = Math.max(longestTaskMs, performance.now() - lastTaskAtMs)
    lastTaskAtMs = performance.now()
  }
  controller.abort(new Error('ended'))
  await expect(tempoPromise).rejects.toThrow('ended')
  expectFasterThan(longestTaskMs, 50)
})
