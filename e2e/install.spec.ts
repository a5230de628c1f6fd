import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { anybody, register, submitLogIn } from './identity/steps.ts'
import { type Installer, withInstaller } from './installed-app.ts'
import type { Site } from './server.ts'
import { heading, shareFile } from './steps.ts'

const INSTALL = 'Install app'

for (const subdomain of [undefined, 'slowedreverb']) {
  test(`${subdomain ?? 'the main host'} can be installed, opens in a window of its own, and takes its shortcuts there`, async ({
    site,
  }) => {
    test.setTimeout(120_000)
    const origin = site.origin(subdomain)
    await withInstaller(origin, async (installer) => {
      const { tab } = installer
      await expectInstallable(installer, origin)
      // By the browser's own event.
      await expect(tab.getByRole('contentinfo').getByRole('button', { name: INSTALL })).toBeVisible()
      await test.step('a shared file', () => shareFile(tab))

      const app = await installer.install()
      await expect(heading(app)).toBeVisible()
      expect(await app.evaluate(() => matchMedia('(display-mode: standalone)').matches)).toBe(true)
      await expect(app.getByRole('button', { name: INSTALL })).toHaveCount(0)
      await expectShortcuts(installer, app, site, subdomain)
    })
  })
}

for (const subdomain of ['fm', 'fm.slowedreverb']) {
  test(`${subdomain} can be installed`, async ({ site }) => {
    const origin = site.origin(subdomain)
    await withInstaller(origin, (installer) => expectInstallable(installer, origin))
  })
}

async function expectInstallable({ devtools }: Installer, origin: string) {
  const manifest = await devtools.send('Page.getAppManifest')
  expect(manifest.url).toBe(`${origin}/manifest.webmanifest`)
  expect(manifest.errors).toEqual([])
  expect((await devtools.send('Page.getAppId')).appId).toBe(`${origin}/`)
  await expect.poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors, { timeout: 20_000 }).toEqual([])
}

async function expectShortcuts({ context, launch }: Installer, app: Page, site: Site, subdomain: string | undefined) {
  const origin = site.origin(subdomain)
  const somebody = anybody()
  const shortcuts = await app.evaluate(async () => {
    const manifest: { shortcuts: { name: string; url: string }[] } = await (await fetch('/manifest.webmanifest')).json()
    return manifest.shortcuts.map(({ name, url }) => [name, url])
  })
  expect(shortcuts).toEqual([
    ['Random Song', '/go/random'],
    ['Favorites', '/go/favorites'],
    ['Radio', '/go/radio'],
    ['Maker', '/account/maker'],
  ])
  // The launch that opened the window is over; what a reload would lose is marked.
  await app.waitForTimeout(1_200)
  await app.evaluate(() => Object.assign(globalThis, { sameDocument: true }))
  const marked = () => app.evaluate(() => 'sameDocument' in globalThis)

  await launch(`${origin}/go/random`)
  await expect(app).toHaveURL(/\/song\?s=.+&p=/)
  await launch(`${origin}/go/favorites`)
  await expect(heading(app)).toHaveText('Log in')
  await register(site.origin(), somebody)
  await submitLogIn(app, somebody)
  await expect(heading(app)).toHaveText('Dashboard')
  await launch(`${origin}/account/maker`)
  await expect(heading(app)).toHaveText('Maker')
  expect(await marked(), 'music would have played on').toBe(true)

  await launch(`${origin}/go/radio`)
  const radio = site.origin(subdomain === undefined ? 'fm' : `fm.${subdomain}`)
  await expect.poll(() => context.pages().map((page) => page.url())).toContain(`${radio}/`)
}

test('redirects of the shortcuts stay on the host, the radio aside', async ({ page, site }) => {
  await page.goto('/go/random')
  await expect(page).toHaveURL(/\/song\?s=.+&p=/)
  expect((await page.request.get('/go/favorites', { maxRedirects: 0 })).headers().location).toBe('/account')
  expect((await page.request.get('/go/radio', { maxRedirects: 0 })).headers().location).toBe(`${site.origin('fm')}/`)
})

test.describe('an iPhone', () => {
  test.use({
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  test('is told the steps, from the menu, without a violation of axe', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('banner').getByRole('button', { name: 'Menu' }).tap()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('button', { name: INSTALL }).tap()
    const steps = page.getByRole('dialog', { name: 'Install Nightcore Meridian' })
    await expect(steps.getByRole('listitem')).toHaveCount(3)
    await expect(steps).toContainText('Add to Home Screen')
    await page.waitForTimeout(400)
    expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual(
      [],
    )
    await page.keyboard.press('Escape')
    await expect(steps).toBeHidden()
    await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible()
  })
})
