import type { Browser, Page } from '@playwright/test'
import { findBrandOfHost } from '../../brands/registry.ts'
import { expect, test } from '../fixtures.ts'
import { waitForHydration } from '../steps.ts'
import { findLongestTaskMs, taskTraceCategories } from '../task-times.ts'
import {
  createPlaylistId,
  createSongId,
  createSupporterName,
  type PunctuatedSite,
  punctuationGroups,
  rowIndexes,
  setRowTexts,
  setSiteTexts,
  startPunctuatedSite,
  WEBSITE_DOMAIN_NAME,
} from './punctuated-site.ts'

/** The most processor time that a task on the main thread of a page may take, in milliseconds. */
const TASK_MAX_MS = 100

/** The pages that show settings or the website, as paths or as prefixes of the host. */
const settingsAndWebsitePages = ['/', `${WEBSITE_DOMAIN_NAME}.`]
const pagesOfRows = [
  ...['/playlists', '/search?q=song', '/network', '/members', '/latest', '/faq', '/privacy', '/about-us', '/subscribe', 'fm.'],
  ...[findBrandOfHost('').settings.WHAT_IS_PATH, `${createSupporterName(0)}.`],
  ...rowIndexes.flatMap((index) => [
    `/song?s=${createSongId(index)}&p=${createPlaylistId(index)}`,
    `/playlist?p=${createPlaylistId(index)}`,
  ]),
]

let punctuatedSite: PunctuatedSite

/** Opens a page. Returns the longest processor time of its tasks. */
async function measureTaskMs(browser: Browser, page: Page, pageUrl: string): Promise<number> {
  const { site } = punctuatedSite
  const url = pageUrl.startsWith('/') ? site.origin() + pageUrl : site.origin().replace('//', `//${pageUrl}`)
  // Forces a full page load for the next page, even if its address is the one already open.
  await page.goto('about:blank')
  await browser.startTracing(page, { categories: taskTraceCategories })
  await page.goto(url)
  await waitForHydration(page)
  await page.waitForLoadState('networkidle')
  return findLongestTaskMs(await browser.stopTracing())
}

let slowestPage = { taskMs: 0, address: '' }
/**
 * Opens pages. Returns the pages that had a task with too much processor time three times in a row: the compiler may cause a single long
 * task.
 */
async function findSlowPages(browser: Browser, page: Page, punctuationUnitsText: string, pageUrls: readonly string[]): Promise<string[]> {
  const problemTexts: string[] = []
  for (const pageUrl of pageUrls) {
    let taskMs = Number.POSITIVE_INFINITY
    for (let attempt = 1; attempt <= 3 && taskMs > TASK_MAX_MS; attempt++)
      taskMs = Math.min(taskMs, await measureTaskMs(browser, page, pageUrl))
    if (taskMs > slowestPage.taskMs) slowestPage = { taskMs, address: pageUrl }
    if (taskMs > TASK_MAX_MS) problemTexts.push(`${punctuationUnitsText} ${pageUrl}: a task of ${Math.round(taskMs)} ms`)
  }
  return problemTexts
}

test.beforeAll(async () => {
  punctuatedSite = await startPunctuatedSite()
})
test.afterAll(() => punctuatedSite.site.stop())

for (const punctuationUnits of punctuationGroups) {
  test(`texts of 20,000 characters that repeat ${punctuationUnits.join('  ')}: no task blocks the page for long`, async ({
    browser,
    page,
    faults,
  }) => {
    test.setTimeout(600_000)
    // Videos and widgets of other hosts cannot be reached in this test. Errors in hostile pages are the subject of
    // `hostile-content.spec.ts`.
    faults.expect(/./)
    await page.route(/^https:/, (route) => route.abort())
    slowestPage = { taskMs: 0, address: '' }
    await setRowTexts(punctuatedSite, punctuationUnits)
    const problemTexts: string[] = []
    for (const unit of punctuationUnits) {
      await setSiteTexts(punctuatedSite, unit)
      problemTexts.push(...(await findSlowPages(browser, page, unit, settingsAndWebsitePages)))
    }
    const pagesOfOwnPlaylists = punctuatedSite.shareTokens.map((token) => `/list?l=${token}`)
    problemTexts.push(...(await findSlowPages(browser, page, punctuationUnits.join('  '), [...pagesOfRows, ...pagesOfOwnPlaylists])))
    console.info(JSON.stringify(slowestPage))
    expect(problemTexts).toEqual([])
  })
}
