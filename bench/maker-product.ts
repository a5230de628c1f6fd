import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { chooseFormat, locateDownloadButton, locateMakerButton, openMaker, setSlider } from '../e2e/maker-steps.ts'
import { startSite } from '../e2e/server.ts'
import { mainRegion } from '../e2e/steps.ts'
import { findLongestTaskMs, taskTraceCategories } from '../e2e/task-times.ts'

/** Wall-clock times in milliseconds. */
export interface ExportTimes {
  /** From the click on the download button to the complete file in the page. */
  readonly blobReadyMs: number
  /** From the click to the complete file on the disk. */
  readonly fileSavedMs: number
}

/** The maker's page of the built site, opened by a subscriber in Chromium. */
export interface ProductPage {
  readonly browser: Browser
  /** Sets sliders by their names. */
  setSliders(values: Readonly<Record<string, number>>): Promise<void>
  /** Loads a file. Returns the wall-clock time in milliseconds from the choice of the file to the message that it is loaded. */
  loadFile(path: string): Promise<number>
  /** Waits until the tempo of the loaded song is found, which takes the processor. */
  waitUntilIdle(): Promise<void>
  /** Exports the loaded song as a 16-bit WAV file. */
  exportWav(): Promise<ExportTimes>
  /** Exports the loaded song as an MP3 file. */
  exportMp3(): Promise<ExportTimes>
  /** Plays the loaded song, sets a slider to each value, and returns the times in milliseconds until the changed sound starts. */
  measureChanges(slider: string, values: readonly number[]): Promise<number[]>
  /** Returns the longest processor time in milliseconds that a task of the page's main thread takes during `run`. */
  measureStall(run: () => Promise<unknown>): Promise<number>
  /** Slows the page's main thread down by a factor. */
  slowDown(factor: number): Promise<void>
  stop(): Promise<void>
}

/** The names of the marks that the page sets for the measurements. */
const PERFORMANCE_MARK_NAMES = {
  chosen: 'file-chosen',
  loaded: 'file-loaded',
  clicked: 'download-clicked',
  blob: 'file-complete',
  changed: 'slider-changed',
  sound: 'changed-sound-starts',
} as const

/** Sets the marks in the page: at events of the document, and at the calls that end an export or start a sound. */
function markEvents(markNames: typeof PERFORMANCE_MARK_NAMES) {
  const { createObjectURL } = URL
  URL.createObjectURL = (object) => {
    performance.mark(markNames.blob)
    return createObjectURL.call(URL, object)
  }
  const startNode = AudioBufferSourceNode.prototype.start
  AudioBufferSourceNode.prototype.start = function (when = 0, ...playedRange) {
    const delayS = Math.max(0, when - this.context.currentTime)
    // Only a start within half a second counts, because the buffers of a sound that is already playing are scheduled seconds ahead.
    const isFirst = delayS < 0.5 && performance.getEntriesByName(markNames.sound).length === 0
    if (isFirst) performance.mark(markNames.sound, { startTime: performance.now() + 1000 * delayS })
    startNode.call(this, when, ...playedRange)
  }
  const setMarkAt = (eventType: string, selector: string, markName: string) =>
    addEventListener(eventType, ({ target }) => target instanceof Element && target.closest(selector) && performance.mark(markName), {
      capture: true,
    })
  setMarkAt('change', 'input[type=file]', markNames.chosen)
  setMarkAt('click', '[aria-label^="Download as"]', markNames.clicked)
  addEventListener(
    'input',
    ({ target }) => {
      if (!(target instanceof HTMLInputElement) || target.type !== 'range') return
      performance.clearMarks(markNames.sound)
      performance.mark(markNames.changed)
    },
    { capture: true },
  )
  new MutationObserver((records) => {
    const isLoaded = records.some(({ addedNodes }) => [...addedNodes].some(({ textContent }) => textContent?.startsWith('Audio Loaded:')))
    if (isLoaded) performance.mark(markNames.loaded)
  }).observe(document, { subtree: true, childList: true })
}

/** Starts the built site and opens the maker in Chromium. */
export async function openProductPage(): Promise<ProductPage> {
  const site = await startSite({ DEMO: 'off' })
  // A context without a profile would hold the files of the site in memory.
  const profileDir = await mkdtemp(join(tmpdir(), 'varispeed-maker-profile-'))
  const context = await chromium.launchPersistentContext(profileDir, {
    executablePath: chromiumPath,
    args: [...chromiumFlags, '--mute-audio'],
    viewport: { width: 1280, height: 800 },
  })
  const browser = context.browser()
  if (browser === null) throw new Error('the context has no browser')
  const page = await context.newPage()
  // The program that runs this file wraps functions in calls of `__name`, which the page lacks.
  await page.addInitScript({ content: 'globalThis.__name = (value) => value' })
  await page.addInitScript(markEvents, PERFORMANCE_MARK_NAMES)
  await openMaker(page, site)
  const session = await page.context().newCDPSession(page)
  const waitForMark = (name: string) =>
    page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, name, { timeout: 300_000, polling: 20 })
  const clearMark = (name: string) => page.evaluate((mark) => performance.clearMarks(mark), name)

  return {
    browser,
    async setSliders(values) {
      for (const [name, value] of Object.entries(values)) await setSlider(page, name, value)
    },
    async loadFile(filePath) {
      await clearMark(PERFORMANCE_MARK_NAMES.loaded)
      await mainRegion(page).getByLabel('Audio file').first().setInputFiles(filePath)
      await waitForMark(PERFORMANCE_MARK_NAMES.loaded)
      await locateMakerButton(page, 'Pause').click()
      return (await readMarkTime(page, PERFORMANCE_MARK_NAMES.loaded)) - (await readMarkTime(page, PERFORMANCE_MARK_NAMES.chosen))
    },
    async waitUntilIdle() {
      await page.getByText('finding the beat…').waitFor({ state: 'hidden', timeout: 60_000 })
      await page.waitForTimeout(500)
    },
    exportWav: () => timeExport(page, 'WAV, 16-bit'),
    exportMp3: () => timeExport(page, 'MP3, 320 kbps'),
    async measureChanges(sliderName, sliderValues) {
      await locateMakerButton(page, 'Play').click()
      const sliderChangeTimesMs: number[] = []
      for (const sliderValue of sliderValues) {
        // Waits until the audio stream that started with the previous change has filled its buffer.
        await page.waitForTimeout(500)
        await setSlider(page, sliderName, sliderValue)
        await waitForMark(PERFORMANCE_MARK_NAMES.sound)
        sliderChangeTimesMs.push(
          (await readMarkTime(page, PERFORMANCE_MARK_NAMES.sound)) - (await readMarkTime(page, PERFORMANCE_MARK_NAMES.changed)),
        )
      }
      await locateMakerButton(page, 'Pause').click()
      return sliderChangeTimesMs
    },
    async measureStall(runAction) {
      await browser.startTracing(page, { categories: taskTraceCategories })
      await runAction()
      return findLongestTaskMs(await browser.stopTracing())
    },
    slowDown: async (factor) => void (await session.send('Emulation.setCPUThrottlingRate', { rate: factor })),
    async stop() {
      await context.close()
      await site.stop()
      await rm(profileDir, { recursive: true, force: true })
    },
  }
}

async function timeExport(page: Page, formatName: string): Promise<ExportTimes> {
  await chooseFormat(page, formatName)
  const downloadPromise = page.waitForEvent('download', { timeout: 300_000 })
  await locateDownloadButton(page).click()
  const download = await downloadPromise
  await download.path()
  const savedAtMs = Date.now()
  await download.delete()
  const clickedMs = await readMarkTime(page, PERFORMANCE_MARK_NAMES.clicked)
  return { blobReadyMs: (await readMarkTime(page, PERFORMANCE_MARK_NAMES.blob)) - clickedMs, fileSavedMs: savedAtMs - clickedMs }
}

/** Returns the time of the newest mark of a name, in epoch milliseconds. */
const readMarkTime = (page: Page, name: string) =>
  page.evaluate((mark) => performance.timeOrigin + (performance.getEntriesByName(mark).at(-1)?.startTime ?? Number.NaN), name)
