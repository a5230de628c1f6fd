import { expect, test } from 'vitest'
import { createMemorySound } from './sound.ts'
import { detectTempo } from './tempo.ts'
import { drumLoop } from './testing/drum-loop.ts'

test.each([8000, 44_100, 48_000, 96_000, 192_000])('the tempo of a sound at %i Hz', async (sampleRate) => {
  const loop = drumLoop(126, { sampleRate, seconds: 20 })
  const found = await detectTempo(createMemorySound([loop, loop], sampleRate))
  expect(Math.abs((found ?? 0) / 126 - 1)).toBeLessThan(0.02)
})

test('of a long sound, its middle counts', async () => {
  const sound = new Float32Array(200 * 8000)
  sound.set(drumLoop(90, { sampleRate: 8000, seconds: 60 }), 70 * 8000)
  expect(Math.abs(((await detectTempo(createMemorySound([sound], 8000))) ?? 0) / 90 - 1)).toBeLessThan(0.02)
})

test('it can be ended, and the page goes on meanwhile', async () => {
  const loop = drumLoop(126, { seconds: 90 })
  const controller = new AbortController()
  const work = detectTempo(createMemorySound([loop, loop], 44_100), controller.signal)
  let lastMs = performance.now()
  let longestMs = 0
  for (let turn = 0; turn < 20; turn++) {
    await new Promise((resolve) => setTimeout(resolve))
    longestMs = Math.max(longestMs, performance.now() - lastMs)
    lastMs = performance.now()
  }
  controller.abort(new Error('ended'))
  await expect(work).rejects.toThrow('ended')
  expect(longestMs).toBeLessThan(50)
})
