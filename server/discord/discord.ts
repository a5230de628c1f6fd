import type { Config } from '../config.ts'
import type { DiscordIdentity } from './store.ts'

/** `refused`: Discord rejected the request. `unavailable`: Discord is unreachable or its response is invalid. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  constructor(
    readonly outcome: 'refused' | 'unavailable',
    message: string,
  ) {
    super(message)
  }
}

/** The time limit in milliseconds for all requests of one linking attempt together. */
const TIMEOUT_MS = 10_000
const RESPONSE_MAX_BYTES = 65_536
const NAME_MAX_LENGTH = 100

function textFieldOf(responseJson: unknown, name: string): string {
  const value: unknown = typeof responseJson === 'object' && responseJson !== null ? Reflect.get(responseJson, name) : undefined
  return typeof value === 'string' ? value : ''
}

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > RESPONSE_MAX_BYTES) throw new DiscordError('unavailable', 'the answer is too large')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** Reads the id and name of a Discord user from a response. @throws DiscordError if the response has no valid id */
function readIdentity(responseJson: unknown): DiscordIdentity {
  const id = textFieldOf(responseJson, 'id')
  if (!/^[\w.-]{1,64}$/.test(id)) throw new DiscordError('unavailable', 'the answer names no account')
  const name = [textFieldOf(responseJson, 'global_name'), textFieldOf(responseJson, 'username')]
    .map((each) => each.replace(/\p{Cc}/gu, '').trim())
    .find((each) => each !== '')
  return { id, name: [...(name ?? id)].slice(0, NAME_MAX_LENGTH).join('') }
}

/** Discord's OAuth 2.0 authorization code flow with the scope `identify`. */
export function createDiscordClient({ clientId, clientSecret, apiBase }: NonNullable<Config['discord']>, siteUrl: string) {
  // The user agent is in Discord's format `DiscordBot (URL, version)`, because Discord rejects requests without it.
  const headers = { 'user-agent': `DiscordBot (${siteUrl}, 1)`, accept: 'application/json' }
  const credentials = { client_id: clientId, client_secret: clientSecret }

  async function requestJson(urlPath: string, signal: AbortSignal, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${apiBase}/api${urlPath}`, {
      ...init,
      headers: { ...headers, ...init.headers },
      redirect: 'error',
      signal,
    })
    if (response.status >= 500 || response.status === 429) {
      // The body of the response is discarded, because an unread body would keep the connection open.
      await response.body?.cancel()
      throw new DiscordError('unavailable', `${urlPath} answered ${response.status}`)
    }
    const responseJson = await jsonOf(response)
    // The OAuth error code helps the administrator: `invalid_client` means a wrong secret.
    if (!response.ok)
      throw new DiscordError('refused', `${urlPath} answered ${response.status} ${textFieldOf(responseJson, 'error').slice(0, 50)}`.trim())
    return responseJson
  }
  const postFields = (path: string, signal: AbortSignal, fields: Record<string, string>) =>
    requestJson(path, signal, { method: 'POST', body: new URLSearchParams({ ...credentials, ...fields }) })

  async function identifyAccount(code: string, redirectUri: string, signal: AbortSignal): Promise<DiscordIdentity> {
    const grant = await postFields('/oauth2/token', signal, { grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const token = textFieldOf(grant, 'access_token')
    if (token === '') throw new DiscordError('unavailable', 'the answer holds no token')
    try {
      return readIdentity(await requestJson('/users/@me', signal, { headers: { authorization: `Bearer ${token}` } }))
    } finally {
      // A failed revocation is ignored: the token expires by itself and is not stored.
      await postFields('/oauth2/token/revoke', signal, { token, token_type_hint: 'access_token' }).catch(() => undefined)
    }
  }

  return {
    /** Returns the URL of Discord's consent page, which redirects to `redirectUri` with `state` and a code. */
    authorizeUrl: (redirectUri: string, state: string): string =>
      `${apiBase}/oauth2/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'identify',
        redirect_uri: redirectUri,
        state,
      })}`,
    /** Exchanges the code for the account's id and name, and revokes the access token. @throws DiscordError */
    identityOf: async (code: string, redirectUri: string): Promise<DiscordIdentity> => {
      try {
        return await identifyAccount(code, redirectUri, AbortSignal.timeout(TIMEOUT_MS))
      } catch (error) {
        if (error instanceof DiscordError) throw error
        throw new DiscordError('unavailable', error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      }
    },
  }
}
export type DiscordClient = ReturnType<typeof createDiscordClient>
