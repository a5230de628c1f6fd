import { waitForNextTask } from '../primitives/next-task.ts'
import type { Peaks } from './engine.ts'
import type { Sound } from './sound.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { TempoCalls, TempoRequest } from './workers/calls.ts'
import tempoWorkerUrl from './workers/tempo-worker.ts?worker&url'

/** The length of the excerpt whose beat is analysed. */
const EXCERPT_S = 120
/** The approximate sampling rate in Hz to which the excerpt is reduced. This rate is high enough to detect the onsets of drums. */
const REDUCED_SAMPLE_RATE = 22_050
const FRAMES_PER_READ = 2 ** 15

/**
 * Detects the tempo in its own worker: 50 to 220 beats per minute, to a tenth, possibly an octave off. Undefined if the sound has no beat, or if
 * the worker fails.
 *
 * @throws the reason of the signal, and the error of `sound.read`
 */
export async function detectTempo(sound: Sound, peaks?: Peaks, signal?: AbortSignal): Promise<number | undefined> {
  const excerptRequest = await readTempoExcerpt(sound, peaks, signal)
  signal?.throwIfAborted()
  // Detection cannot be interrupted, so that an abort terminates the worker.
  const tempoWorker = createWorkerClient<TempoCalls>(startWorker(tempoWorkerUrl), signal)
  try {
    const { bpm } = await tempoWorker.call('detect', excerptRequest, { transfer: [excerptRequest.samples.buffer] })
    return bpm === undefined ? undefined : Math.round(bpm * 10) / 10
  } catch {
    signal?.throwIfAborted()
    return undefined
  } finally {
    tempoWorker.terminate()
  }
}

/**
 * Reads an excerpt of the sound as one channel at a lower sampling rate. The work is split into time slices, because it runs on the page's
 * thread.
 *
 * @throws the reason of the signal, and the error of `sound.read`
 */
export async function readTempoExcerpt(sound: Sound, peaks?: Peaks, signal?: AbortSignal): Promise<TempoRequest> {
  const decimationFactor = Math.max(1, Math.round(sound.sampleRate / REDUCED_SAMPLE_RATE))
  const excerptFrames = Math.min(sound.frames, EXCERPT_S * sound.sampleRate)
  const startFrame = findExcerptStart(sound.frames, excerptFrames, peaks)
  const excerptSamples = new Float32Array(Math.floor(excerptFrames / decimationFactor))
  const chunkFrames = FRAMES_PER_READ - (FRAMES_PER_READ % decimationFactor)
  const yieldIfDue = createTimeSlicer()
  for (let processedFrames = 0; processedFrames < excerptSamples.length * decimationFactor; processedFrames += chunkFrames) {
    const readFrameCount = Math.min(chunkFrames, excerptSamples.length * decimationFactor - processedFrames)
    const chunkChannels = Array.from({ length: sound.channels }, () => new Float32Array(readFrameCount))
    await sound.read(startFrame + processedFrames, chunkChannels)
    for (const channel of chunkChannels)
      addDecimated(channel, decimationFactor, excerptSamples.subarray(processedFrames / decimationFactor))
    await yieldIfDue()
    signal?.throwIfAborted()
  }
  return { samples: excerptSamples, sampleRate: sound.sampleRate / decimationFactor }
}

/** Another excerpt than the middle is analysed if the sum of its peaks is more than this many times as large. */
const LOUDER_EXCERPT_PEAK_FACTOR = 2
const EXCERPT_START_STEPS = 16

/**
 * Returns the first frame of the excerpt: the middle of the sound, because intros often have no beat, or the excerpt with the most sound if
 * the middle is mostly silent, as in a song that is followed by silence and a hidden track.
 */
function findExcerptStart(frameCount: number, excerptFrames: number, peaks: Peaks | undefined): number {
  const lastStartFrame = frameCount - excerptFrames
  const middleStartFrame = Math.floor(lastStartFrame / 2)
  if (peaks === undefined || lastStartFrame <= 0) return middleStartFrame
  const { values, framesPerPeak } = peaks
  const computeLevelAtFrame = (startFrame: number) =>
    values
      .subarray(2 * Math.floor(startFrame / framesPerPeak), 2 * Math.floor((startFrame + excerptFrames) / framesPerPeak))
      .reduce((sum, value) => sum + Math.abs(value), 0)
  const candidateStartFrames = Array.from({ length: EXCERPT_START_STEPS + 1 }, (_, step) =>
    Math.floor((step * lastStartFrame) / EXCERPT_START_STEPS),
  )
  const [loudestExcerpt] = candidateStartFrames
    .map((start) => ({ start, amount: computeLevelAtFrame(start) }))
    .sort((a, b) => b.amount - a.amount)
  return loudestExcerpt !== undefined && loudestExcerpt.amount > LOUDER_EXCERPT_PEAK_FACTOR * computeLevelAtFrame(middleStartFrame)
    ? loudestExcerpt.start
    : middleStartFrame
}

/** Divides `channelSamples` into groups of `decimationFactor` consecutive samples, and adds the mean of group n to sample n of `decimatedSamples`. */
function addDecimated(channelSamples: Float32Array, decimationFactor: number, decimatedSamples: Float32Array) {
  for (let frameIndex = 0; frameIndex * decimationFactor < channelSamples.length; frameIndex++) {
    let sum = 0
    for (let offset = 0; offset < decimationFactor; offset++) sum += channelSamples[frameIndex * decimationFactor + offset] ?? 0
    decimatedSamples[frameIndex] = (decimatedSamples[frameIndex] ?? 0) + sum / decimationFactor
  }
}

/** The longest time in milliseconds for which work occupies the page's thread: less than half a frame at 60 Hz. */
const WORK_SLICE_MS = 6

/**
 * Splits long work on the page's thread into time slices. Await the returned function between small steps: it resolves immediately within the slice,
 * and in a new task, after pending input events, when the slice is over.
 */
function createTimeSlicer(): () => Promise<void> {
  let sliceEndMs = performance.now() + WORK_SLICE_MS
  return async () => {
    if (performance.now() < sliceEndMs) return
    await waitForNextTask()
    sliceEndMs = performance.now() + WORK_SLICE_MS
  }
}
