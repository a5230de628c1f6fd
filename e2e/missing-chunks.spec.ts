import type { BrowserContext, Page } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { findChunkFile, playerChunk, readManifest, storageChunk } from './chunks.ts'
import { expect, test } from './fixtures.ts'
import {
  expectPlaying,
  fetchApi,
  locatePlayerButton,
  locatePlaylistLinks,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
  waitForHydration,
} from './steps.ts'

const chunkErrors = /ERR_FAILED|could not be loaded|Failed to fetch/

/** Aborts every request for the chunk that the build makes of a source file. */
const blockChunk = (context: BrowserContext, source: string) => context.route(`**/${findChunkFile(source)}`, (route) => route.abort())
const unblockChunk = (context: BrowserContext, source: string) => context.unroute(`**/${findChunkFile(source)}`)

const locateStorageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

test('chunks: no file name matches the patterns of ad blockers', () => {
  // The hash in the name of a built file contains neither '-' nor '_', so splitting the name at these characters leaves the hash whole.
  const files = Object.values(readManifest()).map(({ file }) => file.replace(/-[0-9a-z]{8}\./, '.'))
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => /youtube|discord|social|share|track|analytic|banner|popup|ads?[-_.]/i.test(file))).toEqual([])
})

test('missing chunks: a component and a page that failed to load show a message and can be retried, while the song keeps playing', async ({
  page,
  context,
  site,
  platform,
  faults,
}) => {
  faults.expect(chunkErrors)
  const [playlist] = (await fetchApi(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await fetchApi(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!song) throw new Error('The demo has no song')
  await openSong(page, platform, site.origin(), song.youtube_id)
  await test.step('a component that failed to load shows a message in its place', async () => {
    const chunkSources = ['ui/sleep-dialog.tsx', 'ui/shortcuts-dialog.tsx']
    for (const source of chunkSources) await blockChunk(context, source)
    const dialog = page.getByRole('dialog')

    await page.keyboard.press('?')
    await expect(dialog).toContainText("Part of the page didn't load.")
    await dialog.getByRole('button', { name: 'Close' }).click()

    await page.getByRole('button', { name: 'Sleep timer' }).click()
    await expect(dialog).toContainText("Part of the page didn't load.")
    for (const source of chunkSources) await unblockChunk(context, source)
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByText('15 minutes').click()
    await expectPlaying(page, platform, song.youtube_id)
    expect(platform.frameLoadCount).toBe(1)
  })

  await blockChunk(context, storageChunk)
  await locateStorageLink(page).press('Enter')
  await expect(mainRegion(page)).toContainText("Part of the page didn't load.")
  await unblockChunk(context, storageChunk)
  await mainRegion(page).getByRole('button', { name: 'Retry' }).click()
  await expect(pageHeading(page)).toHaveText('Storage')
  await expectPlaying(page, platform, song.youtube_id)
  expect(platform.frameLoadCount, 'nothing was loaded anew').toBe(1)
})

test("missing chunks: without the database's chunk and a service worker the site works online and lists what is unavailable", {
  tag: '@long',
}, async ({ page, context, site, platform, faults }) => {
  faults.expect(chunkErrors)
  await blockChunk(context, 'data/open-database.ts')
  await page.goto(site.origin())
  await locatePlaylistLinks(page).first().click()
  await mainRegion(page).locator('a[href^="/song?"]').first().click()
  await expect.poll(async () => (await platform.readState(page))?.state).toBe(1)
  await expect(page.getByText("This browser doesn't let the site store anything, so pages only work online.")).toBeVisible()
  await locateStorageLink(page).press('Enter')
  await expect(mainRegion(page)).toContainText('playlists and search work online only')
  await expect(playerRegion(page)).toBeVisible()
  await locatePlayerButton(page, 'Pause').click()
})

test('missing chunks: the chunk of the database is requested again', { tag: '@long' }, async ({ page, context, site, faults }) => {
  faults.expect(chunkErrors)
  let requestCount = 0
  await context.route(`**/${findChunkFile('data/open-database.ts')}`, (route) => {
    requestCount += 1
    return requestCount === 1 ? route.abort() : route.continue()
  })
  await page.goto(`${site.origin()}/playlists`)
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['varispeed'])
  expect(requestCount).toBe(2)
  await expect(page.getByText("This browser doesn't let the site store anything")).toBeHidden()
})

test('missing chunks: a song page without the player shows a message, and Retry plays the song', { tag: '@long' }, async ({
  page,
  context,
  testCatalogueSite,
  platform,
  faults,
}) => {
  faults.expect(chunkErrors)
  await blockChunk(context, playerChunk)
  await page.goto(`${testCatalogueSite.origin()}/song?s=${catalogueIds.accented}`)
  await expect(playerRegion(page)).toContainText("Part of the page didn't load.")
  await unblockChunk(context, playerChunk)
  // The player is loaded again when the song's data arrive. On a slow machine, that may happen while the test presses the button.
  await playerRegion(page)
    .getByRole('button', { name: 'Retry' })
    .click({ timeout: 10_000 })
    .catch(() => undefined)
  await expectPlaying(page, platform, catalogueIds.accented)
})

test('late player: a song that is opened before the player is loaded plays once the player is loaded', { tag: '@long' }, async ({
  page,
  context,
  testCatalogueSite,
  platform,
}) => {
  let releaseChunk = () => {}
  const responseReleasedPromise = new Promise<void>((resolve) => {
    releaseChunk = resolve
  })
  let requestCount = 0
  await context.route(`**/${findChunkFile(playerChunk)}`, async (route) => {
    requestCount += 1
    await responseReleasedPromise
    await route.continue()
  })
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.accentPlaylist}`)
  await waitForHydration(page)
  await mainRegion(page).locator(`a[href*="${catalogueIds.accented}"]`).first().click()
  await expect.poll(() => requestCount).toBe(1)
  releaseChunk()
  await expectPlaying(page, platform, catalogueIds.accented)
  expect(requestCount).toBe(1)
})

test('late player: the dock of a restored song and its keyboard shortcuts wait for the player, and each key takes effect once', {
  tag: '@long',
}, async ({ page, context, testCatalogueSite, platform }) => {
  await openSong(page, platform, testCatalogueSite.origin(), catalogueIds.accented)
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  let releaseChunk = () => {}
  const chunkReleasedPromise = new Promise<void>((resolve) => {
    releaseChunk = resolve
  })
  await context.route(`**/${findChunkFile(playerChunk)}`, async (route) => {
    await chunkReleasedPromise
    await route.continue()
  })
  await page.reload()
  await mainRegion(page).getByRole('combobox').selectOption({ label: 'Z-A' })
  releaseChunk()
  await expect(locatePlayerButton(page, 'Play')).toBeVisible()
  await waitForHydration(page)
  await page.keyboard.press('k')
  await expectPlaying(page, platform, catalogueIds.accented)
  await expect(page).toHaveURL(/sort=za/)
})
