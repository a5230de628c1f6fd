import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { SONG_MINUTES_MAX } from '../../contract/conversion-rules.ts'
import { SEGMENT_FRAMES } from '../../dsp/kernel.ts'
import { computeGainForPeak } from '../../dsp/levels.ts'
import { computePlannedOutputFrames, computePlannedSourceRange, planRender, type RenderPlan } from '../../dsp/render-plan.ts'
import { createRenderer } from '../../dsp/renderer.ts'
import { createWasmKernel } from '../../dsp/wasm/kernel.ts'
import { encodeWavHeader, fitsWavLimit } from '../../dsp/wav.ts'
import { createDiskSpaceCheck } from '../disk-space.ts'
import { decodeFile } from './decode.ts'
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
  const decodedSound = await decodeFile(job)
  if (typeof decodedSound === 'string') return decodedSound
  onProgress(DECODING_PROGRESS_SHARE)
  const { sampleRate, channels } = decodedSound
  const outputRate = job.format === 'mp3' ? (MP3_RATES.find((rate) => rate >= sampleRate) ?? 48_000) : sampleRate
  const renderPlan = planRender({ sampleRate: outputRate, rate: job.rate * (sampleRate / outputRate) })
  const outputFrameCount = computePlannedOutputFrames(renderPlan, decodedSound.frames)
  if (outputFrameCount === 0) return 'empty'
  const wavDescription = { format: 'int16', channels, sampleRate: outputRate, frames: outputFrameCount } as const
  if (outputFrameCount > SONG_MINUTES_MAX * 60 * outputRate || !fitsWavLimit(wavDescription)) return 'too-long'
  if (job.format === 'wav' && outputFrameCount * channels * 2 > OUTPUT_MAX_BYTES) return 'too-large'

  const wasmKernel = createWasmKernel(new WebAssembly.Module(readFileSync(job.wasmKernelPath)))
  const renderSegments = createSegments(createRenderer(wasmKernel), renderPlan, decodedSound, outputFrameCount)
  let peakLevel = 0
  for (const { samples, endFrame } of renderSegments()) {
    peakLevel = Math.max(peakLevel, wasmKernel.measurePeak(samples))
    onProgress(DECODING_PROGRESS_SHARE + (PEAK_PASS_PROGRESS_SHARE * endFrame) / outputFrameCount)
  }
  const outputGain = computeGainForPeak(peakLevel)
  const reportEndFrame = (endFrame: number) =>
    onProgress(
      DECODING_PROGRESS_SHARE +
        PEAK_PASS_PROGRESS_SHARE +
        ((1 - DECODING_PROGRESS_SHARE - PEAK_PASS_PROGRESS_SHARE) * endFrame) / outputFrameCount,
    )

  const requireSpace = createDiskSpaceCheck(dirname(job.outputFile))
  if (job.format === 'mp3') {
    const mp3Encoder = encodeMp3(job, { sampleRate: outputRate, channels, kbps: MP3_KBPS })
    for (const { samples, endFrame } of renderSegments()) {
      await mp3Encoder.write(samples.map((sample) => sample * outputGain))
      // Counts the samples instead of the smaller encoded data, so that the disk space is checked often enough.
      await requireSpace(samples.byteLength)
      reportEndFrame(endFrame)
    }
    return (await mp3Encoder.finish()) ? 'done' : 'failed'
  }
  const outputDescriptor = openSync(job.outputFile, 'wx', 0o600)
  try {
    writeSync(outputDescriptor, encodeWavHeader(wavDescription))
    const quantisedSamples = new Int16Array(SEGMENT_FRAMES * channels)
    for (const { samples, firstFrame, endFrame } of renderSegments()) {
      const quantisedOutput = quantisedSamples.subarray(0, samples.length)
      wasmKernel.quantise(samples, outputGain, firstFrame * channels, quantisedOutput)
      writeSync(outputDescriptor, new Uint8Array(quantisedOutput.buffer, quantisedOutput.byteOffset, quantisedOutput.byteLength))
      await requireSpace(quantisedOutput.byteLength)
      reportEndFrame(endFrame)
    }
  } finally {
    closeSync(outputDescriptor)
  }
  return 'done'
}

/**
 * Returns a generator function that renders the output from the beginning, in segments of interleaved samples. All segments use the same
 * array: the next segment overwrites the previous one.
 */
function createSegments(renderer: ReturnType<typeof createRenderer>, plan: RenderPlan, sound: DecodedSound, frameCount: number) {
  const outputSamples = new Float32Array(SEGMENT_FRAMES * sound.channels)
  return function* renderSegments() {
    for (let firstFrame = 0; firstFrame < frameCount; firstFrame += SEGMENT_FRAMES) {
      const endFrame = Math.min(frameCount, firstFrame + SEGMENT_FRAMES)
      const sourceRange = computePlannedSourceRange(plan, firstFrame, endFrame - firstFrame)
      const startFrame = Math.min(sound.frames, Math.max(0, sourceRange.startFrame))
      const sourceFrames = readFrames(sound, startFrame, Math.max(0, Math.min(sound.frames, sourceRange.endFrame) - startFrame))
      const samples = outputSamples.subarray(0, (endFrame - firstFrame) * sound.channels)
      renderer.render(plan, { channels: sourceFrames, startFrame }, firstFrame, samples)
      yield { samples, firstFrame, endFrame }
    }
  }
}

/** Reads frames of the decoded sound into one array per channel. */
function readFrames(
  { fileDescriptor, channels }: DecodedSound,
  startFrame: number,
  frameCount: number,
): readonly [Float32Array] | readonly [Float32Array, Float32Array] {
  const interleavedSamples = new Float32Array(frameCount * channels)
  const outputBytes = new Uint8Array(interleavedSamples.buffer)
  for (let byteOffset = 0; byteOffset < outputBytes.length; ) {
    const count = readSync(fileDescriptor, outputBytes, byteOffset, outputBytes.length - byteOffset, startFrame * channels * 4 + byteOffset)
    if (count === 0) throw new Error('the decoded samples end too soon')
    byteOffset += count
  }
  if (channels === 1) return [interleavedSamples]
  const [leftSamples, rightSamples] = [new Float32Array(frameCount), new Float32Array(frameCount)]
  for (let frame = 0; frame < frameCount; frame++) {
    leftSamples[frame] = interleavedSamples[2 * frame] ?? 0
    rightSamples[frame] = interleavedSamples[2 * frame + 1] ?? 0
  }
  return [leftSamples, rightSamples]
}
