import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createCredentials, openHydratedPage, readStoredTokens, signInByRequest, signUpByRequest, submitLogIn } from './identity/steps.ts'
import { waitForServiceWorker } from './profile.ts'
import { type Site, startSite } from './server.ts'
import { mainNavigation, mainRegion } from './steps.ts'

/** Opens the account page of a new account. Returns the account's email. */
async function openAccountPage(page: Page, site: Site, email = createCredentials().email): Promise<string> {
  const credentials = { ...createCredentials(), email }
  await signUpByRequest(site.origin(), credentials)
  await signInByRequest(page, site.origin(), credentials)
  await page.goto(`${site.origin()}/account`)
  await expect(mainRegion(page).getByText('Not linked')).toBeVisible()
  return email
}

test.describe('login, with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('login: a server that does not respond neither delays the account page nor signs the person out; after sign-out no cached token is returned', {
    tag: '@long',
  }, async ({ page, site, faults }) => {
    test.setTimeout(120_000)
    faults.expect(/ERR_ABORTED|Failed to load resource/)
    const email = await openAccountPage(page, site)
    await waitForServiceWorker(page)
    // Stops the server's process with SIGSTOP: the operating system still accepts connections, but no response is sent.
    process.kill(site.pid, 'SIGSTOP')
    try {
      const failedLookupPromise = page.waitForEvent('requestfailed', {
        predicate: (request) => request.url().includes('accounts:lookup'),
        timeout: 60_000,
      })
      await page.reload()
      await expect(mainRegion(page).getByText(`Welcome back, ${email}`)).toBeVisible()
      await failedLookupPromise
      await expect(mainRegion(page).getByText(`Welcome back, ${email}`)).toBeVisible()
    } finally {
      process.kill(site.pid, 'SIGCONT')
    }
    await page.reload()
    await expect(mainRegion(page).getByText('Not linked')).toBeVisible()
    await expect(page.getByRole('button', { name: `Account: ${email}` })).toBeVisible()

    await test.step('the service worker returns no cached token after sign-out', async () => {
      const refreshToken = (await readStoredTokens(page))?.refreshToken ?? ''
      const renewToken = () =>
        page.evaluate(async (token) => {
          const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token })
          return (await fetch('/securetoken.googleapis.com/v1/token?key=embedded', { method: 'POST', body })).text()
        }, refreshToken)
      const renewedTokens = await renewToken()
      expect(renewedTokens).toContain('access_token')
      expect(await renewToken()).toBe(renewedTokens)
      await page.getByRole('button', { name: /^Account: / }).click()
      await mainNavigation(page).getByRole('button', { name: 'Sign out' }).click()
      await expect(page).toHaveURL(`${site.origin()}/`)
      await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /signed-in|firebase/.test(key)))).toEqual([])
      expect(await renewToken()).not.toBe(renewedTokens)
    })
  })
})

test('token sync: the token is posted to the configured second site at login, and deleted there at sign-out', { tag: '@long' }, async ({
  page,
  faults,
}) => {
  const syncRequests: [method: string | undefined, bearer: string][] = []
  let statusCodes = [503]
  const syncServer = createServer((request, response) => {
    response.setHeader('Access-Control-Allow-Origin', request.headers.origin ?? '')
    response.setHeader('Access-Control-Allow-Methods', 'POST, DELETE')
    response.setHeader('Access-Control-Allow-Headers', 'Authorization')
    if (request.method !== 'OPTIONS') syncRequests.push([request.method, request.headers.authorization ?? ''])
    response.statusCode = (request.method === 'POST' ? statusCodes.shift() : undefined) ?? 204
    response.end()
  }).listen(0, '127.0.0.1')
  await once(syncServer, 'listening')
  const serverAddress = syncServer.address()
  const port = typeof serverAddress === 'object' ? serverAddress?.port : undefined
  const site = await startSite({ TOKEN_SYNC_URL: `http://127.0.0.1:${port}/session` })
  try {
    // Expects a console error, because the first response is a 503. The call is then repeated.
    faults.expect(/503/)
    await page.clock.install()
    const credentials = createCredentials()
    await signUpByRequest(site.origin(), credentials)
    await openHydratedPage(page, `${site.origin()}/account`)
    await submitLogIn(page, credentials)
    await expect(mainRegion(page).getByText('Not linked')).toBeVisible()
    await expect.poll(() => syncRequests.length).toBe(2)
    await page.clock.runFor(31_000)
    await expect.poll(() => syncRequests.map(([method]) => method)).toEqual(['DELETE', 'POST', 'POST'])
    expect(syncRequests[2]).toEqual(syncRequests[1])
    expect(syncRequests[1]?.[1]).toMatch(/^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/)
    statusCodes = []
    await page.getByRole('button', { name: /^Account: / }).click()
    await mainNavigation(page).getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => syncRequests.at(-1)).toEqual(['DELETE', ''])
    await expect(page).toHaveURL(`${site.origin()}/`)
    // Leaves the page, so that its image requests end before the server stops.
    await page.goto('about:blank')
  } finally {
    await site.stop()
    syncServer.close()
  }
})

test('account: a long email address fits a narrow screen', { tag: '@long' }, async ({ page, site }) => {
  const email = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`
  await page.setViewportSize({ width: 320, height: 640 })
  await openAccountPage(page, site, email)
  const measureOverflowX = (selector: string) =>
    page.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(await measureOverflowX('html')).toBe(0)
  await mainRegion(page).getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await measureOverflowX('dialog[open]')).toBe(0)
  await page.goto(`${site.origin()}/login`)
  await expect(mainRegion(page).getByText(`You are logged in as ${email}.`)).toBeVisible()
  expect(await measureOverflowX('html')).toBe(0)
})
