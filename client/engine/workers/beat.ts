import MusicTempo from 'music-tempo'

const HOP_S = 0.01
const ANALYSIS_WINDOW_S = 0.046
const MIN_BEATS = 6

/** A tempo outside of this range is doubled or halved. */
const PLAUSIBLE_BPM = { from: 70, to: 180 }

/**
 * Thresholds that reject music without a beat, as BeatRoot finds beats even in noise. Depth: standard deviation of the levels of all hops, relative
 * to their mean. Rise: spectral flux at the beats, in standard deviations of all hops. Jitter: mean deviation of the beat intervals, relative to
 * their median. Noise measures 0.04, 1.8 and 0.06; a steady tone 0.02, 1.8 and 0; drum loops over 0.3, over 3 and under 0.02.
 */
const MIN_DEPTH = 0.1
const MIN_RISE = 1.5
const MAX_JITTER = 0.045

/** Returns beats per minute; undefined if there is no beat. Takes a third of a second for a minute at 22 kHz. */
export function detectBeat(samples: Float32Array, sampleRate: number): number | undefined {
  const hopFrames = Math.round(sampleRate * HOP_S)
  if (levelDepth(samples, hopFrames) < MIN_DEPTH) return undefined
  const timeStep = hopFrames / sampleRate
  const foundBeats = trackBeats(samples, {
    hopSize: hopFrames,
    bufferSize: 2 ** Math.round(Math.log2(sampleRate * ANALYSIS_WINDOW_S)),
    timeStep,
  })
  if (foundBeats === undefined || foundBeats.beats.length < MIN_BEATS) return undefined
  const { beats, spectralFlux } = foundBeats
  if (meanRiseAt(beats, spectralFlux, timeStep) < MIN_RISE || relativeJitter(beats) > MAX_JITTER) return undefined
  return foldToRange((60 * (beats.length - 1)) / ((beats.at(-1) ?? 0) - (beats[0] ?? 0)))
}

function trackBeats(samples: Float32Array, options: ConstructorParameters<typeof MusicTempo>[1]): MusicTempo | undefined {
  try {
    return new MusicTempo(Array.from(samples), options)
  } catch {
    return undefined
  }
}

function levelDepth(samples: Float32Array, hopFrames: number): number {
  const levels: number[] = []
  for (let start = 0; start + hopFrames <= samples.length; start += hopFrames) {
    let sum = 0
    for (const sample of samples.subarray(start, start + hopFrames)) sum += sample * sample
    levels.push(Math.sqrt(sum / hopFrames))
  }
  const meanLevel = meanOf(levels)
  return meanLevel === 0 ? 0 : Math.sqrt(meanOf(levels.map((level) => (level - meanLevel) ** 2))) / meanLevel
}

/** Returns the mean spectral flux at the beats. A beat may be two hops away from its onset. */
function meanRiseAt(beats: readonly number[], spectralFlux: readonly number[], timeStep: number): number {
  return meanOf(
    beats.map((beatS) => {
      const hopIndex = Math.round(beatS / timeStep)
      return Math.max(...spectralFlux.slice(Math.max(0, hopIndex - 2), hopIndex + 3))
    }),
  )
}

function relativeJitter(beats: readonly number[]): number {
  const intervals = beats.slice(1).map((beatS, index) => beatS - (beats[index] ?? 0))
  const median = intervals.toSorted((a, b) => a - b)[intervals.length >> 1] ?? 1
  return meanOf(intervals.map((interval) => Math.abs(interval - median))) / median
}

function foldToRange(bpm: number): number {
  if (bpm < PLAUSIBLE_BPM.from) return 2 * bpm
  return bpm > PLAUSIBLE_BPM.to ? bpm / 2 : bpm
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
