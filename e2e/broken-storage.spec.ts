import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { findChunkFile, storageChunk } from './chunks.ts'
import { expectOutboxCount, fetchIdToken, fetchServerFavorites } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { type BrowserWithPage, waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { installVideoPlatform } from './stand-ins/video-platform.ts'
import {
  expectPlaying,
  fetchApi,
  locatePlaylistLinks,
  locateSongLinks,
  mainRegion,
  openSong,
  pageHeading,
  playerRegion,
  waitForHydration,
} from './steps.ts'

/** Returns a playlist of the demo catalogue, and one of the songs in it. */
async function pickPlaylist(site: Site) {
  const [playlist] = (await fetchApi(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const songs = playlist ? (await fetchApi(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  const [song] = songs
  if (!playlist || !song) throw new Error('The demo has no playlist')
  return { playlist, song }
}

/** Replaces the body of each cache entry for `urlPath` with `newBody`. Returns the number of entries. */
const replaceCachedBody = (page: Page, urlPath: string, newBody: string) =>
  page.evaluate(
    async ([urlPath = '', pageText = '']) => {
      let replacedCount = 0
      for (const cacheName of await caches.keys()) {
        const namedCache = await caches.open(cacheName)
        const cachedResponse = await namedCache.match(urlPath)
        if (!cachedResponse) continue
        replacedCount += 1
        await namedCache.put(urlPath, new Response(pageText, { headers: cachedResponse.headers }))
      }
      return replacedCount
    },
    [urlPath, newBody],
  )

// The link is pressed by keyboard, because content that loads late moves the footer, and a click could miss the link.
const locateStorageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

test('storage: after a page is restored from the back/forward cache, the pages that are opened from it are still stored', {
  tag: '@long',
}, async ({ site }) => {
  // Playwright switches the back/forward cache off by default, and Chromium's headless shell has none.
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: chromiumFlags,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const page = await browser.newPage()
    await page.goto(`${site.origin()}/playlists`)
    await waitForStoredPage(page)
    await page.evaluate(() => addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted })))
    await page.goto(`${site.origin()}/healthz`)
    await page.goBack({ waitUntil: 'commit' })
    await expect.poll(() => page.evaluate(() => 'persisted' in window && window.persisted)).toBe(true)
    await locatePlaylistLinks(page).first().click()
    await expect(locateSongLinks(page).first()).toBeVisible()
    await locateStorageLink(page).press('Enter')
    await expect(mainRegion(page)).toContainText('1 playlist')
    await expect(mainRegion(page)).not.toContainText('online only')
  } finally {
    await browser.close()
  }
})

test('broken storage: corrupt or deleted caches are repaired, and the site starts offline again', {
  tag: '@long',
}, async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  try {
    await withBrowserProfile(
      async (openBrowser) => {
        const { page } = await openBrowser()
        await page.goto(`${site.origin()}/playlists`)
        await waitForServiceWorker(page)
        const expectReloadWorks = async () => {
          await page.goto(`${site.origin()}/playlists`)
          await expect(locatePlaylistLinks(page).first()).toBeVisible()
        }

        for (const documentHtml of ['', '<!doctype html><p>Log in to the hotel', '<!doctype html><script id="site">{}</script></html>']) {
          await test.step(`the page opens although the content of the cached app shell is: ${documentHtml}`, async () => {
            expect(await replaceCachedBody(page, '/shell', documentHtml)).toBe(1)
            await expectReloadWorks()
            await expect
              .poll(() => page.evaluate(async () => (await (await caches.match('/shell'))?.text())?.length))
              .toBeGreaterThan(1_000)
          })
        }

        await test.step('the page opens although the cached start chunk is truncated', async () => {
          expect(await replaceCachedBody(page, `/${findChunkFile('index.html')}`, 'import "')).toBe(1)
          await page.goto(`${site.origin()}/playlists`)
          // The service worker reloads the page once it has repaired the cached files.
          await page.waitForEvent('load', { timeout: 30_000 })
          await waitForHydration(page)
          await expect(locatePlaylistLinks(page).first()).toBeVisible()
        })

        await test.step('the page opens after a reload although its cached chunk is truncated', async () => {
          expect(await replaceCachedBody(page, `/${findChunkFile(storageChunk)}`, 'export const')).toBe(1)
          await expectReloadWorks()
          await locateStorageLink(page).press('Enter')
          await expect(mainRegion(page)).toContainText("Part of the page didn't load.")
          await expect
            .poll(() =>
              page.evaluate(async (path) => (await (await caches.match(path))?.text())?.length, `/${findChunkFile(storageChunk)}`),
            )
            .toBeGreaterThan(100)
          await mainRegion(page).getByRole('button', { name: 'Reload' }).click()
          await expect(pageHeading(page)).toHaveText('Storage')
        })

        await test.step('the page opens although all caches are deleted', async () => {
          const countCacheEntries = () =>
            page.evaluate(async () =>
              Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length)),
            )
          const entryCountBefore = Math.max(...(await countCacheEntries()))
          await page.evaluate(async () => {
            for (const name of await caches.keys()) await caches.delete(name)
          })
          await expectReloadWorks()
          await expect.poll(async () => Math.max(0, ...(await countCacheEntries()))).toBeGreaterThanOrEqual(entryCountBefore)
          await expect.poll(() => page.evaluate(async () => (await caches.match('/shell')) !== undefined)).toBe(true)
        })

        await site.stop()
        const reopenedPage = await openBrowser()
        await reopenedPage.page.goto(`${site.origin()}/playlists`)
        await expect(locatePlaylistLinks(reopenedPage.page).first()).toBeVisible()
        await locateStorageLink(reopenedPage.page).press('Enter')
        await expect(pageHeading(reopenedPage.page)).toHaveText('Storage')
      },
      { expectedErrors: /SyntaxError|could not be loaded/ },
    )
  } finally {
    await site.stop()
  }
})

/** Overwrites every file below `folderPath` with the byte 0xa5. Returns the number of files. */
async function corruptFiles(folderPath: string): Promise<number> {
  const folderEntries = await readdir(folderPath, { recursive: true, withFileTypes: true })
  const files = folderEntries.filter((entry) => entry.isFile() && entry.name !== 'LOCK').map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) await writeFile(file, Buffer.alloc((await stat(file)).size, 0xa5))
  return files.length
}

test('broken storage: with damaged files on the disk the site loads, and later starts offline again', {
  tag: '@long',
}, async () => {
  test.setTimeout(120_000)
  const site = await startSite()
  try {
    await withBrowserProfile(async (openBrowser) => {
      const firstBrowser = await openBrowser()
      await firstBrowser.page.goto(`${site.origin()}/playlists`)
      await waitForServiceWorker(firstBrowser.page)
      await expect(locatePlaylistLinks(firstBrowser.page).first()).toBeVisible()
      await waitForStoredPage(firstBrowser.page)
      const damagedPage = await openBrowser(async (profileFolder) => {
        expect(await corruptFiles(join(profileFolder, 'Default/IndexedDB'))).toBeGreaterThan(3)
        expect(await corruptFiles(join(profileFolder, 'Default/Service Worker/CacheStorage'))).toBeGreaterThan(30)
      })
      await damagedPage.page.goto(`${site.origin()}/playlists`)
      await expect(locatePlaylistLinks(damagedPage.page).first()).toBeVisible()
      // Waits until the app shell is cached, because the service worker caches it last.
      await expect.poll(() => damagedPage.page.evaluate(async () => (await caches.match('/shell')) !== undefined)).toBe(true)
      await waitForStoredPage(damagedPage.page)
      await site.stop()
      const { page } = await openBrowser()
      await page.goto(`${site.origin()}/playlists`)
      await expect(locatePlaylistLinks(page).first()).toBeVisible()
    })
  } finally {
    await site.stop()
  }
})

/** Limits the storage of the site's origin to `quotaBytes`; `undefined` removes the limit. */
async function limitStorage({ context, page }: BrowserWithPage, origin: string, quotaBytes: number | undefined) {
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaBytes !== undefined && { quotaSize: quotaBytes }) })
}

test('full device: music plays, and the site works online and shows a message until space is free', { tag: '@long' }, async ({ site }) => {
  const { playlist, song } = await pickPlaylist(site)
  await withBrowserProfile(async (openBrowser) => {
    const firstBrowser = await openBrowser()
    await firstBrowser.page.goto(`${site.origin()}/playlists`)
    await waitForServiceWorker(firstBrowser.page)
    await expect(locatePlaylistLinks(firstBrowser.page).first()).toBeVisible()
    // Restarts the browser before the storage limit is set, because Chromium reads the limit at the first write after its start.
    const browser = await openBrowser()
    const { page, context } = browser
    const videoPlatform = await installVideoPlatform(context)
    await limitStorage(browser, site.origin(), 1)
    await openSong(page, videoPlatform, site.origin(), song.youtube_id)

    await page.getByRole('link', { name: 'Playlists' }).first().click()
    await page.locator(`a[href="/playlist?p=${playlist.id}"]`).first().click()
    await expect(locateSongLinks(page).first()).toBeVisible()
    await expect(page.getByText("This device is full: what you open now won't be stored.")).toBeVisible()
    await expectPlaying(page, videoPlatform, song.youtube_id)

    await expect(page.getByRole('button', { name: /^Ke(ep|pt) offline/ })).toBeDisabled()
    await expect(mainRegion(page)).toContainText('This device is full.')
    await locateStorageLink(page).press('Enter')
    await expect(mainRegion(page)).toContainText('This device is full: remove a kept playlist or clear the cache')
    await expectPlaying(page, videoPlatform, song.youtube_id)
    expect(videoPlatform.frameLoadCount).toBe(1)

    await limitStorage(browser, site.origin(), undefined)
    await page.getByRole('button', { name: 'Clear cache' }).click()
    await expect(page.getByText('Cache cleared.')).toBeVisible()
    await expect(page.getByText('This device is full')).toHaveCount(0)
  })
})

test('blocked storage: the site works online and lists what is unavailable', { tag: '@long' }, async ({ site }) => {
  const { playlist, song } = await pickPlaylist(site)
  await withBrowserProfile(
    async (openBrowser) => {
      const { page, context } = await openBrowser()
      const videoPlatform = await installVideoPlatform(context)
      await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
      await locateSongLinks(page).filter({ hasText: song.title }).first().click()
      await expectPlaying(page, videoPlatform, song.youtube_id)
      await expect(page.getByText("This browser doesn't let the site store anything, so pages only work online.")).toBeVisible()
      await locateStorageLink(page).press('Enter')
      await expect(mainRegion(page)).toContainText('This browser gives the site no database')
      await expect(mainRegion(page)).toContainText(/could not be installed here|cannot start the site without a connection/)
      await expect(playerRegion(page)).toContainText(song.title)
    },
    // The browser's profile has the setting 'Block all cookies'.
    { preferences: { profile: { default_content_setting_values: { cookies: 2 } } } },
  )
})

test.describe('storage, without a restart of the browser', () => {
  test.use({ serviceWorkers: 'allow' })

  test('broken storage: a service worker that cannot write its cache on the first visit still controls the page', { tag: '@long' }, async ({
    page,
    context,
    site,
  }) => {
    await context.route('**/sw.js', async (route) => {
      const response = await route.fetch()
      const failingPut = `const put=Cache.prototype.put;Cache.prototype.put=function(key,value){
        return String(key).endsWith('/builds.json')?Promise.reject(new DOMException('full','QuotaExceededError')):put.call(this,key,value)};`
      await route.fulfill({ response, body: failingPut + (await response.text()) })
    })
    await page.goto(`${site.origin()}/playlists`)
    await waitForServiceWorker(page)
    expect(await page.evaluate(async () => (await caches.open('builds-v1')).match('/builds.json'))).toBe(undefined)
  })

  test('broken storage: invalid rows are fetched again, and a pinned playlist stays pinned', { tag: '@long' }, async ({
    page,
    site,
    platform: _,
  }) => {
    const { playlist, song } = await pickPlaylist(site)
    await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
    await waitForServiceWorker(page)
    const pinButton = page.getByRole('button', { name: /^Ke(ep|pt) offline/ })
    await pinButton.click()
    await expect(pinButton).toHaveAttribute('aria-pressed', 'true')
    await page.goto(`${site.origin()}/song?s=${song.youtube_id}&p=${playlist.id}`)
    await expect(pageHeading(page)).toContainText(song.title)
    const changeRows = (tableName: string, changedFields?: object) =>
      page.evaluate(
        async ([tableName = '', changedFields]) => {
          const openRequest = indexedDB.open('varispeed')
          await new Promise((resolve) => openRequest.addEventListener('success', resolve))
          const objectStore = openRequest.result.transaction(tableName as string, 'readwrite').objectStore(tableName as string)
          const request = objectStore.getAll()
          await new Promise((resolve) => request.addEventListener('success', resolve))
          const keyPath = String(objectStore.keyPath)
          if (changedFields) for (const row of request.result) objectStore.put({ [keyPath]: row[keyPath], ...(changedFields as object) })
          await new Promise((resolve) => {
            objectStore.transaction.addEventListener('complete', resolve)
            objectStore.transaction.commit()
          })
          openRequest.result.close()
          return JSON.stringify(request.result)
        },
        [tableName, changedFields] as const,
      )
    await expect.poll(() => changeRows('details')).toContain('next_title')
    await expect.poll(() => changeRows('kept')).toContain('done')
    await changeRows('details', { detail: {} })
    await changeRows('songs', { title: 5 })
    await changeRows('lists', { ids: ['not-here', null] })
    await changeRows('kept', {})

    await page.reload()
    await expect(pageHeading(page)).toContainText(song.title)
    await locateStorageLink(page).press('Enter')
    await expect(mainRegion(page).getByRole('link', { name: playlist.title })).toBeVisible()
    await expect(mainRegion(page)).toContainText(`${playlist.song_count} song`)
    await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
    await expect(locateSongLinks(page).filter({ hasText: song.title }).first()).toBeVisible()
    await expect.poll(() => changeRows('kept')).toContain('done')
  })

  test('full device: if there is no space for the precache, the site works online and says that it cannot start offline', async ({
    page,
    context,
    site,
    faults,
  }) => {
    faults.expect(/status of 5|QuotaExceeded|quota/)
    await limitStorage({ context, page }, site.origin(), 20_000)
    await page.goto(`${site.origin()}/storage`)
    await expect(mainRegion(page)).toContainText('Offline support could not be installed here.')
    await page.goto(`${site.origin()}/playlists`)
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
  })
})

test('storage: favorites that are changed after the browser has closed the database in the background survive a reload', {
  tag: '@long',
}, async ({ page, site, faults }) => {
  faults.expect(/Failed to load resource/)
  await page.addInitScript(() => {
    const openedDatabases: IDBDatabase[] = []
    Object.assign(window, { openedDatabases })
    const { open } = IDBFactory.prototype
    IDBFactory.prototype.open = function (...args) {
      const request = open.apply(this, args)
      request.addEventListener('success', () => openedDatabases.push(request.result))
      return request
    }
  })
  const { playlist, song } = await pickPlaylist(site)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  // The route is set before the page loads, because Chromium sends requests past a route that has just been set.
  let isServerReachable = true
  await page.route('**/api/favorite/**', (route) => (isServerReachable ? route.continue() : route.abort()))
  await page.goto(`/playlist?p=${playlist.id}`)
  await waitForStoredPage(page)
  await page.evaluate(() => {
    for (const database of Reflect.get(window, 'openedDatabases') as IDBDatabase[]) {
      database.close()
      database.dispatchEvent(new Event('close'))
    }
  })
  const favoriteButton = mainRegion(page).getByRole('button', { name: `Favorite: ${song.title}` })
  // Without a connection to the API the change can only be kept on the device.
  isServerReachable = false
  await favoriteButton.click()
  await expect(favoriteButton).toHaveAttribute('aria-pressed', 'true')
  await expectOutboxCount(page, 1)
  await page.reload()
  await expect(favoriteButton).toHaveAttribute('aria-pressed', 'true')
  isServerReachable = true
  await page.reload()
  await expect.poll(async () => fetchServerFavorites(site, await fetchIdToken(site, credentials))).toEqual([song.youtube_id])
})
