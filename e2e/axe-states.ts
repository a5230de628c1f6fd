import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { type brands, expect, test } from './fixtures.ts'
import { addRecentPlays } from './recent-plays.ts'
import {
  expectPlaying,
  fetchApi,
  locatePlayerButton,
  locatePlaylistLinks,
  locateSearchBox,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
  serveAppShell,
  waitForHydration,
} from './steps.ts'

export function declareStateAxeTests(brand: (typeof brands)[number]) {
  test(`axe, ${brand.name}: open menus have no violation`, async ({ page, testCatalogueSite }) => {
    // The rest of the home page is analyzed by the test of the main routes.
    const bannerSelector = 'header'
    await page.goto(testCatalogueSite.origin(brand.subdomain))
    await expect(locatePlaylistLinks(page).first()).toBeVisible()
    for (const menuName of ['Explore', 'Community', 'Search']) {
      await mainNavigation(page).getByRole('button', { name: menuName }).click()
      if (menuName === 'Search') {
        await expectNoViolation(page, 'the search box before the first letter', bannerSelector)
        await locateSearchBox(page).fill('cafe')
        await expect(page.getByRole('option', { name: 'All results for “cafe”' })).toBeVisible()
        await page.keyboard.press('ArrowDown')
      }
      await expectNoViolation(page, `open ${menuName}`, bannerSelector)
      await page.keyboard.press('Escape')
      // The first Escape closes the suggestions, and the second one closes the search box.
      if (menuName === 'Search') await page.keyboard.press('Escape')
    }
    await expect(locateSearchBox(page)).toBeHidden()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    await expectNoViolation(page, 'the mobile menu')
  })

  test(`axe, ${brand.name}: a history, the start of a search, similar names, a filtered list and the radio in the player's dock have no violation`, {
    tag: '@long',
  }, async ({ page, testCatalogueSite, platform: _ }) => {
    const origin = testCatalogueSite.origin(brand.subdomain)
    await page.setViewportSize({ width: 390, height: 844 })
    const { songs } = await fetchApi(testCatalogueSite, 'GET /playlist/get', { p: catalogueIds.accentPlaylist })
    await page.goto(origin)
    await addRecentPlays(page, songs)
    await expectNoViolation(page, 'the home page with a history')
    await page.goto(`${origin}/recent`)
    await expect(mainRegion(page).getByRole('list', { name: 'Recently played' })).toBeVisible()
    await expectNoViolation(page, 'the recently played songs')
    await page.goto(`${origin}/year`)
    await expect(mainRegion(page).getByRole('list', { name: 'Songs' })).toBeVisible()
    await expectNoViolation(page, 'a year')
    await page.goto(`${origin}/search?q=cafe`)
    await waitForHydration(page)
    await page.goto(`${origin}/search`)
    await expect(mainRegion(page).getByText('Your searches')).toBeVisible()
    await expectNoViolation(page, 'the begin of a search')
    await page.goto(`${origin}/search?q=senoritta`)
    await expect(mainRegion(page).getByText('Did you mean')).toBeVisible()
    await expectNoViolation(page, 'similar names')
    await page.goto(`${origin}/playlist?p=${catalogueIds.plainPlaylist}`)
    await mainRegion(page).getByRole('button', { name: 'Sort and filter' }).click()
    await mainRegion(page).getByRole('searchbox', { name: 'Filter' }).fill('00077')
    await expect(mainRegion(page).getByRole('listitem')).toHaveCount(1)
    await expectNoViolation(page, 'a filtered list')
    await page.goto(origin)
    await mainRegion(page).getByRole('heading', { name: 'Radio', exact: true }).scrollIntoViewIfNeeded()
    await mainRegion(page).getByRole('button', { name: 'Play the radio' }).click()
    await expect(mainRegion(page).getByRole('button', { name: 'Pause the radio' })).toBeVisible()
    await mainRegion(page).locator('a[href="/playlists"]').first().click()
    await expect(page.getByRole('region', { name: 'Radio', exact: true })).toContainText('On air')
    await expectNoViolation(page, 'the radio in the dock')
  })

  test(`axe, ${brand.name}: the song page, its dialogs, the player's dock and the queue have no violation`, { tag: '@long' }, async ({
    page,
    testCatalogueSite,
    platform,
  }) => {
    await openSong(page, platform, testCatalogueSite.origin(brand.subdomain), catalogueIds.accented, catalogueIds.accentPlaylist)
    await expectNoViolation(page, 'a playing song')
    await mainRegion(page)
      .getByRole('button', { name: /report/i })
      .click()
    // The report dialog and the sleep timer are analyzed while there is a connection, because their chunks are loaded when they are first
    // opened.
    await expect(page.getByRole('dialog', { name: 'Report this song' })).toBeVisible()
    await expectNoViolation(page, 'the report dialog')
    await page.keyboard.press('Escape')
    await mainRegion(page)
      .getByRole('button', { name: /sleep timer/i })
      .click()
    await expect(page.getByRole('dialog', { name: 'Sleep timer' })).toBeVisible()
    await expectNoViolation(page, 'the sleep timer')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expectNoViolation(page, 'the shortcuts')
    await page.keyboard.press('Escape')

    await mainNavigation(page).getByRole('link', { name: brand.name }).click()
    await expectPlaying(page, platform, catalogueIds.accented)
    await expectNoViolation(page, 'the dock, playing')
    await locatePlayerButton(page, 'Queue').click()
    await expectNoViolation(page, 'the queue')
    await page.getByRole('dialog', { name: 'Queue' }).getByRole('button', { name: 'Clear' }).click()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await expectNoViolation(page, 'the queue, cleared')
    await page.keyboard.press('Escape')
    await locatePlayerButton(page, 'Pause').click()
    await expectNoViolation(page, 'the dock, paused')
  })

  test(`axe, ${brand.name}: errors and loading have no violation`, { tag: '@long' }, async ({
    page,
    testCatalogueSite,
    context,
    faults,
  }) => {
    faults.expect(/ERR_FAILED/)
    const origin = testCatalogueSite.origin(brand.subdomain)
    await serveAppShell(context)
    await context.route('**/api/**', (route) => route.abort('failed'))
    await page.goto(`${origin}/search?q=anything`)
    await expect(mainRegion(page).getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 40_000 })
    await expectNoViolation(page, 'an error')
    await context.unroute('**/api/**')
    await context.route('**/api/**', () => {})
    await page.goto(`${origin}/search?q=waiting`)
    await expect(pageHeading(page)).toBeVisible()
    await expectNoViolation(page, 'loading')
    await page.goto(`${origin}/playlist?p=${catalogueIds.plainPlaylist}`)
    await expect(pageHeading(page)).toHaveCount(1)
    await expectNoViolation(page, 'a playlist that is loading')
  })
}
