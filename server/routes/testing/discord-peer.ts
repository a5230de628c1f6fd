import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type MutableRedirectUri, type MutableResponse, OAuth2Server, type StatusCodeMutableResponse } from 'oauth2-mock-server'

export const CLIENT = { DISCORD_CLIENT_ID: '1234567890', DISCORD_CLIENT_SECRET: 'client-secret' }

interface TokenRequest extends IncomingMessage {
  body: Record<string, string>
}
interface Query extends IncomingMessage {
  query: Record<string, string>
}

/**
 * An OAuth 2 server on this machine at Discord's paths. The package's own server takes any client and any code, as often as one likes;
 * here a code counts once, for the client, the secret and the redirect URI that it was given for, as at Discord.
 */
export async function startDiscordPeer() {
  const server = new OAuth2Server(undefined, undefined, {
    endpoints: {
      ...{ authorize: '/oauth2/authorize', token: '/api/oauth2/token' },
      ...{ userinfo: '/api/users/@me', revoke: '/api/oauth2/token/revoke' },
    },
  })
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')

  const peer = {
    url: `http://127.0.0.1:${server.address().port}`,
    /** Who is logged in at Discord. */
    person: { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' } as Record<string, unknown>,
    /** What goes wrong: the person says no, or a call answers with this status. */
    fault: undefined as undefined | 'denied' | { call: 'token' | 'me' | 'revoke'; status: number },
    /** Tokens that were given and not given back. */
    live: new Set<string>(),
    stop: () => server.stop(),
  }
  const statusOf = (call: 'token' | 'me' | 'revoke') =>
    typeof peer.fault === 'object' && peer.fault.call === call ? peer.fault.status : undefined

  const codes = new Map<string, string>()
  server.service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri, { query }: Query) => {
    if (query.client_id !== CLIENT.DISCORD_CLIENT_ID || query.scope !== 'identify') throw new Error('Not what Discord knows')
    codes.set(url.searchParams.get('code') ?? '', query.redirect_uri ?? '')
    if (peer.fault !== 'denied') return
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
  })
  server.service.on('beforeResponse', (answer: MutableResponse, { body }: TokenRequest) => {
    const granted = body.code !== undefined && codes.get(body.code) === body.redirect_uri
    codes.delete(body.code ?? '')
    const known = body.client_id === CLIENT.DISCORD_CLIENT_ID && body.client_secret === CLIENT.DISCORD_CLIENT_SECRET
    if (statusOf('token') !== undefined) Object.assign(answer, { statusCode: statusOf('token') })
    else if (!known) Object.assign(answer, { statusCode: 401, body: { error: 'invalid_client' } })
    else if (!granted) Object.assign(answer, { statusCode: 400, body: { error: 'invalid_grant' } })
    else if (answer.body !== '') peer.live.add(String(answer.body.access_token))
  })
  server.service.on('beforeUserinfo', (answer: MutableResponse, { headers }: IncomingMessage) => {
    const known = peer.live.has((headers.authorization ?? '').replace('Bearer ', ''))
    Object.assign(answer, { statusCode: statusOf('me') ?? (known ? 200 : 401), body: peer.person })
  })
  server.service.on('beforeRevoke', (answer: StatusCodeMutableResponse, request: IncomingMessage) => {
    answer.statusCode = statusOf('revoke') ?? 200
    void (async () => {
      let text = ''
      request.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      await once(request, 'end')
      if (answer.statusCode === 200) peer.live.delete(new URLSearchParams(text).get('token') ?? '')
    })()
  })
  return peer
}
export type DiscordPeer = Awaited<ReturnType<typeof startDiscordPeer>>
