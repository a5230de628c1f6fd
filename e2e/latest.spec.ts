import { expectNoViolation } from './axe.ts'
import { NEWS_COUNT } from './catalogue.ts'
import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { fetchApi, holdRequests, locateNewsItems, mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

test('latest: the HTML has the newest items with titles, dates and pictures, and links to the feed and to each item', async ({
  page,
  site,
}) => {
  const latestUrl = `${site.origin()}/latest`
  const feedItems = await fetchApi(site, 'GET /feed/get')
  const illustratedItem = feedItems.find(({ image, url }) => image !== '' && url !== '')
  const oldestItem = feedItems.at(-1)
  if (!illustratedItem || !oldestItem) throw new Error('The demo has too few news')
  expect(await (await page.request.get(latestUrl)).text()).toContain(illustratedItem.title)

  await page.goto(latestUrl)
  await waitForHydration(page)
  await expect(mainRegion(page)).toContainText('Our latest news, updates and songs')
  await expect(locateNewsItems(page)).toHaveCount(feedItems.length)
  const newsArticle = mainRegion(page).getByRole('article', { name: illustratedItem.title })
  await expect(newsArticle.getByRole('time')).toHaveText(/^[A-Z][a-z]+ \d+, \d{4}$/)
  await expect(newsArticle.getByRole('link', { name: illustratedItem.title })).toHaveAttribute('href', illustratedItem.url)
  await newsArticle.scrollIntoViewIfNeeded()
  await expect.poll(() => newsArticle.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)

  const feedPath = await mainRegion(page).getByRole('link', { name: 'Atom feed' }).getAttribute('href')
  expect(feedPath).toBe(await page.locator('link[type="application/atom+xml"]').getAttribute('href'))
  expect((await page.request.get(`${site.origin()}${feedPath}`)).headers()['content-type']).toContain('application/atom+xml')

  const lastArticle = mainRegion(page).getByRole('article', { name: oldestItem.title })
  await lastArticle.getByRole('link', { name: 'Link to this update' }).click()
  await page.reload()
  await expect(lastArticle).toBeInViewport()
})

test('latest: hostile items run no script and cover no content; a long item is folded; right-to-left text has this direction', {
  tag: '@long',
}, async ({ page, testCatalogueSite }) => {
  await page.goto(`${testCatalogueSite.origin()}/latest`)
  await waitForHydration(page)
  const hostileItem = locateNewsItems(page).first()
  await expect(hostileItem).toContainText('Words before.')
  await expect(hostileItem).toContainText('Words after.')
  await expect(hostileItem.getByRole('link')).toHaveText([/^<img src=x/, 'Link to this update'])
  await expect(hostileItem.locator('script, style, iframe, form, svg:not([aria-hidden]), [style], [onclick]')).toHaveCount(0)
  // The original picture cannot be fetched, so the server draws one.
  await expect.poll(() => hostileItem.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expect(page).toHaveTitle(/^Latest/)

  const longArticle = mainRegion(page).getByRole('article', { name: 'in ten thousand words' })
  const endLink = longArticle.getByRole('link', { name: 'The end' })
  const readMoreButton = longArticle.getByRole('button', { name: 'Read more' })
  const readArticleHeight = () => longArticle.evaluate((element) => element.getBoundingClientRect().height)
  const foldedHeight = await readArticleHeight()
  await readMoreButton.focus()
  await page.keyboard.press('Enter')
  await expect(longArticle.getByRole('button', { name: 'Show less' })).toHaveAttribute('aria-expanded', 'true')
  expect(await readArticleHeight()).toBeGreaterThan(foldedHeight * 4)
  await page.keyboard.press('Enter')
  await expect(readMoreButton).toHaveAttribute('aria-expanded', 'false')
  await page.keyboard.press('Shift+Tab')
  await expect(endLink, 'a focused link is never below the fold').toBeFocused()
  await expect(endLink).toBeInViewport()

  await expect(mainRegion(page).getByText('مرحبا بكم في أخبارنا.')).toHaveCSS('direction', 'rtl')
  await expect(mainRegion(page).getByRole('heading', { name: 'أخبار اليوم' })).toHaveCSS('direction', 'rtl')
})

test('latest: by keyboard alone, older items can be reached after the newest ones; the URL of an old item shows this item', {
  tag: '@long',
}, async ({ page, testCatalogueSite }) => {
  await page.goto(`${testCatalogueSite.origin()}/latest`)
  await waitForHydration(page)
  await expect(locateNewsItems(page)).toHaveCount(12)
  const showMoreButton = mainRegion(page).getByRole('button', { name: 'Show more updates' })
  await showMoreButton.focus()
  await page.keyboard.press('Enter')
  await expect(locateNewsItems(page)).toHaveCount(24)
  await expect(locateNewsItems(page).nth(12)).toBeFocused()
  await showMoreButton.focus()
  await page.keyboard.press('Enter')
  await expect(locateNewsItems(page)).toHaveCount(NEWS_COUNT)
  await expect(showMoreButton).toBeHidden()
  await expect(locateNewsItems(page).nth(24)).toBeFocused()

  const oldItem = locateNewsItems(page).last()
  await page.goto(`${testCatalogueSite.origin()}/latest#${await oldItem.getAttribute('id')}`)
  await page.reload()
  await expect(locateNewsItems(page)).toHaveCount(NEWS_COUNT)
  await expect(oldItem).toBeInViewport()
})

test('latest: a page without items says so; axe finds no violation while the page is loading and while it is empty', {
  tag: '@long',
}, async ({ page, testCatalogueSite, context }) => {
  await serveAppShell(context)
  const releaseNews = await holdRequests(context, '**/api/feed/get', (route) =>
    route.fulfill({ json: { code: 200, message: '', data: [] } }),
  )
  await page.goto(`${testCatalogueSite.origin()}/latest`)
  await expect(mainRegion(page).getByRole('status').filter({ hasText: 'Loading...' })).toBeAttached()
  await expectNoViolation(page, 'news that are loading')
  releaseNews()
  await expect(mainRegion(page).getByRole('heading', { name: 'No updates to display' })).toBeVisible()
  await expectNoViolation(page, 'no news')
})

test('latest: offline, the news of the last visit are shown', { tag: '@long' }, async ({ site }) => {
  const [newestItem] = await fetchApi(site, 'GET /feed/get')
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await page.goto(`${site.origin()}/latest`)
    await waitForServiceWorker(page)
    // The page is reached from the app shell, so that it requests and stores the news.
    await page.reload()
    await expect(locateNewsItems(page).first()).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.goto(`${site.origin()}/latest`)
    await expect(pageHeading(page)).toHaveText('Latest')
    await expect(mainRegion(page).getByRole('article', { name: newestItem?.title ?? '' })).toBeVisible()
    await expect(mainRegion(page).getByRole('button', { name: 'Retry' })).toBeHidden()
  })
})
