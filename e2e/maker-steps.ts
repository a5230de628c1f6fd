import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { PROJECT_FOLDER } from '../client/engine/engine.ts'
import { cutMiddle } from '../client/ui/cut-middle.ts'
import { readWav, type Wav } from '../dsp/read-wav.ts'
import { encodeWavHeader } from '../dsp/wav.ts'
import { type Credentials, createCredentials, openHydratedPage, signInByRequest } from './identity/steps.ts'
import type { Site } from './server.ts'
import { mainRegion } from './steps.ts'

/** A file in the format that Playwright's `setInputFiles` accepts. */
export interface AudioInputFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const SAMPLE_RATE = 44_100

/** Returns a 16-bit WAV file with a sine tone. */
export function createToneFile(fileName: string, { seconds = 4, hz = 440, amplitude = 0.5, channels = 2 } = {}): AudioInputFile {
  const frameCount = Math.round(seconds * SAMPLE_RATE)
  const samples = new Int16Array(frameCount * channels)
  for (let index = 0; index < samples.length; index++)
    samples[index] = Math.round(amplitude * 32767 * Math.sin((2 * Math.PI * hz * Math.floor(index / channels)) / SAMPLE_RATE))
  const header = encodeWavHeader({ format: 'int16', channels, sampleRate: SAMPLE_RATE, frames: frameCount })
  return { name: fileName, mimeType: 'audio/wav', buffer: Buffer.concat([header, Buffer.from(samples.buffer)]) }
}

/** The subscriber of each site, by the site's port. */
const subscriberByPort = new Map<number, Credentials>()

/** Creates an account with the role `subscriber`. */
export async function createSubscriber(site: Site): Promise<Credentials> {
  const credentials = createCredentials()
  await site.runAdmin('user', 'create', '--email', credentials.email, '--password', credentials.password, '--role', 'subscriber')
  return credentials
}

/** Opens the maker as the subscriber of the site, or with `isNew` as a new subscriber. */
export async function openMaker(page: Page, site: Site, { isNew = false, origin = site.origin() } = {}): Promise<void> {
  const credentials = (isNew ? undefined : subscriberByPort.get(site.port)) ?? (await createSubscriber(site))
  if (!isNew) subscriberByPort.set(site.port, credentials)
  await signInByRequest(page, site.origin(), credentials, origin)
  await openHydratedPage(page, `${origin}/account/maker`)
}

export const locateMakerButton = (page: Page, name: string | RegExp) =>
  mainRegion(page).getByRole('button', { name, exact: true }).locator('visible=true')
export const locateMakerSlider = (page: Page, name: string) => mainRegion(page).getByRole('slider', { name, exact: true })
export const locateMessage = (page: Page, text: string | RegExp) => page.getByText(text).first()

export async function chooseAudioFile(page: Page, file: AudioInputFile): Promise<void> {
  await mainRegion(page).getByLabel('Audio file').first().setInputFiles(file)
}

/** Drops files on the page. */
export async function dropFiles(page: Page, files: readonly AudioInputFile[]): Promise<void> {
  const base64Files = files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') }))
  await page.evaluate((droppedFiles) => {
    const dataTransfer = new DataTransfer()
    for (const { name, mimeType, base64 } of droppedFiles) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], name, { type: mimeType }))
    }
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, base64Files)
}

export async function loadAudioFile(page: Page, file: AudioInputFile): Promise<void> {
  await chooseAudioFile(page, file)
  await expect(locateMessage(page, `Audio Loaded: ${cutMiddle(file.name)} is ready for editing.`)).toBeVisible()
}

/** Sets the value of a native range input. */
export async function setSlider(page: Page, name: string, value: number): Promise<void> {
  await locateMakerSlider(page, name).fill(String(value))
}

/** Returns the settings of the project that was saved last on the device, or undefined if there is no project. */
export const readSavedSettings = (page: Page): Promise<unknown> =>
  page.evaluate(async (folderName) => {
    const rootFolder = await navigator.storage.getDirectory()
    const projectFolder = await rootFolder.getDirectoryHandle(folderName).catch(() => undefined)
    const projectRecords: { settings: unknown; changedAtMs: number }[] = []
    for await (const fileName of projectFolder?.keys() ?? []) {
      if (!fileName.endsWith('.json')) continue
      const recordText = await projectFolder?.getFileHandle(fileName).then(
        async (handle) => (await handle.getFile()).text(),
        () => '',
      )
      if (recordText) projectRecords.push(JSON.parse(recordText))
    }
    return projectRecords.toSorted((a, b) => b.changedAtMs - a.changedAtMs)[0]?.settings
  }, PROJECT_FOLDER)

/** Chooses the format of downloads, in the words of the list of formats. */
export const chooseFormat = (page: Page, format: string) => mainRegion(page).getByLabel('Format').selectOption(format)

export const locateDownloadButton = (page: Page) => locateMakerButton(page, /^Download as (?:WAV|FLAC|MP3)$/)

/** Downloads the song in a format, and returns the file. */
export async function downloadExport(page: Page, formatName = 'WAV, 16-bit'): Promise<{ name: string; bytes: Buffer }> {
  await chooseFormat(page, formatName)
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 90_000 }), locateDownloadButton(page).click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

export async function downloadWav(page: Page, formatName?: string): Promise<Wav & { name: string; bytes: Buffer }> {
  const file = await downloadExport(page, formatName)
  return { ...(await readWav(new Uint8Array(file.bytes))), ...file }
}

/** Returns the frequency of a tone in Hz, measured by its upward zero crossings. */
export function measureFrequency({ channels: [samples = new Float32Array()], sampleRate }: Wav): number {
  const zeroCrossingFrames: number[] = []
  for (let frame = 1; frame < samples.length; frame++) {
    const [sampleBefore = 0, sampleAfter = 0] = [samples[frame - 1], samples[frame]]
    if (sampleBefore < 0 && sampleAfter >= 0) zeroCrossingFrames.push(frame - sampleAfter / (sampleAfter - sampleBefore))
  }
  const [firstCrossing = 0, lastCrossing = 1] = [zeroCrossingFrames[0], zeroCrossingFrames.at(-1)]
  return ((zeroCrossingFrames.length - 1) * sampleRate) / (lastCrossing - firstCrossing)
}
