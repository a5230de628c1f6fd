import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StorageError } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { readMainThreadCpuMs } from '../testing/main-thread-cpu.ts'
import { createSdkCalls, readSdkError, type SdkCalls } from './testing/sdk-calls.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let site: TestApp
let sdk: SdkCalls
let nowMs = START_MS
/** Whether the methods of the stores of accounts and logins throw. */
let isStorageBroken = false
const makeBreakable = <T extends object>(wrappedStore: T): T =>
  new Proxy(wrappedStore, {
    get: (proxiedStore, memberName, receiver) => {
      if (isStorageBroken) throw new StorageError('corrupt', 'The database is damaged; restore it from a backup.')
      return Reflect.get(proxiedStore, memberName, receiver)
    },
  })

async function openSite(siteEnvironment: Record<string, string> = {}, hasProductionHashes = false) {
  nowMs = START_MS
  isStorageBroken = false
  site = await createTestApp(siteEnvironment, {
    hasProductionPasswordCost: hasProductionHashes,
    nowMs: () => nowMs,
    wrapStorage: (storage) => ({ ...storage, accounts: makeBreakable(storage.accounts), logins: makeBreakable(storage.logins) }),
  })
  sdk = createSdkCalls(site)
}
beforeEach(() => openSite())
afterEach(() => site.close())

const signUpAnn = async () => (await sdk.signUp('Ann@Example.com', 'secret-1')).json()
const readCode = (link: string | undefined) => new URL(link ?? '').searchParams.get('oobCode') ?? ''

describe('sign-up and login', () => {
  it('sign-up and login return the fields that the Firebase SDK needs', async () => {
    const signUpResponse = await sdk.signUp(' Ann@Example.com ', 'secret-1')
    expect(signUpResponse.statusCode).toBe(200)
    expect(signUpResponse.headers['cache-control']).toBe('no-store')
    const { localId, idToken, expiresIn, refreshToken } = signUpResponse.json()
    expect([expiresIn, typeof refreshToken]).toEqual(['3600', 'string'])
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    expect(decodeJwt(idToken)).toMatchObject({
      sub: localId,
      user_id: localId,
      email: 'ann@example.com',
      email_verified: false,
      iat: START_MS / 1000,
      exp: START_MS / 1000 + 3600,
      auth_time: START_MS / 1000,
      jti: expect.any(String),
      firebase: { sign_in_provider: 'password' },
    })
    const secondSignIn = await sdk.signIn('ann@EXAMPLE.com', 'secret-1')
    expect(secondSignIn.json()).toMatchObject({ localId, email: 'ann@example.com', expiresIn: '3600' })
    const [sdkUser] = (await sdk.lookup(secondSignIn.json().idToken)).json().users
    expect(sdkUser).toMatchObject({
      localId,
      email: 'ann@example.com',
      emailVerified: false,
      createdAt: String(START_MS),
      lastLoginAt: String(START_MS),
      providerUserInfo: [{ providerId: 'password', email: 'ann@example.com', rawId: 'ann@example.com' }],
    })
  })

  it('invalid input is refused with the SDK’s error codes', async () => {
    await signUpAnn()
    expect(readSdkError(await sdk.signUp('ANN@example.com', 'secret-2'))).toBe('EMAIL_EXISTS')
    expect(readSdkError(await sdk.signUp('bob@example.com', 'secret7'))).toMatch(/^WEAK_PASSWORD : .*at least 8/)
    expect(readSdkError(await sdk.signUp('bob@example.com', 'x'.repeat(1001)))).toMatch(/^PASSWORD_DOES_NOT_MEET_REQUIREMENTS : /)
    // Some addresses resemble another address, contain characters that a database cannot store, or have a host that is read as another
    // host.
    for (const email of [
      'bob@',
      'b b@example.com',
      'bob\0@example.com',
      'bob\u200b@example.com',
      'bob@\u202eexample.com',
      'bob\xad@a.com',
      '\ud800@a.com',
      'bob@exa%6dple.org',
      'bob@example.org/x',
      'bob@example.org?x',
      'bob@example.org#x',
      'bob@0x7f000001',
      'bob@127.0.0.1',
      'bob@1.2',
    ])
      expect([email, readSdkError(await sdk.signUp(email, 'secret-1'))]).toEqual([email, 'INVALID_EMAIL'])
    for (const email of ['ann@ｅxample.com', 'ann@example。com', 'ANN@EXAMPLE.COM'])
      expect([email, readSdkError(await sdk.signUp(email, 'secret-1'))], 'the same mailbox').toEqual([email, 'EMAIL_EXISTS'])
    expect(readSdkError(await sdk.signUp('bob@example.com', ''))).toBe('MISSING_PASSWORD')
    expect(readSdkError(await sdk.identity('signUp', { returnSecureToken: true }))).toBe('OPERATION_NOT_ALLOWED')
    expect(readSdkError(await sdk.signIn('ann@example.com', 'secret-2'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(readSdkError(await sdk.signIn('nobody@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect((await sdk.identity('signUp', { email: ['a'], password: { a: 1 } })).statusCode).toBe(400)
    expect(await site.storage.accounts.list({ limit: 10, offset: 0 })).toHaveLength(1)
  })

  it('an email address is limited in length before it is normalised', async () => {
    const email = `a${'\u0301'.repeat(60_000)}${'\u0316'.repeat(60_000)}@b.cc`
    for (const callSdk of [() => sdk.signUp(email, 'secret-1'), () => sdk.signIn(email, 'secret-1'), () => sdk.sendReset(email)]) {
      const startMs = readMainThreadCpuMs()
      const response = await callSdk()
      expect(readMainThreadCpuMs() - startMs).toBeLessThan(100)
      expect(readSdkError(response)).toBe('INVALID_EMAIL')
    }
  })

  it('a disabled account is reported only if the password is correct', async () => {
    const { localId, idToken, refreshToken } = await signUpAnn()
    await site.storage.accounts.setDisabled(localId, true)
    expect(readSdkError(await sdk.signIn('ann@example.com', 'wrong one'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(readSdkError(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('USER_DISABLED')
    expect(readSdkError(await sdk.lookup(idToken))).toBe('USER_DISABLED')
    expect(readSdkError(await sdk.refresh(refreshToken))).toBe('USER_DISABLED')
  })

  it('passwords are stored as argon2id hashes, and no secret is logged', async () => {
    await site.close()
    await openSite({}, true)
    const { localId, idToken, refreshToken } = await signUpAnn()
    expect((await site.storage.accounts.findByUid(localId))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const secret of ['secret-1', idToken, refreshToken]) expect(site.readLog()).not.toContain(secret)
  })

  it('only JSON bodies are accepted', async () => {
    const formResponse = await site.app.inject({
      method: 'POST',
      url: '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any',
      payload: 'email=a%40example.com&password=secret-1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([formResponse.statusCode, formResponse.headers['content-type']]).toEqual([415, 'text/plain; charset=utf-8'])
  })

  it('the password policy and the reCAPTCHA configuration are returned', async () => {
    const policyResponse = (await site.app.inject('/identitytoolkit.googleapis.com/v2/passwordPolicy?key=any')).json()
    expect(policyResponse).toMatchObject({ schemaVersion: 1, customStrengthOptions: { minPasswordLength: 8, maxPasswordLength: 1000 } })
    const recaptcha = await site.app.inject('/identitytoolkit.googleapis.com/v2/recaptchaConfig?key=any&clientType=CLIENT_TYPE_WEB')
    expect(recaptcha.json().recaptchaKey).toBe('')
  })
})

describe('token refresh', () => {
  it('refresh: a refresh in the same second as the login returns different tokens, and the time of the login does not change', async () => {
    const { idToken, refreshToken, localId } = await signUpAnn()
    const firstRefresh = (await sdk.refresh(refreshToken)).json()
    expect(firstRefresh).toMatchObject({ expires_in: '3600', token_type: 'Bearer', user_id: localId })
    expect(firstRefresh.access_token).not.toBe(idToken)
    expect(firstRefresh.refresh_token).not.toBe(refreshToken)
    nowMs += HOUR_MS
    expect(decodeJwt((await sdk.refresh(firstRefresh.refresh_token)).json().access_token)).toMatchObject({ auth_time: START_MS / 1000 })
  })

  it('refresh: a replaced token is accepted within the grace period; after it, using the token revokes the token family', async () => {
    const { refreshToken } = await signUpAnn()
    const otherLogin = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    const firstRefresh = (await sdk.refresh(refreshToken)).json()
    nowMs += 9000
    expect((await sdk.refresh(refreshToken)).statusCode).toBe(200)
    nowMs += 1000
    expect(readSdkError(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    expect(readSdkError(await sdk.refresh(firstRefresh.refresh_token))).toBe('TOKEN_EXPIRED')
    expect((await sdk.refresh(otherLogin.refreshToken)).statusCode).toBe(200)
  })

  it('refresh: a text that is not a refresh token is refused', async () => {
    expect(readSdkError(await sdk.refresh('nonsense'))).toBe('INVALID_REFRESH_TOKEN')
    expect(readSdkError(await sdk.refresh(''))).toBe('MISSING_REFRESH_TOKEN')
    expect(readSdkError(await sdk.refresh(`${'a'.repeat(22)}.${'b'.repeat(43)}`))).toBe('TOKEN_EXPIRED')
  })
})

describe('password change', () => {
  it('a password change requires a recent login, and revokes all other logins', async () => {
    const firstLogin = await signUpAnn()
    nowMs += 10 * MINUTE_MS
    expect(readSdkError(await sdk.identity('update', { idToken: firstLogin.idToken, password: 'secret-2' }))).toBe(
      'CREDENTIAL_TOO_OLD_LOGIN_AGAIN',
    )
    const secondLogin = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    nowMs += 1000
    const changedLogin = (
      await sdk.identity('update', { idToken: secondLogin.idToken, password: 'secret-2', returnSecureToken: true })
    ).json()
    expect((await sdk.lookup(changedLogin.idToken)).statusCode).toBe(200)
    expect((await sdk.refresh(changedLogin.refreshToken)).statusCode).toBe(200)
    for (const oldLogin of [firstLogin, secondLogin]) {
      expect(readSdkError(await sdk.refresh(oldLogin.refreshToken))).toBe('TOKEN_EXPIRED')
      expect(readSdkError(await sdk.lookup(oldLogin.idToken))).toBe('TOKEN_EXPIRED')
    }
    expect(readSdkError(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    const nextUpdate = { idToken: changedLogin.idToken, password: 'secret-3' }
    expect(readSdkError(await sdk.identity('update', nextUpdate)), 'a second change with one check').toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    const idToken = (await sdk.signIn('ann@example.com', 'secret-2')).json().idToken
    expect(readSdkError(await sdk.identity('update', { idToken, password: '123' }))).toMatch(/^WEAK_PASSWORD/)
    nowMs += MINUTE_MS + 1
    expect(readSdkError(await sdk.identity('update', { idToken, password: 'secret-3' }))).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    expect(readSdkError(await sdk.identity('update', { idToken: changedLogin.idToken, email: 'x@example.com' }))).toBe(
      'OPERATION_NOT_ALLOWED',
    )
  })

  it('a password change revokes tokens that were issued in the same second, and pending password changes', async () => {
    const ownerTokens = await signUpAnn()
    const thiefLogin = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    nowMs += 1
    const changePassword = (idToken: string, password: string) => sdk.identity('update', { idToken, password, returnSecureToken: true })
    const changedLogin = (await changePassword(ownerTokens.idToken, 'secret-2')).json()
    expect(readSdkError(await changePassword(thiefLogin.idToken, 'stolen-1'))).toBe('TOKEN_EXPIRED')
    expect((await sdk.lookup(changedLogin.idToken)).statusCode).toBe(200)
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    const checkedTokens = (await sdk.signIn('ann@example.com', 'secret-2')).json()
    nowMs += 1
    const atOnce = await Promise.all(Array.from({ length: 5 }, (_, i) => changePassword(checkedTokens.idToken, `at once ${i}`)))
    expect(atOnce.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('password reset: only the newest link works, once, within an hour', async () => {
    const { refreshToken } = await signUpAnn()
    expect((await sdk.sendReset('ANN@example.com', { host: 'evil.example' })).statusCode).toBe(200)
    const [firstLink] = await sdk.readMailLinks(1)
    expect(firstLink).toMatch(/^http:\/\/localhost:8080\/reset-password\?oobCode=[\w-]{43}$/)
    nowMs += 10 * MINUTE_MS
    await sdk.sendReset('ann@example.com', { host: 'slowedreverb.localhost:8080' })
    const secondLink = (await sdk.readMailLinks(2)).find((link) => link !== firstLink)
    expect(secondLink).toMatch(/^http:\/\/slowedreverb\.localhost:8080\/reset-password/)
    // The line of the log is written after the file of the mail.
    await vi.waitFor(() => expect(site.readLog()).toContain(secondLink), { timeout: 10_000 })
    const redeemCode = (oobCode: string, newPassword?: string) =>
      sdk.identity('resetPassword', newPassword === undefined ? { oobCode } : { oobCode, newPassword })
    expect(readSdkError(await redeemCode(readCode(firstLink)))).toBe('INVALID_OOB_CODE')
    expect((await redeemCode(readCode(secondLink))).json()).toEqual({ requestType: 'PASSWORD_RESET', email: 'ann@example.com' })
    expect(readSdkError(await redeemCode(readCode(secondLink), '123'))).toMatch(/^WEAK_PASSWORD/)
    nowMs += HOUR_MS
    expect(readSdkError(await redeemCode(readCode(secondLink)))).toBe('EXPIRED_OOB_CODE')
    expect(readSdkError(await redeemCode(readCode(secondLink), 'secret-2'))).toBe('EXPIRED_OOB_CODE')
    nowMs -= 1
    expect((await redeemCode(readCode(secondLink), 'secret-2')).statusCode).toBe(200)
    expect(readSdkError(await redeemCode(readCode(secondLink), 'secret-3'))).toBe('INVALID_OOB_CODE')
    expect(readSdkError(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    expect(statSync(join(site.dataDir, 'outbox')).mode & 0o777).toBe(0o700)
  })

  it('password reset: the response is the same for addresses without an account and for disabled accounts', async () => {
    const { localId } = await signUpAnn()
    await sdk.signUp('bob@example.com', 'secret-1')
    await site.storage.accounts.setDisabled(localId, true)
    for (const email of ['nobody@example.com', 'ann@example.com', 'bob@example.com']) {
      const response = await sdk.sendReset(email, { host: 'aria.localhost:8080' })
      expect([response.statusCode, response.json()]).toEqual([200, { email }])
    }
    // The wait is longer than the maximum delay of work in the background.
    await sleep(600)
    // The link leads to the main site, whatever the request's subdomain is.
    expect(await sdk.readMailLinks(1)).toEqual([expect.stringMatching(/^http:\/\/localhost:8080\/reset-password\?/)])
  })
})

it('email verification: the link in the mail verifies the address', async () => {
  const { idToken } = await signUpAnn()
  expect((await sdk.identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })).statusCode).toBe(200)
  const [mailedLink] = await sdk.readMailLinks(1)
  const oobCode = readCode(mailedLink)
  expect(readSdkError(await sdk.identity('resetPassword', { oobCode, newPassword: 'secret-2' }))).toBe('INVALID_OOB_CODE')
  expect(readSdkError(await sdk.identity('update', { oobCode })), 'without the login').toMatch(/^OPERATION_NOT_ALLOWED/)
  const confirmEmail = async (token: string, mailCode: string) =>
    (
      await site.app.inject({
        method: 'POST',
        url: '/api/account/confirm_email',
        headers: { authorization: `Bearer ${token}` },
        payload: { code: mailCode },
      })
    ).statusCode
  const otherToken = (await sdk.signUp('bob@example.com', 'secret-1')).json().idToken
  expect([await confirmEmail('x', oobCode), await confirmEmail(otherToken, oobCode), await confirmEmail(idToken, 'x')]).toEqual([
    401, 403, 404,
  ])
  expect((await sdk.lookup(idToken)).json().users[0].emailVerified).toBe(false)
  expect([await confirmEmail(idToken, oobCode), await confirmEmail(idToken, oobCode)]).toEqual([200, 404])
  expect((await sdk.lookup(idToken)).json().users[0].emailVerified).toBe(true)
})

it('email verification: the mail says when the account was created, and an expired link confirms nothing', async () => {
  const { idToken, refreshToken } = await signUpAnn()
  await sdk.identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })
  const [mailedLink] = await sdk.readMailLinks(1)
  expect(sdk.readMails().join()).toContain('2026-03-01')
  nowMs += HOUR_MS
  const { access_token } = (await sdk.refresh(refreshToken)).json()
  const request = { method: 'POST', url: '/api/account/confirm_email', payload: { code: readCode(mailedLink) } } as const
  expect((await site.app.inject({ ...request, headers: { authorization: `Bearer ${access_token}` } })).statusCode).toBe(400)
})

it('account deletion requires a recent login', async () => {
  const { idToken, refreshToken } = await signUpAnn()
  expect(readSdkError(await sdk.identity('delete', {}))).toBe('MISSING_ID_TOKEN')
  expect(readSdkError(await sdk.identity('delete', { idToken: `${idToken.slice(0, -4)}AAAA` }))).toBe('INVALID_ID_TOKEN')
  nowMs += 6 * MINUTE_MS
  expect(readSdkError(await sdk.identity('delete', { idToken }))).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  nowMs -= 6 * MINUTE_MS
  expect((await sdk.identity('delete', { idToken })).json()).toEqual({})
  expect(readSdkError(await sdk.lookup(idToken))).toBe('USER_NOT_FOUND')
  expect(readSdkError(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
  expect(readSdkError(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
})

describe('server errors', () => {
  it("server errors are never in the SDK's error format, because the SDK would then sign the user out", async () => {
    const { idToken, refreshToken } = await signUpAnn()
    isStorageBroken = true
    for (const response of [await sdk.lookup(idToken), await sdk.refresh(refreshToken)]) {
      expect([response.statusCode, response.headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8'])
      expect(response.body).not.toContain('database')
    }
    isStorageBroken = false
    site.lifecycle.state = 'stopping'
    for (const response of [await sdk.lookup(idToken), await sdk.refresh(refreshToken)])
      expect([response.statusCode, response.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    site.lifecycle.state = 'ready'
    nowMs += HOUR_MS
    const expiredResponse = await sdk.lookup(idToken)
    expect([expiredResponse.statusCode, expiredResponse.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
  })
})

describe('rate limits', () => {
  it('rate limits stop password guessing by IP address and account, without affecting the account’s owner', async () => {
    await site.close()
    await openSite({ RATE_LIMIT_LOGIN: '3', RATE_LIMIT_LOGIN_ADDRESS: '5' })
    await signUpAnn()
    const guessPassword = (email: string) => sdk.signIn(email, 'wrong one', { ipAddress: '10.9.9.9' })
    const guessResponses = await Promise.all(Array.from({ length: 6 }, () => guessPassword('ann@example.com')))
    expect(guessResponses.map(readSdkError).sort()).toEqual([
      ...Array<string>(3).fill('INVALID_LOGIN_CREDENTIALS'),
      ...Array<string>(3).fill('TOO_MANY_ATTEMPTS_TRY_LATER : Too many failed attempts. Please try again later.'),
    ])
    // After this many failures, even the correct password is refused from this IP address. The owner can log in from another address.
    expect(readSdkError(await sdk.signIn('ann@example.com', 'secret-1', { ipAddress: '10.9.9.9' }))).toMatch(/^TOO_MANY/)
    expect((await sdk.signIn('ann@example.com', 'secret-1', { ipAddress: '10.2.2.2' })).statusCode).toBe(200)
    expect(readSdkError(await guessPassword('nobody-1@example.com'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(readSdkError(await guessPassword('nobody-2@example.com'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(readSdkError(await guessPassword('nobody-3@example.com'))).toMatch(/^TOO_MANY/)
    nowMs += 15 * MINUTE_MS
    expect((await sdk.signIn('ann@example.com', 'secret-1', { ipAddress: '10.9.9.9' })).statusCode).toBe(200)
  })

  it('rate limits do not count successful logins', async () => {
    await site.close()
    await openSite({ RATE_LIMIT_LOGIN: '2' })
    await signUpAnn()
    for (let i = 0; i < 4; i++) expect((await sdk.signIn('ann@example.com', 'secret-1')).statusCode).toBe(200)
  })

  it('rate limits apply to sign-ups and to mails', async () => {
    await site.close()
    await openSite({ RATE_LIMIT_SIGNUP: '1' })
    await signUpAnn()
    expect(readSdkError(await sdk.signUp('bob@example.com', 'secret-1'))).toMatch(/^TOO_MANY/)
    expect((await sdk.signUp('bob@example.com', 'secret-1', { ipAddress: '10.2.2.2' })).statusCode).toBe(200)
    const mailResponses = await Promise.all(Array.from({ length: 31 }, (_, i) => sdk.sendReset(`nobody-${i}@example.com`)))
    expect(mailResponses.filter((mailResponse) => mailResponse.statusCode === 400)).toHaveLength(1)
    // Each client has a separate limit, so that no client can use up the limit of an email address, whether or not the address has an account.
    for (const email of ['ann@example.com', 'somebody@example.com']) {
      const resetResponses = await Promise.all(Array.from({ length: 6 }, () => sdk.sendReset(email, { ipAddress: '10.3.3.3' })))
      expect(resetResponses.filter((mailResponse) => mailResponse.statusCode === 400).map(readSdkError)).toEqual([
        'TOO_MANY_ATTEMPTS_TRY_LATER',
      ])
      expect((await sdk.sendReset(email, { ipAddress: '10.4.4.4' })).statusCode).toBe(200)
    }
  })
})

describe('Firebase mode', () => {
  it('in Firebase mode, the embedded identity service is not registered', async () => {
    await site.close()
    await openSite({ FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' })
    expect((await sdk.signUp('ann@example.com', 'secret-1')).statusCode).toBe(404)
    expect((await sdk.refresh('x')).statusCode).toBe(404)
  })
})
