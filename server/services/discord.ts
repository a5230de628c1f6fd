import type { Config } from '../config.ts'
import type { DiscordIdentity } from '../storage/storage.ts'

/** `refused`: Discord answered, and did not accept what we sent. `unavailable`: it could not be asked, or answered nonsense. */
export class DiscordError extends Error {
  override readonly name = 'DiscordError'
  constructor(
    readonly outcome: 'refused' | 'unavailable',
    message: string,
  ) {
    super(message)
  }
}

/** All the calls that one attempt makes, together. */
const TIMEOUT_MS = 10_000
const ANSWER_MAX_BYTES = 65_536
const NAME_MAX_LENGTH = 100

export interface Discord {
  /** Where a person says yes or no; Discord then sends the browser to `redirectUri` with `state` and a code. */
  authorizeUrl(redirectUri: string, state: string): string
  /** Who said yes. The token that tells us is given back; nothing of it is kept. @throws DiscordError */
  identityOf(code: string, redirectUri: string): Promise<DiscordIdentity>
}

function fieldOf(answer: unknown, name: string): string {
  const value: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, name) : undefined
  return typeof value === 'string' ? value : ''
}

async function jsonOf(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_MAX_BYTES) throw new DiscordError('unavailable', 'the answer is too large')
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString())
}

/** @throws DiscordError where there is no id to know the account by */
function readIdentity(answer: unknown): DiscordIdentity {
  const id = fieldOf(answer, 'id')
  if (!/^[\w.-]{1,64}$/.test(id)) throw new DiscordError('unavailable', 'the answer names no account')
  const name = [fieldOf(answer, 'global_name'), fieldOf(answer, 'username')]
    .map((each) => each.replace(/\p{Cc}/gu, '').trim())
    .find((each) => each !== '')
  return { id, name: [...(name ?? id)].slice(0, NAME_MAX_LENGTH).join('') }
}

/** The calls to Discord by which people show which account is theirs (OAuth 2.0, authorization code; scope `identify`). */
export function createDiscord({ clientId, clientSecret, apiBase }: NonNullable<Config['discord']>, siteUrl: string): Discord {
  // Discord turns away programs that do not say who they are in this form.
  const headers = { 'user-agent': `DiscordBot (${siteUrl}, 1)`, accept: 'application/json' }
  const credentials = { client_id: clientId, client_secret: clientSecret }

  async function ask(path: string, signal: AbortSignal, init: RequestInit): Promise<unknown> {
    const response = await fetch(`${apiBase}/api${path}`, { ...init, headers: { ...headers, ...init.headers }, redirect: 'error', signal })
    if (response.status >= 500 || response.status === 429) throw new DiscordError('unavailable', `${path} answered ${response.status}`)
    const answer = await jsonOf(response)
    // The code of an OAuth error tells the administrator what to mend: `invalid_client` is a wrong secret.
    if (!response.ok)
      throw new DiscordError('refused', `${path} answered ${response.status} ${fieldOf(answer, 'error').slice(0, 50)}`.trim())
    return answer
  }
  const post = (path: string, signal: AbortSignal, fields: Record<string, string>) =>
    ask(path, signal, { method: 'POST', body: new URLSearchParams({ ...credentials, ...fields }) })

  async function identify(code: string, redirectUri: string, signal: AbortSignal): Promise<DiscordIdentity> {
    const grant = await post('/oauth2/token', signal, { grant_type: 'authorization_code', code, redirect_uri: redirectUri })
    const token = fieldOf(grant, 'access_token')
    if (token === '') throw new DiscordError('unavailable', 'the answer holds no token')
    try {
      return readIdentity(await ask('/users/@me', signal, { headers: { authorization: `Bearer ${token}` } }))
    } finally {
      // A token that is not given back ends by itself, and is known to nobody any more.
      await post('/oauth2/token/revoke', signal, { token, token_type_hint: 'access_token' }).catch(() => undefined)
    }
  }

  return {
    authorizeUrl: (redirectUri, state) =>
      `${apiBase}/oauth2/authorize?${new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        scope: 'identify',
        redirect_uri: redirectUri,
        state,
      })}`,
    identityOf: async (code, redirectUri) => {
      try {
        return await identify(code, redirectUri, AbortSignal.timeout(TIMEOUT_MS))
      } catch (error) {
        if (error instanceof DiscordError) throw error
        throw new DiscordError('unavailable', error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      }
    },
  }
}
