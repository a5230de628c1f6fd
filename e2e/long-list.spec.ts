import type { Page } from '@playwright/test'
import { ids, LONG_COUNT } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { main, songLinks } from './steps.ts'

test.describe.configure({ timeout: 90_000 })

/** Scrolls for 200 frames, 120 px each, there and back, and gives how long frames took. */
async function scrollFrames(page: Page): Promise<{ medianMs: number; slowMs: number }> {
  return page.evaluate(async () => {
    const times: number[] = []
    let last = performance.now()
    for (let frame = 0; frame < 200; frame++) {
      window.scrollBy(0, frame % 100 < 50 ? 120 : -120)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    times.sort((a, b) => a - b)
    return { medianMs: times[100] ?? 0, slowMs: times[190] ?? 0 }
  })
}

/** The HTML shows the first rows; the list has its length once its program is there. */
const untilLong = (page: Page) =>
  page.waitForFunction(() => document.querySelector<HTMLElement>('main li[data-index]')?.style.position === 'absolute')

test('a playlist of 10,000 songs stays smooth: few rows in the document, few slow frames, and its end can be reached', async ({
  page,
  ownSite,
}) => {
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.longPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible({ timeout: 20_000 })
  const elements = () => page.evaluate(() => document.querySelectorAll('*').length)
  expect(await elements(), 'elements in the document').toBeLessThan(4000)

  await untilLong(page)
  const long = await scrollFrames(page)
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.plainPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible()
  const plain = await scrollFrames(page)
  test
    .info()
    .annotations.push({ type: 'frames', description: `10,000 songs ${JSON.stringify(long)}, 150 songs ${JSON.stringify(plain)} (ms)` })
  // Against a short list in the same run: the machine that runs this draws in software and runs other tests beside it.
  expect(long.medianMs, 'median frame').toBeLessThan(plain.medianMs * 2 + 17)
  expect(long.slowMs, '95th percentile frame').toBeLessThan(plain.slowMs * 3 + 50)

  await page.goto(`${ownSite.origin()}/playlist?p=${ids.longPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible({ timeout: 20_000 })
  await untilLong(page)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await expect(
    main(page)
      .getByRole('link', { name: `Long road ${LONG_COUNT}` })
      .first(),
  ).toBeVisible()
  expect(await elements()).toBeLessThan(4000)
})

test('in a long list a person comes back to the row that was opened', async ({ page, ownSite }) => {
  await page.goto(`${ownSite.origin()}/playlist?p=${ids.longPlaylist}`)
  await expect(songLinks(page).first()).toBeVisible({ timeout: 20_000 })
  await untilLong(page)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2))
  // Rows near the view come after the scrolling: the one to press is the first that stands in the lower part of it.
  const rows = main(page).getByRole('link', { name: /Long road 0[45]\d\d\d/ })
  const titleInView = () =>
    rows.evaluateAll((links) => {
      const seen = links.find((link) => {
        const { top, bottom } = link.getBoundingClientRect()
        return top > innerHeight / 3 && bottom < innerHeight
      })
      return /Long road \d+/.exec(seen?.textContent ?? '')?.[0] ?? ''
    })
  await expect.poll(titleInView).not.toBe('')
  const title = await titleInView()
  const row = main(page).getByRole('link', { name: title }).first()
  // A person presses what is in view, after the page has come to rest.
  await expect(row).toBeInViewport()
  await page.waitForTimeout(500)
  await row.click()
  await expect(page).toHaveURL(/\/song\?s=long_/)
  await page.goBack()
  await expect(row).toBeInViewport()
})
