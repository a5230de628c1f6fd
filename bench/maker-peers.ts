import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { readWav } from '../dsp/read-wav.ts'
import { plannedFrames, planRender } from '../dsp/render-plan.ts'
import { createRenderer } from '../dsp/renderer.ts'
import { kernelModule } from '../dsp/testing/kernels.ts'
import { createWasmKernel } from '../dsp/wasm/kernel.ts'
import { wavHeader } from '../dsp/wav.ts'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { aptInstall, onPath } from '../scripts/install.mjs'

/** One channel in, the same faster or slower out, in single precision. */
export interface Peer {
  readonly name: string
  change(samples: Float32Array<ArrayBuffer>, rate: number): Promise<Float32Array>
}

export const SAMPLE_RATE = 44_100

const own: Peer = {
  name: 'Varispeed',
  async change(samples, rate) {
    const plan = planRender({ sampleRate: SAMPLE_RATE, rate })
    const output = new Float32Array(plannedFrames(plan, samples.length))
    createRenderer(createWasmKernel(kernelModule())).render(plan, { channels: [samples], startFrame: 0 }, 0, output)
    return output
  },
}

/** A program that reads and writes WAV files of floats. */
const program = (name: string, command: (input: string, output: string, rate: number) => readonly string[]): Peer => ({
  name,
  async change(samples, rate) {
    const folder = await mkdtemp(join(tmpdir(), 'varispeed-peer-'))
    try {
      const [input, output] = [join(folder, 'in.wav'), join(folder, 'out.wav')]
      const header = wavHeader({ format: 'float32', channels: 1, sampleRate: SAMPLE_RATE, frames: samples.length })
      await writeFile(input, Buffer.concat([header, new Uint8Array(samples.buffer)]))
      const [file = '', ...args] = command(input, output, rate)
      execFileSync(file, args, { stdio: 'ignore' })
      return readWav(await readFile(output)).channels[0] ?? new Float32Array()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

const ffmpeg = (resampler: string): Peer =>
  program(`ffmpeg, ${resampler}`, (input, output, rate) => [
    ...['ffmpeg', '-y', '-i', input, '-af', `asetrate=${SAMPLE_RATE * rate},aresample=${SAMPLE_RATE}:resampler=${resampler}`],
    ...['-c:a', 'pcm_f32le', output],
  ])

/** What the browser itself does where a sound is played faster. */
const browser: Peer = {
  name: 'Chromium, playbackRate',
  async change(samples, rate) {
    const opened = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
    try {
      const page = await opened.newPage()
      const bytes = await page.evaluate(
        async ({ text, rate, sampleRate }) => {
          const given = new Float32Array(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer)
          const context = new OfflineAudioContext(1, Math.round(given.length / rate), sampleRate)
          const buffer = context.createBuffer(1, given.length, sampleRate)
          buffer.copyToChannel(given, 0)
          const node = context.createBufferSource()
          node.buffer = buffer
          node.playbackRate.value = rate
          node.connect(context.destination)
          node.start()
          const rendered = new Uint8Array((await context.startRendering()).getChannelData(0).buffer)
          let characters = ''
          for (let start = 0; start < rendered.length; start += 0x8000)
            characters += String.fromCharCode(...rendered.subarray(start, start + 0x8000))
          return btoa(characters)
        },
        { text: Buffer.from(samples.buffer).toString('base64'), rate, sampleRate: SAMPLE_RATE },
      )
      return new Float32Array(Uint8Array.from(Buffer.from(bytes, 'base64')).buffer)
    } finally {
      await opened.close()
    }
  },
}

/** Ours first. Programs that are missing are installed where that is possible, and left out where it is not. */
export function peers(): Peer[] {
  const missing = ['sox', 'ffmpeg'].filter((each) => !onPath(each))
  if (missing.length > 0) aptInstall(...missing)
  return [
    own,
    ...(onPath('sox')
      ? [program('sox speed', (input, output, rate) => ['sox', input, '-e', 'float', '-b', '32', output, 'speed', String(rate)])]
      : []),
    ...(onPath('ffmpeg') ? [ffmpeg('soxr'), ffmpeg('swr')] : []),
    browser,
  ]
}
