import { CELL_FRAMES, type Kernel, type KernelSource } from './kernel.ts'
import { designResampler, MAX_RATE, MIN_RATE, type ResamplerDesign } from './resampler-design.ts'
import { sourceRange } from './resampler-grid.ts'

/** The designs whose rates multiply to the rate of a rendering: one, or two for a rate outside MIN_RATE..MAX_RATE. */
export type ResamplingSteps = readonly [ResamplerDesign] | readonly [first: ResamplerDesign, second: ResamplerDesign]

/**
 * Designs the one or two steps that resample at a rate. MIN_RATE and MAX_RATE are powers of two, so that the product of the rates of two
 * steps is exactly `rate`.
 *
 * @throws RangeError for a rate outside MIN_RATE^2..MAX_RATE^2
 */
export function designSteps(rate: number): ResamplingSteps {
  if (rate > MAX_RATE) return [designResampler(MAX_RATE), designResampler(rate / MAX_RATE)]
  if (rate < MIN_RATE) return [designResampler(rate / MIN_RATE), designResampler(MIN_RATE)]
  return [designResampler(rate)]
}

/** Returns the input frames (end excluded) that output frames firstFrame .. firstFrame + frames depend on. The range may exceed the sound. */
export function stepsSourceRange([firstStep, secondStep]: ResamplingSteps, firstFrame: number, frames: number) {
  if (secondStep === undefined) return sourceRange(firstStep, firstFrame, frames)
  const { startFrame, endFrame } = sourceRange(secondStep, firstFrame, frames)
  return sourceRange(firstStep, startFrame, endFrame - startFrame)
}

/**
 * Fills `output` as `Kernel.resample` does, in one or two steps. `source` must hold `stepsSourceRange`. The samples of a frame are
 * bit-identical in any range, because the samples of each step are bit-identical in any range.
 */
export function resampleInSteps(
  kernel: Kernel,
  [firstStep, secondStep]: ResamplingSteps,
  source: KernelSource,
  firstFrame: number,
  output: Float32Array,
): void {
  if (secondStep === undefined) {
    kernel.resample(firstStep, source, firstFrame, output)
    return
  }
  const channels = source.channels.length
  // The output is computed one cell at a time, to limit the memory for the samples between the two steps.
  for (let start = 0; start < output.length; start += channels * CELL_FRAMES) {
    const outputPart = output.subarray(start, start + channels * CELL_FRAMES)
    const partFrame = firstFrame + start / channels
    const { startFrame, endFrame } = sourceRange(secondStep, partFrame, outputPart.length / channels)
    const interleavedSamples = new Float32Array(channels * (endFrame - startFrame))
    kernel.resample(firstStep, source, startFrame, interleavedSamples)
    kernel.resample(
      secondStep,
      { channels: channels === 1 ? [interleavedSamples] : splitChannels(interleavedSamples), startFrame },
      partFrame,
      outputPart,
    )
  }
}

function splitChannels(interleavedSamples: Float32Array): readonly [left: Float32Array, right: Float32Array] {
  const [left, right] = [new Float32Array(interleavedSamples.length / 2), new Float32Array(interleavedSamples.length / 2)]
  for (let frame = 0; frame < left.length; frame++) {
    left[frame] = interleavedSamples[2 * frame] as number
    right[frame] = interleavedSamples[2 * frame + 1] as number
  }
  return [left, right]
}
