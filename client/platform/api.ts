import type { Data, EndpointKey, Endpoints, Input } from '../../contract/endpoints.ts'
import type { Identity } from './identity.ts'
import { IdentityFailure } from './person.ts'

/**
 * Why a call gave no data. `network`: no answer from the site (offline, time-out, or an answer that is not the site's).
 * `api`: the site answered with an error; `code` is its status and `message` the text to show.
 */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  constructor(
    readonly kind: 'network' | 'api',
    /** The HTTP status; 0 where there was no answer. */
    readonly code: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface CallOptions {
  /** Ends the call; its reason is what the promise rejects with. */
  signal?: AbortSignal
  /** The signed-in person's token, sent as a bearer header so that it stands in no URL. */
  token?: string
}

export interface Api {
  /**
   * Calls an endpoint of the contract and gives the `data` of its answer. Rejects with an `ApiFailure`.
   * Nothing is repeated here: a call that may be repeated is repeated by whoever knows why.
   */
  call<K extends EndpointKey>(key: K, input: Input<K>, options?: CallOptions): Promise<Data<K>>
}

export interface ApiDeps {
  /** The base of all paths, as `Site.api_base_url` gives it. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

const TIMEOUT_MS = 30_000
const networkFailure = (cause: unknown) => new ApiFailure('network', 0, 'No connection to the server.', { cause })

export function createApi(deps: ApiDeps): Api {
  const baseUrl = deps.baseUrl.replace(/\/+$/, '')
  const send = deps.fetch ?? globalThis.fetch.bind(globalThis)

  return {
    async call<K extends EndpointKey>(key: K, input: Input<K>, options: CallOptions = {}) {
      const [method, path] = splitKey(key)
      const headers = new Headers({ Accept: 'application/json' })
      if (options.token !== undefined) headers.set('Authorization', `Bearer ${options.token}`)
      const timeout = AbortSignal.timeout(deps.timeoutMs ?? TIMEOUT_MS)
      const init: RequestInit = { method, headers, signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout }
      let url = baseUrl + path
      if (method === 'GET') url += toQuery(input)
      else {
        headers.set('Content-Type', 'application/json')
        init.body = JSON.stringify(input)
      }
      try {
        return await readEnvelope<K>(await send(url, init))
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason
        throw error instanceof ApiFailure ? error : networkFailure(error)
      }
    },
  }
}

/** The calls that want to know who makes them. */
export type AccountEndpointKey = { [K in EndpointKey]: Endpoints[K]['access'] extends 'public' ? never : K }[EndpointKey]

/** As `Api`, in the name of the person who is signed in. */
export interface AccountApi {
  call<K extends AccountEndpointKey>(key: K, input: Input<K>, options?: CallOptions): Promise<Data<K>>
}

/** A token that the site does not take is renewed, and the call made once more. */
export function inNameOf(identity: Pick<Identity, 'token'>, api: Api): AccountApi {
  const tokenOf = (refused?: string) =>
    identity.token(refused).catch((error: unknown) => {
      throw error instanceof IdentityFailure && error.code !== 'network-request-failed'
        ? new ApiFailure('api', 401, 'Please log in.', { cause: error })
        : networkFailure(error)
    })
  return {
    async call(key, input, options) {
      const token = await tokenOf()
      if (token === undefined) return api.call(key, input, options)
      try {
        return await api.call(key, input, { ...options, token })
      } catch (error) {
        if (!(error instanceof ApiFailure) || error.code !== 401) throw error
        const renewed = await tokenOf(token)
        if (renewed === undefined || renewed === token) throw error
        return api.call(key, input, { ...options, token: renewed })
      }
    },
  }
}

/** A site that has not answered by then counts as one that does not, until it does. */
export const PATIENCE_MS = 8_000

/** `api`, whose outcomes are told to `connection`. */
export function observed(api: Api, connection: { answered(askedAtMs: number): void; unreachable(): void }): Api {
  return {
    async call(key, input, options) {
      const overdue = setTimeout(connection.unreachable, PATIENCE_MS)
      const askedAtMs = performance.now()
      try {
        const data = await api.call(key, input, options)
        connection.answered(askedAtMs)
        return data
      } catch (error) {
        if (error instanceof ApiFailure) error.kind === 'network' ? connection.unreachable() : connection.answered(askedAtMs)
        throw error
      } finally {
        clearTimeout(overdue)
      }
    },
  }
}

function splitKey(key: EndpointKey): ['GET' | 'POST', string] {
  return key.startsWith('GET ') ? ['GET', key.slice(4)] : ['POST', key.slice(5)]
}

function toQuery(input: unknown): string {
  const query = new URLSearchParams()
  if (typeof input !== 'object' || input === null) return ''
  for (const [name, value] of Object.entries(input)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

async function readEnvelope<K extends EndpointKey>(response: Response): Promise<Data<K>> {
  const body: unknown = await response.json().catch((error: unknown) => {
    // A page of a proxy or of a hotel's log-in is no answer of ours, whatever its status; a failing gateway at least has one.
    throw response.status < 500
      ? networkFailure(error)
      : new ApiFailure('api', response.status, 'The server could not answer. Try again in a moment.')
  })
  if (!isEnvelope(body)) throw networkFailure(new TypeError('The answer is not an envelope.'))
  if (body.code !== 200) throw new ApiFailure('api', body.code, body.message)
  // The contract is what the server serialises by, so `data` has the shape that the endpoint's key names.
  return body.data as Data<K>
}

function isEnvelope(body: unknown): body is { code: number; message: string; data: unknown } {
  return (
    typeof body === 'object' &&
    body !== null &&
    'data' in body &&
    'code' in body &&
    typeof body.code === 'number' &&
    'message' in body &&
    typeof body.message === 'string'
  )
}
