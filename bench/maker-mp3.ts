import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { openProductPage } from './maker-product.ts'
import { createMakerSongWav, SONG_SAMPLE_RATE } from './maker-song.ts'
import { computeMedian, reportFigure } from './report.ts'

// `npm run bench -- maker-mp3 [--rounds N] [--song FILE]`: compares the export of four minutes as an MP3 file with that as a WAV file, and with
// ffmpeg on one processor. Each round runs all of them, so that other load on the machine affects all alike; the ratios are the figures.

const MP3_TO_WAV_TIME_RATIO_MAX = 2

const readOption = (optionName: string): string | undefined => {
  const at = process.argv.indexOf(optionName)
  return at < 0 ? undefined : process.argv[at + 1]
}
const roundCount = Number(readOption('--rounds') ?? 5)

const workDir = await mkdtemp(join(tmpdir(), 'varispeed-mp3-'))
const songPath = readOption('--song') ?? join(workDir, 'song.wav')
if (readOption('--song') === undefined) await writeFile(songPath, createMakerSongWav())
const hasFfmpeg = isOnPath('ffmpeg') || (installPackages('ffmpeg') && isOnPath('ffmpeg'))
const exportTimesMsByFormat: Record<'wav' | 'mp3' | 'ffmpeg', number[]> = { wav: [], mp3: [], ffmpeg: [] }
const product = await openProductPage()
try {
  for (const playbackRate of [1, 1.25]) {
    for (const list of Object.values(exportTimesMsByFormat)) list.length = 0
    await product.setSliders({ Speed: playbackRate, Pitch: 0, Bass: 0, 'Reverb amount': 0 })
    await product.loadFile(songPath)
    await product.waitUntilIdle()
    // The times of the first round are discarded, because code and files are not cached yet.
    for (let round = 0; round <= roundCount; round++) {
      const wavExportMs = (await product.exportWav()).blobReadyMs
      const mp3ExportMs = (await product.exportMp3()).blobReadyMs
      const startMs = performance.now()
      const ffmpegFilters = `asetrate=${SONG_SAMPLE_RATE * playbackRate},aresample=${SONG_SAMPLE_RATE}`
      if (hasFfmpeg)
        execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', songPath, '-af', ffmpegFilters, '-b:a', '320k', join(workDir, 'out.mp3')])
      if (round === 0) continue
      exportTimesMsByFormat.wav.push(wavExportMs)
      exportTimesMsByFormat.mp3.push(mp3ExportMs)
      exportTimesMsByFormat.ffmpeg.push(performance.now() - startMs)
    }
    const computeMedianRatio = (list: readonly number[]) =>
      computeMedian(list.map((ms, round) => ms / (exportTimesMsByFormat.wav[round] ?? Number.NaN)))
    reportFigure(`WAV at rate ${playbackRate}`, computeMedian(exportTimesMsByFormat.wav), 'ms')
    reportFigure(`MP3 at rate ${playbackRate}`, computeMedian(exportTimesMsByFormat.mp3), 'ms')
    if (
      !reportFigure(`MP3 at rate ${playbackRate}, of the WAV's time`, computeMedianRatio(exportTimesMsByFormat.mp3), '', {
        atMost: MP3_TO_WAV_TIME_RATIO_MAX,
      })
    )
      process.exitCode = 1
    if (hasFfmpeg)
      reportFigure(`ffmpeg's MP3 at rate ${playbackRate}, of the WAV's time`, computeMedianRatio(exportTimesMsByFormat.ffmpeg), '')
  }
} finally {
  await product.stop()
  await rm(workDir, { recursive: true, force: true })
}
