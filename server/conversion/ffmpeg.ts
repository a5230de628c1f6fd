import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { codecChannelMask } from '../../dsp/mix-down.ts'
import type { ConversionJob, FailureCode } from './job.ts'
import { PROCESSOR_SECONDS_MAX, spawnLimited } from './process.ts'
import { createSamplesFile, type DecodedFormat, type DecodedSound } from './samples-file.ts'

/** Returns the absolute path of ffmpeg; `undefined` if it is not installed. */
export async function findFfmpeg(path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, 'ffmpeg')
    if (
      folder.startsWith('/') &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ))
    )
      return file
  }
  return undefined
}

/** The limit of an ffmpeg process's virtual memory in KiB. */
const MEMORY_KIB = 1_500_000
/** Starts ffmpeg with limits of its memory and processor time. */
const spawnFfmpeg = (ffmpeg: string, args: readonly string[]): ChildProcess =>
  spawnLimited(ffmpeg, ['-nostdin', '-v', 'error', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    limits: { memoryKib: MEMORY_KIB, processorSeconds: PROCESSOR_SECONDS_MAX },
  })

/** The sampling rate and the number of channels of raw samples, which have no header. */
const RAW_FORMAT = ['-ar', '44100', '-ac', '2']

/**
 * Decodes a file into `samplesFile` by ffmpeg. Resolves with the decoded sound, or with the code of the failure.
 *
 * @param inputFile the upload, or a copy of its content
 */
export async function decodeByFfmpeg(
  { ffmpeg, samplesFile, demuxer }: ConversionJob,
  inputFile: string,
): Promise<DecodedSound | FailureCode> {
  const decodeWith = (options: readonly string[]) =>
    readDecoded(
      spawnFfmpeg(ffmpeg, [
        // The format is detected from the bytes of the upload, so that no file can select another format. Protocols are restricted to files
        // and pipes, so that no format can open a network connection.
        ...['-protocol_whitelist', 'file,pipe', '-f', demuxer, ...(demuxer === 's16le' ? RAW_FORMAT : []), ...options],
        ...['-i', `file:${inputFile}`, '-map', '0:a:0', '-map_metadata', '-1', '-threads', '1'],
        ...['-f', 'wav', '-c:a', 'pcm_f32le', 'pipe:1'],
      ]),
      samplesFile,
    )
  const decoded = await decodeWith([])
  // Programs write an edit of duration 0 if the edit lasts up to the end of the file (ISO/IEC 14496-12, 8.6.6.3), but ffmpeg plays nothing
  // of such an edit.
  return demuxer === 'mov' && (decoded === 'empty' || decoded === 'undecodable') ? decodeWith(['-ignore_editlist', '1']) : decoded
}

/**
 * Reads a WAV file of 32-bit floats from the output of a process, and writes its samples to `samplesFile`. The chunks before the samples must fit
 * into the first bytes that the process writes.
 */
async function readDecoded(child: ChildProcess, samplesFile: string): Promise<DecodedSound | FailureCode> {
  if (child.stdout === null) throw new Error('the output of ffmpeg is not a pipe')
  /** The bytes that are not yet written: the headers, and later the start of a frame. */
  let rest = Buffer.alloc(0)
  let output: { file: ReturnType<typeof createSamplesFile>; channels: number } | undefined
  const exited = once(child, 'exit')
  for await (const data of child.stdout) {
    const chunk: Buffer = data
    rest = Buffer.concat([rest, chunk])
    if (output === undefined) {
      const start = readHeader(rest)
      if (start === undefined) continue
      const channelMask = start.channelMask ?? codecChannelMask(start.channels)
      output = { file: createSamplesFile(samplesFile, { ...start, channelMask }), channels: start.channels }
      rest = rest.subarray(start.dataOffset)
    }
    if (output.file.isFull()) {
      child.kill('SIGKILL')
      return output.file.finish()
    }
    const frames = Math.floor(rest.length / (4 * output.channels))
    await output.file.write(readFrames(rest, frames, output.channels))
    rest = rest.subarray(frames * 4 * output.channels)
  }
  const [, signal] = await exited
  if (signal !== null) return 'failed'
  // A truncated or damaged file is converted up to the damage.
  return output === undefined ? 'undecodable' : output.file.finish()
}

/** Reads interleaved floats into one array for each channel. */
function readFrames(bytes: Buffer, frames: number, channels: number): readonly Float32Array<ArrayBuffer>[] {
  // The bytes are copied, because a `Float32Array` must start at a multiple of 4 bytes, and the copy does.
  const interleaved = new Float32Array(Uint8Array.from(bytes.subarray(0, frames * channels * 4)).buffer)
  return Array.from({ length: channels }, (_, channel) => {
    const samples = new Float32Array(frames)
    for (let frame = 0, at = channel; frame < frames; frame++, at += channels) samples[frame] = interleaved[at] as number
    return samples
  })
}

const WAVE_FORMAT_EXTENSIBLE = 0xfffe

/** Returns the format of a WAV file and the byte offset of its samples; `undefined` if `head` is too short to contain both. */
function readHeader(head: Buffer): (DecodedFormat & { dataOffset: number }) | undefined {
  let format: DecodedFormat | undefined
  for (let at = 12; at + 8 <= head.length; ) {
    const id = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    const start = at + 8
    if (id === 'data') return format && { ...format, dataOffset: start }
    if (id === 'fmt ') {
      if (start + size > head.length) return undefined
      const hasMask = head.readUInt16LE(start) === WAVE_FORMAT_EXTENSIBLE && size >= 24
      format = {
        channels: head.readUInt16LE(start + 2),
        sampleRate: head.readUInt32LE(start + 4),
        channelMask: hasMask ? head.readUInt32LE(start + 20) || undefined : undefined,
      }
    }
    at = start + size + (size % 2)
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
  const child = spawnFfmpeg(ffmpeg, [
    ...['-protocol_whitelist', 'file,pipe', '-f', 'f32le', '-ar', String(sampleRate), '-ac', String(channels), '-i', 'pipe:0'],
    ...['-threads', '1', '-c:a', 'libmp3lame', '-b:a', `${kbps}k`, '-f', 'mp3', '-y', `file:${outputFile}`],
  ])
  const { stdin } = child
  if (stdin === null) throw new Error('the input of ffmpeg is not a pipe')
  let hasFailed = false
  // If the process ends early, writing to its pipe fails; `finish` reports the exit code.
  stdin.on('error', () => {
    hasFailed = true
  })
  const exited = once(child, 'exit')
  return {
    async write(samples: Float32Array): Promise<void> {
      if (hasFailed) throw new Error('ffmpeg has ended')
      if (!stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)))
        await Promise.race([once(stdin, 'drain'), exited])
    },
    async finish(): Promise<boolean> {
      stdin.end()
      const [code] = await exited
      return code === 0 && !hasFailed
    },
  }
}
