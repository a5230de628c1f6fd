import { expectNoViolation } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { createToneFile, loadAudioFile, locateMakerButton, locateMakerSlider, locateMessage, openMaker, setSlider } from './maker-steps.ts'
import { mainRegion } from './steps.ts'

test('maker: the song is cut and faded, and keys undo and redo it, but not while a person types', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('cut.wav', { seconds: 20 }))
  const sampleText = mainRegion(page).getByText('cut.wav, 0:')
  await locateMakerSlider(page, 'Loop start').press('PageUp')
  await locateMakerSlider(page, 'Loop end').press('PageDown')
  await locateMakerButton(page, 'Keep only this').click()
  await expect(sampleText).toContainText('0:18')
  await locateMakerButton(page, 'Fades').click()
  await setSlider(page, 'Fade out', 3)
  await expectNoViolation(page, 'the fades')
  await page.keyboard.press('Escape')
  await locateMakerButton(page, 'Steps').click()
  await expect(mainRegion(page).getByRole('group', { name: 'Steps' }).getByRole('button')).toHaveText([
    'Fade out 3.0 s, equal power',
    /^Kept 0:/,
    'As opened',
  ])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Control+z')
  await expect(sampleText).toContainText('0:20')
  await page.keyboard.press('Control+Shift+z')
  await expect(sampleText).toContainText('0:18')
  await test.step('keys set the end of the loop and switch the loop off and on, and a dialog lists the keys', async () => {
    await locateMakerSlider(page, 'Position').press('Home')
    for (let second = 0; second < 4; second++) await locateMakerSlider(page, 'Position').press('ArrowRight')
    await page.keyboard.press('o')
    expect(Number(await locateMakerSlider(page, 'Loop end').getAttribute('aria-valuenow'))).toBeLessThan(17)
    await page.keyboard.press('l')
    await expect(locateMakerSlider(page, 'Loop end')).toBeHidden()
    // The key L of a Russian keyboard.
    await page.locator('body').dispatchEvent('keydown', { key: 'д', code: 'KeyL' })
    await expect(locateMakerSlider(page, 'Loop end')).toBeVisible()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog')).toContainText('Loop starts at the play head')
    await page.keyboard.press('Escape')
  })
  const speedField = mainRegion(page).getByRole('textbox', { name: 'Speed value' })
  await speedField.click()
  await page.keyboard.type('1.1')
  await page.keyboard.press('Control+z')
  await expect(speedField).not.toHaveValue('1.1')
  await speedField.press('Escape')
  await expect(sampleText).toContainText('0:18')
  await page.reload()
  await expect(sampleText).toContainText('0:18')
  await locateMakerButton(page, 'Undo').click()
  await expect(sampleText).toContainText('0:20')
})

test('maker: a link to settings sets them, and asks for a song; a broken link is refused', { tag: '@long' }, async ({
  page,
  site,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openMaker(page, site, { isNew: true })
  await setSlider(page, 'Bass', 4)
  await locateMakerButton(page, 'Share settings and presets').click()
  await page.getByRole('menuitem', { name: 'Copy link to these settings' }).click()
  await expect(locateMessage(page, 'Link copied!')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URL(link).hash).toContain('bass=4')
  await page.goto(`${site.origin()}/account/maker#speed=0.8&pitch=-99&size=40&reverb=30&bass=2&preset=Late+night`)
  await page.reload()
  await expect(locateMessage(page, 'Settings of the link: Late night is set. Open a song to hear them.')).toBeVisible()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.8')
  await expect(locateMakerSlider(page, 'Pitch')).toHaveValue('-12')
  expect(new URL(page.url()).hash).toBe('')
  await page.evaluate(() => {
    location.hash = '#speed=fast'
  })
  await expect(locateMessage(page, 'This link holds settings that the maker cannot use.')).toBeVisible()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.8')
})
