import type { Kernel } from '../kernel.ts'
import { FFT_FRAMES, PHASE_COUNT, type ResamplerDesign } from '../resampler-design.ts'
import { listResamplerBlocks } from '../resampler-grid.ts'
import type { KernelExports } from './exports.ts'
import type { KernelMemory } from './memory.ts'
import { computeSpectrumOrder, computeTwiddleFactors } from './spectrum-order.ts'

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
  const sampleMemory = memory.allocateFloats(FFT_FRAMES)
  const [reMemory, imMemory] = [allocateDoubles(), allocateDoubles()]
  // The frequency responses for samples at whole frames and half a frame later.
  const frequencyResponses = [0, 1].map(() => ({ re: allocateDoubles(), im: allocateDoubles() }))
  const filteredSpectra = [0, 1].map(() => ({ re: allocateFloats(), im: allocateFloats() }))
  const doubledChannels = [memory.allocateFloats(2 * FFT_FRAMES), memory.allocateFloats(2 * FFT_FRAMES)] as const
  const coefficientTableMemory = memory.allocateFloats((PHASE_COUNT + 1) * MAX_TAPS)
  const twiddleMemory = copyToMemory(computeTwiddleFactors(FFT_FRAMES, 2), memory.allocateDoubles)
  const inverseTwiddles = copyToMemory(computeTwiddleFactors(FFT_FRAMES, 4), memory.allocateFloats)
  const binOrder = computeSpectrumOrder(FFT_FRAMES)
  const copyBuffer = memory.allocateFloats(2 * COPY_BUFFER_FRAMES)
  let loadedCoefficientTable: Float32Array | undefined

  function loadDesign(design: ResamplerDesign) {
    // All designs of the same bandwidth share their filters.
    if (loadedCoefficientTable === design.coefficientTable) return
    frequencyResponses.forEach((response, halfIndex) => {
      const designedResponse = design.responses[halfIndex as 0 | 1]
      binOrder.forEach((binIndex, index) => {
        response.re[index] = designedResponse.re[binIndex] as number
        response.im[index] = designedResponse.im[binIndex] as number
      })
    })
    coefficientTableMemory.set(design.coefficientTable)
    loadedCoefficientTable = design.coefficientTable
  }

  /** Loads FFT_FRAMES samples of a channel from `startFrame` as doubles. Samples outside the channel are 0. */
  function loadChannel(channelSamples: Float32Array, startFrame: number, loadedSamples: Float64Array) {
    const fromFrame = Math.max(0, startFrame)
    const endFrame = Math.min(channelSamples.length, startFrame + FFT_FRAMES)
    if (endFrame - fromFrame < FFT_FRAMES) sampleMemory.fill(0)
    if (endFrame > fromFrame) sampleMemory.set(channelSamples.subarray(fromFrame, endFrame), fromFrame - startFrame)
    kernel.promote(sampleMemory.byteOffset, loadedSamples.byteOffset, FFT_FRAMES)
  }

  function doubleRate() {
    kernel.forward64(reMemory.byteOffset, imMemory.byteOffset, FFT_FRAMES, twiddleMemory.byteOffset)
    filteredSpectra.forEach((productSpectrum, halfIndex) => {
      const response = frequencyResponses[halfIndex] as (typeof frequencyResponses)[number]
      const [pr, pi] = [productSpectrum.re.byteOffset, productSpectrum.im.byteOffset]
      kernel.multiplyDemote(reMemory.byteOffset, imMemory.byteOffset, response.re.byteOffset, response.im.byteOffset, pr, pi, FFT_FRAMES)
      kernel.inverse32(pr, pi, FFT_FRAMES, inverseTwiddles.byteOffset)
    })
    const [atWholeFrames, atHalfFrames] = filteredSpectra as [(typeof filteredSpectra)[number], (typeof filteredSpectra)[number]]
    kernel.interleave(atWholeFrames.re.byteOffset, atHalfFrames.re.byteOffset, doubledChannels[0].byteOffset, FFT_FRAMES)
    kernel.interleave(atWholeFrames.im.byteOffset, atHalfFrames.im.byteOffset, doubledChannels[1].byteOffset, FFT_FRAMES)
  }

  return (design, { channels, startFrame }, firstFrame, outputSamples) => {
    loadDesign(design)
    const [leftSamples, rightSamples] = channels
    const isInPlace = rightSamples !== undefined && memory.has(outputSamples)
    for (const resamplerBlock of listResamplerBlocks(design, firstFrame, outputSamples.length / channels.length)) {
      loadChannel(leftSamples, resamplerBlock.inputFrame - startFrame, reMemory)
      if (rightSamples === undefined) imMemory.fill(0)
      else loadChannel(rightSamples, resamplerBlock.inputFrame - startFrame, imMemory)
      doubleRate()
      for (let renderedFrames = 0; renderedFrames < resamplerBlock.frames; ) {
        const frameCount = isInPlace ? resamplerBlock.frames : Math.min(COPY_BUFFER_FRAMES, resamplerBlock.frames - renderedFrames)
        const startSample = (resamplerBlock.firstFrame - firstFrame + renderedFrames) * channels.length
        kernel.interpolate(
          doubledChannels[0].byteOffset,
          doubledChannels[1].byteOffset,
          coefficientTableMemory.byteOffset,
          design.tapCount,
          resamplerBlock.position,
          2 * design.rate,
          resamplerBlock.skippedFrames + renderedFrames,
          frameCount,
          isInPlace ? outputSamples.byteOffset + startSample * 4 : copyBuffer.byteOffset,
        )
        if (rightSamples === undefined)
          for (let frame = 0; frame < frameCount; frame++) outputSamples[startSample + frame] = copyBuffer[2 * frame] as number
        else if (!isInPlace) outputSamples.set(copyBuffer.subarray(0, 2 * frameCount), startSample)
        renderedFrames += frameCount
      }
    }
  }
}

/** Copies `copiedValues` to a newly allocated array. */
function copyToMemory<Values extends Float32Array | Float64Array>(
  copiedValues: number[],
  allocateArray: (length: number) => Values,
): Values {
  const array = allocateArray(copiedValues.length)
  array.set(copiedValues)
  return array
}
