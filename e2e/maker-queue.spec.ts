import { expectNoViolation } from './axe.ts'
import { expect, test } from './fixtures.ts'
import {
  chooseFormat,
  createToneFile,
  downloadWav,
  loadAudioFile,
  locateDownloadButton,
  locateMakerButton,
  locateMakerSlider,
  locateMessage,
  openMaker,
} from './maker-steps.ts'
import { mainRegion } from './steps.ts'

test('maker: files are made one after the other, are listed with their progress on each page, and can be cancelled there', {
  tag: '@long',
}, async ({ page, site }) => {
  const downloadNames: string[] = []
  page.on('download', (download) => downloadNames.push(download.suggestedFilename()))
  await openMaker(page, site, { isNew: true })
  await loadAudioFile(page, createToneFile('long.wav', { seconds: 240 }))
  await locateMakerButton(page, 'Pause').click()
  await chooseFormat(page, 'MP3, 320 kbps')
  await locateMakerButton(page, 'Slowed + Reverb').click()
  await locateDownloadButton(page).click()
  const exportTray = page.getByRole('region', { name: 'Files in progress' })
  await expect(exportTray.getByRole('listitem')).toHaveText(/^long \(.*\)\.mp3\d+ %/)
  await locateMakerButton(page, 'Nightcore').click()
  await locateDownloadButton(page).click()
  await expect(locateMessage(page, 'In line: long.wav is made when the files before it are ready.')).toBeVisible()
  await loadAudioFile(page, createToneFile('short.wav'))
  await chooseFormat(page, 'WAV, 16-bit')
  await locateDownloadButton(page).click()
  await expect(exportTray.getByRole('listitem')).toHaveText([/^long \(.*\)\.mp3\d+ %/, /^long .*\.mp3waits$/, /^short .*\.wavwaits$/])
  await expect(exportTray).toContainText(/about \d+ (?:s|min) left/)
  await expectNoViolation(page, 'the maker with files in line')
  await test.step('the list is shown on another page, where Cancel leaves the focus in the list', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
    await expect(page).toHaveURL(/\/faq$/)
    await expect(exportTray.getByRole('listitem')).toHaveCount(3)
    await exportTray
      .getByRole('button', { name: /^Cancel long .*mp3$/ })
      .first()
      .click()
    await expect(exportTray.getByRole('listitem')).toHaveText([/^long .*mp3/, /^short .*\.wavwaits$/])
    await expect(exportTray.getByRole('button').first()).toBeFocused()
    await expect(locateMessage(page, 'Download cancelled: no file was made.')).toBeVisible()
  })
  await expect.poll(() => downloadNames, { timeout: 60_000 }).toEqual(['long (speed 1.25, pitch 0).mp3', 'short (speed 1.25, pitch 0).wav'])
  await expect(exportTray).toBeHidden()
})

test('maker: only the loop is exported if the person says so; the format is remembered', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site, { isNew: true })
  await loadAudioFile(page, createToneFile('loop.wav', { seconds: 20 }))
  await locateMakerButton(page, 'Nightcore').click()
  const loopOnlyCheckbox = mainRegion(page).getByRole('checkbox', { name: /^Only the loop/ })
  await loopOnlyCheckbox.check()
  expect((await downloadWav(page)).channels[0]).toHaveLength(16 * 44_100)
  await locateMakerSlider(page, 'Loop start').press('PageUp')
  await locateMakerSlider(page, 'Loop end').press('PageDown')
  const { name, channels, sampleRate } = await downloadWav(page, 'WAV, 24-bit')
  expect(name).toBe('loop (speed 1.25, pitch 0, 24-bit, loop).wav')
  expect((channels[0]?.length ?? 0) / sampleRate).toBeCloseTo(18 / 1.25, 1)
  await page.reload()
  await expect(mainRegion(page).getByLabel('Format')).toHaveValue('wav-int24')
})
