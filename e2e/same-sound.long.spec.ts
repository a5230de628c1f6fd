import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeNoiseFile } from './browsers/journey.ts'
import { expect, test } from './fixtures.ts'
import { locateButton, locateField, openHydratedPage } from './identity/steps.ts'
import { downloadWav, loadAudioFile, openMaker, setSlider } from './maker-steps.ts'
import { mainRegion } from './steps.ts'

let workFolder = ''
test.beforeAll(async () => {
  workFolder = await mkdtemp(join(tmpdir(), 'varispeed-same-sound-'))
})
test.afterAll(() => rm(workFolder, { recursive: true, force: true }))

test('conversion on the server: from a WAV and from a FLAC file, the server writes the same WAV file as the maker in the browser', async ({
  page,
  site,
}) => {
  test.setTimeout(180_000)
  const wavPath = await writeNoiseFile(workFolder)
  const flacPath = join(workFolder, 'noise.flac')
  execFileSync('ffmpeg', ['-v', 'error', '-i', wavPath, flacPath])
  const soundFiles = [
    { name: 'noise.wav', mimeType: 'audio/wav', buffer: await readFile(wavPath) },
    { name: 'noise.flac', mimeType: 'audio/flac', buffer: await readFile(flacPath) },
  ]
  await openMaker(page, site, { isNew: true })
  for (const soundFile of soundFiles) {
    for (const speedFactor of [1.25, 0.85]) {
      await openHydratedPage(page, '/account/maker')
      await loadAudioFile(page, soundFile)
      await setSlider(page, 'Speed', speedFactor)
      const { bytes } = await downloadWav(page)

      await openHydratedPage(page, '/account/make')
      await locateField(page, 'Song').setInputFiles(soundFile)
      await locateField(page, 'Speed in percent').fill(String(Math.round((speedFactor - 1) * 100)))
      await locateField(page, 'Format').selectOption('wav')
      await locateButton(page, 'Convert').click()
      const link = mainRegion(page).getByRole('link', { name: 'Click here to download your song!' })
      await expect(link).toBeVisible({ timeout: 60_000 })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect([soundFile.name, speedFactor, (await readFile(await download.path())).equals(bytes)]).toEqual([
        soundFile.name,
        speedFactor,
        true,
      ])
    }
  }
})
