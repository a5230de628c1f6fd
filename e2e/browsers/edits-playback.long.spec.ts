import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, expect, type Page, test } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../chromium.ts'
import { createToneFile, loadAudioFile, openMaker } from '../maker-steps.ts'
import { type Site, startSite } from '../server.ts'
import { mainRegion } from '../steps.ts'
import { hasMediaKeyTools, type ShownMediaSession, startVirtualDesktop, stopProcess, type VirtualDesktop } from './desktop.ts'

// Edits (projects of the maker) play in a visible Chromium, whose tab is hidden by another one, while the server is stopped.
// Media keys are pressed over MPRIS.

const EDIT_TITLES = ['first', 'second', 'third'] as const
const SOUND_SECONDS = 40
/**
 * The factor by which the sounds are played faster, so that an hour of sound takes a few minutes. Chromium mutes sounds that are so fast,
 * and delays the timers of a hidden tab that is silent: a stricter case than a tab that sounds.
 */
const SPEED_UP_FACTOR = 12
const HOUR_SECONDS = 3600
/**
 * The number of seconds that must be counted of each sound. It is less than the sound's length, because the sound plays 1.25 times as fast,
 * and the time after the last event is not counted.
 */
const MIN_COUNTED_SECONDS = 29

interface PlayedLog {
  /** The seconds of sound that were played while the tab was hidden. */
  playedSeconds: number
  /** The addresses that were requested while the tab was hidden, except those of sounds on this device and of cached files of the program. */
  requests: string[]
}
declare const playedLog: PlayedLog

/** Runs in the page: plays edits faster, and records the played sounds and the requests. */
function recordPlayback(sampleRate: number) {
  const log: PlayedLog = { playedSeconds: 0, requests: [] }
  Object.assign(globalThis, { playedLog: log })
  // Only requests in this span are recorded, because the page requests changes from the server when the tab is shown again.
  let hiddenSpanMs = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY }
  document.addEventListener('visibilitychange', () => {
    const nowMs = performance.now()
    hiddenSpanMs = document.hidden ? { ...hiddenSpanMs, start: nowMs } : { ...hiddenSpanMs, end: nowMs }
  })
  new PerformanceObserver((entryList) => {
    for (const { name, startTime } of entryList.getEntries())
      if (startTime > hiddenSpanMs.start && startTime < hiddenSpanMs.end && !/^(?:blob|data):|\/assets\//.test(name))
        log.requests.push(name)
  }).observe({ type: 'resource' })
  const lastSecondsByElement = new WeakMap<HTMLMediaElement, number>()
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    // The silent loop, which is played for the media session, is neither sped up nor counted.
    if (this.loop) return play.call(this)
    if (!lastSecondsByElement.has(this))
      this.addEventListener('timeupdate', () => {
        const step = this.currentTime - (lastSecondsByElement.get(this) ?? 0)
        lastSecondsByElement.set(this, this.currentTime)
        if (step > 0 && document.visibilityState === 'hidden') log.playedSeconds += step
      })
    lastSecondsByElement.set(this, this.currentTime)
    this.defaultPlaybackRate = sampleRate
    this.playbackRate = sampleRate
    return play.call(this)
  }
}

test.describe('edits in a visible Chromium', () => {
  test.skip(!hasMediaKeyTools(), 'The media keys need a message bus and a display: apt-get install playerctl dbus xvfb')
  test.setTimeout(1_200_000)
  let workFolder = ''
  let desktop: VirtualDesktop
  let site: Site
  let browserProcess: ChildProcess
  let browser: Browser
  let page: Page
  let debugOrigin = ''

  /** Connects to the browser. Playwright shows a page as visible as long as it is connected. */
  async function connectBrowser() {
    browser = await chromium.connectOverCDP(debugOrigin)
    const [context] = browser.contexts()
    const [firstPage] = (context?.pages() ?? []).filter((each) => !each.url().startsWith('about:'))
    page = firstPage ?? context?.pages()[0] ?? (await browser.newPage())
  }

  test.beforeAll(async () => {
    workFolder = await mkdtemp(join(tmpdir(), 'varispeed-edits-'))
    desktop = await startVirtualDesktop(workFolder)
    site = await startSite()
    const profileFolder = join(workFolder, 'profile')
    const launchFlags = chromiumFlags.filter((flag) => !flag.startsWith('--autoplay-policy'))
    browserProcess = spawn(chromiumPath, [...launchFlags, '--remote-debugging-port=0', `--user-data-dir=${profileFolder}`, 'about:blank'], {
      env: desktop.env,
      stdio: 'ignore',
    })
    const readDebugPort = () =>
      readFile(join(profileFolder, 'DevToolsActivePort'), 'utf8').then(
        (text) => text.split('\n')[0],
        () => '',
      )
    await expect.poll(readDebugPort).toMatch(/^\d+$/)
    debugOrigin = `http://127.0.0.1:${await readDebugPort()}`
    await connectBrowser()
  })
  test.afterAll(async () => {
    await browser?.close()
    if (browserProcess) await stopProcess(browserProcess)
    await site?.stop()
    await desktop?.stop()
    await rm(workFolder, { recursive: true, force: true })
  })

  const locateMyEdits = () => mainRegion(page).getByRole('region', { name: 'My edits' })
  const expectMediaSession = (shown: Partial<ShownMediaSession>) =>
    expect.poll(() => desktop.readMedia(), { timeout: 30_000 }).toMatchObject(shown)
  const readPosition = async () =>
    Number(await page.getByRole('region', { name: 'Player', exact: true }).getByRole('slider', { name: 'Position' }).inputValue())

  test('media keys play, pause, seek and stop edits, and step to the next and the previous one', async () => {
    await openMaker(page, site)
    for (const title of EDIT_TITLES) {
      await loadAudioFile(page, createToneFile(`${title}.wav`, { seconds: SOUND_SECONDS }))
      await expect(locateMyEdits().getByRole('button', { name: title, exact: true })).toBeVisible()
    }
    await mainRegion(page).getByRole('button', { name: 'Pause', exact: true }).locator('visible=true').first().click()
    await locateMyEdits().getByRole('button', { name: 'Play all' }).click()
    await expectMediaSession({ status: 'Playing', title: 'third', album: 'My edits' })
    expect((await desktop.readMedia())?.picturePath).not.toBe('')
    await desktop.pressKey('pause')
    await expectMediaSession({ status: 'Paused', title: 'third' })
    await desktop.pressKey('play')
    await expectMediaSession({ status: 'Playing', title: 'third' })
    await desktop.pressKey('position', '25')
    await expect.poll(readPosition).toBeGreaterThan(23)
    await desktop.pressKey('position', '15-')
    await expect.poll(readPosition).toBeLessThan(20)
    await desktop.pressKey('next')
    await expectMediaSession({ status: 'Playing', title: 'second' })
    await desktop.pressKey('previous')
    await expectMediaSession({ status: 'Playing', title: 'third' })
    await desktop.pressKey('stop')
    await expect(page.getByRole('region', { name: 'Player', exact: true }).getByRole('button', { name: 'Play', exact: true })).toBeVisible()
  })

  test('edits play for an hour in a hidden tab without a server; nothing is requested', async () => {
    await page.evaluate(recordPlayback, SPEED_UP_FACTOR)
    await locateMyEdits().getByRole('combobox', { name: 'Crossfade' }).selectOption('2 s')
    await site.stop()
    await locateMyEdits().getByRole('button', { name: 'Play: first' }).click()
    await expectMediaSession({ status: 'Playing', title: 'first' })
    await browser.close()
    await fetch(`${debugOrigin}/json/new?about:blank`, { method: 'PUT' })

    const startedTitles: string[] = []
    const neededPlayCount = Math.ceil(HOUR_SECONDS / MIN_COUNTED_SECONDS)
    await expect
      .poll(
        async () => {
          const { title, status } = (await desktop.readMedia()) ?? { title: '', status: '' }
          if (status === 'Playing' && title !== startedTitles.at(-1)) startedTitles.push(title)
          return startedTitles.length
        },
        { timeout: 1_100_000, intervals: [500] },
      )
      .toBeGreaterThan(neededPlayCount)
    await desktop.pressKey('pause')
    await expectMediaSession({ status: 'Paused', album: 'My edits' })
    await connectBrowser()
    const recordedLog = await page.evaluate(() => playedLog)
    expect(recordedLog.playedSeconds).toBeGreaterThan(HOUR_SECONDS)
    for (const title of EDIT_TITLES) expect(startedTitles.filter((each) => each === title).length).toBeGreaterThan(neededPlayCount / 4)
    expect(recordedLog.requests).toEqual([])
  })
})
