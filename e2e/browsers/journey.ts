import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { hashIndex } from '../../dsp/hash.ts'
import { encodeWavHeader } from '../../dsp/wav.ts'
import { fetchIdToken, fetchServerFavorites } from '../favorites-steps.ts'
import { createSubscriber, SAMPLE_RATE } from '../maker-steps.ts'
import type { Site } from '../server.ts'
import { fetchApi } from '../steps.ts'
import { type AutomatedPage, WAIT_LIMIT_MS } from './automated-page.ts'

const SOUND_SECONDS = 3

/** Writes a WAV file with three seconds of loud noise: every frequency, and samples that clip after resampling. Returns its path. */
export async function writeNoiseFile(folderPath: string): Promise<string> {
  const filePath = join(folderPath, 'noise.wav')
  const samples = Int16Array.from({ length: 2 * SOUND_SECONDS * SAMPLE_RATE }, (_, index) => hashIndex(index) >> 16)
  const header = encodeWavHeader({ format: 'int16', channels: 2, sampleRate: SAMPLE_RATE, frames: SOUND_SECONDS * SAMPLE_RATE })
  await writeFile(filePath, Buffer.concat([header, Buffer.from(samples.buffer)]))
  return filePath
}

/** Runs a test in a page, and closes the page. If the test fails, a picture of the page is attached to its report. */
export async function withPage<Result>(
  openPage: () => Promise<AutomatedPage>,
  run: (page: AutomatedPage) => Promise<Result>,
): Promise<Result> {
  const page = await openPage()
  try {
    return await run(page)
  } catch (error) {
    await test.info().attach('page', { body: await page.screenshot(), contentType: 'image/png' })
    throw error
  } finally {
    await page.close()
  }
}

/** The presets of the maker with which the test exports a file. */
const PRESETS = ['Nightcore', 'Slowed + Reverb'] as const

/** Opens the maker, and exports an audio file with each preset. Returns the SHA-256 of each exported WAV file. */
export async function exportWithPresets(page: AutomatedPage, origin: string, audioPath: string): Promise<Record<string, string>> {
  await page.open(`${origin}/account/maker`)
  await page.waitFor({ role: 'button', name: 'Open a file' })
  await page.chooseFile('Audio file', audioPath)
  await page.waitForText('is ready for editing.')
  const hashByPreset: Record<string, string> = {}
  for (const presetName of PRESETS) {
    await page.press({ role: 'button', name: presetName })
    const { name, bytes } = await page.download({ role: 'button', name: 'Download as WAV' })
    hashByPreset[presetName] = `${name}: ${createHash('sha256').update(bytes).digest('hex')}`
  }
  return hashByPreset
}

export async function logIn(page: AutomatedPage, site: Site) {
  const credentials = await createSubscriber(site)
  await page.open(`${site.origin()}/login`)
  await page.type('Email', credentials.email)
  await page.type('Password', credentials.password)
  await page.press({ role: 'button', name: 'Log in' })
  await page.waitFor({ role: 'button', name: `Account: ${credentials.email}` })
  return credentials
}

/** Opens the site, logs in, plays a song, adds it to the favorites, exports in the maker, converts a song on the server, and opens the site again with its server stopped. */
export async function runJourney(page: AutomatedPage, site: Site, audioPath: string, expectedHashesByPreset: Record<string, string>) {
  const playlist = (await fetchApi(site, 'GET /playlist/all', { home: 'true' })).find((each) => each.song_count > 2)
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const [song, otherSong] = songs
  if (playlist === undefined || song === undefined || otherSong === undefined) throw new Error('The demo has no playlist to play')
  const playlistUrl = `${site.origin()}/playlist?p=${playlist.id}`

  await test.step('the home page leads to the playlists', async () => {
    await page.open(site.origin())
    await page.press({ role: 'link', name: 'More music' })
    await page.waitFor({ role: 'heading', name: 'Playlists' })
  })
  const credentials = await logIn(page, site)
  await test.step('a song plays', async () => {
    await page.open(playlistUrl)
    await page.press({ role: 'link', name: song.title })
    await page.waitFor({ role: 'heading', name: song.title })
    await page.waitFor({ role: 'button', name: 'Pause' })
    const readPosition = async () => {
      // WebKit refuses sound that starts long after the press, as on a busy machine. A person then presses Play, as the page says.
      if (await page.evaluate(async () => document.body.textContent.includes('Press play to start.')))
        await page.press({ role: 'button', name: 'Play' })
      return page.evaluate(async () => document.querySelector<HTMLInputElement>('[aria-label="Position"]')?.valueAsNumber ?? 0)
    }
    await expect.poll(readPosition, { timeout: WAIT_LIMIT_MS, message: 'the position of the song' }).toBeGreaterThan(0)
  })
  await test.step('a favorite is stored on the server', async () => {
    await page.open(playlistUrl)
    await page.waitFor({ role: 'button', name: `Account: ${credentials.email}` })
    await page.press({ role: 'button', name: `Favorite: ${song.title}` })
    await page.waitForText('Added to your favorites')
    const token = await fetchIdToken(site, credentials)
    await expect.poll(() => fetchServerFavorites(site, token), { timeout: WAIT_LIMIT_MS }).toEqual([song.youtube_id])
  })
  await test.step('the maker exports the same bytes as in Chromium', async () => {
    expect(await exportWithPresets(page, site.origin(), audioPath)).toEqual(expectedHashesByPreset)
  })
  await test.step('the server converts a song', async () => {
    await page.open(`${site.origin()}/account/make`)
    await page.waitFor({ role: 'heading', name: 'History' })
    await page.chooseFile('Song', audioPath)
    await page.press({ role: 'button', name: 'Convert' })
    const { name, bytes } = await page.download({ role: 'link', name: 'Click here to download your song!' })
    // Firefox replaces percent signs in the names of downloaded files.
    expect(name).toMatch(/^noise \(\+25[%_]\)\.mp3$/)
    expect(bytes.length).toBeGreaterThan(50_000)
  })
  await test.step('without the server, the playlist opens with its songs and the favorite', async () => {
    await page.open(playlistUrl)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.waitFor({ role: 'button', name: `Favorite: ${song.title}` })
    expect(await page.readErrors()).toEqual([])
    await site.stop()
    await page.open(playlistUrl)
    await page.waitFor({ role: 'heading', name: playlist.title })
    await page.waitFor({ role: 'link', name: otherSong.title })
    await page.press({ role: 'button', name: `Favorite: ${otherSong.title}` })
    await page.waitForText('Added to your favorites')
  })
}

/** Waits until the page has loaded nothing for two seconds. Returns the addresses of the pictures that could not be loaded. */
async function listBrokenPictures(): Promise<string[]> {
  const countLoadedResources = () => performance.getEntriesByType('resource').length
  for (let before = -1; before !== countLoadedResources(); ) {
    before = countLoadedResources()
    await new Promise((resolve) => setTimeout(resolve, 2000))
  }
  const pictures = [...document.images].filter(({ complete, naturalWidth }) => complete && naturalWidth === 0)
  return pictures.map(({ currentSrc }) => currentSrc).filter((address) => address !== '')
}

/** Opens pages of the site, and adds a favorite, in a window whose storage the browser deletes when it is closed. */
export async function runPrivateJourney(page: AutomatedPage, site: Site) {
  const [playlist] = await fetchApi(site, 'GET /playlist/all', { home: 'true' })
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
  const [song] = songs
  if (playlist === undefined || song === undefined) throw new Error('The demo has no playlist')
  await page.open(site.origin())
  await page.evaluate(async () => {
    await Promise.race([navigator.serviceWorker?.ready, new Promise((resolve) => setTimeout(resolve, 30_000))])
  })
  const { email } = await logIn(page, site)
  // Without the wait, Firefox would log each load that is aborted when the page is left (docs/browsers.md).
  await page.evaluate(listBrokenPictures)
  for (const urlPath of ['/', '/playlists', '/faq', '/account', '/storage', `/playlist?p=${playlist.id}`]) {
    await page.open(site.origin() + urlPath)
    await page.waitFor({ role: 'button', name: `Account: ${email}` })
    expect(await page.evaluate(listBrokenPictures)).toEqual([])
  }
  await page.press({ role: 'button', name: `Favorite: ${song.title}` })
  await page.waitForText('Added to your favorites')
  expect(await page.readErrors()).toEqual([])
}

/** Plays a video on the website of a subscriber, and plays the radio. */
export async function playVideoAndRadio(page: AutomatedPage, site: Site) {
  await test.step('a video plays on the site of a subscriber', async () => {
    const { videos, data } = await fetchApi(site, 'GET /subscriber/getinfo', { domain_name: 'aria' })
    await page.open(site.origin('aria'))
    await page.waitFor({ role: 'heading', name: data.name })
    await page.press({ role: 'button', name: `Play ${videos[0]?.title} by ${videos[0]?.author_name}` })
    await page.waitFor({ role: 'button', name: 'Close the video' })
    expect(await page.readErrors()).toEqual([])
  })
  await test.step('the radio plays', async () => {
    await page.open(site.origin('fm'))
    await page.press({ role: 'button', name: 'Play' })
    await page.waitFor({ role: 'button', name: 'Pause' })
    await page.waitForText((await fetchApi(site, 'GET /radio/get')).title)
    expect(await page.readErrors()).toEqual([])
  })
}
