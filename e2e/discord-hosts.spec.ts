import { expect, type Page, test } from '@playwright/test'
import { CLIENT, type DiscordPeer, startDiscordPeer } from '../server/routes/testing/discord-peer.ts'
import { untilControlled, withProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'

// What only a browser can tell of linking Discord: that its cookie comes back from another site, and that the service worker keeps out of it.

let peer: DiscordPeer
let linking: Site
test.beforeAll(async () => {
  peer = await startDiscordPeer()
  linking = await startSite({ ...CLIENT, DISCORD_API_BASE: peer.url, DEMO: 'off' })
})
test.afterAll(async () => {
  await linking.stop()
  await peer.stop()
})

/** Makes an account and begins to link it, as pages do; gives its token and the address at Discord. */
const begin = (page: Page, email: string) =>
  page.evaluate(async (email) => {
    const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
      const json = { 'content-type': 'application/json', ...headers }
      return (await fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) })).json()
    }
    const credentials = { email, password: 'secret-1', returnSecureToken: true }
    const { idToken } = await post('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)
    const { data } = await post('/api/account/discord_link', { return_url: location.href }, { authorization: `Bearer ${idToken}` })
    return { token: String(idToken), authorizeUrl: String(data.authorize_url) }
  }, email)

test('Discord is linked where the page began, on each host, with the service worker at work', { tag: '@long' }, async () => {
  await withProfile(async (open) => {
    const { page } = await open()
    for (const subdomain of [undefined, 'slowedreverb', 'www.slowedreverb']) {
      const origin = linking.origin(subdomain)
      await page.goto(`${origin}/about-us`)
      await untilControlled(page)
      peer.person = { id: String(origin.length), username: 'nelly' }
      const { token, authorizeUrl } = await begin(page, `ann@${subdomain ?? 'bare'}.example`)
      await page.goto(authorizeUrl)
      expect(page.url()).toBe(`${origin}/about-us?discord=linked`)
      const headers = { authorization: `Bearer ${token}` }
      const { data } = await (await fetch(`http://127.0.0.1:${linking.port}/api/account/getinfo`, { headers })).json()
      expect(data.discord).toBe('nelly')
    }
  })
})
