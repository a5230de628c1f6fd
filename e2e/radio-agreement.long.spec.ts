import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import type { ImportRow } from '../contract/import.ts'
import type { RadioProgramme } from '../contract/radio.ts'
import { expect, stoppedServerErrors, test } from './fixtures.ts'
import { type Site, startSite } from './server.ts'
import { installVideoPlatform, type VideoPlatform, type VideoState } from './stand-ins/video-platform.ts'
import { fetchApi } from './steps.ts'

const MINUTE_MS = 60_000
const SONG_SECONDS = 12
const SONG_COUNT = 10
const POSITION_DIFFERENCE_MAX_MS = 1_000

const songRows = Array.from(
  { length: SONG_COUNT },
  (_, index): ImportRow<'songs'> => ({
    youtube_id: `radio_${String(index).padStart(5, '0')}`,
    title: `Short song ${index + 1}`,
    author_name: 'Someone',
    category_id: 'electronic',
    category_name: 'Electronic',
    date_added: '2024-03-01',
    duration: SONG_SECONDS,
    description: '',
  }),
)

/** The clocks of five devices, in milliseconds ahead of the true time, and their latencies to and from the server. */
const deviceContexts = [
  { aheadMs: 0, thereMs: 150, backMs: 150 },
  { aheadMs: 10 * MINUTE_MS, thereMs: 300, backMs: 0 },
  { aheadMs: -10 * MINUTE_MS, thereMs: 0, backMs: 300 },
  { aheadMs: 4 * MINUTE_MS, thereMs: 100, backMs: 200 },
  { aheadMs: -7 * MINUTE_MS, thereMs: 250, backMs: 50 },
]

interface Listener {
  context: BrowserContext
  page: Page
  platform: VideoPlatform
}

/**
 * Runs in each document: sets the wall clock. The monotonic clock of `performance` stays unchanged, as on a device whose wall clock is
 * wrong.
 */
function setClock(aheadMs: number) {
  globalThis.Date = new Proxy(Date, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [target.now() + aheadMs] : args),
    get: (target, name) => (name === 'now' ? () => target.now() + aheadMs : Reflect.get(target, name)),
  })
}

/** Opens the radio on a separate device. */
async function openListener(
  browser: Browser,
  site: Site,
  { aheadMs, thereMs, backMs }: (typeof deviceContexts)[number],
): Promise<Listener> {
  const context = await browser.newContext({ serviceWorkers: 'block' })
  const videoPlatform = await installVideoPlatform(context)
  await videoPlatform.changeSettings({ duration: SONG_SECONDS })
  await context.addInitScript(setClock, aheadMs)
  await context.route('**/api/radio/**', async (route) => {
    const { host, pathname, search } = new URL(route.request().url())
    await new Promise((resolve) => setTimeout(resolve, thereMs))
    // The Host header names the subdomain, because some systems do not resolve subdomains of `localhost`.
    const response = await route
      .fetch({ url: `http://127.0.0.1:${site.port}${pathname}${search}`, headers: { ...route.request().headers(), host } })
      .catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, backMs))
    await (response ? route.fulfill({ response }) : route.abort('connectionrefused')).catch(() => {})
  })
  const page = await context.newPage()
  await page.goto(site.origin('fm'))
  return { context, page, platform: videoPlatform }
}

declare const player: VideoState

/**
 * Returns the video that a page plays, and the true time at which the video was, or would have been, at its start. Returns `undefined`
 * while nothing plays.
 */
async function readVideo({ page, platform }: Listener): Promise<{ videoId: string; startedMs: number } | undefined> {
  // The frame does not exist before the page has loaded the platform's script.
  if ((await platform.readState(page)) === undefined) return undefined
  const videoState = await platform.findFrame(page).evaluate(() => ({
    videoId: player.videoId,
    isPlaying: player.state === 1,
    startedMs: performance.timeOrigin + performance.now() - 1000 * player.time,
  }))
  return videoState.isPlaying ? videoState : undefined
}

/** Requests the radio's past, current and upcoming songs, and adds the start time of each to `startTimesMsBySongId`. */
async function readSchedule(site: Site, startTimesMsBySongId: Map<string, number[]>) {
  const radio: RadioProgramme = await fetchApi(site, 'GET /radio/get')
  for (const { youtube_id, start_time } of [radio, ...radio.upcoming, ...radio.history]) {
    const known = startTimesMsBySongId.get(youtube_id) ?? []
    if (!known.includes(Date.parse(start_time))) startTimesMsBySongId.set(youtube_id, [...known, Date.parse(start_time)])
  }
}

/**
 * Returns for each listener by how many milliseconds its video is behind the nearest start of this video in the schedule; `undefined` for
 * a listener that plays nothing.
 */
async function readDelaysMs(
  listeners: readonly Listener[],
  startTimesMsBySongId: ReadonlyMap<string, number[]>,
): Promise<(number | undefined)[]> {
  const videoStates = await Promise.all(listeners.map(readVideo))
  return videoStates.map((videoState) => {
    const delays =
      (videoState && startTimesMsBySongId.get(videoState.videoId))?.map((startMs) => (videoState?.startedMs ?? 0) - startMs) ?? []
    return delays.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0]
  })
}

const computeDifferenceMs = (delays: readonly number[]) => Math.max(...delays) - Math.min(...delays)
const isNumberValue = (value: number | undefined): value is number => value !== undefined

test('radio: five devices with wrong clocks and slow networks play the same second, also while the server is stopped', async ({
  browser,
  faults,
}) => {
  test.setTimeout(300_000)
  faults.expect(stoppedServerErrors)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-radio-'))
  const firstSite = await startSite({ DEMO: 'off', DATA_DIR: dataDir })
  const { port } = firstSite
  const catalogueFile = join(dataDir, 'short-songs.json')
  await writeFile(catalogueFile, JSON.stringify({ songs: songRows }))
  await firstSite.runAdmin('catalog', 'import', catalogueFile)
  await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/api/radio/get`)).status).toBe(200)
  let site = firstSite
  const startTimesMsBySongId = new Map<string, number[]>()

  const listeners: Listener[] = []
  try {
    await readSchedule(site, startTimesMsBySongId)
    for (const device of deviceContexts) listeners.push(await openListener(browser, site, device))
    for (const { page } of listeners) await page.getByRole('button', { name: 'Play', exact: true }).click()
    const readAllDelaysMs = async () => (await readDelaysMs(listeners, startTimesMsBySongId)).filter(isNumberValue)
    const waitUntilDevicesAgree = () =>
      expect
        .poll(async () => {
          const delays = await readAllDelaysMs()
          return delays.length === listeners.length && computeDifferenceMs(delays) < POSITION_DIFFERENCE_MAX_MS
        }, 'whether all devices play within a second')
        .toBe(true)
    await waitUntilDevicesAgree()

    await test.step('the devices agree over three changes of the song', async () => {
      const untilMs = Date.now() + 3 * SONG_SECONDS * 1000
      const differencesMs: number[] = []
      while (Date.now() < untilMs) {
        await readSchedule(site, startTimesMsBySongId)
        const delays = await readAllDelaysMs()
        if (delays.length === listeners.length) differencesMs.push(computeDifferenceMs(delays))
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      console.log(`    largest difference of five devices: ${Math.max(...differencesMs).toFixed(0)} ms in ${differencesMs.length} samples`)
      expect(differencesMs.length).toBeGreaterThan(30)
      expect(Math.max(...differencesMs)).toBeLessThan(POSITION_DIFFERENCE_MAX_MS)
    })

    await test.step('the devices agree while the server is down for two songs', async () => {
      // Reads the start times of the songs that are on air while the server is stopped.
      await readSchedule(site, startTimesMsBySongId)
      await site.stop()
      const untilMs = Date.now() + 2 * SONG_SECONDS * 1000
      let silentMs = 0
      let longestSilenceMs = 0
      let checkedAtMs = Date.now()
      let largestDifferenceMs = 0
      while (Date.now() < untilMs) {
        const listenerDelays = await readAllDelaysMs()
        if (listenerDelays.length === listeners.length)
          largestDifferenceMs = Math.max(largestDifferenceMs, computeDifferenceMs(listenerDelays))
        silentMs = listenerDelays.length === listeners.length ? 0 : silentMs + Date.now() - checkedAtMs
        longestSilenceMs = Math.max(longestSilenceMs, silentMs)
        checkedAtMs = Date.now()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }
      console.log(
        `    without a server: largest difference ${largestDifferenceMs.toFixed(0)} ms, longest silence of a device ${longestSilenceMs} ms`,
      )
      expect(largestDifferenceMs).toBeLessThan(POSITION_DIFFERENCE_MAX_MS)
      expect(longestSilenceMs).toBeLessThan(3_000)
    })

    await test.step('the devices agree after the server has started again', async () => {
      site = await startSite({ DEMO: 'off', DATA_DIR: dataDir, PORT: String(port) })
      const returnedAtMs = Date.now()
      startTimesMsBySongId.clear()
      await readSchedule(site, startTimesMsBySongId)
      await waitUntilDevicesAgree()
      const agreedMs = Date.now() - returnedAtMs
      console.log(`    agreement ${agreedMs} ms after the server's return`)
      expect(agreedMs).toBeLessThan(5_000)
    })
  } finally {
    for (const { context } of listeners) await context.close()
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})
