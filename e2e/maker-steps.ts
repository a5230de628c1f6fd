import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { readWav, type Wav } from '../dsp/read-wav.ts'
import { wavHeader } from '../dsp/wav.ts'
import { expectSignedIn, submitLogIn } from './identity/steps.ts'
import type { Site } from './server.ts'
import { main, untilAlive } from './steps.ts'

/** A file as `setInputFiles` takes it. */
export interface SoundFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export const SAMPLE_RATE = 44_100

/** A tone, as a WAV file of 16 bits. */
export function toneFile(name: string, { seconds = 4, hz = 440, amplitude = 0.5, channels = 2 } = {}): SoundFile {
  const frames = Math.round(seconds * SAMPLE_RATE)
  const samples = new Int16Array(frames * channels)
  for (let index = 0; index < samples.length; index++)
    samples[index] = Math.round(amplitude * 32767 * Math.sin((2 * Math.PI * hz * Math.floor(index / channels)) / SAMPLE_RATE))
  const header = wavHeader({ format: 'int16', channels, sampleRate: SAMPLE_RATE, frames })
  return { name, mimeType: 'audio/wav', buffer: Buffer.concat([header, Buffer.from(samples.buffer)]) }
}

/** Somebody new with a subscription, signed in on the maker's page. */
export async function openMaker(page: Page, site: Site, { role = 'subscriber', origin = site.origin() } = {}): Promise<void> {
  const credentials = { email: `maker-${randomUUID().slice(0, 8)}@example.com`, password: 'tempo160' }
  const roles = role === '' ? [] : ['--role', role]
  await site.admin('user', 'create', '--email', credentials.email, '--password', credentials.password, ...roles)
  await page.goto(`${origin}/login`)
  await untilAlive(page)
  await submitLogIn(page, credentials)
  await expectSignedIn(page, credentials)
  await expect(page).toHaveURL(/\/$/)
  await page.goto(`${origin}/account/maker`)
  await untilAlive(page)
}

export const key = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name, exact: true }).locator('visible=true')
export const slider = (page: Page, name: string) => main(page).getByRole('slider', { name, exact: true })
export const said = (page: Page, text: string | RegExp) => page.getByText(text).first()

export async function choose(page: Page, file: SoundFile): Promise<void> {
  await main(page).getByLabel('Audio file').first().setInputFiles(file)
}

export async function load(page: Page, file: SoundFile): Promise<void> {
  await choose(page, file)
  await expect(said(page, `Audio Loaded: ${file.name} is ready for editing.`)).toBeVisible({ timeout: 20_000 })
}

/** Moves a native slider as a hand does. */
export async function slide(page: Page, name: string, value: number): Promise<void> {
  await slider(page, name).fill(String(value))
}

/** Presses the key and gives the file that comes. */
export async function downloaded(page: Page, name: string | RegExp = 'Download as WAV'): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 30_000 }), key(page, name).click()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

export async function downloadedWav(page: Page, name?: string | RegExp): Promise<Wav & { name: string; bytes: Buffer }> {
  const file = await downloaded(page, name)
  return { ...readWav(file.bytes), ...file }
}

/** The tone's frequency, by the times that it crosses zero upwards. */
export function frequencyOf({ channels: [samples = new Float32Array()], sampleRate }: Wav): number {
  const crossings: number[] = []
  for (let frame = 1; frame < samples.length; frame++) {
    const [before = 0, after = 0] = [samples[frame - 1], samples[frame]]
    if (before < 0 && after >= 0) crossings.push(frame - after / (after - before))
  }
  const [first = 0, last = 1] = [crossings[0], crossings.at(-1)]
  return ((crossings.length - 1) * sampleRate) / (last - first)
}
