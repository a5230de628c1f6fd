import { once } from 'node:events'
import { spawnLimited } from './decode.ts'
import type { ConversionJob } from './job.ts'

interface Mp3Settings {
  sampleRate: number
  channels: number
  kbps: number
}

/** Starts to encode an MP3 file. `write` takes interleaved samples; `finish` resolves with whether the file was written. */
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
  // A process that ends early closes the pipe; its exit code says so.
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
