import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { locateMakerButton, locateMessage, openMaker, setSlider } from '../e2e/maker-steps.ts'
import { startSite } from '../e2e/server.ts'
import { mainRegion } from '../e2e/steps.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { measurePeakMb, readBrowserPid, readMemoryMb } from './browser-memory.ts'
import { readNumberArgument } from './number-argument.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- maker-memory [--minutes N]`: the memory of all processes of the browser while the built page opens an MP3 file of 3 hours
// and exports it as a WAV file, above the memory of the open page. Needs ffmpeg, and 8 GB of free space in the temporary folder.

const MEMORY_GROWTH_MAX_MB = 400
const SPEED_RATIO = 1.25
const LOAD_OR_EXPORT_TIMEOUT_MS = 900_000
/** The minutes of sound that are encoded. The file repeats their packets. */
const ENCODED_MINUTES = 3

const songMinutes = readNumberArgument('--minutes', 180)

/** Writes an MP3 file of 128 kbps: a tone in the left channel, pink noise in the right one. */
function writeSong(filePath: string, encodedPath: string) {
  const encodedSeconds = 60 * ENCODED_MINUTES
  const toneArguments = ['-f', 'lavfi', '-i', `sine=220:duration=${encodedSeconds}`]
  const noiseArguments = ['-f', 'lavfi', '-i', `anoisesrc=color=pink:amplitude=0.3:seed=1:duration=${encodedSeconds}:sample_rate=44100`]
  execFileSync('ffmpeg', [
    '-v',
    'error',
    ...toneArguments,
    ...noiseArguments,
    '-filter_complex',
    'amerge=inputs=2',
    '-b:a',
    '128k',
    encodedPath,
  ])
  const repetitions = Math.ceil(songMinutes / ENCODED_MINUTES) - 1
  execFileSync('ffmpeg', ['-v', 'error', '-stream_loop', String(repetitions), '-i', encodedPath, '-c', 'copy', filePath])
}

if (!isOnPath('ffmpeg') && !installPackages('ffmpeg')) {
  process.stdout.write('ffmpeg is missing: the memory is not measured\n')
} else {
  const workDir = await mkdtemp(join(tmpdir(), 'varispeed-memory-'))
  const songPath = join(workDir, 'long.mp3')
  writeSong(songPath, join(workDir, 'encoded.mp3'))
  const site = await startSite({ DEMO: 'off' })
  // The context has a profile folder, because the browser would otherwise hold the files of the site in memory.
  const context = await chromium.launchPersistentContext(join(workDir, 'profile'), {
    executablePath: chromiumPath,
    args: [...chromiumFlags, '--mute-audio'],
  })
  try {
    const page = await context.newPage()
    await openMaker(page, site)
    const pid = await readBrowserPid(context)
    const memoryBeforeMb = await readMemoryMb(pid)
    const measureAndReport = async (figureName: string, run: () => Promise<unknown>) => {
      const startMs = performance.now()
      const growthMb = (await measurePeakMb(pid, run)) - memoryBeforeMb
      reportFigure(`MP3 of ${songMinutes} minutes, ${figureName}: time`, (performance.now() - startMs) / 1000, 's')
      if (!reportFigure(`MP3 of ${songMinutes} minutes, ${figureName}: memory`, growthMb, 'MB', { atMost: MEMORY_GROWTH_MAX_MB }))
        process.exitCode = 1
    }
    await measureAndReport('opened', async () => {
      await mainRegion(page).getByLabel('Audio file').first().setInputFiles(songPath)
      await locateMessage(page, 'Audio Loaded: long.mp3 is ready for editing.').waitFor({ timeout: LOAD_OR_EXPORT_TIMEOUT_MS })
    })
    await locateMakerButton(page, 'Pause').click()
    await setSlider(page, 'Speed', SPEED_RATIO)
    await measureAndReport('exported as WAV', async () => {
      const downloadPromise = page.waitForEvent('download', { timeout: LOAD_OR_EXPORT_TIMEOUT_MS })
      await locateMakerButton(page, 'Download as WAV').click()
      await (await downloadPromise).path()
    })
  } finally {
    await context.close()
    await site.stop()
    await rm(workDir, { recursive: true, force: true })
  }
}
