import { readFile } from 'node:fs/promises'
import type { BrowserContext } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  chooseAudioFile,
  createToneFile,
  downloadExport,
  loadAudioFile,
  locateMakerButton,
  locateMessage,
  openMaker,
  setSlider,
} from './maker-steps.ts'
import { mainRegion } from './steps.ts'

/** The body fields that requests may send, by the path of the request. Every page of a signed-in account sends the requests of the last four paths. */
const ALLOWED_BODY_FIELDS_BY_PATH: Readonly<Record<string, readonly string[]>> = {
  '/api/make/history': ['change_id', 'exported_at', 'file_name', 'file_size', 'pitch', 'speed'],
  '/api/make/presets': ['changes'],
  '/api/favorite/sync': ['since', 'changes'],
  '/api/list/sync': ['since', 'changes'],
  '/api/follow/sync': ['since', 'changes'],
  '/identitytoolkit.googleapis.com/v1/accounts:lookup': ['idToken'],
}
const MAX_BODY_CHARACTERS = 1000

/** Records the requests of the pages and workers of a browser context. `listForbidden` describes those that send forbidden data. */
function watchNetwork(context: BrowserContext, siteOrigin: string) {
  const sentRequests: { url: URL; method: string; body: string }[] = []
  const socketUrls: string[] = []
  context.on('request', (request) => {
    sentRequests.push({ url: new URL(request.url()), method: request.method(), body: request.postDataBuffer()?.toString('latin1') ?? '' })
  })
  for (const page of context.pages()) page.on('websocket', (socket) => socketUrls.push(socket.url()))
  return {
    requests: sentRequests,
    listForbidden(secretTexts: readonly string[]): string[] {
      const forbiddenRequests = sentRequests.filter(({ url, method, body }) => {
        if (['blob:', 'data:'].includes(url.protocol)) return method !== 'GET'
        if (url.origin !== siteOrigin || secretTexts.some((secret) => decodeURIComponent(url.href).includes(secret))) return true
        const allowedFields = ALLOWED_BODY_FIELDS_BY_PATH[url.pathname]
        if (allowedFields === undefined || method === 'GET') return method !== 'GET' || body !== ''
        const { idToken: _, ...content } = JSON.parse(body)
        const isLong = JSON.stringify(content).length > MAX_BODY_CHARACTERS
        return isLong || Object.keys(JSON.parse(body)).some((field) => !allowedFields.includes(field))
      })
      return [...socketUrls, ...forbiddenRequests.map(({ url, method, body }) => `${method} ${url} ${body.slice(0, 200)}`)]
    },
  }
}

test('maker: whatever a person does, the page sends only the records of exported files and the presets; no part of a song, no tag and no link is sent', async ({
  page,
  context,
  site,
}) => {
  test.setTimeout(400_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openMaker(page, site, { isNew: true })
  await expect(locateMakerButton(page, 'Open a file')).toBeVisible()
  const networkWatch = watchNetwork(context, site.origin())
  const dialog = page.getByRole('dialog')
  const closeDialog = async () => {
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  await test.step('a link to settings is copied and opened', async () => {
    await page.goto(`${site.origin()}/account/maker#speed=0.81&pitch=0&size=40&reverb=0&bass=2&preset=Secret+preset`)
    await page.reload()
    await expect(locateMessage(page, 'Settings of the link: Secret preset is set.')).toBeVisible()
    await locateMakerButton(page, 'Share settings and presets').click()
    await page.getByRole('menuitem', { name: 'Copy link to these settings' }).click()
    await expect(locateMessage(page, 'Link copied!')).toBeVisible()
  })
  await test.step('a song is played, cut, faded, measured and named, and an edit of it is undone', async () => {
    await loadAudioFile(page, createToneFile('first.wav', { seconds: 8 }))
    await locateMakerButton(page, 'Cut silence').click()
    await locateMakerButton(page, 'Fades').click()
    await mainRegion(page).getByRole('slider', { name: 'Fade out', exact: true }).fill('1')
    await page.keyboard.press('Escape')
    await locateMakerButton(page, 'Undo').click()
    await locateMakerButton(page, 'Pause').click()
    await locateMakerButton(page, 'Tags, name and level').click()
    await dialog.getByLabel('Title').fill('Secret title')
    await dialog.getByLabel('Loudness of the file').selectOption('−14 LUFS, video platforms')
    await dialog.getByRole('button', { name: 'Measure the level' }).click()
    await expect(dialog.getByText('After: ', { exact: false })).toBeVisible()
    await closeDialog()
  })
  await test.step('a file of each format is downloaded', async () => {
    for (const format of ['WAV, 16-bit', 'WAV, 24-bit', 'WAV, 32-bit float', 'FLAC, 16-bit', 'FLAC, 24-bit', 'MP3, 320 kbps'])
      expect((await downloadExport(page, format)).bytes.length, format).toBeGreaterThan(10_000)
  })
  await test.step('a video is made', async () => {
    await locateMakerButton(page, 'Download as video').click()
    await expect(dialog.getByRole('button', { name: 'Drawn cover' })).toBeVisible()
    const downloadPromise = page.waitForEvent('download', { timeout: 120_000 })
    await dialog.getByRole('button', { name: 'Make the video' }).click()
    expect((await readFile(await (await downloadPromise).path())).length).toBeGreaterThan(10_000)
    await closeDialog()
  })
  await test.step('many songs are exported as a batch', async () => {
    await locateMakerButton(page, /^Many songs/).click()
    await page.getByLabel('Add songs: files').setInputFiles([createToneFile('third.wav'), createToneFile('fourth.wav')])
    await dialog.getByRole('button', { name: 'Start, as one ZIP file' }).click()
    await expect(dialog.getByText('2 of 2 songs done')).toBeVisible({ timeout: 60_000 })
    const [download] = await Promise.all([page.waitForEvent('download'), dialog.getByRole('button', { name: 'Save the ZIP file' }).click()])
    expect((await readFile(await download.path())).length).toBeGreaterThan(10_000)
    await dialog.getByRole('button', { name: 'Delete the ZIP file here' }).click()
    await closeDialog()
  })
  await test.step('edits are played, saved as a file, and opened from the file', async () => {
    const editsRegion = mainRegion(page).getByRole('region', { name: 'My edits' })
    await editsRegion.getByRole('button', { name: 'Play all' }).click()
    await expect(page.getByRole('region', { name: 'Player', exact: true }).getByRole('slider', { name: 'Position' })).not.toHaveValue('0')
    await editsRegion.getByRole('button', { name: /^More: / }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as a file' }).click()])
    const buffer = await readFile(await download.path())
    await chooseAudioFile(page, { name: 'first.vsed', mimeType: '', buffer })
    await expect(page.getByText('Edit opened: it is one of your edits now.')).toBeVisible()
  })
  await test.step('presets are saved', async () => {
    await setSlider(page, 'Speed', 0.66)
    await locateMakerButton(page, 'Save preset').click()
    await dialog.getByLabel('Name').fill('Mine')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(locateMakerButton(page, 'Mine')).toBeVisible()
  })

  const countPostsTo = (path: string) =>
    networkWatch.requests.filter(({ url, method }) => url.pathname === path && method === 'POST').length
  await expect.poll(() => countPostsTo('/api/make/history'), { timeout: 30_000 }).toBeGreaterThanOrEqual(7)
  await expect.poll(() => countPostsTo('/api/make/presets')).toBeGreaterThanOrEqual(1)
  expect(networkWatch.listForbidden(['Secret preset', 'Secret+preset', 'Secret title', 'speed=0.81'])).toEqual([])
})
