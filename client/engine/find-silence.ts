import type { FrameRange } from './engine.ts'
import type { Sound } from './sound.ts'

/** Samples below -60 dBFS count as silence. */
const SILENCE_AMPLITUDE = 0.001
/** The length of silence in seconds that is kept at both ends, so that the fade at the cut does not soften the first beat. */
const SILENCE_MARGIN_S = 0.005
const CHUNK_FRAMES = 2 ** 16

/** Returns `range` without the silence at both ends; `undefined` if the whole range is silent. */
export async function findSoundRange(sound: Sound, { startFrame, endFrame }: FrameRange): Promise<FrameRange | undefined> {
  const marginFrames = Math.round(SILENCE_MARGIN_S * sound.sampleRate)
  let firstLoudFrame: number | undefined
  for (let chunkFrame = startFrame; chunkFrame < endFrame && firstLoudFrame === undefined; chunkFrame += CHUNK_FRAMES) {
    const index = await findLoudFrame(chunkFrame, Math.min(CHUNK_FRAMES, endFrame - chunkFrame), 'first')
    if (index !== -1) firstLoudFrame = chunkFrame + index
  }
  if (firstLoudFrame === undefined) return undefined
  for (let chunkEnd = endFrame; chunkEnd > firstLoudFrame; chunkEnd -= CHUNK_FRAMES) {
    const chunkStartFrame = Math.max(firstLoudFrame, chunkEnd - CHUNK_FRAMES)
    const lastLoudIndex = await findLoudFrame(chunkStartFrame, chunkEnd - chunkStartFrame, 'last')
    if (lastLoudIndex !== -1)
      return {
        startFrame: Math.max(startFrame, firstLoudFrame - marginFrames),
        endFrame: Math.min(endFrame, chunkStartFrame + lastLoudIndex + 1 + marginFrames),
      }
  }
  return undefined

  /** Returns the index of the first or the last loud frame of a chunk; -1 if there is none. */
  async function findLoudFrame(chunkStartFrame: number, chunkFrameCount: number, whichLoudFrame: 'first' | 'last'): Promise<number> {
    const channelSamples = Array.from({ length: sound.channels }, () => new Float32Array(chunkFrameCount))
    await sound.read(chunkStartFrame, channelSamples)
    const isLoudSample = (sample: number) => Math.abs(sample) >= SILENCE_AMPLITUDE
    const loudIndexes = channelSamples
      .map((samples) => (whichLoudFrame === 'first' ? samples.findIndex(isLoudSample) : samples.findLastIndex(isLoudSample)))
      .filter((index) => index !== -1)
    return loudIndexes.length === 0 ? -1 : whichLoudFrame === 'first' ? Math.min(...loudIndexes) : Math.max(...loudIndexes)
  }
}
