import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, chromium, expect as expectInPage, type Page } from '@playwright/test'
import { afterEach, describe, expect, it } from 'vitest'
import { chromiumFlags, headlessShellPath } from '../chromium.ts'
import { waitForServiceWorker, waitForStoredPage } from '../profile.ts'
import { type Site, startSite } from '../server.ts'
import { locatePlaylistLinks, locateSongLinks, mainRegion, waitForHydration } from '../steps.ts'
import { readExampleSettings } from './example-files.ts'
import { type BasicLogin, type RunningProxy, startCaddy, startNginx } from './proxy-process.ts'
import { requestOverHttps } from './proxy-requests.ts'

// A site behind a proxy that asks for a password by Basic authentication, in a browser. The browser's requests have no other credentials, and no route of
// Playwright answers the proxy.

const login: BasicLogin = { name: 'reader', password: 'secret-1' }

const releaseFunctions: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const release of releaseFunctions.splice(0).reverse()) await release()
})

async function openBrowser(folderPath: string): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(join(folderPath, 'profile'), {
    executablePath: headlessShellPath,
    args: [
      ...chromiumFlags.filter((flag) => !flag.startsWith('--host-resolver-rules')),
      '--host-resolver-rules=MAP example.org 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      '--ignore-certificate-errors',
    ],
    serviceWorkers: 'allow',
  })
  releaseFunctions.push(() => context.close())
  return { context, page: context.pages()[0] ?? (await context.newPage()) }
}

describe.each([
  ['Caddy', startCaddy],
  ['nginx', startNginx],
] as const)('Basic authentication by %s', (_, startProxy) => {
  async function startProxiedSite(): Promise<{ folderPath: string; site: Site; proxy: RunningProxy; origin: string }> {
    const folderPath = await mkdtemp(join(tmpdir(), 'varispeed-basic-'))
    releaseFunctions.push(() => rm(folderPath, { recursive: true, force: true }))
    const site = await startSite({ ...(await readExampleSettings()), DATA_DIR: join(folderPath, 'data'), DEMO: 'on' })
    releaseFunctions.push(site.stop)
    const proxy = await startProxy(folderPath, site.port, login)
    releaseFunctions.push(proxy.stop)
    return { folderPath, site, proxy, origin: `example.org:${proxy.httpsPort}` }
  }

  it('after the login, pages, pictures, the manifest and the service worker load, and the site works offline', async () => {
    const { folderPath, proxy, origin } = await startProxiedSite()
    expect((await requestOverHttps(proxy, 'example.org', '/')).status).toBe(401)
    const { context, page } = await openBrowser(folderPath)
    const refusedUrls: string[] = []
    context.on('response', (response) => {
      if (response.status() === 401) refusedUrls.push(new URL(response.url()).pathname)
    })
    await page.goto(`https://${login.name}:${login.password}@${origin}/playlists`)
    await page.goto(`https://${origin}/playlists`)
    await waitForServiceWorker(page)
    const firstImage = mainRegion(page).locator('img').first()
    await expectInPage.poll(() => firstImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    const devtools = await context.newCDPSession(page)
    const manifestResponse = await devtools.send('Page.getAppManifest')
    expect([manifestResponse.errors, JSON.parse(manifestResponse.data ?? '{}').name]).toEqual([[], expect.any(String)])

    await locatePlaylistLinks(page).first().click()
    await expectInPage(locateSongLinks(page).first()).toBeVisible()
    await waitForStoredPage(page)
    const playlistUrl = page.url()
    await page.goto(`https://${origin}/faq`)
    await waitForStoredPage(page)
    await proxy.stop()
    await page.goto(playlistUrl)
    await expectInPage(locateSongLinks(page).first()).toBeVisible({ timeout: 30_000 })
    expect(refusedUrls).toEqual([])
  }, 120_000)

  it('after the browser has forgotten the password, stored pages can still be opened, show a message about it, and lead to the login', async () => {
    const { folderPath, origin } = await startProxiedSite()
    const firstBrowser = await openBrowser(folderPath)
    await firstBrowser.page.goto(`https://${login.name}:${login.password}@${origin}/playlists`)
    await firstBrowser.page.goto(`https://${origin}/playlists`)
    await waitForServiceWorker(firstBrowser.page)
    await waitForStoredPage(firstBrowser.page)
    await firstBrowser.page.goto(`https://${origin}/faq`)
    await waitForStoredPage(firstBrowser.page)
    await firstBrowser.context.close()

    const { page } = await openBrowser(folderPath)
    await page.goto(`https://${origin}/playlists`)
    await expectInPage(locatePlaylistLinks(page).first()).toBeVisible({ timeout: 30_000 })
    const statusStrip = page.getByRole('status').filter({ hasText: 'A login page answers in place of the site. Reload to log in.' })
    await expectInPage(statusStrip).toBeVisible({ timeout: 30_000 })
    await page.goto(`https://${login.name}:${login.password}@${origin}/go/home`)
    await page.goto(`https://${origin}/playlists`)
    await waitForStoredPage(page)
    await expectInPage(statusStrip).toHaveCount(0)
  }, 120_000)

  it('people sign up and use their account: calls with its token are checked by the server alone, all others by the proxy', async () => {
    const { folderPath, proxy, origin } = await startProxiedSite()
    const headers = { authorization: 'Bearer made-up' }
    expect((await requestOverHttps(proxy, 'example.org', '/', { headers })).status).toBe(401)
    const { status, body } = await requestOverHttps(proxy, 'example.org', '/api/account/getinfo', { headers })
    expect([status, JSON.parse(body)]).toEqual([401, expect.objectContaining({ code: 401 })])

    const { page } = await openBrowser(folderPath)
    await page.goto(`https://${login.name}:${login.password}@${origin}/signup`)
    await page.goto(`https://${origin}/signup`)
    await waitForHydration(page)
    await page.getByLabel('Email').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('secret-12345')
    await page.keyboard.press('Enter')
    await expectInPage(page).toHaveURL(/\/login$/, { timeout: 30_000 })
    await waitForHydration(page)
    await page.getByLabel('Email').fill('ann@example.org')
    await page.getByRole('textbox', { name: 'Password' }).fill('secret-12345')
    await page.keyboard.press('Enter')
    await expectInPage(page).toHaveURL(`https://${origin}/`, { timeout: 30_000 })
    await page.goto(`https://${origin}/account`)
    await expectInPage(mainRegion(page).getByText('ann@example.org').first()).toBeVisible({ timeout: 30_000 })
  }, 120_000)
})
