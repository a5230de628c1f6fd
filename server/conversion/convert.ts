import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { SONG_MINUTES_MAX } from '../../contract/conversion-rules.ts'
import { SEGMENT_FRAMES } from '../../dsp/kernel.ts'
import { gainForPeak } from '../../dsp/levels.ts'
import { plannedOutputFrames, plannedSourceRange, planRender, type RenderPlan } from '../../dsp/render-plan.ts'
import { createRenderer } from '../../dsp/renderer.ts'
import { createWasmKernel } from '../../dsp/wasm/kernel.ts'
import { fitsWavLimit, wavHeader } from '../../dsp/wav.ts'
import { createDiskSpaceCheck } from '../disk-space.ts'
import { decode } from './decode.ts'
import { encodeMp3 } from './ffmpeg.ts'
import { type ConversionJob, type FailureCode, OUTPUT_MAX_BYTES } from './job.ts'
import type { DecodedSound } from './samples-file.ts'

/** Sampling rates at which MP3 allows 320 kbps (ISO/IEC 11172-3, section 2.4.2.3). */
const MP3_RATES = [32_000, 44_100, 48_000]
const MP3_KBPS = 320

/** The shares of decoding, and of the first of the two rendering passes, in the reported progress. */
const DECODING_PROGRESS_SHARE = 0.3
const PEAK_PASS_PROGRESS_SHARE = 0.3

/**
 * Decodes a song, changes its speed by the same code as the maker in the browser, and writes the file. Resolves with `done` or the code of the
 * failure.
 */
export async function convert(job: ConversionJob, onProgress: (progress: number) => void): Promise<'done' | FailureCode> {
  const sound = await decode(job)
  if (typeof sound === 'string') return sound
  onProgress(DECODING_PROGRESS_SHARE)
  const { sampleRate, channels } = sound
  const outputRate = job.format === 'mp3' ? (MP3_RATES.find((rate) => rate >= sampleRate) ?? 48_000) : sampleRate
  const plan = planRender({ sampleRate: outputRate, rate: job.rate * (sampleRate / outputRate) })
  const frames = plannedOutputFrames(plan, sound.frames)
  if (frames === 0) return 'empty'
  const wav = { format: 'int16', channels, sampleRate: outputRate, frames } as const
  if (frames > SONG_MINUTES_MAX * 60 * outputRate || !fitsWavLimit(wav)) return 'too-long'
  if (job.format === 'wav' && frames * channels * 2 > OUTPUT_MAX_BYTES) return 'too-large'

  const kernel = createWasmKernel(new WebAssembly.Module(readFileSync(job.kernelFile)))
  const renderSegments = createSegments(createRenderer(kernel), plan, sound, frames)
  let peak = 0
  for (const { samples, endFrame } of renderSegments()) {
    peak = Math.max(peak, kernel.peak(samples))
    onProgress(DECODING_PROGRESS_SHARE + (PEAK_PASS_PROGRESS_SHARE * endFrame) / frames)
  }
  const gain = gainForPeak(peak)
  const reportEndFrame = (endFrame: number) =>
    onProgress(
      DECODING_PROGRESS_SHARE + PEAK_PASS_PROGRESS_SHARE + ((1 - DECODING_PROGRESS_SHARE - PEAK_PASS_PROGRESS_SHARE) * endFrame) / frames,
    )

  const requireSpace = createDiskSpaceCheck(dirname(job.outputFile))
  if (job.format === 'mp3') {
    const encoder = encodeMp3(job, { sampleRate: outputRate, channels, kbps: MP3_KBPS })
    for (const { samples, endFrame } of renderSegments()) {
      await encoder.write(samples.map((sample) => sample * gain))
      // Counts the samples instead of the smaller encoded data, so that the disk space is checked often enough.
      await requireSpace(samples.byteLength)
      reportEndFrame(endFrame)
    }
    return (await encoder.finish()) ? 'done' : 'failed'
  }
  const file = openSync(job.outputFile, 'wx', 0o600)
  try {
    writeSync(file, wavHeader(wav))
    const quantised = new Int16Array(SEGMENT_FRAMES * channels)
    for (const { samples, firstFrame, endFrame } of renderSegments()) {
      const output = quantised.subarray(0, samples.length)
      kernel.quantise(samples, gain, firstFrame * channels, output)
      writeSync(file, new Uint8Array(output.buffer, output.byteOffset, output.byteLength))
      await requireSpace(output.byteLength)
      reportEndFrame(endFrame)
    }
  } finally {
    closeSync(file)
  }
  return 'done'
}

/**
 * Returns a generator function that renders the output from the beginning, in segments of interleaved samples. All segments use the same
 * array: the next segment overwrites the previous one.
 */
function createSegments(renderer: ReturnType<typeof createRenderer>, plan: RenderPlan, sound: DecodedSound, frames: number) {
  const output = new Float32Array(SEGMENT_FRAMES * sound.channels)
  return function* renderSegments() {
    for (let firstFrame = 0; firstFrame < frames; firstFrame += SEGMENT_FRAMES) {
      const endFrame = Math.min(frames, firstFrame + SEGMENT_FRAMES)
      const range = plannedSourceRange(plan, firstFrame, endFrame - firstFrame)
      const startFrame = Math.min(sound.frames, Math.max(0, range.startFrame))
      const source = readFrames(sound, startFrame, Math.max(0, Math.min(sound.frames, range.endFrame) - startFrame))
      const samples = output.subarray(0, (endFrame - firstFrame) * sound.channels)
      renderer.render(plan, { channels: source, startFrame }, firstFrame, samples)
      yield { samples, firstFrame, endFrame }
    }
  }
}

/** Reads frames of the decoded sound into one array per channel. */
function readFrames(
  { file, channels }: DecodedSound,
  startFrame: number,
  frames: number,
): readonly [Float32Array] | readonly [Float32Array, Float32Array] {
  const interleavedSamples = new Float32Array(frames * channels)
  const bytes = new Uint8Array(interleavedSamples.buffer)
  for (let offset = 0; offset < bytes.length; ) {
    const count = readSync(file, bytes, offset, bytes.length - offset, startFrame * channels * 4 + offset)
    if (count === 0) throw new Error('the decoded samples end too soon')
    offset += count
  }
  if (channels === 1) return [interleavedSamples]
  const [left, right] = [new Float32Array(frames), new Float32Array(frames)]
  for (let frame = 0; frame < frames; frame++) {
    left[frame] = interleavedSamples[2 * frame] ?? 0
    right[frame] = interleavedSamples[2 * frame + 1] ?? 0
  }
  return [left, right]
}
