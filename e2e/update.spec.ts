import { mkdtempSync, readdirSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { partOf, storagePart } from './parts.ts'
import { untilControlled, withProfile } from './profile.ts'
import { makeSecondBuild, SECOND, type SecondBuild } from './second-build.ts'
import { freePort, type Site, startSite } from './server.ts'
import { ask, expectPlaying, heading, main, openSong, player, playerButton, playlistLinks, songLinks, untilAlive } from './steps.ts'

test.describe.configure({ mode: 'serial' })

let second: SecondBuild
let dataDir = ''
let site: Site
let port = 0

/** Stops the server and starts the other version in its place: same port, same data. */
async function serve(version: 'first' | 'second'): Promise<void> {
  await site?.stop()
  const env = { PORT: String(port), DATA_DIR: dataDir }
  site = version === 'first' ? await startSite(env) : await startSite(env, second.program)
}

/** Which build's program runs in the page, once one does. */
const buildOf = (page: Page) => untilAlive(page).then(() => page.evaluate(() => String(Reflect.get(globalThis, 'build') ?? 'first')))
const askForUpdate = (page: Page) => page.evaluate(async () => (await navigator.serviceWorker.ready).update())
const updateKey = (page: Page) => page.getByRole('button', { name: 'Update', exact: true })
const storageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

/** A playlist of the demo, and its first song. */
async function something() {
  const [playlist] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await ask(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!playlist || !song) throw new Error('The demo has no playlist')
  return { playlist, song }
}

/** Opens a playlist and keeps it. */
async function keepPlaylist(page: Page, id: string) {
  await page.goto(`${site.origin()}/playlist?p=${id}`)
  await untilControlled(page)
  const key = page.getByRole('button', { name: /^Keep offline/ })
  await key.click()
  await expect(key).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(async () => (await rows(page)).kept).toBe(1)
}

/** How many rows the page's database holds. */
const rows = (page: Page) =>
  page.evaluate(async () => {
    const { promise, resolve, reject } = Promise.withResolvers<IDBDatabase>()
    const request = indexedDB.open('varispeed')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
    const db = await promise
    const count = (name: string) =>
      new Promise<number>((done) => {
        const counting = db.transaction(name).objectStore(name).count()
        counting.onsuccess = () => done(counting.result)
      })
    const counts = { version: db.version, songs: await count('songs'), playlists: await count('playlists'), kept: await count('kept') }
    db.close()
    return counts
  })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  second = await makeSecondBuild()
  port = await freePort()
  dataDir = mkdtempSync(join(tmpdir(), 'varispeed-update-'))
})
test.beforeEach(() => serve('first'))
test.afterAll(async () => {
  await site?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('an old page with a new server: the song plays on, then the update comes when it is taken, and no row is lost', async () => {
  await withProfile(async (open) => {
    const { page, platform } = await open()
    const { playlist, song } = await something()
    await keepPlaylist(page, playlist.id)
    await openSong(page, platform, site.origin(), song.youtube_id, playlist.id)
    await expect(heading(page)).toContainText(song.title)
    await expect.poll(async () => (await rows(page)).songs).toBeGreaterThan(0)
    const before = await rows(page)

    await serve('second')
    await askForUpdate(page)
    await expect(page.getByText('A new version is ready.')).toContainText('Update waits until the music stops.')
    await updateKey(page).click()
    await expect(page.getByText('The new version is ready.')).toContainText('It waits until the music stops.')

    await storageLink(page).click()
    await expect(heading(page)).toHaveText('Storage')
    await expect(player(page)).toContainText(song.title)
    await expectPlaying(page, platform, song.youtube_id)
    expect(await buildOf(page), 'nothing was loaded anew').toBe('first')
    expect(platform.frameLoads).toBe(1)

    await playerButton(page, 'Pause').click()
    await expect.poll(() => buildOf(page).catch(() => 'reloading')).toBe(SECOND)
    await expect(heading(page)).toHaveText('Storage')
    await expect(player(page)).toContainText(song.title)
    const after = await rows(page)
    expect(after.songs).toBeGreaterThanOrEqual(before.songs)
    expect(after.playlists).toBeGreaterThanOrEqual(before.playlists)
    expect(after.kept).toBe(1)
    expect(after.version).toBeGreaterThan(before.version)
  })
})

test('a new page with an old server, whose pages know less of the database: nothing is lost', async () => {
  await serve('second')
  await withProfile(async (open) => {
    const { page } = await open()
    const { playlist } = await something()
    await keepPlaylist(page, playlist.id)
    expect(await buildOf(page)).toBe(SECOND)
    const before = await rows(page)
    await serve('first')
    await page.goto(`${site.origin()}/playlists`)
    expect(await buildOf(page), 'the worker still starts its own version').toBe(SECOND)
    await expect(playlistLinks(page).first()).toBeVisible()
    await storageLink(page).click()
    await expect(heading(page)).toHaveText('Storage')
    // Going back to an earlier version is an update like any other.
    await updateKey(page).click()
    await expect.poll(() => buildOf(page).catch(() => 'reloading')).toBe('first')
    await expect(heading(page)).toHaveText('Storage')

    await test.step('the older version reads what the newer one kept, without a network, too', async () => {
      await expect(main(page)).toContainText('A newer version of this site has been here.')
      await expect(main(page).getByRole('link', { name: playlist.title })).toBeVisible()
      await site.stop()
      await page.goto(`${site.origin()}/playlist?p=${playlist.id}`)
      await expect(songLinks(page).first()).toBeVisible()
      expect(await rows(page)).toMatchObject({ version: before.version, kept: 1, songs: before.songs })
    })
  })
})

test('two tabs of two versions: where a song plays it plays on, and the tab goes on with its build, without a network, too', async () => {
  test.setTimeout(120_000)
  await withProfile(async (open) => {
    const { page: one, context, platform } = await open()
    const { playlist, song } = await something()
    await keepPlaylist(one, playlist.id)
    await one.goto(site.origin())
    const two = await context.newPage()
    await openSong(two, platform, site.origin(), song.youtube_id, playlist.id)
    await expect(heading(two)).toContainText(song.title)
    const before = await rows(one)

    await serve('second')
    await askForUpdate(one)
    await updateKey(one).click()
    await expect.poll(() => buildOf(one).catch(() => 'reloading')).toBe(SECOND)
    await expect(playlistLinks(one).first()).toBeVisible()
    const after = await rows(one)
    expect(after.version).toBeGreaterThan(before.version)
    expect(after).toMatchObject({ kept: 1 })
    expect(after.songs).toBeGreaterThanOrEqual(before.songs)

    expect(await buildOf(two)).toBe('first')
    await expectPlaying(two, platform, song.youtube_id)
    await site.stop()
    await two.bringToFront()
    await storageLink(two).click()
    await expect(heading(two)).toHaveText('Storage')
    await expect(main(two).getByRole('link', { name: playlist.title })).toBeVisible()
    await expectPlaying(two, platform, song.youtube_id)

    await test.step('taken there, too, the update waits for the end of the music, not for a moment between', async () => {
      await updateKey(two).click()
      await expect(two.getByText('It waits until the music stops.')).toBeVisible()
      // Both within the page: on a busy machine two clicks of a test are further apart than the two seconds that end a pause.
      await playerButton(two, 'Pause').evaluate(async (key: HTMLElement) => {
        key.click()
        await new Promise((resolve) => setTimeout(resolve, 300))
        key.click()
      })
      await expectPlaying(two, platform, song.youtube_id)
      await two.waitForTimeout(2_500)
      expect(await buildOf(two)).toBe('first')
      expect(platform.frameLoads, 'nothing was loaded anew').toBe(1)
      await playerButton(two, 'Pause').click()
      await expect.poll(() => buildOf(two).catch(() => 'reloading')).toBe(SECOND)
      await expect(heading(two)).toHaveText('Storage')
      await expect(main(two).getByRole('link', { name: playlist.title })).toBeVisible()
    })
  })
})

test('an interrupted install changes nothing, and is made up for later', { tag: '@long' }, async () => {
  await withProfile(async (open) => {
    const { page } = await open()
    await page.goto(`${site.origin()}/playlists`)
    await untilControlled(page)
    const assets = join(second.clientDir, 'assets')
    const name = basename(partOf(storagePart, second.clientDir))
    // The same file packed, too.
    const parts = readdirSync(assets).filter((each) => each.startsWith(name))
    expect(parts.length).toBeGreaterThan(0)
    for (const part of parts) await rename(join(assets, part), join(second.clientDir, part))
    try {
      await serve('second')
      const states = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready
        await registration.update().catch(() => undefined)
        const worker = registration.installing
        if (worker === null) return 'none'
        await new Promise<void>((resolve) => {
          worker.addEventListener('statechange', () => worker.state !== 'installing' && resolve())
        })
        return worker.state
      })
      expect(states).toBe('redundant')
      await page.reload()
      await expect(playlistLinks(page).first()).toBeVisible()
      expect(await buildOf(page)).toBe('first')
      await expect(updateKey(page)).toBeHidden()
    } finally {
      for (const part of parts) await rename(join(second.clientDir, part), join(assets, part))
    }
    await askForUpdate(page)
    await updateKey(page).click()
    await expect.poll(() => buildOf(page).catch(() => 'reloading')).toBe(SECOND)
    await expect(playlistLinks(page).first()).toBeVisible()
  })
})
