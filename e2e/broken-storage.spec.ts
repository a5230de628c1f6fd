import { mkdtempSync } from 'node:fs'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { partOf, storagePart } from './parts.ts'
import { type OpenBrowser, untilControlled, untilKept, withProfile } from './profile.ts'
import { freePort, type Site, startSite } from './server.ts'
import { ask, expectPlaying, heading, main, openSong, player, playlistLinks, songLinks } from './steps.ts'

let site: Site
let env: { PORT: string; DATA_DIR: string }
test.beforeAll(async () => {
  env = { PORT: String(await freePort()), DATA_DIR: mkdtempSync(join(tmpdir(), 'varispeed-broken-')) }
  site = await startSite(env)
})
test.afterAll(async () => {
  await site.stop()
  await rm(env.DATA_DIR, { recursive: true, force: true })
})

async function somePlaylist() {
  const [playlist] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const songs = playlist ? (await ask(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  const [song] = songs
  if (!playlist || !song) throw new Error('The demo has no playlist')
  return { playlist, song }
}

/** Puts `text` in the place of what a cache holds under `path`; gives how many entries it found. */
const spoil = (page: Page, path: string, text: string) =>
  page.evaluate(
    async ([path = '', text = '']) => {
      let count = 0
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        const kept = await cache.match(path)
        if (!kept) continue
        count += 1
        await cache.put(path, new Response(text, { headers: kept.headers }))
      }
      return count
    },
    [path, text],
  )

const storageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

test('a cache full of garbage, or emptied by hand, is made up for, and the site starts without a network again', {
  tag: '@long',
}, async () => {
  test.setTimeout(120_000)
  await withProfile(
    async (open) => {
      const { page } = await open()
      await page.goto(`${site.origin()}/playlists`)
      await untilControlled(page)
      const opens = async () => {
        await page.goto(`${site.origin()}/playlists`)
        await expect(playlistLinks(page).first()).toBeVisible()
      }

      for (const document of ['', '<!doctype html><p>Log in to the hotel', '<!doctype html><script id="site">{}</script></html>']) {
        await test.step(`the document is: ${document}`, async () => {
          expect(await spoil(page, '/shell', document)).toBe(1)
          await opens()
          await expect.poll(() => page.evaluate(async () => (await (await caches.match('/shell'))?.text())?.length)).toBeGreaterThan(1_000)
        })
      }

      await test.step('the start of the program breaks off', async () => {
        expect(await spoil(page, `/${partOf('index.html')}`, 'import "')).toBe(1)
        await page.goto(`${site.origin()}/playlists`)
        await expect(playlistLinks(page).first()).toBeVisible({ timeout: 30_000 })
      })

      await test.step('the program of one page breaks off', async () => {
        expect(await spoil(page, `/${partOf(storagePart)}`, 'export const')).toBe(1)
        await opens()
        await storageLink(page).click()
        await expect(main(page)).toContainText('A part of the page did not arrive.')
        await expect
          .poll(() => page.evaluate(async (path) => (await (await caches.match(path))?.text())?.length, `/${partOf(storagePart)}`))
          .toBeGreaterThan(100)
        await main(page).getByRole('button', { name: 'Reload' }).click()
        await expect(heading(page)).toHaveText('Storage')
      })

      await test.step('all caches are deleted', async () => {
        const count = () =>
          page.evaluate(async () => Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length)))
        const before = Math.max(...(await count()))
        await page.evaluate(async () => {
          for (const name of await caches.keys()) await caches.delete(name)
        })
        await opens()
        await expect.poll(async () => Math.max(0, ...(await count()))).toBeGreaterThanOrEqual(before)
        await expect.poll(() => page.evaluate(async () => (await caches.match('/shell')) !== undefined)).toBe(true)
      })

      await site.stop()
      const again = await open()
      await again.page.goto(`${site.origin()}/playlists`)
      await expect(playlistLinks(again.page).first()).toBeVisible()
      await storageLink(again.page).click()
      await expect(heading(again.page)).toHaveText('Storage')
      site = await startSite(env)
    },
    { expected: /SyntaxError|could not be loaded/ },
  )
})

test('a first worker that cannot tidy its caches takes its page over all the same', async () => {
  await withProfile(async (open) => {
    const { page, context } = await open()
    await context.route('**/sw.js', async (route) => {
      const response = await route.fetch()
      const failing = `const put=Cache.prototype.put;Cache.prototype.put=function(key,value){
        return String(key).endsWith('/builds.json')?Promise.reject(new DOMException('full','QuotaExceededError')):put.call(this,key,value)};`
      await route.fulfill({ response, body: failing + (await response.text()) })
    })
    await page.goto(`${site.origin()}/playlists`)
    await untilControlled(page)
    expect(await page.evaluate(async () => (await caches.open('builds-v1')).match('/builds.json'))).toBe(undefined)
  })
})

test('rows of the database that a hand has spoilt are fetched anew, and what is kept stays kept', async () => {
  const { playlist, song } = await somePlaylist()
  await withProfile(async (open) => {
    const { page } = await open()
    await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
    await untilControlled(page)
    const key = page.getByRole('button', { name: /^Keep offline/ })
    await key.click()
    await expect(key).toHaveAttribute('aria-pressed', 'true')
    await page.goto(`${site.origin()}/song?s=${song.youtube_id}&p=${playlist.id}`)
    await expect(heading(page)).toContainText(song.title)
    const rows = (table: string, change?: object) =>
      page.evaluate(
        async ([table = '', change]) => {
          const opening = indexedDB.open('varispeed')
          await new Promise((resolve) => opening.addEventListener('success', resolve))
          const store = opening.result.transaction(table as string, 'readwrite').objectStore(table as string)
          const reading = store.getAll()
          await new Promise((resolve) => reading.addEventListener('success', resolve))
          const key = String(store.keyPath)
          if (change) for (const row of reading.result) store.put({ [key]: row[key], ...(change as object) })
          await new Promise((resolve) => {
            store.transaction.addEventListener('complete', resolve)
            store.transaction.commit()
          })
          opening.result.close()
          return JSON.stringify(reading.result)
        },
        [table, change] as const,
      )
    await expect.poll(() => rows('details')).toContain('next_title')
    await expect.poll(() => rows('kept')).toContain('done')
    await rows('details', { detail: {} })
    await rows('songs', { title: 5 })
    await rows('lists', { ids: ['not-here', null] })
    await rows('kept', {})

    await page.reload()
    await expect(heading(page)).toContainText(song.title)
    await storageLink(page).click()
    await expect(main(page).getByRole('link', { name: playlist.title })).toBeVisible()
    await expect(main(page)).toContainText(`${playlist.song_count} song`)
    await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
    await expect(songLinks(page).filter({ hasText: song.title }).first()).toBeVisible()
    await expect.poll(() => rows('kept')).toContain('done')
  })
})

/** Fills every file below with garbage of the same length. */
async function garble(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name !== 'LOCK').map((entry) => join(entry.parentPath, entry.name))
  for (const file of files) await writeFile(file, Buffer.alloc((await stat(file)).size, 0xa5))
  return files.length
}

test('a database and caches that are damaged on the disk: the site comes up, and starts without a network again', {
  tag: '@long',
}, async () => {
  test.setTimeout(120_000)
  await withProfile(async (open) => {
    const first = await open()
    await first.page.goto(`${site.origin()}/playlists`)
    await untilControlled(first.page)
    await expect(playlistLinks(first.page).first()).toBeVisible()
    await untilKept(first.page)
    const damaged = await open(async (profile) => {
      expect(await garble(join(profile, 'Default/IndexedDB'))).toBeGreaterThan(3)
      expect(await garble(join(profile, 'Default/Service Worker/CacheStorage'))).toBeGreaterThan(30)
    })
    await damaged.page.goto(`${site.origin()}/playlists`)
    await expect(playlistLinks(damaged.page).first()).toBeVisible({ timeout: 20_000 })
    // The document comes last.
    await expect.poll(() => damaged.page.evaluate(async () => (await caches.match('/shell')) !== undefined), { timeout: 20_000 }).toBe(true)
    await untilKept(damaged.page)
    await site.stop()
    const { page } = await open()
    await page.goto(`${site.origin()}/playlists`)
    await expect(playlistLinks(page).first()).toBeVisible()
    site = await startSite(env)
  })
})

/** Lets this origin store so many bytes; `undefined` takes the limit away. */
async function limitStorage({ context, page }: OpenBrowser, bytes: number | undefined) {
  const session = await context.newCDPSession(page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: site.origin(), ...(bytes !== undefined && { quotaSize: bytes }) })
}

test('a device that is full: the music plays, the site works online and says so, until there is room', async () => {
  const { playlist, song } = await somePlaylist()
  await withProfile(async (open) => {
    const first = await open()
    await first.page.goto(`${site.origin()}/playlists`)
    await untilControlled(first.page)
    await expect(playlistLinks(first.page).first()).toBeVisible()
    // The browser looks up the limit when it first writes.
    const browser = await open()
    const { page, platform } = browser
    await limitStorage(browser, 1)
    await openSong(page, platform, site.origin(), song.youtube_id)

    await page.getByRole('link', { name: 'Playlists' }).first().click()
    await page.locator(`a[href="/playlist?p=${playlist.id}"]`).first().click()
    await expect(songLinks(page).first()).toBeVisible()
    await expect(page.getByText('This device is full: what you open now is gone with this page.')).toBeVisible()
    await expectPlaying(page, platform, song.youtube_id)

    await expect(page.getByRole('button', { name: /^Keep offline/ })).toBeDisabled()
    await expect(main(page)).toContainText('This device is full.')
    await storageLink(page).click()
    await expect(main(page)).toContainText('This device is full: remove a kept playlist or clear the cache')
    await expectPlaying(page, platform, song.youtube_id)
    expect(platform.frameLoads).toBe(1)

    await limitStorage(browser, undefined)
    await page.getByRole('button', { name: 'Clear cache' }).click()
    await expect(page.getByText('The cache is clear.')).toBeVisible()
    await expect(page.getByText('This device is full')).toHaveCount(0)
  })
})

test('a device without room for the program works online, and says that it does not start without a connection', async () => {
  await withProfile(async (open) => {
    const browser = await open()
    const { page } = browser
    await limitStorage(browser, 20_000)
    await page.goto(`${site.origin()}/storage`)
    await expect(main(page)).toContainText('The part of the site that starts without a connection could not be installed here.')
    await page.goto(`${site.origin()}/playlists`)
    await expect(playlistLinks(page).first()).toBeVisible()
  })
})

test('a browser that lets the site store nothing: all works online, and says what it cannot do', async () => {
  const { playlist, song } = await somePlaylist()
  await withProfile(
    async (open) => {
      const { page, platform } = await open()
      await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
      await songLinks(page).filter({ hasText: song.title }).first().click()
      await expectPlaying(page, platform, song.youtube_id)
      await expect(page.getByText('This browser keeps nothing for this site: pages work online only.')).toBeVisible()
      await storageLink(page).click()
      await expect(main(page)).toContainText('This browser gives the site no database')
      await expect(main(page)).toContainText(/could not be installed here|cannot start the site without a connection/)
      await expect(player(page)).toContainText(song.title)
    },
    // As 'block all cookies' in the browser's settings.
    { preferences: { profile: { default_content_setting_values: { cookies: 2 } } } },
  )
})
