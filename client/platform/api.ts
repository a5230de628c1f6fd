import type { EndpointData, EndpointInput, EndpointKey, Endpoints } from '../../contract/endpoints.ts'
import { startTimeout } from '../primitives/scope.ts'
import type { Identity } from './identity.ts'
import { IdentityFailure } from './identity-types.ts'

/**
 * A failed call. `network`: the site did not respond (offline, time-out, or a response from another server, such as a captive portal).
 * `api`: the site responded with an error; `code` is its status and `message` the text to show.
 */
export class ApiCallError extends Error {
  override readonly name = 'ApiCallError'
  constructor(
    readonly kind: 'network' | 'api',
    /** The HTTP status of the response; 0 without a response. */
    readonly code: number,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

export interface CallOptions {
  /** The signal that aborts the call. The promise then rejects with the signal's reason. */
  signal?: AbortSignal
  /** The identity token. It is sent as a bearer header, so that no URL contains the token. */
  token?: string
}

export interface Api {
  /**
   * Calls an endpoint of the contract and returns the `data` of the response. Rejects with an `ApiCallError`. The caller repeats a failed call if
   * needed.
   */
  call<K extends EndpointKey>(key: K, input: EndpointInput<K>, options?: CallOptions): Promise<EndpointData<K>>
}

export interface ApiDeps {
  /** The base URL of all paths, from `Site.api_base_url`. */
  baseUrl: string
  fetch?: typeof globalThis.fetch
  timeoutMs?: number
}

const REQUEST_TIMEOUT_MS = 30_000
const createNetworkFailure = (cause: unknown) => new ApiCallError('network', 0, 'No connection to the server.', { cause })

export function createApi(deps: ApiDeps): Api {
  const baseUrl = deps.baseUrl.replace(/(?<!\/)\/+$/, '')
  const fetchResponse = deps.fetch ?? globalThis.fetch.bind(globalThis)

  return {
    async call<K extends EndpointKey>(endpointKey: K, endpointInput: EndpointInput<K>, options: CallOptions = {}) {
      const [method = '', urlPath = ''] = endpointKey.split(' ')
      const headers = new Headers({ Accept: 'application/json' })
      if (options.token !== undefined) headers.set('Authorization', `Bearer ${options.token}`)
      const timeoutSignal = AbortSignal.timeout(deps.timeoutMs ?? REQUEST_TIMEOUT_MS)
      const init: RequestInit = {
        method,
        headers,
        signal: options.signal ? AbortSignal.any([options.signal, timeoutSignal]) : timeoutSignal,
      }
      let url = baseUrl + urlPath
      if (method === 'GET') url += toQuery(endpointInput)
      else {
        headers.set('Content-Type', 'application/json')
        init.body = JSON.stringify(endpointInput)
      }
      try {
        return await readEnvelope<K>(await fetchResponse(url, init))
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason
        throw error instanceof ApiCallError ? error : createNetworkFailure(error)
      }
    },
  }
}

/** The endpoints that require a token, or accept one. */
export type AccountEndpointKey = { [K in EndpointKey]: Endpoints[K]['access'] extends 'public' ? never : K }[EndpointKey]

/** Calls endpoints with the token of the signed-in account. */
export interface AccountApi {
  call<K extends AccountEndpointKey>(key: K, input: EndpointInput<K>, options?: CallOptions): Promise<EndpointData<K>>
}

/**
 * Adds the identity token to each call. If the site rejects the token, the token is renewed and the call is repeated once. When the login ends, its
 * calls are aborted and reject like calls that the site rejects.
 */
export function withAuth(identity: Pick<Identity, 'token' | 'loginSignal'>, api: Api): AccountApi {
  const createLoginEndedError = (cause: unknown) => new ApiCallError('api', 401, 'Please log in.', { cause })
  const getToken = (refusedToken?: string) =>
    identity.token(refusedToken).catch((error: unknown) => {
      throw error instanceof IdentityFailure && error.code !== 'network-request-failed'
        ? createLoginEndedError(error)
        : createNetworkFailure(error)
    })
  return {
    async call(endpointKey, endpointInput, options) {
      const loginSignal = identity.loginSignal()
      const token = await getToken()
      if (token === undefined) return api.call(endpointKey, endpointInput, options)
      const signal = options?.signal ? AbortSignal.any([options.signal, loginSignal]) : loginSignal
      try {
        return await api.call(endpointKey, endpointInput, { signal, token })
      } catch (error) {
        if (loginSignal.aborted) throw createLoginEndedError(error)
        if (!(error instanceof ApiCallError) || error.code !== 401) throw error
        const renewedToken = await getToken(token)
        if (renewedToken === undefined || renewedToken === token) throw error
        return api.call(endpointKey, endpointInput, { signal, token: renewedToken })
      }
    },
  }
}

/** The time in milliseconds after which a site that has not responded is reported as unreachable until the response arrives. */
export const UNREACHABLE_AFTER_MS = 8_000

/** Reports the outcome of each call to `connection`. */
export function withConnectionTracking(
  api: Api,
  connection: { reportResponse(requestedAtMs: number): void; reportUnreachable(): void },
): Api {
  return {
    async call(endpointKey, endpointInput, options) {
      const cancelReport = startTimeout(connection.reportUnreachable, UNREACHABLE_AFTER_MS)
      const requestedAtMs = performance.now()
      try {
        const data = await api.call(endpointKey, endpointInput, options)
        connection.reportResponse(requestedAtMs)
        return data
      } catch (error) {
        if (error instanceof ApiCallError)
          error.kind === 'network' ? connection.reportUnreachable() : connection.reportResponse(requestedAtMs)
        throw error
      } finally {
        cancelReport()
      }
    },
  }
}

function toQuery(requestInput: unknown): string {
  const queryParams = new URLSearchParams()
  for (const [name, value] of Object.entries<unknown>(Object(requestInput))) if (value !== undefined) queryParams.set(name, String(value))
  const text = queryParams.toString()
  return text === '' ? '' : `?${text}`
}

async function readEnvelope<K extends EndpointKey>(response: Response): Promise<EndpointData<K>> {
  const responseBody: unknown = await response.json().catch((error: unknown) => {
    // The body does not have the format of the API. With a status of 500 or more, it comes from the site's gateway. Otherwise it may come from a
    // proxy or captive portal, so it counts as a network failure.
    throw response.status < 500
      ? createNetworkFailure(error)
      : new ApiCallError('api', response.status, 'The server could not answer. Try again in a moment.')
  })
  if (!isEnvelope(responseBody)) throw createNetworkFailure(new TypeError(`${response.url} returned no envelope.`))
  if (responseBody.code > 299) throw new ApiCallError('api', responseBody.code, responseBody.message)
  // The server's tests check every response against the schema of its endpoint, so `data` has the type that the endpoint table names.
  return responseBody.data as EndpointData<K>
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
