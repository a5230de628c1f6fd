import { cpus, loadavg } from 'node:os'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { brands, secondIsLong } from './fixtures.ts'
import { untilControlled, untilKept, withProfile } from './profile.ts'
import { startSite } from './server.ts'
import { ask, heading, main, playlistLinks, shareFile, songLinks } from './steps.ts'

/** A second, and as much more as this machine has more to do than it can. */
const patienceMs = () => 1_000 * Math.max(1, (loadavg()[0] ?? 0) / cpus().length)

/** Opens `url` as a bookmark would, and gives how long it took until `content` was there; the best of three. */
async function timeToContent(page: Page, url: string, content: (page: Page) => Locator): Promise<number> {
  let bestMs = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3 && bestMs > patienceMs(); time++) {
    const startMs = Date.now()
    await page.goto(url, { waitUntil: 'commit' })
    await content(page).first().waitFor()
    bestMs = Math.min(bestMs, Date.now() - startMs)
  }
  return bestMs
}

for (const brand of brands) {
  test(
    `${brand.name}: with the server stopped and the browser restarted, what was visited opens with its content`,
    secondIsLong(brand),
    async () => {
      test.setTimeout(180_000)
      const site = await startSite()
      const origin = site.origin(brand.subdomain)
      try {
        const [visited, unvisited] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 3)
        if (visited === undefined || unvisited === undefined) throw new Error('The demo has too few playlists')
        const { songs } = await ask(site, 'GET /playlist/get', { p: visited.id })
        const song = songs[0]
        if (song === undefined) throw new Error('The playlist is empty')
        const word = song.title.split(' ')[0] ?? song.title
        const pages: [path: string, content: (page: Page) => Locator][] = [
          ['/', (page) => playlistLinks(page)],
          ['/playlists', (page) => main(page).getByRole('link', { name: visited.title })],
          [`/playlist?p=${visited.id}`, (page) => songLinks(page).filter({ hasText: song.title })],
          [`/song?s=${song.youtube_id}&p=${visited.id}`, (page) => heading(page).filter({ hasText: song.title })],
          [`/search?q=${encodeURIComponent(word)}`, (page) => songLinks(page).filter({ hasText: song.title })],
        ]

        await withProfile(async (open) => {
          const first = await open()
          await first.page.goto(origin)
          await untilControlled(first.page)
          for (const [path, content] of pages) {
            await first.page.goto(origin + path)
            await expect(content(first.page).first()).toBeVisible()
            await untilKept(first.page)
          }
          await site.stop()

          const { page } = await open()
          for (const [path, content] of pages) {
            expect(await timeToContent(page, origin + path, content), `${path}, ms`).toBeLessThan(patienceMs())
            expect(await page.locator('html').getAttribute('data-brand')).toBe(brand.id)
          }

          await test.step('pictures come from the cache', async () => {
            await page.goto(`${origin}/playlists`)
            const picture = main(page).locator('img').first()
            await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
          })

          await test.step('what was not visited says so, and offers what is here', async () => {
            await page.goto(`${origin}/playlist?p=${unvisited.id}`)
            await expect(main(page)).toContainText('The site does not answer, and this was not opened here before.')
            await expect(page).toHaveTitle(`Playlist · ${brand.name}`)
            await expect(main(page).getByRole('link', { name: visited.title })).toBeVisible()
          })

          await test.step('search finds songs that were never searched for', async () => {
            const other = songs.at(-1) ?? song
            await page.goto(`${origin}/search?q=${encodeURIComponent(other.title)}`)
            await songLinks(page).filter({ hasText: other.title }).first().click()
            await expect(heading(page)).toContainText(other.title)
          })

          await test.step('an address that does not exist, and a redirect of the server', async () => {
            await page.goto(`${origin}/no-such-page`)
            await expect(main(page)).toContainText('Page not found')
            await page.goto(`${origin}/go/random`)
            await expect(page).toHaveURL(/\/song\?s=/)
            await expect(heading(page)).toBeVisible()
            await expect(main(page)).not.toContainText('was not opened here before')
          })

          await test.step('a file that is shared with the app', () => shareFile(page))
        })
      } finally {
        await site.stop()
      }
    },
  )
}

test("the radio's and a subscriber's host start without a network, too, at any of their addresses", { tag: '@long' }, async () => {
  const site = await startSite()
  const hosts = [
    ['fm', 'Nightcore Meridian Radio'],
    ['test', 'test'],
  ] as const
  try {
    await withProfile(async (open) => {
      const first = await open()
      for (const [subdomain, title] of hosts) {
        await first.page.goto(`${site.origin(subdomain)}/`)
        await expect(heading(first.page)).toHaveText(title)
        await untilControlled(first.page)
      }
      await site.stop()
      const { page } = await open()
      for (const [subdomain, title] of hosts) {
        await page.goto(`${site.origin(subdomain)}/anything`)
        await expect(heading(page)).toHaveText(title)
      }
    })
  } finally {
    await site.stop()
  }
})

test('a first visit that is reloaded half-way, and a tab from before the worker, go on without a network', async () => {
  const site = await startSite()
  try {
    await withProfile(async (open) => {
      const { page, context } = await open()
      const storageLink = (each: Page) => each.getByRole('contentinfo').locator('a[href="/storage"]')
      await page.goto(`${site.origin()}/playlists`, { waitUntil: 'commit' })
      await page.waitForLoadState('domcontentloaded')
      await page.reload({ waitUntil: 'commit' })
      const early = await context.newPage()
      await early.goto(`${site.origin()}/playlists`)
      await page.bringToFront()
      await page.goto(`${site.origin()}/playlists`)
      // A worker that has begun its work.
      await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined)).toBe(true)
      await page.reload()
      for (const each of [page, early]) {
        await expect(playlistLinks(each).first()).toBeVisible()
        await untilControlled(each)
        await untilKept(each)
      }
      await site.stop()
      await early.bringToFront()
      await storageLink(early).click()
      await expect(heading(early)).toHaveText('Storage')

      await test.step('the words: the device has a network, the site does not answer; then it has none', async () => {
        await page.bringToFront()
        await page.reload()
        await expect(playlistLinks(page).first()).toBeVisible()
        const strip = page.getByRole('status')
        await expect(strip.filter({ hasText: 'The site cannot be reached. You can browse what is on this device.' })).toBeVisible()
        await context.setOffline(true)
        await expect(strip.filter({ hasText: 'You are offline. What you have opened before is here' })).toBeVisible()
        await context.setOffline(false)
        await expect(strip.filter({ hasText: 'The site cannot be reached.' })).toBeVisible()
      })
    })
  } finally {
    await site.stop()
  }
})

test('what the server answers itself is never answered by the worker', async () => {
  const site = await startSite()
  try {
    await withProfile(async (open) => {
      const { page } = await open()
      await page.goto(site.origin())
      await untilControlled(page)
      const statusOf = async (path: string) => (await page.goto(site.origin() + path))?.status()
      expect(await statusOf('/no-such-page')).toBe(404)
      expect(await statusOf('/api/playlist/explore')).toBe(200)
      await expect(page.locator('body')).toContainText('"code":200')
      expect(await statusOf('/robots.txt')).toBe(200)
      expect(await statusOf('/api/docs')).toBe(200)
      expect((await page.goto(`${site.origin()}/img/og/site.jpg`))?.headers()['content-type']).toBe('image/jpeg')
      await page.goto(`${site.origin()}/go/random`)
      await expect(page).toHaveURL(/\/song\?s=/)

      await test.step('changed settings arrive with the visit after the next', async () => {
        await site.admin('settings', 'set', 'HERO_TITLE', 'Changed while you were away')
        await expect
          .poll(async () => {
            await page.goto(site.origin())
            return heading(page).textContent()
          })
          .toContain('Changed while you were away')
      })
    })
  } finally {
    await site.stop()
  }
})
