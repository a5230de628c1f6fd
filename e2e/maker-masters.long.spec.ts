import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { installPackages, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { type AudioInputFile, downloadWav, loadAudioFile, openMaker } from './maker-steps.ts'

// These tests compare the maker's decoder with ffmpeg's, which neither limits the samples of MP3 files to full scale nor rounds those of
// FLAC files.

const LOUD_MASTER_PATH = '/usr/share/hyperrogue/music/hr3-hell.ogg'
const MAX_RESIDUAL_DB = -110
let workFolder = ''

test.beforeAll(() => {
  if (!isOnPath('ffmpeg')) installPackages('ffmpeg')
  installPackages('hyperrogue-music')
  workFolder = mkdtempSync(join(tmpdir(), 'varispeed-masters-'))
})
test.afterAll(() => rmSync(workFolder, { recursive: true, force: true }))

/** Runs ffmpeg, and returns the file that it writes. */
function convertMaster(ffmpegOptions: readonly string[], fileName: string): AudioInputFile {
  const path = join(workFolder, fileName)
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...ffmpegOptions, path])
  return { name: fileName, mimeType: '', buffer: readFileSync(path) }
}

/** Expects equal lengths. Returns the power of the difference, relative to full scale. */
function measureResidualDb(actualChannels: readonly Float32Array[], expectedChannels: readonly Float32Array[]): number {
  expect(actualChannels.map(({ length }) => length)).toEqual(expectedChannels.map(({ length }) => length))
  const channelPowers = expectedChannels.map(
    (samples, channel) =>
      samples.reduce((sum, sample, frame) => sum + (sample - (actualChannels[channel]?.[frame] ?? 9)) ** 2, 0) / samples.length,
  )
  return 10 * Math.log10(Math.max(...channelPowers))
}

const measurePeak = (channels: readonly Float32Array[]) =>
  channels.reduce((peak, samples) => samples.reduce((largest, sample) => Math.max(largest, Math.abs(sample)), peak), 0)

test('maker: MP3 files of loud masters are decoded as ffmpeg decodes them, without clipping', async ({ page, site }) => {
  test.setTimeout(600_000)
  const musicArguments = ['-ss', '20', '-t', '20', '-i', LOUD_MASTER_PATH, '-af', 'volume=12dB,aformat=sample_fmts=s16']
  const squareArguments = ['-f', 'lavfi', '-i', "aevalsrc='0.99*sgn(sin(2*PI*110*t))|0.99*sgn(sin(2*PI*147*t))':s=44100:d=5"]
  const masterFiles = [
    convertMaster([...musicArguments, '-b:a', '320k'], 'music-320.mp3'),
    convertMaster([...musicArguments, '-b:a', '128k'], 'music-128.mp3'),
    convertMaster([...musicArguments, '-q:a', '2'], 'music-vbr.mp3'),
    convertMaster([...musicArguments, '-b:a', '64k', '-ar', '22050', '-ac', '1'], 'music-mpeg2.mp3'),
    convertMaster([...squareArguments, '-b:a', '192k'], 'square.mp3'),
  ]
  await openMaker(page, site)
  for (const masterFile of masterFiles) {
    await test.step(masterFile.name, async () => {
      const filePath = join(workFolder, masterFile.name)
      const decodedPath = convertMaster(['-c:a', 'mp3float', '-i', filePath, '-c:a', 'pcm_f32le'], `${masterFile.name}.wav`)
      // Both files are exported with the same settings, because the maker has no export without resampling.
      await loadAudioFile(page, decodedPath)
      const expectedWav = await downloadWav(page, 'WAV, 32-bit float')
      await loadAudioFile(page, masterFile)
      const { channels } = await downloadWav(page, 'WAV, 32-bit float')
      const residualDb = measureResidualDb(channels, expectedWav.channels)
      process.stdout.write(`${masterFile.name}: peak ${measurePeak(channels).toFixed(2)}, residual ${residualDb.toFixed(0)} dB\n`)
      expect(measurePeak(expectedWav.channels)).toBeGreaterThan(1.02)
      expect(residualDb).toBeLessThan(MAX_RESIDUAL_DB)
    })
  }
})

test('maker: a FLAC and a WAV file of the same master are exported with the same samples', async ({ page, site }) => {
  test.setTimeout(600_000)
  await openMaker(page, site)
  for (const [bitDepth, codecName, formatName] of [
    [16, 'pcm_s16le', 's16'],
    [24, 'pcm_s24le', 's32'],
  ] as const) {
    await test.step(`the ${bitDepth}-bit FLAC and WAV files are exported with the same samples`, async () => {
      const masterName = `master-${bitDepth}`
      const wavFile = convertMaster(['-t', '20', '-i', LOUD_MASTER_PATH, '-c:a', codecName], `${masterName}.wav`)
      const flacMaster = convertMaster(['-i', join(workFolder, `${masterName}.wav`), '-sample_fmt', formatName], `${masterName}.flac`)
      await loadAudioFile(page, wavFile)
      const expectedWav = await downloadWav(page)
      await loadAudioFile(page, flacMaster)
      const exportedWav = await downloadWav(page)
      expect(exportedWav.channels).toEqual(expectedWav.channels)
    })
  }
})
