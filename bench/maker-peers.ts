import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { readWav } from '../dsp/read-wav.ts'
import { computePlannedOutputFrames, planRender } from '../dsp/render-plan.ts'
import { createRenderer } from '../dsp/renderer.ts'
import { readKernelModule } from '../dsp/testing/kernels.ts'
import { createWasmKernel } from '../dsp/wasm/kernel.ts'
import { encodeWavHeader } from '../dsp/wav.ts'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'

/** A resampler: changes the rate of one channel in single precision. */
export interface PeerResampler {
  readonly resamplerName: string
  changeRate(samples: Float32Array<ArrayBuffer>, rate: number): Promise<Float32Array>
}

export const SAMPLE_RATE = 44_100

const productResampler: PeerResampler = {
  resamplerName: 'Varispeed',
  async changeRate(samples, playbackRate) {
    const renderPlan = planRender({ sampleRate: SAMPLE_RATE, rate: playbackRate })
    const output = new Float32Array(computePlannedOutputFrames(renderPlan, samples.length))
    createRenderer(createWasmKernel(readKernelModule())).render(renderPlan, { channels: [samples], startFrame: 0 }, 0, output)
    return output
  },
}

/** Creates a resampler from a program that reads and writes 32-bit float WAV files. */
const createProgramPeer = (
  peerName: string,
  createCommand: (input: string, output: string, rate: number) => readonly string[],
): PeerResampler => ({
  resamplerName: peerName,
  async changeRate(samples, playbackRate) {
    const peerFolder = await mkdtemp(join(tmpdir(), 'varispeed-peer-'))
    try {
      const [inputPath, outputPath] = [join(peerFolder, 'in.wav'), join(peerFolder, 'out.wav')]
      const header = encodeWavHeader({ format: 'float32', channels: 1, sampleRate: SAMPLE_RATE, frames: samples.length })
      await writeFile(inputPath, Buffer.concat([header, new Uint8Array(samples.buffer)]))
      const [program = '', ...args] = createCommand(inputPath, outputPath, playbackRate)
      execFileSync(program, args, { stdio: 'ignore' })
      return (await readWav(await readFile(outputPath))).channels[0] ?? new Float32Array()
    } finally {
      await rm(peerFolder, { recursive: true, force: true })
    }
  },
})

const createFfmpegPeer = (resamplerName: string): PeerResampler =>
  createProgramPeer(`ffmpeg, ${resamplerName}`, (inputPath, outputPath, playbackRate) => [
    ...[
      'ffmpeg',
      '-y',
      '-i',
      inputPath,
      '-af',
      `asetrate=${SAMPLE_RATE * playbackRate},aresample=${SAMPLE_RATE}:resampler=${resamplerName}`,
    ],
    ...['-c:a', 'pcm_f32le', outputPath],
  ])

/** The browser's own resampler, used for an `AudioBufferSourceNode` with a playback rate. */
const browserResampler: PeerResampler = {
  resamplerName: 'Chromium, playbackRate',
  async changeRate(samples, playbackRate) {
    const launchedBrowser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
    try {
      const page = await launchedBrowser.newPage()
      const renderedBase64 = await page.evaluate(
        async ({ text, rate, sampleRate }) => {
          const inputSamples = new Float32Array(Uint8Array.from(atob(text), (each) => each.charCodeAt(0)).buffer)
          const context = new OfflineAudioContext(1, Math.round(inputSamples.length / rate), sampleRate)
          const buffer = context.createBuffer(1, inputSamples.length, sampleRate)
          buffer.copyToChannel(inputSamples, 0)
          const sourceNode = context.createBufferSource()
          sourceNode.buffer = buffer
          sourceNode.playbackRate.value = rate
          sourceNode.connect(context.destination)
          sourceNode.start()
          const renderedBytes = new Uint8Array((await context.startRendering()).getChannelData(0).buffer)
          let binaryString = ''
          for (let start = 0; start < renderedBytes.length; start += 0x8000)
            binaryString += String.fromCharCode(...renderedBytes.subarray(start, start + 0x8000))
          return btoa(binaryString)
        },
        { text: Buffer.from(samples.buffer).toString('base64'), rate: playbackRate, sampleRate: SAMPLE_RATE },
      )
      return new Float32Array(Uint8Array.from(Buffer.from(renderedBase64, 'base64')).buffer)
    } finally {
      await launchedBrowser.close()
    }
  },
}

/** Lists the resamplers, the product's own first. Missing programs are installed if possible, and left out otherwise. */
export function listPeers(): PeerResampler[] {
  const missingPrograms = ['sox', 'ffmpeg'].filter((each) => !isOnPath(each))
  if (missingPrograms.length > 0) installPackages(...missingPrograms)
  return [
    productResampler,
    ...(isOnPath('sox')
      ? [createProgramPeer('sox speed', (input, output, rate) => ['sox', input, '-e', 'float', '-b', '32', output, 'speed', String(rate)])]
      : []),
    ...(isOnPath('ffmpeg') ? [createFfmpegPeer('soxr'), createFfmpegPeer('swr')] : []),
    browserResampler,
  ]
}
