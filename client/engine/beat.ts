import MusicTempo from 'music-tempo'

const HOP_S = 0.01
const WINDOW_S = 0.046
const MIN_BEATS = 6

/** Detected tempos outside of it are taken for the half or the double of what is felt. */
const PLAUSIBLE_BPM = { from: 70, to: 180 }

/**
 * BeatRoot finds beats in anything, noise too. What has a beat changes in loudness (standard deviation of the hops' levels by their mean), rises at the
 * beats more than elsewhere (in standard deviations of all rises), and keeps time (mean deviation of the intervals by their median). Noise comes
 * to 0.04, 1.8 and 0.06; a steady tone to 0.02, 1.8 and 0; drum loops to more than 0.3, more than 3 and less than 0.02.
 */
const MIN_DEPTH = 0.1
const MIN_RISE = 1.5
const MAX_JITTER = 0.045

/** Beats per minute, or undefined where there is no beat. Takes a third of a second for a minute at 22 kHz. */
export function detectBeat(samples: Float32Array, sampleRate: number): number | undefined {
  const hopFrames = Math.round(sampleRate * HOP_S)
  if (depthOf(samples, hopFrames) < MIN_DEPTH) return undefined
  const timeStep = hopFrames / sampleRate
  const found = track(samples, { hopSize: hopFrames, bufferSize: 2 ** Math.round(Math.log2(sampleRate * WINDOW_S)), timeStep })
  if (found === undefined || found.beats.length < MIN_BEATS) return undefined
  const { beats, spectralFlux } = found
  if (riseAt(beats, spectralFlux, timeStep) < MIN_RISE || jitterOf(beats) > MAX_JITTER) return undefined
  return folded((60 * (beats.length - 1)) / ((beats.at(-1) ?? 0) - (beats[0] ?? 0)))
}

function track(samples: Float32Array, options: ConstructorParameters<typeof MusicTempo>[1]): MusicTempo | undefined {
  try {
    return new MusicTempo(Array.from(samples), options)
  } catch {
    return undefined
  }
}

function depthOf(samples: Float32Array, hopFrames: number): number {
  const levels: number[] = []
  for (let start = 0; start + hopFrames <= samples.length; start += hopFrames) {
    let sum = 0
    for (const sample of samples.subarray(start, start + hopFrames)) sum += sample * sample
    levels.push(Math.sqrt(sum / hopFrames))
  }
  const mean = meanOf(levels)
  return mean === 0 ? 0 : Math.sqrt(meanOf(levels.map((level) => (level - mean) ** 2))) / mean
}

/** A beat may be a hop or two off its onset. */
function riseAt(beats: readonly number[], spectralFlux: readonly number[], timeStep: number): number {
  return meanOf(
    beats.map((beatS) => {
      const hop = Math.round(beatS / timeStep)
      return Math.max(...spectralFlux.slice(Math.max(0, hop - 2), hop + 3))
    }),
  )
}

function jitterOf(beats: readonly number[]): number {
  const intervals = beats.slice(1).map((beatS, index) => beatS - (beats[index] ?? 0))
  const median = intervals.toSorted((a, b) => a - b)[intervals.length >> 1] ?? 1
  return meanOf(intervals.map((interval) => Math.abs(interval - median))) / median
}

function folded(bpm: number): number {
  if (bpm < PLAUSIBLE_BPM.from) return 2 * bpm
  return bpm > PLAUSIBLE_BPM.to ? bpm / 2 : bpm
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
