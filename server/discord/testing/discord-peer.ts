import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type MutableRedirectUri, type MutableResponse, OAuth2Server, type StatusCodeMutableResponse } from 'oauth2-mock-server'

export const DISCORD_CLIENT = { DISCORD_CLIENT_ID: '1234567890', DISCORD_CLIENT_SECRET: 'client-secret' }

interface TokenRequest extends IncomingMessage {
  body: Record<string, string>
}
interface QueryRequest extends IncomingMessage {
  query: Record<string, string>
}

/**
 * Starts a local OAuth 2.0 server at Discord's paths. Like Discord, and unlike oauth2-mock-server alone, it accepts a code only once, and
 * only with the client, secret and redirect URI for which it was issued.
 */
export async function startDiscordPeer() {
  const server = new OAuth2Server(undefined, undefined, {
    endpoints: {
      authorize: '/oauth2/authorize',
      token: '/api/oauth2/token',
      userinfo: '/api/users/@me',
      revoke: '/api/oauth2/token/revoke',
    },
  })
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')

  const peer = {
    url: `http://127.0.0.1:${server.address().port}`,
    /** The user who is signed in at the simulated Discord. */
    person: { id: '80351110224678912', username: 'nelly', global_name: 'Nelly' } as Record<string, unknown>,
    /** The simulated fault: the user declines, or a call is answered with this status. */
    fault: undefined as undefined | 'denied' | { call: 'token' | 'me' | 'revoke'; status: number },
    /** The access tokens that were issued and not yet revoked. */
    live: new Set<string>(),
    stop: () => server.stop(),
  }
  const readFaultStatus = (call: 'token' | 'me' | 'revoke') =>
    typeof peer.fault === 'object' && peer.fault.call === call ? peer.fault.status : undefined

  const redirectUriByCode = new Map<string, string>()
  server.service.on('beforeAuthorizeRedirect', ({ url }: MutableRedirectUri, { query }: QueryRequest) => {
    if (query.client_id !== DISCORD_CLIENT.DISCORD_CLIENT_ID || query.scope !== 'identify') throw new Error('Not what Discord knows')
    redirectUriByCode.set(url.searchParams.get('code') ?? '', query.redirect_uri ?? '')
    if (peer.fault !== 'denied') return
    url.searchParams.delete('code')
    url.searchParams.set('error', 'access_denied')
  })
  server.service.on('beforeResponse', (tokenResponse: MutableResponse, { body }: TokenRequest) => {
    const isCodeGranted = body.code !== undefined && redirectUriByCode.get(body.code) === body.redirect_uri
    redirectUriByCode.delete(body.code ?? '')
    const isClientKnown = body.client_id === DISCORD_CLIENT.DISCORD_CLIENT_ID && body.client_secret === DISCORD_CLIENT.DISCORD_CLIENT_SECRET
    if (readFaultStatus('token') !== undefined) Object.assign(tokenResponse, { statusCode: readFaultStatus('token') })
    else if (!isClientKnown) Object.assign(tokenResponse, { statusCode: 401, body: { error: 'invalid_client' } })
    else if (!isCodeGranted) Object.assign(tokenResponse, { statusCode: 400, body: { error: 'invalid_grant' } })
    else if (tokenResponse.body !== '') {
      // Discord issues no identity token for the scope `identify`.
      delete tokenResponse.body.id_token
      peer.live.add(String(tokenResponse.body.access_token))
    }
  })
  server.service.on('beforeUserinfo', (tokenResponse: MutableResponse, { headers }: IncomingMessage) => {
    const isClientKnown = peer.live.has((headers.authorization ?? '').replace('Bearer ', ''))
    Object.assign(tokenResponse, { statusCode: readFaultStatus('me') ?? (isClientKnown ? 200 : 401), body: peer.person })
  })
  server.service.on('beforeRevoke', (tokenResponse: StatusCodeMutableResponse, request: IncomingMessage) => {
    tokenResponse.statusCode = readFaultStatus('revoke') ?? 200
    void (async () => {
      let bodyText = ''
      request.on('data', (chunk: Buffer) => {
        bodyText += chunk.toString()
      })
      await once(request, 'end')
      if (tokenResponse.statusCode === 200) peer.live.delete(new URLSearchParams(bodyText).get('token') ?? '')
    })()
  })
  return peer
}
export type DiscordPeer = Awaited<ReturnType<typeof startDiscordPeer>>
