import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Page, test } from '@playwright/test'
import sharp from 'sharp'
import { chromiumFlags, chromiumPath } from '../chromium.ts'
import { type Site, startSite } from '../server.ts'
import { installVideoPlatform, type VideoPlatform } from '../stand-ins/video-platform.ts'
import { fetchApi, mainRegion } from '../steps.ts'
import { hasMediaKeyTools, type ShownMediaSession, startVirtualDesktop, type VirtualDesktop } from './desktop.ts'

// These tests press the media keys of a virtual desktop, which reach a visible Chromium over MPRIS. The video platform's frame has a
// separate media session.

interface ListeningSetup {
  desktop: VirtualDesktop
  page: Page
  platform: VideoPlatform
  site: Site
}

/** Runs in the page: records the audio elements that the page plays. */
function recordSounds() {
  const playedElements = new Set<HTMLMediaElement>()
  Object.assign(globalThis, { sounds: playedElements })
  const { play } = HTMLMediaElement.prototype
  HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
    playedElements.add(this)
    return play.call(this)
  }
}
declare const sounds: ReadonlySet<HTMLMediaElement>

/**
 * For each audio element that the page has played, returns whether it plays, its volume, and the largest distance of its 8-bit samples from
 * silence.
 */
const readSounds = (page: Page) =>
  page.evaluate(() =>
    [...sounds].map(({ paused, volume, src }) => {
      const binaryText = atob(src.split(',')[1] ?? '')
      let peak = 0
      for (let index = 44; index < binaryText.length; index++) peak = Math.max(peak, Math.abs(binaryText.charCodeAt(index) - 128))
      return { isPlaying: !paused, volume, peak, isLong: binaryText.length > 44 + 8000 * 5 }
    }),
  )
const createExpectedSound = (isPlaying: boolean) => [{ isPlaying, volume: 1, peak: 0, isLong: true }]

const THUMBNAIL_SIZE = { width: 64, height: 36, fit: 'fill' } as const
const readPixels = (image: string | Buffer) => sharp(image).resize(THUMBNAIL_SIZE).removeAlpha().raw().toBuffer()

/** Returns the mean difference of two pictures, 0 to 255. */
async function measurePictureDifference(filePath: string, expectedPicture: Buffer): Promise<number> {
  const [shownPixels, pixels] = await Promise.all([readPixels(filePath), readPixels(expectedPicture)])
  return pixels.reduce((sum, value, index) => sum + Math.abs(value - (shownPixels[index] ?? 0)), 0) / pixels.length
}

/**
 * Expects that the operating system shows the cover of the song `songId`. Chromium may crop the picture, so the picture need only differ
 * less from this cover than from the cover of `otherSongId`.
 */
async function expectCover({ desktop, site }: ListeningSetup, songId: string, otherSongId: string) {
  const readCover = async (id: string) => Buffer.from(await (await fetch(`http://127.0.0.1:${site.port}/img/song/${id}/640`)).arrayBuffer())
  const [firstCover, otherCover] = await Promise.all([readCover(songId), readCover(otherSongId)])
  await expect
    .poll(async () => {
      const picturePath = (await desktop.readMedia())?.picturePath ?? ''
      const pictureDifferences = await Promise.all([
        measurePictureDifference(picturePath, firstCover),
        measurePictureDifference(picturePath, otherCover),
      ]).catch(() => [0, 0])
      return (pictureDifferences[0] ?? 0) < (pictureDifferences[1] ?? 0)
    }, 'whether the cover is shown')
    .toBe(true)
}

const expectMediaSession = ({ desktop }: ListeningSetup, expected: Partial<ShownMediaSession>) =>
  expect.poll(() => desktop.readMedia()).toMatchObject(expected)
const expectPlayerState = ({ platform, page }: ListeningSetup, state: number) =>
  expect.poll(async () => (await platform.readState(page))?.state).toBe(state)
const readTime = async ({ platform, page }: ListeningSetup) => (await platform.readState(page))?.time ?? 0
const PLAYING_STATE = 1
const PAUSED_STATE = 2

/** Expects that the video plays, and that the operating system shows it. */
async function expectSong(listening: ListeningSetup, shownSession: Partial<ShownMediaSession>) {
  await expectPlayerState(listening, PLAYING_STATE)
  await expectMediaSession(listening, { ...shownSession, status: 'Playing' })
}

/** Pauses and plays with the media keys, and also seeks if `canSeek` is true. */
async function pressKeys(listening: ListeningSetup, shownSession: Partial<ShownMediaSession>, { canSeek }: { canSeek: boolean }) {
  const { desktop, page } = listening
  await expectSong(listening, shownSession)
  await expect.poll(() => readSounds(page)).toEqual(createExpectedSound(true))
  await desktop.pressKey('pause')
  await expectPlayerState(listening, PAUSED_STATE)
  await expectMediaSession(listening, { ...shownSession, status: 'Paused' })
  await expect.poll(() => readSounds(page)).toEqual(createExpectedSound(false))
  await desktop.pressKey('play')
  await expectSong(listening, shownSession)
  if (!canSeek) return
  await desktop.pressKey('position', '100')
  await expect.poll(() => readTime(listening)).toBeGreaterThan(99)
  await desktop.pressKey('position', '20-')
  await expect.poll(() => readTime(listening)).toBeLessThan(95)
}

test.describe('media keys in a visible Chromium', () => {
  test.skip(!hasMediaKeyTools(), 'The media keys need a message bus and a display: apt-get install playerctl dbus xvfb')
  let workFolder = ''
  let listeningState: ListeningSetup
  let closeDesktop = async () => {}

  test.beforeAll(async () => {
    workFolder = await mkdtemp(join(tmpdir(), 'varispeed-keys-'))
    const virtualDesktop = await startVirtualDesktop(workFolder)
    const site = await startSite()
    // The profile is stored on disk, because Chromium hides the titles of private windows. Chromium's default autoplay policy applies.
    const context = await chromium.launchPersistentContext(join(workFolder, 'profile'), {
      executablePath: chromiumPath,
      headless: false,
      args: chromiumFlags.filter((flag) => !flag.startsWith('--autoplay-policy')),
      env: virtualDesktop.env,
      serviceWorkers: 'block',
    })
    await context.addInitScript(recordSounds)
    listeningState = {
      desktop: virtualDesktop,
      site,
      platform: await installVideoPlatform(context),
      page: context.pages()[0] ?? (await context.newPage()),
    }
    closeDesktop = async () => {
      await context.close()
      await site.stop()
      await virtualDesktop.stop()
    }
  })
  test.afterAll(async () => {
    await closeDesktop()
    await rm(workFolder, { recursive: true, force: true })
  })

  test('the media keys control the player, also after a pause on the page, and the system shows title, artist, playlist and cover of the song', async () => {
    const { site, page, desktop } = listeningState
    const [playlist] = await fetchApi(site, 'GET /playlist/all')
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: playlist?.id ?? '' })
    const [firstSong, secondSong] = songs.map(({ title, author_name: artist, youtube_id: songId }) => ({
      id: songId,
      shown: { title, artist, album: playlist?.title ?? '' },
    }))
    if (firstSong === undefined || secondSong === undefined) throw new Error('The playlist has no two songs')
    await page.goto(`${site.origin()}/playlist?p=${playlist?.id}`)
    await mainRegion(page).locator(`a[href^="/song?s=${firstSong.id}"]`).first().click()
    await pressKeys(listeningState, firstSong.shown, { canSeek: true })
    await expectCover(listeningState, firstSong.id, secondSong.id)
    await desktop.pressKey('next')
    await expectSong(listeningState, secondSong.shown)
    await expectCover(listeningState, secondSong.id, firstSong.id)
    await desktop.pressKey('previous')
    await expectSong(listeningState, firstSong.shown)

    await page.keyboard.press('k')
    await expectPlayerState(listeningState, PAUSED_STATE)
    await expectMediaSession(listeningState, { ...firstSong.shown, status: 'Paused' })
    await desktop.pressKey('next')
    await expectSong(listeningState, secondSong.shown)

    await desktop.pressKey('stop')
    await expectPlayerState(listeningState, PAUSED_STATE)
    await expect.poll(() => readSounds(page)).toEqual(createExpectedSound(false))
  })

  test('the media keys pause and resume the radio, on its own host and on the home page', async () => {
    const { site, page } = listeningState
    for (const [testedHost, pageName] of [
      ['fm', 'Play'],
      [undefined, 'Play the radio'],
    ] as const) {
      await page.goto(site.origin(testedHost))
      await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
      await page.getByRole('button', { name: pageName, exact: true }).click()
      await expectPlayerState(listeningState, PLAYING_STATE)
      const { title, author_name: artist } = await fetchApi(site, 'GET /radio/get')
      await pressKeys(listeningState, { title, artist, album: 'Radio' }, { canSeek: false })
    }
  })

  test("the media keys control the video on a subscriber's website", async () => {
    const { site, page } = listeningState
    await page.goto(site.origin('aria'))
    const playButton = mainRegion(page)
      .getByRole('button', { name: /^Play .+ by / })
      .first()
    const [, title = '', artist = ''] = /^Play (.+) by (.+)$/.exec((await playButton.getAttribute('aria-label')) ?? '') ?? []
    await playButton.click()
    await pressKeys(listeningState, { title, artist }, { canSeek: true })
  })
})
