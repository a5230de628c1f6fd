import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { startSite } from '../server.ts'
import { openChromium } from './chromium-page.ts'
import type { DrivenPage } from './driven-page.ts'
import { hasFirefox, openFirefox } from './firefox.ts'
import { exportPresets, logIn, takeJourney, writeNoiseFile } from './journey.ts'
import { hasWebKit, openWebKit } from './webkit.ts'

let folder = ''
let audioPath = ''
let chromiumHashes: Record<string, string> = {}

async function withPage<Result>(openPage: () => Promise<DrivenPage>, run: (page: DrivenPage) => Promise<Result>): Promise<Result> {
  const page = await openPage()
  try {
    return await run(page)
  } catch (error) {
    await test.info().attach('page', { body: await page.screenshot(), contentType: 'image/png' })
    throw error
  } finally {
    await page.close()
  }
}

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'varispeed-browsers-'))
  audioPath = await writeNoiseFile(folder)
  const site = await startSite()
  try {
    chromiumHashes = await withPage(openChromium, async (page) => {
      await logIn(page, site)
      return exportPresets(page, site.origin(), audioPath)
    })
  } finally {
    await site.stop()
  }
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

const browsers = [
  { name: 'Firefox', isInstalled: hasFirefox, openPage: openFirefox, packages: 'firefox-esr' },
  { name: 'WebKit', isInstalled: hasWebKit, openPage: openWebKit, packages: 'webkit2gtk-driver xvfb gstreamer1.0-libav' },
]

for (const { name, isInstalled, openPage, packages } of browsers) {
  test(`${name}: a song plays, a favorite is added, the maker exports the same bytes as in Chromium, and the site opens offline`, async () => {
    test.skip(!isInstalled(), `${name} is not installed: apt-get install ${packages}`)
    test.setTimeout(600_000)
    const site = await startSite()
    try {
      await withPage(openPage, (page) => takeJourney(page, site, audioPath, chromiumHashes))
    } finally {
      await site.stop()
    }
  })
}
