import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ids } from './catalogue.ts'
import { hearts, logIn, onSite, tokenOf, untilStored } from './favorites-steps.ts'
import { expect, startOwnSite, test } from './fixtures.ts'
import { anybody, open, register } from './identity/steps.ts'
import { untilControlled, untilKept, withProfile } from './profile.ts'
import { makeSecondBuild, SECOND } from './second-build.ts'
import { type Site, startSite } from './server.ts'
import { main, untilAlive } from './steps.ts'

let dataDir = ''
let site: Site
test.beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'varispeed-favorites-'))
  site = await startOwnSite(dataDir)
})
test.afterEach(async () => {
  await site.stop()
  await rm(dataDir, { recursive: true, force: true })
})
const startAgain = async (...program: [string] | []) => {
  const { port } = site
  await site.stop()
  site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir }, ...program)
}
const playlist = () => `${site.origin()}/playlist?p=${ids.plainPlaylist}`

test('a page that the worker wakes asks the site', async () => {
  const somebody = anybody()
  await register(site.origin(), somebody)
  await withProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await logIn(page, site, somebody)
    await untilControlled(page)
    await open(page, playlist())
    await untilKept(page)
    const worker = await context.newCDPSession(page)
    const registered = new Promise<string>((resolve) =>
      worker.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [found] = registrations
        if (found) resolve(found.registrationId)
      }),
    )
    await worker.send('ServiceWorker.enable')
    const syncs: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/favorite/sync')) syncs.push(request.url())
    })
    await page.waitForTimeout(2_000)
    const before = syncs.length
    const event = { origin: site.origin(), registrationId: await registered, lastChance: false }
    await worker.send('ServiceWorker.dispatchSyncEvent', { ...event, tag: 'something else' })
    await page.waitForTimeout(1_000)
    expect(syncs).toHaveLength(before)
    await worker.send('ServiceWorker.dispatchSyncEvent', { ...event, tag: 'outbox' })
    await expect.poll(() => syncs.length).toBe(before + 1)
  })
})

test('what a visitor reports without a connection is sent by the next visit, with nobody signed in', async () => {
  await withProfile(async (openBrowser) => {
    const { page } = await openBrowser()
    await open(page, `${site.origin()}/song?s=${ids.accented}`)
    await untilControlled(page)
    await untilKept(page)
    await site.stop()
    await main(page)
      .getByRole('button', { name: /report/i })
      .click()
    const dialog = page.getByRole('dialog', { name: 'Report this song' })
    await dialog.getByRole('textbox').fill('The sound is gone.')
    await dialog
      .getByRole('button', { name: /report|send/i })
      .last()
      .click()
    await expect(page.getByText('Your report is kept and will be sent when there is a connection.')).toBeVisible()
    await untilStored(page, 1)

    await startAgain()
    const { page: later } = await openBrowser()
    await open(later, site.origin())
    await untilStored(later, 0)
    expect(await site.admin('contact', 'list')).toContain('The sound is gone.')
  })
})

test('taps outlive an update: those of an old tab, from before it and after it, and those of the new one', async () => {
  test.setTimeout(180_000)
  const second = await makeSecondBuild()
  const somebody = anybody()
  await register(site.origin(), somebody)
  const token = await tokenOf(site, somebody)
  await withProfile(async (openBrowser) => {
    const { page: old, context } = await openBrowser()
    await logIn(old, site, somebody)
    await untilControlled(old)
    await open(old, playlist())
    await untilKept(old)
    const fresh = await context.newPage()
    await open(fresh, playlist())
    await untilKept(fresh)
    // The site's calls alone fail: an update comes from there.
    await context.route('**/api/favorite/sync', (route) => route.abort('connectionrefused'))
    for (const tap of [0, 1, 2]) await hearts(old).nth(tap).click()
    await untilStored(old, 3)

    await startAgain(second.program)
    await fresh.evaluate(async () => (await navigator.serviceWorker.ready).update())
    await fresh.getByRole('button', { name: 'Update', exact: true }).click()
    await expect
      .poll(() =>
        untilAlive(fresh).then(
          () => fresh.evaluate(() => Reflect.get(globalThis, 'build')),
          () => 'reloading',
        ),
      )
      .toBe(SECOND)
    const pressed = main(fresh).getByRole('button', { name: /^Favorite: /, pressed: true })
    await expect(pressed).toHaveCount(3)
    await hearts(old).nth(3).click()
    await expect(hearts(old).nth(3)).toHaveAttribute('aria-pressed', 'true')
    await hearts(fresh).nth(4).click()
    await expect(pressed).toHaveCount(4)

    await context.unroute('**/api/favorite/sync')
    for (const page of [old, fresh]) await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect.poll(async () => (await onSite(site, token)).length).toBe(5)
    await fresh.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect(pressed).toHaveCount(5)
  })
})
