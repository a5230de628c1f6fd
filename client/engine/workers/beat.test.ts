import { expect, test } from 'vitest'
import { createNoise, synthesizeDrumLoop } from '../testing/drum-loop.ts'
import { detectBeat } from './beat.ts'

const SAMPLE_RATE = 8000

/** Synthesizes a metronome: a beep of 20 ms on each beat. */
function synthesizeClicks(bpm: number, clickLevel = 1) {
  const clickSamples = new Float32Array(20 * SAMPLE_RATE)
  for (let start = 0; start < clickSamples.length; start = Math.round(start + (60 * SAMPLE_RATE) / bpm))
    for (let frame = start; frame < Math.min(clickSamples.length, start + 160); frame++) clickSamples[frame] = clickLevel * Math.sin(frame)
  return clickSamples
}

test('detectBeat: the tempo of click tracks of 60 to 200 BPM is found; for the slowest tracks, twice the tempo is accepted', {
  tags: ['long'],
}, () => {
  for (let testedBpm = 60; testedBpm <= 200; testedBpm += 4) {
    const foundBpm = detectBeat(synthesizeClicks(testedBpm), SAMPLE_RATE) ?? 0
    const expectedBpm = testedBpm < 68 && foundBpm > 100 ? 2 * testedBpm : testedBpm
    expect(Math.abs(foundBpm / expectedBpm - 1), `${testedBpm} BPM, found ${foundBpm}`).toBeLessThan(0.001)
  }
})

test.each([60, 72, 85, 100, 112, 128, 140, 150, 160, 174, 190])(
  'detectBeat: for a drum loop of %i BPM, this tempo, its half or its double is found',
  (bpm) => {
    const foundBpm = detectBeat(synthesizeDrumLoop(bpm, { sampleRate: SAMPLE_RATE }), SAMPLE_RATE) ?? 0
    const errors = [0.5, 1, 2].map((factor) => Math.abs(foundBpm / (bpm * factor) - 1))
    expect(Math.min(...errors)).toBeLessThan(0.001)
  },
)

test('detectBeat: the result does not depend on the level of the sound', () => {
  expect(detectBeat(synthesizeClicks(93, 0.001), SAMPLE_RATE)).toBeCloseTo(detectBeat(synthesizeClicks(93), SAMPLE_RATE) ?? 0, 3)
})

test('detectBeat: a beat is found under noise, and if its tempo drifts', () => {
  const drawNoise = createNoise()
  const drumSamples = synthesizeDrumLoop(117, { sampleRate: SAMPLE_RATE })
  expect(
    Math.abs(
      (detectBeat(
        drumSamples.map((sample) => sample + 0.1 * drawNoise()),
        SAMPLE_RATE,
      ) ?? 0) /
        117 -
        1,
    ),
  ).toBeLessThan(0.001)
  // The first half of the sound has 114 BPM, the second half 120 BPM.
  const halves = [114, 120].flatMap((bpm) => [...synthesizeDrumLoop(bpm, { sampleRate: SAMPLE_RATE })])
  expect(Math.abs((detectBeat(Float32Array.from(halves), SAMPLE_RATE) ?? 0) / 117 - 1)).toBeLessThan(0.03)
})

const sampleSignal = (sampleAt: (frame: number) => number) => Float32Array.from({ length: 30 * SAMPLE_RATE }, (_, frame) => sampleAt(frame))

/** Synthesizes bursts of noise at random times, 2 to 6 a second, like syllables. */
function synthesizeBursts() {
  const [drawNoise, drawRandomTime] = [createNoise(), createNoise()]
  const samples = new Float32Array(60 * SAMPLE_RATE)
  for (let start = 0; start < samples.length; start += Math.round(SAMPLE_RATE * (0.33 + 0.17 * drawRandomTime())))
    for (let frame = start; frame < Math.min(samples.length, start + 600); frame++) samples[frame] = drawNoise()
  return samples
}

test.each([
  ['silence', sampleSignal(() => 0)],
  ['a tone', sampleSignal((frame) => 0.5 * Math.sin((2 * Math.PI * 440 * frame) / SAMPLE_RATE))],
  ['noise', sampleSignal(createNoise())],
  [
    'a swelling tone',
    sampleSignal((frame) => Math.sin((2 * Math.PI * 440 * frame) / SAMPLE_RATE) * (0.5 + 0.5 * Math.sin((1.3 * frame) / SAMPLE_RATE))),
  ],
  ['irregular bursts', synthesizeBursts()],
  ['almost nothing', new Float32Array([0.5])],
  ['no sample', new Float32Array()],
  ['a second of a loop', synthesizeDrumLoop(120, { sampleRate: SAMPLE_RATE, seconds: 1 })],
])('detectBeat: %s has no beat', (_, samples) => {
  expect(detectBeat(samples, SAMPLE_RATE)).toBeUndefined()
})
