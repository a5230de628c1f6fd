import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLevelMeter } from './level-meter.ts'
import { applyGainCurve, CEILING_DBTP, findGainForLoudness, sliceGainCurve } from './limiter.ts'
import { computeLevel } from './loudness.ts'

/** Measures interleaved samples, which are added in parts. */
function measureLevelProfile(samples: Float32Array, { sampleRate = 48_000, channels = 2 as 1 | 2, partFrames = 10_007 } = {}) {
  const meter = createLevelMeter({ sampleRate, channels, frames: samples.length / channels })
  for (let at = 0; at < samples.length; at += channels * partFrames) meter.add(samples.subarray(at, at + channels * partFrames))
  return meter.finish()
}

/** Returns a stereo tone of 1 kHz whose level changes. @param toneSpecs seconds and dBFS of each part */
function synthesizeToneParts(toneSpecs: readonly (readonly [seconds: number, db: number])[], sampleRate = 48_000): Float32Array {
  const samples = new Float32Array(2 * toneSpecs.reduce((frames, [seconds]) => frames + Math.round(seconds * sampleRate), 0))
  let frameIndex = 0
  for (const [partSeconds, partDb] of toneSpecs)
    for (const end = frameIndex + Math.round(partSeconds * sampleRate); frameIndex < end; frameIndex++) {
      const sample = 10 ** (partDb / 20) * Math.sin((2 * Math.PI * 1000 * frameIndex) / sampleRate)
      samples.fill(sample, 2 * frameIndex, 2 * frameIndex + 2)
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
  expect(Math.abs(computeLevel(measureLevelProfile(synthesizeToneParts(toneSpecs, sampleRate), { sampleRate })).lufs + 23)).toBeLessThan(
    0.1,
  )
})

it('loudness: silence and sounds shorter than 400 ms have no loudness', () => {
  expect(computeLevel(measureLevelProfile(new Float32Array(96_000)))).toEqual({
    lufs: Number.NEGATIVE_INFINITY,
    truePeakDb: Number.NEGATIVE_INFINITY,
  })
  expect(computeLevel(measureLevelProfile(synthesizeToneParts([[0.3, -20]]))).lufs).toBe(Number.NEGATIVE_INFINITY)
})

it('level: the measurement does not depend on how the samples are divided', () => {
  const samples = synthesizeToneParts([[0.5, -3]])
  const [single, whole] = [measureLevelProfile(samples, { partFrames: 7 }), measureLevelProfile(samples, { partFrames: 1e6 })]
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
  (rateDivisor, phaseDegrees) => {
    const samples = Float32Array.from({ length: 48_000 }, (_, frame) => {
      const fade = Math.min(1, frame / 4800, (48_000 - frame) / 4800)
      return fade * 0.5 * Math.sin((2 * Math.PI * frame) / rateDivisor + (phaseDegrees * Math.PI) / 180)
    })
    const { truePeakDb } = computeLevel(measureLevelProfile(samples, { channels: 1 }))
    expect(truePeakDb).toBeGreaterThan(-6.02 - 0.2)
    expect(truePeakDb).toBeLessThan(-6.02 + 0.1)
  },
)

/**
 * Finds the true peak in dB by 16-fold oversampling with 128 taps and a Blackman window, a method that no other code of the program uses.
 */
function measureOversampledPeakDb(samples: Float32Array, channelCount: number): number {
  const [oversamplingFactor, tapsPerSide] = [16, 64]
  const taps = Array.from({ length: oversamplingFactor }, (_, phaseIndex) =>
    Array.from({ length: 2 * tapsPerSide }, (__, tapIndex) => {
      const x = tapIndex - tapsPerSide + 1 - phaseIndex / oversamplingFactor
      const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / tapsPerSide) + 0.08 * Math.cos((2 * Math.PI * x) / tapsPerSide)
      return (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)) * window
    }),
  )
  let peakLevel = 0
  for (let channelIndex = 0; channelIndex < channelCount; channelIndex++)
    for (let frameIndex = 0; frameIndex < samples.length / channelCount; frameIndex++)
      for (const phaseTaps of taps) {
        let weightedSum = 0
        for (let tap = 0; tap < phaseTaps.length; tap++)
          weightedSum += (phaseTaps[tap] ?? 0) * (samples[channelCount * (frameIndex + tap - tapsPerSide + 1) + channelIndex] ?? 0)
        peakLevel = Math.max(peakLevel, Math.abs(weightedSum))
      }
  return 20 * Math.log10(peakLevel)
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
      (soundKind, seed, targetLufs, channelCount) => {
        // Like sounds from the resampler, the tested broadband sounds have no energy near half of the sampling rate.
        const rawSamples = Float32Array.from({ length: 6000 * channelCount }, (_, index) =>
          soundKind(Math.floor(index / channelCount), seed + (index % channelCount)),
        )
        const samples = rawSamples.map((sample, index) => {
          const readSampleAt = (offset: number) => rawSamples[index + offset * channelCount] ?? 0
          return 0.6 * sample + 0.25 * (readSampleAt(-1) + readSampleAt(1)) - 0.05 * (readSampleAt(-2) + readSampleAt(2))
        })
        const options = { channels: channelCount as 1 | 2 }
        applyGainCurve(samples, channelCount, 0, findGainForLoudness(measureLevelProfile(samples, options), targetLufs))
        expect(measureOversampledPeakDb(samples, channelCount)).toBeLessThanOrEqual(CEILING_DBTP)
      },
    ),
    { numRuns: 30 },
  )
})

it('level: the gain curve brings a sound to the target loudness, and the measured level agrees with the predicted one', () => {
  const samples = synthesizeToneParts([
    [0.6, -30],
    [0.6, -12],
    [0.6, -24],
  ])
  const levelProfile = measureLevelProfile(samples)
  for (const targetLufs of [-23, -16, -12]) {
    const gainCurve = findGainForLoudness(levelProfile, targetLufs)
    const changedSamples = samples.slice()
    applyGainCurve(changedSamples, 2, 0, gainCurve)
    const [measuredLevel, predictedLevel] = [
      computeLevel(measureLevelProfile(changedSamples)),
      computeLevel(levelProfile, gainCurve.points),
    ]
    expect(Math.abs(measuredLevel.lufs - targetLufs)).toBeLessThan(0.1)
    expect(Math.abs(measuredLevel.lufs - predictedLevel.lufs)).toBeLessThan(0.05)
    expect(Math.abs(measuredLevel.truePeakDb - predictedLevel.truePeakDb)).toBeLessThan(0.1)
  }
})

it('level: a quiet sound far from the ceiling has one gain; a silent sound is unchanged', () => {
  const { points } = findGainForLoudness(measureLevelProfile(synthesizeToneParts([[2, -30]])), -25)
  expect(new Set(points).size).toBe(1)
  expect(new Set(findGainForLoudness(measureLevelProfile(new Float32Array(96_000)), -14).points)).toEqual(new Set([1]))
})

it('gain curve: applied to a range, the curve produces the same samples, bit for bit, as applied to the whole sound', () => {
  const samples = synthesizeToneParts([[1, -1]])
  const gainCurve = findGainForLoudness(measureLevelProfile(samples), -6)
  const allSamples = samples.slice()
  applyGainCurve(allSamples, 2, 0, gainCurve)
  for (const [startFrame, frameCount] of [
    [0, 1],
    [119, 2],
    [120, 240],
    [12_345, 20_000],
    [47_999, 1],
  ] as const) {
    const range = samples.slice(2 * startFrame, 2 * (startFrame + frameCount))
    applyGainCurve(range, 2, startFrame, sliceGainCurve(gainCurve, startFrame, frameCount))
    expect(range).toEqual(allSamples.slice(2 * startFrame, 2 * (startFrame + frameCount)))
  }
})
