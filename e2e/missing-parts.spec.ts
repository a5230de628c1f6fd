import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { partOf, readParts, storagePart } from './parts.ts'
import { ask, expectPlaying, heading, main, openSong, player, playerButton, playlistLinks } from './steps.ts'

const lost = /ERR_FAILED|could not be loaded|Failed to fetch/

/** As a blocker in the browser does, or a network that loses one answer. */
const block = (context: BrowserContext, source: string) => context.route(`**/${partOf(source)}`, (route) => route.abort())
const unblock = (context: BrowserContext, source: string) => context.unroute(`**/${partOf(source)}`)

const storageLink = (page: Page) => page.getByRole('contentinfo').locator('a[href="/storage"]')

test('no part is called after what blockers look for', () => {
  // The hash has neither '-' nor '_': it stands between marks as one word, which says nothing.
  const files = Object.values(readParts()).map(({ file }) => file.replace(/-[0-9a-z]{8}\./, '.'))
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => /youtube|discord|social|share|track|analytic|banner|popup|ads?[-_.]/i.test(file))).toEqual([])
})

test('a page that did not arrive can be tried again, and the song plays on', async ({ page, context, site, platform, faults }) => {
  faults.expect(lost)
  const [playlist] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await ask(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!song) throw new Error('The demo has no song')
  await block(context, storagePart)
  await openSong(page, platform, site.origin(), song.youtube_id)
  await storageLink(page).click()
  await expect(main(page)).toContainText('A part of the page did not arrive.')
  await unblock(context, storagePart)
  await main(page).getByRole('button', { name: 'Retry' }).click()
  await expect(heading(page)).toHaveText('Storage')
  await expectPlaying(page, platform, song.youtube_id)
  expect(platform.frameLoads, 'nothing was loaded anew').toBe(1)
})

test('a part of a page that did not arrive says so where it belongs; all else works', async ({ page, context, site, platform, faults }) => {
  faults.expect(lost)
  const [playlist] = (await ask(site, 'GET /playlist/all')).filter((each) => each.song_count > 2)
  const [song] = playlist ? (await ask(site, 'GET /playlist/get', { p: playlist.id })).songs : []
  if (!song) throw new Error('The demo has no song')
  const parts = ['features/song/sleep-dialog.tsx', 'features/player/shortcuts-dialog.tsx']
  for (const part of parts) await block(context, part)
  await openSong(page, platform, site.origin(), song.youtube_id)
  const dialog = page.getByRole('dialog')

  await page.keyboard.press('?')
  await expect(dialog).toContainText('A part of the page did not arrive.')
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Sleep timer' }).click()
  await expect(dialog).toContainText('A part of the page did not arrive.')
  for (const part of parts) await unblock(context, part)
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await dialog.getByText('15 minutes').click()
  await expectPlaying(page, platform, song.youtube_id)
  expect(platform.frameLoads).toBe(1)
})

test('without the programs of the database and of the worker the site works online, and says what it cannot do', async ({
  page,
  context,
  site,
  platform,
  faults,
}) => {
  faults.expect(lost)
  await block(context, 'data/open-store.ts')
  await page.goto(site.origin())
  await playlistLinks(page).first().click()
  await main(page).locator('a[href^="/song?"]').first().click()
  await expect.poll(async () => (await platform.playing(page))?.state).toBe(1)
  await expect(page.getByText('This browser keeps nothing for this site: pages work online only.')).toBeVisible()
  await storageLink(page).click()
  await expect(main(page)).toContainText('playlists and search work online only')
  await expect(player(page)).toBeVisible()
  await playerButton(page, 'Pause').click()
})

test('the program of the database is asked for once more', async ({ page, context, site, faults }) => {
  faults.expect(lost)
  let asked = 0
  await context.route(`**/${partOf('data/open-store.ts')}`, (route) => {
    asked += 1
    return asked === 1 ? route.abort() : route.continue()
  })
  await page.goto(`${site.origin()}/playlists`)
  await expect.poll(() => page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))).toEqual(['varispeed'])
  expect(asked).toBe(2)
  await expect(page.getByText('This browser keeps nothing')).toBeHidden()
})
