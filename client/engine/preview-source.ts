import type { GainCurve } from '../../dsp/limiter.ts'
import { computePlannedOutputFrames, planRender } from '../../dsp/render-plan.ts'
import { countOutputFrames } from '../../dsp/resampler-grid.ts'
import type { MakerSettings } from './engine.ts'
import type { RenderClient } from './render-client.ts'
import { toPlaybackRate, toRenderSettings } from './render-settings.ts'
import type { Sound } from './sound.ts'
import type { Channels } from './workers/calls.ts'

/** Frames that the preview can play: those of the original sound, or those of the edited one. All frame numbers are at `sampleRate`. */
export interface PreviewSource {
  readonly sampleRate: number
  readonly channels: 1 | 2
  readonly frames: number
  /** The number of frames to play, without the reverb's tail. */
  readonly dryFrames: number
  /** How many frames of the sound correspond to one frame of this source. */
  readonly playbackRate: number
  read(firstFrame: number, frames: number): Promise<Channels>
}

/** Creates a source that plays the sound as it was loaded. */
export const createOriginalSource = (sound: Sound): PreviewSource => ({
  sampleRate: sound.sampleRate,
  channels: sound.channels,
  frames: sound.frames,
  dryFrames: sound.frames,
  playbackRate: 1,
  async read(firstFrame, frameCount) {
    const channels = Array.from({ length: sound.channels }, () => new Float32Array(frameCount))
    await sound.read(firstFrame, channels)
    return channels
  },
})

/** The gain that brings an edited sound to the chosen loudness. */
export interface PreviewLevel {
  /** The sound and the settings for which the gain was computed. */
  readonly sound: Sound
  readonly settings: MakerSettings
  readonly gainOf: (firstFrame: number, frames: number) => GainCurve
  /** The gain without the limiter. After a change of settings, this gain is used until the gain for the new settings is computed. */
  readonly gainWithoutLimiter: number
}

/**
 * Creates a source of the same samples that an export with `settings` renders. The render client renders one source at a time: after this
 * call, sources that were created earlier must not be read any more. If the render client cannot be opened, `read` rejects.
 */
export function createEditedSource(client: RenderClient, sound: Sound, settings: MakerSettings, level?: PreviewLevel): PreviewSource {
  const { sampleRate, channels } = sound
  const renderSettings = toRenderSettings(settings, sampleRate)
  // The first read does not wait for the response to `open`: the page may handle that response late while it draws its controls.
  const openedSource = client.open(sound, renderSettings)
  openedSource.catch(() => {})
  const rate = toPlaybackRate(settings)
  const isExactLevel = level?.sound === sound && level.settings === settings
  const computeGains = (firstFrame: number, frames: number) =>
    isExactLevel ? level.gainOf(firstFrame, frames) : (level?.gainWithoutLimiter ?? 1)
  return {
    sampleRate,
    channels,
    frames: computePlannedOutputFrames(planRender(renderSettings), sound.frames),
    dryFrames: countOutputFrames(sound.frames, rate),
    playbackRate: rate,
    async read(firstFrame, frameCount) {
      const renderRequest = {
        firstFrame,
        frames: frameCount,
        output: 'planar',
        gain: computeGains(firstFrame, frameCount),
        cache: 'never',
      } as const
      const [{ samples }] = await Promise.all([client.render(renderRequest), openedSource])
      return samples.filter((channel) => channel instanceof Float32Array)
    },
  }
}
