import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { formTopics } from '../contract/contact-rules.ts'
import { expectNoViolation } from './axe.ts'
import { expectOutboxCount } from './favorites-steps.ts'
import { brands, expect, startTestCatalogueSite, stoppedServerErrors, test } from './fixtures.ts'
import { openMailbox } from './identity/mailbox.ts'
import {
  createCredentials,
  locateButton,
  locateErrorAlert,
  locateField,
  openHydratedPage,
  signInByRequest,
  signUpByRequest,
} from './identity/steps.ts'
import { waitForServiceWorker } from './profile.ts'
import { findFreePort, type Site, startSite } from './server.ts'
import { mainRegion, waitForHydration } from './steps.ts'

const SENT_TEXT = 'Your request has been sent successfully!'
const locateSentNotice = (page: Page) => mainRegion(page).getByText(SENT_TEXT)
const locateTopicList = (page: Page) => mainRegion(page).getByRole('combobox', { name: 'Topic' })
const locateUnsentRegion = (page: Page) => mainRegion(page).getByRole('region', { name: 'Not sent yet' })

const createMessage = (subject: string) => `${subject} ${createCredentials().email}`

/** Fills in the fields that every topic requires, and the message. */
async function fillForm(page: Page, messageText: string) {
  await locateField(page, 'Email').fill('someone@example.org')
  await locateField(page, 'Discord').fill('someone')
  await locateField(page, 'YouTube URL').fill('https://www.youtube.com/@someone')
  await locateField(page, 'Message').fill(messageText)
}

interface StoredMessage {
  topic: string
  message?: string
  created: string
  mail?: { kind: string }
}

/** Returns the messages on the server that have the text `messageText`. */
async function findStoredMessages(site: Site, messageText: string): Promise<StoredMessage[]> {
  const rows: StoredMessage[] = JSON.parse(await site.runAdmin('contact', 'list', '--json'))
  return rows.filter((row) => row.message === messageText)
}

test('contact: the form offers topics, checks each field, works by keyboard, and reports a server error and success', {
  tag: '@long',
}, async ({ page, testCatalogueSite: site, faults }) => {
  faults.expect(/status of 400/)
  const origin = site.origin()

  await test.step('the URL of the page selects the topic, already in the HTML of the server', async () => {
    expect(await (await page.request.get(`${origin}/get-in-touch?topic=apply-academy`)).text()).toMatch(
      /<option[^>]*value="apply-academy"[^>]*selected/,
    )
    await openHydratedPage(page, `${origin}/get-in-touch?topic=no-such-topic`)
    await expect(locateTopicList(page)).toHaveValue('request-song')
    await openHydratedPage(page, `${origin}/get-in-touch?topic=apply-member`)
    await expect(locateTopicList(page)).toHaveValue('apply-member')
    await expect(mainRegion(page)).toContainText('100 subscribers')
  })

  await test.step('each topic names the fields that it requires', async () => {
    const requiredLabels = ['email address', 'Discord name', 'YouTube URL']
    for (const formTopic of formTopics) {
      await locateTopicList(page).selectOption(formTopic)
      await expect(page).toHaveURL(formTopic === 'request-song' ? /get-in-touch$/ : new RegExp(`topic=${formTopic}$`))
      await expect(locateErrorAlert(page)).toHaveCount(0)
      await locateButton(page, 'Send').click()
      const lastProblem = formTopic === 'request-song' ? 'confirm the reminder' : 'write a message'
      for (const problem of [...requiredLabels, lastProblem])
        await expect(locateErrorAlert(page).filter({ hasText: problem })).toBeVisible()
      await expect(locateErrorAlert(page)).toHaveCount(4)
      await expect(locateField(page, 'Email')).toBeFocused()
    }
    await expectNoViolation(page, 'the contact form with errors')
  })

  await test.step('each wrong address has a message, and the first wrong field is focused', async () => {
    await locateField(page, 'Email').fill('nobody@')
    await locateField(page, 'YouTube URL').fill('youtube.com/@someone')
    await locateButton(page, 'Send').click()
    await expect(locateErrorAlert(page).filter({ hasText: 'complete email address' })).toBeVisible()
    await expect(locateErrorAlert(page).filter({ hasText: 'complete URL' })).toBeVisible()
    await locateField(page, 'Email').fill('someone@example.org')
    await locateField(page, 'Discord').fill('someone')
    await locateButton(page, 'Send').click()
    await expect(locateField(page, 'YouTube URL')).toBeFocused()
  })

  await test.step('an error message of the server is shown, and the typed text stays', async () => {
    const message = createMessage('A bot')
    await fillForm(page, message)
    await page.locator('input[name="subject"]').evaluate((input: HTMLInputElement) => {
      input.value = 'Buy this'
    })
    await locateButton(page, 'Send').click()
    await expect(locateErrorAlert(page)).toHaveText('honeypot must stay empty')
    await expect(locateField(page, 'Message')).toHaveValue(message)
    await expectNoViolation(page, 'the contact form, refused')
    expect(await findStoredMessages(site, message)).toEqual([])
  })

  await test.step('typed text survives a reload; the form is filled in and sent by keyboard', async () => {
    await page.goto(`${origin}/get-in-touch`)
    await waitForHydration(page)
    await expect(locateField(page, 'Discord')).toHaveValue('someone')
    const message = createMessage('Sandstorm')
    await locateField(page, 'Message').fill(message)
    await page.keyboard.press('Tab')
    await expect(mainRegion(page).getByRole('checkbox')).toBeFocused()
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    await expect(locateButton(page, 'Send')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(locateSentNotice(page)).toBeVisible()
    for (const label of ['Email', 'Discord', 'YouTube URL', 'Message']) await expect(locateField(page, label)).toHaveValue('')
    await expect(mainRegion(page).getByRole('checkbox')).not.toBeChecked()
    await expectNoViolation(page, 'the contact form, sent')
    expect(await findStoredMessages(site, message)).toMatchObject([
      { topic: 'request-song', remember: 'Yes', email: 'someone@example.org' },
    ])
    await page.reload()
    await waitForHydration(page)
    await expect(locateField(page, 'Message')).toHaveValue('')
  })

  await test.step('the address of the account is filled in', async () => {
    const credentials = createCredentials()
    await signUpByRequest(origin, credentials)
    await signInByRequest(page, origin, credentials)
    await openHydratedPage(page, `${origin}/get-in-touch`)
    await expect(locateField(page, 'Email')).toHaveValue(credentials.email)
  })
})

test.describe('contact, with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('contact: a request made offline waits through a reload, and is sent once, even with two tabs and a clock that is a day ahead', {
    tag: '@long',
  }, async ({ page, context, testCatalogueSite: site, faults }) => {
    test.setTimeout(120_000)
    faults.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/)
    const contactUrl = `${site.origin(brands[1].subdomain)}/get-in-touch?topic=other`
    await context.addInitScript(() => {
      const realNow = Date.now.bind(Date)
      Date.now = () => realNow() + 24 * 3_600_000
    })
    const otherPage = await context.newPage()
    for (const each of [page, otherPage]) await openHydratedPage(each, contactUrl)
    await waitForServiceWorker(page)

    await context.setOffline(true)
    const message = createMessage('Written on a train')
    await fillForm(page, message)
    await locateButton(page, 'Send').dblclick()
    await expect(mainRegion(page).getByText('You are offline. Your request is kept on this device')).toBeVisible()
    await expect(locateField(page, 'Message')).toHaveValue('')
    await expectNoViolation(page, 'the contact form with a waiting request')
    await expectOutboxCount(page, 1)
    await page.reload()
    await waitForHydration(page)
    await expect(locateField(page, 'Message')).toHaveValue('')
    for (const each of [page, otherPage]) await expect(locateUnsentRegion(each).getByRole('listitem')).toContainText(message)

    await context.setOffline(false)
    for (const each of [page, otherPage]) {
      await expect(locateSentNotice(each)).toBeVisible()
      await expect(locateUnsentRegion(each)).toHaveCount(0)
    }
    await expectOutboxCount(page, 0)
    const stored = await findStoredMessages(site, message)
    expect(stored).toMatchObject([{ topic: 'other', brand: brands[1].id }])
    expect(Math.abs(Date.parse(stored[0]?.created ?? '') - Date.now())).toBeLessThan(3_600_000)
  })
})

test('contact: a request is stored and mailed once, even if the page is reloaded during the request or the server is killed before it responds', {
  tag: '@long',
}, async ({ page, context, faults }) => {
  test.setTimeout(180_000)
  faults.expect(stoppedServerErrors)
  faults.expect(/ERR_FAILED|ERR_CONNECTION_RESET|ERR_ABORTED|status of 50[23]/)
  const TEAM_EMAIL = 'team@example.org'
  const dataDir = await mkdtemp(join(tmpdir(), 'varispeed-contact-'))
  const smtpPort = await findFreePort()
  const mailSettings = { SMTP_URL: `smtp://127.0.0.1:${smtpPort}`, MAIL_TO: TEAM_EMAIL }
  let site = await startTestCatalogueSite(dataDir, mailSettings)
  const { port } = site
  let mailbox = await openMailbox(smtpPort)
  try {
    // The route is set before the page loads, because Chromium sends requests past a route that has just been set.
    const continueRequest = (route: Route) => route.continue()
    let answerRequest = continueRequest
    await context.route('**/api/contact/request', (route) => answerRequest(route))
    await openHydratedPage(page, `${site.origin()}/get-in-touch?topic=other`)

    await test.step('the page is reloaded when the server has stored the request and its response is on the way', async () => {
      const message = createMessage('Reloaded')
      let finishStoring = () => {}
      const requestStored = new Promise<void>((resolve) => {
        finishStoring = resolve
      })
      answerRequest = async (route) => {
        await route.fetch()
        finishStoring()
      }
      await fillForm(page, message)
      await locateButton(page, 'Send').click()
      await requestStored
      answerRequest = continueRequest
      await page.reload()
      await waitForHydration(page)
      await expectOutboxCount(page, 0)
      await expect(locateField(page, 'Message')).toHaveValue('')
      expect(await findStoredMessages(site, message)).toHaveLength(1)
      await expect.poll(async () => (await findStoredMessages(site, message))[0]?.mail?.kind).toBe('sent')
      expect(mailbox.readMails(TEAM_EMAIL).filter((mail) => mail.includes(message))).toHaveLength(1)
    })

    await test.step('the server is killed when it has stored the request', async () => {
      const message = createMessage('Killed')
      // The mail server is down, so that the site's server cannot send the mail before it is killed.
      await mailbox.close()
      answerRequest = async (route) => {
        await route.fetch()
        process.kill(site.pid, 'SIGKILL')
        await route.abort('connectionreset')
      }
      await fillForm(page, message)
      await locateButton(page, 'Send').click()
      await expect(mainRegion(page).getByText("The site isn't responding. Your request is kept on this device")).toBeVisible()
      await expect(locateUnsentRegion(page)).toContainText(message)
      answerRequest = continueRequest

      await site.stop()
      mailbox = await openMailbox(smtpPort)
      site = await startSite({ DEMO: 'off', PORT: String(port), DATA_DIR: dataDir, ...mailSettings })
      await expect(locateSentNotice(page)).toBeVisible({ timeout: 60_000 })
      await expectOutboxCount(page, 0)
      // The killed server had reserved the mail for 30 s, during which the new server does not send it.
      await expect
        .poll(async () => (await findStoredMessages(site, message)).map(({ mail }) => mail?.kind), { timeout: 90_000 })
        .toEqual(['sent'])
      expect(mailbox.readMails(TEAM_EMAIL).filter((mail) => mail.includes(message))).toHaveLength(1)
    })
  } finally {
    await page.goto('about:blank')
    await site.stop()
    await mailbox.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
