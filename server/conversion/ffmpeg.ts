import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, openSync, writeSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { SONG_MINUTES_MAX } from '../../contract/conversion-rules.ts'
import { createSpaceCheck } from '../disk-space.ts'
import { type ConversionJob, type FailureCode, SAMPLES_MAX_BYTES } from './job.ts'
import { PROCESSOR_SECONDS, spawnIdle } from './process.ts'

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

/** A decoded song: interleaved 32-bit floats in a file. */
export interface DecodedSound {
  /** The file descriptor of the open file. */
  file: number
  sampleRate: number
  channels: 1 | 2
  frames: number
}

/** The limit of an ffmpeg process's virtual memory in KiB. */
const MEMORY_KIB = 1_500_000
/** The accepted sampling rates. A hostile file can declare a rate for which ffmpeg's filters would run endlessly. */
const SAMPLE_RATE_MIN = 1000
const SAMPLE_RATE_MAX = 768_000
/** Starts ffmpeg with limits of its memory and processor time. */
const spawnLimited = (ffmpeg: string, args: readonly string[]): ChildProcess =>
  spawnIdle(ffmpeg, ['-nostdin', '-v', 'error', ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    limits: { memoryKib: MEMORY_KIB, processorSeconds: PROCESSOR_SECONDS },
  })

/** The sampling rate and the number of channels of raw samples, which have no header. */
const RAW_FORMAT = ['-ar', '44100', '-ac', '2']

/** Decodes the upload into `samplesFile`. Resolves with the decoded sound, or with the code of the failure. */
export async function decode({ ffmpeg, inputFile, samplesFile, demuxer }: ConversionJob): Promise<DecodedSound | FailureCode> {
  const decodeAs = (channelOptions: readonly string[]) =>
    spawnLimited(ffmpeg, [
      // The format is detected from the bytes of the upload, so that no file can select another format. Protocols are restricted to files
      // and pipes, so that no format can open a network connection.
      ...['-protocol_whitelist', 'file,pipe', '-f', demuxer, ...(demuxer === 's16le' ? RAW_FORMAT : [])],
      ...['-i', `file:${inputFile}`, '-map', '0:a:0', '-map_metadata', '-1', '-threads', '1'],
      // Decodes one second more than the maximum length, so that a song that is too long can be detected.
      ...['-t', String(SONG_MINUTES_MAX * 60 + 1), ...channelOptions],
      ...['-f', 'wav', '-c:a', 'pcm_f32le', 'pipe:1'],
    ])
  const decoded = await readWav(decodeAs([]), samplesFile)
  if (decoded === 'many-channels') return toSound(await readWav(decodeAs(['-ac', '2']), samplesFile))
  return toSound(decoded)
}

function toSound(decoded: DecodedSound | FailureCode | 'many-channels'): DecodedSound | FailureCode {
  if (decoded === 'many-channels') return 'undecodable'
  if (typeof decoded === 'string') return decoded
  if (decoded.sampleRate < SAMPLE_RATE_MIN || decoded.sampleRate > SAMPLE_RATE_MAX) return 'undecodable'
  if (decoded.frames === 0) return 'empty'
  return decoded.frames > SONG_MINUTES_MAX * 60 * decoded.sampleRate ? 'too-long' : decoded
}

/**
 * Reads a WAV file of 32-bit floats from the output of a process, and writes its samples to `samplesFile`. The chunks before the samples must fit
 * into the first bytes that the process writes.
 */
async function readWav(child: ChildProcess, samplesFile: string): Promise<DecodedSound | FailureCode | 'many-channels'> {
  if (child.stdout === null) throw new Error('the output of ffmpeg is not a pipe')
  const file = openSync(samplesFile, 'w+', 0o600)
  let head = Buffer.alloc(0)
  let format: { sampleRate: number; channels: number } | undefined
  let sampleBytes = 0
  const requireSpace = createSpaceCheck(dirname(samplesFile))
  const exited = once(child, 'exit')
  for await (const data of child.stdout) {
    const chunk: Buffer = data
    if (format !== undefined) {
      writeSync(file, chunk)
      sampleBytes += chunk.length
    } else {
      head = Buffer.concat([head, chunk])
      const start = readHeader(head)
      if (start === undefined) continue
      format = start
      if (start.channels > 2) {
        child.kill('SIGKILL')
        return 'many-channels'
      }
      writeSync(file, head.subarray(start.dataOffset))
      sampleBytes += head.length - start.dataOffset
    }
    if (sampleBytes > SAMPLES_MAX_BYTES) {
      child.kill('SIGKILL')
      return 'too-large'
    }
    await requireSpace(chunk.length)
  }
  const [, signal] = await exited
  if (signal !== null) return 'failed'
  // A truncated or damaged file is converted up to the damage.
  if (format === undefined) return 'undecodable'
  const { sampleRate, channels } = format
  return { file, sampleRate, channels: channels === 1 ? 1 : 2, frames: Math.floor(sampleBytes / (4 * channels)) }
}

/** Returns the format of a WAV file and the byte offset of its samples; `undefined` if `head` is too short to contain both. */
function readHeader(head: Buffer): { sampleRate: number; channels: number; dataOffset: number } | undefined {
  let format: { sampleRate: number; channels: number } | undefined
  for (let at = 12; at + 8 <= head.length; ) {
    const id = head.toString('latin1', at, at + 4)
    const size = head.readUInt32LE(at + 4)
    if (id === 'data') return format && { ...format, dataOffset: at + 8 }
    if (id === 'fmt ') {
      if (at + 24 > head.length) return undefined
      format = { channels: head.readUInt16LE(at + 10), sampleRate: head.readUInt32LE(at + 12) }
    }
    at += 8 + size + (size % 2)
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
  const child = spawnLimited(ffmpeg, [
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
