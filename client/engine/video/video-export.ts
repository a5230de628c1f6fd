import type { ExportSuccess, LoadedSound } from '../engine.ts'
import type { RenderPool } from '../render-pool.ts'
import { createWorkerClient, startWorker, type WorkerClient } from '../worker-client.ts'
import type { AacPackets, VideoCalls, VideoDestination, VideoStartRequest } from '../workers/calls.ts'
import videoWorkerUrl from '../workers/video-worker.ts?worker&url'
import { createAacEncoder } from './aac-encoder.ts'
import type { PreparedSound } from './prepared-sound.ts'
import { createScene, listTransferables } from './text-layer.ts'
import type { VideoDesign, VideoFormat } from './video-design.ts'
import { renderSound, type SoundInput, type SoundJob, sendSound } from './video-sound.ts'
import { AAC_PACKET_FRAMES } from './video-timing.ts'

export interface VideoJob extends SoundJob {
  readonly design: VideoDesign
  readonly format: VideoFormat
  /** The tags of the video. */
  readonly details: Pick<LoadedSound, keyof VideoStartRequest['tags']>
  readonly destination: VideoDestination
  readonly preparedSound?: PreparedSound | undefined
}

export type RenderedVideo = Pick<ExportSuccess, 'bytes' | 'file' | 'loweredDb' | 'level'>

export const createVideoWorker = (signal?: AbortSignal): WorkerClient<VideoCalls> =>
  createWorkerClient<VideoCalls>(startWorker(videoWorkerUrl), signal)

/** Renders the sound at 48 kHz, encodes it, and writes it with its pictures. An abort terminates all workers at once. */
export async function exportVideo(pool: RenderPool, job: VideoJob, signal: AbortSignal): Promise<RenderedVideo> {
  signal.throwIfAborted()
  const { preparedSound } = job
  const workersController = new AbortController()
  const endWorkers = () => workersController.abort(signal.reason)
  signal.addEventListener('abort', endWorkers)
  try {
    if (preparedSound !== undefined && job.format.container === 'mp4' && preparedSound.fits(job)) {
      if (job.design.overlay === 'none') return await writePreparedSound(preparedSound, job, workersController.signal)
      return await writeVisualizedPreparedSound(pool, preparedSound, job, workersController.signal)
    }
    // This video cannot use the prepared sound. Its compression is stopped, because it would take processor time for nothing.
    preparedSound?.dispose()
    return await renderSound(pool, job, workersController.signal, async (rendering, { gainOf, ...exportedLevels }) => {
      const videoWorker = createVideoWorker(workersController.signal)
      const soundInput = await startVideo(videoWorker, job, rendering.frames, workersController.signal)
      await sendSound(job, rendering, gainOf, soundInput)
      const { bytes, file } = await videoWorker.call('finish', undefined)
      return { bytes, file, ...exportedLevels }
    })
  } finally {
    signal.removeEventListener('abort', endWorkers)
    workersController.abort()
  }
}

/** Writes a sound that was compressed in advance or is still being compressed. */
function writePreparedSound(preparedSound: PreparedSound, job: VideoJob, signal: AbortSignal): Promise<RenderedVideo> {
  return preparedSound.use(signal, async ({ frames, description, ...exportedLevels }, packets) => {
    const videoWorker = createVideoWorker(signal)
    await startTrack(videoWorker, job, { codec: 'aac', frames, description })
    for await (const part of packets) {
      await addPackets(videoWorker, part)
      job.onProgress(part.progress)
    }
    const { bytes, file } = await videoWorker.call('finish', undefined)
    return { bytes, file, ...exportedLevels }
  })
}

/** Sends packets by copying them, so that they stay in memory for the next video. */
function addPackets(video: WorkerClient<VideoCalls>, { bytes, sizes }: AacPackets): Promise<void> {
  const packets = { bytes: bytes.slice(), sizes }
  return video.call('add', { packets }, { transfer: [packets.bytes.buffer] })
}

/** Writes a sound that was compressed in advance. Its samples are rendered again for pictures that follow the sound. */
function writeVisualizedPreparedSound(
  pool: RenderPool,
  preparedSound: PreparedSound,
  job: VideoJob,
  signal: AbortSignal,
): Promise<RenderedVideo> {
  return preparedSound.use(signal, ({ frames, description }, packets) =>
    renderSound(pool, job, signal, async (rendering, { gainOf, ...exportedLevels }) => {
      const videoWorker = createVideoWorker(signal)
      await startTrack(videoWorker, job, { codec: 'aac', frames, description })
      await sendSound(job, rendering, gainOf, createPacketsInput(videoWorker, packets))
      const { bytes, file } = await videoWorker.call('finish', undefined)
      return { bytes, file, ...exportedLevels }
    }),
  )
}

/** Sends packets and samples of the same time together, because the file interleaves sound and pictures. */
function createPacketsInput(videoWorker: WorkerClient<VideoCalls>, packets: AsyncIterable<AacPackets>): SoundInput {
  const drawnSamplesInput = createSamplesInput(videoWorker)
  const packetIterator = packets[Symbol.asyncIterator]()
  let packetsEndFrame = 0
  let samplesEndFrame = 0
  async function addPacketsUpTo(endFrame: number) {
    while (packetsEndFrame < endFrame) {
      const { done, value } = await packetIterator.next()
      if (done) return
      packetsEndFrame += value.sizes.length * AAC_PACKET_FRAMES
      await addPackets(videoWorker, value)
    }
  }
  return {
    async add(samples) {
      samplesEndFrame += samples.length / 2
      await addPacketsUpTo(samplesEndFrame)
      await drawnSamplesInput.add(samples)
    },
    async finish() {
      await addPacketsUpTo(Number.POSITIVE_INFINITY)
      await drawnSamplesInput.finish()
    },
  }
}

async function startTrack(
  video: WorkerClient<VideoCalls>,
  { design, format, destination, details }: VideoJob,
  sound: VideoStartRequest['sound'],
): Promise<void> {
  const { title, artist, album, year, cover } = details
  const videoTags = { title, artist, album, year, cover }
  const scene = createScene(design)
  const request = { destination, format, tags: videoTags, scene, picture: design.picture, isGliding: design.motion === 'glide', sound }
  await video.call('start', request, { transfer: listTransferables(scene) })
}

async function startVideo(video: WorkerClient<VideoCalls>, job: VideoJob, frameCount: number, signal: AbortSignal): Promise<SoundInput> {
  const { format, design } = job
  if (format.container !== 'mp4') {
    const codec = format.container === 'webm' ? 'opus' : 'pcm-s24'
    await startTrack(video, job, { codec, frames: frameCount })
    return createSamplesInput(video)
  }
  const aacEncoder = await createAacEncoder((packets) => video.call('add', { packets }, { transfer: [packets.bytes.buffer] }), signal)
  await startTrack(video, job, { codec: 'aac', frames: frameCount, description: aacEncoder.description })
  if (design.overlay === 'none') return aacEncoder
  const drawnSamplesInput = createSamplesInput(video)
  return {
    async add(samples) {
      const copy = samples.slice()
      await aacEncoder.add(samples)
      await drawnSamplesInput.add(copy)
    },
    async finish() {
      await aacEncoder.finish()
      await drawnSamplesInput.finish()
    },
  }
}

/** Sends chunks of samples to the worker, at most one chunk ahead of the worker's progress. */
function createSamplesInput(video: WorkerClient<VideoCalls>): SoundInput {
  let previousCall: Promise<void> = Promise.resolve()
  return {
    async add(samples) {
      const sentCall = video.call('add', { samples }, { transfer: [samples.buffer] })
      sentCall.catch(() => {})
      await previousCall
      previousCall = sentCall
    },
    finish: () => previousCall,
  }
}
