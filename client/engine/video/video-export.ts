import { type ChosenGain, progressAfterSegment } from '../chosen-gain.ts'
import type { ExportSuccess, LoadedSound, MakerSettings, OutputOptions } from '../engine.ts'
import { chooseGain } from '../lossless-export.ts'
import type { Rendering, RenderPool } from '../render-pool.ts'
import { toRenderSettings } from '../render-settings.ts'
import type { Sound } from '../sound.ts'
import { createWorkerClient, startWorker, type WorkerClient } from '../worker-client.ts'
import type { VideoCalls, VideoDestination, VideoStartRequest } from '../workers/calls.ts'
import videoWorkerUrl from '../workers/video-worker.ts?worker&url'
import { createAacEncoder } from './aac-encoder.ts'
import { createTextLayer } from './text-layer.ts'
import type { VideoDesign, VideoFormat } from './video-design.ts'
import { VIDEO_SAMPLE_RATE } from './video-timing.ts'

export interface VideoJob {
  readonly sound: Sound
  readonly settings: MakerSettings
  readonly design: VideoDesign
  readonly format: VideoFormat
  readonly output: Pick<OutputOptions, 'targetLufs'>
  /** The tags of the video. */
  readonly details: Pick<LoadedSound, keyof VideoStartRequest['tags']>
  readonly destination: VideoDestination
  /** Receives the progress, from 0 to 1. */
  readonly onProgress: (progress: number) => void
}

export type RenderedVideo = Pick<ExportSuccess, 'bytes' | 'file' | 'loweredDb' | 'level'>

/** The share of the progress that the first pass takes, which measures the peak. */
const MEASURING_SHARE = 0.05

export const createVideoWorker = (signal?: AbortSignal): WorkerClient<VideoCalls> =>
  createWorkerClient<VideoCalls>(startWorker(videoWorkerUrl), signal)

/** Renders the sound at 48 kHz, encodes it, and writes it with its pictures. An abort terminates all workers at once. */
export async function exportVideo(pool: RenderPool, job: VideoJob, signal: AbortSignal): Promise<RenderedVideo> {
  signal.throwIfAborted()
  const { sound, settings } = job
  const renderJob = {
    sound,
    settings: toRenderSettings(settings, sound.sampleRate, VIDEO_SAMPLE_RATE),
    // No segment is cached in memory, because rendering a segment again takes less time than encoding its pictures.
    cache: { memoryBytes: 0, diskBytes: 0 },
  }
  const workers = new AbortController()
  const endWorkers = () => workers.abort(signal.reason)
  signal.addEventListener('abort', endWorkers)
  try {
    return await pool.run(renderJob, signal, async (rendering) => {
      const measuring = { ...renderJob, targetLufs: job.output.targetLufs, onProgress: job.onProgress, signal: workers.signal }
      const { gainOf, ...chosen } = await chooseGain(measuring, rendering, MEASURING_SHARE)
      const video = createVideoWorker(workers.signal)
      const soundInput = await startVideo(video, job, rendering.frames, workers.signal)
      await sendSound(job, rendering, gainOf, soundInput)
      const { bytes, file } = await video.call('finish', undefined)
      return { bytes, file, ...chosen }
    })
  } finally {
    signal.removeEventListener('abort', endWorkers)
    workers.abort()
  }
}

/** Receives the sound of a video, as interleaved samples of two channels. */
interface SoundInput {
  /** Resolves when more samples can be added. */
  add(samples: Float32Array<ArrayBuffer>): Promise<void>
  finish(): Promise<void>
}

async function startVideo(
  video: WorkerClient<VideoCalls>,
  { design, format, destination, details }: VideoJob,
  frames: number,
  signal: AbortSignal,
): Promise<SoundInput> {
  const { width, height, overlay, style } = design
  const { title, artist, album, year, cover } = details
  const tags = { title, artist, album, year, cover }
  const start = async (track: VideoStartRequest['sound']) => {
    const textLayer = createTextLayer(design)
    const scene = { width, height, overlay, style, textLayer }
    const request = { destination, format, tags, scene, picture: design.picture, isGliding: design.motion === 'glide', sound: track }
    await video.call('start', request, { transfer: textLayer === undefined ? [] : [textLayer] })
  }
  if (format.container !== 'mp4') {
    const codec = format.container === 'webm' ? 'opus' : 'pcm-s24'
    await start({ codec, frames })
    return samplesInput(video)
  }
  const encoder = await createAacEncoder((packets) => video.call('add', { packets }, { transfer: [packets.bytes.buffer] }), signal)
  await start({ codec: 'aac', frames, description: encoder.description })
  if (overlay === 'none') return encoder
  const drawn = samplesInput(video)
  return {
    async add(samples) {
      const copy = samples.slice()
      await encoder.add(samples)
      await drawn.add(copy)
    },
    async finish() {
      await encoder.finish()
      await drawn.finish()
    },
  }
}

/** Sends chunks of samples to the worker, at most one chunk ahead of the worker's progress. */
function samplesInput(video: WorkerClient<VideoCalls>): SoundInput {
  let previous: Promise<void> = Promise.resolve()
  return {
    async add(samples) {
      const sent = video.call('add', { samples }, { transfer: [samples.buffer] })
      sent.catch(() => {})
      await previous
      previous = sent
    },
    finish: () => previous,
  }
}

async function sendSound(
  { sound, onProgress }: VideoJob,
  rendering: Rendering,
  gainOf: ChosenGain['gainOf'],
  input: SoundInput,
): Promise<void> {
  await rendering.renderPass(
    (segment) => ({ output: 'float32', gain: gainOf(segment), cache: 'never' }),
    async (segment, response) => {
      for (const samples of response.samples)
        if (samples instanceof Float32Array) await input.add(sound.channels === 2 ? samples : doubled(samples))
      onProgress(MEASURING_SHARE + (1 - MEASURING_SHARE) * progressAfterSegment(segment, rendering))
    },
  )
  await input.finish()
}

/** Returns the samples of one channel as interleaved samples of two channels, because video platforms expect stereo. */
function doubled(mono: Float32Array): Float32Array<ArrayBuffer> {
  const stereo = new Float32Array(2 * mono.length)
  for (let frame = 0; frame < mono.length; frame++) stereo.fill(mono[frame] ?? 0, 2 * frame, 2 * frame + 2)
  return stereo
}
