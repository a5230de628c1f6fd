import { installPackages, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { chooseAudioFile, downloadWav, locateMessage, openMaker, setSlider } from './maker-steps.ts'
import {
  createOddAudioFiles,
  describeDifferences,
  measureExpectedSound,
  measureSound,
  type OddAudioFile,
  removeOddAudioFiles,
} from './odd-sounds.ts'
import { mainRegion } from './steps.ts'

test.beforeAll(() => {
  if (!isOnPath('ffmpeg')) installPackages('ffmpeg')
})
test.afterAll(removeOddAudioFiles)

test('maker: damaged and unusual audio files are decoded as by ffmpeg, or refused with a reason', async ({ page, site }) => {
  test.setTimeout(900_000)
  await openMaker(page, site)
  await setSlider(page, 'Speed', 1)
  await setSlider(page, 'Pitch', 0)
  const faultTexts: string[] = []
  const checkSound = async (sound: OddAudioFile) => {
    const { name, content, refusal, toleranceS, isCut = false } = sound
    await chooseAudioFile(page, { name, mimeType: '', buffer: content })
    const loadedMessage = locateMessage(page, `Audio Loaded: ${name} is ready for editing.`)
    const refusedMessage = locateMessage(page, /^(Audio Load Error|Invalid File Type): /)
    await expect(loadedMessage.or(refusedMessage).first()).toBeVisible({ timeout: 60_000 })
    if (!(await loadedMessage.isVisible())) {
      const messageText = (await refusedMessage.textContent()) ?? ''
      // Reloads the page to remove the message, which would be taken for a message about the next file.
      await page.reload()
      return refusal?.test(messageText) === true ? [] : [messageText]
    }
    if (refusal !== undefined) return ['is not refused']
    const problemText = await mainRegion(page)
      .locator('p', { has: page.locator('bdi') })
      .first()
      .textContent()
    const notes = problemText?.includes('ends early') === isCut ? [] : [String(problemText)]
    return [...notes, ...describeDifferences(measureSound(await downloadWav(page)), await measureExpectedSound(sound), toleranceS)]
  }
  for (const sound of createOddAudioFiles())
    await test.step(sound.name, async () => {
      for (const fault of await checkSound(sound)) faultTexts.push(`${sound.name}: ${fault}`)
    })
  expect(faultTexts).toEqual([])
})
