import { createComplexArray, fft } from '../../../dsp/fft.ts'
import { RING_BARS_PER_HALF, type VisualizerData } from './frame-painter.ts'
import { SAMPLES_PER_PICTURE, VIDEO_SAMPLE_RATE } from './video-timing.ts'

export const WINDOW_FRAMES = 2048
const LOWEST_HZ = 40
const HIGHEST_HZ = 14_000
/** The range of levels that a bar shows, in dB, and the slope that balances the treble of music, in dB per octave. */
const BAR_RANGE_DB = 48
const FULL_BAR_DB = -14
const TILT_DB_PER_OCTAVE = 3
/** A bar rises at once, and falls by this factor from picture to picture. */
const BAR_FALL_FACTOR = 0.82

/** The bin of the Fourier transform at which each band begins, as a number with a fraction. */
const bandEdges = Float64Array.from(
  { length: RING_BARS_PER_HALF + 1 },
  (_, band) => (LOWEST_HZ * (HIGHEST_HZ / LOWEST_HZ) ** (band / RING_BARS_PER_HALF) * WINDOW_FRAMES) / VIDEO_SAMPLE_RATE,
)
const hannWindow = Float64Array.from({ length: WINDOW_FRAMES }, (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / WINDOW_FRAMES))

/** Analyses a sound picture by picture, in order. */
export function createSoundAnalyser() {
  const spectrumBins = createComplexArray(WINDOW_FRAMES)
  const bandLevels = new Float32Array(RING_BARS_PER_HALF)
  return {
    /** Returns the data to draw for the middle of `samples`, which has WINDOW_FRAMES samples. The next call overwrites the result. */
    analyse(samples: Float32Array): VisualizerData {
      for (let n = 0; n < WINDOW_FRAMES; n++) {
        spectrumBins.re[n] = (samples[n] ?? 0) * (hannWindow[n] ?? 0)
        spectrumBins.im[n] = 0
      }
      fft(spectrumBins)
      for (let band = 0; band < RING_BARS_PER_HALF; band++)
        bandLevels[band] = Math.max(computeBandLevel(spectrumBins, band), (bandLevels[band] ?? 0) * BAR_FALL_FACTOR)
      return { bands: bandLevels, samples }
    },
  }
}

/** Returns the level of a band, 0 to 1. */
function computeBandLevel({ re, im }: { re: Float64Array; im: Float64Array }, bandIndex: number): number {
  const fromBin = bandEdges[bandIndex] ?? 0
  const toBin = Math.max(fromBin + 1, bandEdges[bandIndex + 1] ?? 0)
  let peakPower = 0
  for (let bin = Math.floor(fromBin); bin < toBin; bin++) peakPower = Math.max(peakPower, (re[bin] ?? 0) ** 2 + (im[bin] ?? 0) ** 2)
  // A sine at full scale has a quarter of the window's length as its magnitude.
  const levelDb = 10 * Math.log10(peakPower + 1e-12) - 20 * Math.log10(WINDOW_FRAMES / 4)
  const tiltedDb =
    levelDb + (TILT_DB_PER_OCTAVE * bandIndex * Math.log2(HIGHEST_HZ / LOWEST_HZ)) / RING_BARS_PER_HALF - 2 * TILT_DB_PER_OCTAVE
  return Math.min(1, Math.max(0, 1 + (tiltedDb - FULL_BAR_DB) / BAR_RANGE_DB))
}

/** Returns the first sample of the window around the picture `frame`. It may be negative. */
export const findWindowStart = (frame: number, delayFrames: number): number => frame * SAMPLES_PER_PICTURE - delayFrames - WINDOW_FRAMES / 2

/** Returns invented data for a preview, because a preview analyses no sound. */
export function createExampleData(): VisualizerData {
  const bandLevels = Float32Array.from(
    { length: RING_BARS_PER_HALF },
    (_, band) => (0.75 - (0.45 * band) / RING_BARS_PER_HALF) * (0.55 + 0.45 * Math.abs(Math.sin(band * 1.7) * Math.cos(band * 0.61))),
  )
  const monoSamples = Float32Array.from(
    { length: WINDOW_FRAMES },
    (_, n) => 0.5 * Math.sin(n / 41) * Math.sin(n / 260) + 0.25 * Math.sin(n / 13),
  )
  return { bands: bandLevels, samples: monoSamples }
}
