import { ids } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { partOf, storagePart } from './parts.ts'
import { ask, expectPlaying, heading, main, openFromShell, openSong, playlistLinks, songLinks } from './steps.ts'

const routes = [
  { path: '/', shown: playlistLinks },
  { path: '/playlists', shown: playlistLinks },
  { path: `/playlist?p=${ids.accentPlaylist}`, shown: songLinks },
  { path: '/search?q=cafe', shown: songLinks },
] as const

for (const { path, shown } of routes) {
  for (const fault of ['a network that is gone', 'an API that fails'] as const) {
    test(`${path} with ${fault}: an error with Retry, and Retry works`, async ({ page, ownSite, context, faults }) => {
      faults.expect(/ERR_FAILED|status of 500/)
      await openFromShell(context)
      await context.route('**/api/**', (route) =>
        fault === 'an API that fails'
          ? route.fulfill({ status: 500, json: { code: 500, message: 'Something went wrong.', data: null } })
          : route.abort('failed'),
      )
      await page.goto(`${ownSite.origin()}${path}`)
      await expect(heading(page)).toBeVisible()
      const retry = main(page).getByRole('button', { name: 'Retry' }).first()
      await expect(retry).toBeVisible({ timeout: 15_000 })
      await expect(page.getByRole('contentinfo')).toBeVisible()
      if (path.startsWith('/search') && fault !== 'an API that fails')
        await expect(main(page)).toContainText('An error occurred while fetching data.')
      if (path.startsWith('/search') && fault === 'an API that fails') await expect(main(page)).toContainText('Something went wrong.')
      await context.unroute('**/api/**')
      await retry.click()
      await expect(shown(page).first()).toBeVisible()
      await expect(retry).toBeHidden()
    })
  }
}

test('a song that cannot be fetched is never a blank page, and there is a way on', async ({ page, ownSite, context, faults }) => {
  faults.expect(/ERR_FAILED|status of 500/)
  await openFromShell(context)
  await context.route('**/api/song/get**', (route) => route.abort('failed'))
  await page.goto(`${ownSite.origin()}/song?s=${ids.accented}`)
  const retry = main(page).getByRole('button', { name: 'Retry' })
  await expect(retry.first()).toBeVisible({ timeout: 15_000 })
  await context.unroute('**/api/song/get**')
  // The page may have found by itself that the site answers again: then there is nothing left to press.
  await retry
    .first()
    .click({ timeout: 3_000 })
    .catch(() => undefined)
  await expect(heading(page)).toContainText('Señorita Über Café')
})

test('what was seen once is shown at once, and also when the network fails later', async ({ page, ownSite, context, faults }) => {
  faults.expect(/ERR_FAILED/)
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.accentPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible()
  await context.route('**/api/**', (route) => route.abort('failed'))
  await page.reload()
  await expect(songLinks(page).first()).toBeVisible()
  await expect(heading(page)).toHaveText('Årets Låtar')
})

test('on a slow network skeletons keep the place, and nothing jumps when the songs arrive', async ({ page, ownSite, context }) => {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await openFromShell(context)
  await context.route('**/api/playlist/**', async (route) => {
    await held
    await route.continue()
  })
  await page.addInitScript(() => {
    let shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const moved: unknown = Reflect.get(entry, 'value')
        if (Reflect.get(entry, 'hadRecentInput') === false && typeof moved === 'number') shift += moved
      }
      Object.assign(window, { layoutShift: shift })
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(`${ownSite.origin()}/playlists`)
  await expect(heading(page)).toBeVisible()
  await expect(main(page).locator('[aria-busy="true"]').first()).toBeVisible()
  release()
  await expect(playlistLinks(page).first()).toBeVisible()
  await expect(main(page).locator('[aria-busy="true"]')).toHaveCount(0)
  const shift: unknown = await page.evaluate(() => Reflect.get(window, 'layoutShift') ?? 0)
  expect(shift).toBeLessThan(0.1)
})

test('a browser without IndexedDB still shows the site', async ({ page, ownSite }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', { configurable: true, get: () => undefined })
  })
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.accentPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible()
})

test('the content security policy is strict', async ({ page, ownSite }) => {
  const answer = await page.goto(ownSite.origin())
  const policy = answer?.headers()['content-security-policy'] ?? ''
  const scripts = policy.split(';').find((each) => each.trim().startsWith('script-src')) ?? ''
  expect(scripts).toContain("'self'")
  // WebAssembly runs; no text becomes a script.
  expect(scripts).not.toMatch(/'unsafe-(?:inline|eval|hashes)'/)
  expect(policy).toMatch(/object-src 'none'/)
  expect(policy).toMatch(/base-uri/)
  expect(policy).toMatch(/frame-ancestors/)
})

test('without a worker, a part that is gone leaves words and a way to reload; the song plays on', async ({
  page,
  context,
  site,
  platform,
  faults,
}) => {
  faults.expect(/status of 404|could not be loaded|Failed to fetch/)
  const [playlist] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await ask(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!song) throw new Error('The demo has no song')
  await openSong(page, platform, site.origin(), song.youtube_id)
  await context.route(`**/${partOf(storagePart)}`, (route) => route.fulfill({ status: 404, body: 'Not found' }))
  await page.getByRole('contentinfo').locator('a[href="/storage"]').click()
  await expect(main(page)).toContainText('A part of the page did not arrive.')
  await expectPlaying(page, platform, song.youtube_id)
  expect(platform.frameLoads).toBe(1)
  await context.unroute(`**/${partOf(storagePart)}`)
  await main(page).getByRole('button', { name: 'Reload' }).click()
  await expect(heading(page)).toHaveText('Storage')
})
