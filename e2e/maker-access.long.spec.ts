import type { Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { brands, expect, test } from './fixtures.ts'
import {
  createToneFile,
  loadAudioFile,
  locateDownloadButton,
  locateMakerButton,
  locateMakerSlider,
  locateMessage,
  openMaker,
  setSlider,
} from './maker-steps.ts'
import { mainRegion } from './steps.ts'

const [firstBrand, secondBrand] = brands

for (const [brand, viewportWidth] of [
  [firstBrand, 1440],
  [firstBrand, 390],
  [secondBrand, 1440],
  [secondBrand, 390],
] as const)
  test(`axe, ${brand.name} at ${viewportWidth} px: the dialogs, panels and states of the maker have no violation`, async ({
    page,
    site,
  }) => {
    test.setTimeout(400_000)
    await page.setViewportSize({ width: viewportWidth, height: 900 })
    await openMaker(page, site, { isNew: true, origin: site.origin(brand.subdomain) })
    await expectNoViolation(page, 'the empty maker')
    for (const name of ['fog.wav', 'city lights at 4 am.wav', 'rain.wav', 'neon.wav']) await loadAudioFile(page, createToneFile(name))
    await expectNoViolation(page, 'a song')
    const dialog = page.getByRole('dialog')
    const closeDialog = async () => {
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
    }
    const expectDialog = async (dialogName: string) => {
      await expect(dialog).toBeVisible()
      await expectNoViolation(page, dialogName)
    }
    await test.step('axe finds no violation in the panels of the edit bar', async () => {
      for (const dialogName of ['Fades', 'Steps']) {
        await locateMakerButton(page, dialogName).click()
        await expectNoViolation(page, dialogName)
        await page.keyboard.press('Escape')
      }
    })
    await test.step('axe finds no violation in fields with invalid values', async () => {
      await mainRegion(page).getByRole('textbox', { name: 'Song’s BPM' }).fill('12')
      await expectNoViolation(page, 'a wrong tempo')
      await page.keyboard.press('Escape')
      await mainRegion(page).getByRole('textbox', { name: 'Length to play' }).fill('x')
      await expectNoViolation(page, 'a wrong length')
      await page.keyboard.press('Escape')
    })
    await test.step('axe finds no violation in the presets', async () => {
      await setSlider(page, 'Speed', 0.65)
      await locateMakerButton(page, 'Save preset').click()
      await expectDialog('the name of a preset')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await expectDialog('a preset without a name')
      await dialog.getByLabel('Name').fill('Bus window')
      await dialog.getByRole('button', { name: 'Save', exact: true }).click()
      await locateMakerButton(page, 'Rename preset').click()
      await expectDialog('another name of a preset')
      await closeDialog()
      await expect(locateMakerButton(page, 'Rename preset')).toBeFocused()
      await locateMakerButton(page, 'Delete preset').click()
      await expectDialog('the deletion of a preset')
      await closeDialog()
      await locateMakerButton(page, 'Share settings and presets').click()
      await expectNoViolation(page, 'the menu of presets')
      await page.keyboard.press('Escape')
    })
    await test.step('axe finds no violation in the dialog for tags, name and level', async () => {
      await locateMakerButton(page, 'Tags, name and level').click()
      await dialog.getByLabel('Loudness of the file').selectOption('−14 LUFS, video platforms')
      await dialog.getByLabel('Picture of the cover').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('none') })
      await expect(dialog.getByText('This picture cannot be read.')).toBeVisible()
      await expectDialog('tags, name and level')
      await dialog.getByRole('button', { name: 'Measure the level' }).click()
      await expect(dialog.getByText('After: ', { exact: false })).toBeVisible()
      await expectDialog('a measured level')
      await closeDialog()
    })
    await test.step('axe finds no violation in the dialogs for videos, many songs and keyboard shortcuts', async () => {
      await locateMakerButton(page, 'Download as video').click()
      await expect(dialog.getByRole('button', { name: 'Drawn cover' })).toBeVisible()
      await expectDialog('the video')
      await closeDialog()
      await locateMakerButton(page, /^Many songs/).click()
      await expectDialog('many songs, none yet')
      await page.getByLabel('Add songs: files').setInputFiles([createToneFile('a.wav'), createToneFile('b.wav')])
      await expectDialog('many songs')
      await closeDialog()
      await page.keyboard.press('?')
      await expectDialog('the keys')
      await closeDialog()
    })
    await test.step('axe finds no violation in the list of edits', async () => {
      await mainRegion(page).getByLabel('Search').last().fill('fog')
      await expect(mainRegion(page).getByText('1 found')).toBeVisible()
      await expectNoViolation(page, 'a found edit')
      await mainRegion(page)
        .getByRole('button', { name: /^More: fog/ })
        .click()
      await expectNoViolation(page, 'the menu of an edit')
      await page.getByRole('menuitem', { name: 'Rename' }).click()
      await expectDialog('a new name')
      await closeDialog()
    })
    await test.step('axe finds no violation while a file is being made', async () => {
      await loadAudioFile(page, createToneFile('long.wav', { seconds: 200 }))
      await mainRegion(page).getByLabel('Format').selectOption('mp3')
      for (const preset of ['Slowed + Reverb', 'Nightcore']) {
        await locateMakerButton(page, preset).click()
        await locateDownloadButton(page).click()
      }
      const exportTray = page.getByRole('region', { name: 'Files in progress' })
      await expect(exportTray.getByRole('listitem')).toHaveCount(2)
      await expectNoViolation(page, 'files in progress')
      // On a phone, the list is shown only if there are several files: a single file is shown in the maker's bar.
      await exportTray.getByRole('button').last().click()
    })
  })

/** Returns the accessible names of the elements that Tab focuses one after the other, until the focus leaves the main region. */
async function tabThrough(page: Page): Promise<string[]> {
  const focusedNames: string[] = []
  for (let pressCount = 0; pressCount < 150; pressCount++) {
    await page.keyboard.press('Tab')
    const focusedName = await page.evaluate(() => {
      const { activeElement } = document
      if (!activeElement?.closest('#main')) return undefined
      // The grips of the loop show the focus ring on a pseudo-element, and text fields show it on the element around them.
      const isFocusShown =
        activeElement.matches('input') ||
        [undefined, '::after'].some((part) => getComputedStyle(activeElement, part).outlineStyle === 'solid')
      const labelTexts =
        activeElement instanceof HTMLInputElement || activeElement instanceof HTMLSelectElement ? [...(activeElement.labels ?? [])] : []
      const text = activeElement.ariaLabel ?? (labelTexts.map((label) => label.textContent).join(' ') || activeElement.textContent)
      return `${isFocusShown ? '' : 'without a ring: '}${text?.replace(/\s+/g, ' ').trim()}`
    })
    if (focusedName === undefined) return focusedNames
    focusedNames.push(focusedName)
  }
  throw new Error('the focus does not leave the maker')
}

test('maker: by the keyboard alone, a song is opened, played, looped, changed, cut, named and downloaded', async ({ page, site }) => {
  await openMaker(page, site, { isNew: true })
  const focusByTab = async (elementName: RegExp) => {
    for (let pressCount = 0; pressCount < 150; pressCount++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent ?? '')
      if (elementName.test(focused.trim())) return
    }
    throw new Error(`Tab does not reach ${elementName}`)
  }
  const [fileChooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    (async () => {
      await focusByTab(/^(?:Open a file|Choose a song|Open)/)
      await page.keyboard.press('Enter')
    })(),
  ])
  await fileChooser.setFiles(createToneFile('keys.wav', { seconds: 20 }))
  await expect(locateMessage(page, 'Audio Loaded: keys.wav is ready for editing.')).toBeVisible()
  await expect(locateMakerButton(page, 'Pause')).toBeVisible()
  await page.keyboard.press('k')
  await expect(locateMakerButton(page, 'Play')).toBeVisible()
  const readSeconds = async () => Number(await locateMakerSlider(page, 'Position').inputValue())
  await test.step('the keyboard shortcuts of the player work', async () => {
    await page.locator('#main').focus()
    await locateMakerSlider(page, 'Position').evaluate((slider: HTMLInputElement) => slider.blur())
    await page.keyboard.press('j')
    const startS = await readSeconds()
    await page.keyboard.press('ArrowRight')
    expect((await readSeconds()) - startS).toBeCloseTo(5 * 1.25, 0)
    await page.keyboard.press('i')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('o')
    await page.keyboard.press('a')
    await expect(locateMakerButton(page, 'A Original')).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('b')
    await expect(locateMakerButton(page, 'B Edited')).toHaveAttribute('aria-pressed', 'true')
    await page.keyboard.press('m')
    await expect(locateMakerSlider(page, 'Preview volume')).toHaveValue('0')
    await page.keyboard.press('m')
    await expect(locateMakerSlider(page, 'Preview volume')).toHaveValue('1')
  })
  await focusByTab(/^Keep only this$/)
  await page.keyboard.press('Enter')
  await expect(mainRegion(page).getByText(/keys\.wav, 0:0[67]/)).toBeVisible()
  await focusByTab(/^Slowed$/)
  await page.keyboard.press('Space')
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.85')
  await focusByTab(/^Tags, name and level$/)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Title')).toBeVisible()
  await page.getByRole('dialog').getByLabel('Title').focus()
  await page.keyboard.type('Typed')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(locateMakerButton(page, 'Tags, name and level')).toBeFocused()
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')])
  expect(download.suggestedFilename()).toBe('keys (speed 0.85, pitch 0).wav')
  await test.step('each control is reached once, has a name and shows that it has the focus', async () => {
    await page.locator('#main').focus()
    const focusedNames = await tabThrough(page)
    expect(focusedNames.filter((name) => name === '' || name.startsWith('without'))).toEqual([])
    for (const fieldName of [
      'Position',
      'Loop start',
      'Loop end',
      'Zoom in',
      'Play',
      'Loop',
      'Preview volume',
      'Undo',
      'Fades',
      'Nightcore',
      'Speed',
      'Speed value',
    ])
      expect(
        focusedNames.filter((each) => each === fieldName),
        fieldName,
      ).toHaveLength(1)
  })
})

test('maker: screen readers find its regions and the names of its controls', async ({ page, site }) => {
  await openMaker(page, site, { isNew: true })
  await loadAudioFile(page, createToneFile('names.wav'))
  await locateMakerButton(page, 'Pause').click()
  await expect(mainRegion(page)).toMatchAriaSnapshot(`
    - heading "Maker" [level=1]
    - region "Waveform":
      - slider "Position"
      - slider "Loop start"
      - slider "Loop end"
      - button "Zoom out" [disabled]
      - button "Zoom in"
    - button "Play"
    - button "Loop" [pressed]
    - group "Compare":
      - button "A Original"
      - button "B Edited" [pressed]
    - slider "Preview volume"
    - button "Download as WAV"
    - region "Edit"
    - group "Presets":
      - button "Nightcore" [pressed]
    - region "Varispeed":
      - textbox "Speed value": "1.25"
      - slider "Speed"
      - textbox "Pitch value": "0"
      - slider "Pitch"
    - region "Reverb and bass"
    - textbox "Song’s BPM"
    - button "Tap the beat"
    - textbox "BPM to play at" [disabled]
    - textbox "Length to play": "0:03"
    - region "Download options":
      - combobox "Format"
      - checkbox /Only the loop/
    - region "My edits":
      - list:
        - listitem:
          - button "names"
          - 'button "More: names"'
    - region "History"
  `)
})
