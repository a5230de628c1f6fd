import type { BrowserContext } from '@playwright/test'
import { catalogueIds } from './catalogue.ts'
import { brands, expect, startTestCatalogueSite, tagLong, test } from './fixtures.ts'
import { locateButton, locateErrorAlert, locateField, WRONG_CREDENTIALS_TEXT } from './identity/steps.ts'
import { locateSearchBox, mainNavigation, mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

interface TestedRoute {
  path: string
  /** A CSS selector for content that the HTML contains. */
  shownSelector: string
  /** How many links and headings, counted from the start of the page, must be the same elements before and after hydration. */
  hydratedElementCount?: number
}
const mainRoutes: readonly TestedRoute[] = [
  { path: '/', shownSelector: 'a[href^="/playlist?"]' },
  { path: `/playlist?p=${catalogueIds.accentPlaylist}`, shownSelector: 'a[href^="/song?"]' },
  // Only the heading is compared, because in the document the links of the player's queue precede the page's own links.
  { path: `/song?s=${catalogueIds.accented}`, shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/login', shownSelector: 'h1', hydratedElementCount: 1 },
]
const otherRoutes: readonly TestedRoute[] = [
  { path: '/playlists', shownSelector: 'a[href^="/playlist?"]' },
  // Only one link is expected in the HTML, because the virtualized list soon replaces the rows.
  { path: `/playlist?p=${catalogueIds.longPlaylist}`, shownSelector: 'a[href^="/song?"]', hydratedElementCount: 1 },
  { path: '/search?q=cafe', shownSelector: 'a[href^="/song?"]' },
  // Only the heading is compared, because the rest of the page depends on the browser's storage.
  { path: '/storage', shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/faq', shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/about-us', shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/subscribe', shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/get-in-touch?topic=apply-member', shownSelector: 'h1', hydratedElementCount: 1 },
  { path: '/latest', shownSelector: 'h1' },
  // Only the heading and the first link, which leads to the membership application, are compared.
  { path: '/members', shownSelector: 'h1', hydratedElementCount: 2 },
  { path: '/network', shownSelector: 'h1' },
  { path: '/signup', shownSelector: 'h1', hydratedElementCount: 1 },
]

const [firstBrand, secondBrand] = brands
for (const { brand, routes, name, tag } of [
  { brand: firstBrand, routes: mainRoutes, name: 'home, a playlist, a song and the login', tag: [] },
  { brand: firstBrand, routes: otherRoutes, name: 'other pages', tag: ['@long'] },
  { brand: secondBrand, routes: [...mainRoutes, ...otherRoutes], name: 'all pages', tag: ['@long'] },
]) {
  test(`${brand.name}: ${name} show their content without a script, and React hydrates it`, { tag }, async ({ page, platform: _ }) => {
    test.setTimeout(240_000)
    // This test starts a separate site on which no song was played, so that the order by popularity is the same in the HTML and in later
    // responses.
    const site = await startTestCatalogueSite()
    await page.addInitScript(() => {
      const paintMarks = { parsed: false, shift: 0 }
      Object.assign(window, { marks: paintMarks })
      addEventListener('DOMContentLoaded', () => {
        paintMarks.parsed = true
        for (const element of document.querySelectorAll('#root h1, #root main a')) Reflect.set(element, 'inHtml', true)
      })
      new PerformanceObserver((entryList) => {
        for (const entry of entryList.getEntries())
          if (Reflect.get(entry, 'hadRecentInput') === false) paintMarks.shift += Reflect.get(entry, 'value')
      }).observe({ type: 'layout-shift', buffered: true })
    })
    try {
      for (const { path, shownSelector, hydratedElementCount = 5 } of routes) {
        const pageUrl = `${site.origin(brand.subdomain)}${path}`
        const response = await page.goto(pageUrl)
        const pageHtml = (await response?.text()) ?? ''
        const rootMarkup = pageHtml.slice(pageHtml.indexOf('id="root"'), pageHtml.indexOf('<noscript>'))
        expect(rootMarkup, path).toMatch(/<h1\b[^>]*>[^<]*\w/)
        if (shownSelector !== 'h1')
          expect(rootMarkup, path).toContain(shownSelector.includes('playlist') ? 'href="/playlist?' : 'href="/song?')

        // An element is hydrated once React has added its own properties to it.
        const isHeadingHydrated = () =>
          page.evaluate(() => {
            const heading = document.querySelector('#root h1')
            return heading !== null && Object.keys(heading).some((key) => key.startsWith('__react'))
          })
        await expect.poll(isHeadingHydrated, path).toBe(true)
        const isHydrated = await page.evaluate((checkedCount) => {
          const allElements = [...document.querySelectorAll('#root h1, #root main a')]
          return allElements.length > 0 && allElements.slice(0, checkedCount).every((element) => Reflect.get(element, 'inHtml') === true)
        }, hydratedElementCount)
        expect(isHydrated, `${path}: the elements of the HTML are those of the program`).toBe(true)
        await expect(pageHeading(page)).toBeVisible()
        await expect(mainRegion(page).locator(shownSelector).first()).toBeAttached()
        await page.waitForTimeout(300)
        const shift = await page.evaluate(() => Number(Reflect.get(Reflect.get(window, 'marks'), 'shift')))
        expect(shift, `${path}: nothing moves`).toBeLessThan(0.001)
      }
      // Leaves the page, so that its requests end before the server stops.
      await page.goto('about:blank')
    } finally {
      await site.stop()
    }
  })
}

/** Delays all scripts of the site until the returned function is called. */
async function delayScripts(context: BrowserContext): Promise<() => void> {
  let releaseScripts = () => {}
  const scriptsReleasedPromise = new Promise<void>((resolve) => {
    releaseScripts = resolve
  })
  await context.route('**/assets/*.js', async (route) => {
    await scriptsReleasedPromise
    await route.continue()
  })
  return releaseScripts
}

test('early clicks: a click or a key before hydration takes effect after hydration', async ({ page, testCatalogueSite, context }) => {
  const releaseScripts = await delayScripts(context)
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await mainRegion(page).getByRole('combobox').selectOption({ label: 'Z-A' })
  await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
  await mainNavigation(page).getByRole('button', { name: 'Search' }).click()
  releaseScripts()
  await expect(locateSearchBox(page)).toBeVisible()
  await expect(page).toHaveURL(/sort=za/)

  // Loads the page again, because the dialog that the key opens would close the search field.
  const releaseAgain = await delayScripts(context)
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await page.keyboard.press('Shift+?')
  releaseAgain()
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('early keys: text that is typed after `/` before hydration is in the search field, before the text that is typed afterwards', async ({
  page,
  testCatalogueSite,
  context,
}) => {
  const releaseScripts = await delayScripts(context)
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await page.keyboard.type('/unkx')
  await page.keyboard.press('Backspace')
  releaseScripts()
  await expect(locateSearchBox(page)).toBeFocused()
  await page.keyboard.type('nown')
  await expect(locateSearchBox(page)).toHaveValue('unknown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/search\?q=unknown/)
})

for (const inputMethod of ['press', 'Enter'] as const) {
  test(
    `a form that is submitted by ${inputMethod} before hydration is submitted once, after hydration`,
    tagLong(inputMethod === 'press'),
    async ({ page, testCatalogueSite, context, faults }) => {
      faults.expect(/status of 400/)
      const releaseScripts = await delayScripts(context)
      const sentRequests: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') sentRequests.push(new URL(request.url()).pathname)
      })
      await page.goto(`${testCatalogueSite.origin()}/login`)
      await locateField(page, 'Email').fill('nobody@example.com')
      await locateField(page, 'Password').fill('tempo160')
      if (inputMethod === 'press') await locateButton(page, 'Log in').click()
      else await page.keyboard.press('Enter')
      releaseScripts()
      await expect(locateErrorAlert(page)).toHaveText(WRONG_CREDENTIALS_TEXT)
      await expect(page).toHaveURL(/\/login$/)
      expect(sentRequests).toEqual(['/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword'])
    },
  )
}

test('early clicks: a click while the page replaces the app shell takes effect', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  context,
}) => {
  await serveAppShell(context)
  await page.addInitScript(() => {
    const { port1, port2 } = new MessageChannel()
    let wasRecordingSeen = false
    port1.onmessage = () => {
      if (Reflect.get(window, 'early') !== undefined) wasRecordingSeen = true
      else if (wasRecordingSeen) return document.querySelector<HTMLElement>('nav button[aria-label="Search"]')?.click()
      port2.postMessage(0)
    }
    port2.postMessage(0)
  })
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await expect(locateSearchBox(page)).toBeVisible()
})

test('early scrolling: hydration keeps the scroll position that the page has by then', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  context,
}) => {
  const releaseScripts = await delayScripts(context)
  await page.goto(`${testCatalogueSite.origin()}/playlists`)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
  releaseScripts()
  await waitForHydration(page)
  await page.waitForTimeout(500)
  expect(await page.evaluate(() => scrollY)).toBe(300)
})

for (const missingPath of ['/song?s=AAAAAAAAAAA', '/playlist?p=no-such-playlist', '/list?l=AAAAAAAAAAAAAAAAAAAAAA'])
  test(`not found: no placeholder replaces the 404 page of the HTML: ${missingPath}`, async ({ page, site, faults }) => {
    faults.expect(/status of 404/)
    await page.route('**/api/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      await route.continue()
    })
    await page.addInitScript(() => {
      const placeholderObserver = new MutationObserver(() => {
        if (document.querySelector('main [aria-busy]')) document.documentElement.dataset.placeholder = ''
      })
      placeholderObserver.observe(document, { subtree: true, childList: true })
    })
    await page.goto(site.origin() + missingPath)
    await expect(mainRegion(page).getByText("isn't on the site, or not any more.")).toBeVisible()
    await page.waitForTimeout(500)
    await expect(page.locator('html')).not.toHaveAttribute('data-placeholder')
  })
