import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { checkMp4 } from '../client/engine/testing/mp4-structure.ts'
import { joinBytes } from '../dsp/byte-source.ts'
import { hashIndex } from '../dsp/hash.ts'
import { wavHeader } from '../dsp/wav.ts'
import { aptInstall, isOnPath } from '../scripts/install.mjs'
import { expectNoViolation } from './axe.ts'
import { brands, expect, test } from './fixtures.ts'
import { type AudioInputFile, createToneFile, downloadWav, loadAudioFile, makerButton, openMaker, setSlider } from './maker-steps.ts'

let folder = ''
test.beforeAll(() => {
  if (!isOnPath('ffmpeg')) aptInstall('ffmpeg')
  if (!isOnPath('gst-launch-1.0'))
    aptInstall('gstreamer1.0-tools', 'gstreamer1.0-plugins-good', 'gstreamer1.0-plugins-bad', 'gstreamer1.0-libav')
  folder = mkdtempSync(join(tmpdir(), 'varispeed-video-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const videoDialog = (page: Page) => page.getByRole('dialog', { name: 'Download as video' })

/** Opens the dialog with a song that plays at its own speed. */
async function openVideoDialog(page: Page, song: AudioInputFile): Promise<Locator> {
  await loadAudioFile(page, song)
  await setSlider(page, 'Speed', 1)
  await makerButton(page, 'Download as video').click()
  await expect(videoDialog(page).getByRole('button', { name: 'Make the video' })).toBeEnabled({ timeout: 60_000 })
  return videoDialog(page)
}

/** Makes the video, and returns its path and its bytes. */
async function makeVideo(page: Page, name: string): Promise<{ path: string; bytes: Buffer }> {
  const downloadPromise = page.waitForEvent('download', { timeout: 600_000 })
  await videoDialog(page).getByRole('button', { name: 'Make the video' }).click()
  const download = await downloadPromise
  const path = join(folder, name)
  await download.saveAs(path)
  return { path, bytes: readFileSync(path) }
}

/** Reads the names of the streams of a video, with their sizes. */
const readStreams = (path: string): string =>
  execFileSync('ffprobe', [
    '-v',
    'error',
    '-show_entries',
    'stream=codec_name,width,height,r_frame_rate',
    '-of',
    'csv=p=0',
    path,
  ]).toString()

/** Four minutes of tones and noise in two channels at 48 kHz, so that the maker exports the samples that the video has. */
function createLongSong(): AudioInputFile {
  const frames = 240 * 48_000
  const samples = new Int16Array(2 * frames)
  for (let frame = 0; frame < frames; frame++) {
    const beat = Math.exp(-(frame % 22_000) / 6000)
    for (const channel of [0, 1]) {
      const noise = hashIndex(2 * frame + channel) / 2 ** 31
      samples[2 * frame + channel] =
        12_000 * beat * Math.sin(frame * (0.02 + 0.01 * channel)) + 6000 * Math.sin(frame * 0.0313 + channel) + 1500 * noise * beat
    }
  }
  const header = wavHeader({ format: 'int16', channels: 2, sampleRate: 48_000, frames })
  return { name: 'long.wav', mimeType: 'audio/wav', buffer: Buffer.from(joinBytes([header, new Uint8Array(samples.buffer)])) }
}

/** Decodes the left channel of a video with ffmpeg or GStreamer. */
function decodeSound(decoder: 'ffmpeg' | 'gstreamer', path: string): Float32Array {
  const output = `${path}.${decoder}`
  if (decoder === 'ffmpeg')
    execFileSync('ffmpeg', ['-v', 'error', '-xerror', '-y', '-i', path, '-af', 'pan=mono|c0=c0', '-f', 'f32le', output])
  else
    execFileSync('gst-launch-1.0', [
      ...[
        '-q',
        'filesrc',
        `location=${path}`,
        '!',
        'qtdemux',
        'name=file',
        'file.audio_0',
        '!',
        'queue',
        '!',
        'decodebin',
        '!',
        'audioconvert',
      ],
      ...[
        '!',
        'audio/x-raw,format=F32LE,layout=interleaved',
        '!',
        'deinterleave',
        'name=split',
        'split.src_0',
        '!',
        'filesink',
        `location=${output}`,
      ],
    ])
  const { buffer, byteOffset, byteLength } = readFileSync(output)
  return new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength))
}

/**
 * The power of the difference of a decoded sound from the exported one in dB, at the delay at which it is lowest. Frames before `fromFrame`
 * are not compared.
 */
function compareSounds(exported: Float32Array, decoded: Float32Array, fromFrame: number): { delay: number; residualDb: number } {
  const frames = 20_000
  const errorAt = (delay: number) => {
    let error = 0
    let power = 0
    for (let frame = fromFrame; frame < fromFrame + frames; frame++) {
      error += ((decoded[frame + delay] ?? 0) - (exported[frame] ?? 0)) ** 2
      power += (exported[frame] ?? 0) ** 2
    }
    return 10 * Math.log10(error / power)
  }
  const delays = Array.from({ length: 2400 }, (_, delay) => ({ delay, residualDb: errorAt(delay) }))
  return delays.reduce((best, each) => (each.residualDb < best.residualDb ? each : best))
}

test('maker: in a video of four minutes, the sound is that of the exported file from its beginning to its end', async ({ page, site }) => {
  test.setTimeout(1_200_000)
  await openMaker(page, site)
  const dialog = await openVideoDialog(page, createLongSong())
  await expect(dialog.getByRole('img', { name: 'Preview of the video' })).toBeVisible()
  const { path, bytes } = await makeVideo(page, 'long.mp4')
  expect(checkMp4(bytes, { frameRate: 30, gopFrames: 15, durationS: 240 })).toMatchObject({ faults: [], pictures: 7201 })
  await page.keyboard.press('Escape')
  const { channels } = await downloadWav(page)
  const exported = channels[0] ?? new Float32Array()
  for (const decoder of ['ffmpeg', 'gstreamer'] as const)
    await test.step(decoder, async () => {
      const decoded = decodeSound(decoder, path)
      for (const seconds of [1, 120, 239]) {
        const { delay, residualDb } = compareSounds(exported, decoded, seconds * 48_000)
        process.stdout.write(`${decoder}, ${seconds} s: delay ${delay} samples, residual ${residualDb.toFixed(1)} dB\n`)
        // Decoders may remove the first packet, which is the encoder's delay.
        expect([0, 1024]).toContain(delay)
        expect(residualDb).toBeLessThan(-25)
      }
    })
})

for (const brand of brands)
  test(`maker, ${brand.name}: a video is made by keyboard at 390 px, and axe finds no violation in any state of the dialog`, async ({
    page,
    site,
  }) => {
    test.setTimeout(600_000)
    await page.setViewportSize({ width: 390, height: 844 })
    await openMaker(page, site, { origin: site.origin(brand.subdomain), isNew: true })
    await loadAudioFile(page, createToneFile('keys.wav'))
    await makerButton(page, 'Download as video').focus()
    await page.keyboard.press('Enter')
    const dialog = videoDialog(page)
    await expect(dialog.getByRole('button', { name: 'Make the video' })).toBeEnabled({ timeout: 60_000 })
    await expectNoViolation(page, 'the dialog')
    await tabTo(page, dialog.getByLabel('Size'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(dialog.getByLabel('Size')).toHaveValue('1080x1080')
    await tabTo(page, dialog.getByRole('button', { name: 'Make the video' }))
    const downloadPromise = page.waitForEvent('download', { timeout: 200_000 })
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoViolation(page, 'the dialog while a video is made')
    await downloadPromise
    await expect(dialog.getByRole('heading', { name: 'For the upload' })).toBeFocused()
    await expectNoViolation(page, 'the dialog after a video was made')
    await page.keyboard.press('Tab')
    await page.keyboard.type('https://example.org/song')
    await expect(dialog.getByLabel('Description')).toHaveValue(/https:\/\/example\.org\/song/)
    await tabTo(page, dialog.getByRole('button', { name: 'Save the thumbnail' }))
    const thumbnailPromise = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    const thumbnail = await thumbnailPromise
    await thumbnail.saveAs(join(folder, 'thumbnail.jpg'))
    expect(readStreams(join(folder, 'thumbnail.jpg'))).toContain('1280,720')
    await page.keyboard.press('Escape')
    await expect(makerButton(page, 'Download as video')).toBeFocused()
  })

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  for (let press = 0; press < 40; press++) {
    if (await element.evaluate((each) => each === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  await expect(element).toBeFocused()
}

test('maker: a sound and a video are made of each of many songs, at 390 px', async ({ page, site }) => {
  test.setTimeout(600_000)
  await page.setViewportSize({ width: 390, height: 844 })
  await openMaker(page, site)
  await setSlider(page, 'Speed', 1.25)
  await makerButton(page, 'Many songs').click()
  const dialog = page.getByRole('dialog', { name: 'Many songs' })
  await dialog.getByLabel('Add songs: files').setInputFiles([createToneFile('song 1.wav'), createToneFile('song 2.wav')])
  await dialog.getByLabel('Make').selectOption('both')
  await dialog.getByLabel('Size').selectOption('1080x1080')
  await dialog.getByLabel('Picture file').setInputFiles({ name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('only words') })
  await expect(dialog.getByText('This browser cannot show that file.', { exact: false })).toBeVisible()
  const startButton = dialog.getByRole('button', { name: 'Start, as one ZIP file' })
  await expect(startButton).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cover of each song' }).click()
  await expect(startButton).toBeEnabled()
  await expectNoViolation(page, 'the dialog for many songs, with videos')
  await startButton.click()
  await expect(dialog.getByText('2 of 2 songs done')).toBeVisible({ timeout: 300_000 })
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save the ZIP file' }).click()])
  const readNames =
    'import sys, zipfile; zip = zipfile.ZipFile(sys.argv[1]); assert zip.testzip() is None; print("\\n".join(zip.namelist()))'
  const names = execFileSync('python3', ['-c', readNames, await download.path()]).toString()
  expect(names.trim().split('\n')).toEqual([
    'song 1 (Nightcore 1.25).wav',
    'song 1 (Nightcore 1.25).mp4',
    'song 2 (Nightcore 1.25).wav',
    'song 2 (Nightcore 1.25).mp4',
  ])
})
