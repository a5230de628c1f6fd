import { designHighPass } from './biquad.ts'
import { exp10, sinPi } from './elementary.ts'
import { type ComplexArray, createComplexArray, inverseFft } from './fft.ts'
import { hashIndex } from './hash.ts'
import { filter } from './reference/biquad.ts'

export interface ReverbSettings {
  /** Reverberation time RT60 in seconds (decay by 60 dB): MIN_REVERB_SECONDS..MAX_REVERB_SECONDS. */
  readonly seconds: number
  /** The level of the reverb relative to the dry signal, 0..1. */
  readonly amount: number
}

export const MIN_REVERB_SECONDS = 0.2
export const MAX_REVERB_SECONDS = 6

/** The delay of the first reflection in seconds. */
const PRE_DELAY_SECONDS = 0.012
/**
 * The cutoff frequency of the high-pass filter that removes bass from the reverb. The filter is applied twice: its gain is -6 dB at the cutoff, and
 * falls by 24 dB per octave below.
 */
const LOW_CUT_HZ = 220
/** The cutoff frequency of the first-order low-pass that darkens the reverb from its start, as air and the first reflections do. */
const HIGH_CUT_HZ = 4000
/** The frequency at which the reverberation time is half the reverberation time at low frequencies. */
const HALF_REVERB_TIME_HZ = 5500
/** The approximate length in seconds of the blocks of noise; their length in frames is a power of two. A quarter of each overlaps the next. */
const BLOCK_SECONDS = 0.012

/** Complex impulse response of a room. */
export interface ImpulseResponse {
  readonly re: Float32Array
  readonly im: Float32Array
}

/** Returns the length in frames of the response that `designImpulse` computes. */
export const computeImpulseFrames = (seconds: number, sampleRate: number): number =>
  Math.round(PRE_DELAY_SECONDS * sampleRate) + Math.round(seconds * sampleRate)

/**
 * Returns the reverberation time in seconds at a frequency, if it is `reverbSeconds` at low frequencies: 0.93 of it at 1 kHz, 0.82 at 2, 0.62 at 4, 0.36
 * at 8 and 0.17 at 16 kHz. In a hall, absorption increases with frequency: by surfaces, and above some kHz by the air (ISO 9613-1). Here the
 * additional losses grow with the frequency to the power of 1.5.
 */
export function computeReverbSecondsAt(frequencyHz: number, reverbSeconds: number): number {
  const ratio = frequencyHz / HALF_REVERB_TIME_HZ
  return reverbSeconds / (1 + ratio * Math.sqrt(ratio))
}

const square = (value: number): number => value * value

/**
 * Computes a room impulse response of noise in which each frequency decays exponentially in its own time (J. A. Moorer, "About this
 * reverberation business", Computer Music Journal 3 (2), 1979). The result is deterministic and has an energy of 1. Stereo input is the complex
 * signal left + i x right, so that the independent real and imaginary parts of the response give a wide stereo reverb with one complex convolution.
 *
 * The noise is a sum of blocks with random spectra, each of which is attenuated at every frequency by the decay up to its time. The squares of
 * the overlapping windows add up to 1, so that the power of the noise has no ripple.
 */
export function designImpulse(reverbSeconds: number, sampleRate: number): ImpulseResponse {
  const delayFrames = Math.round(PRE_DELAY_SECONDS * sampleRate)
  const frames = computeImpulseFrames(reverbSeconds, sampleRate)
  const blockFrames = 2 ** Math.round(Math.log2(BLOCK_SECONDS * sampleRate))
  const fadeFrames = blockFrames / 4
  const hopFrames = blockFrames - fadeFrames
  const blockWindow = Float64Array.from({ length: blockFrames }, (_, frame) => {
    const frameFromEdge = Math.min(frame, blockFrames - 1 - frame)
    return frameFromEdge < fadeFrames ? sinPi((frameFromEdge + 0.5) / (2 * fadeFrames)) : 1
  })
  const { gains, hopGains } = computeBandGains(reverbSeconds, sampleRate, blockFrames, hopFrames)
  const impulseSamples = { re: new Float32Array(frames), im: new Float32Array(frames) }
  const noiseBlock = createComplexArray(blockFrames)
  let noiseIndex = 0
  // The first block starts one fade early, so that its fade-in lies before the start of the response.
  for (let firstFrame = delayFrames - fadeFrames; firstFrame < frames; firstFrame += hopFrames) {
    fillWithNoise(noiseBlock, gains, hopGains, noiseIndex)
    noiseIndex += gains.length
    inverseFft(noiseBlock)
    addBlock(impulseSamples.re, noiseBlock.re, blockWindow, firstFrame, delayFrames)
    addBlock(impulseSamples.im, noiseBlock.im, blockWindow, firstFrame, delayFrames)
  }
  const lowCut = designHighPass(LOW_CUT_HZ, sampleRate)
  let totalEnergy = 0
  for (const complexPart of [impulseSamples.re, impulseSamples.im]) {
    // The gains of the blocks have already removed most of the bass; this filter removes the bass that the edges of the blocks have added.
    filter(lowCut, complexPart, 1)
    for (let frame = 0; frame < frames; frame++) totalEnergy += square(complexPart[frame] as number)
  }
  const impulseScale = 1 / Math.sqrt(totalEnergy)
  for (const samples of [impulseSamples.re, impulseSamples.im])
    for (let frame = 0; frame < frames; frame++) samples[frame] = (samples[frame] as number) * impulseScale
  return impulseSamples
}

/** Fills `re` and `im` with the spectrum of the noise from `noiseIndex` on, then multiplies `bandGains` by `hopGains`. */
function fillWithNoise({ re, im }: ComplexArray, bandGains: Float64Array, hopGains: Float64Array, noiseIndex: number): void {
  for (let bandIndex = 0; bandIndex < bandGains.length; bandIndex++) {
    const bandGain = bandGains[bandIndex] as number
    const mirroredBand = bandIndex === 0 ? 0 : re.length - bandIndex
    // Random phases in multiples of a quarter turn. All magnitudes are equal, so that the decay is even.
    const randomBits = hashIndex(noiseIndex + bandIndex)
    re[bandIndex] = bandGain * (1 - (randomBits & 2))
    im[bandIndex] = bandGain * (1 - ((randomBits >> 1) & 2))
    re[mirroredBand] = bandGain * (1 - ((randomBits >> 2) & 2))
    im[mirroredBand] = bandGain * (1 - ((randomBits >> 3) & 2))
    bandGains[bandIndex] = bandGain * (hopGains[bandIndex] as number)
  }
}

/** Adds a windowed block to `samples` at `firstFrame`. Writes nothing to the first `delayFrames` frames of `samples`, which stay silent, or past its end. */
function addBlock(
  samples: Float32Array,
  blockSamples: Float64Array,
  blockWindow: Float64Array,
  firstFrame: number,
  delayFrames: number,
): void {
  const end = Math.min(samples.length - firstFrame, blockSamples.length)
  for (let at = Math.max(0, delayFrames - firstFrame); at < end; at++)
    samples[firstFrame + at] = (samples[firstFrame + at] as number) + (blockWindow[at] as number) * (blockSamples[at] as number)
}

/** Returns the gain of the analogue high-pass filter that `designHighPass` approximates. */
const computeLowCutGain = (frequencyHz: number) => 1 / Math.sqrt(1 + square(square(LOW_CUT_HZ / frequencyHz)))

/** Returns the gain of each frequency at the start of the decay, and the factor by which it decreases with each block. */
function computeBandGains(reverbSeconds: number, sampleRate: number, blockFrames: number, hopFrames: number) {
  const bandsHz = Float64Array.from({ length: blockFrames / 2 + 1 }, (_, band) => (band * sampleRate) / blockFrames)
  return {
    gains: bandsHz.map((frequencyHz) => computeLowCutGain(frequencyHz) / Math.sqrt(1 + square(frequencyHz / HIGH_CUT_HZ))),
    hopGains: bandsHz.map((frequencyHz) => exp10((-3 * hopFrames) / sampleRate / computeReverbSecondsAt(frequencyHz, reverbSeconds))),
  }
}
