import type { BrowserContext, Page } from '@playwright/test'
import { locateFavoriteButtons } from './favorites-steps.ts'
import { expect, test } from './fixtures.ts'
import { createCredentials, signInByRequest, signOut, signUpByRequest } from './identity/steps.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { startSite } from './server.ts'
import { fetchApi, locateSongLinks, waitForHydration } from './steps.ts'

/** The content that a page has shown: when its HTML was parsed, which is before the program starts, and in each frame since then. */
interface ShownSnapshot {
  titleAtParse: string | undefined
  snapshotAccountUid: string | undefined
  songCounts: number[]
}

async function recordShownContent(context: BrowserContext) {
  await context.addInitScript(() => {
    const countSongs = () => document.querySelectorAll('main a[href^="/song?"]').length
    const shownContent: ShownSnapshot = { titleAtParse: undefined, snapshotAccountUid: undefined, songCounts: [] }
    Object.assign(window, { shown: shownContent })
    addEventListener('DOMContentLoaded', () => {
      shownContent.titleAtParse = document.querySelector('main a[href^="/song?"]')?.textContent ?? undefined
      shownContent.snapshotAccountUid = document.querySelector<HTMLElement>('template[data-account]')?.dataset.account
      requestAnimationFrame(function countInFrame() {
        shownContent.songCounts.push(countSongs())
        requestAnimationFrame(countInFrame)
      })
    })
  })
}

const readShownContent = (page: Page) => page.evaluate<ShownSnapshot>('shown')
const hasSnapshot = (page: Page) => page.evaluate(async () => (await caches.keys()).some((name) => name.startsWith('account-snapshot-')))

test('account snapshot: without the server, the dashboard is painted with the favorites before the program starts, for the signed-in account only', {
  tag: '@long',
}, async () => {
  test.setTimeout(180_000)
  const site = await startSite()
  const origin = site.origin()
  const credentials = createCredentials()
  const [playlist] = (await fetchApi(site, 'GET /playlist/all')).filter(({ song_count }) => song_count > 3)
  try {
    await signUpByRequest(origin, credentials)
    await withBrowserProfile(async (openBrowser) => {
      const { page: firstPage } = await openBrowser()
      await signInByRequest(firstPage, origin, credentials)
      await firstPage.goto(`${origin}/playlist?p=${playlist?.id}`)
      await waitForServiceWorker(firstPage)
      const heartButton = locateFavoriteButtons(firstPage).first()
      const title = ((await heartButton.getAttribute('aria-label')) ?? '').replace('Favorite: ', '')
      await heartButton.click()
      await expect(firstPage.getByText(/^Added to your favorites/)).toBeVisible()
      await firstPage.goto(`${origin}/account`)
      await expect(locateSongLinks(firstPage)).toHaveText(title)
      await waitForStoredPage(firstPage)
      await firstPage.goto(`${origin}/playlists`)
      await expect.poll(() => hasSnapshot(firstPage)).toBe(true)
      await site.stop()

      const { page, context } = await openBrowser()
      await recordShownContent(context)
      await test.step('the favorites are in the first frame and in every later one', async () => {
        await page.goto(`${origin}/account`)
        await waitForHydration(page)
        await page.waitForTimeout(300)
        const { titleAtParse, songCounts } = await readShownContent(page)
        expect(titleAtParse).toBe(title)
        expect(new Set(songCounts)).toEqual(new Set([1]))
      })

      await test.step('another account sees nothing of the snapshot, and the snapshot is deleted', async () => {
        const accountText = await page.evaluate(() => {
          const stored = localStorage.getItem('signed-in') ?? ''
          localStorage.setItem('signed-in', JSON.stringify({ uid: 'bob', email: 'bob@example.com', emailVerified: true }))
          return stored
        })
        await page.goto(`${origin}/account`)
        await expect.poll(() => hasSnapshot(page)).toBe(false)
        const { titleAtParse, snapshotAccountUid: heldAccount } = await readShownContent(page)
        expect([titleAtParse, heldAccount]).toEqual([undefined, undefined])
        await page.evaluate((stored) => localStorage.setItem('signed-in', stored), accountText)
      })

      await test.step('a sign-out in one tab deletes the snapshot, and the other tab does not store it again', async () => {
        const otherPage = await context.newPage()
        for (const each of [page, otherPage]) {
          await each.goto(`${origin}/account`)
          await expect(locateSongLinks(each)).toHaveText(title)
        }
        await page.goto(`${origin}/playlists`)
        await expect.poll(() => hasSnapshot(page)).toBe(true)
        await signOut(page)
        await expect.poll(() => hasSnapshot(page)).toBe(false)
        await otherPage.goto(`${origin}/playlists`)
        await page.goto(`${origin}/account`)
        await expect(page).toHaveURL(`${origin}/login`)
        expect((await readShownContent(page)).titleAtParse).toBeUndefined()
        expect(await hasSnapshot(page)).toBe(false)
      })
    })
  } finally {
    await site.stop()
  }
})
