import { WINDOW_FRAMES } from '../video/sound-analyser.ts'

/** The latest samples of a sound, mixed to one channel. Samples before the start of the last window that was read are dropped. */
export function createSampleHistory() {
  let samples = new Float32Array(2 * WINDOW_FRAMES)
  let firstFrame = 0
  let frames = 0
  const window = new Float32Array(WINDOW_FRAMES)

  return {
    /** The number of frames that were added. */
    get endFrame() {
      return firstFrame + frames
    },
    /** @param interleavedSamples samples of two channels */
    add(interleavedSamples: Float32Array) {
      const addedFrames = interleavedSamples.length / 2
      if (frames + addedFrames > samples.length) {
        const larger = new Float32Array(2 * (frames + addedFrames))
        larger.set(samples.subarray(0, frames))
        samples = larger
      }
      for (let frame = 0; frame < addedFrames; frame++)
        samples[frames + frame] = ((interleavedSamples[2 * frame] ?? 0) + (interleavedSamples[2 * frame + 1] ?? 0)) / 2
      frames += addedFrames
    },
    /**
     * Returns WINDOW_FRAMES samples from `start`, silence outside of the sound. The next call overwrites the returned samples; its `start`
     * must not be lower than that of this call.
     */
    read(start: number): Float32Array {
      const droppedFrames = Math.min(frames, Math.max(0, start - firstFrame))
      if (droppedFrames > samples.length / 2) {
        samples.copyWithin(0, droppedFrames, frames)
        firstFrame += droppedFrames
        frames -= droppedFrames
      }
      for (let n = 0; n < WINDOW_FRAMES; n++) {
        const index = start + n - firstFrame
        window[n] = index >= 0 && index < frames ? (samples[index] ?? 0) : 0
      }
      return window
    },
  }
}
