import { aptInstall, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { chooseAudioFile, downloadWav, messageWithText, openMaker, setSlider } from './maker-steps.ts'
import {
  createOddAudioFiles,
  describeDifferences,
  expectedMeasurement,
  measureSound,
  type OddAudioFile,
  removeOddAudioFiles,
} from './odd-sounds.ts'
import { mainRegion } from './steps.ts'

test.beforeAll(() => {
  if (!isOnPath('ffmpeg')) aptInstall('ffmpeg')
})
test.afterAll(removeOddAudioFiles)

test('maker: damaged and unusual audio files are decoded as by ffmpeg, or refused with a reason', async ({ page, site }) => {
  test.setTimeout(900_000)
  await openMaker(page, site)
  await setSlider(page, 'Speed', 1)
  await setSlider(page, 'Pitch', 0)
  const faults: string[] = []
  const check = async (sound: OddAudioFile) => {
    const { name, content, refusal, toleranceS, isCut = false } = sound
    await chooseAudioFile(page, { name, mimeType: '', buffer: content })
    const loadedMessage = messageWithText(page, `Audio Loaded: ${name} is ready for editing.`)
    const refusedMessage = messageWithText(page, /^(Audio Load Error|Invalid File Type): /)
    await expect(loadedMessage.or(refusedMessage).first()).toBeVisible({ timeout: 60_000 })
    if (!(await loadedMessage.isVisible())) {
      const message = (await refusedMessage.textContent()) ?? ''
      // Reloads the page to remove the message, which would be taken for a message about the next file.
      await page.reload()
      return refusal?.test(message) === true ? [] : [message]
    }
    if (refusal !== undefined) return ['is not refused']
    const problemText = await mainRegion(page)
      .locator('p', { has: page.locator('bdi') })
      .first()
      .textContent()
    const notes = problemText?.includes('ends early') === isCut ? [] : [String(problemText)]
    return [...notes, ...describeDifferences(measureSound(await downloadWav(page)), await expectedMeasurement(sound), toleranceS)]
  }
  for (const sound of createOddAudioFiles())
    await test.step(sound.name, async () => {
      for (const fault of await check(sound)) faults.push(`${sound.name}: ${fault}`)
    })
  expect(faults).toEqual([])
})
