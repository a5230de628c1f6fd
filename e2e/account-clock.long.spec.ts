import { expect } from './fixtures.ts'
import { test } from './identity/clocked-test.ts'
import { installPageClock } from './identity/page-clock.ts'
import { anybody, expectSignedIn, logIn, register, storedTokens } from './identity/steps.ts'
import { main, nav } from './steps.ts'

const MINUTE_MS = 60_000
const ONLINE_STEP_MS = 14 * MINUTE_MS
const OFFLINE_STEP_MS = 40 * MINUTE_MS
const HOURS = 48
/** From one hour to another without a connection, longer than a token lasts. */
const OFFLINE_HOURS = [
  [3, 5],
  [10, 18],
  [30, 40],
] as const
const isOffline = (minute: number) => OFFLINE_HOURS.some(([from, to]) => minute >= from * 60 && minute < to * 60)

/** Both run in the page, which goes from its account to the page before it and back, as the browser's keys do. */
async function leave() {
  history.back()
  while (document.querySelector('h1')?.textContent === 'Dashboard') await new Promise((resolve) => setTimeout(resolve, 2))
}
async function comeBack(email: string) {
  history.forward()
  while (!document.querySelector('main')?.textContent.includes(`Welcome back, ${email}`))
    await new Promise((resolve) => setTimeout(resolve, 2))
}

test('a tab that is open for 48 hours, on and off line, stays signed in and renews its token once in 55 minutes at most', async ({
  page,
  context,
  clocked,
  faults,
}) => {
  test.setTimeout(240_000)
  faults.expect(/ERR_INTERNET_DISCONNECTED/)
  const somebody = anybody()
  await register(clocked.origin, somebody)
  const clock = await installPageClock(page)
  await logIn(page, somebody)
  const first = await storedTokens(page)
  await nav(page)
    .getByRole('button', { name: /^Account: / })
    .click()
  await nav(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(main(page)).toContainText('Welcome back')
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }))

  const startMs = clocked.nowMs()
  const minute = () => (clocked.nowMs() - startMs) / MINUTE_MS
  const renewals: number[] = []
  const renewedOffline: number[] = []
  let offline = false
  let answered = 0
  page.on('request', (request) => {
    if (!request.url().includes('/v1/token')) return
    renewals.push(minute())
    if (offline) renewedOffline.push(minute())
  })

  while (minute() < HOURS * 60) {
    if (isOffline(minute()) !== offline) {
      offline = !offline
      await context.setOffline(offline)
    }
    await page.evaluate(leave)
    const stepMs = offline ? OFFLINE_STEP_MS : ONLINE_STEP_MS
    clocked.advance(stepMs)
    await clock.advance(stepMs)
    const answer = offline ? undefined : page.waitForResponse(/\/api\/account\/getinfo$/, { timeout: 1_000 }).catch(() => undefined)
    await page.evaluate(comeBack, somebody.email)
    // None where what the last visit asked for was stored just now.
    if ((await answer)?.ok()) answered++
  }

  const gaps = renewals.slice(1).map((at, index) => at - (renewals[index] ?? 0))
  console.log(
    `    ${renewals.length} renewals, ${Math.min(...gaps).toFixed(1)} minutes apart or more; ${answered} answers to calls of the account`,
  )
  await expectSignedIn(page, somebody)
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true)
  expect(renewedOffline, 'renewals without a connection').toEqual([])
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(55)
  // A page that asked for nothing would pass all of that.
  expect(renewals.length).toBeGreaterThan(20)
  expect(answered).toBeGreaterThan(90)
  expect((await storedTokens(page))?.refreshToken).not.toBe(first?.refreshToken)
})
