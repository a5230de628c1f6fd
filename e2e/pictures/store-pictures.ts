import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { SCREENSHOTS } from '../../server/pages/manifest.ts'
import { chromiumFlags, chromiumPath } from '../chromium.ts'
import { brands } from '../fixtures.ts'
import { startSite } from '../server.ts'
import { createToolPictures } from './tool-pictures.ts'

// `npm run store-pictures`: takes the screenshots for the web app manifest, which a browser shows before it installs the app, and those of the tools
// on the pages that are locked without a subscription. The files are committed.

/** The size of the pictures in `client/components/subscription-offer.tsx`. */
const TOOL_PICTURE_SIZE = { width: 1200, height: 750 }

const pathByName: Record<string, string> = { home: '/', playlists: '/playlists' }
const outputFolder = fileURLToPath(new URL('../../public/screenshots/', import.meta.url))

const site = await startSite()
const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumFlags })
try {
  for (const brand of brands) {
    await mkdir(join(outputFolder, brand.id), { recursive: true })
    for (const { file, size, form: formFactor } of SCREENSHOTS) {
      const [width = 0, height = 0] = size.split('x').map(Number)
      const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
      await page.goto(site.origin(brand.subdomain) + pathByName[file.replace(`${formFactor}-`, '').replace('.webp', '')], {
        waitUntil: 'networkidle',
      })
      await sharp(await page.screenshot())
        .webp({ quality: 42, effort: 6 })
        .toFile(join(outputFolder, brand.id, file))
      await page.close()
    }
  }
  for (const brand of brands) {
    for (const [toolName, showTool] of Object.entries(createToolPictures(site, site.origin(brand.subdomain)))) {
      const page = await browser.newPage({ viewport: TOOL_PICTURE_SIZE, reducedMotion: 'reduce' })
      await showTool(page)
      await sharp(await page.screenshot())
        .webp({ quality: 50, effort: 6 })
        .toFile(join(outputFolder, brand.id, `tool-${toolName}.webp`))
      await page.close()
    }
  }
} finally {
  await browser.close()
  await site.stop()
}
