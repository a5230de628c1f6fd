import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import Database from 'better-sqlite3'
import { ids } from './catalogue.ts'
import { hearts, logIn, onSite, tokenOf, untilStored } from './favorites-steps.ts'
import { expect, startOwnSite, test } from './fixtures.ts'
import { anybody, button, field, open, register, signOut, submitLogIn } from './identity/steps.ts'
import { untilControlled, untilKept, withProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { expectPlaying, heading, main, nav, untilAlive } from './steps.ts'

const TAPS = 50

const list = (page: Page): Locator => main(page).getByRole('region', { name: /^Favorites/ })

/** What the site's database notes of all changes. */
function noted(site: Site): { applied: number; version: number } {
  const database = new Database(join(site.dataDir, 'varispeed.sqlite'), { readonly: true })
  try {
    const count = (sql: string) => Number(Object.values(Object(database.prepare(sql).get()))[0])
    return { applied: count('select count(*) from applied_changes'), version: count('select sum(version) from favorite_lists') }
  } finally {
    database.close()
  }
}

/** As when the machine loses its power: nothing is written down any more. */
async function killBrowser(context: BrowserContext) {
  const session = await context.browser()?.newBrowserCDPSession()
  const { processInfo } = (await session?.send('SystemInfo.getProcessInfo')) ?? { processInfo: [] }
  const browser = processInfo.find(({ type }) => type === 'browser')
  if (browser === undefined) throw new Error('The browser has no process.')
  const closed = context.waitForEvent('close')
  process.kill(browser.id, 'SIGKILL')
  await closed
}

test('50 taps without a connection outlive a killed browser, and are told once; another device hears of them when it is looked at', async () => {
  test.setTimeout(180_000)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
  let site = await startOwnSite(dataDir)
  const { port } = site
  const somebody = anybody()
  try {
    await register(site.origin(), somebody)
    await withProfile(async (openOther) => {
      const { page: other } = await openOther()
      await logIn(other, site, somebody)
      await open(other, `${site.origin()}/account`)
      await expect(main(other)).toContainText('There are no songs in your favorites.')
      await withProfile(async (openBrowser) => {
        const { page: first, context } = await openBrowser()
        await logIn(first, site, somebody)
        await untilControlled(first)
        await open(first, `${site.origin()}/playlist?p=${ids.plainPlaylist}`)
        await untilKept(first)
        await site.stop()

        for (let tap = 0; tap < TAPS; tap++) {
          await hearts(first).nth(tap).click()
          await expect(hearts(first).nth(tap)).toHaveAttribute('aria-pressed', 'true')
        }
        await untilStored(first, TAPS)
        await killBrowser(context)

        const { page } = await openBrowser()
        await page.goto(`${site.origin()}/playlist?p=${ids.plainPlaylist}`)
        await untilAlive(page)
        await expect(main(page).getByRole('button', { name: /^Favorite: /, pressed: true })).toHaveCount(TAPS)
        await open(page, `${site.origin()}/storage`)
        await expect(main(page)).toContainText('Not sent yet')

        site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir })
        const token = await tokenOf(site, somebody)
        await expect.poll(async () => (await onSite(site, token)).length, { timeout: 60_000 }).toBe(TAPS)
        await untilStored(page, 0)
        expect(noted(site)).toEqual({ applied: TAPS, version: TAPS })
        expect(new Set(await onSite(site, token)).size).toBe(TAPS)
      })
      await other.bringToFront()
      await other.evaluate(() => window.dispatchEvent(new Event('focus')))
      await expect(list(other)).toContainText('50', { timeout: 2_000 })
      await expect(
        list(other)
          .getByRole('link', { name: /^Long road/ })
          .first(),
      ).toBeVisible()
    })
  } finally {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('two accounts on one device, with changes that wait: nothing crosses', async () => {
  test.setTimeout(180_000)
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
  let site = await startOwnSite(dataDir)
  const { port } = site
  const [ann, bob] = [anybody(), anybody()]
  try {
    for (const somebody of [ann, bob]) await register(site.origin(), somebody)
    const again = async () => {
      site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir })
    }
    await withProfile(async (openBrowser) => {
      const { page } = await openBrowser()
      await logIn(page, site, ann)
      await untilControlled(page)
      await open(page, `${site.origin()}/playlist?p=${ids.plainPlaylist}`)
      await untilKept(page)
      await site.stop()
      for (let tap = 0; tap < 3; tap++) await hearts(page).nth(tap).click()
      await untilStored(page, 3)
      await nav(page)
        .getByRole('button', { name: /^Account: / })
        .click()
      await nav(page).getByRole('button', { name: 'Sign out' }).click()
      const question = page.getByRole('dialog', { name: 'Sign out with unsent changes?' })
      await question.getByRole('button', { name: 'Sign out and keep them' }).click()
      await expect(nav(page).getByRole('link', { name: 'Login' })).toBeVisible({ timeout: 15_000 })

      await again()
      await logIn(page, site, bob)
      await open(page, `${site.origin()}/account`)
      await expect(main(page)).toContainText('There are no songs in your favorites.')
      await open(page, `${site.origin()}/storage`)
      await expect(main(page)).not.toContainText('Long road')
      await open(page, `${site.origin()}/playlist?p=${ids.plainPlaylist}`)
      await expect(main(page).getByRole('button', { name: /^Favorite: /, pressed: true })).toHaveCount(0)
      await hearts(page).nth(10).click()
      const [annToken, bobToken] = [await tokenOf(site, ann), await tokenOf(site, bob)]
      await expect.poll(() => onSite(site, bobToken)).toHaveLength(1)
      expect(await onSite(site, annToken), 'nothing of hers was sent in his name, or without her').toEqual([])
      await untilStored(page, 3)

      await signOut(page)
      await logIn(page, site, ann)
      await expect.poll(() => onSite(site, annToken), { timeout: 15_000 }).toHaveLength(3)
      expect(await onSite(site, bobToken)).toHaveLength(1)
      await open(page, `${site.origin()}/account`)
      await expect(list(page).getByRole('link', { name: /^Long road/ })).toHaveCount(3)
    })
  } finally {
    await site.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

test('a favorite on the song page is there after a reload, in the other tab, and plays; undo takes it back', async ({
  page,
  context,
  ownSite,
  platform,
}) => {
  const origin = ownSite.origin()
  const somebody = anybody()
  await register(origin, somebody)
  await logIn(page, ownSite, somebody)
  await open(page, `${origin}/song?s=${ids.accented}`)
  const heart = main(page).getByRole('button', { name: 'Favorite', exact: true })
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await heart.click()
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  const other = await context.newPage()
  await open(other, `${origin}/account`)
  await expect(list(other).getByRole('link', { name: 'Señorita Über Café' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(heart).toHaveAttribute('aria-pressed', 'false')
  await expect(main(other)).toContainText('There are no songs in your favorites.')
  await heart.click()
  const token = await tokenOf(ownSite, somebody)
  await expect.poll(() => onSite(ownSite, token)).toEqual([ids.accented])
  await page.reload()
  await untilAlive(page)
  await expect(heart).toHaveAttribute('aria-pressed', 'true')
  await main(other).getByRole('button', { name: 'Play Favorites' }).click()
  await expect(other).toHaveURL(`${origin}/song?s=${ids.accented}&p=favorite`)
  await expectPlaying(other, platform, ids.accented)
})

test("a visitor's heart is taken once they have signed up and logged in, over a reload in between", async ({ page, ownSite }) => {
  const somebody = anybody()
  await open(page, `${ownSite.origin()}/playlist?p=${ids.plainPlaylist}`)
  await hearts(page).nth(2).click()
  await page.getByRole('dialog', { name: 'Login required' }).getByRole('link', { name: 'Sign up' }).click()
  await field(page, 'Email').fill(somebody.email)
  await field(page, 'Password').fill(somebody.password)
  await button(page, 'Sign up').click()
  await expect(heading(page)).toHaveText('Log in')
  await page.reload()
  await untilAlive(page)
  await submitLogIn(page, somebody)
  await expect(page).toHaveURL(/\/playlist\?/)
  await expect(page.getByText('Added to your favorites.')).toBeVisible()
  await expect(hearts(page).nth(2)).toHaveAttribute('aria-pressed', 'true')
})

test('a sync with nothing new moves less than a kilobyte', async ({ page, ownSite }) => {
  const somebody = anybody()
  await register(ownSite.origin(), somebody)
  await logIn(page, ownSite, somebody)
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const moved: number[] = []
  const syncs = new Map<string, number>()
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/api/favorite/sync')) syncs.set(requestId, request.postData?.length ?? 0)
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const sent = syncs.get(requestId)
    if (sent !== undefined) moved.push(sent + encodedDataLength)
  })
  await open(page, `${ownSite.origin()}/account`)
  await expect.poll(() => moved.length).toBeGreaterThan(0)
  await page.waitForTimeout(500)
  const before = moved.length
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect.poll(() => moved.length).toBeGreaterThan(before)
  expect(moved.at(-1), 'bytes of the body, and of the answer with its headers').toBeLessThan(1000)
})
