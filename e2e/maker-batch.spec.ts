import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createToneFile, dropFiles, locateMakerButton, openMaker, setSlider } from './maker-steps.ts'

const corruptFile = { name: 'corrupt.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(5000, 'x') }
const coverFile = { name: 'cover.png', mimeType: 'image/png', buffer: Buffer.alloc(100) }

const locateBatchDialog = (page: Page) => page.getByRole('dialog', { name: 'Many songs' })
const locateSongRow = (page: Page, name: string) => locateBatchDialog(page).getByRole('listitem').filter({ hasText: name })

/** Lets the folder picker return a folder of the private file system, because a test cannot use the browser's dialog. */
async function replaceFolderPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const showDirectoryPicker = async ({ id }: { id: string }) =>
      (await navigator.storage.getDirectory()).getDirectoryHandle(id, { create: true })
    Object.assign(window, { showDirectoryPicker })
  })
}

/** Lists the files of a folder of the private file system with their sizes. */
const listFolder = (page: Page, directoryName: string): Promise<Record<string, number>> =>
  page.evaluate(async (folderName) => {
    const rootFolder = await navigator.storage.getDirectory()
    const sizeByFileName: Record<string, number> = {}
    for await (const handle of (await rootFolder.getDirectoryHandle(folderName)).values())
      if (handle.kind === 'file') sizeByFileName[handle.name] = (await handle.getFile()).size
    return sizeByFileName
  }, directoryName)

test('maker: dropped songs are exported as one ZIP file, which other programs read, and nothing is sent to a server', {
  tag: '@long',
}, async ({ page, site }) => {
  await openMaker(page, site)
  await setSlider(page, 'Speed', 1.25)
  const bodySizesBytes: number[] = []
  page.context().on('request', (request) => bodySizesBytes.push(request.postDataBuffer()?.byteLength ?? 0))
  await dropFiles(page, [
    coverFile,
    createToneFile('song 10.wav'),
    corruptFile,
    createToneFile('song 2.wav'),
    createToneFile('夜 🌃.wav'),
    createToneFile('left out.wav'),
  ])
  const dialog = locateBatchDialog(page)
  await dialog.getByRole('button', { name: 'Leave out left out.wav' }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Leave out song 2.wav' })).toBeFocused()
  await expect(dialog.getByText('4 songs, 2.1 MB. 1 file of other kinds left out.')).toBeVisible()
  await dialog.getByLabel('Format').selectOption('mp3')
  await dialog.getByLabel('File names').fill('{number} {name} ({preset} {rate})')
  await dialog.getByRole('button', { name: 'Start, as one ZIP file' }).click()
  await expect(dialog.getByText('3 of 4 songs done, 1 failed')).toBeVisible({ timeout: 60_000 })
  await expect(locateSongRow(page, 'corrupt.mp3')).toContainText('Could not load or decode the audio file. Please try a different file.')
  const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save the ZIP file' }).click()])
  expect(download.suggestedFilename()).toBe('Nightcore 3 songs.zip')
  const zipPath = await download.path()
  const readNamesScript =
    'import sys, zipfile; zip = zipfile.ZipFile(sys.argv[1]); assert zip.testzip() is None; print("\\n".join(zip.namelist()))'
  const zippedNames = execFileSync('python3', ['-c', readNamesScript, zipPath])
  expect(zippedNames.toString().trim().split('\n')).toEqual([
    '02 song 2 (Nightcore 1.25).mp3',
    '03 song 10 (Nightcore 1.25).mp3',
    '04 夜 🌃 (Nightcore 1.25).mp3',
  ])
  expect(Math.max(0, ...bodySizesBytes)).toBeLessThan(1000)
  await dialog.getByRole('button', { name: 'Delete the ZIP file here' }).click()
  await expect(dialog.getByRole('button', { name: 'Start, as one ZIP file' })).toBeDisabled()
})

test('maker: songs are exported into a folder; after the tab was closed, the export continues where it stopped', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await replaceFolderPicker(page)
  await openMaker(page, site)
  await locateMakerButton(page, 'Many songs').click()
  const dialog = locateBatchDialog(page)
  const songs = [1, 2, 3].map((number) => createToneFile(`song ${number}.wav`, { seconds: number === 2 ? 240 : 4 }))
  await dialog.getByLabel('Add songs: files').setInputFiles(songs)
  await expect(dialog.getByText('3 songs', { exact: false }).first()).toBeVisible()
  await page.keyboard.press('Escape')
  await locateMakerButton(page, 'Many songs').click()
  await dialog.getByRole('button', { name: 'Choose a folder and start' }).click()
  await expect(dialog.getByText('1 of 3 songs done')).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByText(/must be picked again/)).toBeHidden()
  await page.close({ runBeforeUnload: false })

  const nextPage = await page.context().newPage()
  await replaceFolderPicker(nextPage)
  await nextPage.goto(`${site.origin()}/account/maker`)
  await locateMakerButton(nextPage, 'Many songs: 2 wait').click()
  await expect(locateBatchDialog(nextPage).getByText('1 of 3 songs done')).toBeVisible()
  await locateBatchDialog(nextPage).getByRole('button', { name: 'Continue' }).click()
  await expect(locateBatchDialog(nextPage).getByText('3 of 3 songs done')).toBeVisible({ timeout: 60_000 })
  expect(Object.keys(await listFolder(nextPage, 'finished-songs')).sort()).toHaveLength(3)
  await nextPage.keyboard.press('Escape')
  await locateMakerButton(nextPage, 'Many songs: finished').click()
  await locateBatchDialog(nextPage).getByRole('button', { name: 'New batch' }).click()
  await expect(locateBatchDialog(nextPage).getByRole('button', { name: 'Choose a folder and start' })).toBeDisabled()
})
