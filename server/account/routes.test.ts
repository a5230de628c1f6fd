import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { HOUR_MS } from '../durations.ts'
import { createSdkCalls, readSdkError } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const START_MS = Date.parse('2026-03-01T12:00:00Z')
const firebaseEnvironment = {
  FIREBASE_API_KEY: 'AIzaSyExampleExample',
  FIREBASE_PROJECT_ID: 'demo-site',
  FIREBASE_AUTH_DOMAIN: 'demo.example.org',
}
const keyPair = await generateKeyPair('RS256', { extractable: true })
const keySet = createLocalJWKSet({ keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: 'k', alg: 'RS256' }] })

let site: TestApp
let nowMs = START_MS
async function openSite(siteEnvironment: Record<string, string> = {}, firebaseKeys?: JWTVerifyGetKey) {
  nowMs = START_MS
  site = await createTestApp(siteEnvironment, { nowMs: () => nowMs, ...(firebaseKeys === undefined ? {} : { firebaseKeys }) })
}
afterEach(() => site.close())

const createBearerHeader = (token: string) => ({ authorization: `Bearer ${token}` })
const fetchInfo = async (headers: Record<string, string>) => (await site.app.inject({ url: '/api/account/getinfo', headers })).json()
const signUp = async () => (await createSdkCalls(site).signUp('ann@example.com', 'secret-1')).json()

const signGoogleToken = (projectId = 'demo-site', tokenClaims: Record<string, unknown> = { email: 'Ann@Example.com' }) =>
  new SignJWT({ auth_time: START_MS / 1000, ...tokenClaims })
    .setProtectedHeader({ alg: 'RS256', kid: 'k' })
    .setIssuer(`https://securetoken.google.com/${projectId}`)
    .setAudience(projectId)
    .setSubject('google-uid')
    .setIssuedAt(START_MS / 1000)
    .setExpirationTime(START_MS / 1000 + 3600)
    .sign(keyPair.privateKey)

describe('authentication', () => {
  it('a token of the embedded service is accepted in the header, query, form or JSON body', async () => {
    await openSite()
    const { idToken } = await signUp()
    const expectedResponse = {
      code: 200,
      message: 'OK',
      data: { email: 'ann@example.com', roles: [], grants: [], discord: '', discord_id: '' },
    }
    expect(await fetchInfo(createBearerHeader(idToken))).toEqual(expectedResponse)
    expect((await site.app.inject(`/api/account/getinfo?firebase_auth_token=${idToken}`)).json()).toEqual(expectedResponse)
    nowMs += 6 * 60_000
    for (const [contentType, requestBody] of [
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
        payload: requestBody,
        headers: { 'content-type': contentType },
      })
      expect(statusCode).toBe(403)
    }
    expect(site.readLog()).not.toContain(idToken.slice(0, 60))
  })

  it('endpoints for accounts answer 401 without a valid token', async () => {
    await openSite()
    const { idToken, localId } = await signUp()
    expect(await fetchInfo({})).toMatchObject({ code: 401, data: null })
    expect(await fetchInfo(createBearerHeader('nonsense'))).toMatchObject({ code: 401 })
    expect(await fetchInfo(createBearerHeader(await signGoogleToken()))).toMatchObject({ code: 401 })
    await site.storage.accounts.setDisabled(localId, true)
    expect(await fetchInfo(createBearerHeader(idToken))).toMatchObject({ code: 401, message: 'This account is disabled.' })
    await site.storage.accounts.setDisabled(localId, false)
    const renewedIdToken = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json().idToken
    expect(await fetchInfo(createBearerHeader(renewedIdToken))).toMatchObject({ code: 200 })
    nowMs += 1
    await createSdkCalls(site).identity('update', { idToken: renewedIdToken, password: 'secret-2' })
    expect(await fetchInfo(createBearerHeader(renewedIdToken))).toMatchObject({ code: 401 })
    nowMs += HOUR_MS
    expect(await fetchInfo(createBearerHeader(renewedIdToken))).toMatchObject({ code: 401 })
  })

  it('tokens from before an account was disabled are refused, also after the account is enabled again', async () => {
    await openSite()
    const { idToken, refreshToken, localId } = await signUp()
    await site.storage.accounts.setDisabled(localId, true)
    expect(readSdkError(await createSdkCalls(site).refresh(refreshToken))).toBe('USER_DISABLED')
    await site.storage.accounts.setDisabled(localId, false)
    expect(await fetchInfo(createBearerHeader(idToken))).toMatchObject({ code: 401 })
    expect(readSdkError(await createSdkCalls(site).refresh(refreshToken))).toBe('TOKEN_EXPIRED')
    const signInResponse = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json()
    await site.storage.accounts.setDisabled(localId, false)
    expect(await fetchInfo(createBearerHeader(signInResponse.idToken)), 'enabled although it was not disabled').toMatchObject({ code: 200 })
  })

  it('public endpoints ignore an invalid token', async () => {
    await openSite()
    for (const url of ['/api/song/get?s=AAAAAAAAAA1', '/api/playlist/all'])
      expect((await site.app.inject({ url, headers: createBearerHeader('nonsense') })).statusCode).toBe(200)
  })

  it('the roles of the account are returned until they expire', async () => {
    await openSite()
    await site.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: START_MS + 1000 })
    const { idToken } = await signUp()
    // The role was granted to the address, so it takes effect once the account has verified the address.
    expect((await fetchInfo(createBearerHeader(idToken))).data.roles).toEqual([])
    await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: START_MS + 1000 })
    expect((await fetchInfo(createBearerHeader(idToken))).data.roles).toEqual(['subscriber'])
    nowMs += 1000
    expect((await fetchInfo(createBearerHeader(idToken))).data.roles).toEqual([])
  })
})

describe('Firebase mode', () => {
  it('in Firebase mode, pages contain the project’s settings and may connect to its origins', async () => {
    await openSite({ ...firebaseEnvironment, TOKEN_SYNC_URL: 'https://sync.example.org/token' })
    const { data } = (await site.app.inject('/api/site')).json()
    expect(data.firebase).toEqual({ api_key: 'AIzaSyExampleExample', project_id: 'demo-site', auth_domain: 'demo.example.org' })
    expect(data.token_sync_url).toBe('https://sync.example.org/token')
    expect((await site.app.inject('/')).headers['content-security-policy']).toContain(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://sync.example.org https://discord.com/widget;",
    )
    await site.close()
    await openSite()
    expect((await site.app.inject('/api/site')).json().data).not.toHaveProperty('firebase')
    expect((await site.app.inject('/')).headers['content-security-policy']).toContain("connect-src 'self' https://discord.com/widget;")
  })

  it('in Firebase mode, only tokens of the project are accepted', async () => {
    await openSite(firebaseEnvironment, keySet)
    await site.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    expect((await fetchInfo(createBearerHeader(await signGoogleToken()))).data).toMatchObject({ email: 'ann@example.com', roles: [] })
    const verifiedClaims = { email: 'ann@example.com', email_verified: true }
    expect((await fetchInfo(createBearerHeader(await signGoogleToken('demo-site', verifiedClaims)))).data).toMatchObject({
      roles: ['donator'],
    })
    expect((await fetchInfo(createBearerHeader(await signGoogleToken('demo-site', {})))).data).toMatchObject({ email: '', roles: [] })
    expect(await fetchInfo(createBearerHeader(await signGoogleToken('other-site')))).toMatchObject({ code: 401 })
    nowMs += HOUR_MS
    expect(await fetchInfo(createBearerHeader(await signGoogleToken()))).toMatchObject({ code: 401 })
  })

  it('if the key set cannot be loaded, endpoints that need a token answer 503, and public endpoints answer normally', async () => {
    await openSite(firebaseEnvironment, () => Promise.reject(new TypeError('fetch failed')))
    const headers = createBearerHeader(await signGoogleToken())
    expect(await fetchInfo(headers)).toMatchObject({ code: 503 })
    expect((await site.app.inject({ url: '/api/song/get?s=AAAAAAAAAA1', headers })).statusCode).toBe(200)
    expect(await fetchInfo({})).toMatchObject({ code: 401 })
  })

  it('deleting the account removes its data and the data of its email address', async () => {
    await openSite(firebaseEnvironment, keySet)
    await site.storage.roles.grant('ann@example.com', { role: 'donator', source: 'admin', untilMs: undefined })
    await site.storage.makeHistory.add('google-uid', { id: 'a', file_name: 'a', file_size: 1, speed: 1, pitch: 0, createdMs: START_MS })
    const settings = { speed: 1, pitch: 0, reverb_size: 0, reverb_amount: 0, bass_db: 0 }
    await site.storage.presets.change('google-uid', [{ name: 'a', settings, changedMs: START_MS }])
    await site.storage.favorites.set('google-uid', 'AAAAAAAAAA1', true, START_MS)
    await site.storage.contacts.add({ topic: 'other', email: 'Ann@Example.com', message: 'a', brandId: 'a', atMs: START_MS })
    const headers = createBearerHeader(await signGoogleToken('demo-site', { email: 'ann@example.com', email_verified: true }))
    expect((await site.app.inject({ method: 'POST', url: '/api/account/delete', headers })).statusCode).toBe(200)
    expect(await site.storage.favorites.exportPage('google-uid', { limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.contacts.list({ limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.makeHistory.list('google-uid', { limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.presets.list('google-uid')).toEqual([])
    expect(await site.storage.roles.list({ limit: 9, offset: 0 })).toEqual([])
  })
})

describe('account data', () => {
  it('the account is exported as it is stored; deleting the account removes the data', async () => {
    await openSite()
    const { idToken, localId } = await signUp()
    await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: START_MS })
    const headers = createBearerHeader(idToken)
    const sendMessage = (email: string, messageText: string, sentHeaders = {}) => {
      const payload = { topic: 'bug-report', email, discord: 'ann', youtube_url: 'https://youtube.com/@a', message: messageText }
      return site.app.inject({ method: 'POST', url: '/api/contact/request', headers: sentHeaders, payload })
    }
    await sendMessage('ann@example.com', 'The account has not verified the address.')
    await sendMessage('other@example.com', 'Hello', headers)
    const ownExport = (await site.app.inject({ url: '/api/account/export', headers })).json().data
    expect(ownExport).toEqual({
      uid: localId,
      email: 'ann@example.com',
      email_verified: false,
      created: '2026-03-01T12:00:00.000Z',
      last_login: '2026-03-01T12:00:00.000Z',
      roles: [{ role: 'subscriber', source: 'admin', until: '2026-03-01T12:00:00.000Z' }],
      logins: [
        {
          id: expect.any(String),
          device: 'Unknown device',
          network: '10.0.0.x',
          created: '2026-03-01T12:00:00.000Z',
          last_used: '2026-03-01T12:00:00.000Z',
          current: true,
        },
      ],
      messages: [
        {
          created: '2026-03-01T12:00:00.000Z',
          topic: 'bug-report',
          email: 'other@example.com',
          discord: 'ann',
          youtube_url: 'https://youtube.com/@a',
          message: 'Hello',
        },
      ],
      make_history: [],
      playlists: [],
      maker_presets: [],
      followed_artists: [],
      notifications: [],
      favorites: [],
    })
    expect((await site.app.inject({ method: 'POST', url: '/api/account/delete', headers })).json()).toEqual({
      code: 200,
      message: 'OK',
      data: null,
    })
    expect(await fetchInfo(headers)).toMatchObject({ code: 401 })
    expect(await site.storage.accounts.list({ limit: 9, offset: 0 })).toEqual([])
    expect(await site.storage.roles.list({ limit: 9, offset: 0 })).toEqual([])
    expect((await site.storage.contacts.list({ limit: 9, offset: 0 })).map(({ email }) => email)).toEqual(['ann@example.com'])
  })
})

describe('sign-out', () => {
  const signOut = (refresh_token: string) => site.app.inject({ method: 'POST', url: '/api/account/sign_out', payload: { refresh_token } })

  it('signing out revokes only the login of the refresh token', async () => {
    await openSite()
    const { refreshToken } = await signUp()
    const otherAccount = (await createSdkCalls(site).signIn('ann@example.com', 'secret-1')).json()
    const { refresh_token: nextRefreshToken } = (await createSdkCalls(site).refresh(refreshToken)).json()
    expect((await signOut(nextRefreshToken)).json()).toEqual({ code: 200, message: 'OK', data: null })
    expect(readSdkError(await createSdkCalls(site).refresh(nextRefreshToken))).toBe('TOKEN_EXPIRED')
    expect((await createSdkCalls(site).refresh(otherAccount.refreshToken)).statusCode).toBe(200)
  })

  it('signing out ignores invalid and revoked refresh tokens', async () => {
    await openSite()
    const { refreshToken } = await signUp()
    const [familyId = ''] = refreshToken.split('.')
    for (const invalidToken of ['', 'x', `${familyId}.${'a'.repeat(43)}`, refreshToken.slice(0, -1)])
      expect((await signOut(invalidToken)).statusCode).toBe(200)
    expect((await createSdkCalls(site).refresh(refreshToken)).statusCode).toBe(200)
    expect((await signOut('x'.repeat(500))).statusCode).toBe(400)
  })
})
