import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SoundEdits } from './engine.ts'
import { findSoundRange } from './find-silence.ts'
import { createMemorySound, type Sound } from './sound.ts'
import { computeEditedLength, editSound, FADE_SHAPES, NO_EDITS } from './sound-edits.ts'

const SAMPLE_RATE = 8000

const createAnyEdits = (frameCount: number): fc.Arbitrary<SoundEdits> => {
  const anyFade = fc.record({ seconds: fc.double({ min: 0, max: 2, noNaN: true }), shape: fc.constantFrom(...FADE_SHAPES) })
  const anyRange = fc
    .tuple(fc.nat(frameCount), fc.nat(frameCount))
    .map(([a, b]) => ({ startFrame: Math.min(a, b), endFrame: Math.max(a, b) }))
  return fc.record({ range: fc.option(anyRange, { nil: undefined }), fadeIn: anyFade, fadeOut: anyFade })
}

function readAllSamples(sound: Sound, fromFrame = 0, frameCount = sound.frames): Float32Array {
  const samples = new Float32Array(frameCount)
  void sound.read(fromFrame, [samples])
  return samples
}

describe('edited sound', () => {
  const constantSound = createMemorySound([new Float32Array(6000).fill(1)], SAMPLE_RATE)

  it('a frame has the same samples in whatever range it is read, and the length is that of the kept range', () => {
    const sound = createMemorySound([Float32Array.from({ length: 3000 }, (_, frame) => Math.sin(frame))], SAMPLE_RATE)
    fc.assert(
      fc.property(createAnyEdits(3000), fc.nat(), fc.nat(), (soundEdits, firstNumber, secondNumber) => {
        const editedSound = editSound(sound, soundEdits)
        const { startFrame = 0, endFrame = 3000 } = soundEdits.range ?? {}
        if (endFrame > startFrame) expect(editedSound.frames).toBe(endFrame - startFrame)
        expect(
          computeEditedLength(
            { frames: 3000, sampleRate: SAMPLE_RATE, peaks: { framesPerPeak: 256, values: new Float32Array(24) } },
            soundEdits,
          ),
        ).toMatchObject({ frames: editedSound.frames })
        const from = firstNumber % editedSound.frames
        const frames = Math.min(editedSound.frames - from, secondNumber % 700)
        expect(readAllSamples(editedSound, from, frames)).toEqual(readAllSamples(editedSound).subarray(from, from + frames))
      }),
    )
  })

  it('a cut does not click: no step between samples is larger than in a fade of 3 ms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 3000, max: 5999 }), (startFrame, endFrame) => {
        const editedSamples = readAllSamples(editSound(constantSound, { ...NO_EDITS, range: { startFrame, endFrame } }))
        const paddedSamples = [0, ...editedSamples, 0]
        const largestStep = paddedSamples.reduce(
          (largest, sample, index) => Math.max(largest, Math.abs(sample - (paddedSamples[index - 1] ?? 0))),
          0,
        )
        expect(largestStep).toBeLessThan(0.07)
        expect(editedSamples[100]).toBe(1)
      }),
    )
  })

  it.each(FADE_SHAPES)('fades with the shape %s rise and fall between 0 and 1', (fadeShape) => {
    const quarterSecondFade = { seconds: 0.25, shape: fadeShape }
    const editedSamples = readAllSamples(editSound(constantSound, { ...NO_EDITS, fadeIn: quarterSecondFade, fadeOut: quarterSecondFade }))
    const risingSamples = editedSamples.subarray(0, 2000)
    expect(risingSamples.every((gain, index) => gain > (index === 0 ? 0 : (risingSamples[index - 1] as number)) && gain < 1)).toBe(true)
    expect(editedSamples.subarray(2000, 4000).every((gain) => gain === 1)).toBe(true)
    expect(editedSamples.toReversed()).toEqual(editedSamples)
    const middle = { linear: 0.5, 'equal-power': Math.SQRT1_2, 's-curve': 0.5 }[fadeShape]
    expect(risingSamples[1000]).toBeCloseTo(middle, 3)
  })

  it('a sound without edits is the sound itself, bit for bit', () => expect(editSound(constantSound, NO_EDITS)).toBe(constantSound))

  it('the waveform shows the kept range with its fades', () => {
    const soundPeaks = { framesPerPeak: 100, values: Float32Array.from({ length: 120 }, (_, index) => (index % 2 === 0 ? -1 : 1)) }
    const soundDetails = { frames: 6000, sampleRate: SAMPLE_RATE, peaks: soundPeaks }
    const edits: SoundEdits = { ...NO_EDITS, range: { startFrame: 1000, endFrame: 3000 }, fadeIn: { seconds: 0.1, shape: 'linear' } }
    const { durationS, peaks: editedPeaks } = computeEditedLength(soundDetails, edits)
    expect(durationS).toBe(0.25)
    expect(editedPeaks.values).toHaveLength(40)
    expect(editedPeaks.values[1]).toBeCloseTo(0.06, 2)
    expect([...editedPeaks.values.subarray(18, 36)]).toEqual(Array.from({ length: 18 }, (_, index) => (index % 2 === 0 ? -1 : 1)))
  })
})

describe('findSoundRange', () => {
  it('findSoundRange: the loud part of a sound is found, wherever it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(70_000),
        fc.integer({ min: 1, max: 70_000 }),
        fc.nat(70_000),
        async (silentFramesBefore, loudFrames, silentFramesAfter) => {
          const soundSamples = new Float32Array(silentFramesBefore + loudFrames + silentFramesAfter).fill(0.0005)
          soundSamples[silentFramesBefore] = -0.5
          soundSamples[silentFramesBefore + loudFrames - 1] = 0.01
          const sound = createMemorySound([new Float32Array(soundSamples.length), soundSamples], SAMPLE_RATE)
          expect(await findSoundRange(sound, { startFrame: 0, endFrame: soundSamples.length })).toEqual({
            startFrame: Math.max(0, silentFramesBefore - 40),
            endFrame: Math.min(soundSamples.length, silentFramesBefore + loudFrames + 40),
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  it('findSoundRange: in silence the result is undefined', async () => {
    const sound = createMemorySound([new Float32Array(1000)], SAMPLE_RATE)
    expect(await findSoundRange(sound, { startFrame: 0, endFrame: 1000 })).toBeUndefined()
  })
})
