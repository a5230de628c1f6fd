import { kaiserWindow, sinc } from './kaiser.ts'

/** The number of frames on each side of a place between two frames from which the sound at this place is computed. */
const SIDE_FRAMES = 12
const WINDOW_BETA = 4.5
/**
 * The peak between points of the oversampled sound is computed only near the loudest points of a block, because it cannot be higher
 * elsewhere.
 */
const CANDIDATE_PEAK_SHARE = 0.9

/** Returns the weights of the frames before a place between two frames; those after it are the same in reverse. @param place 0 to 1 */
function weightsAt(place: number): { readonly before: Float64Array; readonly after: Float64Array } {
  const window = kaiserWindow(WINDOW_BETA)
  const weightOf = (distance: number) => sinc(distance) * window(distance / SIDE_FRAMES)
  const weightsBefore = Float64Array.from({ length: SIDE_FRAMES }, (_, index) => weightOf(index + place))
  const weightsAfter = Float64Array.from({ length: SIDE_FRAMES }, (_, index) => weightOf(index + 1 - place))
  const sum = [...weightsBefore, ...weightsAfter].reduce((total, weight) => total + weight, 0)
  return { before: weightsBefore.map((weight) => weight / sum), after: weightsAfter.map((weight) => weight / sum) }
}

const QUARTER_WEIGHTS = weightsAt(0.25)
const MIDDLE_WEIGHTS = weightsAt(0.5)
/**
 * The weights for the places at 1/4 and 3/4 mirror each other, so both are computed from one even and one odd half: their sum is the sound
 * at 1/4, their difference the sound at 3/4.
 */
const EVEN_WEIGHTS = QUARTER_WEIGHTS.before.map((weight, index) => (weight + (QUARTER_WEIGHTS.after[index] ?? 0)) / 2)
const ODD_WEIGHTS = QUARTER_WEIGHTS.before.map((weight, index) => (weight - (QUARTER_WEIGHTS.after[index] ?? 0)) / 2)

/**
 * Finds the peaks of a channel between its samples, by fourfold oversampling (Recommendation ITU-R BS.1770-5, annex 2) and a parabola through three
 * neighbouring points, and raises the peaks of the blocks to them.
 */
export function createPeakOversampler({ blockFrames, peaks }: { readonly blockFrames: number; readonly peaks: Float32Array }) {
  /** The frames around the places that have not been examined yet. The frames before the sound are silence. */
  let pendingSamples = new Float32Array(SIDE_FRAMES - 1)
  /** The index of the frame before the next place to examine. */
  let nextFrame = 0
  let pointBeforeLast = 0
  let lastPoint = 0

  /** Examines the place between `samples[index]` and the next sample. Returns the peak so far. */
  function examine(samples: Float32Array, index: number, peak: number): number {
    let evenSum = 0
    let oddSum = 0
    let middleSum = 0
    for (let distance = 0; distance < SIDE_FRAMES; distance++) {
      const sampleBefore = samples[index - distance] as number
      const sampleAfter = samples[index + 1 + distance] as number
      const pairSum = sampleBefore + sampleAfter
      evenSum += (EVEN_WEIGHTS[distance] as number) * pairSum
      oddSum += (ODD_WEIGHTS[distance] as number) * (sampleBefore - sampleAfter)
      middleSum += (MIDDLE_WEIGHTS.before[distance] as number) * pairSum
    }
    let highest = raisePeak(peak, samples[index] as number)
    highest = raisePeak(highest, evenSum + oddSum)
    highest = raisePeak(highest, middleSum)
    return raisePeak(highest, evenSum - oddSum)
  }

  /** Takes the next point of the oversampled sound. Returns the higher peak of this point and of the parabola around the previous point. */
  function raisePeak(peak: number, point: number): number {
    const height = Math.abs(lastPoint)
    let highest = peak
    if (point > highest || -point > highest) highest = Math.abs(point)
    if (height >= CANDIDATE_PEAK_SHARE * highest) {
      const sign = lastPoint < 0 ? -1 : 1
      const leftHeight = sign * pointBeforeLast
      const rightHeight = sign * point
      const bend = 2 * height - leftHeight - rightHeight
      if (leftHeight <= height && rightHeight <= height && bend > 0)
        highest = Math.max(highest, height + (rightHeight - leftHeight) ** 2 / (8 * bend))
    }
    pointBeforeLast = lastPoint
    lastPoint = point
    return highest
  }

  function add(samples: Float32Array) {
    const allSamples = new Float32Array(pendingSamples.length + samples.length)
    allSamples.set(pendingSamples)
    allSamples.set(samples, pendingSamples.length)
    let index = SIDE_FRAMES - 1
    for (; index + SIDE_FRAMES < allSamples.length; index++, nextFrame++) {
      const block = Math.floor(nextFrame / blockFrames)
      if (block >= peaks.length) break
      peaks[block] = examine(allSamples, index, peaks[block] as number)
    }
    pendingSamples = allSamples.slice(index - SIDE_FRAMES + 1)
  }

  return {
    /** Adds the next samples of the channel. */
    add,
    /** Examines the end of the sound, after which there is silence. */
    finish: () => add(new Float32Array(SIDE_FRAMES)),
  }
}
