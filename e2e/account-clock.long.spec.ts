import { expect } from './fixtures.ts'
import { installPageClock } from './identity/page-clock.ts'
import { createCredentials, expectSignedIn, logIn, readStoredTokens, signUpByRequest } from './identity/steps.ts'
import { test } from './identity/test-with-clock.ts'
import { mainNavigation, mainRegion } from './steps.ts'

const MINUTE_MS = 60_000
const ONLINE_STEP_MS = 14 * MINUTE_MS
const OFFLINE_STEP_MS = 40 * MINUTE_MS
const SIMULATED_HOURS = 48
/** The periods without a connection, in hours from the start. Each is longer than the lifetime of a token. */
const OFFLINE_HOURS = [
  [3, 5],
  [10, 18],
  [30, 40],
] as const
const isMinuteOffline = (minute: number) => OFFLINE_HOURS.some(([startHour, to]) => minute >= startHour * 60 && minute < to * 60)

/** Runs in the page: goes back from the account page, as the browser's Back button does. */
async function goBackFromAccount() {
  history.back()
  while (document.querySelector('h1')?.textContent === 'Dashboard') await new Promise((resolve) => setTimeout(resolve, 2))
}
/** The times at which the page renewed its token, by the page's clock, in epoch milliseconds. */
declare global {
  var tokenCallTimesMs: number[] | undefined
}

/**
 * Runs in the page: records when the page renews its token, by the page's clock. The server's clock is not used, because each step advances
 * it before the page's clock.
 */
function recordTokenCalls() {
  const { fetch } = globalThis
  globalThis.fetch = (requestUrl, init) => {
    const url = requestUrl instanceof Request ? requestUrl.url : String(requestUrl)
    if (url.includes('/v1/token')) {
      globalThis.tokenCallTimesMs ??= []
      globalThis.tokenCallTimesMs.push(Date.now())
    }
    return fetch(requestUrl, init)
  }
}

async function goForwardToAccount(email: string) {
  history.forward()
  while (!document.querySelector('main')?.textContent.includes(`Welcome back, ${email}`))
    await new Promise((resolve) => setTimeout(resolve, 2))
}

test('login: a tab that is open for 48 hours, online and offline, stays signed in and refreshes its token at most every 55 minutes', async ({
  page,
  context,
  clockedSite,
  faults,
}) => {
  test.setTimeout(240_000)
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  const credentials = createCredentials()
  await signUpByRequest(clockedSite.origin, credentials)
  const clock = await installPageClock(page)
  await page.addInitScript(recordTokenCalls)
  await logIn(page, credentials)
  const firstTokens = await readStoredTokens(page)
  await mainNavigation(page)
    .getByRole('button', { name: /^Account: / })
    .click()
  await mainNavigation(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(mainRegion(page)).toContainText('Welcome back')
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

  const startMs = clockedSite.nowMs()
  const measureElapsedMinutes = () => (clockedSite.nowMs() - startMs) / MINUTE_MS
  const offlineRefreshMinutes: number[] = []
  let offline = false
  let responseCount = 0
  page.on('request', (request) => {
    if (offline && request.url().includes('/v1/token')) offlineRefreshMinutes.push(measureElapsedMinutes())
  })

  while (measureElapsedMinutes() < SIMULATED_HOURS * 60) {
    if (isMinuteOffline(measureElapsedMinutes()) !== offline) {
      offline = !offline
      await context.setOffline(offline)
    }
    await page.evaluate(goBackFromAccount)
    const stepMs = offline ? OFFLINE_STEP_MS : ONLINE_STEP_MS
    clockedSite.advanceClock(stepMs)
    await clock.advance(stepMs)
    const infoResponse = offline ? undefined : page.waitForResponse(/\/api\/account\/getinfo$/, { timeout: 1_000 }).catch(() => undefined)
    await page.evaluate(goForwardToAccount, credentials.email)
    // If the rows of the last visit are still fresh, the page sends no request, and no response arrives.
    if ((await infoResponse)?.ok()) responseCount++
  }

  const refreshMinutes = (await page.evaluate(() => globalThis.tokenCallTimesMs ?? [])).map((atMs) => atMs / MINUTE_MS)
  const refreshGapMinutes = refreshMinutes.slice(1).map((at, index) => at - (refreshMinutes[index] ?? 0))
  console.log(
    `    ${refreshMinutes.length} refreshMinutes, ${Math.min(...refreshGapMinutes).toFixed(1)} minutes apart or more; ${responseCount} answers to calls of the account`,
  )
  await expectSignedIn(page, credentials)
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
  expect(offlineRefreshMinutes, 'refreshMinutes without a connection').toEqual([])
  expect(Math.min(...refreshGapMinutes)).toBeGreaterThanOrEqual(55)
  // Checks that requests were sent: a page that sends none would pass the checks above.
  expect(refreshMinutes.length).toBeGreaterThan(20)
  expect(responseCount).toBeGreaterThan(90)
  expect((await readStoredTokens(page))?.refreshToken).not.toBe(firstTokens?.refreshToken)
})
