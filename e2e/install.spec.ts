import AxeBuilder from '@axe-core/playwright'
import type { CDPSession, Page } from '@playwright/test'
import { brands, expect, test } from './fixtures.ts'
import { createCredentials, signUpByRequest, submitLogIn } from './identity/steps.ts'
import { type AppInstaller, withAppInstaller } from './installed-app.ts'
import { waitForServiceWorker } from './profile.ts'
import type { Site } from './server.ts'
import { pageHeading, shareFileSignedOut } from './steps.ts'

const INSTALL_LABEL = 'Install app'

for (const brand of brands) {
  test(`${brand.name} can be installed, opens in an app window, and opens its shortcuts in that window; its radio can also be installed`, {
    tag: '@long',
  }, async ({ site }) => {
    test.setTimeout(120_000)
    const origin = site.origin(brand.subdomain)
    await withAppInstaller(origin, async (installer) => {
      const { tab, context } = installer
      await expectInstallable(installer.devtools, origin)
      // The button that the site shows after the browser's `beforeinstallprompt` event.
      await expect(tab.getByRole('contentinfo').getByRole('button', { name: INSTALL_LABEL })).toBeVisible()
      await test.step('the maker stores a shared file until login', () => shareFileSignedOut(tab))

      const appPage = await installer.install()
      await expect(pageHeading(appPage)).toBeVisible()
      expect(await appPage.evaluate(() => matchMedia('(display-mode: standalone)').matches)).toBe(true)
      await expect(appPage.getByRole('button', { name: INSTALL_LABEL })).toHaveCount(0)
      const radioPage = await expectShortcuts(installer, appPage, site, brand.subdomain)
      await test.step('the radio can be installed', async () => {
        await waitForServiceWorker(radioPage)
        await expectInstallable(await context.newCDPSession(radioPage), new URL(radioPage.url()).origin)
      })
    })
  })
}

async function expectInstallable(devtools: CDPSession, origin: string) {
  const appManifest = await devtools.send('Page.getAppManifest')
  expect(appManifest.url).toBe(`${origin}/manifest.webmanifest`)
  expect(appManifest.errors).toEqual([])
  expect((await devtools.send('Page.getAppId')).appId).toBe(`${origin}/`)
  await expect.poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors).toEqual([])
}

/** Launches each shortcut of the app. Returns the page of the radio. */
async function expectShortcuts(
  { context, launch }: AppInstaller,
  appPage: Page,
  site: Site,
  websiteSubdomain: string | undefined,
): Promise<Page> {
  const origin = site.origin(websiteSubdomain)
  const credentials = createCredentials()
  const shownShortcuts = await appPage.evaluate(async () => {
    const manifest: { shortcuts: { name: string; url: string }[] } = await (await fetch('/manifest.webmanifest')).json()
    return manifest.shortcuts.map(({ name, url }) => [name, url])
  })
  expect(shownShortcuts).toEqual([
    ['Random Song', '/go/random'],
    ['Favorites', '/go/favorites'],
    ['Radio', '/go/radio'],
    ['Maker', '/account/maker'],
  ])
  // Waits for the end of the launch. Then marks the document, to detect a reload later.
  await appPage.waitForTimeout(1_200)
  await appPage.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  const isDocumentMarked = () => appPage.evaluate(() => 'sameDocument' in globalThis)

  await launch(`${origin}/go/random`)
  await expect(appPage).toHaveURL(/\/song\?s=.+&p=/)
  await launch(`${origin}/go/favorites`)
  await expect(pageHeading(appPage)).toHaveText('Log in')
  await signUpByRequest(site.origin(), credentials)
  await submitLogIn(appPage, credentials)
  await expect(pageHeading(appPage)).toHaveText('Dashboard')
  await launch(`${origin}/account/maker`)
  await expect(pageHeading(appPage)).toHaveText('Maker')
  expect(await isDocumentMarked(), 'music would have played on').toBe(true)

  await launch(`${origin}/go/radio`)
  const radioOrigin = site.origin(websiteSubdomain === undefined ? 'fm' : `fm.${websiteSubdomain}`)
  await expect.poll(() => context.pages().map((page) => page.url())).toContain(`${radioOrigin}/`)
  const radioPage = context.pages().find((page) => page.url() === `${radioOrigin}/`)
  if (radioPage === undefined) throw new Error('The radio has no page')
  return radioPage
}

test("the app's shortcuts redirect within the host, except the shortcut to the radio", async ({ request, site }) => {
  const readLocation = async (path: string) => (await request.get(path, { maxRedirects: 0 })).headers().location
  expect(await readLocation('/go/random')).toMatch(/^\/song\?s=.+&p=/)
  expect(await readLocation('/go/favorites')).toBe('/account')
  expect(await readLocation('/go/radio')).toBe(`${site.origin('fm')}/`)
})

test.describe('on an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  test('the menu opens the install steps, in which axe finds no violation', { tag: '@long' }, async ({ page }) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: INSTALL_LABEL }).tap()
    const installDialog = page.getByRole('dialog', { name: 'Install Nightcore Meridian' })
    await expect(installDialog.getByRole('listitem')).toHaveCount(3)
    await expect(installDialog).toContainText('Add to Home Screen')
    await page.waitForTimeout(400)
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual(
      [],
    )
    await page.keyboard.press('Escape')
    await expect(installDialog).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  })
})
