import type { Kernel } from '../kernel.ts'
import { FFT_FRAMES, PHASE_COUNT, type ResamplerDesign } from '../resampler-design.ts'
import { listResamplerBlocks } from '../resampler-grid.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { spectrumOrder, twiddleFactors } from './spectrum-order.ts'

const MAX_TAPS = 20
/** The maximum number of frames per call if the output is outside the kernel's memory. */
const COPY_BUFFER_FRAMES = 4096

/**
 * Creates `Kernel.resample` on the compiled kernel. The forward transform is in double precision, which puts the rounding noise 136 dB below a
 * tone. With single precision in both directions it would be 133 dB below.
 */
export function createResampler(kernel: KernelExports, memory: KernelMemory): Kernel['resample'] {
  const allocateDoubles = () => memory.allocateDoubles(FFT_FRAMES)
  const allocateFloats = () => memory.allocateFloats(FFT_FRAMES)
  const samples = memory.allocateFloats(FFT_FRAMES)
  const [re, im] = [allocateDoubles(), allocateDoubles()]
  // The frequency responses for samples at whole frames and half a frame later.
  const frequencyResponses = [0, 1].map(() => ({ re: allocateDoubles(), im: allocateDoubles() }))
  const filteredSpectra = [0, 1].map(() => ({ re: allocateFloats(), im: allocateFloats() }))
  const doubledChannels = [memory.allocateFloats(2 * FFT_FRAMES), memory.allocateFloats(2 * FFT_FRAMES)] as const
  const table = memory.allocateFloats((PHASE_COUNT + 1) * MAX_TAPS)
  const twiddles = copyToMemory(twiddleFactors(FFT_FRAMES, 2), memory.allocateDoubles)
  const inverseTwiddles = copyToMemory(twiddleFactors(FFT_FRAMES, 4), memory.allocateFloats)
  const binOrder = spectrumOrder(FFT_FRAMES)
  const copyBuffer = memory.allocateFloats(2 * COPY_BUFFER_FRAMES)
  let loadedTable: Float32Array | undefined

  function loadDesign(design: ResamplerDesign) {
    // All designs of the same bandwidth share their filters.
    if (loadedTable === design.coefficientTable) return
    frequencyResponses.forEach((response, parity) => {
      const designedResponse = design.responses[parity as 0 | 1]
      binOrder.forEach((bin, index) => {
        response.re[index] = designedResponse.re[bin] as number
        response.im[index] = designedResponse.im[bin] as number
      })
    })
    table.set(design.coefficientTable)
    loadedTable = design.coefficientTable
  }

  /** Loads FFT_FRAMES samples of a channel from `start` as doubles. Samples outside the channel are 0. */
  function loadChannel(channelSamples: Float32Array, start: number, loadedSamples: Float64Array) {
    const fromFrame = Math.max(0, start)
    const to = Math.min(channelSamples.length, start + FFT_FRAMES)
    if (to - fromFrame < FFT_FRAMES) samples.fill(0)
    if (to > fromFrame) samples.set(channelSamples.subarray(fromFrame, to), fromFrame - start)
    kernel.promote(samples.byteOffset, loadedSamples.byteOffset, FFT_FRAMES)
  }

  function doubleRate() {
    kernel.forward64(re.byteOffset, im.byteOffset, FFT_FRAMES, twiddles.byteOffset)
    filteredSpectra.forEach((product, parity) => {
      const response = frequencyResponses[parity] as (typeof frequencyResponses)[number]
      const [pr, pi] = [product.re.byteOffset, product.im.byteOffset]
      kernel.multiplyDemote(re.byteOffset, im.byteOffset, response.re.byteOffset, response.im.byteOffset, pr, pi, FFT_FRAMES)
      kernel.inverse32(pr, pi, FFT_FRAMES, inverseTwiddles.byteOffset)
    })
    const [atWholeFrames, atHalfFrames] = filteredSpectra as [(typeof filteredSpectra)[number], (typeof filteredSpectra)[number]]
    kernel.interleave(atWholeFrames.re.byteOffset, atHalfFrames.re.byteOffset, doubledChannels[0].byteOffset, FFT_FRAMES)
    kernel.interleave(atWholeFrames.im.byteOffset, atHalfFrames.im.byteOffset, doubledChannels[1].byteOffset, FFT_FRAMES)
  }

  return (design, { channels, startFrame }, firstFrame, output) => {
    loadDesign(design)
    const [left, right] = channels
    const inPlace = right !== undefined && memory.has(output)
    for (const block of listResamplerBlocks(design, firstFrame, output.length / channels.length)) {
      loadChannel(left, block.inputFrame - startFrame, re)
      if (right === undefined) im.fill(0)
      else loadChannel(right, block.inputFrame - startFrame, im)
      doubleRate()
      for (let renderedFrames = 0; renderedFrames < block.frames; ) {
        const frames = inPlace ? block.frames : Math.min(COPY_BUFFER_FRAMES, block.frames - renderedFrames)
        const start = (block.firstFrame - firstFrame + renderedFrames) * channels.length
        kernel.interpolate(
          doubledChannels[0].byteOffset,
          doubledChannels[1].byteOffset,
          table.byteOffset,
          design.tapCount,
          block.position,
          2 * design.rate,
          block.skippedFrames + renderedFrames,
          frames,
          inPlace ? output.byteOffset + start * 4 : copyBuffer.byteOffset,
        )
        if (right === undefined) for (let frame = 0; frame < frames; frame++) output[start + frame] = copyBuffer[2 * frame] as number
        else if (!inPlace) output.set(copyBuffer.subarray(0, 2 * frames), start)
        renderedFrames += frames
      }
    }
  }
}

/** Copies `values` to a newly allocated array. */
function copyToMemory<Values extends Float32Array | Float64Array>(values: number[], allocate: (length: number) => Values): Values {
  const array = allocate(values.length)
  array.set(values)
  return array
}
