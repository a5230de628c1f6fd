import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { expect, test } from './fixtures.ts'

// Chromium tells what keeps a site from being installed only in a profile that lasts.
for (const subdomain of [undefined, 'fm', 'slowedreverb', 'fm.slowedreverb']) {
  test(`${subdomain ?? 'the main host'} can be installed`, async ({ site }) => {
    const profile = await mkdtemp(join(tmpdir(), 'varispeed-install-'))
    const context = await chromium.launchPersistentContext(profile, { executablePath: chromiumPath, args: chromiumFlags })
    try {
      const page = await context.newPage()
      await page.goto(site.origin(subdomain))
      const devtools = await context.newCDPSession(page)
      const manifest = await devtools.send('Page.getAppManifest')
      expect(manifest.url).toBe(`${site.origin(subdomain)}/manifest.webmanifest`)
      expect(manifest.errors).toEqual([])
      await expect
        .poll(async () => (await devtools.send('Page.getInstallabilityErrors')).installabilityErrors, { timeout: 20_000 })
        .toEqual([])
    } finally {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    }
  })
}

test('shortcuts open the right page', async ({ page, site }) => {
  await page.goto('/go/random')
  await expect(page).toHaveURL(/\/song\?s=.+&p=/)
  expect((await page.request.get('/go/favorites', { maxRedirects: 0 })).headers().location).toBe('/account')
  expect((await page.request.get('/go/radio', { maxRedirects: 0 })).headers().location).toBe(`${site.origin('fm')}/`)
})
