import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { findCodecChannelMask } from '../../dsp/mix-down.ts'
import type { ConversionJob, FailureCode } from './job.ts'
import { PROCESSOR_SECONDS_MAX, spawnLimited } from './process.ts'
import { createSamplesFile, type DecodedFormat, type DecodedSound } from './samples-file.ts'

/** Returns the absolute path of ffmpeg; `undefined` if it is not installed. */
export async function findFfmpeg(programPath: string): Promise<string | undefined> {
  for (const programFolder of programPath.split(delimiter)) {
    const ffmpegFile = join(programFolder, 'ffmpeg')
    if (
      programFolder.startsWith('/') &&
      (await access(ffmpegFile, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return ffmpegFile
  }
  return undefined
}

/** The limit of an ffmpeg process's virtual memory in KiB. */
const MEMORY_LIMIT_KIB = 1_500_000
/** The exit code of an ffmpeg that got SIGTERM, SIGINT or SIGHUP: it closes its output as if the file ended (fftools/ffmpeg.c). */
const SIGNAL_EXIT_CODE = 255
/** Starts ffmpeg with limits of its memory and processor time. */
const spawnFfmpeg = (ffmpegPath: string, args: readonly string[]): ChildProcess =>
  spawnLimited(ffmpegPath, ['-nostdin', '-v', 'error', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    limits: { memoryKib: MEMORY_LIMIT_KIB, processorSeconds: PROCESSOR_SECONDS_MAX },
  })

/** The sampling rate and the number of channels of raw samples, which have no header. */
const RAW_FORMAT_ARGUMENTS = ['-ar', '44100', '-ac', '2']

/**
 * Decodes a file into `samplesFile` by ffmpeg. Resolves with the decoded sound, or with the code of the failure.
 *
 * @param inputFile the upload, or a copy of its content
 */
export async function decodeByFfmpeg(
  { ffmpeg, samplesFile, demuxer }: ConversionJob,
  inputFile: string,
): Promise<DecodedSound | FailureCode> {
  const decodeWithOptions = (ffmpegOptions: readonly string[]) =>
    readDecoded(
      spawnFfmpeg(ffmpeg, [
        // The format is detected from the bytes of the upload, so that no file can select another format. Protocols are restricted to files
        // and pipes, so that no format can open a network connection.
        ...['-protocol_whitelist', 'file,pipe', '-f', demuxer, ...(demuxer === 's16le' ? RAW_FORMAT_ARGUMENTS : []), ...ffmpegOptions],
        ...['-i', `file:${inputFile}`, '-map', '0:a:0', '-map_metadata', '-1', '-threads', '1'],
        ...['-f', 'wav', '-c:a', 'pcm_f32le', 'pipe:1'],
      ]),
      samplesFile,
    )
  const decodedSound = await decodeWithOptions([])
  // Programs write an edit of duration 0 if the edit lasts up to the end of the file (ISO/IEC 14496-12, 8.6.6.3), but ffmpeg plays nothing
  // of such an edit.
  return demuxer === 'mov' && (decodedSound === 'empty' || decodedSound === 'undecodable')
    ? decodeWithOptions(['-ignore_editlist', '1'])
    : decodedSound
}

/**
 * Reads a WAV file of 32-bit floats from the output of a process, and writes its samples to `samplesFile`. The chunks before the samples must fit
 * into the first bytes that the process writes.
 */
async function readDecoded(ffmpegProcess: ChildProcess, samplesFile: string): Promise<DecodedSound | FailureCode> {
  if (ffmpegProcess.stdout === null) throw new Error('the output of ffmpeg is not a pipe')
  /** The bytes that are not yet written: the headers, and later the start of a frame. */
  let unwrittenBytes = Buffer.alloc(0)
  let openedOutput: { file: ReturnType<typeof createSamplesFile>; channels: number } | undefined
  const processExit = once(ffmpegProcess, 'exit')
  for await (const outputChunk of ffmpegProcess.stdout) {
    const unreadOutput: Buffer = outputChunk
    unwrittenBytes = Buffer.concat([unwrittenBytes, unreadOutput])
    if (openedOutput === undefined) {
      const headerEnd = readHeader(unwrittenBytes)
      if (headerEnd === undefined) continue
      const channelMask = headerEnd.channelMask ?? findCodecChannelMask(headerEnd.channels)
      openedOutput = { file: createSamplesFile(samplesFile, { ...headerEnd, channelMask }), channels: headerEnd.channels }
      unwrittenBytes = unwrittenBytes.subarray(headerEnd.dataOffset)
    }
    if (openedOutput.file.isFull()) {
      ffmpegProcess.kill('SIGKILL')
      return openedOutput.file.finish()
    }
    const frames = Math.floor(unwrittenBytes.length / (4 * openedOutput.channels))
    await openedOutput.file.write(readFrames(unwrittenBytes, frames, openedOutput.channels))
    unwrittenBytes = unwrittenBytes.subarray(frames * 4 * openedOutput.channels)
  }
  const [exitCode, killSignal] = await processExit
  if (killSignal !== null || exitCode === SIGNAL_EXIT_CODE) return 'failed'
  // A truncated or damaged file is converted up to the damage.
  return openedOutput === undefined ? 'undecodable' : openedOutput.file.finish()
}

/** Reads interleaved floats into one array for each channel. */
function readFrames(bytes: Buffer, frameCount: number, channelCount: number): readonly Float32Array<ArrayBuffer>[] {
  // The bytes are copied, because a `Float32Array` must start at a multiple of 4 bytes, and the copy does.
  const interleavedSamples = new Float32Array(Uint8Array.from(bytes.subarray(0, frameCount * channelCount * 4)).buffer)
  return Array.from({ length: channelCount }, (_, channelIndex) => {
    const samples = new Float32Array(frameCount)
    for (let frame = 0, at = channelIndex; frame < frameCount; frame++, at += channelCount)
      samples[frame] = interleavedSamples[at] as number
    return samples
  })
}

const WAVE_FORMAT_EXTENSIBLE = 0xfffe

/** Returns the format of a WAV file and the byte offset of its samples; `undefined` if `headBytes` is too short to contain both. */
function readHeader(headBytes: Buffer): (DecodedFormat & { dataOffset: number }) | undefined {
  let format: DecodedFormat | undefined
  for (let chunkStart = 12; chunkStart + 8 <= headBytes.length; ) {
    const chunkId = headBytes.toString('latin1', chunkStart, chunkStart + 4)
    const chunkBytes = headBytes.readUInt32LE(chunkStart + 4)
    const contentStart = chunkStart + 8
    if (chunkId === 'data') return format && { ...format, dataOffset: contentStart }
    if (chunkId === 'fmt ') {
      if (contentStart + chunkBytes > headBytes.length) return undefined
      const hasChannelMask = headBytes.readUInt16LE(contentStart) === WAVE_FORMAT_EXTENSIBLE && chunkBytes >= 24
      format = {
        channels: headBytes.readUInt16LE(contentStart + 2),
        sampleRate: headBytes.readUInt32LE(contentStart + 4),
        channelMask: hasChannelMask ? headBytes.readUInt32LE(contentStart + 20) || undefined : undefined,
      }
    }
    chunkStart = contentStart + chunkBytes + (chunkBytes % 2)
  }
  return undefined
}

interface Mp3Settings {
  sampleRate: number
  channels: number
  kbps: number
}

/** Starts an encoder that writes an MP3 file. `write` takes interleaved samples; `finish` resolves to true if the file was written. */
export function encodeMp3(
  { ffmpeg, outputFile }: Pick<ConversionJob, 'ffmpeg' | 'outputFile'>,
  { sampleRate, channels, kbps }: Mp3Settings,
) {
  const ffmpegProcess = spawnFfmpeg(ffmpeg, [
    ...['-protocol_whitelist', 'file,pipe', '-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channels), '-i', 'pipe:0'],
    ...['-threads', '1', '-c:a', 'libmp3lame', '-b:a', `${kbps}k`, '-f', 'mp3', '-y', `file:${outputFile}`],
  ])
  const { stdin } = ffmpegProcess
  if (stdin === null) throw new Error('the input of ffmpeg is not a pipe')
  let hasFfmpegFailed = false
  // If the process ends early, writing to its pipe fails; `finish` reports the exit code.
  stdin.on('error', () => {
    hasFfmpegFailed = true
  })
  const processExit = once(ffmpegProcess, 'exit')
  return {
    async write(samples: Float32Array): Promise<void> {
      if (hasFfmpegFailed) throw new Error('ffmpeg has ended')
      if (!stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)))
        await Promise.race([once(stdin, 'drain'), processExit])
    },
    async finish(): Promise<boolean> {
      stdin.end()
      const [code] = await processExit
      return code === 0 && !hasFfmpegFailed
    },
  }
}
