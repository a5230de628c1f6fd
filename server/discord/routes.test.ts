import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DISCORD_CLIENT, type DiscordPeer, startDiscordPeer } from './testing/discord-peer.ts'
import { type DiscordSite, openDiscordSite } from './testing/discord-site.ts'

// These tests send the requests that a browser sends. A local OAuth 2.0 server replaces Discord.

const MINUTE_MS = 60_000
const NELLY_ACCOUNT = { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' }
let peer: DiscordPeer
let site: DiscordSite
let clockMs = 0
const getClockMs = () => clockMs
beforeAll(async () => {
  peer = await startDiscordPeer()
})
afterAll(() => peer.stop())
beforeEach(async () => {
  clockMs = Date.now()
  peer.person = NELLY_ACCOUNT
  site = await openDiscordSite(peer, {}, { nowMs: getClockMs })
})
afterEach(() => site.close())

const readState = (url: string) => JSON.parse(Buffer.from(new URL(url).searchParams.get('state') ?? '', 'base64url').toString())

describe('linking a Discord account', () => {
  it('linking returns the name and id of the Discord account, and redirects to the page on which it started', async () => {
    const { origin, follow } = site
    const ann = await site.signUp('ann')
    expect(await site.discordOf(ann)).toEqual(['', ''])
    const { authorizeUrl, setCookie, cookie } = await site.startLink(ann, '/account?tab=2#discord')
    expect(setCookie).toMatch(/^discord_link=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const parsedUrl = new URL(authorizeUrl)
    expect(parsedUrl.origin + parsedUrl.pathname).toBe(`${peer.url}/oauth2/authorize`)
    expect(Object.fromEntries(parsedUrl.searchParams)).toEqual({
      client_id: DISCORD_CLIENT.DISCORD_CLIENT_ID,
      response_type: 'code',
      scope: 'identify',
      state: expect.any(String),
      redirect_uri: `${origin}/account/link_discord`,
    })
    expect(readState(authorizeUrl)).toEqual({ returnUrl: `${origin}/account?tab=2#discord`, token: expect.stringMatching(/^[\w-]{43}$/) })
    const callbackUrl = await follow(authorizeUrl)
    expect(callbackUrl.startsWith(`${origin}/account/link_discord?code=`)).toBe(true)
    const response = await fetch(callbackUrl, { redirect: 'manual', headers: { cookie } })
    expect([response.status, response.headers.get('cache-control')]).toEqual([302, 'no-store'])
    expect(response.headers.get('location')).toBe(`${origin}/account?tab=2&discord=linked#discord`)
    expect(await site.discordOf(ann)).toEqual(['Nelly', NELLY_ACCOUNT.id])
    expect((await site.post('/account/disconnect_discord', ann, {})).status).toBe(200)
    expect(await site.discordOf(ann)).toEqual(['', ''])
    await site.link(ann)
    // Checks that the access token was revoked.
    await expect.poll(() => peer.live.size).toBe(0)
    const { searchParams } = new URL(callbackUrl)
    for (const secret of [searchParams.get('code') ?? '', searchParams.get('state') ?? '', DISCORD_CLIENT.DISCORD_CLIENT_SECRET])
      expect(site.readLog()).not.toContain(secret)
  })

  it('linking also works with a callback URL below /api, uses the user name of a Discord account without a display name, and replaces an earlier link', async () => {
    const ann = await site.signUp('ann')
    await site.link(ann)
    peer.person = { id: '2', username: '  new\nname  ', global_name: null }
    const { authorizeUrl, cookie } = await site.startLink(ann)
    const callbackUrl = (await site.follow(authorizeUrl)).replace('/account/', '/api/account/')
    expect(await site.follow(callbackUrl, `other=1; ${cookie}`)).toBe(`${site.origin}/account?discord=linked`)
    expect(await site.discordOf(ann)).toEqual(['newname', '2'])
  })

  it('a link can be removed, is exported, and is deleted with the account', async () => {
    const [ann, bob] = [await site.signUp('ann'), await site.signUp('bob')]
    await site.link(ann)
    const exportAnn = () => site.get<{ discord: unknown }>('/account/export', ann)
    expect((await exportAnn()).discord).toEqual({ id: NELLY_ACCOUNT.id, name: 'Nelly', linked: new Date(clockMs).toISOString() })
    expect(await site.get('/account/disconnect_discord', ann)).toBeNull()
    expect(await site.discordOf(ann)).toEqual(['', ''])
    expect(await exportAnn()).not.toHaveProperty('discord')
    await site.link(ann)
    expect(await site.link(bob)).toBe('/account?discord=taken')
    expect(await site.discordOf(ann)).toEqual(['Nelly', NELLY_ACCOUNT.id])
    expect((await site.post('/account/delete', ann, {})).status).toBe(200)
    expect(await site.link(bob)).toBe('/account?discord=linked')
  })

  it('linking works for users of a Firebase project', async () => {
    await site.close()
    const keyPair = await generateKeyPair('RS256', { extractable: true })
    const firebaseKeys = createLocalJWKSet({ keys: [{ ...(await exportJWK(keyPair.publicKey)), kid: 'k', alg: 'RS256' }] })
    const firebaseSettings = {
      FIREBASE_API_KEY: 'AIzaSyExampleExample',
      FIREBASE_PROJECT_ID: 'demo-site',
      FIREBASE_AUTH_DOMAIN: 'demo.example.org',
    }
    site = await openDiscordSite(peer, firebaseSettings, { nowMs: getClockMs, firebaseKeys })
    const clockSeconds = Math.floor(clockMs / 1000)
    const token = await new SignJWT({ auth_time: clockSeconds })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer('https://securetoken.google.com/demo-site')
      .setAudience('demo-site')
      .setSubject('google-uid')
      .setIssuedAt(clockSeconds)
      .setExpirationTime(clockSeconds + 3600)
      .sign(keyPair.privateKey)
    expect(await site.link(token)).toBe('/account?discord=linked')
    expect(await site.discordOf(token)).toEqual(['Nelly', NELLY_ACCOUNT.id])
    expect(await site.get('/account/export', token)).toMatchObject({ uid: 'google-uid', discord: { name: 'Nelly' } })
    await site.post('/account/delete', token, {})
    expect(await site.discordOf(token)).toEqual(['', ''])
  })
})

describe('attempt to link a Discord account', () => {
  it('a link attempt is valid once, for ten minutes, until the next attempt starts', async () => {
    const ann = await site.signUp('ann')
    const [firstAttempt, secondAttempt] = [await site.startLink(ann), await site.startLink(ann)]
    const [firstCallbackUrl, secondCallbackUrl] = [
      await site.follow(firstAttempt.authorizeUrl),
      await site.follow(secondAttempt.authorizeUrl),
    ]
    expect(await site.follow(firstCallbackUrl, firstAttempt.cookie)).toBe(`${site.origin}/account?discord=expired`)
    clockMs += 10 * MINUTE_MS
    expect(await site.follow(secondCallbackUrl, secondAttempt.cookie)).toBe(`${site.origin}/account?discord=expired`)
    clockMs -= 1
    const redirects = await Promise.all([1, 2, 3].map(() => site.follow(secondCallbackUrl, secondAttempt.cookie)))
    expect(redirects.sort()).toEqual(['expired', 'expired', 'linked'].map((each) => `${site.origin}/account?discord=${each}`))
  })

  it('a link attempt is valid only in the browser that started it, which prevents login CSRF', async () => {
    const [malloryToken, victimToken] = [await site.signUp('mallory'), await site.signUp('victim')]
    const ownAttempt = await site.startLink(victimToken)
    for (const cookie of ['', ownAttempt.cookie, 'discord_link=', 'discord_link']) {
      // Simulates a victim of CSRF, who consents at Discord.
      const callbackUrl = await site.follow((await site.startLink(malloryToken)).authorizeUrl)
      expect(await site.follow(callbackUrl, cookie)).toBe(`${site.origin}/account?discord=browser`)
    }
    expect(await site.discordOf(malloryToken)).toEqual(['', ''])
    expect(peer.live.size).toBe(0)
  })

  it('a HEAD request does not consume a link attempt', async () => {
    const { authorizeUrl, cookie } = await site.startLink(await site.signUp('ann'))
    const callbackUrl = await site.follow(authorizeUrl)
    expect((await fetch(callbackUrl, { method: 'HEAD' })).status).toBe(404)
    expect(await site.follow(callbackUrl, cookie)).toBe(`${site.origin}/account?discord=linked`)
  })

  it('a link attempt redirects only to this site, whatever its state contains', async () => {
    const { authorizeUrl, cookie } = await site.startLink(await site.signUp('ann'))
    const callbackUrl = new URL(await site.follow(authorizeUrl))
    const forgedState = JSON.stringify({ ...readState(callbackUrl.href), returnUrl: 'https://evil.example/' })
    callbackUrl.searchParams.set('state', Buffer.from(forgedState).toString('base64url'))
    expect(await site.follow(callbackUrl.href, cookie)).toBe(`${site.origin}/account?discord=linked`)
  })

  it('linking refuses a return URL on another site', async () => {
    const ann = await site.signUp('ann')
    for (const returnUrl of [
      ...['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)', 'http://[', ''],
      ...[`http://localhost.evil.example:${site.port}/`, `http://evil-localhost:${site.port}/`, `https://127.0.0.1:${site.port}/`],
      ...[`http://u:p@127.0.0.1:${site.port}/`, 'http://127.0.0.1:1/', `blob:http://127.0.0.1:${site.port}/1`],
    ]) {
      const response = await site.requestLink(ann, returnUrl)
      expect([returnUrl, response.status, response.headers.get('set-cookie')]).toEqual([returnUrl, 400, null])
      expect(((await response.json()) as { message: string }).message).toMatch(/^return_url must/)
    }
  })

  it('linking accepts a return URL on any host of the site, and uses the redirect URI of the configuration', async () => {
    const ann = await site.signUp('ann')
    const requestLinkFrom = async (host: string, returnUrl: string) => {
      const response = await site.app.inject({
        method: 'POST',
        url: '/api/account/discord_link',
        payload: { return_url: returnUrl },
        headers: { ...site.bearer(ann), host },
      })
      const url = new URL(response.json().data.authorize_url)
      expect(response.headers['set-cookie']).not.toContain('Domain')
      return url.searchParams.get('redirect_uri')
    }
    expect(await requestLinkFrom('evil.example', '/account')).toBe(`http://localhost:${site.port}/account/link_discord`)
    expect(await requestLinkFrom(`www.slowedreverb.localhost:${site.port}`, `http://aria.localhost:${site.port}/`)).toBe(
      `http://slowedreverb.localhost:${site.port}/account/link_discord`,
    )
  })

  it.each(['www.localhost', 'dev.slowedreverb.localhost'])(
    'linking that begins on the host %s ends on the same host, although Discord redirects to the bare host',
    async (personName) => {
      const ann = await site.signUp('ann')
      const hostHeader = `${personName}:${site.port}`
      const returnUrl = `http://${hostHeader}/account`
      const startResponse = await site.app.inject({
        method: 'POST',
        url: '/api/account/discord_link',
        payload: { return_url: returnUrl },
        headers: { ...site.bearer(ann), host: hostHeader },
      })
      const cookie = String(startResponse.headers['set-cookie']).split(';')[0] ?? ''
      const firstCallback = new URL(await site.follow(startResponse.json().data.authorize_url))
      const urlPath = firstCallback.pathname + firstCallback.search
      const requestCallback = (at: string, headers: Record<string, string> = {}) =>
        site.app.inject({ url: urlPath, headers: { host: at, ...headers } })
      const forwardedResponse = await requestCallback(firstCallback.host)
      expect(forwardedResponse.headers.location).toBe(`http://${hostHeader}${urlPath}`)
      expect((await requestCallback(hostHeader, { cookie })).headers.location).toBe(`${returnUrl}?discord=linked`)
      expect((await requestCallback(hostHeader, { cookie })).headers.location).toBe(`${returnUrl}?discord=expired`)
    },
  )

  it('if the state contains a forged origin, the callback passes nothing on to that origin', async () => {
    const state = Buffer.from(JSON.stringify({ token: 'x', origin: 'https://evil.example' })).toString('base64url')
    const response = await site.app.inject({ url: `/account/link_discord?code=c&state=${state}` })
    expect(response.headers.location).toMatch(/^http:\/\/localhost:\d+\/account\?discord=expired$/)
  })

  it('a link attempt sets a Secure cookie if the site uses https, with a name that plain connections cannot set', async () => {
    await site.close()
    site = await openDiscordSite(peer, { PUBLIC_ORIGIN: 'https://example.org', SITE_HOSTS: 'example.org' }, { nowMs: getClockMs })
    const ann = await site.signUp('ann')
    for (const [isPrefixRemoved, expectedOutcome] of [
      [true, 'browser'],
      [false, 'linked'],
    ] as const) {
      const { setCookie, cookie, authorizeUrl } = await site.startLink(ann)
      expect(setCookie).toMatch(/^__Host-discord_link=.*; HttpOnly; SameSite=Lax; Secure$/)
      const callbackUrl = (await site.follow(authorizeUrl)).replace('https://example.org', site.origin)
      expect(await site.follow(callbackUrl, isPrefixRemoved ? cookie.replace('__Host-', '') : cookie)).toBe(
        `https://example.org/account?discord=${expectedOutcome}`,
      )
    }
  })
})
