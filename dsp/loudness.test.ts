import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLevelMeter } from './level-meter.ts'
import { applyGainCurve, CEILING_DBTP, findGainForLoudness, sliceGainCurve } from './limiter.ts'
import { computeLevel } from './loudness.ts'

/** Measures interleaved samples, which are added in parts. */
function profileOf(samples: Float32Array, { sampleRate = 48_000, channels = 2 as 1 | 2, partFrames = 10_007 } = {}) {
  const meter = createLevelMeter({ sampleRate, channels, frames: samples.length / channels })
  for (let at = 0; at < samples.length; at += channels * partFrames) meter.add(samples.subarray(at, at + channels * partFrames))
  return meter.finish()
}

/** Returns a stereo tone of 1 kHz whose level changes. @param toneSpecs seconds and dBFS of each part */
function toneParts(toneSpecs: readonly (readonly [seconds: number, db: number])[], sampleRate = 48_000): Float32Array {
  const samples = new Float32Array(2 * toneSpecs.reduce((frames, [seconds]) => frames + Math.round(seconds * sampleRate), 0))
  let frame = 0
  for (const [seconds, db] of toneSpecs)
    for (const end = frame + Math.round(seconds * sampleRate); frame < end; frame++) {
      const sample = 10 ** (db / 20) * Math.sin((2 * Math.PI * 1000 * frame) / sampleRate)
      samples.fill(sample, 2 * frame, 2 * frame + 2)
    }
  return samples
}

// The first five signals of EBU Tech 3341, "Loudness metering: EBU mode metering", table 1, shortened to 0.3 times their length.
it.each([
  ['a tone of -23 dBFS', [[6, -23]]],
  ['a tone of -23 dBFS, at 44.1 kHz', [[6, -23]], 44_100],
  [
    'quiet parts below the relative gate',
    [
      [3, -36],
      [18, -23],
      [3, -36],
    ],
  ],
  [
    'parts below both gates',
    [
      [3, -72],
      [3, -36],
      [18, -23],
      [3, -36],
      [3, -72],
    ],
  ],
  [
    'parts above the gates',
    [
      [6, -26],
      [6.03, -20],
      [6, -26],
    ],
  ],
] as const)('loudness: the signal "%s" measures -23 LUFS', { tags: ['long'] }, (_, toneSpecs, sampleRate: number = 48_000) => {
  expect(Math.abs(computeLevel(profileOf(toneParts(toneSpecs, sampleRate), { sampleRate })).lufs + 23)).toBeLessThan(0.1)
})

it('loudness: silence and sounds shorter than 400 ms have no loudness', () => {
  expect(computeLevel(profileOf(new Float32Array(96_000)))).toEqual({
    lufs: Number.NEGATIVE_INFINITY,
    truePeakDb: Number.NEGATIVE_INFINITY,
  })
  expect(computeLevel(profileOf(toneParts([[0.3, -20]]))).lufs).toBe(Number.NEGATIVE_INFINITY)
})

it('level: the measurement does not depend on how the samples are divided', () => {
  const samples = toneParts([[0.5, -3]])
  const [single, whole] = [profileOf(samples, { partFrames: 7 }), profileOf(samples, { partFrames: 1e6 })]
  expect(single.peaks).toEqual(whole.peaks)
  expect(computeLevel(single).lufs).toBeCloseTo(computeLevel(whole).lufs, 4)
})

// EBU Tech 3341, cases 15 to 19: the peaks of the tones are between the samples.
it.each([
  [4, 0],
  [4, 45],
  [6, 60],
  [8, 67.5],
])(
  'true peak: the peak between samples is found in a tone whose frequency is the sampling rate divided by %i, at a phase of %f degrees',
  (divisor, degrees) => {
    const samples = Float32Array.from({ length: 48_000 }, (_, frame) => {
      const fade = Math.min(1, frame / 4800, (48_000 - frame) / 4800)
      return fade * 0.5 * Math.sin((2 * Math.PI * frame) / divisor + (degrees * Math.PI) / 180)
    })
    const { truePeakDb } = computeLevel(profileOf(samples, { channels: 1 }))
    expect(truePeakDb).toBeGreaterThan(-6.02 - 0.2)
    expect(truePeakDb).toBeLessThan(-6.02 + 0.1)
  },
)

/**
 * Finds the true peak in dB by 16-fold oversampling with 128 taps and a Blackman window, a method that no other code of the program uses.
 */
function oversampledPeakDb(samples: Float32Array, channels: number): number {
  const [factor, sideTaps] = [16, 64]
  const taps = Array.from({ length: factor }, (_, phase) =>
    Array.from({ length: 2 * sideTaps }, (__, tap) => {
      const x = tap - sideTaps + 1 - phase / factor
      const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / sideTaps) + 0.08 * Math.cos((2 * Math.PI * x) / sideTaps)
      return (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)) * window
    }),
  )
  let peak = 0
  for (let channelIndex = 0; channelIndex < channels; channelIndex++)
    for (let frame = 0; frame < samples.length / channels; frame++)
      for (const phaseTaps of taps) {
        let sum = 0
        for (let tap = 0; tap < phaseTaps.length; tap++)
          sum += (phaseTaps[tap] ?? 0) * (samples[channels * (frame + tap - sideTaps + 1) + channelIndex] ?? 0)
        peak = Math.max(peak, Math.abs(sum))
      }
  return 20 * Math.log10(peak)
}

/** Functions that return the samples of sounds with hard peaks. Each seed results in another sound. */
const HARD_SOUNDS: readonly ((frame: number, seed: number) => number)[] = [
  (frame, seed) => Math.sign(Math.sin(frame / (3 + seed))),
  (frame, seed) => 0.9 * Math.sin(frame * (0.1 + seed / 20)) * (Math.floor(frame / 700) % 3 === 0 ? 1 : 0.1),
  (frame, seed) => (frame % (400 + seed) === 0 ? 1 : 0.02 * Math.sin(frame / 9)),
  (frame, seed) => 2 * ((Math.imul(frame + seed, 0x9e3779b1) >>> 0) / 2 ** 32) - 1,
  (frame, seed) => Math.sin((Math.PI / 2) * frame + Math.PI / 4) * (frame % 1000 < 30 * seed ? 1 : 0.05),
]

it('limiter: no sound is above the ceiling between its samples, at any loudness', { tags: ['long'] }, () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...HARD_SOUNDS),
      fc.nat(20),
      fc.integer({ min: -20, max: -3 }),
      fc.constantFrom(1, 2),
      (sound, seed, target, channels) => {
        // Like sounds from the resampler, the tested broadband sounds have no energy near half of the sampling rate.
        const rawSamples = Float32Array.from({ length: 6000 * channels }, (_, index) =>
          sound(Math.floor(index / channels), seed + (index % channels)),
        )
        const samples = rawSamples.map((sample, index) => {
          const sampleAt = (offset: number) => rawSamples[index + offset * channels] ?? 0
          return 0.6 * sample + 0.25 * (sampleAt(-1) + sampleAt(1)) - 0.05 * (sampleAt(-2) + sampleAt(2))
        })
        const options = { channels: channels as 1 | 2 }
        applyGainCurve(samples, channels, 0, findGainForLoudness(profileOf(samples, options), target))
        expect(oversampledPeakDb(samples, channels)).toBeLessThanOrEqual(CEILING_DBTP)
      },
    ),
    { numRuns: 30 },
  )
})

it('level: a sound is brought to the loudness, and the measurement agrees with the prediction', () => {
  const samples = toneParts([
    [0.6, -30],
    [0.6, -12],
    [0.6, -24],
  ])
  const profile = profileOf(samples)
  for (const target of [-23, -16, -12]) {
    const curve = findGainForLoudness(profile, target)
    const changedSamples = samples.slice()
    applyGainCurve(changedSamples, 2, 0, curve)
    const [measuredLevel, predictedLevel] = [computeLevel(profileOf(changedSamples)), computeLevel(profile, curve.points)]
    expect(Math.abs(measuredLevel.lufs - target)).toBeLessThan(0.1)
    expect(Math.abs(measuredLevel.lufs - predictedLevel.lufs)).toBeLessThan(0.05)
    expect(Math.abs(measuredLevel.truePeakDb - predictedLevel.truePeakDb)).toBeLessThan(0.1)
  }
})

it('level: a quiet sound far from the ceiling has one gain; a silent sound is unchanged', () => {
  const { points } = findGainForLoudness(profileOf(toneParts([[2, -30]])), -25)
  expect(new Set(points).size).toBe(1)
  expect(new Set(findGainForLoudness(profileOf(new Float32Array(96_000)), -14).points)).toEqual(new Set([1]))
})

it('gain curve: applied to a range, the curve produces the same samples, bit for bit, as applied to the whole sound', () => {
  const samples = toneParts([[1, -1]])
  const curve = findGainForLoudness(profileOf(samples), -6)
  const allSamples = samples.slice()
  applyGainCurve(allSamples, 2, 0, curve)
  for (const [start, frames] of [
    [0, 1],
    [119, 2],
    [120, 240],
    [12_345, 20_000],
    [47_999, 1],
  ] as const) {
    const range = samples.slice(2 * start, 2 * (start + frames))
    applyGainCurve(range, 2, start, sliceGainCurve(curve, start, frames))
    expect(range).toEqual(allSamples.slice(2 * start, 2 * (start + frames)))
  }
})
