import type { Page } from '@playwright/test'
import { wavHeader } from '../dsp/wav.ts'
import type { Site } from '../e2e/server.ts'
import { main } from '../e2e/steps.ts'
import type { Shot } from './shot.ts'

const password = 'tempo160'
let people = 0

/** A song to look at: phrases, beats and a break, as a WAV file. */
function drawnSong(seconds: number): Buffer {
  const sampleRate = 22_050
  const frames = seconds * sampleRate
  const samples = new Int16Array(frames)
  const beatS = 60 / 117
  for (let frame = 0; frame < frames; frame++) {
    const atS = frame / sampleRate
    const at = atS / seconds
    const edge = Math.min(1, 0.25 + at * 6, (1 - at) * 9) * (at > 0.46 && at < 0.54 ? 0.35 : 1)
    const phrase = 0.7 + 0.3 * Math.sin(at * 19)
    const inBeatS = atS % beatS
    const drum = Math.exp(-inBeatS * 18) * Math.sin(2 * Math.PI * 60 * inBeatS)
    const pad = 0.35 * Math.sin(2 * Math.PI * 220 * atS) + 0.2 * Math.sin(2 * Math.PI * 331 * atS * (1 + 0.001 * Math.sin(atS)))
    samples[frame] = Math.round(31_000 * Math.max(-1, Math.min(1, edge * phrase * (0.8 * drum + pad))))
  }
  return Buffer.concat([wavHeader({ format: 'int16', channels: 1, sampleRate, frames }), new Uint8Array(samples.buffer)])
}

/** The editor in its states. */
export function makerShots(site: Site): Shot[] {
  const open = async (page: Page, role?: string) => {
    const email = `dusk.tape${++people}@meridian.fm`
    await site.admin('user', 'create', '--email', email, '--password', password, ...(role === undefined ? [] : ['--role', role]))
    await main(page).getByLabel('Email').fill(email)
    await main(page).getByLabel('Password').fill(password)
    await main(page).getByRole('button', { name: 'Log in' }).click()
    await page.waitForURL((url) => url.pathname !== '/login')
    await page.goto(new URL('/account/maker', page.url()).href)
    await main(page).getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(1_000)
  }
  const load = async (page: Page) => {
    await open(page, 'subscriber')
    await main(page)
      .getByLabel('Audio file')
      .setInputFiles({ name: 'city lights at 4 am.wav', mimeType: 'audio/wav', buffer: drawnSong(217) })
    await main(page).getByRole('region', { name: 'Waveform' }).waitFor()
    await page.getByText('is ready for editing').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).first().click()
    await main(page).getByRole('button', { name: 'Pause' }).locator('visible=true').first().click()
    await main(page).getByRole('slider', { name: 'Position' }).focus()
    for (let press = 0; press < 4; press++) await page.keyboard.press('PageUp')
    await page.mouse.move(0, 0)
    await page.waitForTimeout(700)
  }
  return [
    { name: 'maker-locked', path: '/login', act: (page) => open(page) },
    { name: 'maker-empty', path: '/login', act: (page) => open(page, 'subscriber') },
    { name: 'maker', path: '/login', whole: true, act: load },
    { name: 'maker-first', path: '/login', act: load },
    {
      name: 'maker-slowed',
      path: '/login',
      act: async (page) => {
        await load(page)
        await main(page).getByRole('button', { name: 'Slowed + Reverb' }).click()
        await main(page).getByRole('slider', { name: 'Position' }).focus()
        await main(page).getByRole('button', { name: 'Zoom in' }).click()
        await main(page).getByRole('button', { name: 'Zoom in' }).click()
        await page.waitForTimeout(600)
      },
    },
    {
      name: 'maker-error',
      path: '/login',
      act: async (page) => {
        await open(page, 'subscriber')
        await main(page)
          .getByLabel('Audio file')
          .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('words') })
        await page.getByText('Invalid File Type').waitFor()
      },
    },
  ]
}
