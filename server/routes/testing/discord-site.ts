import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sdkCalls } from '../../identity/testing/sdk-calls.ts'
import { createTestApp } from '../../test-app.ts'
import { CLIENT, type DiscordPeer } from './discord-peer.ts'

/** A site on a port of its own that links accounts with `peer`, and the steps of a browser there. */
export async function openDiscordSite(
  peer: DiscordPeer,
  environment: Record<string, string> = {},
  options: Parameters<typeof createTestApp>[1] = {},
) {
  // The way back names the port, so it is chosen before the site starts.
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo
  await new Promise((done) => holder.close(done))
  const site = await createTestApp({ ...CLIENT, DISCORD_API_BASE: peer.url, PORT: String(port), ...environment }, options)
  await site.app.listen({ host: '127.0.0.1', port })
  const origin = `http://127.0.0.1:${port}`

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  /** The `data` of a call. */
  async function get<T>(path: string, token = ''): Promise<T> {
    const answer = await fetch(`${origin}/api${path}`, { headers: bearer(token) })
    return ((await answer.json()) as { data: T }).data
  }
  const post = (path: string, token: string, fields: Record<string, string>) =>
    fetch(`${origin}/api${path}`, { method: 'POST', headers: bearer(token), body: new URLSearchParams(fields) })
  const begin = (token: string, returnUrl: string) => post('/account/discord_link', token, { return_url: returnUrl })
  /** Where a browser that holds `cookie` is sent on to. */
  async function follow(url: string, cookie = ''): Promise<string> {
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    if (answer.status !== 302) throw new Error(`${url} answered ${answer.status}`)
    return answer.headers.get('location') ?? ''
  }
  async function begun(token: string, returnUrl = '/account') {
    const answer = await begin(token, returnUrl)
    const { data } = (await answer.json()) as { data: { authorize_url: string } }
    const setCookie = answer.headers.get('set-cookie') ?? ''
    return { authorizeUrl: data.authorize_url, setCookie, cookie: setCookie.split(';')[0] ?? '' }
  }
  return {
    ...{ ...site, origin, port, bearer, get, post, begin, begun, follow },
    signUp: async (name: string): Promise<string> => (await sdkCalls(site).signUp(`${name}@example.com`, 'secret-1')).json().idToken,
    async discordOf(token: string): Promise<string[]> {
      const { discord, discord_id } = await get<{ discord: string; discord_id: string }>('/account/getinfo', token)
      return [discord, discord_id]
    },
    /** The whole way in one browser; the path and query where it ends. */
    async link(token: string, returnUrl?: string): Promise<string> {
      const { authorizeUrl, cookie } = await begun(token, returnUrl)
      return (await follow(await follow(authorizeUrl), cookie)).replace(origin, '')
    },
  }
}
export type DiscordSite = Awaited<ReturnType<typeof openDiscordSite>>
