import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CLIENT, type DiscordPeer, startDiscordPeer } from './testing/discord-peer.ts'
import { type DiscordSite, openDiscordSite } from './testing/discord-site.ts'

// A browser's steps over HTTP, with an OAuth 2 server in Discord's place.

const MINUTE = 60_000
const NELLY = { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' }
let peer: DiscordPeer
let site: DiscordSite
let now = 0
const nowMs = () => now
beforeAll(async () => {
  peer = await startDiscordPeer()
})
afterAll(() => peer.stop())
beforeEach(async () => {
  now = Date.now()
  peer.person = NELLY
  site = await openDiscordSite(peer, {}, { nowMs })
})
afterEach(() => site.close())

const stateIn = (url: string) => JSON.parse(Buffer.from(new URL(url).searchParams.get('state') ?? '', 'base64url').toString())

describe('linking', () => {
  it('shows the name and id that Discord tells, and ends where it began', async () => {
    const { origin, follow } = site
    const ann = await site.signUp('ann')
    expect(await site.discordOf(ann)).toEqual(['', ''])
    const { authorizeUrl, setCookie, cookie } = await site.begun(ann, '/account?tab=2#discord')
    expect(setCookie).toMatch(/^discord_link=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    const asked = new URL(authorizeUrl)
    expect(asked.origin + asked.pathname).toBe(`${peer.url}/oauth2/authorize`)
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      ...{ client_id: CLIENT.DISCORD_CLIENT_ID, response_type: 'code', scope: 'identify', state: expect.any(String) },
      redirect_uri: `${origin}/account/link_discord`,
    })
    expect(stateIn(authorizeUrl)).toEqual({ returnUrl: `${origin}/account?tab=2#discord`, token: expect.stringMatching(/^[\w-]{43}$/) })
    const back = await follow(authorizeUrl)
    expect(back.startsWith(`${origin}/account/link_discord?code=`)).toBe(true)
    const answer = await fetch(back, { redirect: 'manual', headers: { cookie } })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([302, 'no-store'])
    expect(answer.headers.get('location')).toBe(`${origin}/account?tab=2&discord=linked#discord`)
    expect(await site.discordOf(ann)).toEqual(['Nelly', NELLY.id])
    // The token is given back.
    await expect.poll(() => peer.live.size).toBe(0)
    const { searchParams } = new URL(back)
    for (const secret of [searchParams.get('code') ?? '', searchParams.get('state') ?? '', CLIENT.DISCORD_CLIENT_SECRET])
      expect(site.logged()).not.toContain(secret)
  })

  it('works at /api as well, takes the user name where there is no other, and a second one takes its place', async () => {
    const ann = await site.signUp('ann')
    await site.link(ann)
    peer.person = { id: '2', username: '  new\nname  ', global_name: null }
    const { authorizeUrl, cookie } = await site.begun(ann)
    const back = (await site.follow(authorizeUrl)).replace('/account/', '/api/account/')
    expect(await site.follow(back, `other=1; ${cookie}`)).toBe(`${site.origin}/account?discord=linked`)
    expect(await site.discordOf(ann)).toEqual(['newname', '2'])
  })

  it('is ended by the caller, exported, and gone with the account', async () => {
    const [ann, bob] = [await site.signUp('ann'), await site.signUp('bob')]
    await site.link(ann)
    const own = () => site.get<{ discord: unknown }>('/account/export', ann)
    expect((await own()).discord).toEqual({ id: NELLY.id, name: 'Nelly', linked: new Date(now).toISOString() })
    expect(await site.get('/account/disconnect_discord', ann)).toBeNull()
    expect(await site.discordOf(ann)).toEqual(['', ''])
    expect(await own()).not.toHaveProperty('discord')
    await site.link(ann)
    expect(await site.link(bob)).toBe('/account?discord=taken')
    expect(await site.discordOf(ann)).toEqual(['Nelly', NELLY.id])
    expect((await site.post('/account/delete', ann, {})).status).toBe(200)
    expect(await site.link(bob)).toBe('/account?discord=linked')
  })

  it('belongs to the user of a Firebase project as well', async () => {
    await site.close()
    const keys = await generateKeyPair('RS256', { extractable: true })
    const firebaseKeys = createLocalJWKSet({ keys: [{ ...(await exportJWK(keys.publicKey)), kid: 'k', alg: 'RS256' }] })
    const project = { FIREBASE_API_KEY: 'AIzaSyExampleExample', FIREBASE_PROJECT_ID: 'demo-site', FIREBASE_AUTH_DOMAIN: 'demo.example.org' }
    site = await openDiscordSite(peer, project, { nowMs, firebaseKeys })
    const seconds = Math.floor(now / 1000)
    const token = await new SignJWT({ auth_time: seconds })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer('https://securetoken.google.com/demo-site')
      .setAudience('demo-site')
      .setSubject('google-uid')
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 3600)
      .sign(keys.privateKey)
    expect(await site.link(token)).toBe('/account?discord=linked')
    expect(await site.discordOf(token)).toEqual(['Nelly', NELLY.id])
    expect(await site.get('/account/export', token)).toMatchObject({ uid: 'google-uid', discord: { name: 'Nelly' } })
    await site.post('/account/delete', token, {})
    expect(await site.discordOf(token)).toEqual(['', ''])
  })
})

describe('an attempt', () => {
  it('counts once, for ten minutes, and only until the next begins', async () => {
    const ann = await site.signUp('ann')
    const [first, second] = [await site.begun(ann), await site.begun(ann)]
    const [firstBack, secondBack] = [await site.follow(first.authorizeUrl), await site.follow(second.authorizeUrl)]
    expect(await site.follow(firstBack, first.cookie)).toBe(`${site.origin}/account?discord=expired`)
    now += 10 * MINUTE
    expect(await site.follow(secondBack, second.cookie)).toBe(`${site.origin}/account?discord=expired`)
    now -= 1
    const all = await Promise.all([1, 2, 3].map(() => site.follow(secondBack, second.cookie)))
    expect(all.sort()).toEqual(['expired', 'expired', 'linked'].map((each) => `${site.origin}/account?discord=${each}`))
  })

  it('counts in the browser that began it, so that nobody links the Discord account of who follows a link of theirs', async () => {
    const [mallory, victim] = [await site.signUp('mallory'), await site.signUp('victim')]
    const own = await site.begun(victim)
    for (const cookie of ['', own.cookie, 'discord_link=', 'discord_link']) {
      // The victim says yes at Discord.
      const back = await site.follow((await site.begun(mallory)).authorizeUrl)
      expect(await site.follow(back, cookie)).toBe(`${site.origin}/account?discord=browser`)
    }
    expect(await site.discordOf(mallory)).toEqual(['', ''])
    expect(peer.live.size).toBe(0)
  })

  it('is not used up by a program that looks at the address', async () => {
    const { authorizeUrl, cookie } = await site.begun(await site.signUp('ann'))
    const back = await site.follow(authorizeUrl)
    expect((await fetch(back, { method: 'HEAD' })).status).toBe(404)
    expect(await site.follow(back, cookie)).toBe(`${site.origin}/account?discord=linked`)
  })

  it('leads nowhere but to this site, whatever its state says', async () => {
    const { authorizeUrl, cookie } = await site.begun(await site.signUp('ann'))
    const back = new URL(await site.follow(authorizeUrl))
    const forged = JSON.stringify({ ...stateIn(back.href), returnUrl: 'https://evil.example/' })
    back.searchParams.set('state', Buffer.from(forged).toString('base64url'))
    expect(await site.follow(back.href, cookie)).toBe(`${site.origin}/account?discord=linked`)
  })

  it('does not begin for an address that is not of this site', async () => {
    const ann = await site.signUp('ann')
    for (const returnUrl of [
      ...['https://evil.example/', '//evil.example/', '/\\evil.example/', 'javascript:alert(1)', 'http://[', ''],
      ...[`http://localhost.evil.example:${site.port}/`, `http://evil-localhost:${site.port}/`, `https://127.0.0.1:${site.port}/`],
      ...[`http://u:p@127.0.0.1:${site.port}/`, 'http://127.0.0.1:1/', `blob:http://127.0.0.1:${site.port}/1`],
    ]) {
      const answer = await site.begin(ann, returnUrl)
      expect([returnUrl, answer.status, answer.headers.get('set-cookie')]).toEqual([returnUrl, 400, null])
      expect(((await answer.json()) as { message: string }).message).toMatch(/^return_url must/)
    }
  })

  it('may end at any host of the site, and comes back to the address that configuration gives', async () => {
    const ann = await site.signUp('ann')
    const asked = async (host: string, returnUrl: string) => {
      const answer = await site.app.inject({
        ...{ method: 'POST', url: '/api/account/discord_link', payload: { return_url: returnUrl } },
        headers: { ...site.bearer(ann), host },
      })
      const url = new URL(answer.json().data.authorize_url)
      return [url.searchParams.get('redirect_uri'), /Domain=.*/.exec(String(answer.headers['set-cookie']))?.[0]]
    }
    expect(await asked('evil.example', '/account')).toEqual([`http://localhost:${site.port}/account/link_discord`, undefined])
    expect(await asked(`www.slowedreverb.localhost:${site.port}`, `http://aria.localhost:${site.port}/`)).toEqual([
      `http://slowedreverb.localhost:${site.port}/account/link_discord`,
      'Domain=slowedreverb.localhost',
    ])
  })

  it('keeps its cookie to https where the site has it', async () => {
    await site.close()
    site = await openDiscordSite(peer, { PUBLIC_ORIGIN: 'https://example.org', SITE_HOSTS: 'example.org' }, { nowMs })
    expect((await site.begun(await site.signUp('ann'))).setCookie).toMatch(/; HttpOnly; SameSite=Lax; Secure$/)
  })
})
