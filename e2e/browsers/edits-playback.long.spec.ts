import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect, type Page, test } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../chromium.ts'
import { createToneFile, loadAudioFile, openMaker } from '../maker-steps.ts'
import { type Site, startSite } from '../server.ts'
import { mainRegion } from '../steps.ts'
import { hasMediaKeyTools, type ShownMediaSession, startVirtualDesktop, type VirtualDesktop } from './desktop.ts'

// Edits play in a visible Chromium, whose tab is hidden by another one, while the server is stopped. Media keys are pressed over MPRIS.

const TITLES = ['first', 'second', 'third'] as const
const SOUND_SECONDS = 40
/** The sounds are played so many times as fast, so that an hour of sound takes a few minutes. */
const RATE = 12
const HOUR_SECONDS = 3600

interface PlayedLog {
  /** The seconds of sound that were played. */
  seconds: number
  /** The numbers of starts of each title. */
  starts: Record<string, number>
  wasVisible: boolean
}
declare const playedLog: PlayedLog

/** Runs in the page: plays edits faster, and counts what is played. */
function countPlayback(rate: number) {
  const log: PlayedLog = { seconds: 0, starts: {}, wasVisible: false }
  Object.assign(globalThis, { playedLog: log })
  const lastSeconds = new WeakMap<HTMLMediaElement, number>()
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    const known = lastSeconds.has(this)
    lastSeconds.set(this, this.currentTime)
    if (!known && !this.loop) {
      this.addEventListener('timeupdate', () => {
        const step = this.currentTime - (lastSeconds.get(this) ?? 0)
        lastSeconds.set(this, this.currentTime)
        if (step > 0 && !this.paused) log.seconds += step
        if (document.visibilityState === 'visible') log.wasVisible = true
      })
      this.addEventListener('playing', () => {
        const title = navigator.mediaSession.metadata?.title ?? ''
        log.starts[title] = (log.starts[title] ?? 0) + 1
        if (!this.loop) this.playbackRate = rate
      })
    }
    return play.call(this)
  }
}

test.describe('edits in a visible Chromium', () => {
  test.skip(!hasMediaKeyTools(), 'The media keys need a message bus and a display: apt-get install playerctl dbus xvfb')
  test.setTimeout(900_000)
  let folder = ''
  let desktop: VirtualDesktop
  let site: Site
  let context: BrowserContext
  let page: Page

  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'varispeed-edits-'))
    desktop = await startVirtualDesktop(folder)
    site = await startSite()
    context = await chromium.launchPersistentContext(join(folder, 'profile'), {
      executablePath: chromiumPath,
      headless: false,
      args: chromiumFlags.filter((flag) => !flag.startsWith('--autoplay-policy')),
      env: desktop.env,
      serviceWorkers: 'block',
    })
    page = context.pages()[0] ?? (await context.newPage())
  })
  test.afterAll(async () => {
    await context?.close()
    await site?.stop()
    await desktop?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const edits = () => mainRegion(page).getByRole('region', { name: 'My edits' })
  const expectMedia = (shown: Partial<ShownMediaSession>) =>
    expect.poll(() => desktop.readMedia(), { timeout: 30_000 }).toMatchObject(shown)
  const readPosition = async () =>
    Number(await page.getByRole('region', { name: 'Player', exact: true }).getByRole('slider', { name: 'Position' }).inputValue())

  test('media keys play, pause, seek and stop edits, and step to the next and the previous one', async () => {
    await openMaker(page, site)
    for (const title of TITLES) {
      await loadAudioFile(page, createToneFile(`${title}.wav`, { seconds: SOUND_SECONDS }))
      await expect(edits().getByRole('button', { name: title, exact: true })).toBeVisible()
    }
    await mainRegion(page).getByRole('button', { name: 'Pause', exact: true }).locator('visible=true').first().click()
    await edits().getByRole('button', { name: 'Play all' }).click()
    await expectMedia({ status: 'Playing', title: 'third', album: 'My edits' })
    expect((await desktop.readMedia())?.picturePath).not.toBe('')
    await desktop.pressKey('pause')
    await expectMedia({ status: 'Paused', title: 'third' })
    await desktop.pressKey('play')
    await expectMedia({ status: 'Playing', title: 'third' })
    await desktop.pressKey('position', '25')
    await expect.poll(readPosition).toBeGreaterThan(23)
    await desktop.pressKey('position', '15-')
    await expect.poll(readPosition).toBeLessThan(20)
    await desktop.pressKey('next')
    await expectMedia({ status: 'Playing', title: 'second' })
    await desktop.pressKey('previous')
    await expectMedia({ status: 'Playing', title: 'third' })
    await desktop.pressKey('stop')
    await expect(page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  })

  test('edits play for an hour in a hidden tab without a server; nothing is requested', async () => {
    await page.evaluate(countPlayback, RATE)
    await edits().getByRole('combobox', { name: 'Crossfade' }).selectOption('2 s')
    await site.stop()
    await context.setOffline(true)
    const requests: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('blob:')) requests.push(request.url())
    })
    await edits().getByRole('button', { name: 'Play: first' }).click()
    await expectMedia({ status: 'Playing', title: 'first' })
    const otherPage = await context.newPage()
    await otherPage.bringToFront()
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden')
    await page.evaluate(() => {
      playedLog.wasVisible = false
    })
    await expect.poll(() => page.evaluate(() => playedLog.seconds), { timeout: 800_000, intervals: [5_000] }).toBeGreaterThan(HOUR_SECONDS)
    const log = await page.evaluate(() => playedLog)
    expect(log.wasVisible).toBe(false)
    for (const title of TITLES) expect(log.starts[title]).toBeGreaterThan(20)
    await desktop.pressKey('pause')
    await expectMedia({ status: 'Paused', album: 'My edits' })
    expect(requests.filter((url) => !/\/api\//.test(url))).toEqual([])
  })
})
