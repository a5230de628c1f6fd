import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

import { installPackages, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { downloadExport, downloadWav, loadAudioFile, locateMakerButton, locateMakerSlider, openMaker, setSlider } from './maker-steps.ts'

// These tests export real music, and read the files with independent programs.

/** The tested songs are music of games, Ogg Vorbis files in Debian's packages. */
const trackPaths = ['/usr/share/scummvm/drascula/audio/track2.ogg', '/usr/share/hyperrogue/music/hr3-caves.ogg']

let outputFolder = ''
const audioFiles: { name: string; mimeType: string; buffer: Buffer }[] = []

test.beforeAll(() => {
  if (!isOnPath('sox') || !isOnPath('ffmpeg')) installPackages('sox', 'ffmpeg')
  installPackages('drascula-music', 'hyperrogue-music')
  outputFolder = mkdtempSync(join(tmpdir(), 'varispeed-music-'))
  for (const trackPath of trackPaths) {
    audioFiles.push({ name: basename(trackPath), mimeType: 'audio/ogg', buffer: readFileSync(trackPath) })
    const flacPath = join(outputFolder, basename(trackPath).replace('.ogg', '.flac'))
    execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', trackPath, '-t', '60', flacPath])
    audioFiles.push({ name: basename(flacPath), mimeType: 'audio/flac', buffer: readFileSync(flacPath) })
  }
})
test.afterAll(() => rmSync(outputFolder, { recursive: true, force: true }))

/** Matches ffmpeg's warning about WAV files without a channel mask. WAV files that ffmpeg writes have none, either. */
const CHANNEL_MASK_WARNING = /^Guessed Channel Layout for Input Stream #0\.0 : (?:mono|stereo)\n/gm

/** Matches sox's warning about float samples beyond full scale, which sox clips when it converts them to integers. */
const FLOAT_CLIPPING_WARNING = /^sox WARN sox: `.*' input clipped \d+ samples\n/gm

/** Returns the warnings of a program that decodes the whole file; empty if there are none. */
function readWarnings(filePath: string): string {
  const decoderResults = [
    spawnSync('sox', ['-V2', filePath, '-n'], { encoding: 'utf8' }),
    spawnSync('ffmpeg', ['-v', 'warning', '-i', filePath, '-f', 'null', '-'], { encoding: 'utf8' }),
    spawnSync('ffprobe', ['-v', 'warning', filePath], { encoding: 'utf8' }),
  ]
  return decoderResults
    .map(({ status, stderr }) => (status === 0 ? stderr : `failed: ${stderr}`))
    .join('')
    .replace(CHANNEL_MASK_WARNING, '')
}

test('maker: exports of real music are read by ffmpeg and sox without a warning', async ({ page, site }) => {
  test.setTimeout(600_000)
  await openMaker(page, site)
  for (const audioFile of audioFiles) {
    await test.step(audioFile.name, async () => {
      await loadAudioFile(page, audioFile)
      await locateMakerButton(page, 'Pause').click()
      for (const [speed, pitch, reverbSize] of [
        [1.25, 0, 0],
        [0.8, -2, 40],
      ] as const) {
        await setSlider(page, 'Speed', speed)
        await setSlider(page, 'Pitch', pitch)
        await setSlider(page, 'Reverb amount', reverbSize)
        for (const formatName of ['WAV, 16-bit', 'WAV, 24-bit', 'WAV, 32-bit float', 'FLAC, 16-bit', 'FLAC, 24-bit', 'MP3, 320 kbps']) {
          const { name, bytes } = await downloadExport(page, formatName)
          const filePath = join(outputFolder, name)
          writeFileSync(filePath, bytes)
          // MP3 and FLAC files are read by ffmpeg, because Debian's sox needs an additional package for MP3.
          const warningCount = /\.(?:mp3|flac)$/.test(name)
            ? spawnSync('ffmpeg', ['-v', 'warning', '-i', filePath, '-f', 'null', '-'], { encoding: 'utf8' }).stderr
            : readWarnings(filePath)
          const isFloat = formatName.includes('float')
          expect(isFloat ? warningCount.replace(FLOAT_CLIPPING_WARNING, '') : warningCount, `${name}, ${formatName}`).toBe('')
        }
      }
    })
  }
})

/** The recorder runs on the audio thread, so that a busy page loses no sample. */
const RECORDER_PROGRAM = `registerProcessor('recorder', class extends AudioWorkletProcessor {
  process([[left = new Float32Array(128)]]) {
    this.port.postMessage(left.slice())
    return true
  }
})`

test.describe(() => {
  // Bypasses the content security policy, because it refuses the recorder's module, which has a data URL.
  test.use({ bypassCSP: true })
  test('maker: playback and export have the same samples before dither', async ({ page, site }) => {
    test.setTimeout(300_000)
    await page.addInitScript(recordPlayback, RECORDER_PROGRAM)
    await openMaker(page, site)
    const [firstFile] = audioFiles
    if (!firstFile) throw new Error('there is no music')
    await loadAudioFile(page, firstFile)
    await locateMakerButton(page, 'Pause').click()
    await setSlider(page, 'Speed', 0.85)
    await setSlider(page, 'Bass', 3)
    await setSlider(page, 'Reverb amount', 15)
    await locateMakerSlider(page, 'Position').focus()
    await page.keyboard.press('Home')
    await page.waitForTimeout(1_000)
    const startFrame = await page.evaluate(() => Number(Reflect.get(globalThis, 'heardFrames')))
    await locateMakerButton(page, 'Play').click()
    await page.waitForTimeout(6_000)
    await locateMakerButton(page, 'Pause').click()
    const monitoredSamples = new Float32Array(
      Uint8Array.from(
        Buffer.from(
          await page.evaluate((start) => (Reflect.get(globalThis, 'heardAsText') as (start: number) => string)(start), startFrame),
          'base64',
        ),
      ).buffer,
    )
    const { channels } = await downloadWav(page, 'WAV, 32-bit float')
    const leftSamples = channels[0] ?? new Float32Array()

    // Compares excerpts of 0.2 s, each at the offset at which it fits best.
    const foundOffsets = Array.from({ length: 12 }, (_, index) => {
      const start = Math.round(monitoredSamples.length * (0.3 + index * 0.04))
      return findBestFit(monitoredSamples.subarray(start, start + 8820), leftSamples)
    }).filter(({ restDb }) => restDb < -100)
    process.stdout.write(
      `heard and exported differ by ${foundOffsets.map(({ restDb }) => restDb.toFixed(0)).join(', ')} dB of full scale\n`,
    )
    expect(foundOffsets.length).toBeGreaterThanOrEqual(6)
    // Expects that the offsets of the excerpts are increasing.
    expect(foundOffsets.map(({ startFrame }) => startFrame)).toEqual(foundOffsets.map(({ startFrame }) => startFrame).sort((a, b) => a - b))
  })
})

function findBestFit(excerptSamples: Float32Array, exportedSamples: Float32Array): { restDb: number; startFrame: number } {
  let bestExcerpt = { restDb: 0, startFrame: -1 }
  for (let startFrame = 0; startFrame + excerptSamples.length <= Math.min(exportedSamples.length, 12 * 44_100); startFrame++) {
    let residualEnergy = 0
    for (let index = 0; index < excerptSamples.length && residualEnergy < 1e-3; index++)
      residualEnergy += ((exportedSamples[startFrame + index] ?? 0) - (excerptSamples[index] ?? 0)) ** 2
    const restDb = 10 * Math.log10(Math.max(1e-30, residualEnergy / excerptSamples.length))
    if (residualEnergy < 1e-3 && restDb < bestExcerpt.restDb) bestExcerpt = { restDb, startFrame }
  }
  return bestExcerpt
}

test('maker: a hundred exports leak no workers, audio contexts, object URLs or memory', async ({ page, site, context }) => {
  test.setTimeout(600_000)
  await page.addInitScript(() => {
    const resourceCounts = { workers: 0, contexts: 0, urls: 0 }
    Reflect.set(globalThis, 'counts', resourceCounts)
    const { terminate } = Worker.prototype
    globalThis.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args)
        resourceCounts.workers++
      }
    }
    Worker.prototype.terminate = function () {
      resourceCounts.workers--
      terminate.call(this)
    }
    globalThis.AudioContext = class extends AudioContext {
      constructor(options?: AudioContextOptions) {
        super(options)
        resourceCounts.contexts++
      }
    }
    const { createObjectURL, revokeObjectURL } = URL
    URL.createObjectURL = (urlObject) => {
      resourceCounts.urls++
      return createObjectURL(urlObject)
    }
    URL.revokeObjectURL = (url) => {
      resourceCounts.urls--
      revokeObjectURL(url)
    }
  })
  await openMaker(page, site)
  const [, flacFile] = audioFiles
  if (!flacFile) throw new Error('there is no music')
  await loadAudioFile(page, flacFile)
  await locateMakerButton(page, 'Pause').click()
  const session = await context.newCDPSession(page)
  const measurePlayback = async () => {
    // Waits before the measurement, because the object URLs of downloads are revoked some time later.
    await page.waitForTimeout(12_000)
    await session.send('HeapProfiler.collectGarbage')
    const { usedSize } = await session.send('Runtime.getHeapUsage')
    const { workers, contexts, urls } = await page.evaluate(
      () => Reflect.get(globalThis, 'counts') as { workers: number; contexts: number; urls: number },
    )
    return { heapMb: usedSize / 1e6, workers, contexts, urls }
  }
  for (let count = 0; count < 5; count++) await downloadExport(page)
  const playbackBefore = await measurePlayback()
  for (let count = 5; count < 100; count++) await downloadExport(page)
  const playbackAfter = await measurePlayback()
  process.stdout.write(`after 5 exports ${JSON.stringify(playbackBefore)}, after 100 ${JSON.stringify(playbackAfter)}\n`)
  expect(playbackAfter).toMatchObject({ workers: playbackBefore.workers, contexts: playbackBefore.contexts, urls: playbackBefore.urls })
  expect(playbackAfter.heapMb).toBeLessThan(playbackBefore.heapMb + 2)
})

/** Runs in the page: records the left channel that reaches the audio context's destination. */
function recordPlayback(recorderSource: string) {
  const recordedBlocks: Float32Array[] = []
  const connectNode = AudioNode.prototype.connect as (this: AudioNode, ...args: unknown[]) => unknown
  const recorderByContext = new WeakMap<BaseAudioContext, Promise<AudioWorkletNode>>()
  async function openRecorder(context: AudioContext) {
    await context.audioWorklet.addModule(`data:text/javascript,${encodeURIComponent(recorderSource)}`)
    const recorderNode = new AudioWorkletNode(context, 'recorder')
    recorderNode.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      recordedBlocks.push(data)
      Reflect.set(globalThis, 'heardFrames', Number(Reflect.get(globalThis, 'heardFrames')) + data.length)
    }
    connectNode.call(recorderNode, context.destination)
    return recorderNode
  }
  AudioNode.prototype.connect = function (this: AudioNode, ...args: unknown[]) {
    const [destinationNode] = args
    if (destinationNode === this.context.destination && this.context instanceof AudioContext) {
      const recorder = recorderByContext.get(this.context) ?? openRecorder(this.context)
      recorderByContext.set(this.context, recorder)
      void recorder.then((node) => connectNode.call(this, node))
    }
    return connectNode.apply(this, args)
  } as typeof AudioNode.prototype.connect
  Reflect.set(globalThis, 'heardFrames', 0)
  Reflect.set(globalThis, 'heardAsText', (startFrame: number) => {
    const allSamples = new Float32Array(recordedBlocks.reduce((sum, part) => sum + part.length, 0))
    let frameOffset = 0
    for (const part of recordedBlocks) {
      allSamples.set(part, frameOffset)
      frameOffset += part.length
    }
    const sampleBytes = new Uint8Array(allSamples.slice(startFrame).buffer)
    let binaryText = ''
    for (let index = 0; index < sampleBytes.length; index += 0x8000)
      binaryText += String.fromCharCode(...sampleBytes.subarray(index, index + 0x8000))
    return btoa(binaryText)
  })
}
