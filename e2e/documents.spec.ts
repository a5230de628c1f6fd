import type { Page } from '@playwright/test'
import { brands, expect, tagSecondBrand, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withBrowserProfile } from './profile.ts'
import { fetchApi, mainRegion, pageHeading, waitForHydration } from './steps.ts'

const locateQuestion = (page: Page, name: string) => mainRegion(page).getByRole('group').filter({ hasText: name })
const locateQuestionSummary = (page: Page, name: string) => locateQuestion(page, name).locator('summary')

test('FAQ: the HTML contains the answers, one question is open at a time, and links lead to other pages', async ({ page, site }) => {
  const faqUrl = `${site.origin()}/faq`
  expect(await (await page.request.get(faqUrl)).text()).toContain('ends up at 140 to 160 BPM')

  await page.goto(faqUrl)
  await waitForHydration(page)
  await expect(pageHeading(page)).toHaveText('Frequently Asked Questions (FAQ)')
  await expect(mainRegion(page).getByRole('heading', { level: 2 })).toHaveText(['General', 'Network'])
  const [firstQuestion, secondQuestion] = ['What is nightcore?', 'Where does nightcore come from?']
  await locateQuestionSummary(page, firstQuestion).click()
  await expect(locateQuestion(page, firstQuestion)).toHaveAttribute('open')
  await locateQuestionSummary(page, secondQuestion).focus()
  await page.keyboard.press('Enter')
  await expect(locateQuestion(page, secondQuestion)).toHaveAttribute('open')
  await expect(locateQuestion(page, firstQuestion)).not.toHaveAttribute('open')
  await expect(mainRegion(page).getByRole('link', { name: 'Got more questions? Ask us!' })).toHaveAttribute('href', '/get-in-touch')
})

test('FAQ: a question that is pressed stays in place while a longer answer above it closes', async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${site.origin()}/faq`)
  await waitForHydration(page)
  const [questionAbove, pressedQuestion] = ['How do I make a nightcore?', 'What does the site do with the songs?']
  await locateQuestionSummary(page, questionAbove).click()
  await expect(locateQuestion(page, questionAbove)).toHaveAttribute('open')
  await locateQuestionSummary(page, pressedQuestion).scrollIntoViewIfNeeded()
  const readSummaryTop = () =>
    locateQuestionSummary(page, pressedQuestion).evaluate((summary) => Math.round(summary.getBoundingClientRect().top))
  const topPx = await readSummaryTop()
  await locateQuestionSummary(page, pressedQuestion).press('Enter')
  await expect(locateQuestion(page, questionAbove)).not.toHaveAttribute('open')
  await expect(locateQuestion(page, pressedQuestion)).toHaveAttribute('open')
  await expect.poll(readSummaryTop).toBe(topPx)
})

test('FAQ: a question opens gradually also in a browser that cannot animate a height to `auto`', { tag: '@long' }, async ({
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.addInitScript(() => {
    const { supports } = CSS
    CSS.supports = (...condition: string[]) => condition[0] !== 'interpolate-size' && Reflect.apply(supports, CSS, condition)
  })
  await page.goto(`${site.origin()}/faq`)
  await waitForHydration(page)
  // The animation is paused at its start, because on a busy machine the check could run only after the animation has ended.
  await locateQuestion(page, 'What is nightcore?').evaluate((questionElement) => {
    const contentElement = questionElement.lastElementChild
    if (!contentElement) return
    const { animate } = contentElement
    contentElement.animate = (...animateArguments) => {
      const animation = animate.apply(contentElement, animateArguments)
      animation.pause()
      return animation
    }
  })
  await locateQuestionSummary(page, 'What is nightcore?').click()
  const readAnimationsMs = () =>
    locateQuestion(page, 'What is nightcore?').evaluate((question) =>
      question.lastElementChild?.getAnimations().map((each) => each.effect?.getTiming().duration),
    )
  await expect.poll(readAnimationsMs).toEqual([300])
})

test('FAQ: offline, the URL of a question opens the question', { tag: '@long' }, async ({ site }) => {
  const faqUrl = `${site.origin()}/faq`
  await withBrowserProfile(async (openBrowser) => {
    const { page, context } = await openBrowser()
    await page.goto(faqUrl)
    await waitForServiceWorker(page)
    // The page is reached from the app shell, so that it requests and stores the document.
    await page.reload()
    await expect(locateQuestion(page, 'Where does nightcore come from?')).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.goto(`${faqUrl}#where-does-nightcore-come-from`)
    await page.reload()
    const question = locateQuestion(page, 'Where does nightcore come from?')
    await expect(question).toHaveAttribute('open')
    await expect(question.getByText('From Norway.')).toBeInViewport()
  })
})

for (const brand of brands) {
  test(
    `${brand.name}: about us, privacy and the page about the genre have their texts in the HTML, and links open them`,
    tagSecondBrand(brand),
    async ({ page, site }) => {
      const origin = site.origin(brand.subdomain)
      await page.goto(`${origin}/about-us`)
      await waitForHydration(page)
      const timelineList = mainRegion(page).getByRole('list', { name: 'Timeline' })
      await expect(timelineList.getByRole('listitem').filter({ hasText: /radio/i }).getByRole('time').first()).toHaveText(
        /^[A-Z][a-z]+ (\d+, )?\d{4}$/,
      )

      await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
      await expect(pageHeading(page)).toHaveText('Privacy Policy')
      await expect(mainRegion(page)).toContainText('within one month')

      const whatIsLink = page.getByRole('contentinfo').getByRole('link', { name: 'What is' })
      const urlPath = await whatIsLink.getAttribute('href')
      await whatIsLink.click()
      await expect(pageHeading(page)).toHaveText(/^What is /)
      await expect(page).toHaveTitle(/^What is /)
      await expect(page).toHaveURL(`${origin}${urlPath}`)
      await page.reload()
      await expect(mainRegion(page).getByRole('heading', { level: 2 }).first()).toBeVisible()
    },
  )
}

test('subscribe: the page has three cards; a checkout is not open until its URL is configured, and then opens in a new tab', {
  tag: '@long',
}, async ({ page, site }) => {
  await page.goto(`${site.origin()}/subscribe`)
  await waitForHydration(page)
  const planCards = mainRegion(page).getByRole('article')
  await expect(planCards.getByRole('heading', { level: 2 })).toHaveText(['Premium', 'Premium+', 'Donate'])
  await expect(planCards.nth(1)).toContainText('Most Popular')
  await expect(planCards.nth(1)).toContainText('9.99 EUR')
  await expect(planCards.getByRole('button', { name: 'Not open yet' })).toHaveCount(3)
  for (const button of await planCards.getByRole('button').all()) await expect(button).toBeDisabled()
  await expect(mainRegion(page).getByRole('group', { name: 'Presets' })).toBeVisible()

  await site.runAdmin('settings', 'set', 'CHECKOUT_PREMIUM', 'https://buy.example/premium', '--brand', 'nightcore-meridian')
  const subscribeLink = planCards.nth(0).getByRole('link', { name: 'Subscribe' })
  await expect.poll(async () => (await fetchApi(site, 'GET /content/plans'))[0]?.checkout).not.toBe('')
  await page.reload()
  await expect(subscribeLink).toHaveAttribute('href', 'https://buy.example/premium')
  await expect(subscribeLink).toHaveAttribute('target', '_blank')
  await site.runAdmin('settings', 'set', 'CHECKOUT_PREMIUM', '', '--brand', 'nightcore-meridian')
})
