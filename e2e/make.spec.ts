import { spawnSync } from 'node:child_process'
import { expect, test } from './fixtures.ts'
import {
  createCredentials,
  locateButton,
  locateField,
  openHydratedPage,
  readStoredTokens,
  signInByRequest,
  signUpByRequest,
} from './identity/steps.ts'
import { mainRegion } from './steps.ts'

/** Returns an MP3 file of sine tones, made by ffmpeg. */
function createSong(durationS: number): Buffer {
  const { stdout, status } = spawnSync(
    'ffmpeg',
    ['-v', 'error', '-f', 'lavfi', '-i', `sine=440:d=${durationS}`, '-c:a', 'libmp3lame', '-b:a', '96k', '-f', 'mp3', '-'],
    { maxBuffer: 64 * 1024 * 1024 },
  )
  expect(status).toBe(0)
  return stdout
}

test('convert on the server: the page is locked without a subscription; the form says what is wrong, and the history has no files of the maker', {
  tag: '@long',
}, async ({ page, site }) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  await openHydratedPage(page, '/account/make')
  await expect(mainRegion(page).getByRole('region', { name: 'Content locked' })).toBeVisible()
  await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
  await openHydratedPage(page, '/account/make')
  await expect(mainRegion(page)).toContainText('No history found.')
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('Please choose a file.')
  await locateField(page, 'Song').setInputFiles({ name: 'nothing.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(0) })
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('The file is empty.')
  await locateField(page, 'Song').setInputFiles({ name: 'large.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
  await expect(mainRegion(page).getByRole('alert')).toHaveText('The file is larger than 10 MB.')
  await expect(locateButton(page, 'Open it in the maker')).toBeVisible()
  await locateField(page, 'Song').setInputFiles({ name: 'a.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('a') })
  await locateField(page, 'Speed in percent').fill('-100')
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('Invalid Speed: Playback speed must be greater than zero to download.')
  await expect(locateField(page, 'Speed in percent')).toBeFocused()
  const accountMenu = mainRegion(page).getByRole('navigation', { name: 'Account' })
  await expect(accountMenu.getByRole('link', { name: 'Maker' })).toHaveAttribute('aria-current', 'true')

  const token = (await readStoredTokens(page))?.accessToken
  const historyResponse = await fetch(`http://127.0.0.1:${site.port}/api/make/history`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ file_name: 'Exported here.wav', file_size: 44, speed: 1.25, pitch: 0 }),
  })
  expect(historyResponse.status).toBe(200)
  await page.reload()
  // Files of the maker are not on the server.
  await expect(mainRegion(page)).toContainText('No history found.')
})

test('convert on the server: a song is uploaded, converted and downloaded; a reload during the conversion shows it again; cancel ends it', {
  tag: '@long',
}, async ({ page, site, faults }) => {
  test.setTimeout(180_000)
  faults.expect(/status of 40[04]/)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await site.runAdmin('user', 'grant', '--email', credentials.email, '--role', 'subscriber')
  await signInByRequest(page, site.origin(), credentials)
  await openHydratedPage(page, '/account/make')
  await locateField(page, 'Song').setInputFiles({ name: 'My song.mp3', mimeType: 'audio/mpeg', buffer: createSong(5) })
  await locateField(page, 'Speed in percent').fill('-20')
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByText('Your song has been converted!')).toBeVisible({ timeout: 60_000 })
  const downloadPromise = page.waitForEvent('download')
  await mainRegion(page).getByRole('link', { name: 'Click here to download your song!' }).click()
  expect((await downloadPromise).suggestedFilename()).toBe('My song (-20%).mp3')
  await expect(mainRegion(page).getByRole('region', { name: 'History' }).getByRole('listitem')).toContainText('My song (-20%).mp3')

  const longSong = { name: 'Long.mp3', mimeType: 'audio/mpeg', buffer: createSong(600) }
  await locateField(page, 'Song').setInputFiles(longSong)
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByText('Converting')).toBeVisible({ timeout: 60_000 })
  await page.reload()
  await expect(mainRegion(page).getByText('Your song has been converted!')).toBeVisible({ timeout: 90_000 })

  await locateField(page, 'Song').setInputFiles(longSong)
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByText('Converting')).toBeVisible({ timeout: 60_000 })
  await locateField(page, 'Speed in percent').fill('30')
  await locateButton(page, 'Cancel').click()
  await expect(mainRegion(page).getByRole('progressbar')).toHaveCount(0)
  await expect(locateButton(page, 'Convert')).toBeFocused()
  await expect(mainRegion(page).getByText('The conversion was cancelled.')).toBeVisible()
  await expect(mainRegion(page).getByRole('region', { name: 'History' }).getByRole('listitem')).toHaveCount(2)

  await locateField(page, 'Song').setInputFiles({
    name: 'text.mp3',
    mimeType: 'audio/mpeg',
    buffer: Buffer.from('#EXTM3U\nfile:///etc/passwd'),
  })
  await locateButton(page, 'Convert').click()
  await expect(mainRegion(page).getByRole('alert')).toHaveText('Please upload an MP3, WAV, PCM, AIFF, AAC, FLAC or ALAC file.')
})
