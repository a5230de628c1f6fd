import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { chromiumFlags, chromiumPath } from '../e2e/chromium.ts'
import { brands } from '../e2e/fixtures.ts'
import { startSite } from '../e2e/server.ts'
import { SCREENSHOTS } from '../server/pages/manifest.ts'

// Makes the pictures that a browser shows before it installs the app, from the pages themselves, with the demo catalogue:
// `npm run store-pictures`. They are committed, so that no start has to make them.

const paths: Record<string, string> = { home: '/', playlists: '/playlists' }
const out = fileURLToPath(new URL('../public/screenshots/', import.meta.url))

const site = await startSite()
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  for (const brand of brands) {
    await mkdir(join(out, brand.id), { recursive: true })
    for (const { file, size, form } of SCREENSHOTS) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
      await page.goto(site.origin(brand.subdomain) + paths[file.replace(`${form}-`, '').replace('.webp', '')], { waitUntil: 'networkidle' })
      await sharp(await page.screenshot())
        .webp({ quality: 42, effort: 6 })
        .toFile(join(out, brand.id, file))
      await page.close()
    }
  }
} finally {
  await browser.close()
  await site.stop()
}
