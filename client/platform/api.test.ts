import { describe, expect, it } from 'vitest'
import { ApiCallError, createApi, withAuth } from './api.ts'
import type { Identity } from './identity.ts'
import { IdentityFailure } from './identity-types.ts'

const createFetchAnswering =
  (body: unknown, status = 200) =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
const catchCallError = async (promise: Promise<unknown>): Promise<ApiCallError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiCallError)) throw new Error(`not an ApiCallError: ${String(error)}`)
  return error
}

describe('api client', () => {
  it("the API client requests the path below the base URL with the query, and returns the response's data", async () => {
    const sentRequests: { url: string; init: RequestInit | undefined }[] = []
    const api = createApi({
      baseUrl: 'https://api.example/v1/',
      fetch: async (url, init) => {
        sentRequests.push({ url: String(url), init })
        return new Response(JSON.stringify({ code: 200, message: 'OK', data: [] }))
      },
    })
    expect(await api.call('GET /song/search', { s: 'blue & red', type: 'artist', limit: 50 }, { token: 'secret' })).toEqual([])
    expect(sentRequests[0]?.url).toBe('https://api.example/v1/song/search?s=blue+%26+red&type=artist&limit=50')
    expect(new Headers(sentRequests[0]?.init?.headers).get('Authorization')).toBe('Bearer secret')
  })

  it('the API client posts JSON', async () => {
    let sentInit: RequestInit | undefined
    const api = createApi({
      baseUrl: '/api',
      fetch: async (_url, init) => {
        sentInit = init
        return new Response(JSON.stringify({ code: 200, message: 'OK', data: null }))
      },
    })
    await api.call('POST /song/play', { s: 'abcdefghijk', p: 'pop' })
    expect(sentInit?.method).toBe('POST')
    expect(sentInit?.body).toBe('{"s":"abcdefghijk","p":"pop"}')
  })

  it("the API client throws the envelope's error with its message", async () => {
    const api = createApi({ baseUrl: '/api', fetch: createFetchAnswering({ code: 404, message: 'No such playlist.', data: null }, 404) })
    expect(await catchCallError(api.call('GET /playlist/get', { p: 'x' }))).toMatchObject({
      kind: 'api',
      code: 404,
      message: 'No such playlist.',
    })
  })

  it('the API client reports an unreachable site, and a response without an envelope, as a network failure', async () => {
    const offlineApi = createApi({ baseUrl: '/api', fetch: async () => Promise.reject(new TypeError('Failed to fetch')) })
    expect(await catchCallError(offlineApi.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network', code: 0 })
    const captivePortalApi = createApi({ baseUrl: '/api', fetch: createFetchAnswering('<html>log in</html>') })
    expect(await catchCallError(captivePortalApi.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network' })
    const firewalledApi = createApi({ baseUrl: '/api', fetch: createFetchAnswering('<html>forbidden</html>', 403) })
    expect(await catchCallError(firewalledApi.call('GET /site', {}))).toMatchObject({ kind: 'network', code: 0 })
    const gatewayApi = createApi({ baseUrl: '/api', fetch: createFetchAnswering('<html>bad gateway</html>', 502) })
    expect(await catchCallError(gatewayApi.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'api', code: 502 })
  })

  it('the API client rejects after the time-out, and when the signal is aborted', async () => {
    const fetchNeverSettling: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const api = createApi({ baseUrl: '/api', fetch: fetchNeverSettling, timeoutMs: 20 })
    expect(await catchCallError(api.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network' })
    const abortController = new AbortController()
    const callPromise = createApi({ baseUrl: '/api', fetch: fetchNeverSettling }).call(
      'GET /playlist/explore',
      {},
      { signal: abortController.signal },
    )
    setTimeout(() => abortController.abort('left'), 5)
    await expect(callPromise).rejects.toBe('left')
  })
})

describe('withAuth', () => {
  const accountInfo = { email: 'ann@example.com', roles: [], discord: '', discord_id: '' }
  /** Creates a fake site that accepts only one token. */
  function createSiteAcceptingToken(goodToken: string) {
    const shownMessages: (string | null)[] = []
    const fetchCounted: typeof globalThis.fetch = async (_url, init) => {
      const bearerHeader = new Headers(init?.headers).get('Authorization')
      shownMessages.push(bearerHeader)
      const body =
        bearerHeader === `Bearer ${goodToken}`
          ? { code: 200, message: 'OK', data: accountInfo }
          : { code: 401, message: 'Please log in.', data: null }
      return new Response(JSON.stringify(body), { status: body.code })
    }
    return { shown: shownMessages, api: createApi({ baseUrl: '/api', fetch: fetchCounted }) }
  }

  /** Creates a fake identity whose login does not end. */
  const createIdentityWithToken = (token: Identity['token']) => ({ token, loginSignal: () => new AbortController().signal })

  it('withAuth sends the token', async () => {
    const { shown: shownMessages, api } = createSiteAcceptingToken('one')
    expect(
      await withAuth(
        createIdentityWithToken(async () => 'one'),
        api,
      ).call('GET /account/getinfo', {}),
    ).toEqual(accountInfo)
    expect(shownMessages).toEqual(['Bearer one'])
  })

  it('withAuth renews a rejected token once', async () => {
    const { shown: shownMessages, api } = createSiteAcceptingToken('two')
    const requestTokens: (string | undefined)[] = []
    const getToken = async (refusedToken?: string) => {
      requestTokens.push(refusedToken)
      return refusedToken === undefined ? 'one' : 'two'
    }
    expect(await withAuth(createIdentityWithToken(getToken), api).call('GET /account/getinfo', {})).toEqual(accountInfo)
    expect(requestTokens).toEqual([undefined, 'one'])
    expect(shownMessages).toEqual(['Bearer one', 'Bearer two'])
    const siteRefusingEveryToken = createSiteAcceptingToken('none of them')
    expect(
      await catchCallError(withAuth(createIdentityWithToken(getToken), siteRefusingEveryToken.api).call('GET /account/getinfo', {})),
    ).toMatchObject({
      kind: 'api',
      code: 401,
    })
    expect(siteRefusingEveryToken.shown).toHaveLength(2)
  })

  it('if the token cannot be renewed, withAuth rejects with a network failure offline, and with 401 if the login has ended', async () => {
    const { shown: shownMessages, api } = createSiteAcceptingToken('one')
    const createRejectingIdentity = (code: string) => createIdentityWithToken(() => Promise.reject(new IdentityFailure(code)))
    const callWithFailure = (code: string) => catchCallError(withAuth(createRejectingIdentity(code), api).call('GET /account/getinfo', {}))
    expect(await callWithFailure('network-request-failed')).toMatchObject({ kind: 'network' })
    expect(await callWithFailure('user-token-expired')).toMatchObject({ kind: 'api', code: 401 })
    expect(shownMessages).toEqual([])
  })

  it('withAuth sends no token if nobody is signed in', async () => {
    const { shown: shownMessages, api } = createSiteAcceptingToken('one')
    expect(
      await catchCallError(
        withAuth(
          createIdentityWithToken(async () => undefined),
          api,
        ).call('GET /account/getinfo', {}),
      ),
    ).toMatchObject({ code: 401 })
    expect(shownMessages).toEqual([null])
  })

  it('when the login ends, withAuth aborts the call, rejects with 401, and does not renew the token', async () => {
    const loginController = new AbortController()
    const requestedTokens: (string | undefined)[] = []
    const fetchAborted: typeof globalThis.fetch = async (_url, init) => {
      loginController.abort()
      init?.signal?.throwIfAborted()
      throw new Error('The call was not aborted.')
    }
    const accountApi = withAuth(
      { token: async (refusedToken) => `token-${requestedTokens.push(refusedToken)}`, loginSignal: () => loginController.signal },
      createApi({ baseUrl: '/api', fetch: fetchAborted }),
    )
    expect(await catchCallError(accountApi.call('GET /account/getinfo', {}))).toMatchObject({ kind: 'api', code: 401 })
    expect(requestedTokens).toEqual([undefined])
  })
})
