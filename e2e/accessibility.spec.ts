import { expectNoViolation } from './axe.ts'
import { testRoutes } from './axe-routes.ts'
import { ids } from './catalogue.ts'
import { brands, expect, test } from './fixtures.ts'
import { expectPlaying, heading, main, nav, openFromShell, openSong, playerButton, playlistLinks, untilAlive } from './steps.ts'

const [first, second] = brands
// The other two combinations are in `accessibility.long.spec.ts`.
testRoutes(first, 1440)
testRoutes(second, 390)

for (const brand of brands) {
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
    await expect(main(page).getByRole('button', { name: 'Retry' })).toBeVisible({ timeout: 15_000 })
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

for (const brand of brands) {
  test(`${brand.name}: axe finds nothing without a connection, while a playlist is kept, and in the app's own offers`, async ({
    page,
    ownSite,
    context,
    faults,
  }) => {
    faults.expect(/ERR_FAILED|ERR_INTERNET_DISCONNECTED|status of 503/)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${ownSite.origin(brand.subdomain)}/playlists`)
    // Before that the browser itself would follow the link, and could not go back without a connection.
    await untilAlive(page)
    await main(page).locator(`a[href="/playlist?p=${ids.accentPlaylist}"]`).click()
    const keep = main(page).getByRole('button', { name: /^Keep offline/ })
    const kept = keep.filter({ hasNotText: 'about' })
    await page.evaluate(() =>
      dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt: () => Promise.reject() })),
    )
    await page.route('**/api/playlist/get*', (route) => route.fulfill({ status: 503, json: { code: 503, message: 'Closed.', data: null } }))
    await keep.click()
    await expect(main(page).getByText('It could not be fetched.')).toBeVisible()
    await expectNoViolation(page, 'a playlist that could not be kept')
    await page.unroute('**/api/playlist/get*')
    await main(page).getByRole('button', { name: 'Retry' }).click()
    await expect(kept).toBeVisible()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Storage' }).click()
    await expect(main(page).getByRole('button', { name: /^Remove/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Install app' })).toBeVisible()
    await expectNoViolation(page, 'storage with a kept playlist, and the install key')
    await page.goBack()
    await expect(kept).toBeVisible()
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    await expectNoViolation(page, 'a kept playlist without a connection')
    await page.goBack()
    await expect(main(page).getByText('Needs a connection').first()).toBeVisible()
    await expectNoViolation(page, 'playlists without a connection')
    await main(page).getByRole('link', { name: 'Needs a connection' }).first().click()
    await expect(main(page)).toContainText('This needs a connection: it was not opened here before.')
    await expectNoViolation(page, 'a playlist that was not opened before')
  })
}
