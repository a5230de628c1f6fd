import type { ChosenGain } from './chosen-gain.ts'
import type { FileOutput } from './file-output.ts'
import { compileWasmModule } from './kernel-module.ts'
import lameUrl from './lame/lame.wasm?url'
import { chooseGain, type FileExportJob, type WrittenFile, writeExportFile, writeId3 } from './lossless-export.ts'
import { buildMp3InfoFrame, MP3_KBPS } from './mp3-info.ts'
import { createPieceCollector, planPieces } from './mp3-pieces.ts'
import type { Rendering, RenderPool } from './render-pool.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { EncodedBytes, Mp3Calls, Mp3PieceRequest } from './workers/calls.ts'
import mp3WorkerUrl from './workers/mp3-worker.ts?worker&url'

/** LAME's setting for the quality of its algorithms. It has the default value of ffmpeg, with which the server encodes. */
const MP3_QUALITY = 5

/** The share of the progress bar for measuring the peak, before the sound is encoded. It is small, because encoding takes much longer. */
const MEASURING_PROGRESS_SHARE = 0.2
/** The number of pieces that are sent to each encoder at a time. */
const PIECES_PER_ENCODER = 2

/**
 * Exports an MP3 file. `job.settings` must have the sampling rate of `chooseMp3SampleRate`. Each piece of the file is encoded by an encoder of its own, in
 * one worker for each render worker.
 */
export const exportMp3 = (pool: RenderPool, job: FileExportJob): Promise<WrittenFile> =>
  pool.run(job, job.signal, async (rendering) => {
    // The encoders are started while the peak is measured.
    const encodersPromise = startEncoders(rendering.workerCount, job.signal)
    try {
      const [{ gainOf, ...chosenLevels }, mp3Encoders] = await Promise.all([
        chooseGain(job, rendering, MEASURING_PROGRESS_SHARE),
        encodersPromise,
      ])
      const writeFrames = async (output: FileOutput) => {
        const { sampleRate } = job.settings
        await writeId3(output, job)
        await output.write(buildMp3InfoFrame({ sampleRate, channels: job.sound.channels, frames: rendering.frames }))
        await encodePieces(job, rendering, gainOf, mp3Encoders, (bytes) => output.write(bytes))
        return chosenLevels
      }
      return await writeExportFile(job, writeFrames, 'audio/mpeg')
    } finally {
      encodersPromise.then(
        ({ terminate }) => terminate(),
        () => {},
      )
    }
  })

type Mp3Encoders = Awaited<ReturnType<typeof startEncoders>>

async function startEncoders(encoderCount: number, signal: AbortSignal) {
  const wasmModule = await compileWasmModule(lameUrl)
  const workerClients = Array.from({ length: encoderCount }, () => createWorkerClient<Mp3Calls>(startWorker(mp3WorkerUrl), signal))
  const terminateAll = () => {
    for (const client of workerClients) client.terminate()
  }
  try {
    await Promise.all(workerClients.map((client) => client.call('open', { module: wasmModule })))
  } catch (error) {
    terminateAll()
    throw error
  }
  let nextClientIndex = 0
  return {
    count: encoderCount,
    /** Encodes a piece with the next encoder in turn. Moves the samples. */
    encode(request: Mp3PieceRequest): Promise<EncodedBytes> {
      const client = workerClients[nextClientIndex++ % encoderCount]
      if (client === undefined) throw new Error('there is no encoder')
      return client.call('encode', request, { transfer: request.samples.map(({ buffer }) => buffer) })
    },
    terminate: terminateAll,
  }
}

/** Renders the sound, encodes its pieces, and writes them in order. */
async function encodePieces(
  job: FileExportJob,
  rendering: Rendering,
  gainOf: ChosenGain['gainOf'],
  encoders: Mp3Encoders,
  writeBytes: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>,
): Promise<void> {
  const { channels } = job.sound
  const { sampleRate } = job.settings
  const pieceCollector = createPieceCollector(planPieces(rendering.frames), channels)
  /** The writes of the pieces that are not yet written, the oldest first. */
  const pendingWrites: Promise<void>[] = []
  let previousWrite = Promise.resolve()
  await rendering.renderPass(
    (segment) => ({ output: 'planar', gain: gainOf(segment), cache: 'never' }),
    async (segment, response) => {
      const segmentSamples = response.samples.filter((channel) => channel instanceof Float32Array)
      for (const { piece, samples } of pieceCollector.add(segmentSamples, segment.firstFrame)) {
        const { warmUpPackets, packets, isLast } = piece
        const encodedPromise = encoders.encode({
          samples,
          sampleRate,
          kbps: MP3_KBPS,
          quality: MP3_QUALITY,
          warmUpPackets,
          packets,
          isLast,
        })
        const earlierWrite = previousWrite
        previousWrite = Promise.all([encodedPromise, earlierWrite]).then(async ([{ bytes }]) => {
          await writeBytes(bytes)
          job.onProgress(MEASURING_PROGRESS_SHARE + (1 - MEASURING_PROGRESS_SHARE) * Math.min(1, piece.endFrame / rendering.frames))
        })
        // The rejection is handled here, because it is thrown when the write is awaited.
        previousWrite.catch(() => {})
        pendingWrites.push(previousWrite)
      }
      while (pendingWrites.length > PIECES_PER_ENCODER * encoders.count) await pendingWrites.shift()
    },
  )
  await previousWrite
}
