import { CELL_FRAMES, type Kernel, type KernelSource } from './kernel.ts'
import { designResampler, MAX_RATE, MIN_RATE, type ResamplerDesign } from './resampler-design.ts'
import { computeSourceRange } from './resampler-grid.ts'

/** The designs whose rates multiply to the rate of a rendering: one, or two for a rate outside MIN_RATE..MAX_RATE. */
export type ResamplingSteps = readonly [ResamplerDesign] | readonly [first: ResamplerDesign, second: ResamplerDesign]

/**
 * Designs the one or two steps that resample at a rate. MIN_RATE and MAX_RATE are powers of two, so that the product of the rates of two
 * steps is exactly `resamplingRate`.
 *
 * @throws RangeError for a rate outside MIN_RATE^2..MAX_RATE^2
 */
export function designSteps(resamplingRate: number): ResamplingSteps {
  if (resamplingRate > MAX_RATE) return [designResampler(MAX_RATE), designResampler(resamplingRate / MAX_RATE)]
  if (resamplingRate < MIN_RATE) return [designResampler(resamplingRate / MIN_RATE), designResampler(MIN_RATE)]
  return [designResampler(resamplingRate)]
}

/** Returns the input frames (end excluded) on which `frameCount` output frames from `firstFrame` depend. The range may exceed the sound. */
export function computeStepsSourceRange([firstStep, secondStep]: ResamplingSteps, firstFrame: number, frameCount: number) {
  if (secondStep === undefined) return computeSourceRange(firstStep, firstFrame, frameCount)
  const { startFrame, endFrame } = computeSourceRange(secondStep, firstFrame, frameCount)
  return computeSourceRange(firstStep, startFrame, endFrame - startFrame)
}

/**
 * Fills `outputSamples` as `Kernel.resample` does, in one or two steps. `source` must hold `computeStepsSourceRange`. The samples of a frame are
 * bit-identical in any range, because the samples of each step are bit-identical in any range.
 */
export function resampleInSteps(
  kernel: Kernel,
  [firstStep, secondStep]: ResamplingSteps,
  source: KernelSource,
  firstFrame: number,
  outputSamples: Float32Array,
): void {
  if (secondStep === undefined) {
    kernel.resample(firstStep, source, firstFrame, outputSamples)
    return
  }
  const channelCount = source.channels.length
  // The output is computed one cell at a time, to limit the memory for the samples between the two steps.
  for (let startSample = 0; startSample < outputSamples.length; startSample += channelCount * CELL_FRAMES) {
    const outputPart = outputSamples.subarray(startSample, startSample + channelCount * CELL_FRAMES)
    const partFirstFrame = firstFrame + startSample / channelCount
    const { startFrame, endFrame } = computeSourceRange(secondStep, partFirstFrame, outputPart.length / channelCount)
    const interleavedSamples = new Float32Array(channelCount * (endFrame - startFrame))
    kernel.resample(firstStep, source, startFrame, interleavedSamples)
    kernel.resample(
      secondStep,
      { channels: channelCount === 1 ? [interleavedSamples] : splitChannels(interleavedSamples), startFrame },
      partFirstFrame,
      outputPart,
    )
  }
}

function splitChannels(interleavedSamples: Float32Array): readonly [left: Float32Array, right: Float32Array] {
  const [leftSamples, rightSamples] = [new Float32Array(interleavedSamples.length / 2), new Float32Array(interleavedSamples.length / 2)]
  for (let frame = 0; frame < leftSamples.length; frame++) {
    leftSamples[frame] = interleavedSamples[2 * frame] as number
    rightSamples[frame] = interleavedSamples[2 * frame + 1] as number
  }
  return [leftSamples, rightSamples]
}
