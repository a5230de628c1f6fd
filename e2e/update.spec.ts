import { mkdtempSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { findChunkFile, storageChunk } from './chunks.ts'
import { expect, startTestCatalogueSite, stoppedServerErrors, test } from './fixtures.ts'
import { waitForServiceWorker } from './profile.ts'
import {
  checkForUpdate,
  copySecondBuild,
  locateUpdateButton,
  makeSecondBuild,
  readBuildName,
  SECOND_BUILD_NAME,
  type SecondBuild,
} from './second-build.ts'
import { type Site, startSite } from './server.ts'
import {
  expectPlaying,
  locatePlayerButton,
  locatePlaylistLinks,
  locateSongLinks,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
} from './steps.ts'

test.use({ serviceWorkers: 'allow' })

const playlist = { id: catalogueIds.accentPlaylist, title: 'Årets Låtar' }
const song = { id: catalogueIds.accented, title: 'Señorita Über Café' }

let secondBuild: SecondBuild
let site: Site
let dataDir = ''

/** Stops the server, and starts another build on the same port with the same data. */
async function switchBuild(buildPaths: { programFile?: string }): Promise<void> {
  await site.stop()
  site = await startSite({ DEMO: 'off', PORT: String(site.port), DATA_DIR: site.dataDir }, buildPaths)
}

const locateStorageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

/** Opens the playlist and pins it. */
async function pinPlaylist(page: Page) {
  await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
  await waitForServiceWorker(page)
  const pinButton = page.getByRole('button', { name: /^Ke(ep|pt) offline/ })
  await pinButton.click()
  await expect(pinButton).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await countRows(page)).pinned).toBe(1)
}

/** Counts the rows of the page's database. */
const countRows = (page: Page) =>
  page.evaluate(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>()
    const openRequest = indexedDB.open('varispeed')
    openRequest.onsuccess = () => resolve(openRequest.result)
    openRequest.onerror = () => reject(openRequest.error)
    const openedDatabase = await promise
    const countRowsOf = (storeName: string) =>
      new Promise<number>((resolveCount) => {
        const request = openedDatabase.transaction(storeName).objectStore(storeName).count()
        request.onsuccess = () => resolveCount(request.result)
      })
    const rowCounts = {
      version: openedDatabase.version,
      songs: await countRowsOf('songs'),
      playlists: await countRowsOf('playlists'),
      pinned: await countRowsOf('kept'),
    }
    openedDatabase.close()
    return rowCounts
  })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  secondBuild = await makeSecondBuild()
})
test.beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-update-'))
  site = await startTestCatalogueSite(dataDir)
})
test.afterEach(async () => {
  await site.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('update: an accepted update is applied when playback stops; an older build can read the newer schema; no row is lost', {
  tag: '@long',
}, async ({ page, platform, faults }) => {
  test.setTimeout(120_000)
  faults.expect(stoppedServerErrors)
  await pinPlaylist(page)
  await openSong(page, platform, site.origin(), song.id, playlist.id)
  await expect(pageHeading(page)).toContainText(song.title)
  await expect.poll(async () => (await countRows(page)).songs).toBeGreaterThan(0)
  const countBefore = await countRows(page)

  await switchBuild(secondBuild)
  await checkForUpdate(page)
  await expect(page.getByText('A new version is ready.')).toContainText('Update waits until the music stops.')
  await locateUpdateButton(page).click()
  await expect(page.getByText('The new version is ready.')).toContainText('It waits until the music stops.')

  await locateStorageLink(page).press('Enter')
  await expect(pageHeading(page)).toHaveText('Storage')
  await expect(playerRegion(page)).toContainText(song.title)
  await expectPlaying(page, platform, song.id)
  expect(await readBuildName(page), 'nothing was loaded anew').toBe('first')
  expect(platform.frameLoadCount).toBe(1)

  await locatePlayerButton(page, 'Pause').click()
  await expect.poll(() => readBuildName(page).catch(() => 'reloading')).toBe(SECOND_BUILD_NAME)
  await expect(pageHeading(page)).toHaveText('Storage')
  await expect(playerRegion(page)).toContainText(song.title)
  const countAfter = await countRows(page)
  expect(countAfter.songs).toBeGreaterThanOrEqual(countBefore.songs)
  expect(countAfter.playlists).toBeGreaterThanOrEqual(countBefore.playlists)
  expect(countAfter.pinned).toBe(1)
  expect(countAfter.version).toBeGreaterThan(countBefore.version)

  await test.step('an older build is offered as an update, and replaces the newer one', async () => {
    await switchBuild({})
    await page.goto(`${site.origin()}/playlists`)
    expect(await readBuildName(page), 'the worker still starts its own version').toBe(SECOND_BUILD_NAME)
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    await locateStorageLink(page).press('Enter')
    await expect(pageHeading(page)).toHaveText('Storage')
    // Checks that an older build is offered as an update like a newer one.
    await locateUpdateButton(page).click()
    await expect.poll(() => readBuildName(page).catch(() => 'reloading')).toBe('first')
    await expect(pageHeading(page)).toHaveText('Storage')

    await test.step('the older build reads the rows of the newer one, also offline', async () => {
      await expect(mainRegion(page)).toContainText('A newer version of this site has run here.')
      await expect(mainRegion(page).getByRole('link', { name: playlist.title })).toBeVisible()
      await site.stop()
      await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
      await expect(locateSongLinks(page).first()).toBeVisible()
      expect(await countRows(page)).toMatchObject({ version: countAfter.version, pinned: 1, songs: countAfter.songs })
    })
  })
})

test('update: a tab that plays keeps its build, and works offline while another tab is updated', { tag: '@long' }, async ({
  page: openPage,
  context,
  platform,
  faults,
}) => {
  test.setTimeout(120_000)
  faults.expect(stoppedServerErrors)
  await pinPlaylist(openPage)
  await openPage.goto(site.origin())
  const secondPage = await context.newPage()
  await openSong(secondPage, platform, site.origin(), song.id, playlist.id)
  await expect(pageHeading(secondPage)).toContainText(song.title)
  const countBefore = await countRows(openPage)

  await switchBuild(secondBuild)
  await checkForUpdate(openPage)
  await locateUpdateButton(openPage).click()
  await expect.poll(() => readBuildName(openPage).catch(() => 'reloading')).toBe(SECOND_BUILD_NAME)
  await expect(locatePlaylistLinks(openPage).first()).toBeVisible()
  const countAfter = await countRows(openPage)
  expect(countAfter.version).toBeGreaterThan(countBefore.version)
  expect(countAfter).toMatchObject({ pinned: 1 })
  expect(countAfter.songs).toBeGreaterThanOrEqual(countBefore.songs)

  expect(await readBuildName(secondPage)).toBe('first')
  await expectPlaying(secondPage, platform, song.id)
  await site.stop()
  await secondPage.bringToFront()
  await locateStorageLink(secondPage).press('Enter')
  await expect(pageHeading(secondPage)).toHaveText('Storage')
  await expect(mainRegion(secondPage).getByRole('link', { name: playlist.title })).toBeVisible()
  await expectPlaying(secondPage, platform, song.id)

  await test.step('an update accepted in the playing tab is applied when playback stops, not between two songs', async () => {
    await locateUpdateButton(secondPage).click()
    await expect(secondPage.getByText('It waits until the music stops.')).toBeVisible()
    // A pause of 2 s counts as a stop. The clicks run in the page, because two clicks of Playwright can be farther apart on a busy machine.
    await locatePlayerButton(secondPage, 'Pause').evaluate(async (button: HTMLElement) => {
      button.click()
      await new Promise((resolve) => setTimeout(resolve, 300))
      button.click()
    })
    await expectPlaying(secondPage, platform, song.id)
    await secondPage.waitForTimeout(2_500)
    expect(await readBuildName(secondPage)).toBe('first')
    expect(platform.frameLoadCount, 'nothing was loaded anew').toBe(1)
    await locatePlayerButton(secondPage, 'Pause').click()
    await expect.poll(() => readBuildName(secondPage).catch(() => 'reloading')).toBe(SECOND_BUILD_NAME)
    await expect(pageHeading(secondPage)).toHaveText('Storage')
    await expect(mainRegion(secondPage).getByRole('link', { name: playlist.title })).toBeVisible()
  })
})

test('update: an interrupted installation changes nothing, and is repeated later', { tag: '@long' }, async ({ page, faults }) => {
  faults.expect(/status of 404/)
  await page.goto(`${site.origin()}/playlists`)
  await waitForServiceWorker(page)
  const brokenBuild = await copySecondBuild('interrupted')
  const chunkPath = findChunkFile(storageChunk, brokenBuild.clientDir)
  // Matches two files that contain the chunk, the chunk's own file and the pack of the build's scripts, each with its precompressed variants.
  const isMissingPath = (path: string) => path.startsWith(chunkPath) || /^program-\w+\.pack/.test(path)
  const missingFiles = readdirSync(brokenBuild.clientDir, { recursive: true, encoding: 'utf8' }).filter(isMissingPath)
  expect(missingFiles.length).toBeGreaterThan(1)
  const removedFolder = mkdtempSync(join(brokenBuild.clientDir, 'removed-'))
  const fileMoves = missingFiles.map((file) => [join(brokenBuild.clientDir, file), join(removedFolder, basename(file))] as const)
  for (const [file, removedFile] of fileMoves) await rename(file, removedFile)
  try {
    await switchBuild(brokenBuild)
    const workerState = await page.evaluate(async () => {
      const workerRegistration = await navigator.serviceWorker.ready
      await workerRegistration.update().catch(() => undefined)
      const installingWorker = workerRegistration.installing
      if (installingWorker === null) return 'none'
      await new Promise<void>((resolve) => {
        installingWorker.addEventListener('statechange', () => installingWorker.state !== 'installing' && resolve())
      })
      return installingWorker.state
    })
    expect(workerState).toBe('redundant')
    await page.reload()
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    expect(await readBuildName(page)).toBe('first')
    await expect(locateUpdateButton(page)).toBeHidden()
  } finally {
    for (const [file, removedFile] of fileMoves) await rename(removedFile, file)
  }
  await checkForUpdate(page)
  await locateUpdateButton(page).click()
  await expect.poll(() => readBuildName(page).catch(() => 'reloading')).toBe(SECOND_BUILD_NAME)
  await expect(locatePlaylistLinks(page).first()).toBeVisible()
})
