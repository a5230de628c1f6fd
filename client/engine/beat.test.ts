import { expect, test } from 'vitest'
import { detectBeat } from './beat.ts'
import { createNoise, drumLoop } from './testing/drum-loop.ts'

const RATE = 22_050

/** How far the found tempo is from the nearest octave of the true one. */
const errorOf = (found: number | undefined, bpm: number) =>
  Math.min(...[0.5, 1, 2].map((octave) => Math.abs((found ?? 0) / (bpm * octave) - 1)))

test.each([60, 72, 85, 100, 112, 120, 128, 140, 150, 160, 174, 190])('a loop of %i beats per minute', (bpm) => {
  const found = detectBeat(drumLoop(bpm, { sampleRate: RATE }), RATE)
  expect(errorOf(found, bpm)).toBeLessThan(0.02)
  expect(found).toBeGreaterThanOrEqual(70)
  expect(found).toBeLessThanOrEqual(180)
})

const signal = (sampleAt: (frame: number) => number) => Float32Array.from({ length: 30 * RATE }, (_, frame) => sampleAt(frame))

test.each([
  ['silence', signal(() => 0)],
  ['a tone', signal((frame) => 0.5 * Math.sin((2 * Math.PI * 440 * frame) / RATE))],
  ['noise', signal(createNoise())],
  ['a swelling tone', signal((frame) => Math.sin((2 * Math.PI * 440 * frame) / RATE) * (0.5 + 0.5 * Math.sin((1.3 * frame) / RATE)))],
  ['almost nothing', new Float32Array([0.5])],
  ['a second of a loop', drumLoop(120, { sampleRate: RATE, seconds: 1 })],
])('%s has no beat', (_, samples) => {
  expect(detectBeat(samples, RATE)).toBeUndefined()
})
