import { expect, test } from 'vitest'
import { createNoise, drumLoop } from '../testing/drum-loop.ts'
import { detectBeat } from './beat.ts'

const SAMPLE_RATE = 22_050

/** Returns the relative error of the detected tempo against the nearest octave of the true one. */
const errorOf = (detectedBpm: number | undefined, bpm: number) =>
  Math.min(...[0.5, 1, 2].map((octaveFactor) => Math.abs((detectedBpm ?? 0) / (bpm * octaveFactor) - 1)))

test.each([60, 72, 85, 100, 112, 120, 128, 140, 150, 160, 174, 190])('detectBeat: a drum loop of %i BPM', (bpm) => {
  const foundBpm = detectBeat(drumLoop(bpm, { sampleRate: SAMPLE_RATE }), SAMPLE_RATE)
  expect(errorOf(foundBpm, bpm)).toBeLessThan(0.02)
  expect(foundBpm).toBeGreaterThanOrEqual(70)
  expect(foundBpm).toBeLessThanOrEqual(180)
})

const sampledSignal = (sampleAt: (frame: number) => number) =>
  Float32Array.from({ length: 30 * SAMPLE_RATE }, (_, frame) => sampleAt(frame))

test.each([
  ['silence', sampledSignal(() => 0)],
  ['a tone', sampledSignal((frame) => 0.5 * Math.sin((2 * Math.PI * 440 * frame) / SAMPLE_RATE))],
  ['noise', sampledSignal(createNoise())],
  [
    'a swelling tone',
    sampledSignal((frame) => Math.sin((2 * Math.PI * 440 * frame) / SAMPLE_RATE) * (0.5 + 0.5 * Math.sin((1.3 * frame) / SAMPLE_RATE))),
  ],
  ['almost nothing', new Float32Array([0.5])],
  ['a second of a loop', drumLoop(120, { sampleRate: SAMPLE_RATE, seconds: 1 })],
])('detectBeat: %s has no beat', (_, samples) => {
  expect(detectBeat(samples, SAMPLE_RATE)).toBeUndefined()
})
