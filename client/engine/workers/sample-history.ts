import { WINDOW_FRAMES } from '../video/sound-analyser.ts'

/** The latest samples of a sound, mixed to one channel. Samples before the start of the last window that was read are dropped. */
export function createSampleHistory() {
  let historySamples = new Float32Array(2 * WINDOW_FRAMES)
  let historyStartFrame = 0
  let historyFrameCount = 0
  const windowSamples = new Float32Array(WINDOW_FRAMES)

  return {
    /** The number of frames that were added. */
    get endFrame() {
      return historyStartFrame + historyFrameCount
    },
    /** @param interleavedSamples samples of two channels */
    add(interleavedSamples: Float32Array) {
      const addedFrames = interleavedSamples.length / 2
      if (historyFrameCount + addedFrames > historySamples.length) {
        const larger = new Float32Array(2 * (historyFrameCount + addedFrames))
        larger.set(historySamples.subarray(0, historyFrameCount))
        historySamples = larger
      }
      for (let frame = 0; frame < addedFrames; frame++)
        historySamples[historyFrameCount + frame] = ((interleavedSamples[2 * frame] ?? 0) + (interleavedSamples[2 * frame + 1] ?? 0)) / 2
      historyFrameCount += addedFrames
    },
    /**
     * Returns WINDOW_FRAMES samples from `startFrame`, silence outside of the sound. The next call overwrites the returned samples; its `startFrame`
     * must not be lower than that of this call.
     */
    read(startFrame: number): Float32Array {
      const droppedFrames = Math.min(historyFrameCount, Math.max(0, startFrame - historyStartFrame))
      if (droppedFrames > historySamples.length / 2) {
        historySamples.copyWithin(0, droppedFrames, historyFrameCount)
        historyStartFrame += droppedFrames
        historyFrameCount -= droppedFrames
      }
      for (let n = 0; n < WINDOW_FRAMES; n++) {
        const index = startFrame + n - historyStartFrame
        windowSamples[n] = index >= 0 && index < historyFrameCount ? (historySamples[index] ?? 0) : 0
      }
      return windowSamples
    },
  }
}
