import type { Page } from '@playwright/test'
import { catalogueIds, LONG_PLAYLIST_LENGTH } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { locateSongLinks, mainRegion } from './steps.ts'

test.describe.configure({ timeout: 90_000 })

/** Scrolls down and up again, for 200 frames of 120 px each. Returns the largest number of rows that the document had. */
async function scrollFrames(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let maxRowCount = 0
    for (let frameIndex = 0; frameIndex < 200; frameIndex++) {
      window.scrollBy(0, frameIndex % 100 < 50 ? 120 : -120)
      await new Promise((resolve) => requestAnimationFrame(resolve))
      maxRowCount = Math.max(maxRowCount, document.querySelectorAll('main li[data-index]').length)
    }
    return maxRowCount
  })
}

/** Waits until the virtual list has replaced the first rows of the HTML. */
const waitForVirtualList = (page: Page) =>
  page.waitForFunction(() => document.querySelector<HTMLElement>('main li[data-index]')?.style.position === 'absolute')

/** Returns the first row in the lower part of the viewport, once rows are rendered there after scrolling. */
async function findRowInView(page: Page) {
  const rows = mainRegion(page).getByRole('link', { name: /Long road \d{5}/ })
  const readTitleInView = () =>
    rows.evaluateAll((linkElements) => {
      const seenLink = linkElements.find((linkElement) => {
        const { top, bottom } = linkElement.getBoundingClientRect()
        return top > innerHeight / 3 && bottom < innerHeight
      })
      return /Long road \d+/.exec(seenLink?.textContent ?? '')?.[0] ?? ''
    })
  await expect.poll(readTitleInView).not.toBe('')
  const row = mainRegion(page)
    .getByRole('link', { name: await readTitleInView() })
    .first()
  await expect(row).toBeInViewport()
  await page.waitForTimeout(500)
  return row
}

test('long list: a playlist of 10,000 songs has few rows in the document while a person scrolls, and its end can be reached', {
  tag: '@long',
}, async ({ page, testCatalogueSite, platform: _ }) => {
  await page.goto(`${testCatalogueSite.origin()}/playlist?p=${catalogueIds.longPlaylist}`)
  await expect(locateSongLinks(page).first()).toBeVisible({ timeout: 20_000 })
  const countElements = () => page.evaluate(() => document.querySelectorAll('*').length)
  expect(await countElements(), 'elements in the document').toBeLessThan(4000)

  await waitForVirtualList(page)
  expect(await scrollFrames(page), 'rows in the document').toBeLessThan(60)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(
    mainRegion(page)
      .getByRole('link', { name: `Long road ${LONG_PLAYLIST_LENGTH}` })
      .first(),
  ).toBeVisible()
  expect(await countElements()).toBeLessThan(4000)

  await test.step('Back returns to the row that was opened', async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    const row = await findRowInView(page)
    await row.click()
    await expect(page).toHaveURL(/\/song\?s=long_/)
    await page.goBack()
    await expect(row).toBeInViewport()
  })

  await test.step('Back and a reload keep filter and order, and the row in view', async () => {
    await mainRegion(page).getByRole('button', { name: 'Sort and filter' }).click()
    await mainRegion(page).getByRole('searchbox', { name: 'Filter' }).fill('road 09')
    await mainRegion(page).getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Z-A' })
    await expect(mainRegion(page).getByRole('status')).toHaveText(/^\d,\d+ of 10,000 songs/)
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
    const row = await findRowInView(page)
    await row.click()
    await expect(page).toHaveURL(/\/song\?s=long_/)
    for (const comeBack of [() => page.goBack(), () => page.reload()]) {
      await comeBack()
      await expect(mainRegion(page).getByRole('searchbox', { name: 'Filter' })).toHaveValue('road 09')
      await expect(mainRegion(page).getByRole('combobox', { name: 'Sort' })).toHaveValue('za')
      await expect(row).toBeInViewport()
    }
  })
})
