import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CELL_FRAMES, type KernelSource, SEGMENT_FRAMES } from './kernel.ts'
import { referenceKernel } from './reference/kernel.ts'
import {
  computeKernelMemoryBytes,
  computePlannedOutputFrames,
  computePlannedSourceRange,
  planRender,
  type RenderPlan,
  type RenderSettings,
} from './render-plan.ts'
import { createRenderer } from './renderer.ts'
import { computeImpulseFrames, designImpulse, MAX_REVERB_SECONDS } from './reverb.ts'
import { loadWasmKernel } from './testing/kernels.ts'
import { expectSameSamples, findLargestDifference } from './testing/samples.ts'

const INPUT_FRAMES = 3.3 * CELL_FRAMES
const synthesizeNoise = (seed: number) => Float32Array.from({ length: INPUT_FRAMES }, (_, index) => 0.3 * Math.sin(seed + index * index))
const [leftSamples, rightSamples] = [synthesizeNoise(1), synthesizeNoise(2)]
const stereo: KernelSource = { channels: [leftSamples, rightSamples], startFrame: 0 }
const mono: KernelSource = { channels: [leftSamples], startFrame: 0 }

const settings: RenderSettings[] = [
  { sampleRate: 44_100, rate: 1.1 },
  { sampleRate: 44_100, rate: 0.85, bassDb: 5 },
  { sampleRate: 44_100, rate: 0.85, reverb: { seconds: 1.5, amount: 0.4 } },
  { sampleRate: 44_100, rate: 0.9, bassDb: 4, reverb: { seconds: 0.8, amount: 0.3 } },
]

/** Returns copies of the samples in a range. */
function copyRange(source: KernelSource, { startFrame, endFrame }: { startFrame: number; endFrame: number }): KernelSource {
  const sourceStart = Math.max(0, startFrame)
  const sliceChannel = (channel: Float32Array) => channel.slice(sourceStart, Math.max(sourceStart, endFrame))
  const [firstChannel, secondChannel] = source.channels
  return {
    channels: secondChannel === undefined ? [sliceChannel(firstChannel)] : [sliceChannel(firstChannel), sliceChannel(secondChannel)],
    startFrame: sourceStart,
  }
}

describe.each(settings)('renderer: at rate $rate, bass $bassDb dB, reverb $reverb.seconds s', (renderSettings) => {
  const renderPlan = planRender(renderSettings)
  const frames = computePlannedOutputFrames(renderPlan, INPUT_FRAMES)

  it.each([{ source: stereo }, { source: mono }])(
    'a frame has the same bits in any requested range, from its planned source range',
    ({ source }) => {
      const channelCount = source.channels.length
      const completeOutput = new Float32Array(channelCount * frames)
      createRenderer(loadWasmKernel()).render(renderPlan, source, 0, completeOutput)
      const renderer = createRenderer(loadWasmKernel())
      fc.assert(
        fc.property(fc.nat(frames - 1), fc.integer({ min: 1, max: 40_000 }), (firstFrame, excerptFrames) => {
          const frameCount = Math.min(excerptFrames, frames - firstFrame)
          const outputSamples = new Float32Array(channelCount * frameCount)
          // A new plan for the unprocessed sound makes the renderer discard its cached cells, so that each round renders them again.
          renderer.render(
            { ...renderPlan, dry: { ...renderPlan.dry } },
            copyRange(source, computePlannedSourceRange(renderPlan, firstFrame, frameCount)),
            firstFrame,
            outputSamples,
          )
          expectSameSamples(outputSamples, completeOutput.subarray(channelCount * firstFrame, channelCount * (firstFrame + frameCount)))
        }),
        { numRuns: 4 },
      )
    },
  )

  it('a segment that follows the last rendered one needs a shorter range of the source', () => {
    const [renderedAtOnce, renderedInParts] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
    createRenderer(loadWasmKernel()).render(renderPlan, stereo, 0, renderedAtOnce)
    const renderer = createRenderer(loadWasmKernel())
    for (let firstFrame = 0; firstFrame < frames; firstFrame += CELL_FRAMES) {
      const count = Math.min(CELL_FRAMES, frames - firstFrame)
      const range = copyRange(stereo, computePlannedSourceRange(renderPlan, firstFrame, count, firstFrame > 0))
      renderer.render(renderPlan, range, firstFrame, renderedInParts.subarray(2 * firstFrame, 2 * (firstFrame + count)))
    }
    expectSameSamples(renderedInParts, renderedAtOnce)
  })

  it('both kernels render the same samples within 2^-20', () => {
    const [expectedSamples, outputSamples] = [new Float32Array(2 * 5000), new Float32Array(2 * 5000)]
    createRenderer(referenceKernel).render(renderPlan, stereo, CELL_FRAMES + 3000, expectedSamples)
    createRenderer(loadWasmKernel()).render(renderPlan, stereo, CELL_FRAMES + 3000, outputSamples)
    expect(findLargestDifference(outputSamples, expectedSamples)).toBeLessThan(2 ** -20)
  })
})

it('the reverb is the complex convolution with the impulse response', () => {
  const renderPlan = planRender({ sampleRate: 44_100, rate: 1, reverb: { seconds: 1, amount: 0.7 } })
  const dryPlan = planRender({ sampleRate: 44_100, rate: 1 })
  const frames = computePlannedOutputFrames(renderPlan, INPUT_FRAMES)
  const [dryOutput, wetOutput] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
  const renderer = createRenderer(loadWasmKernel())
  renderer.render(dryPlan, stereo, 0, dryOutput)
  renderer.render(renderPlan, stereo, 0, wetOutput)
  const { re, im } = designImpulse(1, 44_100)
  for (const frameIndex of [0, 700, CELL_FRAMES, 2 * CELL_FRAMES + 5, INPUT_FRAMES + 2000, frames - 1].map(Math.floor)) {
    let [leftSum, rightSum] = [0, 0]
    for (let tapIndex = 0; tapIndex <= frameIndex && tapIndex < re.length; tapIndex++) {
      const [dryLeft, dryRight] = [dryOutput[2 * (frameIndex - tapIndex)] ?? 0, dryOutput[2 * (frameIndex - tapIndex) + 1] ?? 0]
      leftSum += dryLeft * (re[tapIndex] ?? 0) - dryRight * (im[tapIndex] ?? 0)
      rightSum += dryRight * (re[tapIndex] ?? 0) + dryLeft * (im[tapIndex] ?? 0)
    }
    expect(wetOutput[2 * frameIndex]).toBeCloseTo((dryOutput[2 * frameIndex] ?? 0) + 0.7 * leftSum, 6)
    expect(wetOutput[2 * frameIndex + 1]).toBeCloseTo((dryOutput[2 * frameIndex + 1] ?? 0) + 0.7 * rightSum, 6)
  }
})

it('the bass filter produces the same samples in segments as for the complete sound', () => {
  const renderPlan = planRender({ sampleRate: 44_100, rate: 1, bassDb: 9 })
  const frames = computePlannedOutputFrames(renderPlan, INPUT_FRAMES)
  const [expectedSamples, outputSamples] = [new Float32Array(2 * frames), new Float32Array(2 * frames)]
  const renderer = createRenderer(loadWasmKernel())
  renderer.render(planRender({ sampleRate: 44_100, rate: 1 }), stereo, 0, expectedSamples)
  if (renderPlan.dry.bassFilter !== undefined) referenceKernel.filter(renderPlan.dry.bassFilter, expectedSamples, 2)
  renderer.render(renderPlan, stereo, 0, outputSamples)
  expect(findLargestDifference(outputSamples, expectedSamples)).toBeLessThan(2 ** -20)
})

it("computePlannedOutputFrames includes the reverb's tail, and returns 0 for an empty sound", () => {
  const renderPlan = planRender({ sampleRate: 44_100, rate: 0.5, reverb: { seconds: 2, amount: 1 } })
  expect(computePlannedOutputFrames(renderPlan, 0)).toBe(0)
  expect(computePlannedOutputFrames(renderPlan, 44_100)).toBe(88_200 + computeImpulseFrames(2, 44_100))
  expect(computePlannedOutputFrames(planRender({ sampleRate: 44_100, rate: 4 }), 1)).toBe(0)
})

it('a renderer can render changed plans without allocating more memory', () => {
  const renderer = createRenderer(loadWasmKernel())
  const [outputSamples, expectedSamples] = [new Float32Array(2 * 1000), new Float32Array(2 * 1000)]
  const planRenderRound = (round: number) =>
    planRender({ sampleRate: 44_100, rate: 1, bassDb: round % 2, reverb: { seconds: 6 - round / 3, amount: 0.5 } })
  for (let round = 0; round < 12; round++) renderer.render(planRenderRound(round), stereo, 500, outputSamples)
  createRenderer(loadWasmKernel()).render(planRenderRound(11), stereo, 500, expectedSamples)
  expectSameSamples(outputSamples, expectedSamples)
})

it('if a plan changes only the reverb, the renderer reuses the cached samples before the reverb, with the same bits', () => {
  const createSettings = (seconds: number, amount: number) => ({ sampleRate: 44_100, rate: 0.9, bassDb: 3, reverb: { seconds, amount } })
  const silence: KernelSource = { channels: [new Float32Array(1), new Float32Array(1)], startFrame: 0 }
  const renderer = createRenderer(loadWasmKernel())
  let plan: RenderPlan | undefined
  const renderNext = (settings: RenderSettings, source: KernelSource) => {
    const [outputSamples, expectedSamples] = [new Float32Array(2 * 1000), new Float32Array(2 * 1000)]
    plan = planRender(settings, plan)
    renderer.render(plan, source, 2 * CELL_FRAMES, outputSamples)
    createRenderer(loadWasmKernel()).render(planRender(settings), stereo, 2 * CELL_FRAMES, expectedSamples)
    expectSameSamples(outputSamples, expectedSamples)
  }
  renderNext(createSettings(0.5, 0.3), stereo)
  // A longer reverb reads more of the sound. A shorter or louder reverb reads nothing, because the renderer has cached the sound.
  renderNext(createSettings(2.3, 0.3), stereo)
  renderNext(createSettings(1.5, 0.3), silence)
  renderNext(createSettings(1.5, 0.6), silence)
  const { dry } = planRender({ sampleRate: 44_100, rate: 0.9, bassDb: 3 }, plan)
  expect(dry).toBe(plan?.dry)
  for (const changes of [{ rate: 0.8 }, { bassDb: 2 }, { sampleRate: 48_000 }])
    expect(planRender({ sampleRate: 44_100, rate: 0.9, bassDb: 3, ...changes }, plan).dry).not.toBe(dry)
})

it.each([
  { sampleRate: 44_100, rate: 1 },
  { sampleRate: 192_000, rate: 1, bassDb: 3, reverb: { seconds: 6, amount: 1 } },
])('rendering needs no more memory than computeKernelMemoryBytes returns, with the settings %o', (renderSettings) => {
  const renderPlan = planRender(renderSettings)
  const wasmKernelInstance = loadWasmKernel(computeKernelMemoryBytes(renderPlan))
  const output = wasmKernelInstance.allocate(2 * SEGMENT_FRAMES).subarray(0, 2 * 1000)
  createRenderer(wasmKernelInstance).render(renderPlan, stereo, 500, output)
  expect(() => wasmKernelInstance.allocate(2 ** 20)).toThrow(RangeError)
})

it.each([0, 1])('renderer: a sound of %d frames is rendered', (inputFrames) => {
  const renderPlan = planRender({ sampleRate: 44_100, rate: 0.5, bassDb: 3, reverb: { seconds: 0.5, amount: 1 } })
  const outputSamples = new Float32Array(2 * computePlannedOutputFrames(renderPlan, inputFrames))
  const source: KernelSource = { channels: [leftSamples.subarray(0, inputFrames), rightSamples.subarray(0, inputFrames)], startFrame: 0 }
  createRenderer(loadWasmKernel()).render(renderPlan, source, 0, outputSamples)
  expect(outputSamples.some((value) => value !== 0)).toBe(inputFrames > 0)
  expect(outputSamples.every(Number.isFinite)).toBe(true)
})

it('planRender refuses reverb times beyond its range', () => {
  for (const seconds of [0, -1, Number.NaN, MAX_REVERB_SECONDS + 0.1])
    expect(() => planRender({ sampleRate: 44_100, rate: 1, reverb: { seconds, amount: 1 } })).toThrow(RangeError)
})
