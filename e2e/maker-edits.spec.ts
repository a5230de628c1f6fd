import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { expect, test } from './fixtures.ts'
import {
  type AudioInputFile,
  chooseAudioFile,
  createToneFile,
  loadAudioFile,
  locateMakerButton,
  locateMakerSlider,
  openMaker,
  setSlider,
} from './maker-steps.ts'
import { mainRegion } from './steps.ts'

const locateMyEdits = (page: Page) => mainRegion(page).getByRole('region', { name: 'My edits' })
const locateDock = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })

/** Opens the maker as a new subscriber, and makes an edit of each file. */
async function openWithEdits(page: Page, site: Parameters<typeof openMaker>[1], files: readonly AudioInputFile[]) {
  await openMaker(page, site, { isNew: true })
  for (const projectFile of files) {
    await loadAudioFile(page, projectFile)
    await locateMakerButton(page, 'Pause').first().click()
    await expect(locateMyEdits(page).getByRole('button', { name: projectFile.name.replace('.wav', ''), exact: true })).toBeVisible()
  }
}

const chooseInMenu = async (page: Page, editTitle: string, itemName: string) => {
  await locateMyEdits(page)
    .getByRole('button', { name: `More: ${editTitle}` })
    .click()
  await page.getByRole('menuitem', { name: itemName }).click()
}

test('maker: an edit is saved as a file, and opened again with its settings; a damaged file is refused', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await openWithEdits(page, site, [createToneFile('night.wav')])
  await setSlider(page, 'Speed', 1.3)
  await chooseInMenu(page, 'night', 'Rename')
  await page.getByRole('textbox', { name: 'Name' }).fill('Night drive / 夜')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const [download] = await Promise.all([page.waitForEvent('download'), chooseInMenu(page, 'Night drive / 夜', 'Save as a file')])
  expect(download.suggestedFilename()).toBe('Night drive 夜.vsed')
  await expect(page.getByText('Saved: Night drive 夜.vsed.')).toBeVisible()
  const fileBytes = await readFile(await download.path())
  await chooseInMenu(page, 'Night drive / 夜', 'Delete')
  await expect(locateMyEdits(page)).toBeHidden()
  await expect(mainRegion(page)).toBeFocused()

  const savedFile = { name: 'Night drive 夜.vsed', mimeType: '', buffer: fileBytes }
  await chooseAudioFile(page, { ...savedFile, buffer: fileBytes.subarray(0, -100) })
  await expect(page.getByText('The end of this edit is missing. Please copy the file again.')).toBeVisible()
  await expect(locateMyEdits(page)).toBeHidden()
  await setSlider(page, 'Speed', 0.7)
  await chooseAudioFile(page, savedFile)
  await expect(page.getByText('Edit opened: it is one of your edits now.')).toBeVisible()
  await expect(locateMyEdits(page).getByRole('button', { name: 'Night drive / 夜', exact: true })).toBeVisible()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('1.3')
})

test('maker: edits play as a playlist in the dock, also on other pages; nothing is requested, and only one player plays at a time', {
  tag: '@long',
}, async ({ page, site }) => {
  await openWithEdits(page, site, [createToneFile('first.wav', { seconds: 12 }), createToneFile('second.wav', { seconds: 12 })])
  await expect(locateMyEdits(page).getByRole('button', { name: 'Play: second', exact: true })).toBeVisible()
  await expectNoViolation(page, 'the list of edits')
  const requestUrls: string[] = []
  page.on('request', (request) => requestUrls.push(request.url()))
  await locateMyEdits(page).getByRole('button', { name: 'Play all' }).click()
  await expect(locateDock(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(locateDock(page).getByRole('link', { name: 'second' })).toBeVisible()
  await expect(locateDock(page).getByRole('slider', { name: 'Position' })).not.toHaveValue('0')
  await expectNoViolation(page, 'the dock with an edit')
  await locateDock(page).getByRole('button', { name: 'Next' }).click()
  await expect(locateDock(page).getByRole('link', { name: 'first' })).toBeVisible()
  await expect(locateMyEdits(page).getByRole('button', { name: 'Pause: first' })).toBeVisible()
  await locateDock(page).getByRole('button', { name: 'Queue' }).click()
  const queueDialog = page.getByRole('dialog', { name: 'Queue' })
  await expect(queueDialog).toContainText('From My edits')
  await expect(queueDialog.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('Escape')
  expect(requestUrls.filter((url) => !url.startsWith('blob:') && !url.includes('/assets/'))).toEqual([])

  await locateMakerButton(page, 'Play').first().click()
  await expect(locateDock(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  await locateMyEdits(page).getByRole('button', { name: 'Play: first' }).click()
  await expect(locateMakerButton(page, 'Play').first()).toBeVisible()
  await page.getByRole('link', { name: 'FAQ' }).first().click()
  await expect(page).toHaveURL(/faq/)
  await expect(locateDock(page).getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.keyboard.press('k')
  await expect(locateDock(page).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
})

test('maker: Back and a reload keep the search and the order of My edits; fewer edits are all listed', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await openWithEdits(
    page,
    site,
    ['night drive', 'morning', 'night bus', 'evening'].map((name, index) => createToneFile(`${name}.wav`, { seconds: 4 + index })),
  )
  const openButtons = locateMyEdits(page).getByRole('button', { name: /^(?:night|morning|evening)/ })
  await expect(openButtons).toHaveText(['evening', 'night bus', 'morning', 'night drive'])
  await locateMyEdits(page).getByRole('searchbox', { name: 'Search' }).fill('NIGHT')
  await expect(locateMyEdits(page)).toContainText('2 found')
  await locateMyEdits(page).getByRole('combobox', { name: 'Sort' }).selectOption('Longest')
  await page.getByRole('link', { name: 'FAQ' }).first().click()
  await expect(page).toHaveURL(/faq/)
  for (const comeBack of [() => page.goBack(), () => page.reload()]) {
    await comeBack()
    await expect(openButtons).toHaveText(['night bus', 'night drive'])
    await expect(locateMyEdits(page).getByRole('searchbox', { name: 'Search' })).toHaveValue('NIGHT')
    await expect(locateMyEdits(page).getByRole('combobox', { name: 'Sort' })).toHaveValue('longest')
  }
  await chooseInMenu(page, 'night bus', 'Delete')
  await expect(openButtons).toHaveText(['evening', 'morning', 'night drive'])
  await chooseInMenu(page, 'evening', 'Delete')
  await expect(locateMyEdits(page).getByRole('button', { name: 'More: morning' })).toBeFocused()
})
