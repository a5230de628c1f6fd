import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { locateMakerButton, openMaker, setSlider } from '../e2e/maker-steps.ts'
import { startSite } from '../e2e/server.ts'
import { installPackages, isOnPath } from '../scripts/install.mjs'
import { measurePeakMb, readBrowserPid, readMemoryMb } from './browser-memory.ts'
import { readNumberArgument } from './number-argument.ts'
import { reportFigure } from './report.ts'

// `npm run bench -- maker-batch [--minutes N]`: the memory of all processes of the browser while the built page exports 50 MP3 files, one of them
// corrupt, as one ZIP file of WAV files: during the first five songs, and from the fifth to the last. At the 20th the tab is closed, and another
// one continues. Needs ffmpeg.

const SONG_COUNT = 50
const CORRUPT_SONG_INDEX = 7
const CLOSED_AT_SONG_COUNT = 20
/** How much more memory the later songs may need than the first five. */
const MEMORY_GROWTH_MAX_MB = 100
const EXPORT_TIMEOUT_MS = 1_800_000

const songMinutes = readNumberArgument('--minutes', 3)

async function writeSongs(folderPath: string): Promise<string[]> {
  await mkdir(folderPath)
  const songPath = join(folderPath, 'song.mp3')
  const noiseSource = `anoisesrc=color=pink:amplitude=0.3:seed=1:duration=${60 * songMinutes}:sample_rate=44100`
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', noiseSource, '-ac', '2', '-b:a', '192k', songPath])
  const songPaths = Array.from({ length: SONG_COUNT }, (_, index) => join(folderPath, `song ${index + 1}.mp3`))
  for (const [index, path] of songPaths.entries())
    if (index + 1 === CORRUPT_SONG_INDEX) await writeFile(path, 'x'.repeat(100_000))
    else await copyFile(songPath, path)
  return songPaths
}

const waitForSongs = (page: Page, doneCount: number, failedCount: number) =>
  page
    .getByText(`${doneCount} of ${SONG_COUNT} songs done${failedCount > 0 ? `, ${failedCount} failed` : ''}`)
    .waitFor({ timeout: EXPORT_TIMEOUT_MS })

if (!isOnPath('ffmpeg') && !installPackages('ffmpeg')) {
  process.stdout.write('ffmpeg is missing: the memory is not measured\n')
} else {
  const workDir = await mkdtemp(join(tmpdir(), 'varispeed-batch-'))
  const site = await startSite({ DEMO: 'off' })
  const context = await chromium.launchPersistentContext(join(workDir, 'profile'), {
    executablePath: chromiumPath,
    args: [...chromiumFlags, '--mute-audio'],
  })
  try {
    const songPaths = await writeSongs(join(workDir, 'songs'))
    const page = await context.newPage()
    await openMaker(page, site)
    await setSlider(page, 'Speed', 1.25)
    const pid = await readBrowserPid(context)
    const memoryBeforeMb = await readMemoryMb(pid)
    await locateMakerButton(page, 'Many songs').click()
    await page.getByLabel('Add songs: files').setInputFiles(songPaths)
    const startMs = performance.now()
    const firstPeakMb = await measurePeakMb(pid, async () => {
      await page.getByRole('button', { name: 'Start, as one ZIP file' }).click()
      await waitForSongs(page, 5, 0)
    })
    reportFigure('Songs 1 to 5: memory above the open page', firstPeakMb - memoryBeforeMb, 'MB')
    const peakBeforeCloseMb = await measurePeakMb(pid, () => waitForSongs(page, CLOSED_AT_SONG_COUNT - 1, 1))
    reportFigure(`Songs 6 to ${CLOSED_AT_SONG_COUNT}: memory above the open page`, peakBeforeCloseMb - memoryBeforeMb, 'MB')
    await page.close({ runBeforeUnload: false })

    const nextPage = await context.newPage()
    await nextPage.goto(`${site.origin()}/account/maker`)
    await locateMakerButton(nextPage, /^Many songs: \d+ wait$/).click()
    const lastPeakMb = await measurePeakMb(pid, async () => {
      await nextPage.getByRole('button', { name: 'Continue' }).click()
      await waitForSongs(nextPage, SONG_COUNT - 1, 1)
    })
    reportFigure(`Songs ${CLOSED_AT_SONG_COUNT} to ${SONG_COUNT}: memory above the open page`, lastPeakMb - memoryBeforeMb, 'MB')
    reportFigure('All songs: time', (performance.now() - startMs) / 1000, 's')
    const growthMb = Math.max(peakBeforeCloseMb, lastPeakMb) - firstPeakMb
    if (!reportFigure('Later songs: memory above that of songs 1 to 5', growthMb, 'MB', { atMost: MEMORY_GROWTH_MAX_MB }))
      process.exitCode = 1
    const failedRow = nextPage.getByRole('listitem').filter({ hasText: `song ${CORRUPT_SONG_INDEX}.mp3` })
    process.stdout.write(`${await failedRow.textContent()}\n`)
  } finally {
    await context.close()
    await site.stop()
    await rm(workDir, { recursive: true, force: true })
  }
}
