import { type ComplexArray, createComplexArray, fft, inverseFft } from '../fft.ts'
import type { KernelSource } from '../kernel.ts'
import { FFT_FRAMES, PHASE_COUNT, type ResamplerDesign } from '../resampler-design.ts'
import { listResamplerBlocks, type ResamplerBlock } from '../resampler-grid.ts'

/**
 * The resampler in plain TypeScript and double precision: the reference in tests of the compiled kernel, and the fallback without SIMD. Fills
 * `output` with interleaved output frames from `firstFrame`, with the source's number of channels.
 */
export function resample(design: ResamplerDesign, source: KernelSource, firstFrame: number, output: Float32Array): void {
  const channels = source.channels.length
  for (const block of listResamplerBlocks(design, firstFrame, output.length / channels)) {
    const doubledSamples = doubleRate(design, source, block.inputFrame)
    const start = (block.firstFrame - firstFrame) * channels
    const blockOutput = output.subarray(start, start + block.frames * channels)
    interpolate(design, doubledSamples.re, block, blockOutput, 0, channels)
    if (channels === 2) interpolate(design, doubledSamples.im, block, blockOutput, 1, channels)
  }
}

/**
 * Doubles the sampling rate of FFT_FRAMES input frames. Because the filter is real, the left and right channels can be processed as the
 * real and the imaginary part of one complex signal.
 */
function doubleRate({ responses }: ResamplerDesign, { channels, startFrame }: KernelSource, inputFrame: number): ComplexArray {
  const [left, right] = channels
  const spectrum = createComplexArray(FFT_FRAMES)
  for (let i = 0; i < FFT_FRAMES; i++) {
    const frame = inputFrame + i - startFrame
    spectrum.re[i] = left[frame] ?? 0
    spectrum.im[i] = right?.[frame] ?? 0
  }
  fft(spectrum)
  const doubledSamples = createComplexArray(2 * FFT_FRAMES)
  responses.forEach((response, parity) => {
    const filteredSpectrum = multiplySpectra(spectrum, response)
    inverseFft(filteredSpectrum)
    for (let i = 0; i < FFT_FRAMES; i++) {
      doubledSamples.re[2 * i + parity] = filteredSpectrum.re[i] as number
      doubledSamples.im[2 * i + parity] = filteredSpectrum.im[i] as number
    }
  })
  return doubledSamples
}

function multiplySpectra(a: ComplexArray, b: ComplexArray): ComplexArray {
  const productSpectrum = createComplexArray(a.re.length)
  for (let k = 0; k < a.re.length; k++) {
    const [ar, ai, br, bi] = [a.re[k] as number, a.im[k] as number, b.re[k] as number, b.im[k] as number]
    productSpectrum.re[k] = ar * br - ai * bi
    productSpectrum.im[k] = ar * bi + ai * br
  }
  return productSpectrum
}

function interpolate(
  { rate, tapCount: taps, coefficientTable }: ResamplerDesign,
  samples: Float64Array,
  { position, skippedFrames, frames }: ResamplerBlock,
  output: Float32Array,
  channelIndex: number,
  channels: number,
): void {
  for (let frame = 0; frame < frames; frame++) {
    const exactPosition = position + (skippedFrames + frame) * 2 * rate
    const wholePosition = Math.floor(exactPosition)
    const phase = (exactPosition - wholePosition) * PHASE_COUNT
    const row = Math.floor(phase)
    const fraction = phase - row
    const firstSample = wholePosition - taps / 2 + 1
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const coefficient = coefficientTable[row * taps + tap] as number
      const next = coefficientTable[(row + 1) * taps + tap] as number
      sum += (samples[firstSample + tap] as number) * (coefficient + fraction * (next - coefficient))
    }
    output[frame * channels + channelIndex] = sum
  }
}
