import { plannedFrames, planRender } from '../../dsp/render-plan.ts'
import { outputFrames } from '../../dsp/resampler-grid.ts'
import type { MakerSettings } from './engine.ts'
import { rateOf, renderSettings } from './render-settings.ts'
import type { RenderThread } from './render-thread.ts'
import type { Sound } from './sound.ts'

/** Frames to be heard, at the sound's sampling rate. */
export interface PreviewSource {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
  /** Without what rings out after the sound. */
  readonly dryFrames: number
  /** Source frames for one of these. */
  readonly rate: number
  read(firstFrame: number, frames: number): Promise<readonly Float32Array<ArrayBuffer>[]>
}

/** The sound as it was loaded. */
export const originalSource = (sound: Sound): PreviewSource => ({
  sampleRate: sound.sampleRate,
  channels: sound.channels,
  frames: sound.frames,
  dryFrames: sound.frames,
  rate: 1,
  async read(firstFrame, frames) {
    const channels = Array.from({ length: sound.channels }, () => new Float32Array(frames))
    await sound.read(firstFrame, channels)
    return channels
  },
})

/** What an export renders. The thread has one source at a time: an earlier one is of no use from now on. */
export async function editedSource(thread: RenderThread, sound: Sound, settings: MakerSettings): Promise<PreviewSource> {
  const { sampleRate, channels } = sound
  const forRender = renderSettings(settings, sampleRate)
  await thread.open(sound, forRender)
  const rate = rateOf(settings)
  return {
    sampleRate,
    channels,
    frames: plannedFrames(planRender(forRender), sound.frames),
    dryFrames: outputFrames(sound.frames, rate),
    rate,
    async read(firstFrame, frames) {
      const { samples } = await thread.render({ firstFrame, frames, output: 'planar', gain: 1, keep: 'never' })
      return samples.filter((each) => each instanceof Float32Array)
    },
  }
}
