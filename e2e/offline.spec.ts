import type { Locator, Page } from '@playwright/test'
import { brands, expect, stoppedServerErrors, tagSecondBrand, test } from './fixtures.ts'
import { waitForCachedDocument, waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { expectSongOnAirShown } from './radio-steps.ts'
import { startSite } from './server.ts'
import {
  fetchApi,
  locatePlaylistLinks,
  locateSearchBox,
  locateSongLinks,
  mainNavigation,
  mainRegion,
  pageHeading,
  shareFileSignedOut,
} from './steps.ts'

for (const brand of brands) {
  test(
    `${brand.name}: with the server stopped and the browser restarted, visited pages open with their content`,
    tagSecondBrand(brand),
    async () => {
      test.setTimeout(180_000)
      const site = await startSite()
      const origin = site.origin(brand.subdomain)
      try {
        const [visitedPlaylist, unvisitedPlaylist] = (await fetchApi(site, 'GET /playlist/all')).filter((each) => each.song_count > 3)
        if (visitedPlaylist === undefined || unvisitedPlaylist === undefined) throw new Error('The demo has too few playlists')
        const { songs } = await fetchApi(site, 'GET /playlist/get', { p: visitedPlaylist.id })
        const song = songs[0]
        if (song === undefined) throw new Error('The playlist is empty')
        const titleWord = song.title.split(' ')[0] ?? song.title
        const visitedPages: [path: string, content: (page: Page) => Locator][] = [
          ['/', (page) => locatePlaylistLinks(page)],
          ['/playlists', (page) => mainRegion(page).getByRole('link', { name: visitedPlaylist.title })],
          [`/playlist?p=${visitedPlaylist.id}`, (page) => locateSongLinks(page).filter({ hasText: song.title })],
          [`/song?s=${song.youtube_id}&p=${visitedPlaylist.id}`, (page) => pageHeading(page).filter({ hasText: song.title })],
          [`/search?q=${encodeURIComponent(titleWord)}`, (page) => locateSongLinks(page).filter({ hasText: song.title })],
        ]

        await withBrowserProfile(async (openBrowser) => {
          const firstBrowser = await openBrowser()
          await firstBrowser.page.goto(origin)
          await waitForServiceWorker(firstBrowser.page)
          for (const [urlPath, locateContent] of visitedPages) {
            await firstBrowser.page.goto(origin + urlPath)
            await expect(locateContent(firstBrowser.page).first()).toBeVisible()
            await waitForStoredPage(firstBrowser.page)
            // A page that is left before it counts as visited is not cached: on a busy machine, visits are not watched before it is left.
            await waitForCachedDocument(firstBrowser.page)
          }
          await site.stop()

          const { page } = await openBrowser()
          for (const [urlPath, expectedContent] of visitedPages) {
            await page.goto(origin + urlPath, { waitUntil: 'commit' })
            await expect(expectedContent(page).first(), urlPath).toBeVisible()
            expect(await page.locator('html').getAttribute('data-brand')).toBe(brand.id)
            // The content of a visited page is in its cached document, so that it is painted before any script runs.
            expect(await page.locator('#root').getAttribute('data-path')).toBe(urlPath)
            if (urlPath !== '/playlists') continue
            await test.step('offline, pictures come from the cache', async () => {
              const picture = mainRegion(page).locator('img').first()
              await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
            })
          }

          await test.step('a playlist that was not visited shows a message and links to cached pages', async () => {
            await page.goto(`${origin}/playlist?p=${unvisitedPlaylist.id}`)
            await expect(mainRegion(page)).toContainText("The site isn't responding, and you haven't opened this here before.")
            await expect(page).toHaveTitle(`Playlist · ${brand.name}`)
            await expect(mainRegion(page).getByRole('link', { name: visitedPlaylist.title })).toBeVisible()
          })

          await test.step('offline, search finds songs of visited playlists', async () => {
            const otherSong = songs.at(-1) ?? song
            await page.goto(`${origin}/search?q=${encodeURIComponent(otherSong.title)}`)
            await locateSongLinks(page).filter({ hasText: otherSong.title }).first().click()
            await expect(pageHeading(page)).toContainText(otherSong.title)
          })

          await test.step('the search box suggests songs and playlists that are on this device', async () => {
            await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
            await locateSearchBox(page).fill(song.title)
            await expect(page.getByText(/^Suggestions: .* on this device$/)).toBeAttached()
            await locateSearchBox(page).press('ArrowDown')
            await locateSearchBox(page).press('Enter')
            await expect(pageHeading(page)).toContainText(song.title)
            await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
            await locateSearchBox(page).fill(visitedPlaylist.title)
            await page.getByRole('option', { name: visitedPlaylist.title }).last().click()
            await expect(pageHeading(page)).toContainText(visitedPlaylist.title)
          })

          await test.step('an unknown address shows the 404 page, and /go/random opens a song', async () => {
            await page.goto(`${origin}/no-such-page`)
            await expect(mainRegion(page)).toContainText('Page not found')
            await page.goto(`${origin}/go/random`)
            await expect(page).toHaveURL(/\/song\?s=/)
            await expect(pageHeading(page)).toBeVisible()
            await expect(mainRegion(page)).not.toContainText("haven't opened this here before")
          })

          await test.step('the maker page keeps a file that another app shared until the login', () => shareFileSignedOut(page))
        })
      } finally {
        await site.stop()
      }
    },
  )
}

test('offline: every page of the radio host can be opened after a start offline', { tag: '@long' }, async () => {
  const site = await startSite()
  try {
    await withBrowserProfile(async (openBrowser) => {
      const { page: firstPage } = await openBrowser()
      await firstPage.goto(`${site.origin('fm')}/`)
      await expectSongOnAirShown(firstPage)
      await waitForServiceWorker(firstPage)
      await site.stop()
      const { page } = await openBrowser()
      await page.goto(`${site.origin('fm')}/anything`)
      await expect(pageHeading(page)).toHaveText('Nightcore Meridian Radio')
      await expect(page.getByText('No connection at the moment. The radio comes back by itself.')).toBeVisible()
    })
  } finally {
    await site.stop()
  }
})

test.describe('offline, without a restart of the browser', () => {
  test.use({ serviceWorkers: 'allow' })

  test('offline: an interrupted first visit and a tab that was opened before the service worker was installed work offline; paths that only the server handles are never answered from the cache', {
    tag: '@long',
  }, async ({ page, context, faults, platform: _ }) => {
    test.setTimeout(120_000)
    // When a page is left, the service worker fails its picture requests.
    faults.expect(stoppedServerErrors)
    faults.expect(/ERR_INTERNET_DISCONNECTED|status of 404|ERR_FAILED \(http[^)]*\/img\//)
    // Chromium's own view of a JSON document uses an inline style, which the document's content security policy refuses.
    faults.expect(/Applying inline style violates .* 'default-src 'none''/)
    const site = await startSite()
    try {
      const locateStorageLink = (each: Page) => each.getByRole('contentinfo').locator('a[href="/storage"]')
      await page.goto(`${site.origin()}/playlists`, { waitUntil: 'commit' })
      await page.waitForLoadState('domcontentloaded')
      await page.reload({ waitUntil: 'commit' })
      const earlyPage = await context.newPage()
      await earlyPage.goto(`${site.origin()}/playlists`)
      await page.bringToFront()
      await page.goto(`${site.origin()}/playlists`)
      // Waits until the service worker is registered.
      await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)).toBe(true)
      await page.reload()
      for (const openedPage of [page, earlyPage]) {
        await expect(locatePlaylistLinks(openedPage).first()).toBeVisible()
        await waitForServiceWorker(openedPage)
        await waitForStoredPage(openedPage)
      }
      await test.step('server-only paths are never answered from the cache', async () => {
        const readStatusOf = async (path: string) => (await page.goto(site.origin() + path))?.status()
        expect(await readStatusOf('/no-such-page')).toBe(404)
        expect(await readStatusOf('/api/playlist/explore')).toBe(200)
        await expect(page.locator('body')).toContainText('"code":200')
        expect(await readStatusOf('/robots.txt')).toBe(200)
        expect(await readStatusOf('/api/docs')).toBe(200)
        expect((await page.goto(`${site.origin()}/img/og/site.jpg`))?.headers()['content-type']).toBe('image/jpeg')
        await page.goto(`${site.origin()}/go/random`)
        await expect(page).toHaveURL(/\/song\?s=/)

        await test.step('changed settings take effect at the second visit', async () => {
          await site.runAdmin('settings', 'set', 'HERO_TITLE', 'Changed while you were away')
          await expect
            .poll(async () => {
              await page.goto(site.origin())
              return pageHeading(page).textContent()
            })
            .toContain('Changed while you were away')
        })
      })

      await site.stop()
      await earlyPage.bringToFront()
      await locateStorageLink(earlyPage).press('Enter')
      await expect(pageHeading(earlyPage)).toHaveText('Storage')

      await test.step('the banner distinguishes an unreachable server from a device without a network', async () => {
        await page.bringToFront()
        await page.reload()
        await expect(locatePlaylistLinks(page).first()).toBeVisible()
        const offlineStatus = page.getByRole('status')
        await expect(offlineStatus.filter({ hasText: 'The site cannot be reached. You can browse what is on this device.' })).toBeVisible()
        await context.setOffline(true)
        await expect(offlineStatus.filter({ hasText: 'You are offline. Pages you have opened before still work' })).toBeVisible()
        await context.setOffline(false)
        await expect(offlineStatus.filter({ hasText: 'The site cannot be reached.' })).toBeVisible()
      })
    } finally {
      await site.stop()
    }
  })
})
