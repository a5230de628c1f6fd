import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLoopReader, FADE_SECONDS, type LoopFrames } from './loop-reader.ts'
import type { PreviewSource } from './preview-source.ts'

const SAMPLE_RATE = 44_100
const FADE_FRAMES = Math.round(FADE_SECONDS * SAMPLE_RATE)
const FRAME_COUNT = 6000
const AMPLITUDE = 0.5
const RADIANS_PER_FRAME = (2 * Math.PI * 300) / SAMPLE_RATE

const computeSampleAt = (frame: number, channel: number) => AMPLITUDE * Math.cos(RADIANS_PER_FRAME * frame + channel)

/** A tone that begins and ends in the middle of a period, so that a hard loop would click. */
const source: PreviewSource = {
  sampleRate: SAMPLE_RATE,
  channels: 2,
  frames: FRAME_COUNT,
  dryFrames: FRAME_COUNT,
  playbackRate: 1,
  async read(firstFrame, frameCount) {
    if (firstFrame < 0 || firstFrame + frameCount > FRAME_COUNT)
      throw new RangeError(`the source has no frames ${firstFrame}..${firstFrame + frameCount}`)
    return [0, 1].map((channel) => Float32Array.from({ length: frameCount }, (_, frame) => computeSampleAt(firstFrame + frame, channel)))
  },
}

/** Plays a loop several times. The reads have the given lengths, in rotation. */
async function playLoop(loop: LoopFrames, repetitionCount: number, bufferLengths: readonly number[]) {
  const readLoop = createLoopReader(source, loop)
  const playedSamples: [number[], number[]] = [[], []]
  let bufferIndex = 0
  for (let repetition = 0; repetition < repetitionCount; repetition++)
    for (let loopFrame = loop.startFrame; loopFrame < loop.endFrame; ) {
      const frameCount = Math.min(bufferLengths[bufferIndex++ % bufferLengths.length] ?? 1, loop.endFrame - loopFrame)
      const channels = await readLoop(loopFrame, frameCount, repetition > 0)
      for (const index of [0, 1] as const) playedSamples[index].push(...(channels[index] ?? []))
      loopFrame += frameCount
    }
  return playedSamples
}

const anyLoops = fc
  .tuple(fc.nat(FRAME_COUNT - 1), fc.oneof(fc.integer({ min: 1, max: FRAME_COUNT }), fc.integer({ min: 1, max: 3 * FADE_FRAMES })))
  .map(([startFrame, length]) => ({ startFrame, endFrame: Math.min(FRAME_COUNT, startFrame + length) }))
  .chain((loop) =>
    fc.constantFrom(loop, { ...loop, startFrame: 0 }, { ...loop, endFrame: FRAME_COUNT }, { startFrame: 0, endFrame: FRAME_COUNT }),
  )

it('apart from the slope of the fade, no step between samples at the wrap of a loop is larger than the steps in the sound, for any loop and buffer sizes', async () => {
  const anyBufferLengths = fc.array(fc.integer({ min: 50, max: 5000 }), { minLength: 1, maxLength: 5 })
  const maxSineStep = AMPLITUDE * RADIANS_PER_FRAME
  await fc.assert(
    fc.asyncProperty(anyLoops, anyBufferLengths, async (loop, bufferLengths) => {
      const loopFrames = loop.endFrame - loop.startFrame
      const fadeFrames = Math.min(FADE_FRAMES, Math.floor(loopFrames / 2))
      if (fadeFrames === 0) return
      for (const bufferSamples of await playLoop(loop, 3, bufferLengths)) {
        expect(bufferSamples).toHaveLength(3 * loopFrames)
        const largestStep = bufferSamples.reduce(
          (step, sample, index) => Math.max(step, Math.abs(sample - (bufferSamples[index - 1] ?? sample))),
          0,
        )
        expect(largestStep).toBeLessThan(maxSineStep + (2 * AMPLITUDE) / fadeFrames + 1e-6)
      }
    }),
    { numRuns: 40 },
  )
})

it('a loop has the length of its range, and its samples are those of the sound except in the crossfade', async () => {
  const loop = { startFrame: 1000, endFrame: 4321 }
  const [leftSamples] = await playLoop(loop, 3, [700])
  const loopFrames = loop.endFrame - loop.startFrame
  for (let repetition = 0; repetition < 3; repetition++)
    for (let frame = 0; frame < loopFrames - FADE_FRAMES; frame++)
      expect(leftSamples[repetition * loopFrames + frame]).toBe(Math.fround(computeSampleAt(loop.startFrame + frame, 0)))
})

it('a loop begins without a fade when it is played for the first time', async () => {
  const [left] = await playLoop({ startFrame: 0, endFrame: FRAME_COUNT }, 1, [FRAME_COUNT])
  expect(left[0]).toBe(AMPLITUDE)
})

it.each([1, 2, 3])('a loop of %d frames is played', async (frameCount) => {
  const [left] = await playLoop({ startFrame: 100, endFrame: 100 + frameCount }, 4, [50])
  expect(left).toHaveLength(4 * frameCount)
  expect(left.every((sample) => Math.abs(sample) <= AMPLITUDE)).toBe(true)
})
