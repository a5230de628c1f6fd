import type { Page } from '@playwright/test'
import { pageAt } from '../contract/pages.ts'
import { chunkFile } from './chunks.ts'
import { fetchIdToken } from './favorites-steps.ts'
import { brands, expect, test } from './fixtures.ts'
import { newCredentials, openHydratedPage, signInByRequest, signUpByRequest } from './identity/steps.ts'
import { createOwnPlaylists, shareOwnPlaylist } from './own-playlist-steps.ts'
import { radioOrigin } from './radio-steps.ts'
import type { Site } from './server.ts'
import { listPagePaths } from './site-paths.ts'
import { fetchApi, pageHeading, waitForHydration } from './steps.ts'

/** How long a page is observed: long enough for the player to stop loading the video platform's script, and to show an error message. */
const OBSERVED_MS = 2500

/**
 * Runs in the page: once the sum of all layout shifts reaches 0.001, records them in `window.shifts`, each with the elements that moved.
 */
function recordShifts() {
  const shifts: string[] = []
  let sum = 0
  Object.assign(window, { shifts: [] })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (Reflect.get(entry, 'hadRecentInput') === true) continue
      const sources: { node?: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] = Reflect.get(entry, 'sources')
      const describe = ({ node, previousRect: from, currentRect: to }: (typeof sources)[number]) =>
        `${node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName} ${from.y} -> ${to.y}, height ${from.height} -> ${to.height}`
      const value = Number(Reflect.get(entry, 'value'))
      sum += value
      shifts.push(`${value.toFixed(4)}: ${sources.map(describe).join('; ')}`)
      if (sum >= 0.001) Object.assign(window, { shifts })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Returns the addresses of the pages that everybody can open, on the hosts of a brand. */
async function listAddresses(page: Page, site: Site, brand: (typeof brands)[number]): Promise<string[]> {
  const origin = site.origin(brand.subdomain)
  const paths = await listPagePaths(page, site, origin)
  return [
    // Pages with restricted access are omitted, because they redirect to the login page.
    ...paths.filter((path) => pageAt(path.replace(/\?.*/, ''))?.access === undefined).map((path) => origin + path),
    radioOrigin(site, brand),
    origin.replace('//', '//aria.'),
  ]
}

for (const brand of brands)
  for (const width of [390, 1440])
    test(`layout shift, ${brand.name}: nothing moves on any page at ${width} px while the video platform cannot be reached`, async ({
      page,
      site,
      faults,
      platform,
    }) => {
      test.setTimeout(600_000)
      faults.expect(/status of 4\d\d|ERR_INTERNET_DISCONNECTED/)
      platform.setUnreachable(true)
      await page.setViewportSize({ width, height: 844 })
      const addresses = await listAddresses(page, site, brand)
      await page.addInitScript(recordShifts)
      const movedElements: Record<string, string[]> = {}
      for (const address of addresses) {
        await page.goto(address)
        await waitForHydration(page)
        await expect(pageHeading(page)).toHaveCount(1)
        await page.waitForLoadState('networkidle')
        await page.waitForTimeout(OBSERVED_MS)
        const shifts = await page.evaluate<string[]>('shifts')
        if (shifts.length > 0) movedElements[address.replace(/^http:\/\//, '')] = shifts
      }
      expect(movedElements).toEqual({})
    })

for (const width of [390, 820])
  test(`layout shift: the buttons of own and shared playlists stay in place when their menus arrive, at ${width} px`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 844 })
    const credentials = newCredentials()
    await signUpByRequest(site.origin(), credentials)
    const idToken = await fetchIdToken(site, credentials)
    const { songs } = await fetchApi(site, 'GET /playlist/get', { p: 'new' })
    const [id = ''] = await createOwnPlaylists(site.origin(), idToken, [
      { title: 'Mine', songIds: songs.slice(0, 12).map(({ youtube_id }) => youtube_id) },
    ])
    const token = await shareOwnPlaylist(site.origin(), idToken, id, true)
    await signInByRequest(page, site.origin(), credentials)
    await openHydratedPage(page, `${site.origin()}/playlists`)
    await expect(page.getByRole('link', { name: 'Mine' })).toBeVisible()
    for (const [path, tools] of [
      [`/playlist?p=my-${id}`, 'own-playlist-tools'],
      [`/list?l=${token}`, 'shared-playlist-tools'],
    ] as const) {
      let deliver = () => {}
      const isDelivered = new Promise<void>((resolve) => {
        deliver = resolve
      })
      await page.route(`**/${chunkFile(`features/own-playlists/${tools}.tsx`)}`, async (route) => {
        await isDelivered
        await route.continue()
      })
      await page.goto(site.origin() + path)
      const shuffle = page.getByRole('button', { name: 'Shuffle' })
      await expect(shuffle).toBeVisible()
      const menu = page.getByRole('button', { name: 'More: Mine' })
      await expect(menu).toBeHidden()
      const box = await shuffle.boundingBox()
      deliver()
      await expect(menu).toBeVisible()
      expect(await shuffle.boundingBox()).toEqual(box)
    }
  })
