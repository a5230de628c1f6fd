import { createKaiserWindow, sinc } from './kaiser.ts'

/** The number of frames on each side of a place between two frames from which the sound at this place is computed. */
const FRAMES_PER_SIDE = 12
const WINDOW_BETA = 4.5
/**
 * The peak between points of the oversampled sound is computed only near the loudest points of a block, because it cannot be higher
 * elsewhere.
 */
const CANDIDATE_PEAK_SHARE = 0.9

/** Returns the weights of the frames before a place between two frames; those after it are the same in reverse. @param framePosition 0 to 1 */
function computeWeightsAt(framePosition: number): { readonly weightsBefore: Float64Array; readonly weightsAfter: Float64Array } {
  const computeWindow = createKaiserWindow(WINDOW_BETA)
  const computeWeight = (distance: number) => sinc(distance) * computeWindow(distance / FRAMES_PER_SIDE)
  const weightsBefore = Float64Array.from({ length: FRAMES_PER_SIDE }, (_, index) => computeWeight(index + framePosition))
  const weightsAfter = Float64Array.from({ length: FRAMES_PER_SIDE }, (_, index) => computeWeight(index + 1 - framePosition))
  const sum = [...weightsBefore, ...weightsAfter].reduce((total, weight) => total + weight, 0)
  return { weightsBefore: weightsBefore.map((weight) => weight / sum), weightsAfter: weightsAfter.map((weight) => weight / sum) }
}

const QUARTER_WEIGHTS = computeWeightsAt(0.25)
const MIDDLE_WEIGHTS = computeWeightsAt(0.5)
/**
 * The weights for the places at 1/4 and 3/4 mirror each other, so both are computed from one even and one odd half: their sum is the sound
 * at 1/4, their difference the sound at 3/4.
 */
const EVEN_WEIGHTS = QUARTER_WEIGHTS.weightsBefore.map((weight, index) => (weight + (QUARTER_WEIGHTS.weightsAfter[index] ?? 0)) / 2)
const ODD_WEIGHTS = QUARTER_WEIGHTS.weightsBefore.map((weight, index) => (weight - (QUARTER_WEIGHTS.weightsAfter[index] ?? 0)) / 2)

/**
 * Finds the peaks of a channel between its samples, by fourfold oversampling (Recommendation ITU-R BS.1770-5, annex 2) and a parabola through three
 * neighbouring points, and raises the peaks of the blocks to them.
 */
export function createPeakOversampler({ blockFrames, peaks }: { readonly blockFrames: number; readonly peaks: Float32Array }) {
  /** The frames around the places between two frames that have not been examined yet. The frames before the sound are silence. */
  let pendingSamples = new Float32Array(FRAMES_PER_SIDE - 1)
  /** The index of the frame before the next place between two frames to examine. */
  let nextFrame = 0
  let pointBeforeLast = 0
  let lastPoint = 0

  /** Examines the place between `samples[index]` and the next sample. Returns the peak so far. */
  function findPeakAfterSample(samples: Float32Array, index: number, peakBefore: number): number {
    let evenSum = 0
    let oddSum = 0
    let middleSum = 0
    for (let tapDistance = 0; tapDistance < FRAMES_PER_SIDE; tapDistance++) {
      const sampleBefore = samples[index - tapDistance] as number
      const sampleAfter = samples[index + 1 + tapDistance] as number
      const pairSum = sampleBefore + sampleAfter
      evenSum += (EVEN_WEIGHTS[tapDistance] as number) * pairSum
      oddSum += (ODD_WEIGHTS[tapDistance] as number) * (sampleBefore - sampleAfter)
      middleSum += (MIDDLE_WEIGHTS.weightsBefore[tapDistance] as number) * pairSum
    }
    let highestPeak = raisePeak(peakBefore, samples[index] as number)
    highestPeak = raisePeak(highestPeak, evenSum + oddSum)
    highestPeak = raisePeak(highestPeak, middleSum)
    return raisePeak(highestPeak, evenSum - oddSum)
  }

  /** Takes the next point of the oversampled sound. Returns the higher peak of this point and of the parabola around the previous point. */
  function raisePeak(peakBefore: number, pointValue: number): number {
    const pointHeight = Math.abs(lastPoint)
    let highestPeak = peakBefore
    if (pointValue > highestPeak || -pointValue > highestPeak) highestPeak = Math.abs(pointValue)
    if (pointHeight >= CANDIDATE_PEAK_SHARE * highestPeak) {
      const signOfLast = lastPoint < 0 ? -1 : 1
      const leftHeight = signOfLast * pointBeforeLast
      const rightHeight = signOfLast * pointValue
      const bend = 2 * pointHeight - leftHeight - rightHeight
      if (leftHeight <= pointHeight && rightHeight <= pointHeight && bend > 0)
        highestPeak = Math.max(highestPeak, pointHeight + (rightHeight - leftHeight) ** 2 / (8 * bend))
    }
    pointBeforeLast = lastPoint
    lastPoint = pointValue
    return highestPeak
  }

  function addSamples(samples: Float32Array) {
    const allSamples = new Float32Array(pendingSamples.length + samples.length)
    allSamples.set(pendingSamples)
    allSamples.set(samples, pendingSamples.length)
    let index = FRAMES_PER_SIDE - 1
    for (; index + FRAMES_PER_SIDE < allSamples.length; index++, nextFrame++) {
      const block = Math.floor(nextFrame / blockFrames)
      if (block >= peaks.length) break
      peaks[block] = findPeakAfterSample(allSamples, index, peaks[block] as number)
    }
    pendingSamples = allSamples.slice(index - FRAMES_PER_SIDE + 1)
  }

  return {
    /** Adds the next samples of the channel. */
    add: addSamples,
    /** Examines the end of the sound, after which there is silence. */
    finish: () => addSamples(new Float32Array(FRAMES_PER_SIDE)),
  }
}
