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
const DISCORD_TIMEOUT_MS = 10_000
const RESPONSE_MAX_BYTES = 65_536
const ACCOUNT_NAME_MAX_LENGTH = 100

function requireTextField(responseJson: unknown, fieldName: string): string {
  const value: unknown = typeof responseJson === 'object' && responseJson !== null ? Reflect.get(responseJson, fieldName) : undefined
  return typeof value === 'string' ? value : ''
}

async function readJson(response: Response): Promise<unknown> {
  const bodyChunks: Uint8Array[] = []
  let receivedBytes = 0
  for await (const bodyChunk of response.body ?? []) {
    receivedBytes += bodyChunk.length
    if (receivedBytes > RESPONSE_MAX_BYTES) throw new DiscordError('unavailable', 'the answer is too large')
    bodyChunks.push(bodyChunk)
  }
  return JSON.parse(Buffer.concat(bodyChunks).toString())
}

/** Reads the id and name of a Discord user from a response. @throws DiscordError if the response has no valid id */
function readIdentity(responseJson: unknown): DiscordIdentity {
  const discordId = requireTextField(responseJson, 'id')
  if (!/^[\w.-]{1,64}$/.test(discordId)) throw new DiscordError('unavailable', 'the answer names no account')
  const displayName = [requireTextField(responseJson, 'global_name'), requireTextField(responseJson, 'username')]
    .map((each) => each.replace(/\p{Cc}/gu, '').trim())
    .find((each) => each !== '')
  return { id: discordId, name: [...(displayName ?? discordId)].slice(0, ACCOUNT_NAME_MAX_LENGTH).join('') }
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
    const responseJson = await readJson(response)
    // The OAuth error code helps the administrator: `invalid_client` means a wrong secret.
    if (!response.ok)
      throw new DiscordError(
        'refused',
        `${urlPath} answered ${response.status} ${requireTextField(responseJson, 'error').slice(0, 50)}`.trim(),
      )
    return responseJson
  }
  const postFields = (path: string, signal: AbortSignal, fields: Record<string, string>) =>
    requestJson(path, signal, { method: 'POST', body: new URLSearchParams({ ...credentials, ...fields }) })

  async function identifyAccount(authorizationCode: string, redirectUri: string, signal: AbortSignal): Promise<DiscordIdentity> {
    const tokenGrant = await postFields('/oauth2/token', signal, {
      grant_type: 'authorization_code',
      code: authorizationCode,
      redirect_uri: redirectUri,
    })
    const accessToken = requireTextField(tokenGrant, 'access_token')
    if (accessToken === '') throw new DiscordError('unavailable', 'the answer holds no token')
    try {
      return readIdentity(await requestJson('/users/@me', signal, { headers: { authorization: `Bearer ${accessToken}` } }))
    } finally {
      // A failed revocation is ignored: the token expires by itself and is not stored.
      await postFields('/oauth2/token/revoke', signal, { token: accessToken, token_type_hint: 'access_token' }).catch(() => undefined)
    }
  }

  return {
    /** Returns the URL of Discord's consent page, which redirects to `redirectUri` with `stateParameter` and a code. */
    authorizeUrl: (redirectUri: string, stateParameter: string): string =>
      `${apiBase}/oauth2/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'identify',
        redirect_uri: redirectUri,
        state: stateParameter,
      })}`,
    /** Exchanges the code for the account's id and name, and revokes the access token. @throws DiscordError */
    identityOf: async (authorizationCode: string, redirectUri: string): Promise<DiscordIdentity> => {
      try {
        return await identifyAccount(authorizationCode, redirectUri, AbortSignal.timeout(DISCORD_TIMEOUT_MS))
      } catch (error) {
        if (error instanceof DiscordError) throw error
        throw new DiscordError('unavailable', error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      }
    },
  }
}
export type DiscordClient = ReturnType<typeof createDiscordClient>
