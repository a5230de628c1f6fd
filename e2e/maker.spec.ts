import { readFileSync } from 'node:fs'
import { brands, expect, test } from './fixtures.ts'
import { signOut } from './identity/steps.ts'
import {
  chooseAudioFile,
  createToneFile,
  downloadExport,
  downloadWav,
  dropFiles,
  loadAudioFile,
  locateMakerButton,
  locateMakerSlider,
  locateMessage,
  measureFrequency,
  openMaker,
  readSavedSettings,
  SAMPLE_RATE,
  setSlider,
} from './maker-steps.ts'
import { mainRegion, pageHeading, waitForHydration } from './steps.ts'

const secondBrand = brands[1]

test(`maker, ${secondBrand.name}: the initial speed is that of the brand; a message is shown if no file is loaded, and for each kind of invalid file`, {
  tag: '@long',
}, async ({ page, site }) => {
  await openMaker(page, site, { origin: site.origin(secondBrand.subdomain) })
  await expect(pageHeading(page)).toHaveText('Maker')
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.85')
  await test.step('without a file, Play and Download show a message', async () => {
    await locateMakerButton(page, 'Play').click()
    await expect(locateMessage(page, 'No Audio: Please load an audio file to play.')).toBeVisible()
    await locateMakerButton(page, 'Download as WAV').click()
    await expect(locateMessage(page, 'No Audio Loaded: Please upload an audio file before downloading.')).toBeVisible()
  })
  await test.step('each kind of invalid file has its own message', async () => {
    await chooseAudioFile(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') })
    await expect(locateMessage(page, 'Invalid File Type: Please upload MP3, WAV, OGG, M4A, AAC or FLAC files.')).toBeVisible()
    await chooseAudioFile(page, { name: 'broken.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('<html>only words</html>') })
    await expect(
      locateMessage(page, 'Audio Load Error: Could not load or decode the audio file. Please try a different file.'),
    ).toBeVisible()
    await chooseAudioFile(page, { name: 'empty.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) })
    await expect(locateMessage(page, 'Audio Load Error: This file holds no sound.')).toBeVisible()
    const fileType = Buffer.from('\0\0\0\u0018ftypM4A \0\0\u0002\0M4A mp42')
    await chooseAudioFile(page, { name: 'cut.m4a', mimeType: 'audio/mp4', buffer: fileType })
    await expect(locateMessage(page, 'Audio Load Error: The end of this file is missing.')).toBeVisible()
    const losslessFile = readFileSync('client/engine/testing/fixtures/alac.m4a')
    await chooseAudioFile(page, { name: 'lossless.m4a', mimeType: 'audio/mp4', buffer: losslessFile })
    await expect(locateMessage(page, 'Audio Load Error: This browser cannot decode the codec of this file')).toBeVisible()
    await test.step('the messages of an action replace those of earlier ones', async () => {
      await loadAudioFile(page, createToneFile('good.wav'))
      await expect(page.getByText('Audio Load Error')).toHaveCount(0)
      await expect(page.getByText('No Audio')).toHaveCount(0)
    })
    // Checks that an invalid file does not replace the loaded song.
    await chooseAudioFile(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') })
    await expect(locateMessage(page, 'Invalid File Type')).toBeVisible()
    await expect(mainRegion(page)).toContainText('good.wav')
  })
})

test('maker: a song is loaded, changed, played and downloaded; audio is never sent to a server', async ({ page, site }) => {
  const sentRequests: { url: string; bodyBytes: number }[] = []
  page.context().on('request', (request) => {
    sentRequests.push({ url: request.url(), bodyBytes: request.postDataBuffer()?.byteLength ?? 0 })
  })
  await openMaker(page, site)
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('1.25')
  await expect(locateMakerSlider(page, 'Pitch')).toHaveValue('0')
  const sentCountBefore = sentRequests.length
  await loadAudioFile(page, createToneFile('city lights.wav'))
  await expect(locateMakerButton(page, 'Pause')).toBeVisible()
  await setSlider(page, 'Speed', 1.5)
  await setSlider(page, 'Pitch', -12)
  await expect(mainRegion(page)).toContainText('0.75×')
  const wav = await downloadWav(page)
  await expect(locateMessage(page, `Download Started: ${wav.name} downloading as WAV.`)).toBeVisible()
  expect(wav.name).toMatch(/^city lights .*\.wav$/)
  expect(wav).toMatchObject({ sampleRate: SAMPLE_RATE, bitsPerSample: 16, frames: Math.round((4 * SAMPLE_RATE) / 0.75) })
  expect(measureFrequency(wav)).toBeCloseTo(330, 1)
  await test.step('the song is downloaded as 32-bit float WAV and as MP3', async () => {
    const floatWav = await downloadWav(page, 'WAV, 32-bit float')
    expect(floatWav).toMatchObject({ bitsPerSample: 32, sampleRate: SAMPLE_RATE })
    expect(measureFrequency(floatWav)).toBeCloseTo(330, 2)
    const mp3Bytes = await downloadExport(page, 'MP3, 320 kbps')
    expect(mp3Bytes.name).toMatch(/\.mp3$/)
    await expect(locateMessage(page, `Download Started: ${mp3Bytes.name} downloading as MP3.`)).toBeVisible()
    const lengthS = await page.evaluate(async (base64Bytes) => {
      const audioContext = new OfflineAudioContext(1, 1, 44_100)
      return (await audioContext.decodeAudioData(Uint8Array.from(atob(base64Bytes), (each) => each.charCodeAt(0)).buffer)).duration
    }, mp3Bytes.bytes.toString('base64'))
    expect(lengthS).toBeGreaterThan(5.28)
    expect(lengthS).toBeLessThan(5.43)
  })
  await test.step('an export that would clip is lowered, and the reduction is shown', async () => {
    await setSlider(page, 'Speed', 1.25)
    await setSlider(page, 'Pitch', 0)
    await loadAudioFile(page, createToneFile('loud.wav', { amplitude: 1, hz: 11_025 }))
    await setSlider(page, 'Bass', 0)
    await setSlider(page, 'Reverb amount', 60)
    await setSlider(page, 'Reverb size', 30)
    const wav = await downloadWav(page)
    await expect(locateMessage(page, /Lowered by \d+\.\d\sdB, so that nothing clips\./)).toBeVisible()
    const peakSample = wav.channels.reduce(
      (peakSoFar, samples) => samples.reduce((channelPeak, sample) => Math.max(channelPeak, Math.abs(sample)), peakSoFar),
      0,
    )
    expect(peakSample).toBeGreaterThan(0.98)
    expect(peakSample).toBeLessThanOrEqual(1)
  })
  await test.step('audio is never sent to a server', async () => {
    await page.waitForTimeout(1_000)
    const newRequests = sentRequests.slice(sentCountBefore)
    for (const { url, bodyBytes: bytes } of newRequests) {
      expect(url.startsWith('blob:') || url.startsWith(site.origin()), url).toBe(true)
      expect(bytes, url).toBeLessThan(1_000)
    }
  })
})

test('maker: presets can be chosen, saved, renamed and deleted; values can be typed; the download refuses an invalid speed; the page fits a phone', {
  tag: '@long',
}, async ({ page, site }) => {
  await openMaker(page, site)
  await locateMakerButton(page, 'Slowed + Reverb').click()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.8')
  await expect(locateMakerSlider(page, 'Reverb amount')).not.toHaveValue('0')
  await setSlider(page, 'Speed', 0.65)
  await locateMakerButton(page, 'Save preset').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toContainText('Please type a name.')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Nightcore')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toContainText('There is a built-in preset with this name.')
  await dialog.getByLabel('Name').fill('Bus window')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(locateMakerButton(page, 'Bus window')).toHaveAttribute('aria-pressed', 'true')
  await locateMakerButton(page, 'Nightcore').click()
  await test.step('presets belong to the account, so another device of the account has the same presets', async () => {
    await page.evaluate(() => {
      for (const key of Object.keys(localStorage)) if (key.startsWith('varispeed.presets')) localStorage.removeItem(key)
    })
    await page.reload()
    await waitForHydration(page)
  })
  await locateMakerButton(page, 'Bus window').click()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.65')
  await test.step('a preset is renamed', async () => {
    await locateMakerButton(page, 'Rename preset').click()
    await expect(dialog.getByLabel('Name')).toHaveValue('Bus window')
    await dialog.getByLabel('Name').fill('Slowed')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(dialog).toContainText('There is a built-in preset with this name.')
    await dialog.getByLabel('Name').fill('Night train')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(locateMakerButton(page, 'Night train')).toHaveAttribute('aria-pressed', 'true')
    await expect(locateMakerButton(page, 'Bus window')).toBeHidden()
    await expect(locateMakerButton(page, 'Rename preset')).toBeFocused()
  })
  await locateMakerButton(page, 'Delete preset').click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(locateMakerButton(page, 'Night train')).toBeHidden()
  await expect(locateMakerButton(page, 'Save preset')).toBeFocused()
  await test.step('values can be typed; an invalid speed is refused at the download', async () => {
    await loadAudioFile(page, createToneFile('typed.wav'))
    await test.step('for a song without a beat, a person types the tempo, and the speed is fitted to it', async () => {
      await expect(mainRegion(page)).toContainText('no beat found')
      const tempoField = mainRegion(page).getByRole('textbox', { name: 'Song’s BPM' })
      await tempoField.fill('12')
      await expect(tempoField).toHaveAttribute('aria-invalid', 'true')
      await tempoField.fill('93,5')
      await tempoField.press('Enter')
      await expect(mainRegion(page)).toContainText('was 93.5')
      await locateMakerButton(page, 'Fit 140-160 BPM').click()
      await expect(locateMakerSlider(page, 'Speed')).toHaveValue('1.6')
      await locateMakerButton(page, 'Tap the beat').press('Enter')
      await expect(mainRegion(page)).toContainText('Keep tapping on the beat.')
    })
    const speedField = mainRegion(page).getByRole('textbox', { name: 'Speed value' })
    await speedField.fill('1,5')
    await speedField.press('Enter')
    await expect(locateMakerSlider(page, 'Speed')).toHaveValue('1.5')
    await speedField.fill('1.172')
    await speedField.press('Enter')
    await expect(locateMakerSlider(page, 'Speed')).toHaveAttribute('aria-valuetext', '1.172 ×')
    const pitchField = mainRegion(page).getByRole('textbox', { name: 'Pitch value' })
    await pitchField.fill('-0.37')
    await pitchField.press('Enter')
    await expect(pitchField).toHaveValue('−0.37')
    await setSlider(page, 'Reverb amount', 0)
    await setSlider(page, 'Bass', 0)
    const exactFile = await downloadWav(page)
    expect(exactFile.name).toBe('typed (speed 1.172, pitch -0.37).wav')
    expect(measureFrequency(exactFile)).toBeCloseTo(440 * 1.172 * 2 ** (-0.37 / 12), 1)
    await pitchField.fill('0')
    await pitchField.press('Enter')
    await speedField.fill('0')
    await expect(speedField).toHaveAttribute('aria-invalid', 'true')
    await locateMakerButton(page, 'Download as WAV').click()
    await expect(locateMessage(page, 'Invalid Speed: Playback speed must be greater than zero to download.')).toBeVisible()
    await speedField.fill('99')
    await speedField.press('Enter')
    await expect(locateMakerSlider(page, 'Speed')).toHaveValue('2')
    // Choosing a preset replaces the invalid speed in the text field.
    await speedField.fill('0')
    await locateMakerButton(page, 'Slowed').click()
    await downloadWav(page)
    await locateMakerSlider(page, 'Speed').dblclick()
    await expect(locateMakerSlider(page, 'Speed')).toHaveValue('1')
  })
  await test.step('of several dropped files that are not named as songs, the first that can be opened is opened, and the page says so', async () => {
    const untypedFile = { mimeType: 'application/octet-stream' }
    const brokenFile = { ...untypedFile, name: 'broken', buffer: Buffer.alloc(5000, 'x') }
    await dropFiles(page, [brokenFile, { ...createToneFile('dropped'), ...untypedFile }, { ...createToneFile('second'), ...untypedFile }])
    await expect(locateMessage(page, 'Invalid File Type: Please upload MP3, WAV, OGG, M4A, AAC or FLAC files.')).toBeVisible()
    await expect(locateMessage(page, 'Audio Loaded: dropped is ready for editing.')).toBeVisible()
    await expect(locateMessage(page, 'One song at a time: only dropped was opened.')).toBeVisible()
  })
  await test.step('on a phone the page is as wide as the screen', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await loadAudioFile(page, createToneFile(`${'x'.repeat(150)}.wav`))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

test('maker: after a sign-out, the project is not shown to the next account', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site, { isNew: true })
  await loadAudioFile(page, createToneFile('mine alone.wav'))
  await signOut(page)
  await openMaker(page, site)
  await expect(mainRegion(page).getByText('Drop a song here')).toBeVisible()
  await expect(mainRegion(page)).not.toContainText('mine alone.wav')
})

test('maker: playback in one tab pauses the other tab', { tag: '@long' }, async ({ page, site, context }) => {
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('twice.wav', { seconds: 60 }))
  await expect(locateMakerButton(page, 'Pause')).toBeVisible()
  const otherPage = await context.newPage()
  await otherPage.goto(`${site.origin()}/account/maker`)
  await waitForHydration(otherPage)
  await expect(mainRegion(otherPage)).toContainText('twice.wav')
  await locateMakerButton(otherPage, 'Play').click()
  await expect(locateMakerButton(otherPage, 'Pause')).toBeVisible()
  await expect(locateMakerButton(page, 'Play')).toBeVisible()
  await locateMakerButton(page, 'Play').click()
  await expect(locateMakerButton(otherPage, 'Play')).toBeVisible()
  await expect(locateMakerButton(page, 'Pause')).toBeVisible()
})

test('maker: without an audio device an error is shown and playback stops', { tag: '@long' }, async ({ page, site }) => {
  await page.addInitScript(() => {
    window.AudioContext = new Proxy(AudioContext, {
      construct() {
        throw new DOMException('no device', 'NotSupportedError')
      },
    })
  })
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('silent.wav'))
  await expect(locateMessage(page, 'Playback Error: The sound could not be started. Please try again.')).toBeVisible()
  await expect(locateMakerButton(page, 'Play')).toBeVisible()
})

test('maker: after a reload the last project is restored, until it is removed', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site)
  await loadAudioFile(page, createToneFile('kept.wav'))
  await setSlider(page, 'Speed', 0.7)
  await setSlider(page, 'Pitch', 3)
  await expect.poll(() => readSavedSettings(page)).toMatchObject({ speed: 0.7, pitch: 3 })
  await page.reload()
  await waitForHydration(page)
  await expect(mainRegion(page)).toContainText('kept.wav')
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.7')
  await expect(locateMakerSlider(page, 'Pitch')).toHaveValue('3')
  await expect(locateMakerButton(page, 'Play')).toBeVisible()
  const wav = await downloadWav(page)
  expect(measureFrequency(wav)).toBeCloseTo(440 * 0.7 * 2 ** (3 / 12), 1)
  await page.goto(`${site.origin()}/storage`)
  await expect(mainRegion(page)).toContainText('Your songs and edits')
  await page.goBack()
  await expect(mainRegion(page)).toContainText('kept.wav')
  await locateMakerButton(page, 'Remove this song from the device').click()
  await expect(mainRegion(page).getByText('Drop a song here')).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.7')
  await locateMakerButton(page, 'Remove this song from the device').click()
  await expect(mainRegion(page).getByText('Drop a song here')).toBeVisible()
  await page.reload()
  await waitForHydration(page)
  await expect(mainRegion(page).getByText('Drop a song here')).toBeVisible()
  await expect(mainRegion(page).getByRole('heading', { name: 'My edits' })).toHaveCount(0)
})

test('maker: edits are listed, opened, renamed, duplicated and deleted', { tag: '@long' }, async ({ page, site }) => {
  await openMaker(page, site, { isNew: true })
  await loadAudioFile(page, createToneFile('first.wav'))
  await setSlider(page, 'Speed', 0.7)
  await loadAudioFile(page, createToneFile('second.wav', { seconds: 8 }))
  const editsRegion = mainRegion(page).getByRole('region', { name: 'My edits' })
  await expect(editsRegion).toContainText('2 edits')
  await expect(editsRegion.getByRole('listitem')).toHaveCount(2)
  await editsRegion.getByRole('button', { name: 'first', exact: true }).click()
  await expect(locateMakerSlider(page, 'Speed')).toHaveValue('0.7')
  await expect(editsRegion.locator('[aria-current]')).toContainText('first')
  const chooseEditAction = async (editTitle: string, actionName: string) => {
    await editsRegion.getByRole('button', { name: `More: ${editTitle}` }).click()
    await page.getByRole('menuitem', { name: actionName }).click()
  }
  await chooseEditAction('second', 'Rename')
  await page.getByRole('dialog').getByLabel('Name').fill('Another name')
  await page.keyboard.press('Enter')
  await expect(editsRegion.getByRole('button', { name: 'Another name', exact: true })).toBeVisible()
  await chooseEditAction('first', 'Duplicate')
  await expect(editsRegion.getByRole('listitem')).toHaveCount(3)
  await chooseEditAction('first copy', 'Delete')
  await expect(editsRegion.getByRole('listitem')).toHaveCount(2)
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await expect(editsRegion.getByRole('button', { name: 'first copy', exact: true })).toBeVisible()
})

test('maker by keyboard: controls keep the focus, Space plays, a loop outside the view can be reached, and the position is restored', {
  tag: '@long',
}, async ({ page, site }) => {
  await openMaker(page, site)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), locateMakerButton(page, 'Open a file').press('Enter')])
  await chooser.setFiles(createToneFile('keys.wav', { seconds: 20 }))
  const positionSlider = locateMakerSlider(page, 'Position')
  await expect(positionSlider).toBeFocused()
  await positionSlider.press('Space')
  await expect(locateMakerButton(page, 'Play')).toBeVisible()
  for (let press = 0; press < 4; press++) await locateMakerButton(page, 'Zoom in').press('Enter')
  const loopEndSlider = locateMakerSlider(page, 'Loop end')
  await loopEndSlider.press('PageDown')
  await expect(loopEndSlider).toHaveAttribute('aria-valuenow', '19')
  await expect(loopEndSlider).toBeFocused()
  await expect(loopEndSlider).not.toHaveAttribute('data-away')
  await positionSlider.press('Home')
  for (let press = 0; press < 5; press++) await positionSlider.press('ArrowRight')
  await expect(positionSlider).toHaveAttribute('aria-valuetext', '0:04.00 of 0:16.00')
  await mainRegion(page).getByRole('link', { name: 'Dashboard' }).press('Enter')
  await expect(pageHeading(page)).toHaveText('Dashboard')
  await expect(pageHeading(page)).toBeFocused()
  await mainRegion(page).getByRole('link', { name: 'Maker' }).press('Enter')
  await expect(positionSlider).toHaveAttribute('aria-valuetext', '0:04.00 of 0:16.00')
  await locateMakerButton(page, 'Remove this song from the device').press('Enter')
  await expect(locateMakerButton(page, 'Open a file')).toBeFocused()
})
