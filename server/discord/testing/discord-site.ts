import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSdkCalls } from '../../identity/testing/sdk-calls.ts'
import { createTestApp } from '../../test-app.ts'
import { DISCORD_CLIENT, type DiscordPeer } from './discord-peer.ts'

/** Starts a site whose accounts can be linked to accounts of `peer`. Returns functions for the steps that a browser takes. */
export async function openDiscordSite(
  peer: DiscordPeer,
  siteEnvironment: Record<string, string> = {},
  options: Parameters<typeof createTestApp>[1] = {},
) {
  // The redirect URI contains the port, so the port is chosen before the site starts.
  const portHolder = createServer().listen(0, '127.0.0.1')
  await once(portHolder, 'listening')
  const { port } = portHolder.address() as AddressInfo
  await new Promise((done) => portHolder.close(done))
  const site = await createTestApp({ ...DISCORD_CLIENT, DISCORD_API_BASE: peer.url, PORT: String(port), ...siteEnvironment }, options)
  await site.app.listen({ host: '127.0.0.1', port })
  const origin = `http://127.0.0.1:${port}`

  const createBearerHeader = (token: string) => ({ authorization: `Bearer ${token}` })
  /** Returns the `data` of the response of a GET endpoint. */
  async function getData<T>(urlPath: string, token = ''): Promise<T> {
    const response = await fetch(`${origin}/api${urlPath}`, { headers: createBearerHeader(token) })
    return ((await response.json()) as { data: T }).data
  }
  const postFields = (path: string, token: string, fields: Record<string, string>) =>
    fetch(`${origin}/api${path}`, { method: 'POST', headers: createBearerHeader(token), body: new URLSearchParams(fields) })
  const requestLink = (token: string, returnUrl: string) => postFields('/account/discord_link', token, { return_url: returnUrl })
  /** Requests `url` with `cookie`. Returns the URL to which the response redirects. */
  async function followRedirect(url: string, cookie = ''): Promise<string> {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    if (response.status !== 302) throw new Error(`${url} answered ${response.status}`)
    return response.headers.get('location') ?? ''
  }
  async function startLink(token: string, returnUrl = '/account') {
    const response = await requestLink(token, returnUrl)
    const { data } = (await response.json()) as { data: { authorize_url: string } }
    const setCookie = response.headers.get('set-cookie') ?? ''
    return { authorizeUrl: data.authorize_url, setCookie, cookie: setCookie.split(';')[0] ?? '' }
  }
  return {
    ...site,
    origin,
    port,
    bearer: createBearerHeader,
    get: getData,
    post: postFields,
    requestLink,
    startLink,
    follow: followRedirect,
    signUp: async (name: string): Promise<string> => (await createSdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken,
    async discordOf(token: string): Promise<string[]> {
      const { discord, discord_id } = await getData<{ discord: string; discord_id: string }>('/account/getinfo', token)
      return [discord, discord_id]
    },
    /** Runs the complete flow in one browser. Returns the final path and query. */
    async link(token: string, returnUrl?: string): Promise<string> {
      const { authorizeUrl, cookie } = await startLink(token, returnUrl)
      return (await followRedirect(await followRedirect(authorizeUrl), cookie)).replace(origin, '')
    },
  }
}
export type DiscordSite = Awaited<ReturnType<typeof openDiscordSite>>
