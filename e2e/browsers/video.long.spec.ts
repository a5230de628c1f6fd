import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { checkMp4 } from '../../client/engine/testing/mp4-structure.ts'
import { installPackages, isOnPath } from '../../scripts/install.mjs'
import { createToneFile } from '../maker-steps.ts'
import { startViolationReportingSite } from '../violation-reporting-site.ts'
import type { AutomatedPage, DownloadedFile } from './automated-page.ts'
import { openChromium } from './chromium-page.ts'
import { hasFirefox, openFirefox } from './firefox.ts'
import { logIn, withPage } from './journey.ts'
import { hasWebKit, openWebKit } from './webkit.ts'

const SONG_LENGTH_S = 4
/** The speed of the preset with which the videos are made. */
const PRESET_SPEED = 1.25

let workFolder = ''
test.beforeAll(async () => {
  if (!isOnPath('ffmpeg')) installPackages('ffmpeg')
  if (!isOnPath('gst-launch-1.0'))
    installPackages('gstreamer1.0-tools', 'gstreamer1.0-plugins-good', 'gstreamer1.0-plugins-bad', 'gstreamer1.0-libav')
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-videos-'))
  await writeFile(join(workFolder, 'city lights.wav'), createToneFile('city lights.wav', { seconds: SONG_LENGTH_S }).buffer)
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', 'color=red:size=640x360', '-frames:v', '1', join(workFolder, 'red.png')])
})
test.afterAll(() => rm(workFolder, { recursive: true, force: true }))

/** Makes a video of a song in the open maker. Returns `undefined` if the page says that the browser cannot make videos. */
async function makeVideo(page: AutomatedPage): Promise<DownloadedFile | undefined> {
  await page.chooseFile('Audio file', join(workFolder, 'city lights.wav'))
  await page.waitForText('is ready for editing.')
  await page.press({ role: 'button', name: 'Nightcore' })
  await page.press({ role: 'button', name: 'Download as video' })
  await page.waitFor({ role: 'button', name: 'Choose a picture' })
  const readFormatNote = () =>
    page.evaluate(
      async () =>
        /MP4 with H\.264|so the file is WebM|cannot make videos/.exec(document.querySelector('dialog[open]')?.textContent ?? '')?.[0] ?? '',
    )
  await expect.poll(readFormatNote, { timeout: 60_000 }).not.toBe('')
  if ((await readFormatNote()) === 'cannot make videos') {
    expect(await page.evaluate(async () => document.querySelector<HTMLButtonElement>('dialog[open] button[disabled]')?.textContent)).toBe(
      'Make the video',
    )
    return undefined
  }
  await page.chooseFile('Picture file', join(workFolder, 'red.png'))
  await page.waitFor({ role: 'button', name: 'Your picture' })
  return page.download({ role: 'button', name: 'Make the video' })
}

/** A page that plays a video. Its sound is decoded separately, because machines without a sound card play none. */
const PLAYER_PAGE = `<!doctype html><title>Player</title><video src="/video" playsinline width="320"></video><button>Play</button>
<script>
const video = document.querySelector('video')
const result = { peak: 0, width: 0, height: 0, isEnded: false, error: '' }
globalThis.playback = result
async function measureSound() {
  const bytes = await (await fetch('/video')).arrayBuffer()
  const sound = await new OfflineAudioContext(2, 1, 48000).decodeAudioData(bytes)
  result.peak = sound.getChannelData(0).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)
}
document.querySelector('button').onclick = async () => {
  video.onerror = () => { result.error = video.error.message }
  const ended = new Promise((resolve) => { video.onended = resolve })
  await Promise.all([measureSound(), video.play()]).catch((error) => { result.error = String(error) })
  await ended
  result.width = video.videoWidth
  result.height = video.videoHeight
  result.isEnded = true
}
</script>`

interface Playback {
  readonly peak: number
  readonly width: number
  readonly height: number
  readonly isEnded: boolean
  readonly error: string
}

/** Plays a video to its end. Returns the measurements, and the colour of a pixel of the last picture. */
async function playVideo(page: AutomatedPage, { name, bytes }: DownloadedFile): Promise<Playback & { colour: readonly number[] }> {
  const server = createServer(({ url }, response) => {
    if (url !== '/video') return response.setHeader('Content-Type', 'text/html').end(PLAYER_PAGE)
    return response.setHeader('Content-Type', name.endsWith('.webm') ? 'video/webm' : 'video/mp4').end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    await page.open(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await page.press({ role: 'button', name: 'Play' })
    const readPlayback = () => page.evaluate(async () => (globalThis as unknown as { playback: Playback }).playback)
    await expect
      .poll(async () => [(await readPlayback()).isEnded, (await readPlayback()).error], { timeout: 60_000 })
      .not.toEqual([false, ''])
    const pixel = ['-vf', 'crop=1:1:160:90', '-pix_fmt', 'rgb24', '-f', 'rawvideo', '-']
    const colour = [...execFileSync('ffmpeg', ['-v', 'error', '-i', '-', ...pixel], { input: await page.screenshot() })]
    return { ...(await readPlayback()), colour }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

/** The commands of programs that decode a video, and write its sound as samples of one channel at 48 kHz. */
const decoderCommands: Record<string, (path: string, samplesPath: string) => readonly [program: string, ...args: string[]]> = {
  ffmpeg: (filePath, samplesPath) => [
    'ffmpeg',
    '-v',
    'error',
    '-xerror',
    '-y',
    '-i',
    filePath,
    '-ac',
    '1',
    '-ar',
    '48000',
    '-f',
    'f32le',
    samplesPath,
  ],
  GStreamer: (filePath, samplesPath) => [
    'gst-launch-1.0',
    ...['-q', 'uridecodebin', `uri=file://${encodeURI(filePath)}`, 'name=file'],
    ...['file.', '!', 'queue', '!', 'audioconvert', '!', 'audioresample', '!', 'audio/x-raw,format=F32LE,channels=1,rate=48000'],
    ...['!', 'filesink', `location=${samplesPath}`, 'file.', '!', 'queue', '!', 'videoconvert', '!', 'fakesink'],
  ],
}

function readFloats(filePath: string): Float32Array {
  const { buffer, byteOffset, byteLength } = readFileSync(filePath)
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

const measurePeak = (samples: Float32Array) => samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0)

const testedBrowsers = [
  { name: 'Chromium', isInstalled: () => true, openPage: openChromium },
  { name: 'Firefox', isInstalled: hasFirefox, openPage: openFirefox },
  { name: 'WebKit', isInstalled: hasWebKit, openPage: openWebKit },
]

for (const { name, isInstalled, openPage } of testedBrowsers) {
  test(`${name}: the maker makes a video that browsers, ffmpeg and GStreamer play with picture and sound, or says before that it cannot`, async () => {
    test.skip(!isInstalled(), `${name} is not installed`)
    test.setTimeout(600_000)
    const site = await startViolationReportingSite({}, { isSecure: name === 'WebKit' })
    try {
      const videoFile = await withPage(openPage, async (page) => {
        await logIn(page, site)
        await page.open(`${site.origin()}/account/maker`)
        await page.waitFor({ role: 'button', name: 'Open a file' })
        // Earlier errors are not counted, because Firefox reports each load that is aborted when a page is left.
        const errorCount = (await page.readErrors()).length
        const made = await makeVideo(page)
        expect((await page.readErrors()).slice(errorCount)).toEqual([])
        return made
      })
      expect(site.violations).toEqual([])
      test
        .info()
        .annotations.push({ type: 'file', description: `${name}: ${videoFile?.name ?? 'no video'}, ${videoFile?.bytes.length} bytes` })
      if (videoFile === undefined) return
      if (videoFile.name.endsWith('.mp4'))
        expect(checkMp4(videoFile.bytes, { frameRate: 30, gopFrames: 15, durationS: SONG_LENGTH_S / PRESET_SPEED }).faults).toEqual([])
      const filePath = join(workFolder, `${name}${videoFile.name.slice(-5)}`)
      await writeFile(filePath, videoFile.bytes)
      for (const [decoderName, createCommand] of Object.entries(decoderCommands))
        await test.step(`${decoderName} decodes the video`, async () => {
          const [programPath, ...args] = createCommand(filePath, `${filePath}.${decoderName}`)
          execFileSync(programPath, args)
          const samples = readFloats(`${filePath}.${decoderName}`)
          expect(samples.length / 48_000).toBeCloseTo(SONG_LENGTH_S / PRESET_SPEED, 1)
          expect(measurePeak(samples)).toBeGreaterThan(0.4)
        })
      for (const playingBrowser of testedBrowsers.filter((each) => each.isInstalled()))
        await test.step(`${playingBrowser.name} plays the video`, async () => {
          const videoPlayback = await withPage(playingBrowser.openPage, (page) => playVideo(page, videoFile))
          expect(videoPlayback).toMatchObject({ isEnded: true, error: '', width: 1920, height: 1080 })
          expect(videoPlayback.peak).toBeGreaterThan(0.2)
          const [red = 0, green = 255] = videoPlayback.colour
          expect(red).toBeGreaterThan(200)
          expect(green).toBeLessThan(50)
        })
    } finally {
      await site.stop()
    }
  })
}
