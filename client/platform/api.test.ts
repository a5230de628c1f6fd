import { describe, expect, it } from 'vitest'
import { ApiFailure, createApi, inNameOf } from './api.ts'
import { IdentityFailure } from './person.ts'

const answer =
  (body: unknown, status = 200) =>
  async () =>
    new Response(typeof body === 'string' ? body : JSON.stringify(body), { status })
const failure = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ApiFailure)) throw new Error(`not an ApiFailure: ${String(error)}`)
  return error
}

describe('api client', () => {
  it('asks below the base with the query of the contract, and gives the data', async () => {
    const asked: { url: string; init: RequestInit | undefined }[] = []
    const api = createApi({
      baseUrl: 'https://api.example/v1/',
      fetch: async (url, init) => {
        asked.push({ url: String(url), init })
        return new Response(JSON.stringify({ code: 200, message: 'OK', data: [] }))
      },
    })
    expect(await api.call('GET /song/search', { s: 'blue & red', type: 'artist', limit: 50 }, { token: 'secret' })).toEqual([])
    expect(asked[0]?.url).toBe('https://api.example/v1/song/search?s=blue+%26+red&type=artist&limit=50')
    expect(new Headers(asked[0]?.init?.headers).get('Authorization')).toBe('Bearer secret')
  })

  it('posts JSON', async () => {
    let sent: RequestInit | undefined
    const api = createApi({
      baseUrl: '/api',
      fetch: async (_url, init) => {
        sent = init
        return new Response(JSON.stringify({ code: 200, message: 'OK', data: null }))
      },
    })
    await api.call('POST /song/play', { s: 'abcdefghijk', p: 'pop' })
    expect(sent?.method).toBe('POST')
    expect(sent?.body).toBe('{"s":"abcdefghijk","p":"pop"}')
  })

  it("throws the envelope's error with its message", async () => {
    const api = createApi({ baseUrl: '/api', fetch: answer({ code: 404, message: 'No such playlist.', data: null }, 404) })
    expect(await failure(api.call('GET /playlist/get', { p: 'x' }))).toMatchObject({ kind: 'api', code: 404, message: 'No such playlist.' })
  })

  it('takes an unreachable site and a page of somebody else for a network failure', async () => {
    const offline = createApi({ baseUrl: '/api', fetch: async () => Promise.reject(new TypeError('Failed to fetch')) })
    expect(await failure(offline.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network', code: 0 })
    const portal = createApi({ baseUrl: '/api', fetch: answer('<html>log in</html>') })
    expect(await failure(portal.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network' })
    const wall = createApi({ baseUrl: '/api', fetch: answer('<html>forbidden</html>', 403) })
    expect(await failure(wall.call('GET /site', {}))).toMatchObject({ kind: 'network', code: 0 })
    const gateway = createApi({ baseUrl: '/api', fetch: answer('<html>bad gateway</html>', 502) })
    expect(await failure(gateway.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'api', code: 502 })
  })

  it('gives up after the time-out, and when it is told to', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const api = createApi({ baseUrl: '/api', fetch: never, timeoutMs: 20 })
    expect(await failure(api.call('GET /playlist/explore', {}))).toMatchObject({ kind: 'network' })
    const abort = new AbortController()
    const call = createApi({ baseUrl: '/api', fetch: never }).call('GET /playlist/explore', {}, { signal: abort.signal })
    setTimeout(() => abort.abort('left'), 5)
    await expect(call).rejects.toBe('left')
  })
})

describe('calls in the name of a person', () => {
  const info = { email: 'ann@example.com', roles: [], discord: '', discord_id: '' }
  /** A site that takes one token. */
  function siteThatTakes(good: string) {
    const shown: (string | null)[] = []
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      const bearer = new Headers(init?.headers).get('Authorization')
      shown.push(bearer)
      const body =
        bearer === `Bearer ${good}` ? { code: 200, message: 'OK', data: info } : { code: 401, message: 'Please log in.', data: null }
      return new Response(JSON.stringify(body), { status: body.code })
    }
    return { shown, api: createApi({ baseUrl: '/api', fetch }) }
  }

  it('carry the token', async () => {
    const { shown, api } = siteThatTakes('one')
    expect(await inNameOf({ token: async () => 'one' }, api).call('GET /account/getinfo', {})).toEqual(info)
    expect(shown).toEqual(['Bearer one'])
  })

  it('renew a token that is refused, once', async () => {
    const { shown, api } = siteThatTakes('two')
    const asked: (string | undefined)[] = []
    const token = async (refused?: string) => {
      asked.push(refused)
      return refused === undefined ? 'one' : 'two'
    }
    expect(await inNameOf({ token }, api).call('GET /account/getinfo', {})).toEqual(info)
    expect(asked).toEqual([undefined, 'one'])
    expect(shown).toEqual(['Bearer one', 'Bearer two'])
    const refusedAgain = siteThatTakes('none of them')
    expect(await failure(inNameOf({ token }, refusedAgain.api).call('GET /account/getinfo', {}))).toMatchObject({ kind: 'api', code: 401 })
    expect(refusedAgain.shown).toHaveLength(2)
  })

  it('fail as the network does where the token cannot be renewed now, and as a log-out where it never can', async () => {
    const { shown, api } = siteThatTakes('one')
    const failing = (code: string) => ({ token: () => Promise.reject(new IdentityFailure(code)) })
    const call = (code: string) => failure(inNameOf(failing(code), api).call('GET /account/getinfo', {}))
    expect(await call('network-request-failed')).toMatchObject({ kind: 'network' })
    expect(await call('user-token-expired')).toMatchObject({ kind: 'api', code: 401 })
    expect(shown).toEqual([])
  })

  it('go without a token where nobody is signed in', async () => {
    const { shown, api } = siteThatTakes('one')
    expect(await failure(inNameOf({ token: async () => undefined }, api).call('GET /account/getinfo', {}))).toMatchObject({ code: 401 })
    expect(shown).toEqual([null])
  })
})
