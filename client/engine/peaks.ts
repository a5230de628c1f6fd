import type { Peaks } from './engine.ts'
import type { Sound } from './sound.ts'

const FRAMES_PER_PEAK = 1024

/** Of a whole sound. */
export async function findPeaks(sound: Sound, signal: AbortSignal): Promise<Peaks> {
  const values = new Float32Array(2 * Math.ceil(sound.frames / FRAMES_PER_PEAK))
  const channels = Array.from({ length: sound.channels }, () => new Float32Array(FRAMES_PER_PEAK))
  for (let index = 0; 2 * index < values.length; index++) {
    signal.throwIfAborted()
    const frames = Math.min(FRAMES_PER_PEAK, sound.frames - index * FRAMES_PER_PEAK)
    const into = channels.map((channel) => channel.subarray(0, frames))
    await sound.read(index * FRAMES_PER_PEAK, into)
    values[2 * index] = Math.min(...into.flatMap((channel) => [...channel]))
    values[2 * index + 1] = Math.max(...into.flatMap((channel) => [...channel]))
  }
  return { framesPerPeak: FRAMES_PER_PEAK, values }
}
