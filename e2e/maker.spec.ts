import { brands, expect, test } from './fixtures.ts'
import { anybody, register, signOut, submitLogIn } from './identity/steps.ts'
import {
  choose,
  downloaded,
  downloadedWav,
  frequencyOf,
  key,
  load,
  openMaker,
  SAMPLE_RATE,
  said,
  slide,
  slider,
  toneFile,
} from './maker-steps.ts'
import { heading, main, untilAlive } from './steps.ts'

test('with nothing loaded every key says what is missing', async ({ page, site }) => {
  await openMaker(page, site)
  await expect(heading(page)).toHaveText('Maker')
  await key(page, 'Play').click()
  await expect(said(page, 'No Audio: Please load an audio file to play.')).toBeVisible()
  await key(page, 'Download as WAV').click()
  await expect(said(page, 'No Audio Loaded: Please upload an audio file before downloading.')).toBeVisible()
})

test('what is no song is told apart', async ({ page, site }) => {
  await openMaker(page, site)
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') })
  await expect(said(page, 'Invalid File Type: Please upload MP3, WAV, OGG, M4A, AAC or FLAC files.')).toBeVisible()
  await choose(page, { name: 'broken.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('<html>only words</html>') })
  await expect(said(page, 'Audio Load Error: Could not load or decode the audio file. Please try a different file.')).toBeVisible()
  await choose(page, { name: 'empty.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) })
  await expect(said(page, 'Audio Load Error: This file holds no sound.')).toBeVisible()
  // What was there before goes on.
  await load(page, toneFile('good.wav'))
  await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('only words') })
  await expect(said(page, 'Invalid File Type')).toBeVisible()
  await expect(main(page)).toContainText('good.wav')
})

for (const { name, subdomain, speed } of [
  { ...brands[0], speed: 1.25 },
  { ...brands[1], speed: 0.85 },
]) {
  test(`a song is loaded, changed, heard and downloaded on ${name}`, async ({ page, site }) => {
    await openMaker(page, site, { origin: site.origin(subdomain) })
    await expect(slider(page, 'Speed')).toHaveValue(String(speed))
    await expect(slider(page, 'Pitch')).toHaveValue('0')
    await load(page, toneFile('city lights.wav'))
    await expect(key(page, 'Pause')).toBeVisible()
    await slide(page, 'Speed', 1.5)
    await slide(page, 'Pitch', -12)
    await expect(main(page)).toContainText('0.75×')
    const wav = await downloadedWav(page)
    await expect(said(page, `Download Started: ${wav.name} downloading as WAV.`)).toBeVisible()
    expect(wav.name).toMatch(/^city lights .*\.wav$/)
    expect(wav).toMatchObject({ sampleRate: SAMPLE_RATE, bitsPerSample: 16, frames: Math.round((4 * SAMPLE_RATE) / 0.75) })
    expect(frequencyOf(wav)).toBeCloseTo(330, 1)
  })
}

test('of two tabs the one that started last is heard', { tag: '@long' }, async ({ page, site, context }) => {
  await openMaker(page, site)
  await load(page, toneFile('twice.wav', { seconds: 60 }))
  await expect(key(page, 'Pause')).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${site.origin()}/account/maker`)
  await untilAlive(other)
  await expect(main(other)).toContainText('twice.wav')
  await key(other, 'Play').click()
  await expect(key(other, 'Pause')).toBeVisible()
  await expect(key(page, 'Play')).toBeVisible()
  await key(page, 'Play').click()
  await expect(key(other, 'Play')).toBeVisible()
  await expect(key(page, 'Pause')).toBeVisible()
})

test('a device without sound: it is said, and nothing seems to play', async ({ page, site }) => {
  await page.addInitScript(() => {
    window.AudioContext = new Proxy(AudioContext, {
      construct() {
        throw new DOMException('no device', 'NotSupportedError')
      },
    })
  })
  await openMaker(page, site)
  await load(page, toneFile('silent.wav'))
  await expect(said(page, 'Playback Error: The sound could not be started. Please try again.')).toBeVisible()
  await expect(key(page, 'Play')).toBeVisible()
})

test('what would clip is lowered, and it is said by how much', async ({ page, site }) => {
  await openMaker(page, site)
  await load(page, toneFile('loud.wav', { amplitude: 1, hz: 11_025 }))
  await slide(page, 'Bass', 0)
  await slide(page, 'Reverb amount', 60)
  await slide(page, 'Reverb size', 30)
  const wav = await downloadedWav(page)
  await expect(said(page, /Lowered by \d+\.\d dB, so that nothing clips\./)).toBeVisible()
  const peak = wav.channels.reduce((most, samples) => samples.reduce((high, sample) => Math.max(high, Math.abs(sample)), most), 0)
  expect(peak).toBeGreaterThan(0.98)
  expect(peak).toBeLessThanOrEqual(1)
})

test('the other formats: floats for further editing, and MP3', async ({ page, site }) => {
  await openMaker(page, site)
  await load(page, toneFile('tape.wav'))
  const float = await downloadedWav(page, /^32-bit float WAV/)
  expect(float).toMatchObject({ bitsPerSample: 32, sampleRate: SAMPLE_RATE })
  expect(frequencyOf(float)).toBeCloseTo(550, 2)
  const mp3 = await downloaded(page, /^MP3 320 kbps/)
  expect(mp3.name).toMatch(/\.mp3$/)
  await expect(said(page, `Download Started: ${mp3.name} downloading as MP3.`)).toBeVisible()
  const lengthS = await page.evaluate(async (bytes) => {
    const context = new OfflineAudioContext(1, 1, 44_100)
    return (await context.decodeAudioData(Uint8Array.from(atob(bytes), (each) => each.charCodeAt(0)).buffer)).duration
  }, mp3.bytes.toString('base64'))
  expect(lengthS).toBeGreaterThan(3.15)
  expect(lengthS).toBeLessThan(3.3)
})

test('nothing that is heard leaves the device', async ({ page, site }) => {
  const sent: { url: string; bytes: number }[] = []
  page.context().on('request', (request) => {
    sent.push({ url: request.url(), bytes: request.postDataBuffer()?.byteLength ?? 0 })
  })
  await openMaker(page, site)
  const before = sent.length
  await load(page, toneFile('secret song.wav'))
  await slide(page, 'Speed', 0.9)
  await downloadedWav(page)
  await page.waitForTimeout(1_000)
  const made = sent.slice(before)
  for (const { url, bytes } of made) {
    expect(url.startsWith('blob:') || url.startsWith(site.origin()), url).toBe(true)
    expect(bytes, url).toBeLessThan(1_000)
  }
})

test('the last project comes back after a reload, and goes when it is removed', async ({ page, site }) => {
  await openMaker(page, site)
  await load(page, toneFile('kept.wav'))
  await slide(page, 'Speed', 0.7)
  await slide(page, 'Pitch', 3)
  await page.waitForTimeout(1_000)
  await page.reload()
  await untilAlive(page)
  await expect(main(page)).toContainText('kept.wav')
  await expect(slider(page, 'Speed')).toHaveValue('0.7')
  await expect(slider(page, 'Pitch')).toHaveValue('3')
  await expect(key(page, 'Play')).toBeVisible()
  const wav = await downloadedWav(page)
  expect(frequencyOf(wav)).toBeCloseTo(440 * 0.7 * 2 ** (3 / 12), 1)
  await page.goto(`${site.origin()}/storage`)
  await expect(main(page)).toContainText('Your last song with its settings')
  await page.goBack()
  await expect(main(page)).toContainText('kept.wav')
  await key(page, 'Remove this song from the device').click()
  await expect(main(page).getByText('Drop a song here')).toBeVisible()
  await page.goto(`${site.origin()}/storage`)
  await expect(main(page).getByText('Opened before')).toBeVisible()
  await expect(main(page)).not.toContainText('Your last song')
  await page.goBack()
  await page.reload()
  await untilAlive(page)
  await expect(main(page).getByText('Drop a song here')).toBeVisible()
})

test('values can be typed; a speed that is none is refused at the download', async ({ page, site }) => {
  await openMaker(page, site)
  await load(page, toneFile('typed.wav'))
  const typed = main(page).getByRole('textbox', { name: 'Speed value' })
  await typed.fill('1,5')
  await typed.press('Enter')
  await expect(slider(page, 'Speed')).toHaveValue('1.5')
  await typed.fill('0')
  await expect(typed).toHaveAttribute('aria-invalid', 'true')
  await key(page, 'Download as WAV').click()
  await expect(said(page, 'Invalid Speed: Playback speed must be greater than zero to download.')).toBeVisible()
  await typed.fill('99')
  await typed.press('Enter')
  await expect(slider(page, 'Speed')).toHaveValue('2')
  // What was none is over with a preset.
  await typed.fill('0')
  await key(page, 'Slowed').click()
  await downloadedWav(page)
  await slider(page, 'Speed').dblclick()
  await expect(slider(page, 'Speed')).toHaveValue('1')
})

test('the song of who signed out is not there for who comes after them', async ({ page, site }) => {
  await openMaker(page, site)
  await load(page, toneFile('mine alone.wav'))
  await signOut(page)
  await openMaker(page, site)
  await expect(main(page).getByText('Drop a song here')).toBeVisible()
  await expect(main(page)).not.toContainText('mine alone.wav')
})

test('by keys: the focus is not lost, Space plays, a loop out of view is reached, and whoever comes back finds the place', async ({
  page,
  site,
}) => {
  await openMaker(page, site)
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), key(page, 'Open a file').press('Enter')])
  await chooser.setFiles(toneFile('keys.wav', { seconds: 20 }))
  const position = slider(page, 'Position')
  await expect(position).toBeFocused()
  await position.press('Space')
  await expect(key(page, 'Play')).toBeVisible()
  for (let press = 0; press < 4; press++) await key(page, 'Zoom in').press('Enter')
  const end = slider(page, 'Loop end')
  await end.press('PageDown')
  await expect(end).toHaveAttribute('aria-valuenow', '19')
  await expect(end).toBeFocused()
  await expect(end).not.toHaveAttribute('data-away')
  await position.press('Home')
  for (let press = 0; press < 5; press++) await position.press('ArrowRight')
  await expect(position).toHaveAttribute('aria-valuetext', '0:04.00 of 0:16.00')
  await main(page).getByRole('link', { name: 'Dashboard' }).press('Enter')
  // While a page changes into another, the picture of it takes no keys.
  await expect(heading(page)).toHaveText('Dashboard')
  await expect(heading(page)).toBeFocused()
  await main(page).getByRole('link', { name: 'Maker' }).press('Enter')
  await expect(position).toHaveAttribute('aria-valuetext', '0:04.00 of 0:16.00')
  await key(page, 'Remove this song from the device').press('Enter')
  await expect(key(page, 'Open a file')).toBeFocused()
})

test('on a phone nothing is wider than the screen', async ({ page, site }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await openMaker(page, site)
  await load(page, toneFile(`${'x'.repeat(150)}.wav`))
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('presets, and one of my own', async ({ page, site }) => {
  await openMaker(page, site)
  await key(page, 'Slowed + Reverb').click()
  await expect(slider(page, 'Speed')).toHaveValue('0.8')
  await expect(slider(page, 'Reverb amount')).not.toHaveValue('0')
  await slide(page, 'Speed', 0.65)
  await key(page, 'Save preset').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Name')).toBeFocused()
  await dialog.getByLabel('Name').fill('Nightcore')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog).toContainText('A preset of the house has this name.')
  await dialog.getByLabel('Name').fill('Bus window')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(key(page, 'Bus window')).toHaveAttribute('aria-pressed', 'true')
  await key(page, 'Nightcore').click()
  await page.reload()
  await untilAlive(page)
  await key(page, 'Bus window').click()
  await expect(slider(page, 'Speed')).toHaveValue('0.65')
  await key(page, 'Delete preset').click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(key(page, 'Bus window')).toBeHidden()
})

test('who is signed out logs in first, and comes back; who is no subscriber sees why it is locked', async ({ page, site }) => {
  const credentials = anybody()
  await register(site.origin(), credentials)
  await page.goto(`${site.origin()}/account/maker`)
  await expect(page).toHaveURL(/\/login/)
  await untilAlive(page)
  await submitLogIn(page, credentials)
  await expect(page).toHaveURL(/\/account\/maker$/)
  await expect(
    main(page).getByText(
      'Content locked: Content is locked because you are not a subscriber. Become a subscriber to support us and unlock all content.',
    ),
  ).toBeVisible()
  await expect(main(page).getByRole('link', { name: 'Subscribe' })).toHaveAttribute('href', '/subscribe')
})
