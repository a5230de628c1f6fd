import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { checkMp4 } from '../client/engine/testing/mp4-structure.ts'
import { expect, test } from './fixtures.ts'
import { createToneFile, loadAudioFile, locateMakerButton, locateMessage, openMaker, setSlider } from './maker-steps.ts'

/** A red PNG picture of one pixel. */
const pictureFile = {
  name: 'red.png',
  mimeType: 'image/png',
  buffer: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64'),
}

const locateVideoDialog = (page: Page) => page.getByRole('dialog', { name: 'Download as video' })

/** Returns the names of the files that the maker has on the disk. */
const listScratchFiles = (page: Page) =>
  page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('maker-scratch', { create: true })
    return Array.fromAsync(folder.keys())
  })

test('maker: a song with a picture is downloaded as a video, and nothing is sent to a server', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site)
  await locateMakerButton(page, 'Download as video').click()
  await expect(locateMessage(page, 'No Audio Loaded: Please upload an audio file before downloading.')).toBeVisible()
  await loadAudioFile(page, createToneFile('city lights.wav'))
  await setSlider(page, 'Speed', 1)
  await locateMakerButton(page, 'Download as video').click()
  const dialog = locateVideoDialog(page)
  await expect(dialog.getByRole('button', { name: 'Drawn cover' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByLabel('Picture file').setInputFiles({ name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('only words') })
  await expect(dialog.getByText('This browser cannot show that file.')).toBeVisible()
  await dialog.getByLabel('Picture file').setInputFiles(pictureFile)
  await expect(dialog.getByRole('button', { name: 'Your picture' })).toHaveAttribute('aria-pressed', 'true')
  await dialog.getByLabel('Size').selectOption('1080x1080')
  await expect(dialog.getByText('MP4 with H.264 and AAC at 384 kbit/s, made on this device. Nothing is uploaded.')).toBeVisible()

  const bodySizesBytes: number[] = []
  page.context().on('request', (request) => bodySizesBytes.push(request.postDataBuffer()?.byteLength ?? 0))
  const downloadPromise = page.waitForEvent('download', { timeout: 90_000 })
  await dialog.getByRole('button', { name: 'Make the video' }).click()
  const download = await downloadPromise
  expect(download.suggestedFilename()).toBe('city lights (speed 1, pitch 0).mp4')
  const mp4Report = checkMp4(await readFile(await download.path()), { frameRate: 30, gopFrames: 15, durationS: 4 })
  expect(mp4Report).toMatchObject({ faults: [], pictures: 121 })
  expect(Math.max(0, ...bodySizesBytes)).toBeLessThan(1000)

  await test.step('maker: the video dialog offers a title, a description and a thumbnail for the upload', async () => {
    await dialog.getByLabel('Link to the original').fill('https://example.org/song')
    await expect(dialog.getByLabel('Title').last()).toHaveValue('city lights')
    await expect(dialog.getByLabel('Description')).toHaveValue(/Original: city lights\nhttps:\/\/example\.org\/song$/)
    const thumbnailPromise = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save the thumbnail' }).click()
    expect((await thumbnailPromise).suggestedFilename()).toBe('city lights.jpg')
  })
})

test('maker: a video is cancelled, and another one can be made', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('long.wav', { seconds: 60 }))
  await locateMakerButton(page, 'Download as video').click()
  const dialog = locateVideoDialog(page)
  await dialog.getByLabel('Over it').selectOption('ring')
  await dialog.getByRole('button', { name: 'Make the video' }).click()
  const cancelButton = dialog.getByRole('button', { name: 'Cancel' })
  await expect(cancelButton).toBeFocused()
  await expect.poll(() => listScratchFiles(page)).toHaveLength(1)
  await cancelButton.click()
  await expect.poll(() => listScratchFiles(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make the video' }).click()
  await expect.poll(() => dialog.getByLabel('Making the video').getAttribute('value').then(Number)).toBeGreaterThan(0)
  await cancelButton.click()
  await expect(dialog.getByRole('button', { name: 'Make the video' })).toBeEnabled()
})
