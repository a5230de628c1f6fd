import type { Page } from '@playwright/test'
import { findPageAt } from '../contract/pages.ts'
import { findChunkFile } from './chunks.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { brands, expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { createRadioOrigin } from './radio-steps.ts'
import type { Site } from './server.ts'
import { listPagePaths } from './site-paths.ts'
import { fetchApi, pageHeading, waitForHydration } from './steps.ts'

/** How long a page is observed: long enough for the player to stop loading the video platform's script, and to show an error message. */
const OBSERVED_MS = 2500

/**
 * Runs in the page: once the sum of all layout shifts reaches 0.001, records them in `window.shifts`, each with the elements that moved.
 */
function recordShifts() {
  const shiftTexts: string[] = []
  let shiftSum = 0
  Object.assign(window, { shifts: [] })
  new PerformanceObserver((entryList) => {
    for (const shiftEntry of entryList.getEntries()) {
      if (Reflect.get(shiftEntry, 'hadRecentInput') === true) continue
      const shiftSources: { node?: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] = Reflect.get(shiftEntry, 'sources')
      const describeSource = ({ node, previousRect: from, currentRect: to }: (typeof shiftSources)[number]) =>
        `${node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName} ${from.y} -> ${to.y}, height ${from.height} -> ${to.height}`
      const shiftValue = Number(Reflect.get(shiftEntry, 'value'))
      shiftSum += shiftValue
      shiftTexts.push(`${shiftValue.toFixed(4)}: ${shiftSources.map(describeSource).join('; ')}`)
      if (shiftSum >= 0.001) Object.assign(window, { shifts: shiftTexts })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Makes an own playlist of twelve songs, which everybody can open. */
async function makeSharedPlaylist(site: Site, idToken: string) {
  const { songs } = await fetchApi(site, 'GET /playlist/get', { p: 'new' })
  const songIds = songs.slice(0, 12).map(({ youtube_id }) => youtube_id)
  const [playlistId = ''] = await createOwnPlaylists(site.origin(), idToken, [{ title: 'Mine', songIds }])
  return { playlistId, shareToken: await shareOwnPlaylist(site.origin(), idToken, playlistId, true) }
}

/** Returns the addresses of the pages that everybody can open, on the hosts of a brand. */
async function listAddresses(page: Page, site: Site, brand: (typeof brands)[number]): Promise<string[]> {
  const origin = site.origin(brand.subdomain)
  const pagePaths = await listPagePaths(page, site, origin)
  const credentials = createCredentials()
  await signUpByRequest(site.origin(), credentials)
  const { shareToken } = await makeSharedPlaylist(site, await fetchIdToken(site, credentials))
  return [
    `${origin}/list?l=${shareToken}`,
    // Pages with restricted access are omitted, because they redirect to the login page.
    ...pagePaths.filter((path) => findPageAt(path.replace(/\?.*/, ''))?.access === undefined).map((path) => origin + path),
    createRadioOrigin(site, brand),
    origin.replace('//', '//aria.'),
  ]
}

for (const brand of brands)
  for (const viewportWidth of [390, 1440])
    test(`layout shift, ${brand.name}: nothing moves on any page at ${viewportWidth} px while the video platform cannot be reached`, async ({
      page,
      site,
      faults,
      platform,
    }) => {
      test.setTimeout(600_000)
      faults.expect(/status of 4\d\d|ERR_INTERNET_DISCONNECTED/)
      platform.setUnreachable(true)
      await page.setViewportSize({ width: viewportWidth, height: 844 })
      const pageUrls = await listAddresses(page, site, brand)
      await page.addInitScript(recordShifts)
      const movedElementsByUrl: Record<string, string[]> = {}
      for (const pageUrl of pageUrls) {
        await page.goto(pageUrl)
        await waitForHydration(page)
        await expect(pageHeading(page)).toHaveCount(1)
        await page.waitForLoadState('networkidle')
        await page.waitForTimeout(OBSERVED_MS)
        const shifts = await page.evaluate<string[]>('shifts')
        if (shifts.length > 0) movedElementsByUrl[pageUrl.replace(/^http:\/\//, '')] = shifts
      }
      expect(movedElementsByUrl).toEqual({})
    })

for (const viewportWidth of [390, 820])
  test(`layout shift: the buttons of own and shared playlists stay in place when their menus arrive, at ${viewportWidth} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: viewportWidth, height: 844 })
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    const idToken = await fetchIdToken(site, credentials)
    const { playlistId, shareToken } = await makeSharedPlaylist(site, idToken)
    await signInByRequest(page, site.origin(), credentials)
    await openHydratedPage(page, `${site.origin()}/playlists`)
    await expect(page.getByRole('link', { name: 'Mine' })).toBeVisible()
    for (const [pagePath, moduleName] of [
      [`/playlist?p=my-${playlistId}`, 'own-playlist-tools'],
      [`/list?l=${shareToken}`, 'shared-playlist-tools'],
    ] as const) {
      let deliverChunk = () => {}
      const chunkDeliveredPromise = new Promise<void>((resolve) => {
        deliverChunk = resolve
      })
      await page.route(`**/${findChunkFile(`features/own-playlists/${moduleName}.tsx`)}`, async (route) => {
        await chunkDeliveredPromise
        await route.continue()
      })
      await page.goto(site.origin() + pagePath)
      const shuffleButton = page.getByRole('button', { name: 'Shuffle' })
      await expect(shuffleButton).toBeVisible()
      const menuButton = page.getByRole('button', { name: 'More: Mine' })
      await expect(menuButton).toBeHidden()
      const buttonBox = await shuffleButton.boundingBox()
      deliverChunk()
      await expect(menuButton).toBeVisible()
      expect(await shuffleButton.boundingBox()).toEqual(buttonBox)
    }
  })
