import { expect } from '../fixtures.ts'
import type { JourneyTest } from './journey-test.ts'
import {
  anybody,
  expectSignedIn,
  expectSignedOut,
  logIn,
  open,
  openDashboard,
  register,
  reloadWithTokens,
  signOut,
  soon,
  storedTokens,
  submitLogIn,
  watchRenewals,
} from './steps.ts'

export function declareSessions(test: JourneyTest) {
  test('a reload, and a page that is opened anew, stay signed in', async ({ page, context, peer }) => {
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    const renewals = watchRenewals(page)
    await page.reload()
    await expectSignedIn(page, somebody)
    await openDashboard(page, somebody)
    const other = await context.newPage()
    await openDashboard(other, somebody)
    expect(renewals.count, 'a token that is good is not renewed').toBe(0)
  })

  test('a token with little time left is renewed once, before it is sent', async ({ page, peer }) => {
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    const renewals = watchRenewals(page)
    const before = await storedTokens(page)
    await open(page, '/playlists')
    const asked = page.waitForRequest(/\/api\/account\/getinfo/)
    await reloadWithTokens(page, { expirationTime: soon() })
    await page.goto('/account')
    const sent = (await asked).headers().authorization
    await expect.poll(async () => (await storedTokens(page))?.expirationTime).toBeGreaterThan(Date.now() + 50 * 60_000)
    expect(renewals.count).toBe(1)
    expect(sent).toBe(`Bearer ${(await storedTokens(page))?.accessToken}`)
    await openDashboard(page, somebody)
    expect(renewals.count).toBe(1)
    expect(before).toBeDefined()
  })

  test('two tabs agree on who is signed in', async ({ page, context, peer }) => {
    const [one, two] = [anybody(), anybody()]
    await register(peer.serviceOrigin, one)
    await register(peer.serviceOrigin, two)
    const other = await context.newPage()
    await open(other, '/playlists')
    await expectSignedOut(other)
    await logIn(page, one)
    await expectSignedIn(other, one)
    await openDashboard(other, one)
    await signOut(page)
    // Where one was in the account, one is asked to log in.
    await expect(other).toHaveURL(/\/login\?error=You\+were\+signed\+out/)
    await expectSignedOut(other)
    await submitLogIn(other, two)
    await expect(other).toHaveURL(/\/account$/)
    await expectSignedIn(page, two)
    await openDashboard(page, two)
  })

  test('the API knows who a token is of', async ({ page, peer, lacks }) => {
    const somebody = anybody()
    await register(peer.serviceOrigin, somebody)
    await logIn(page, somebody)
    const token = (await storedTokens(page))?.accessToken
    const answer = await fetch(`${peer.origin.replace('localhost', '127.0.0.1')}/api/account/getinfo`, {
      headers: { authorization: `Bearer ${token}` },
    })
    if (lacks('tokens-unsigned')) expect(answer.status).toBe(401)
    else expect(await answer.json()).toMatchObject({ code: 200, data: { email: somebody.email, roles: [] } })
  })
}
