import { type ComplexArray, createComplexArray, fft, inverseFft } from '../fft.ts'
import type { KernelSource } from '../kernel.ts'
import { FFT_FRAMES, PHASE_COUNT, type ResamplerDesign } from '../resampler-design.ts'
import { listResamplerBlocks, type ResamplerBlock } from '../resampler-grid.ts'

/**
 * The resampler in plain TypeScript and double precision: the reference in tests of the compiled kernel, and the fallback without SIMD. Fills
 * `outputSamples` with interleaved output frames from `firstFrame`, with the source's number of channels.
 */
export function resample(design: ResamplerDesign, source: KernelSource, firstFrame: number, outputSamples: Float32Array): void {
  const channelCount = source.channels.length
  for (const resamplerBlock of listResamplerBlocks(design, firstFrame, outputSamples.length / channelCount)) {
    const doubledSamples = doubleRate(design, source, resamplerBlock.inputFrame)
    const startSample = (resamplerBlock.firstFrame - firstFrame) * channelCount
    const blockOutput = outputSamples.subarray(startSample, startSample + resamplerBlock.frames * channelCount)
    interpolate(design, doubledSamples.re, resamplerBlock, blockOutput, 0, channelCount)
    if (channelCount === 2) interpolate(design, doubledSamples.im, resamplerBlock, blockOutput, 1, channelCount)
  }
}

/**
 * Doubles the sampling rate of FFT_FRAMES input frames. Because the filter is real, the left and right channels can be processed as the
 * real and the imaginary part of one complex signal.
 */
function doubleRate({ responses }: ResamplerDesign, { channels, startFrame }: KernelSource, inputFrame: number): ComplexArray {
  const [leftSamples, rightSamples] = channels
  const blockSpectrum = createComplexArray(FFT_FRAMES)
  for (let sampleIndex = 0; sampleIndex < FFT_FRAMES; sampleIndex++) {
    const frame = inputFrame + sampleIndex - startFrame
    blockSpectrum.re[sampleIndex] = leftSamples[frame] ?? 0
    blockSpectrum.im[sampleIndex] = rightSamples?.[frame] ?? 0
  }
  fft(blockSpectrum)
  const doubledSamples = createComplexArray(2 * FFT_FRAMES)
  responses.forEach((response, halfIndex) => {
    const filteredSpectrum = multiplySpectra(blockSpectrum, response)
    inverseFft(filteredSpectrum)
    for (let i = 0; i < FFT_FRAMES; i++) {
      doubledSamples.re[2 * i + halfIndex] = filteredSpectrum.re[i] as number
      doubledSamples.im[2 * i + halfIndex] = filteredSpectrum.im[i] as number
    }
  })
  return doubledSamples
}

function multiplySpectra(firstSpectrum: ComplexArray, secondSpectrum: ComplexArray): ComplexArray {
  const productSpectrum = createComplexArray(firstSpectrum.re.length)
  for (let binIndex = 0; binIndex < firstSpectrum.re.length; binIndex++) {
    const [aRe, aIm, bRe, bIm] = [
      firstSpectrum.re[binIndex] as number,
      firstSpectrum.im[binIndex] as number,
      secondSpectrum.re[binIndex] as number,
      secondSpectrum.im[binIndex] as number,
    ]
    productSpectrum.re[binIndex] = aRe * bRe - aIm * bIm
    productSpectrum.im[binIndex] = aRe * bIm + aIm * bRe
  }
  return productSpectrum
}

function interpolate(
  { rate, tapCount: taps, coefficientTable }: ResamplerDesign,
  samples: Float64Array,
  { position, skippedFrames, frames }: ResamplerBlock,
  outputSamples: Float32Array,
  channelIndex: number,
  channelCount: number,
): void {
  for (let frameIndex = 0; frameIndex < frames; frameIndex++) {
    const exactPosition = position + (skippedFrames + frameIndex) * 2 * rate
    const wholePosition = Math.floor(exactPosition)
    const phasePosition = (exactPosition - wholePosition) * PHASE_COUNT
    const phaseRow = Math.floor(phasePosition)
    const phaseFraction = phasePosition - phaseRow
    const firstTapSampleIndex = wholePosition - taps / 2 + 1
    let tapSum = 0
    for (let tapIndex = 0; tapIndex < taps; tapIndex++) {
      const coefficient = coefficientTable[phaseRow * taps + tapIndex] as number
      const next = coefficientTable[(phaseRow + 1) * taps + tapIndex] as number
      tapSum += (samples[firstTapSampleIndex + tapIndex] as number) * (coefficient + phaseFraction * (next - coefficient))
    }
    outputSamples[frameIndex * channelCount + channelIndex] = tapSum
  }
}
