import { expectNoViolation } from './axe.ts'
import { ids } from './catalogue.ts'
import { type brands, expect, test } from './fixtures.ts'
import { expectPlaying, heading, main, nav, openFromShell, openSong, playerButton, playlistLinks } from './steps.ts'

export function testStates(brand: (typeof brands)[number]) {
  test(`${brand.name}: axe finds nothing in open menus, dialogs, the dock, errors and loading`, async ({
    page,
    ownSite,
    platform,
    context,
    faults,
  }) => {
    test.setTimeout(240_000)
    faults.expect(/ERR_FAILED/)
    const origin = ownSite.origin(brand.subdomain)
    await page.goto(origin)
    await expect(playlistLinks(page).first()).toBeVisible()
    for (const name of ['Explore', 'Community', 'Search']) {
      await nav(page).getByRole('button', { name }).click()
      await expectNoViolation(page, `open ${name}`)
      await page.keyboard.press('Escape')
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
    await expectNoViolation(page, 'the mobile menu')
    await page.setViewportSize({ width: 1280, height: 800 })

    await openSong(page, platform, origin, ids.accented, ids.accentPlaylist)
    await expectNoViolation(page, 'a playing song')
    await main(page)
      .getByRole('button', { name: /report/i })
      .click()
    // Both dialogs are parts that are fetched at the first press.
    await expect(page.getByRole('dialog', { name: 'Report this song' })).toBeVisible()
    await expectNoViolation(page, 'the report dialog')
    await page.keyboard.press('Escape')
    await main(page)
      .getByRole('button', { name: /sleep timer/i })
      .click()
    await expect(page.getByRole('dialog', { name: 'Sleep timer' })).toBeVisible()
    await expectNoViolation(page, 'the sleep timer')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await expectNoViolation(page, 'the shortcuts')
    await page.keyboard.press('Escape')
    await nav(page).getByRole('link', { name: brand.name }).click()
    await expectPlaying(page, platform, ids.accented)
    await expectNoViolation(page, 'the dock, playing')
    await playerButton(page, 'Queue').click()
    await expectNoViolation(page, 'the queue')
    await page.keyboard.press('Escape')
    await playerButton(page, 'Pause').click()
    await expectNoViolation(page, 'the dock, paused')

    await openFromShell(context)
    await context.route('**/api/**', (route) => route.abort('failed'))
    await page.goto(`${origin}/search?q=anything`)
    await expect(main(page).getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 40_000 })
    await expectNoViolation(page, 'an error')
    await context.unroute('**/api/**')
    await context.route('**/api/**', () => {})
    await page.goto(`${origin}/search?q=waiting`)
    await expect(heading(page)).toBeVisible()
    await expectNoViolation(page, 'loading')
    await page.goto(`${origin}/playlist?p=${ids.plainPlaylist}`)
    await expect(heading(page)).toHaveCount(1)
    await expectNoViolation(page, 'a playlist that loads')
  })
}
