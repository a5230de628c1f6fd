import mp3Url from 'wasm-media-encoders/wasm/mp3?url'
import { gainForPeak } from '../../dsp/levels.ts'
import type { FileOutput } from './file-output.ts'
import { id3Tag } from './id3.ts'
import { compileModuleFrom } from './kernel-module.ts'
import { mp3InfoFrame } from './mp3-info.ts'
import type { RenderPool } from './render-pool.ts'
import { measurePeak, progressAfterSegment, type WavExportJob, type WrittenFile, writeFile } from './wav-export.ts'
import { createWorkerClient, startWorker } from './worker-client.ts'
import type { Mp3Calls } from './workers/calls.ts'
import mp3WorkerUrl from './workers/mp3-worker.ts?worker&url'

export const MP3_KBPS = 320

/** Sampling rates at which the format allows 320 kbps (ISO/IEC 11172-3, section 2.4.2.3). */
const MP3_RATES = [32_000, 44_100, 48_000]

/** Returns the sound's own rate if MP3 has it, else the next higher one, which loses nothing, else 48 kHz. */
export const mp3SampleRate = (sampleRate: number): number => MP3_RATES.find((rate) => rate >= sampleRate) ?? 48_000

/** The share of the progress bar that the first pass takes. Encoding is slow and sequential, so measuring the peak first costs little. */
const MEASURING_SHARE = 0.1

/** Exports an MP3 file. `job.settings` must have the sampling rate of `mp3SampleRate`. */
export const exportMp3 = (pool: RenderPool, job: WavExportJob): Promise<WrittenFile> =>
  pool.run(job, job.signal, async (rendering) => {
    const { peak } = await measurePeak(job, rendering, MEASURING_SHARE)
    const gain = gainForPeak(peak)
    const encoder = createWorkerClient<Mp3Calls>(startWorker(mp3WorkerUrl), job.signal)
    try {
      const module = await compileModuleFrom(mp3Url)
      await encoder.call('open', { module, sampleRate: job.settings.sampleRate, channels: job.sound.channels, kbps: MP3_KBPS })
      const writeFrames = async (output: FileOutput) => {
        await output.write(id3Tag(job.tags))
        const { sampleRate } = job.settings
        await output.write(mp3InfoFrame({ sampleRate, channels: job.sound.channels, frames: rendering.frames }))
        await rendering.renderPass(
          () => ({ output: 'planar', gain, cache: 'never' }),
          async (segment, response) => {
            const samples = response.samples.filter((channel) => channel instanceof Float32Array)
            const { bytes } = await encoder.call('encode', { samples }, { transfer: samples.map(({ buffer }) => buffer) })
            await output.write(bytes)
            job.onProgress(MEASURING_SHARE + (1 - MEASURING_SHARE) * progressAfterSegment(segment, rendering))
          },
        )
        const { bytes } = await encoder.call('finish', undefined)
        await output.write(bytes)
        return gain
      }
      return await writeFile(job, writeFrames, 'audio/mpeg')
    } finally {
      encoder.terminate()
    }
  })
