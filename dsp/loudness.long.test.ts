import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { createLevelMeter } from './level-meter.ts'
import { applyGainCurve, CEILING_DBTP, findGainForLoudness } from './limiter.ts'
import { computeLevel } from './loudness.ts'

// These tests compare the levels of real music with those of ffmpeg's `ebur128`.

const drasculaPaths = [3, 6, 8, 16].map((track) => `/usr/share/scummvm/drascula/audio/track${track}.ogg`)
const hyperroguePaths = ['hr3-hell', 'hr-savino-palace', 'hr-domina-hunting', 'hr3-crossroads', 'hr3-motion', 'hr3-caves'].map(
  (track) => `/usr/share/hyperrogue/music/${track}.ogg`,
)
const RAW_STEREO_OPTIONS = ['-f', 'f32le', '-ar', '44100', '-ac', '2']
/** The largest difference that rounding causes: half of a unit of the last digit that ffmpeg prints. */
const ROUNDING_LU = 0.05

let tempDir = ''
beforeAll(() => {
  if (!isOnPath('ffmpeg')) installPackages('ffmpeg')
  installPackages('drascula-music', 'hyperrogue-music')
  tempDir = mkdtempSync(join(tmpdir(), 'varispeed-loudness-'))
})
afterAll(() => rmSync(tempDir, { recursive: true, force: true }))

function measureLevelByFfmpeg(samples: Float32Array) {
  const filePath = join(tempDir, 'samples.f32')
  writeFileSync(filePath, new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  const ffmpegOptions = ['-nostats', ...RAW_STEREO_OPTIONS, '-i', filePath, '-af', 'ebur128=peak=true:framelog=verbose', '-f', 'null', '-']
  const { stderr } = spawnSync('ffmpeg', ffmpegOptions, { encoding: 'utf8' })
  const summary = stderr.slice(stderr.lastIndexOf('Summary'))
  return { lufs: Number(/I:\s+(-?[\d.]+)/.exec(summary)?.[1]), truePeakDb: Number(/Peak:\s+(-?[\d.]+)/.exec(summary)?.[1]) }
}

it.each([...drasculaPaths, ...hyperroguePaths])(
  'level of %s: the measurement equals that of ffmpeg, for the unchanged music and at two loudnesses',
  (filePath) => {
    const pcmBytes = execFileSync('ffmpeg', ['-v', 'error', '-i', filePath, ...RAW_STEREO_OPTIONS, '-'], { maxBuffer: 2 ** 28 })
    const samples = new Float32Array(pcmBytes.buffer.slice(pcmBytes.byteOffset, pcmBytes.byteOffset + pcmBytes.length))
    const levelMeter = createLevelMeter({ sampleRate: 44_100, channels: 2, frames: samples.length / 2 })
    levelMeter.add(samples)
    const levelProfile = levelMeter.finish()
    const [ownLevel, ffmpegLevel] = [computeLevel(levelProfile), measureLevelByFfmpeg(samples)]
    expect(Math.abs(ownLevel.lufs - ffmpegLevel.lufs)).toBeLessThan(0.1)
    expect(Math.abs(ownLevel.truePeakDb - ffmpegLevel.truePeakDb)).toBeLessThan(0.2)
    for (const targetLufs of [-14, -8]) {
      const gainCurve = findGainForLoudness(levelProfile, targetLufs)
      const changedSamples = samples.slice()
      applyGainCurve(changedSamples, 2, 0, gainCurve)
      const [predictedLevel, measuredLevel] = [computeLevel(levelProfile, gainCurve.points), measureLevelByFfmpeg(changedSamples)]
      expect(Math.abs(predictedLevel.lufs - measuredLevel.lufs)).toBeLessThan(0.1)
      expect(measuredLevel.truePeakDb).toBeLessThanOrEqual(CEILING_DBTP + ROUNDING_LU)
      if (targetLufs === -14) expect(Math.abs(measuredLevel.lufs - targetLufs)).toBeLessThan(0.1)
    }
  },
)
