import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CELL_FRAMES, type KernelSource, SEGMENT_FRAMES } from './kernel.ts'
import { referenceKernel } from './reference/kernel.ts'
import {
  kernelMemoryBytes,
  plannedOutputFrames,
  plannedSourceRange,
  planRender,
  type RenderPlan,
  type RenderSettings,
} from './render-plan.ts'
import { createRenderer } from './renderer.ts'
import { designImpulse, impulseFrames, MAX_REVERB_SECONDS } from './reverb.ts'
import { wasmKernel } from './testing/kernels.ts'
import { expectSameSamples, largestDifference } from './testing/samples.ts'

const INPUT_FRAMES = 3.3 * CELL_FRAMES
const noiseSamples = (seed: number) => Float32Array.from({ length: INPUT_FRAMES }, (_, index) => 0.3 * Math.sin(seed + index * index))
const [left, right] = [noiseSamples(1), noiseSamples(2)]
const stereo: KernelSource = { channels: [left, right], startFrame: 0 }
const mono: KernelSource = { channels: [left], startFrame: 0 }

const settings: RenderSettings[] = [
  { sampleRate: 44_100, rate: 1.1 },
  { sampleRate: 44_100, rate: 0.85, bassDb: 5 },
  { sampleRate: 44_100, rate: 0.85, reverb: { seconds: 1.5, amount: 0.4 } },
  { sampleRate: 44_100, rate: 0.9, bassDb: 4, reverb: { seconds: 0.8, amount: 0.3 } },
]

/** Returns copies of the samples in a range. */
function copyRange(source: KernelSource, { startFrame, endFrame }: { startFrame: number; endFrame: number }): KernelSource {
  const start = Math.max(0, startFrame)
  const sliceChannel = (channel: Float32Array) => channel.slice(start, Math.max(start, endFrame))
  const [firstChannel, secondChannel] = source.channels
  return {
    channels: secondChannel === undefined ? [sliceChannel(firstChannel)] : [sliceChannel(firstChannel), sliceChannel(secondChannel)],
    startFrame: start,
  }
}

describe.each(settings)('$rate, bass $bassDb, reverb $reverb.seconds', (setting) => {
  const plan = planRender(setting)
  const frames = plannedOutputFrames(plan, INPUT_FRAMES)

  it.each([{ source: stereo }, { source: mono }])(
    'a frame has the same bits in any requested range, from its plannedSourceRange',
    ({ source }) => {
      const channels = source.channels.length
      const completeOutput = new Float32Array(channels * frames)
      createRenderer(wasmKernel()).render(plan, source, 0, completeOutput)
      const renderer = createRenderer(wasmKernel())
      fc.assert(
        fc.property(fc.nat(frames - 1), fc.integer({ min: 1, max: 40_000 }), (firstFrame, length) => {
          const frameCount = Math.min(length, frames - firstFrame)
          const output = new Float32Array(channels * frameCount)
          // A new plan for the unprocessed sound makes the renderer discard its cached cells, so that each round renders them again.
          renderer.render(
            { ...plan, dry: { ...plan.dry } },
            copyRange(source, plannedSourceRange(plan, firstFrame, frameCount)),
            firstFrame,
            output,
          )
          expectSameSamples(output, completeOutput.subarray(channels * firstFrame, channels * (firstFrame + frameCount)))
        }),
        { numRuns: 4 },
      )
    },
  )

  it('a segment that follows the last rendered one needs a shorter range of the source', () => {
    const [renderedAtOnce, renderedInParts] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
    createRenderer(wasmKernel()).render(plan, stereo, 0, renderedAtOnce)
    const renderer = createRenderer(wasmKernel())
    for (let firstFrame = 0; firstFrame < frames; firstFrame += CELL_FRAMES) {
      const count = Math.min(CELL_FRAMES, frames - firstFrame)
      const range = copyRange(stereo, plannedSourceRange(plan, firstFrame, count, firstFrame > 0))
      renderer.render(plan, range, firstFrame, renderedInParts.subarray(2 * firstFrame, 2 * (firstFrame + count)))
    }
    expectSameSamples(renderedInParts, renderedAtOnce)
  })

  it('both kernels render the same samples within 2^-20', () => {
    const [expectedSamples, output] = [new Float32Array(2 * 5000), new Float32Array(2 * 5000)]
    createRenderer(referenceKernel).render(plan, stereo, CELL_FRAMES + 3000, expectedSamples)
    createRenderer(wasmKernel()).render(plan, stereo, CELL_FRAMES + 3000, output)
    expect(largestDifference(output, expectedSamples)).toBeLessThan(2 ** -20)
  })
})

it('the reverb is the complex convolution with the impulse response', () => {
  const plan = planRender({ sampleRate: 44_100, rate: 1, reverb: { seconds: 1, amount: 0.7 } })
  const dryPlan = planRender({ sampleRate: 44_100, rate: 1 })
  const frames = plannedOutputFrames(plan, INPUT_FRAMES)
  const [dryOutput, wet] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
  const renderer = createRenderer(wasmKernel())
  renderer.render(dryPlan, stereo, 0, dryOutput)
  renderer.render(plan, stereo, 0, wet)
  const { re, im } = designImpulse(1, 44_100)
  for (const frame of [0, 700, CELL_FRAMES, 2 * CELL_FRAMES + 5, INPUT_FRAMES + 2000, frames - 1].map(Math.floor)) {
    let [l, r] = [0, 0]
    for (let k = 0; k <= frame && k < re.length; k++) {
      const [dryLeft, dryRight] = [dryOutput[2 * (frame - k)] ?? 0, dryOutput[2 * (frame - k) + 1] ?? 0]
      l += dryLeft * (re[k] ?? 0) - dryRight * (im[k] ?? 0)
      r += dryRight * (re[k] ?? 0) + dryLeft * (im[k] ?? 0)
    }
    expect(wet[2 * frame]).toBeCloseTo((dryOutput[2 * frame] ?? 0) + 0.7 * l, 6)
    expect(wet[2 * frame + 1]).toBeCloseTo((dryOutput[2 * frame + 1] ?? 0) + 0.7 * r, 6)
  }
})

it('the bass filter produces the same samples in segments as for the complete sound', () => {
  const plan = planRender({ sampleRate: 44_100, rate: 1, bassDb: 9 })
  const frames = plannedOutputFrames(plan, INPUT_FRAMES)
  const [expectedSamples, output] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
  const renderer = createRenderer(wasmKernel())
  renderer.render(planRender({ sampleRate: 44_100, rate: 1 }), stereo, 0, expectedSamples)
  if (plan.dry.bassFilter !== undefined) referenceKernel.filter(plan.dry.bassFilter, expectedSamples, 2)
  renderer.render(plan, stereo, 0, output)
  expect(largestDifference(output, expectedSamples)).toBeLessThan(2 ** -20)
})

it("plannedOutputFrames includes the reverb's tail; for an empty sound it is 0", () => {
  const plan = planRender({ sampleRate: 44_100, rate: 0.5, reverb: { seconds: 2, amount: 1 } })
  expect(plannedOutputFrames(plan, 0)).toBe(0)
  expect(plannedOutputFrames(plan, 44_100)).toBe(88_200 + impulseFrames(2, 44_100))
  expect(plannedOutputFrames(planRender({ sampleRate: 44_100, rate: 4 }), 1)).toBe(0)
})

it('a renderer can render changed plans without allocating more memory', () => {
  const renderer = createRenderer(wasmKernel())
  const [output, expectedSamples] = [new Float32Array(2 * 1000), new Float32Array(2 * 1000)]
  const planRound = (round: number) =>
    planRender({ sampleRate: 44_100, rate: 1, bassDb: round % 2, reverb: { seconds: 6 - round / 3, amount: 0.5 } })
  for (let round = 0; round < 12; round++) renderer.render(planRound(round), stereo, 500, output)
  createRenderer(wasmKernel()).render(planRound(11), stereo, 500, expectedSamples)
  expectSameSamples(output, expectedSamples)
})

it('if a plan changes only the reverb, the renderer reuses the cached samples before the reverb, with the same bits', () => {
  const settingsOf = (seconds: number, amount: number) => ({ sampleRate: 44_100, rate: 0.9, bassDb: 3, reverb: { seconds, amount } })
  const silence: KernelSource = { channels: [new Float32Array(1), new Float32Array(1)], startFrame: 0 }
  const renderer = createRenderer(wasmKernel())
  let plan: RenderPlan | undefined
  const renderNext = (settings: RenderSettings, source: KernelSource) => {
    const [output, expectedSamples] = [new Float32Array(2 * 1000), new Float32Array(2 * 1000)]
    plan = planRender(settings, plan)
    renderer.render(plan, source, 2 * CELL_FRAMES, output)
    createRenderer(wasmKernel()).render(planRender(settings), stereo, 2 * CELL_FRAMES, expectedSamples)
    expectSameSamples(output, expectedSamples)
  }
  renderNext(settingsOf(0.5, 0.3), stereo)
  // A longer reverb reads more of the sound. A shorter or louder reverb reads nothing, because the renderer has cached the sound.
  renderNext(settingsOf(2.3, 0.3), stereo)
  renderNext(settingsOf(1.5, 0.3), silence)
  renderNext(settingsOf(1.5, 0.6), silence)
  const { dry } = planRender({ sampleRate: 44_100, rate: 0.9, bassDb: 3 }, plan)
  expect(dry).toBe(plan?.dry)
  for (const changes of [{ rate: 0.8 }, { bassDb: 2 }, { sampleRate: 48_000 }])
    expect(planRender({ sampleRate: 44_100, rate: 0.9, bassDb: 3, ...changes }, plan).dry).not.toBe(dry)
})

it.each([
  { sampleRate: 44_100, rate: 1 },
  { sampleRate: 192_000, rate: 1, bassDb: 3, reverb: { seconds: 6, amount: 1 } },
])('rendering needs no more memory than kernelMemoryBytes (%o)', (setting) => {
  const plan = planRender(setting)
  const kernel = wasmKernel(kernelMemoryBytes(plan))
  const output = kernel.allocate(2 * SEGMENT_FRAMES).subarray(0, 2 * 1000)
  createRenderer(kernel).render(plan, stereo, 500, output)
  expect(() => kernel.allocate(2 ** 20)).toThrow(RangeError)
})

it.each([0, 1])('renderer: a sound of %d frames is rendered', (inputFrames) => {
  const plan = planRender({ sampleRate: 44_100, rate: 0.5, bassDb: 3, reverb: { seconds: 0.5, amount: 1 } })
  const output = new Float32Array(2 * plannedOutputFrames(plan, inputFrames))
  const source: KernelSource = { channels: [left.subarray(0, inputFrames), right.subarray(0, inputFrames)], startFrame: 0 }
  createRenderer(wasmKernel()).render(plan, source, 0, output)
  expect(output.some((value) => value !== 0)).toBe(inputFrames > 0)
  expect(output.every(Number.isFinite)).toBe(true)
})

it('planRender refuses reverb times beyond its range', () => {
  for (const seconds of [0, -1, Number.NaN, MAX_REVERB_SECONDS + 0.1])
    expect(() => planRender({ sampleRate: 44_100, rate: 1, reverb: { seconds, amount: 1 } })).toThrow(RangeError)
})
