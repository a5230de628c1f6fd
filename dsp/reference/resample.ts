import { type Complex, complex, fft, inverseFft } from '../fft.ts'
import { FFT_FRAMES, PHASES, type ResamplerDesign } from '../resampler-design.ts'
import { type Block, blocksOf } from '../resampler-grid.ts'
import type { Source } from '../source.ts'

/**
 * The resampler in plain TypeScript and double precision: the oracle of the compiled kernel's tests, and what runs where there is no SIMD.
 * Writes output frames from `firstFrame` on into `output`, interleaved, as many channels as the source has, until it is full.
 */
export function resample(design: ResamplerDesign, source: Source, firstFrame: number, output: Float32Array): void {
  const channels = source.channels.length
  for (const block of blocksOf(design, firstFrame, output.length / channels)) {
    const doubled = doubleRate(design, source, block.inputFrame)
    const start = (block.firstFrame - firstFrame) * channels
    const part = output.subarray(start, start + block.frames * channels)
    interpolate(design, doubled.re, block, part, 0, channels)
    if (channels === 2) interpolate(design, doubled.im, block, part, 1, channels)
  }
}

/** FFT_FRAMES of input at twice the rate: the left channel as real, the right as imaginary part, since the filter is real. */
function doubleRate({ responses }: ResamplerDesign, { channels, startFrame }: Source, inputFrame: number): Complex {
  const [left, right] = channels
  const spectrum = complex(FFT_FRAMES)
  for (let i = 0; i < FFT_FRAMES; i++) {
    const frame = inputFrame + i - startFrame
    spectrum.re[i] = left[frame] ?? 0
    spectrum.im[i] = right?.[frame] ?? 0
  }
  fft(spectrum)
  const doubled = complex(2 * FFT_FRAMES)
  responses.forEach((response, parity) => {
    const filtered = product(spectrum, response)
    inverseFft(filtered)
    for (let i = 0; i < FFT_FRAMES; i++) {
      doubled.re[2 * i + parity] = filtered.re[i] as number
      doubled.im[2 * i + parity] = filtered.im[i] as number
    }
  })
  return doubled
}

function product(a: Complex, b: Complex): Complex {
  const result = complex(a.re.length)
  for (let k = 0; k < a.re.length; k++) {
    const [ar, ai, br, bi] = [a.re[k] as number, a.im[k] as number, b.re[k] as number, b.im[k] as number]
    result.re[k] = ar * br - ai * bi
    result.im[k] = ar * bi + ai * br
  }
  return result
}

function interpolate(
  { rate, taps, table }: ResamplerDesign,
  samples: Float64Array,
  { position, skip, frames }: Block,
  output: Float32Array,
  channel: number,
  channels: number,
): void {
  for (let frame = 0; frame < frames; frame++) {
    const at = position + (skip + frame) * 2 * rate
    const whole = Math.floor(at)
    const phase = (at - whole) * PHASES
    const row = Math.floor(phase)
    const share = phase - row
    const first = whole - taps / 2 + 1
    let sum = 0
    for (let tap = 0; tap < taps; tap++) {
      const coefficient = table[row * taps + tap] as number
      const next = table[(row + 1) * taps + tap] as number
      sum += (samples[first + tap] as number) * (coefficient + share * (next - coefficient))
    }
    output[frame * channels + channel] = sum
  }
}
