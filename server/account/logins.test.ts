import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '../durations.ts'
import { openFolderStore } from '../files/folder-store.ts'
import { EMBEDDED_AUDIENCE, EMBEDDED_ISSUER } from '../identity/id-tokens.ts'
import { openKeyRing } from '../identity/keys.ts'
import { createSdkCalls, readSdkError, type SdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
let nowMs = START_MS
/** Two processes of one site. */
let site: TestApp
let otherSite: TestApp
let sdk: SdkCalls
let otherSdk: SdkCalls

beforeEach(async () => {
  nowMs = START_MS
  site = await createTestApp({}, { nowMs: () => nowMs })
  otherSite = await createTestApp({}, { nowMs: () => nowMs, appWithSameData: site })
  sdk = createSdkCalls(site)
  otherSdk = createSdkCalls(otherSite)
})
afterEach(async () => {
  await otherSite.close()
  await site.close()
})

interface LoginTokens {
  idToken: string
  refreshToken: string
  localId: string
}
const CHROME_USER_AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const signUp = async (email = 'ann@example.com'): Promise<LoginTokens> => (await sdk.signUp(email, 'secret-1')).json()
const signIn = async (options = {}): Promise<LoginTokens> => (await sdk.signIn('ann@example.com', 'secret-1', options)).json()
const callAccount = (urlPath: string, idToken: string, requestBody?: object, { app } = site) =>
  app.inject({
    method: requestBody === undefined ? 'GET' : 'POST',
    url: `/api/account/${urlPath}`,
    headers: { authorization: `Bearer ${idToken}` },
    ...(requestBody === undefined ? {} : { payload: requestBody }),
  })
/** Returns for each process whether it accepts the identity token, in the API and in the calls of the SDK. */
const isTokenAccepted = async ({ idToken }: LoginTokens) => {
  const statusCodes = [
    (await callAccount('getinfo', idToken)).statusCode,
    (await callAccount('getinfo', idToken, undefined, otherSite)).statusCode,
    (await sdk.lookup(idToken)).statusCode,
    (await otherSdk.lookup(idToken)).statusCode,
  ]
  if (statusCodes.join() === '200,200,200,200') return true
  expect(statusCodes).toEqual([401, 401, 400, 400])
  return false
}

it('logins: the logins of the account are listed with device, network and times, the last used first', async () => {
  const annTokens = await signUp()
  await signUp('bob@example.com')
  nowMs += HOUR_MS
  const laptopTokens = await signIn({ ipAddress: '203.0.113.77', userAgent: CHROME_USER_AGENT })
  const [currentLogin, firstLogin] = (await callAccount('logins', laptopTokens.idToken)).json().data
  expect(currentLogin).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    device: 'Chrome on Linux',
    network: '203.0.113.x',
    created: '2026-03-01T13:00:00.000Z',
    last_used: '2026-03-01T13:00:00.000Z',
    current: true,
  })
  expect(firstLogin).toMatchObject({ device: 'Unknown device', network: '10.0.0.x', current: false })
  nowMs += DAY_MS
  await sdk.refresh(annTokens.refreshToken)
  expect((await callAccount('logins', annTokens.idToken)).statusCode).toBe(401)
  const renewed = (await sdk.refresh(laptopTokens.refreshToken)).json()
  expect((await callAccount('logins', renewed.access_token)).json().data).toHaveLength(2)
  expect((await callAccount('logins', renewed.access_token)).json().data[1]).toMatchObject({ last_used: '2026-03-02T13:00:00.000Z' })
})

it('logins: after a sign-out, every process immediately refuses the identity token of this login, but accepts those of other logins', async () => {
  const [firstTokens, otherTokens] = [await signUp(), await signIn()]
  expect([await isTokenAccepted(firstTokens), await isTokenAccepted(otherTokens)]).toEqual([true, true])
  await site.app.inject({ method: 'POST', url: '/api/account/sign_out', payload: { refresh_token: firstTokens.refreshToken } })
  expect([await isTokenAccepted(firstTokens), await isTokenAccepted(otherTokens)]).toEqual([false, true])
  expect(readSdkError(await otherSdk.lookup(firstTokens.idToken))).toBe('TOKEN_EXPIRED')
})

it('logins: a login that another device ends is immediately refused by every process of the site', async () => {
  const [firstTokens, otherTokens] = [await signUp(), await signIn()]
  const strangerTokens = await signUp('bob@example.com')
  const listedLogins: { id: string; current: boolean }[] = (await callAccount('logins', firstTokens.idToken)).json().data
  const { id = '' } = listedLogins.find(({ current }) => !current) ?? {}
  expect((await callAccount('end_login', strangerTokens.idToken, { id })).statusCode).toBe(404)
  expect(await isTokenAccepted(otherTokens)).toBe(true)
  expect((await callAccount('end_login', firstTokens.idToken, { id })).statusCode).toBe(200)
  expect([await isTokenAccepted(firstTokens), await isTokenAccepted(otherTokens)]).toEqual([true, false])
  expect(readSdkError(await otherSdk.refresh(otherTokens.refreshToken))).toBe('TOKEN_EXPIRED')
  expect((await callAccount('end_login', firstTokens.idToken, { id })).statusCode).toBe(404)
})

it('logins: ending all logins of an account refuses each of them, in every process', async () => {
  const loginTokens = [await signUp(), await signIn(), await signIn()]
  const strangerTokens = await signUp('bob@example.com')
  const extraTokens = await signIn()
  expect((await callAccount('end_logins', extraTokens.idToken, { others_only: true })).statusCode).toBe(200)
  expect(await isTokenAccepted(extraTokens)).toBe(true)
  for (const login of loginTokens) expect(await isTokenAccepted(login)).toBe(false)
  loginTokens.push(extraTokens, await signIn())
  expect((await callAccount('end_logins', extraTokens.idToken, {})).statusCode).toBe(200)
  for (const login of loginTokens) expect(await isTokenAccepted(login)).toBe(false)
  expect(await isTokenAccepted(strangerTokens)).toBe(true)
})

it('logins: if a stolen refresh token is used again, the identity tokens of its login are refused immediately', async () => {
  const [thiefTokens, otherTokens] = [await signUp(), await signIn()]
  const ownersTokens = (await sdk.refresh(thiefTokens.refreshToken)).json()
  nowMs += 60_000
  expect(readSdkError(await sdk.refresh(thiefTokens.refreshToken))).toBe('TOKEN_EXPIRED')
  expect([await isTokenAccepted(thiefTokens), await isTokenAccepted({ ...thiefTokens, idToken: ownersTokens.access_token })]).toEqual([
    false,
    false,
  ])
  expect(await isTokenAccepted(otherTokens)).toBe(true)
})

it('logins: if the password is changed or the account is disabled or deleted, its identity tokens are refused immediately, in every process', async () => {
  const [firstTokens, otherTokens] = [await signUp(), await signIn()]
  nowMs += 1
  const changedTokens = (await sdk.identity('update', { idToken: firstTokens.idToken, password: 'secret-2' })).json()
  expect([await isTokenAccepted(firstTokens), await isTokenAccepted(otherTokens), await isTokenAccepted(changedTokens)]).toEqual([
    false,
    false,
    true,
  ])
  await site.storage.accounts.setDisabled(firstTokens.localId, true)
  expect(await isTokenAccepted(changedTokens)).toBe(false)
  await site.storage.accounts.setDisabled(firstTokens.localId, false)
  expect(await isTokenAccepted(changedTokens)).toBe(false)
  const lastTokens: LoginTokens = (await sdk.signIn('ann@example.com', 'secret-2')).json()
  await site.storage.accounts.remove(firstTokens.localId, 0)
  expect(await isTokenAccepted(lastTokens)).toBe(false)
  expect(readSdkError(await otherSdk.lookup(lastTokens.idToken))).toBe('USER_NOT_FOUND')
})

it('logins: a token of an earlier version, which does not name a login, is renewed, and nobody is signed out', async () => {
  const { localId, refreshToken } = await signUp()
  const { kid, privateKey } = await (
    await openKeyRing({ fileStore: await openFolderStore(site.dataDir), runExclusively: site.storage.runExclusively, nowMs: () => nowMs })
  ).getSigningKey()
  const oldToken = await new SignJWT({ auth_time: START_MS / 1000, valid_after: 0, email: 'ann@example.com' })
    .setProtectedHeader({ alg: 'RS256', kid })
    .setIssuer(EMBEDDED_ISSUER)
    .setAudience(EMBEDDED_AUDIENCE)
    .setSubject(localId)
    .setIssuedAt(START_MS / 1000)
    .setExpirationTime(START_MS / 1000 + 3600)
    .sign(privateKey)
  expect((await callAccount('getinfo', oldToken)).statusCode).toBe(401)
  // The Firebase SDK deletes the stored user after an error in its own format, and treats any other error response as a network failure.
  const lookupResponse = await sdk.lookup(oldToken)
  expect([lookupResponse.statusCode, lookupResponse.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
  const renewed = (await sdk.refresh(refreshToken)).json()
  expect((await callAccount('getinfo', renewed.access_token)).statusCode).toBe(200)
})
