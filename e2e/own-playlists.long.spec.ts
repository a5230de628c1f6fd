import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { createSeededRandom } from '../client/primitives/seeded-random.ts'
import { SqliteFile } from '../server/storage/sqlite-driver.ts'
import { catalogueIds } from './catalogue.ts'
import { expectOutboxCount, fetchIdToken } from './favorites-steps.ts'
import { expect, startTestCatalogueSite, stoppedServerErrors, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, readOwnPlaylist, shareOwnPlaylist } from './own-playlist-steps.ts'
import { killBrowser, waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { fetchApi, mainRegion, pageHeading } from './steps.ts'

const EDIT_COUNT = 50
const SONG_COUNT = 30

const locateRowsToArrange = (page: Page) => mainRegion(page).getByRole('list', { name: 'Songs to arrange' }).getByRole('listitem')

/** Opens the own playlist `playlistId`, and shows the handles that move its rows. */
async function arrangePlaylist(page: Page, site: Site, playlistId: string, playlistTitle: string) {
  await openHydratedPage(page, `${site.origin()}/playlist?p=my-${playlistId}`)
  await expect(pageHeading(page)).toHaveText(playlistTitle)
  await mainRegion(page)
    .getByRole('button', { name: `More: ${playlistTitle}` })
    .click()
  await page.getByRole('menuitem', { name: 'Arrange songs' }).click()
  await expect(locateRowsToArrange(page).first()).toBeVisible()
}

/** Returns the song id of each row, read from the address of the row's picture. The page must be high enough to show all rows. */
const readShownSongIds = (page: Page) =>
  locateRowsToArrange(page).evaluateAll((rows) => rows.map((row) => /\/img\/song\/([\w-]{11})\//.exec(row.innerHTML)?.[1] ?? ''))

/** Moves the row `rowIndex` by pressing a key on the row's handle, and waits until another song is at this index. */
async function moveRow(page: Page, rowIndex: number, keyName: 'ArrowUp' | 'ArrowDown' | 'Home' | 'End') {
  const idsBefore = await readShownSongIds(page)
  await locateRowsToArrange(page)
    .nth(rowIndex)
    .getByRole('button', { name: /^Move / })
    .focus()
  await page.keyboard.press(keyName)
  await expect.poll(() => readShownSongIds(page)).not.toEqual(idsBefore)
}

/** Counts the changes that the server has applied. */
function countAppliedChanges(site: Site): number {
  const database = new SqliteFile(join(site.dataDir, 'varispeed.sqlite'), { readonly: true })
  try {
    return Number(Object.values(Object(database.prepare('select count(*) from applied_changes').get()))[0])
  } finally {
    database.close()
  }
}

/** Makes 50 edits on the page that arranges a playlist: moves, removals and, last, another name. */
async function makeEdits(page: Page, playlistTitle: string, newTitle: string) {
  const nextRandom = createSeededRandom('50 edits')
  const chooseIndex = (count: number) => Math.floor(nextRandom() * count)
  for (let editIndex = 1; editIndex < EDIT_COUNT; editIndex++) {
    const rowCount = await locateRowsToArrange(page).count()
    if (editIndex % 7 === 0) {
      await locateRowsToArrange(page)
        .nth(chooseIndex(rowCount))
        .getByRole('button', { name: /^Remove / })
        .click()
      await expect(locateRowsToArrange(page)).toHaveCount(rowCount - 1)
    } else await moveRow(page, 1 + chooseIndex(rowCount - 2), (['ArrowUp', 'ArrowDown', 'Home', 'End'] as const)[chooseIndex(4)] ?? 'Home')
  }
  await mainRegion(page)
    .getByRole('button', { name: `More: ${playlistTitle}` })
    .click()
  await page.getByRole('menuitem', { name: 'Name and description' }).click()
  const dialog = page.getByRole('dialog', { name: 'Name and description' })
  await dialog.getByLabel('Name').fill(newTitle)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(pageHeading(page)).toHaveText(newTitle)
}

test('own playlists: 50 edits made offline survive a killed browser, are sent once, and are on the server in the order of the screen', async ({
  faults,
}) => {
  test.setTimeout(600_000)
  faults.expect(stoppedServerErrors)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-own-playlists-'))
  let site = await startTestCatalogueSite(dataDir)
  const { port } = site
  const credentials = createCredentials()
  try {
    await signUpByRequest(site.origin(), credentials)
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.plainPlaylist })
    const songIds = songs.slice(0, SONG_COUNT).map(({ youtube_id }) => youtube_id)
    const [playlistId = ''] = await createOwnPlaylists(site.origin(), await fetchIdToken(site, credentials), [
      { title: 'Night drive', songIds },
    ])
    const tallViewport = { width: 1280, height: 3000 }
    await withBrowserProfile(
      async (openBrowser) => {
        const { page: firstPage, context } = await openBrowser()
        await firstPage.setViewportSize(tallViewport)
        await signInByRequest(firstPage, site.origin(), credentials)
        // Chromium writes changes of localStorage to disk within 5 s.
        const loginOnDiskPromise = setTimeout(6_000)
        await arrangePlaylist(firstPage, site, playlistId, 'Night drive')
        await waitForServiceWorker(firstPage)
        await waitForStoredPage(firstPage)
        expect(await readShownSongIds(firstPage)).toEqual(songIds)
        await site.stop()

        await makeEdits(firstPage, 'Night drive', 'Day drive')
        await expectOutboxCount(firstPage, EDIT_COUNT)
        const editedIds = await readShownSongIds(firstPage)
        expect(editedIds).toHaveLength(SONG_COUNT - Math.floor(EDIT_COUNT / 7))
        await loginOnDiskPromise
        await killBrowser(context)

        const { page } = await openBrowser()
        await page.setViewportSize(tallViewport)
        await arrangePlaylist(page, site, playlistId, 'Day drive')
        await expect.poll(() => readShownSongIds(page)).toEqual(editedIds)

        site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir })
        await page.evaluate(() => window.dispatchEvent(new Event('focus')))
        await expectOutboxCount(page, 0)
        expect(countAppliedChanges(site)).toBe(1 + EDIT_COUNT)
        expect(await readOwnPlaylist(site.origin(), await fetchIdToken(site, credentials), playlistId)).toEqual({
          title: 'Day drive',
          songIds: editedIds,
        })
        expect(await readShownSongIds(page)).toEqual(editedIds)
      },
      { needsChromium: true },
    )
  } finally {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('own playlists: two devices reorder the same list, one of them without a connection; no song is lost, and both show the same order', async ({
  page,
  browser,
  testCatalogueSite: site,
  faults,
}) => {
  test.setTimeout(300_000)
  faults.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.plainPlaylist })
  const songIds = songs.slice(0, 10).map(({ youtube_id }) => youtube_id)
  const idToken = await fetchIdToken(site, credentials)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: 'Night drive', songIds }])
  const otherContext = await browser.newContext()
  const otherPage = await otherContext.newPage()
  for (const openPage of [page, otherPage]) {
    await signInByRequest(openPage, site.origin(), credentials)
    await arrangePlaylist(openPage, site, playlistId, 'Night drive')
    await expect.poll(() => readShownSongIds(openPage)).toEqual(songIds)
  }
  await otherContext.setOffline(true)
  await moveRow(otherPage, 7, 'Home')
  await moveRow(otherPage, 9, 'ArrowUp')
  await moveRow(page, 2, 'End')
  await moveRow(page, 4, 'ArrowDown')
  await expectOutboxCount(page, 0)
  await otherContext.setOffline(false)
  await expectOutboxCount(otherPage, 0)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(() => readShownSongIds(page)).not.toEqual(songIds)
  const { songIds: mergedIds } = await readOwnPlaylist(site.origin(), idToken, playlistId)
  expect(mergedIds.toSorted()).toEqual(songIds.toSorted())
  // The song that the other device moved is the first song, and the song that this device moved is the last.
  expect([mergedIds[0], mergedIds.at(-1)]).toEqual([songIds[7], songIds[2]])
  for (const each of [page, otherPage]) await expect.poll(() => readShownSongIds(each)).toEqual(mergedIds)
  await otherContext.close()
})

test('the page of a shared playlist is gone as soon as the owner makes the playlist private, and no cache of a visitor still contains the page', async ({
  testCatalogueSite: site,
}) => {
  test.setTimeout(300_000)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: catalogueIds.plainPlaylist })
  const idToken = await fetchIdToken(site, credentials)
  const songIds = songs.slice(0, 4).map(({ youtube_id }) => youtube_id)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: 'Night drive', songIds }])
  const token = await shareOwnPlaylist(site.origin(), idToken, playlistId, true)
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    // The first page comes from the server with its songs, the others from the service worker.
    for (let visitIndex = 0; visitIndex < 3; visitIndex++) {
      await openHydratedPage(page, `${site.origin()}/list?l=${token}`)
      await expect(pageHeading(page)).toHaveText('Night drive')
      await waitForServiceWorker(page)
      await waitForStoredPage(page)
    }
    expect(await shareOwnPlaylist(site.origin(), idToken, playlistId, false)).toBe('')
    for (const path of [`/list?l=${token}`, `/api/list/get?l=${token}`, `/img/og/list/${token}.jpg`, `/embed/list?l=${token}`])
      expect([path, (await fetch(site.origin() + path)).status]).toEqual([path, 404])
    const cachedUrls = await page.evaluate(async () => {
      const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
      return requests.flat().map(({ url }) => url)
    })
    expect(cachedUrls.filter((address) => address.includes(token))).toEqual([])
    await context.setOffline(true)
    await page.reload()
    await expect(mainRegion(page).getByText('A shared playlist needs a connection')).toBeVisible()
    await expect(page.getByText('Night drive')).toHaveCount(0)
    await context.setOffline(false)
    await openHydratedPage(page, `${site.origin()}/list?l=${token}`)
    await expect(pageHeading(page)).toHaveText('Page not found')
  })
})

test('own playlists: only the newest ones are shown at first; a button shows all of them, and moves the focus to the first of the added ones', async ({
  page,
  site,
}) => {
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const playlists = Array.from({ length: 50 }, (_, index) => ({ title: `Playlist ${index + 1}`, songIds: [] }))
  await createOwnPlaylists(site.origin(), await fetchIdToken(site, credentials), playlists)
  await signInByRequest(page, site.origin(), credentials)
  await openHydratedPage(page, `${site.origin()}/playlists`)
  const playlistItems = mainRegion(page).getByRole('list', { name: 'Your playlists' }).getByRole('listitem')
  const showAllButton = mainRegion(page).getByRole('button', { name: 'Show all 50 playlists' })
  await expect(showAllButton).toBeVisible()
  await expect(playlistItems).toHaveCount(24)
  await showAllButton.press('Enter')
  await expect(playlistItems).toHaveCount(50)
  await expect(playlistItems.nth(24).getByRole('link')).toBeFocused()
  await expect(showAllButton).toHaveCount(0)
})
