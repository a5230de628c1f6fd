import { type ChosenGain, computeProgressAfter } from '../chosen-gain.ts'
import type { MakerSettings, OutputOptions } from '../engine.ts'
import { chooseGain } from '../lossless-export.ts'
import type { Rendering, RenderPool } from '../render-pool.ts'
import { toRenderSettings } from '../render-settings.ts'
import type { Sound } from '../sound.ts'
import { VIDEO_SAMPLE_RATE } from './video-timing.ts'

/** The sound of a video. */
export interface SoundJob {
  readonly sound: Sound
  readonly settings: MakerSettings
  readonly output: Pick<OutputOptions, 'targetLufs'>
  /** Receives the progress, from 0 to 1. */
  readonly onProgress: (progress: number) => void
}

/** Receives the sound of a video, as interleaved samples of two channels. */
export interface SoundInput {
  /** Resolves when more samples can be added. */
  add(samples: Float32Array<ArrayBuffer>): Promise<void>
  finish(): Promise<void>
}

/** The share of the progress that the first pass over the sound takes, which measures the peak. */
const MEASURING_PROGRESS_SHARE = 0.05

/** Prepares the rendering of the sound at 48 kHz, and chooses its gain. */
export function renderSound<T>(
  pool: RenderPool,
  { sound, settings, output, onProgress }: SoundJob,
  signal: AbortSignal,
  workWithRendering: (rendering: Rendering, chosen: ChosenGain) => Promise<T>,
): Promise<T> {
  const renderJob = {
    sound,
    settings: toRenderSettings(settings, sound.sampleRate, VIDEO_SAMPLE_RATE),
    // No segment is cached in memory, because rendering a segment again takes less time than encoding its pictures.
    cache: { memoryBytes: 0, diskBytes: 0 },
  }
  return pool.run(renderJob, signal, async (rendering) => {
    const measuring = { ...renderJob, targetLufs: output.targetLufs, onProgress, signal }
    return workWithRendering(rendering, await chooseGain(measuring, rendering, MEASURING_PROGRESS_SHARE))
  })
}

export async function sendSound(
  { sound, onProgress }: Pick<SoundJob, 'sound' | 'onProgress'>,
  rendering: Rendering,
  gainOf: ChosenGain['gainOf'],
  input: SoundInput,
): Promise<void> {
  await rendering.renderPass(
    (segment) => ({ output: 'float32', gain: gainOf(segment), cache: 'never' }),
    async (segment, response) => {
      for (const samples of response.samples)
        if (samples instanceof Float32Array) await input.add(sound.channels === 2 ? samples : toStereo(samples))
      onProgress(MEASURING_PROGRESS_SHARE + (1 - MEASURING_PROGRESS_SHARE) * computeProgressAfter(segment, rendering))
    },
  )
  await input.finish()
}

/** Returns the samples of one channel as interleaved samples of two channels, because video platforms expect stereo. */
function toStereo(monoSamples: Float32Array): Float32Array<ArrayBuffer> {
  const stereo = new Float32Array(2 * monoSamples.length)
  for (let frame = 0; frame < monoSamples.length; frame++) stereo.fill(monoSamples[frame] ?? 0, 2 * frame, 2 * frame + 2)
  return stereo
}
