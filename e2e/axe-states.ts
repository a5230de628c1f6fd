import { expectNoViolation } from './axe.ts'
import { catalogueIds } from './catalogue.ts'
import { type brands, expect, test } from './fixtures.ts'
import {
  expectPlaying,
  mainNavigation,
  mainRegion,
  openSong,
  pageHeading,
  playerButtonNamed,
  playlistLinks,
  searchBox,
  serveAppShell,
} from './steps.ts'

export function testStates(brand: (typeof brands)[number]) {
  test(`axe, ${brand.name}: open menus have no violation`, async ({ page, testCatalogueSite }) => {
    await page.goto(testCatalogueSite.origin(brand.subdomain))
    await expect(playlistLinks(page).first()).toBeVisible()
    for (const name of ['Explore', 'Community', 'Search']) {
      await mainNavigation(page).getByRole('button', { name }).click()
      if (name === 'Search') {
        await searchBox(page).fill('cafe')
        await expect(page.getByRole('option', { name: "All results for 'cafe'" })).toBeVisible()
        await page.keyboard.press('ArrowDown')
      }
      await expectNoViolation(page, `open ${name}`)
      await page.keyboard.press('Escape')
      // The first Escape closes the suggestions, and the second one closes the search box.
      if (name === 'Search') await page.keyboard.press('Escape')
    }
    await expect(searchBox(page)).toBeHidden()
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    await expectNoViolation(page, 'the mobile menu')
  })

  test(`axe, ${brand.name}: the song page, its dialogs, the dock and the queue have no violation`, { tag: '@long' }, async ({
    page,
    testCatalogueSite,
    platform,
  }) => {
    await openSong(page, platform, testCatalogueSite.origin(brand.subdomain), catalogueIds.accented, catalogueIds.accentPlaylist)
    await expectNoViolation(page, 'a playing song')
    await mainRegion(page)
      .getByRole('button', { name: /report/i })
      .click()
    // The dialogs are analyzed with a connection, because both are chunks that are loaded at the first press.
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
    await playerButtonNamed(page, 'Queue').click()
    await expectNoViolation(page, 'the queue')
    await page.keyboard.press('Escape')
    await playerButtonNamed(page, 'Pause').click()
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
