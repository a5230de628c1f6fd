import { aptInstall, isOnPath } from '../scripts/install.mjs'
import { expect, test } from './fixtures.ts'
import { chooseAudioFile, downloadWav, messageText, openMaker, setSlider } from './maker-steps.ts'
import { createOddSounds, differences, expectedOf, hear, type OddSound, removeOddSounds } from './odd-sounds.ts'
import { mainRegion } from './steps.ts'

test.beforeAll(() => {
  if (!isOnPath('ffmpeg')) aptInstall('ffmpeg')
})
test.afterAll(removeOddSounds)

test('maker: odd files are heard as ffmpeg hears them, or refused with a reason', async ({ page, site }) => {
  test.setTimeout(900_000)
  await openMaker(page, site)
  await setSlider(page, 'Speed', 1)
  await setSlider(page, 'Pitch', 0)
  const faults: string[] = []
  const check = async (sound: OddSound) => {
    const { name, content, refusal, toleranceS, isCut = false } = sound
    await chooseAudioFile(page, { name, mimeType: '', buffer: content })
    const loaded = messageText(page, `Audio Loaded: ${name} is ready for editing.`)
    const refused = messageText(page, /^(Audio Load Error|Invalid File Type): /)
    await expect(loaded.or(refused).first()).toBeVisible({ timeout: 60_000 })
    if (!(await loaded.isVisible())) {
      const message = (await refused.textContent()) ?? ''
      // The message would be taken for that of the next file.
      await page.reload()
      return refusal?.test(message) === true ? [] : [message]
    }
    if (refusal !== undefined) return ['is not refused']
    const line = await mainRegion(page)
      .locator('p', { has: page.locator('bdi') })
      .first()
      .textContent()
    const notes = line?.includes('ends early') === isCut ? [] : [String(line)]
    return [...notes, ...differences(hear(await downloadWav(page)), await expectedOf(sound), toleranceS)]
  }
  for (const sound of createOddSounds())
    await test.step(sound.name, async () => {
      for (const fault of await check(sound)) faults.push(`${sound.name}: ${fault}`)
    })
  expect(faults).toEqual([])
})
