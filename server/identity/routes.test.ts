import { statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StorageError } from '../storage/errors.ts'
import { createTestApp, type TestApp } from '../test-app.ts'
import { errorOf, type SdkCalls, sdkCalls } from './testing/sdk-calls.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let site: TestApp
let sdk: SdkCalls
let now = START
/** What a test breaks in the storage of accounts. */
let broken = false

async function open(environment: Record<string, string> = {}) {
  now = START
  broken = false
  site = await createTestApp(environment, {
    nowMs: () => now,
    wrapStorage: (storage) => ({
      ...storage,
      accounts: new Proxy(storage.accounts, {
        get: (target, name, receiver) => {
          if (broken) throw new StorageError('unreachable', 'The database server cannot be reached.')
          return Reflect.get(target, name, receiver)
        },
      }),
    }),
  })
  sdk = sdkCalls(site)
}
beforeEach(() => open())
afterEach(() => site.close())

const ann = async () => (await sdk.signUp('Ann@Example.com', 'secret-1')).json()
const codeIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('oobCode') ?? ''

describe('sign-up and log-in', () => {
  it('give what the SDK needs', async () => {
    const created = await sdk.signUp(' Ann@Example.com ', 'secret-1')
    expect(created.statusCode).toBe(200)
    expect(created.headers['cache-control']).toBe('no-store')
    const { localId, idToken, expiresIn, refreshToken } = created.json()
    expect([expiresIn, typeof refreshToken]).toEqual(['3600', 'string'])
    expect(decodeProtectedHeader(idToken)).toMatchObject({ alg: 'RS256', kid: expect.any(String) })
    expect(decodeJwt(idToken)).toMatchObject({
      ...{ sub: localId, user_id: localId, email: 'ann@example.com', email_verified: false },
      ...{ iat: START / 1000, exp: START / 1000 + 3600, auth_time: START / 1000, jti: expect.any(String) },
      firebase: { sign_in_provider: 'password' },
    })
    const again = await sdk.signIn('ann@EXAMPLE.com', 'secret-1')
    expect(again.json()).toMatchObject({ localId, email: 'ann@example.com', expiresIn: '3600' })
    const [user] = (await sdk.lookup(again.json().idToken)).json().users
    expect(user).toMatchObject({
      ...{ localId, email: 'ann@example.com', emailVerified: false, createdAt: String(START), lastLoginAt: String(START) },
      providerUserInfo: [{ providerId: 'password', email: 'ann@example.com', rawId: 'ann@example.com' }],
    })
  })

  it('refuse what does not fit, in the SDK’s words', async () => {
    await ann()
    expect(errorOf(await sdk.signUp('ANN@example.com', 'secret-2'))).toBe('EMAIL_EXISTS')
    expect(errorOf(await sdk.signUp('bob@example.com', '12345'))).toMatch(/^WEAK_PASSWORD : .*at least 6/)
    expect(errorOf(await sdk.signUp('bob@example.com', 'x'.repeat(4097)))).toMatch(/^PASSWORD_DOES_NOT_MEET_REQUIREMENTS : /)
    // The last four look like another address, or are no text that a database could give back.
    for (const email of [
      'bob@',
      'b b@example.com',
      'bob\0@example.com',
      'bob\u200b@example.com',
      'bob@\u202eexample.com',
      'bob\xad@a.com',
      '\ud800@a.com',
    ])
      expect([email, errorOf(await sdk.signUp(email, 'secret-1'))]).toEqual([email, 'INVALID_EMAIL'])
    for (const email of ['ann@ｅxample.com', 'ann@example。com', 'ANN@EXAMPLE.COM'])
      expect([email, errorOf(await sdk.signUp(email, 'secret-1'))], 'the same mailbox').toEqual([email, 'EMAIL_EXISTS'])
    expect(errorOf(await sdk.signUp('bob@example.com', ''))).toBe('MISSING_PASSWORD')
    expect(errorOf(await sdk.identity('signUp', { returnSecureToken: true }))).toBe('OPERATION_NOT_ALLOWED')
    expect(errorOf(await sdk.signIn('ann@example.com', 'secret-2'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(errorOf(await sdk.signIn('nobody@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect((await sdk.identity('signUp', { email: ['a'], password: { a: 1 } })).statusCode).toBe(400)
    expect(await site.storage.accounts.all({ limit: 10, offset: 0 })).toHaveLength(1)
  })

  it('tell of a disabled account only who knows its password', async () => {
    const { localId, idToken, refreshToken } = await ann()
    await site.storage.accounts.setDisabled(localId, true)
    expect(errorOf(await sdk.signIn('ann@example.com', 'wrong one'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('USER_DISABLED')
    expect(errorOf(await sdk.lookup(idToken))).toBe('USER_DISABLED')
    expect(errorOf(await sdk.refresh(refreshToken))).toBe('USER_DISABLED')
  })

  it('keep passwords in argon2id, and nothing secret in the log', async () => {
    const { localId, idToken, refreshToken } = await ann()
    expect((await site.storage.accounts.byUid(localId))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const secret of ['secret-1', idToken, refreshToken]) expect(site.logged()).not.toContain(secret)
  })

  it('take JSON only', async () => {
    const form = await site.app.inject({
      method: 'POST',
      url: '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any',
      payload: 'email=a%40example.com&password=secret-1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.statusCode, form.headers['content-type']]).toEqual([415, 'text/plain; charset=utf-8'])
  })

  it('answer the static questions', async () => {
    const policy = (await site.app.inject('/identitytoolkit.googleapis.com/v2/passwordPolicy?key=any')).json()
    expect(policy).toMatchObject({ schemaVersion: 1, customStrengthOptions: { minPasswordLength: 6 } })
    const recaptcha = await site.app.inject('/identitytoolkit.googleapis.com/v2/recaptchaConfig?key=any&clientType=CLIENT_TYPE_WEB')
    expect(recaptcha.json().recaptchaKey).toBe('')
  })
})

describe('refresh', () => {
  it('gives new tokens that differ within a second, and keeps the time of the log-in', async () => {
    const { idToken, refreshToken, localId } = await ann()
    const first = (await sdk.refresh(refreshToken)).json()
    expect(first).toMatchObject({ expires_in: '3600', token_type: 'Bearer', user_id: localId })
    expect(first.access_token).not.toBe(idToken)
    expect(first.refresh_token).not.toBe(refreshToken)
    now += HOUR
    expect(decodeJwt((await sdk.refresh(first.refresh_token)).json().access_token)).toMatchObject({ auth_time: START / 1000 })
  })

  it('takes a token twice within seconds, and ends the family later', async () => {
    const { refreshToken } = await ann()
    const other = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    const first = (await sdk.refresh(refreshToken)).json()
    now += 9000
    expect((await sdk.refresh(refreshToken)).statusCode).toBe(200)
    now += 1000
    expect(errorOf(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    expect(errorOf(await sdk.refresh(first.refresh_token))).toBe('TOKEN_EXPIRED')
    expect((await sdk.refresh(other.refreshToken)).statusCode).toBe(200)
  })

  it('refuses what is no token', async () => {
    expect(errorOf(await sdk.refresh('nonsense'))).toBe('INVALID_REFRESH_TOKEN')
    expect(errorOf(await sdk.refresh(''))).toBe('MISSING_REFRESH_TOKEN')
    expect(errorOf(await sdk.refresh(`${'a'.repeat(22)}.${'b'.repeat(43)}`))).toBe('TOKEN_EXPIRED')
  })
})

describe('a new password', () => {
  it('is set by who gave the old one a moment ago; every other session ends', async () => {
    const first = await ann()
    now += 10 * MINUTE
    expect(errorOf(await sdk.identity('update', { idToken: first.idToken, password: 'secret-2' }))).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
    const second = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    now += 1000
    const changed = (await sdk.identity('update', { idToken: second.idToken, password: 'secret-2', returnSecureToken: true })).json()
    expect((await sdk.lookup(changed.idToken)).statusCode).toBe(200)
    expect((await sdk.refresh(changed.refreshToken)).statusCode).toBe(200)
    for (const old of [first, second]) {
      expect(errorOf(await sdk.refresh(old.refreshToken))).toBe('TOKEN_EXPIRED')
      expect(errorOf(await sdk.lookup(old.idToken))).toBe('TOKEN_EXPIRED')
    }
    expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    expect(errorOf(await sdk.identity('update', { idToken: changed.idToken, password: '123' }))).toMatch(/^WEAK_PASSWORD/)
    expect(errorOf(await sdk.identity('update', { idToken: changed.idToken, email: 'x@example.com' }))).toBe('OPERATION_NOT_ALLOWED')
  })

  it('ends tokens of the same second too, and changes that were asked for before it', async () => {
    const owner = await ann()
    const thief = (await sdk.signIn('ann@example.com', 'secret-1')).json()
    now += 1
    const change = (idToken: string, password: string) => sdk.identity('update', { idToken, password, returnSecureToken: true })
    const changed = (await change(owner.idToken, 'secret-2')).json()
    expect(errorOf(await change(thief.idToken, 'stolen-1'))).toBe('TOKEN_EXPIRED')
    expect((await sdk.lookup(changed.idToken)).statusCode).toBe(200)
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    now += 1
    const atOnce = await Promise.all(Array.from({ length: 5 }, (_, i) => change(changed.idToken, `at once ${i}`)))
    expect(atOnce.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  it('is set by the link of a mail: once, within the hour, the newest link only', async () => {
    const { refreshToken } = await ann()
    expect((await sdk.sendReset('ANN@example.com', { host: 'evil.example' })).statusCode).toBe(200)
    const [first] = await sdk.links(1)
    expect(first).toMatch(/^http:\/\/localhost:8080\/reset-password\?oobCode=[\w-]{43}$/)
    await sdk.sendReset('ann@example.com', { host: 'slowedreverb.localhost:8080' })
    const second = (await sdk.links(2)).find((link) => link !== first)
    expect(second).toMatch(/^http:\/\/slowedreverb\.localhost:8080\/reset-password/)
    expect(site.logged()).toContain(second)
    const use = (oobCode: string, newPassword?: string) =>
      sdk.identity('resetPassword', newPassword === undefined ? { oobCode } : { oobCode, newPassword })
    expect(errorOf(await use(codeIn(first)))).toBe('INVALID_OOB_CODE')
    expect((await use(codeIn(second))).json()).toEqual({ requestType: 'PASSWORD_RESET', email: 'ann@example.com' })
    expect(errorOf(await use(codeIn(second), '123'))).toMatch(/^WEAK_PASSWORD/)
    now += HOUR
    expect(errorOf(await use(codeIn(second)))).toBe('EXPIRED_OOB_CODE')
    expect(errorOf(await use(codeIn(second), 'secret-2'))).toBe('EXPIRED_OOB_CODE')
    now -= 1
    expect((await use(codeIn(second), 'secret-2')).statusCode).toBe(200)
    expect(errorOf(await use(codeIn(second), 'secret-3'))).toBe('INVALID_OOB_CODE')
    expect(errorOf(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    expect((await sdk.signIn('ann@example.com', 'secret-2')).statusCode).toBe(200)
    expect(statSync(join(site.dataDir, 'outbox')).mode & 0o777).toBe(0o700)
  })

  it('is offered alike to addresses without an account, and to disabled ones', async () => {
    const { localId } = await ann()
    await sdk.signUp('bob@example.com', 'secret-1')
    await site.storage.accounts.setDisabled(localId, true)
    for (const email of ['nobody@example.com', 'ann@example.com', 'bob@example.com']) {
      const answer = await sdk.sendReset(email, { host: 'aria.localhost:8080' })
      expect([answer.statusCode, answer.json()]).toEqual([200, { email }])
    }
    // Longer than work in the background waits before it begins.
    await sleep(600)
    // To the main site, whatever sub-domain was asked.
    expect(await sdk.links(1)).toEqual([expect.stringMatching(/^http:\/\/localhost:8080\/reset-password\?/)])
  })
})

it('an address is confirmed by the link of a mail', async () => {
  const { idToken } = await ann()
  expect((await sdk.identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken })).statusCode).toBe(200)
  const [link] = await sdk.links(1)
  const oobCode = codeIn(link)
  expect(errorOf(await sdk.identity('resetPassword', { oobCode, newPassword: 'secret-2' }))).toBe('INVALID_OOB_CODE')
  expect((await sdk.identity('update', { oobCode })).statusCode).toBe(200)
  expect(errorOf(await sdk.identity('update', { oobCode }))).toBe('INVALID_OOB_CODE')
  expect((await sdk.lookup(idToken)).json().users[0].emailVerified).toBe(true)
})

it('an account is deleted by who gave its password a moment ago', async () => {
  const { idToken, refreshToken } = await ann()
  expect(errorOf(await sdk.identity('delete', {}))).toBe('MISSING_ID_TOKEN')
  expect(errorOf(await sdk.identity('delete', { idToken: `${idToken.slice(0, -4)}AAAA` }))).toBe('INVALID_ID_TOKEN')
  now += 6 * MINUTE
  expect(errorOf(await sdk.identity('delete', { idToken }))).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  now -= 6 * MINUTE
  expect((await sdk.identity('delete', { idToken })).json()).toEqual({})
  expect(errorOf(await sdk.lookup(idToken))).toBe('USER_NOT_FOUND')
  expect(errorOf(await sdk.refresh(refreshToken))).toBe('TOKEN_EXPIRED')
  expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1'))).toBe('INVALID_LOGIN_CREDENTIALS')
})

describe('what goes wrong on our side', () => {
  it('never looks like an end of the session', async () => {
    const { idToken, refreshToken } = await ann()
    broken = true
    for (const answer of [await sdk.lookup(idToken), await sdk.refresh(refreshToken)]) {
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([500, 'text/plain; charset=utf-8'])
      expect(answer.body).not.toContain('database')
    }
    broken = false
    site.lifecycle.state = 'stopping'
    for (const answer of [await sdk.lookup(idToken), await sdk.refresh(refreshToken)])
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
    site.lifecycle.state = 'ready'
    now += HOUR
    const expired = await sdk.lookup(idToken)
    expect([expired.statusCode, expired.headers['content-type']]).toEqual([401, 'text/plain; charset=utf-8'])
  })
})

describe('limits', () => {
  it('stop guessing by address and account, and leave the owner alone', async () => {
    await site.close()
    await open({ RATE_LIMIT_LOGIN: '3', RATE_LIMIT_LOGIN_ADDRESS: '5' })
    await ann()
    const guess = (email: string) => sdk.signIn(email, 'wrong one', { from: '10.9.9.9' })
    const guesses = await Promise.all(Array.from({ length: 6 }, () => guess('ann@example.com')))
    expect(guesses.map(errorOf).sort()).toEqual([
      ...Array<string>(3).fill('INVALID_LOGIN_CREDENTIALS'),
      ...Array<string>(3).fill('TOO_MANY_ATTEMPTS_TRY_LATER : Too many failed attempts. Please try again later.'),
    ])
    // The right password is not tried either, but the owner, elsewhere, logs in.
    expect(errorOf(await sdk.signIn('ann@example.com', 'secret-1', { from: '10.9.9.9' }))).toMatch(/^TOO_MANY/)
    expect((await sdk.signIn('ann@example.com', 'secret-1', { from: '10.2.2.2' })).statusCode).toBe(200)
    expect(errorOf(await guess('nobody-1@example.com'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(errorOf(await guess('nobody-2@example.com'))).toBe('INVALID_LOGIN_CREDENTIALS')
    expect(errorOf(await guess('nobody-3@example.com'))).toMatch(/^TOO_MANY/)
    now += 15 * MINUTE
    expect((await sdk.signIn('ann@example.com', 'secret-1', { from: '10.9.9.9' })).statusCode).toBe(200)
  })

  it('do not count what succeeds', async () => {
    await site.close()
    await open({ RATE_LIMIT_LOGIN: '2' })
    await ann()
    for (let i = 0; i < 4; i++) expect((await sdk.signIn('ann@example.com', 'secret-1')).statusCode).toBe(200)
  })

  it('bound sign-ups and mails', async () => {
    await site.close()
    await open({ RATE_LIMIT_SIGNUP: '1' })
    await ann()
    expect(errorOf(await sdk.signUp('bob@example.com', 'secret-1'))).toMatch(/^TOO_MANY/)
    expect((await sdk.signUp('bob@example.com', 'secret-1', { from: '10.2.2.2' })).statusCode).toBe(200)
    const mails = await Promise.all(Array.from({ length: 31 }, (_, i) => sdk.sendReset(`nobody-${i}@example.com`)))
    expect(mails.filter((answer) => answer.statusCode === 400)).toHaveLength(1)
    // One client cannot use up the mails of an account, whether or not there is one.
    for (const email of ['ann@example.com', 'somebody@example.com']) {
      const asked = await Promise.all(Array.from({ length: 6 }, () => sdk.sendReset(email, { from: '10.3.3.3' })))
      expect(asked.filter((answer) => answer.statusCode === 400).map(errorOf)).toEqual(['TOO_MANY_ATTEMPTS_TRY_LATER'])
      expect((await sdk.sendReset(email, { from: '10.4.4.4' })).statusCode).toBe(200)
    }
  })
})

describe('in Firebase mode', () => {
  it('the embedded service is not there', async () => {
    await site.close()
    await open({ FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' })
    expect((await sdk.signUp('ann@example.com', 'secret-1')).statusCode).toBe(404)
    expect((await sdk.refresh('x')).statusCode).toBe(404)
  })
})
