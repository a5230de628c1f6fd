import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { DISCORD_CLIENT, type DiscordPeer, startDiscordPeer } from './testing/discord-peer.ts'
import { type DiscordSite, openDiscordSite } from './testing/discord-site.ts'

// These tests simulate faults while an account is linked to Discord. Each attempt redirects to a page of this site, with the outcome in the
// query.

let peer: DiscordPeer
let site: DiscordSite
beforeAll(async () => {
  peer = await startDiscordPeer()
})
afterAll(() => peer.stop())
beforeEach(async () => {
  peer.fault = undefined
  peer.person = { id: '1', username: 'nelly' }
  site = await openDiscordSite(peer)
})
afterEach(() => site.close())

it('Discord link: if the user declines, or if Discord answers with an error, the outcome says so', async () => {
  const ann = await site.signUp('ann')
  for (const [simulatedFault, expectedOutcome] of [
    ['denied', 'denied'],
    [{ call: 'token', status: 400 }, 'refused'],
    [{ call: 'token', status: 500 }, 'unavailable'],
    [{ call: 'me', status: 429 }, 'unavailable'],
    [{ call: 'me', status: 403 }, 'refused'],
  ] as const) {
    peer.fault = simulatedFault
    expect([simulatedFault, await site.link(ann)]).toEqual([simulatedFault, `/account?discord=${expectedOutcome}`])
  }
  expect(await site.discordOf(ann)).toEqual(['', ''])
  await expect.poll(() => peer.live.size).toBe(0)
})

it('Discord link: a wrong client secret is logged', async () => {
  await site.close()
  site = await openDiscordSite(peer, { DISCORD_CLIENT_SECRET: 'an old secret' })
  expect(await site.link(await site.signUp('ann'))).toBe('/account?discord=refused')
  expect(site.readLog()).toContain('/oauth2/token answered 401 invalid_client')
  expect(site.readLog()).not.toContain('an old secret')
})

it('Discord link: a response without an account id fails the attempt', async () => {
  const ann = await site.signUp('ann')
  for (const malformedUser of [{}, { id: 12 }, { id: '' }, { id: 'x'.repeat(65) }, { id: '1', username: 'x'.repeat(70_000) }]) {
    peer.person = malformedUser
    expect(await site.link(ann)).toBe('/account?discord=unavailable')
  }
  expect(await site.discordOf(ann)).toEqual(['', ''])
})

it('Discord link: a failed token revocation is ignored', async () => {
  peer.fault = { call: 'revoke', status: 500 }
  expect(await site.link(await site.signUp('ann'))).toBe('/account?discord=linked')
  peer.live.clear()
})

it('Discord link: if Discord cannot be reached, the outcome says so', async () => {
  await site.close()
  site = await openDiscordSite(peer, { DISCORD_API_BASE: 'http://127.0.0.1:9' })
  const { cookie, authorizeUrl } = await site.startLink(await site.signUp('ann'))
  const stateParameter = new URL(authorizeUrl).searchParams.get('state') ?? ''
  const callbackAddress = `${site.origin}/account/link_discord?code=abcdef&state=${stateParameter}`
  expect(await site.follow(callbackAddress, cookie)).toBe(`${site.origin}/account?discord=unavailable`)
  expect(site.readLog()).toContain('a Discord account could not be linked')
  for (const secret of ['abcdef', stateParameter, DISCORD_CLIENT.DISCORD_CLIENT_SECRET]) expect(site.readLog()).not.toContain(secret)
})

it('Discord link: a forged callback URL is refused', async () => {
  for (const query of ['', '?code=1', '?state=1', '?code=1&state=e30', '?code=1&code=2&state=e30', '?state=%00', '?error=server_error']) {
    for (const path of ['/account/link_discord', '/api/account/link_discord'])
      expect(await site.follow(`${site.origin}${path}${query}`)).toBe(`${site.origin}/account?discord=refused`)
  }
})

it('Discord link: without credentials in the configuration, linking is not offered', async () => {
  expect(await site.get('/site')).toMatchObject({ discord_link: true })
  await site.close()
  site = await openDiscordSite(peer, { API_BASE_URL: 'https://api.example.org' })
  expect(await site.get('/site')).not.toHaveProperty('discord_link')
  await site.close()
  site = await openDiscordSite(peer, { DISCORD_CLIENT_ID: '', DISCORD_CLIENT_SECRET: '' })
  expect(await site.get('/site')).not.toHaveProperty('discord_link')
  expect((await site.requestLink(await site.signUp('ann'), '/account')).status).toBe(404)
  expect(await site.follow(`${site.origin}/account/link_discord?code=1&state=1`)).toBe(`${site.origin}/account?discord=unavailable`)
})

it('Discord link: starting and removing a link require a token', async () => {
  expect((await site.requestLink('nonsense', '/account')).status).toBe(401)
  expect((await fetch(`${site.origin}/api/account/disconnect_discord`)).status).toBe(401)
})
