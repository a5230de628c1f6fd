import type { LevelProfile } from '../../dsp/level-meter.ts'
import { findGainForLoudness, type GainCurve, sliceGainCurve } from '../../dsp/limiter.ts'
import { computeLevel } from '../../dsp/loudness.ts'
import { type ChosenGain, computeProgressAfter } from './chosen-gain.ts'
import type { LevelReport, MakerSettings } from './engine.ts'
import type { PreviewLevel } from './preview-source.ts'
import { createRenderPool, type Rendering, type RenderJob } from './render-pool.ts'
import { toRenderSettings } from './render-settings.ts'
import type { Sound } from './sound.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { LevelCalls } from './workers/calls.ts'
import levelWorkerUrl from './workers/level-worker.ts?worker&url'

type MeteringJob = Omit<RenderJob, 'cache'> & { readonly onProgress: (progress: number) => void; readonly signal: AbortSignal }

/**
 * Renders all segments into the caches, and measures them in a worker.
 * @param progressShare the share of the export's progress for this pass, 0 to 1
 */
async function measureProfile(
  { sound, settings, onProgress, signal }: MeteringJob,
  rendering: Rendering,
  progressShare: number,
): Promise<LevelProfile> {
  const levelWorker = createWorkerClient<LevelCalls>(startWorker(levelWorkerUrl), signal)
  try {
    await levelWorker.call('open', { sampleRate: settings.sampleRate, channels: sound.channels, frames: rendering.frames })
    let previousCall: Promise<void> = Promise.resolve()
    await rendering.renderPass(
      () => ({ output: 'float32', gain: 1, cache: 'always' }),
      async (segment, response) => {
        for (const channelSamples of response.samples) {
          if (!(channelSamples instanceof Float32Array)) continue
          const sentCall = levelWorker.call('add', { samples: channelSamples }, { transfer: [channelSamples.buffer] })
          sentCall.catch(() => {})
          // At most one segment waits in the worker.
          await previousCall
          previousCall = sentCall
        }
        onProgress(progressShare * computeProgressAfter(segment, rendering))
      },
    )
    await previousCall
    return await levelWorker.call('finish', undefined)
  } finally {
    levelWorker.terminate()
  }
}

/**
 * Measures the sound, and returns the gain that brings it to a loudness.
 * @param progressShare the share of the export's progress for this pass, 0 to 1
 */
export async function chooseLevel(job: MeteringJob, rendering: Rendering, targetLufs: number, progressShare: number): Promise<ChosenGain> {
  const levelProfile = await measureProfile(job, rendering, progressShare)
  const gainCurve = findGainForLoudness(levelProfile, targetLufs)
  return {
    gainOf: ({ firstFrame, frames }): GainCurve => sliceGainCurve(gainCurve, firstFrame, frames),
    loweredDb: 0,
    level: computeLevel(levelProfile, gainCurve.points),
  }
}

/** Renders and measures the whole sound. */
async function measureJobProfile(job: MeteringJob): Promise<LevelProfile> {
  const pool = createRenderPool()
  try {
    return await pool.run({ ...job, cache: { memoryBytes: 0, diskBytes: 0 } }, job.signal, (rendering) => measureProfile(job, rendering, 1))
  } finally {
    pool.dispose()
  }
}

/** Measures the finished sound with an unchanged level, and after it is brought to a loudness. */
export async function measureLevel(job: MeteringJob, targetLufs: number | undefined): Promise<LevelReport> {
  const levelProfile = await measureJobProfile(job)
  return {
    before: computeLevel(levelProfile),
    after: targetLufs === undefined ? undefined : computeLevel(levelProfile, findGainForLoudness(levelProfile, targetLufs).points),
  }
}

/** Computes the gain with which the preview is as loud as an export. */
export async function computePreviewLevel(
  sound: Sound,
  settings: MakerSettings,
  targetLufs: number,
  signal: AbortSignal,
): Promise<PreviewLevel> {
  const levelProfile = await measureJobProfile({ sound, settings: toRenderSettings(settings, sound.sampleRate), onProgress() {}, signal })
  const gainCurve = findGainForLoudness(levelProfile, targetLufs)
  return {
    sound,
    settings,
    gainOf: (firstFrame, frames) => sliceGainCurve(gainCurve, firstFrame, frames),
    gainWithoutLimiter: gainCurve.points.reduce((largest, gain) => Math.max(largest, gain), 0),
  }
}
