import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { locateMakerButton, locateMessage, openMaker, setSlider } from '../e2e/maker-steps.ts'
import { startSite } from '../e2e/server.ts'
import { mainRegion } from '../e2e/steps.ts'
import { findLongestTaskMs, taskTraceCategories } from '../e2e/task-times.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { measurePeakMb, readBrowserPid, readMemoryMb } from './browser-memory.ts'
import { createMakerSongWav } from './maker-song.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- video`: videos of a song of 4 minutes at 1080p and 30 pictures per second in the built page, beside ffmpeg with two threads.

const SONG_LENGTH_S = 240
const LOAD_OR_EXPORT_TIMEOUT_MS = 600_000

/** Writes four minutes of sound, and returns the paths of the song and of a picture. */
async function writeInputs(workDir: string) {
  const songPath = join(workDir, 'song.wav')
  const picturePath = join(workDir, 'picture.png')
  await writeFile(songPath, createMakerSongWav())
  const source = ['-f', 'lavfi', '-i', 'mandelbrot=size=1920x1080:start_scale=0.3']
  execFileSync('ffmpeg', ['-v', 'error', ...source, '-frames:v', '1', picturePath])
  return { songPath, picturePath }
}

/** Returns how long ffmpeg takes for a video of the same format, in milliseconds. */
function timeFfmpeg(
  { songPath, picturePath }: { songPath: string; picturePath: string },
  hasRingOverlay: boolean,
  outputPath: string,
): number {
  const startMs = performance.now()
  const stillInputArgs = ['-loop', '1', '-framerate', '30', '-i', picturePath, '-i', songPath, '-shortest']
  const spectrumFilter = [
    '-filter_complex',
    '[1:a]showfreqs=s=800x300:rate=30[s];[0:v][s]overlay=560:700:shortest=1,format=yuv420p[v]',
    '-map',
    '[v]',
    '-map',
    '1:a',
  ]
  const { status } = spawnSync('ffmpeg', [
    ...['-v', 'error', '-y', '-threads', '2', '-filter_threads', '2', '-filter_complex_threads', '2', ...stillInputArgs],
    ...(hasRingOverlay ? spectrumFilter : ['-pix_fmt', 'yuv420p']),
    ...[
      '-c:v',
      'libx264',
      '-threads',
      '2',
      '-b:v',
      '8M',
      '-g',
      '15',
      '-r',
      '30',
      '-c:a',
      'aac',
      '-b:a',
      '384k',
      '-ar',
      '48000',
      '-movflags',
      '+faststart',
    ],
    outputPath,
  ])
  if (status !== 0) throw new Error('ffmpeg failed')
  return performance.now() - startMs
}

/** Makes a video in the open dialog. Returns the wall-clock time in milliseconds to the complete file. */
async function makeVideo(page: Page, overlayName: string): Promise<number> {
  const dialog = page.getByRole('dialog', { name: 'Download as video' })
  await dialog.getByLabel('Over it').selectOption({ label: overlayName })
  const button = dialog.getByRole('button', { name: 'Make the video' })
  await button.and(page.locator(':enabled')).waitFor()
  const downloadPromise = page.waitForEvent('download', { timeout: LOAD_OR_EXPORT_TIMEOUT_MS })
  const startMs = performance.now()
  await button.click()
  const download = await downloadPromise
  const elapsedMs = performance.now() - startMs
  await download.path()
  await download.delete()
  return elapsedMs
}

if (!isOnPath('ffmpeg') && !installPackages('ffmpeg')) {
  process.stdout.write('ffmpeg is missing: videos are not measured\n')
} else {
  const workDir = await mkdtemp(join(tmpdir(), 'varispeed-video-'))
  const inputPaths = await writeInputs(workDir)
  const site = await startSite({ DEMO: 'off' })
  const context = await chromium.launchPersistentContext(join(workDir, 'profile'), {
    executablePath: chromiumPath,
    args: [...chromiumFlags, '--mute-audio'],
    viewport: { width: 1280, height: 800 },
  })
  try {
    const page = await context.newPage()
    await openMaker(page, site)
    await setSlider(page, 'Speed', 1)
    await mainRegion(page).getByLabel('Audio file').first().setInputFiles(inputPaths.songPath)
    await locateMessage(page, 'is ready for editing').waitFor({ timeout: LOAD_OR_EXPORT_TIMEOUT_MS })
    await locateMakerButton(page, 'Pause').click()
    await page.getByText('finding the beat…').waitFor({ state: 'hidden', timeout: 60_000 })
    await locateMakerButton(page, 'Download as video').click()
    const dialog = page.getByRole('dialog', { name: 'Download as video' })
    await dialog.getByLabel('Picture file').setInputFiles(inputPaths.picturePath)
    await dialog.getByRole('button', { name: 'Your picture', pressed: true }).waitFor()
    const pid = await readBrowserPid(context)

    const stillVideoMs = await makeVideo(page, 'Nothing')
    const ffmpegStillMs = timeFfmpeg(inputPaths, false, join(workDir, 'still.mp4'))
    const memoryBeforeMb = await readMemoryMb(pid)
    let ringVideoMs = 0
    const peakMb = await measurePeakMb(pid, async () => {
      ringVideoMs = await makeVideo(page, 'Spectrum ring')
    })
    const ffmpegRingMs = timeFfmpeg(inputPaths, true, join(workDir, 'ring.mp4'))
    const { browser } = { browser: context.browser() }
    await browser?.startTracing(page, { categories: taskTraceCategories })
    await makeVideo(page, 'Nothing')
    const stallMs = browser === null ? Number.NaN : findLongestTaskMs(await browser.stopTracing())

    const lengthText = `${SONG_LENGTH_S / 60} minutes at 1080p30`
    const goalResults = [
      reportFigure(`still picture, ${lengthText}`, stillVideoMs / 1000, 's', { atMost: 5 }),
      reportFigure('  the same by ffmpeg, 2 threads', ffmpegStillMs / 1000, 's'),
      reportFigure(`spectrum ring, ${lengthText}`, ringVideoMs / 1000, 's', { atMost: 60 }),
      reportFigure('  a spectrum by ffmpeg, 2 threads', ffmpegRingMs / 1000, 's'),
      reportFigure('memory above the open page', peakMb - memoryBeforeMb, 'MB', { atMost: 150 }),
      reportFigure('longest task of the page, still picture', stallMs, 'ms', { atMost: 16 }),
    ]
    if (goalResults.includes(false)) process.exitCode = 1
  } finally {
    await context.close()
    await site.stop()
    await rm(workDir, { recursive: true, force: true })
  }
}
