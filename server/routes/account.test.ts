import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { errorOf, sdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3_600_000
const firebase = { FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' }
const keys = await generateKeyPair('RS256', { extractable: true })
const keySet = createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' }] })

let site: TestApp
let now = START
async function open(environment: Record<string, string> = {}, firebaseKeys?: JWTVerifyGetKey) {
  now = START
  site = await createTestApp(environment, { nowMs: () => now, ...(firebaseKeys === undefined ? {} : { firebaseKeys }) })
}
afterEach(() => site.close())

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const info = async (headers: Record<string, string>) => (await site.app.inject({ url: '/api/account/getinfo', headers })).json()
const signUp = async () => (await sdkCalls(site).signUp('ann@example.com', 'secret-1')).json()

const googleToken = (project = 'demo-site', claims: Record<string, unknown> = { email: 'Ann@Example.com' }) =>
  new SignJWT({ auth_time: START / 1000, ...claims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(`https://securetoken.google.com/${project}`)
    .setAudience(project)
    .setSubject('google-uid')
    .setIssuedAt(START / 1000)
    .setExpirationTime(START / 1000 + 3600)
    .sign(keys.privateKey)

describe('who calls', () => {
  it('is known by a token of the embedded service: in the header, the query, a form or JSON', async () => {
    await open()
    const { idToken } = await signUp()
    const answer = { code: 200, message: 'OK', data: { email: 'ann@example.com', roles: [], discord: '', discord_id: '' } }
    expect(await info(bearer(idToken))).toEqual(answer)
    expect((await site.app.inject(`/api/account/getinfo?firebase_auth_token=${idToken}`)).json()).toEqual(answer)
    now += 6 * 60_000
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', `firebase_auth_token=${idToken}`],
      ['application/json', JSON.stringify({ firebase_auth_token: idToken })],
      [
        'multipart/form-data; boundary=b',
        `--b\r\ncontent-disposition: form-data; name="firebase_auth_token"\r\n\r\n${idToken}\r\n--b--\r\n`,
      ],
    ] as const) {
      const { statusCode } = await site.app.inject({
        method: 'POST',
        url: '/api/account/delete',
        payload,
        headers: { 'content-type': type },
      })
      expect(statusCode).toBe(403)
    }
    expect(site.logged()).not.toContain(idToken.slice(0, 60))
  })

  it('is asked for where there is no token, or one that does not count', async () => {
    await open()
    const { idToken, localId } = await signUp()
    expect(await info({})).toMatchObject({ code: 401, data: null })
    expect(await info(bearer('nonsense'))).toMatchObject({ code: 401 })
    expect(await info(bearer(await googleToken()))).toMatchObject({ code: 401 })
    await site.storage.accounts.setDisabled(localId, true)
    expect(await info(bearer(idToken))).toMatchObject({ code: 401, message: 'This account is disabled.' })
    await site.storage.accounts.setDisabled(localId, false)
    const again = (await sdkCalls(site).signIn('ann@example.com', 'secret-1')).json().idToken
    expect(await info(bearer(again))).toMatchObject({ code: 200 })
    now += 1
    await sdkCalls(site).identity('update', { idToken: again, password: 'secret-2' })
    expect(await info(bearer(again))).toMatchObject({ code: 401 })
    now += HOUR
    expect(await info(bearer(again))).toMatchObject({ code: 401 })
  })

  it('is none of those who were logged in before the account was disabled, once it is enabled again', async () => {
    await open()
    const { idToken, refreshToken, localId } = await signUp()
    await site.storage.accounts.setDisabled(localId, true)
    expect(errorOf(await sdkCalls(site).refresh(refreshToken))).toBe('USER_DISABLED')
    await site.storage.accounts.setDisabled(localId, false)
    expect(await info(bearer(idToken))).toMatchObject({ code: 401 })
    expect(errorOf(await sdkCalls(site).refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    const log = (await sdkCalls(site).signIn('ann@example.com', 'secret-1')).json()
    await site.storage.accounts.setDisabled(localId, false)
    expect(await info(bearer(log.idToken)), 'enabled although it was not disabled').toMatchObject({ code: 200 })
  })

  it('does not matter to what everyone may call', async () => {
    await open()
    for (const url of ['/api/song/get?s=AAAAAAAAAA1', '/api/playlist/all'])
      expect((await site.app.inject({ url, headers: bearer('nonsense') })).statusCode).toBe(200)
  })

  it('has the roles of the address, until they end', async () => {
    await open()
    await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: START + 1000 })
    const { idToken } = await signUp()
    expect((await info(bearer(idToken))).data.roles).toEqual(['subscriber'])
    now += 1000
    expect((await info(bearer(idToken))).data.roles).toEqual([])
  })
})

describe('in Firebase mode', () => {
  it('pages learn of the project, and may call it', async () => {
    await open({ ...firebase, TOKEN_SYNC_URL: 'https://sync.example.org/token' })
    const { data } = (await site.app.inject('/api/site')).json()
    expect(data.firebase).toEqual({ api_key: 'AIzaSyExampleExample', project_id: 'demo-site', auth_domain: 'demo.example.org' })
    expect(data.token_sync_url).toBe('https://sync.example.org/token')
    expect((await site.app.inject('/')).headers['content-security-policy']).toContain(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://sync.example.org;",
    )
    await site.close()
    await open()
    expect((await site.app.inject('/api/site')).json().data).not.toHaveProperty('firebase')
    expect((await site.app.inject('/')).headers['content-security-policy']).toContain("connect-src 'self';")
  })

  it('is known by a token of the project, and by no other', async () => {
    await open(firebase, keySet)
    await site.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    expect((await info(bearer(await googleToken()))).data).toMatchObject({ email: 'ann@example.com', roles: ['donator'] })
    expect((await info(bearer(await googleToken('demo-site', {})))).data).toMatchObject({ email: '', roles: [] })
    expect(await info(bearer(await googleToken('other-site')))).toMatchObject({ code: 401 })
    now += HOUR
    expect(await info(bearer(await googleToken()))).toMatchObject({ code: 401 })
  })

  it('a key set that cannot be had is 503, and leaves what everyone may call alone', async () => {
    await open(firebase, () => Promise.reject(new TypeError('fetch failed')))
    const headers = bearer(await googleToken())
    expect(await info(headers)).toMatchObject({ code: 503 })
    expect((await site.app.inject({ url: '/api/song/get?s=AAAAAAAAAA1', headers })).statusCode).toBe(200)
    expect(await info({})).toMatchObject({ code: 401 })
  })

  it('deletes what belongs to the address and to the account', async () => {
    await open(firebase, keySet)
    await site.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    await site.storage.makeHistory.add('google-uid', { id: 'a', file_name: 'a', file_size: 1, speed: 1, pitch: 0, createdMs: START })
    await site.storage.favorites.set('google-uid', 'AAAAAAAAAA1', true, START)
    const headers = bearer(await googleToken())
    expect((await site.app.inject({ method: 'POST', url: '/api/account/delete', headers })).statusCode).toBe(200)
    expect(await site.storage.favorites.export('google-uid')).toEqual([])
    expect(await site.storage.makeHistory.all('google-uid', { limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.roles.all({ limit: 9, offset: 0 })).toEqual([])
  })
})

describe('one’s own data', () => {
  it('is given as it is stored, and is gone after deletion', async () => {
    await open()
    await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: START })
    const { idToken, localId } = await signUp()
    const headers = bearer(idToken)
    const own = (await site.app.inject({ url: '/api/account/export', headers })).json().data
    expect(own).toEqual({
      ...{ uid: localId, email: 'ann@example.com', email_verified: false },
      ...{ created: '2026-03-01T12:00:00.000Z', last_login: '2026-03-01T12:00:00.000Z' },
      roles: [{ role: 'subscriber', source: 'admin', until: '2026-03-01T12:00:00.000Z' }],
      make_history: [],
      favorites: [],
    })
    expect((await site.app.inject({ method: 'POST', url: '/api/account/delete', headers })).json()).toEqual({
      code: 200,
      message: 'OK',
      data: null,
    })
    expect(await info(headers)).toMatchObject({ code: 401 })
    expect(await site.storage.accounts.all({ limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.roles.all({ limit: 9, offset: 0 })).toEqual([])
  })
})

describe('signing out', () => {
  const signOut = (refresh_token: string) => site.app.inject({ method: 'POST', url: '/api/account/sign_out', payload: { refresh_token } })

  it('ends the session of a refresh token, and no other', async () => {
    await open()
    const { refreshToken } = await signUp()
    const other = (await sdkCalls(site).signIn('ann@example.com', 'secret-1')).json()
    const { refresh_token: next } = (await sdkCalls(site).refresh(refreshToken)).json()
    expect((await signOut(next)).json()).toEqual({ code: 200, message: 'OK', data: null })
    expect(errorOf(await sdkCalls(site).refresh(next))).toBe('TOKEN_EXPIRED')
    expect((await sdkCalls(site).refresh(other.refreshToken)).statusCode).toBe(200)
  })

  it('ignores what is no refresh token, or no longer one', async () => {
    await open()
    const { refreshToken } = await signUp()
    const [family = ''] = refreshToken.split('.')
    for (const text of ['', 'x', `${family}.${'a'.repeat(43)}`, refreshToken.slice(0, -1)])
      expect((await signOut(text)).statusCode).toBe(200)
    expect((await sdkCalls(site).refresh(refreshToken)).statusCode).toBe(200)
    expect((await signOut('x'.repeat(500))).statusCode).toBe(400)
  })
})
