import type { Page } from '@playwright/test'
import { encodeWavHeader } from '../../dsp/wav.ts'
import type { Site } from '../server.ts'
import { mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const password = 'tempo160'
let accountCount = 0

/** Synthesizes a WAV file whose waveform shows phrases, beats and a break. @param drumLevel 0 to 0.8; 0 for a song without a beat */
export function synthesizeSong(durationS: number, drumLevel = 0.8): Buffer {
  const sampleRate = 22_050
  const frameCount = durationS * sampleRate
  const samples = new Int16Array(frameCount)
  const beatS = 60 / 117
  for (let frameIndex = 0; frameIndex < frameCount; frameIndex++) {
    const timeS = frameIndex / sampleRate
    const timeShare = timeS / durationS
    const envelopeLevel = Math.min(1, 0.25 + timeShare * 6, (1 - timeShare) * 9) * (timeShare > 0.46 && timeShare < 0.54 ? 0.35 : 1)
    const phraseLevel = 0.7 + 0.3 * Math.sin(timeShare * 19)
    const inBeatS = timeS % beatS
    const drum = Math.exp(-inBeatS * 18) * Math.sin(2 * Math.PI * 60 * inBeatS)
    const pad = 0.35 * Math.sin(2 * Math.PI * 220 * timeS) + 0.2 * Math.sin(2 * Math.PI * 331 * timeS * (1 + 0.001 * Math.sin(timeS)))
    samples[frameIndex] = Math.round(31_000 * Math.max(-1, Math.min(1, envelopeLevel * phraseLevel * (drumLevel * drum + pad))))
  }
  return Buffer.concat([encodeWavHeader({ format: 'int16', channels: 1, sampleRate, frames: frameCount }), new Uint8Array(samples.buffer)])
}

/** Lists the screenshots of the audio editor. */
export function createMakerScreenshots(site: Site): Screenshot[] {
  const openMakerPage = async (page: Page, roleName?: string) => {
    const email = `dusk.tape${++accountCount}@meridian.fm`
    await site.runAdmin('user', 'create', '--email', email, '--password', password, ...(roleName === undefined ? [] : ['--role', roleName]))
    await mainRegion(page).getByLabel('Email').fill(email)
    await mainRegion(page).getByLabel('Password').fill(password)
    await mainRegion(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL('/account/maker', page.url()).href)
    await mainRegion(page).getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(1_000)
  }
  const openWithSong = async (page: Page, drumLevel?: number) => {
    await openMakerPage(page, 'subscriber')
    await mainRegion(page)
      .getByLabel('Audio file')
      .setInputFiles({ name: 'city lights at 4 am.wav', mimeType: 'audio/wav', buffer: synthesizeSong(217, drumLevel) })
    await mainRegion(page).getByRole('region', { name: 'Waveform' }).waitFor()
    await page.getByText('is ready for editing').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await mainRegion(page).getByRole('button', { name: 'Pause' }).locator('visible=true').first().click()
    await mainRegion(page).getByRole('slider', { name: 'Position' }).focus()
    for (let press = 0; press < 4; press++) await page.keyboard.press('PageUp')
    await page.mouse.move(0, 0)
    await page.waitForTimeout(700)
  }
  /** Opens the dialog for many songs with some songs in it. */
  const openBatchDialog = async (page: Page) => {
    await openMakerPage(page, 'subscriber')
    await mainRegion(page).getByRole('button', { name: 'Nightcore', exact: true }).click()
    await mainRegion(page).getByRole('button', { name: 'Many songs' }).click()
    const songFileNames = [
      '01 city lights at 4 am.wav',
      '02 夜に駆ける (acoustic).wav',
      '03 a very long name of a song that was downloaded twice and renamed by hand.wav',
    ]
    const songFiles = songFileNames.map((name, index) => ({ name, mimeType: 'audio/wav', buffer: synthesizeSong(12 + 5 * index) }))
    const corruptSong = { name: '04 broken.mp3', mimeType: 'audio/mpeg', buffer: Buffer.alloc(5000, 'x') }
    await page.getByLabel('Add songs: files').setInputFiles([...songFiles, corruptSong])
    await page.getByRole('button', { name: 'Leave out 04 broken.mp3' }).waitFor()
  }
  const pressButton = (page: Page, name: string | RegExp) =>
    mainRegion(page).getByRole('button', { name, exact: true }).locator('visible=true').first().click()
  /** Opens several songs one after the other, each of which becomes an edit. */
  const openSeveralSongs = async (page: Page) => {
    await openMakerPage(page, 'subscriber')
    for (const dialogName of [
      '夜に駆ける.wav',
      'a very long name of a song that was downloaded twice and renamed by hand (final).wav',
      'fog.wav',
      'city lights at 4 am.wav',
    ]) {
      await mainRegion(page)
        .getByLabel('Audio file')
        .first()
        .setInputFiles({ name: dialogName, mimeType: 'audio/wav', buffer: synthesizeSong(20 + dialogName.length) })
      await page
        .getByText(`${dialogName.slice(0, 8)}`)
        .first()
        .waitFor()
      await page.getByText('is ready for editing').waitFor()
      // The message may have disappeared by itself.
      await page
        .getByRole('button', { name: 'Dismiss' })
        .first()
        .click({ timeout: 3_000 })
        .catch(() => {})
      await pressButton(page, dialogName.startsWith('fog') ? 'Slowed + Reverb' : 'Nightcore')
    }
    await pressButton(page, 'Pause')
    await page.waitForTimeout(700)
  }
  /** Makes several edits, and plays one of them. */
  const playEdits = async (page: Page) => {
    await openSeveralSongs(page)
    await pressButton(page, 'Play: 夜に駆ける')
    await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Pause' }).waitFor()
    await page.waitForTimeout(2_500)
  }
  return [
    {
      name: 'maker-edits-playing',
      path: '/login',
      showState: async (page) => {
        await playEdits(page)
        await mainRegion(page)
          .getByRole('button', { name: /^Pause: / })
          .scrollIntoViewIfNeeded()
        await page.waitForTimeout(500)
      },
    },
    {
      name: 'maker-edits-queue',
      path: '/login',
      showState: async (page) => {
        await playEdits(page)
        await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Queue' }).click()
        await page.waitForTimeout(800)
      },
    },
    { name: 'maker-edits', path: '/login', fullPage: true, showState: openSeveralSongs },
    {
      name: 'maker-fades',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await pressButton(page, 'Fades')
        await mainRegion(page).getByRole('slider', { name: 'Fade out', exact: true }).fill('12')
        await page.waitForTimeout(300)
      },
    },
    {
      name: 'maker-steps',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        for (const preset of ['Slowed', 'Slowed + Reverb', 'Nightcore']) await pressButton(page, preset)
        await mainRegion(page).getByRole('slider', { name: 'Loop end' }).press('PageDown')
        await pressButton(page, 'Keep only this')
        await pressButton(page, 'Undo')
        await pressButton(page, 'Steps')
        await page.waitForTimeout(300)
      },
    },
    {
      name: 'maker-output',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await pressButton(page, 'Slowed + Reverb')
        await pressButton(page, 'Tags, name and level')
        await page.getByRole('dialog').getByLabel('Loudness of the file').selectOption('−14 LUFS, video platforms')
        await page.getByRole('dialog').getByRole('button', { name: 'Measure the level' }).click()
        await page.getByText(/^The video platform/).waitFor({ timeout: 30_000 })
      },
    },
    {
      name: 'maker-queue',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await mainRegion(page).getByLabel('Format').selectOption('MP3, 320 kbps')
        for (const preset of ['Slowed + Reverb', 'Nightcore', 'Slowed']) {
          await pressButton(page, preset)
          await pressButton(page, /^Download as (?:WAV|MP3)$/)
        }
        await page.getByRole('button', { name: 'Dismiss' }).first().click()
        await page
          .getByText(/about .* left/)
          .first()
          .waitFor({ timeout: 30_000 })
      },
    },
    {
      name: 'maker-history',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        const historyRegion = mainRegion(page).getByRole('region', { name: 'History' })
        for (const [index, presetName] of ['Slowed + Reverb', 'Nightcore', 'Slowed'].entries()) {
          await pressButton(page, presetName)
          await pressButton(page, 'Download as WAV')
          await historyRegion.getByRole('listitem').nth(index).waitFor({ timeout: 60_000 })
        }
        await historyRegion.scrollIntoViewIfNeeded()
        await page.evaluate(() => document.querySelector('#history-heading')?.scrollIntoView())
        await page.waitForTimeout(300)
      },
    },
    {
      name: 'maker-shortcuts',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await page.keyboard.press('?')
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'maker-many', path: '/login', showState: openBatchDialog },
    {
      name: 'maker-many-video',
      path: '/login',
      showState: async (page) => {
        await openBatchDialog(page)
        await page.getByLabel('Make').selectOption('both')
        await page.getByText('MP4 with H.264').waitFor()
        await page.getByRole('group', { name: 'Picture' }).scrollIntoViewIfNeeded()
        await page.waitForTimeout(500)
      },
    },
    {
      name: 'maker-video',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await mainRegion(page).getByRole('button', { name: 'Download as video' }).click()
        await page.getByText('MP4 with H.264').waitFor()
        await page.getByLabel('Over it').selectOption('ring')
        await page.waitForTimeout(500)
      },
    },
    {
      name: 'maker-many-done',
      path: '/login',
      showState: async (page) => {
        await openBatchDialog(page)
        await page.getByRole('button', { name: 'Start, as one ZIP file' }).click()
        await page.getByText('3 of 4 songs done, 1 failed').waitFor({ timeout: 60_000 })
      },
    },
    {
      name: 'maker-many-paused',
      path: '/login',
      showState: async (page) => {
        await openBatchDialog(page)
        await page.getByRole('button', { name: 'Start, as one ZIP file' }).click()
        await page.getByText('1 of 4 songs done').waitFor({ timeout: 60_000 })
        await page.reload()
        await mainRegion(page)
          .getByRole('button', { name: /^Many songs:/ })
          .click()
        await page.getByText(/of 4 songs done/).waitFor()
        await page.waitForTimeout(500)
      },
    },
    { name: 'maker-locked', path: '/login', showState: (page) => openMakerPage(page) },
    { name: 'maker-empty', path: '/login', showState: (page) => openMakerPage(page, 'subscriber') },
    { name: 'maker', path: '/login', fullPage: true, showState: (page) => openWithSong(page) },
    { name: 'maker-first', path: '/login', showState: (page) => openWithSong(page) },
    {
      name: 'maker-no-beat',
      path: '/login',
      fullPage: true,
      showState: async (page) => {
        await openWithSong(page, 0)
        await mainRegion(page).getByRole('textbox', { name: 'Song’s BPM' }).fill('12')
      },
    },
    {
      name: 'maker-slowed',
      path: '/login',
      showState: async (page) => {
        await openWithSong(page)
        await mainRegion(page).getByRole('button', { name: 'Slowed + Reverb' }).click()
        await mainRegion(page).getByRole('slider', { name: 'Position' }).focus()
        await mainRegion(page).getByRole('button', { name: 'Zoom in' }).click()
        await mainRegion(page).getByRole('button', { name: 'Zoom in' }).click()
        await page.waitForTimeout(600)
      },
    },
    {
      name: 'maker-error',
      path: '/login',
      showState: async (page) => {
        await openMakerPage(page, 'subscriber')
        await mainRegion(page)
          .getByLabel('Audio file')
          .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
        await page.getByText('Invalid File Type').waitFor()
      },
    },
  ]
}
