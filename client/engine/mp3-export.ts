import mp3Url from 'wasm-media-encoders/wasm/mp3?url'
import { gainFor } from '../../dsp/levels.ts'
import { id3Tag } from './id3.ts'
import { compileFrom } from './kernel-module.ts'
import { mp3InfoFrame } from './mp3-info.ts'
import type { Mp3Answer, Mp3Request } from './mp3-messages.ts'
import type { RenderPool } from './render-pool.ts'
import { doneOf, type FileJob, intoFile, measure, type WrittenFile } from './wav-export.ts'
import { createWorkerThread } from './worker-thread.ts'

export const MP3_KBPS = 320

/** Of the rates of the format, those with which it has 320 kbps (ISO/IEC 11172-3, section 2.4.2.3). */
const MP3_RATES = [32_000, 44_100, 48_000]

/** The rate of the MP3 file of a sound: its own, else the next higher one, which loses nothing, or the highest. */
export const mp3SampleRate = (sampleRate: number): number => MP3_RATES.find((rate) => rate >= sampleRate) ?? 48_000

/** The encoder is slow and takes the sound in order: measuring the peak first costs little beside it. */
const MEASURING = 0.1

/** `job.settings` are for the rate of `mp3SampleRate`. */
export const exportMp3 = (pool: RenderPool, job: FileJob): Promise<WrittenFile> =>
  pool.run(job, job.signal, async (rendering) => {
    const { peak } = await measure(job, rendering, MEASURING)
    const gain = gainFor(peak)
    const worker = new Worker(new URL('./workers/mp3-worker.ts', import.meta.url), { type: 'module' })
    const encoder = createWorkerThread<Mp3Request, Mp3Answer>(worker)
    job.signal.addEventListener('abort', encoder.terminate)
    try {
      job.signal.throwIfAborted()
      const module = await compileFrom(mp3Url)
      await encoder.ask({ kind: 'open', module, sampleRate: job.settings.sampleRate, channels: job.sound.channels, kbps: MP3_KBPS })
      const write = async (output: Parameters<Parameters<typeof intoFile>[1]>[0]) => {
        await output.write(id3Tag(job.tags))
        const { sampleRate } = job.settings
        await output.write(mp3InfoFrame({ sampleRate, channels: job.sound.channels, frames: rendering.frames }))
        await rendering.pass(
          () => ({ output: 'planar', gain, keep: 'never' }),
          async (segment, answer) => {
            const samples = answer.samples.filter((channel) => channel instanceof Float32Array)
            const { bytes } = await encoder.ask(
              { kind: 'encode', samples },
              samples.map(({ buffer }) => buffer),
            )
            await output.write(bytes)
            job.onProgress(MEASURING + (1 - MEASURING) * doneOf(segment, rendering))
          },
        )
        await output.write((await encoder.ask({ kind: 'finish' })).bytes)
        return gain
      }
      return await intoFile(job, write, 'audio/mpeg')
    } finally {
      job.signal.removeEventListener('abort', encoder.terminate)
      encoder.terminate()
    }
  })
