import type { Page } from '@playwright/test'
import { openHydratedPage, signInByRequest } from '../identity/steps.ts'
import { createSubscriber } from '../maker-steps.ts'
import type { Site } from '../server.ts'
import { mainRegion } from '../steps.ts'
import { synthesizeSong } from './shots-maker.ts'

let websiteCount = 0

/** Returns the functions that show the tools of subscribers, by the names of their pictures. */
export function createToolPictures(site: Site, siteOrigin: string): Record<string, (page: Page) => Promise<void>> {
  const openSignedIn = async (page: Page, urlPath: string) => {
    await signInByRequest(page, site.origin(), await createSubscriber(site), siteOrigin)
    await openHydratedPage(page, siteOrigin + urlPath)
    await mainRegion(page)
      .getByRole('button', { name: /^(Convert|Send|Activate|Open a file)$/ })
      .first()
      .waitFor()
    await page.waitForLoadState('networkidle')
  }
  return {
    async website(page) {
      await page.goto(siteOrigin.replace('://', '://aria.'), { waitUntil: 'networkidle' })
    },
    async promotion(page) {
      await openSignedIn(page, '/account/website')
      await mainRegion(page).getByLabel('Domain name').fill(`mika${++websiteCount}`)
      await mainRegion(page).getByRole('button', { name: 'Activate' }).click()
      await mainRegion(page).getByLabel('Name', { exact: true }).fill('Mika Sound')
      await mainRegion(page).getByLabel('YouTube', { exact: true }).fill('@mika')
      await mainRegion(page).getByRole('button', { name: 'Save' }).click()
      await mainRegion(page).getByText('Your website has been updated!').waitFor()
      await openHydratedPage(page, `${siteOrigin}/account/promotion`)
      await mainRegion(page).getByLabel('YouTube channel').fill('https://www.youtube.com/@mika')
      await mainRegion(page).getByLabel('What to share').fill('https://www.youtube.com/playlist?list=PLmika')
      await mainRegion(page).getByRole('button', { name: 'Save' }).click()
      await mainRegion(page).getByText('Your channel promotion has been saved!').waitFor()
      await page.goto(siteOrigin, { waitUntil: 'networkidle' })
      await page.getByRole('heading', { name: 'Channel of the day' }).evaluate((heading) => heading.scrollIntoView({ block: 'center' }))
      await page.waitForTimeout(700)
    },
    async maker(page) {
      await openSignedIn(page, '/account/maker')
      await mainRegion(page)
        .getByLabel('Audio file')
        .setInputFiles({ name: 'city lights at 4 am.wav', mimeType: 'audio/wav', buffer: synthesizeSong(217) })
      await mainRegion(page).getByRole('region', { name: 'Waveform' }).waitFor()
      await page.getByText('is ready for editing').waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).first().click()
      await mainRegion(page).getByRole('button', { name: 'Pause' }).locator('visible=true').first().click()
      await page.waitForTimeout(700)
    },
    make: (page) => openSignedIn(page, '/account/make'),
    async artwork(page) {
      await site.runAdmin('settings', 'set', 'ARTWORK', 'true')
      await openSignedIn(page, '/account/artwork')
    },
  }
}
