import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { waitForServiceWorker, waitForStoredPage, withProfile } from './profile.ts'
import { mainRegion, pageHeading, waitForHydration } from './steps.ts'

const questionNamed = (page: Page, name: string) => mainRegion(page).getByRole('group').filter({ hasText: name })
const summaryOf = (page: Page, name: string) => questionNamed(page, name).locator('summary')

test('FAQ: the HTML has the answers, one question is open at a time, and links lead on', async ({ page, site }) => {
  const address = `${site.origin()}/faq`
  expect(await (await page.request.get(address)).text()).toContain('ends up at 140 to 160 BPM')

  await page.goto(address)
  await waitForHydration(page)
  await expect(pageHeading(page)).toHaveText('Frequently Asked Questions (FAQ)')
  await expect(mainRegion(page).getByRole('heading', { level: 2 })).toHaveText(['General', 'Network'])
  const [first, second] = ['What is nightcore?', 'Where does nightcore come from?']
  await summaryOf(page, first).click()
  await expect(questionNamed(page, first)).toHaveAttribute('open')
  await summaryOf(page, second).focus()
  await page.keyboard.press('Enter')
  await expect(questionNamed(page, second)).toHaveAttribute('open')
  await expect(questionNamed(page, first)).not.toHaveAttribute('open')
  await expect(mainRegion(page).getByRole('link', { name: 'Got more questions? Ask us!' })).toHaveAttribute('href', '/get-in-touch')
})

test('FAQ: offline, the address of a question opens it', async ({ site }) => {
  const address = `${site.origin()}/faq`
  await withProfile(async (open) => {
    const { page, context } = await open()
    await page.goto(address)
    await waitForServiceWorker(page)
    // The page is opened from the app shell, so that it requests and stores the document.
    await page.reload()
    await expect(questionNamed(page, 'Where does nightcore come from?')).toBeVisible()
    await waitForStoredPage(page)
    await context.setOffline(true)
    await page.goto(`${address}#where-does-nightcore-come-from`)
    await page.reload()
    const question = questionNamed(page, 'Where does nightcore come from?')
    await expect(question).toHaveAttribute('open')
    await expect(question.getByText('From Norway.')).toBeInViewport()
  })
})
