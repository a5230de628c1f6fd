import type { Page, Route } from '@playwright/test'
import { expectNoViolation } from './axe.ts'
import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { fetchApi, mainRegion, pageHeading, serveAppShell, waitForHydration } from './steps.ts'

const locateCarousel = (page: Page, name: string) => mainRegion(page).getByRole('region', { name, exact: true })
const locateMembersCarousel = (page: Page) => locateCarousel(page, 'Members')
const locateSlides = (page: Page, name: string) => locateCarousel(page, name).getByRole('listitem')

/** Returns the index of the first visible slide. */
const readFirstShownIndex = (page: Page, regionName: string) =>
  locateCarousel(page, regionName)
    .getByRole('list')
    .evaluate((listElement) => {
      const left = listElement.getBoundingClientRect().left
      return [...listElement.children].findIndex((slide) => slide.getBoundingClientRect().left >= left - 1)
    })

for (const brand of brands) {
  test(
    `${brand.name}: the HTML of the network page has all of its sections, and links lead to other pages`,
    tagSecondBrand(brand),
    async ({ page, site }) => {
      const origin = site.origin(brand.subdomain)
      const [firstMember] = await fetchApi(site, 'GET /member/all')
      const response = await page.goto(`${origin}/network`)
      expect(await response?.text()).toContain(firstMember?.testimonial)
      await waitForHydration(page)
      await expect(pageHeading(page)).toHaveText('Network')
      await expect(mainRegion(page).getByRole('heading', { level: 2 })).toHaveText([
        'Members',
        'What members say',
        'Benefits',
        'The Academy',
        'Supporters',
        // Only this brand has the setting DESIGNER.
        ...(brand.id === 'nightcore-meridian' ? ['Artwork by our designers'] : []),
        'Support the network',
      ])
      const locateLink = (name: string) => mainRegion(page).getByRole('link', { name }).first()
      await expect(locateLink('Apply to the network')).toHaveAttribute('href', '/get-in-touch?topic=apply-member')
      await expect(locateLink('Apply to the Academy')).toHaveAttribute('href', '/get-in-touch?topic=apply-academy')
      await expect(locateLink('All members')).toHaveAttribute('href', '/members')
      await expect(locateLink('Subscriptions')).toHaveAttribute('href', '/subscribe')
      await expect(locateLink('Aria Volt')).toHaveAttribute('href', `http://aria.${new URL(origin).host}/`)
      await expect(mainRegion(page).getByRole('term')).toHaveText(['Members', 'Subscribers', 'Views'])
    },
  )
}

test.describe('network, with animations', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } })

  test('network: both carousels scroll by themselves, and pause on hover, on focus, in a hidden tab and by their buttons', {
    tag: '@long',
  }, async ({ page, site }) => {
    await page.setViewportSize({ width: 1000, height: 900 })
    await page.clock.install()
    await page.goto(`${site.origin()}/network`)
    await waitForHydration(page)
    await page.mouse.move(0, 0)
    // From here on, time passes only when the test advances the clock.
    await page.clock.pauseAt(Date.now() + 60_000)
    for (const regionName of ['Members', 'What members say'])
      await locateCarousel(page, regionName)
        .getByRole('list')
        .evaluate((listElement) => {
          // Switches the scrolling animation off, so that a step of the carousel is complete immediately.
          if (listElement instanceof HTMLElement) listElement.style.scrollBehavior = 'auto'
        })
    /** Lets time pass, and expects that the carousel has moved, or that it has not. */
    const expectMoved = async (regionName: string, periodMs: number, isMoved: boolean) => {
      // React handles the last event in a separate task.
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = resolve
            port2.postMessage(0)
          }),
      )
      const indexBefore = await readFirstShownIndex(page, regionName)
      await page.clock.runFor(periodMs)
      const shown = expect(await readFirstShownIndex(page, regionName), `${regionName} after ${periodMs} ms`)
      if (isMoved) shown.not.toBe(indexBefore)
      else shown.toBe(indexBefore)
    }
    await expectMoved('Members', 2_000, true)
    await expectMoved('What members say', 5_000, true)

    await test.step('the carousel pauses while the pointer hovers over it', async () => {
      await locateMembersCarousel(page).hover()
      await expectMoved('Members', 10_000, false)
      await page.mouse.move(0, 0)
      await expectMoved('Members', 2_000, true)
    })
    await test.step('the carousel pauses while one of its buttons has the focus', async () => {
      await locateMembersCarousel(page).getByRole('button', { name: 'Next' }).focus()
      await expectMoved('Members', 10_000, false)
      await pageHeading(page).evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
      await expectMoved('Members', 2_000, true)
    })
    await test.step('the carousel pauses while the tab is hidden', async () => {
      const setDocumentHidden = (isHidden: boolean) =>
        page.evaluate((firstIndex) => {
          Object.defineProperty(document, 'hidden', { configurable: true, value: firstIndex })
          document.dispatchEvent(new Event('visibilitychange'))
        }, isHidden)
      await setDocumentHidden(true)
      await expectMoved('Members', 10_000, false)
      await setDocumentHidden(false)
      await expectMoved('Members', 2_000, true)
    })
    await test.step('the carousel is paused and resumed by its button', async () => {
      const memberCarousel = locateMembersCarousel(page)
      await memberCarousel.getByRole('button', { name: 'Pause automatic scrolling' }).press('Enter')
      await expectMoved('Members', 10_000, false)
      await memberCarousel.getByRole('button', { name: 'Start automatic scrolling' }).press('Enter')
      await expectMoved('Members', 2_000, true)
    })
  })
})

test('network: by keyboard alone, members can be scrolled, opened and left; nothing moves if reduced motion is requested', {
  tag: '@long',
}, async ({ page, site }) => {
  const members = await fetchApi(site, 'GET /member/all')
  await page.setViewportSize({ width: 1000, height: 900 })
  await page.clock.install()
  await page.goto(`${site.origin()}/network`)
  await waitForHydration(page)
  const memberCarousel = locateMembersCarousel(page)
  await expect(memberCarousel.getByRole('button', { name: 'Start automatic scrolling' })).toBeVisible()
  await page.clock.runFor(20_000)
  expect(await readFirstShownIndex(page, 'Members')).toBe(0)

  await memberCarousel.getByRole('button', { name: 'Start automatic scrolling' }).focus()
  await page.keyboard.press('Tab')
  await expect(memberCarousel.getByRole('button', { name: 'Previous' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(memberCarousel.getByRole('status')).toHaveText(`${members.length - 7} to ${members.length} of ${members.length}`)
  await expect(locateSlides(page, 'Members').last()).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(memberCarousel.getByRole('status')).toHaveText(`1 to 8 of ${members.length}`)

  const firstMemberButton = locateSlides(page, 'Members').first().getByRole('button')
  await firstMemberButton.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: members[0]?.channel_name ?? '' })
  await expect(dialog).toBeVisible()
  await expectNoViolation(page, 'a member of the network page')
  await dialog.getByRole('button', { name: 'Previous member' }).press('Enter')
  const lastDialog = page.getByRole('dialog', { name: members.at(-1)?.channel_name ?? '' })
  await expect(lastDialog.getByRole('link', { name: 'Visit channel' })).toHaveAttribute('target', '_blank')
  await page.keyboard.press('Escape')
  await expect(lastDialog).toBeHidden()
  await expect(firstMemberButton).toBeFocused()
})

test('network: without a connection Retry is shown, and loads the sections; those without rows are hidden', { tag: '@long' }, async ({
  page,
  testCatalogueSite,
  context,
  faults,
}) => {
  faults.expect(/ERR_FAILED|status of 500/)
  await serveAppShell(context)
  const failRequest = (route: Route) => route.abort('failed')
  await context.route('**/api/**', failRequest)
  await page.goto(`${testCatalogueSite.origin()}/network`)
  const retryButton = mainRegion(page).getByRole('button', { name: 'Retry' })
  await expect(retryButton).toBeVisible()
  await expect(pageHeading(page)).toHaveText('Network')
  await expectNoViolation(page, 'the network without a connection')

  // If the API answers the request for members with an error, the specification requires that no message is shown.
  await context.unroute('**/api/**', failRequest)
  await context.route('**/api/member/**', (route) => route.fulfill({ status: 500, json: { code: 500, message: 'No.', data: null } }))
  // The page may have retried by itself, so there may be no Retry button to press.
  await retryButton.click({ timeout: 3_000 }).catch(() => undefined)
  await expect(mainRegion(page).getByRole('heading', { name: 'Benefits' })).toBeVisible()
  await expect(retryButton).toBeHidden()
  await expect(mainRegion(page).getByRole('heading', { name: /^(Members|What members say)$/ })).toHaveCount(0)
  await expectNoViolation(page, 'the network without members')
})

test('network: offline, the network of the last visit is shown', { tag: '@long' }, async ({ site }) => {
  const [firstMember] = await fetchApi(site, 'GET /member/all')
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await page.goto(`${site.origin()}/network`)
    await waitForServiceWorker(page)
    // The page is reached from the app shell, so that it requests and stores the rows.
    await page.reload()
    await expect(mainRegion(page).getByRole('heading', { name: 'Supporters' })).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.goto(`${site.origin()}/network`)
    await expect(locateMembersCarousel(page).getByRole('button', { name: firstMember?.channel_name ?? '' })).toBeVisible()
    await expect(
      mainRegion(page)
        .getByText(firstMember?.testimonial ?? '')
        .first(),
    ).toBeVisible()
    await expect(mainRegion(page).getByRole('heading', { name: 'Supporters' })).toBeVisible()
    await expect(mainRegion(page).getByRole('heading', { name: 'Benefits' })).toBeVisible()
  })
})
