import { expect, type Page, test } from '@playwright/test'
import { DISCORD_CLIENT, type DiscordPeer, startDiscordPeer } from '../server/discord/testing/discord-peer.ts'
import { waitForServiceWorker, withBrowserProfile } from './profile.ts'
import { type Site, startSite } from './server.ts'

// This test runs in a browser, because it covers the cookie after a redirect from another site, and the service worker.

let peer: DiscordPeer
let site: Site
test.beforeAll(async () => {
  peer = await startDiscordPeer()
  site = await startSite({ ...DISCORD_CLIENT, DISCORD_API_BASE: peer.url, DEMO: 'off' })
})
test.afterAll(async () => {
  await site.stop()
  await peer.stop()
})

/** Creates an account and starts to link it with Discord. Returns the account's ID token and the authorization URL. */
const startLinking = (page: Page, email: string) =>
  page.evaluate(async (email) => {
    const postJson = async (urlPath: string, requestBody: object, headers: Record<string, string> = {}) => {
      const jsonHeaders = { 'content-type': 'application/json', ...headers }
      return (await fetch(urlPath, { method: 'POST', headers: jsonHeaders, body: JSON.stringify(requestBody) })).json()
    }
    const credentials = { email, password: 'secret-1', returnSecureToken: true }
    const { idToken } = await postJson('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any', credentials)
    const { data } = await postJson('/api/account/discord_link', { return_url: location.href }, { authorization: `Bearer ${idToken}` })
    return { token: String(idToken), authorizeUrl: String(data.authorize_url) }
  }, email)

test('Discord: after linking, the browser returns to the host on which the linking started, also with an active service worker', {
  tag: '@long',
}, async () => {
  await withBrowserProfile(async (openBrowser) => {
    const { page } = await openBrowser()
    for (const startSubdomain of [undefined, 'slowedreverb', 'www.slowedreverb']) {
      const origin = site.origin(startSubdomain)
      await page.goto(`${origin}/about-us`)
      await waitForServiceWorker(page)
      peer.person = { id: String(origin.length), username: 'nelly' }
      const { token, authorizeUrl } = await startLinking(page, `ann@${startSubdomain ?? 'bare'}.example`)
      await page.goto(authorizeUrl)
      expect(page.url()).toBe(`${origin}/about-us?discord=linked`)
      const headers = { authorization: `Bearer ${token}` }
      const { data } = await (await fetch(`http://127.0.0.1:${site.port}/api/account/getinfo`, { headers })).json()
      expect(data.discord).toBe('nelly')
    }
  })
})
