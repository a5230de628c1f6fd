import type { Page } from '@playwright/test'
import { mainRegion } from '../steps.ts'
import type { Screenshot } from './shot.ts'

async function fillForm(page: Page) {
  await mainRegion(page).getByLabel('Email').fill('mika.soun@meridian.fm')
  await mainRegion(page).getByLabel('Discord').fill('mika.soun')
  await mainRegion(page).getByLabel('YouTube URL').fill('https://www.youtube.com/@mika.soun')
  await mainRegion(page)
    .getByLabel('Message')
    .fill('I have made nightcore for two years, mostly trance and eurobeat, and upload every Friday. I credit every artist.')
}
const pressSend = (page: Page) => mainRegion(page).getByRole('button', { name: 'Send', exact: true }).click()
const answerRequests = (page: Page, status: number, message: string) =>
  page.route('**/api/contact/request', (route) => route.fulfill({ status, json: { code: status, message, data: null } }))

async function leaveMessageUnsent(page: Page) {
  await page.route('**/api/contact/request', (route) => route.abort('failed'))
  await fillForm(page)
  await pressSend(page)
  await mainRegion(page)
    .getByRole('button', { name: /^Send now/ })
    .waitFor()
}

/** Lists the screenshots of the contact form. */
export const createContactScreenshots = (): Screenshot[] =>
  (
    [
      { name: 'contact', path: '/get-in-touch' },
      { name: 'contact-wrong', path: '/get-in-touch', showState: pressSend },
      {
        name: 'contact-sending',
        path: '/get-in-touch?topic=apply-member',
        showState: async (page) => {
          await page.route('**/api/contact/request', () => {})
          await fillForm(page)
          await pressSend(page)
        },
      },
      {
        name: 'contact-sent',
        path: '/get-in-touch?topic=apply-member',
        showState: async (page) => {
          await answerRequests(page, 200, 'OK')
          await fillForm(page)
          await pressSend(page)
          await mainRegion(page).getByText('Your request has been sent successfully!').waitFor()
        },
      },
      { name: 'contact-waiting', path: '/get-in-touch?topic=apply-member', showState: leaveMessageUnsent },
      {
        name: 'contact-refused',
        path: '/get-in-touch?topic=apply-member',
        showState: async (page) => {
          await leaveMessageUnsent(page)
          await answerRequests(page, 400, 'youtube_url must be a URL that starts with https://')
          await mainRegion(page)
            .getByRole('button', { name: /^Send now/ })
            .click()
          // The page sends the request by itself once the site answers again.
          await mainRegion(page).getByRole('button', { name: /^Edit/ }).waitFor()
        },
      },
      {
        name: 'contact-error',
        path: '/get-in-touch?topic=bug-report',
        showState: async (page) => {
          await answerRequests(page, 429, 'Too many requests. Try again in 52 minutes.')
          await fillForm(page)
          await pressSend(page)
          await mainRegion(page).getByRole('alert').waitFor()
        },
      },
    ] satisfies Screenshot[]
  ).map((shot: Screenshot) => ({
    ...shot,
    fullPage: true,
    // Scrolls to the top, because in a screenshot of the full page, elements that are fixed to the viewport appear at the scroll position.
    showState: async (page, context) => {
      await shot.showState?.(page, context)
      await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
    },
  }))
