import { describe, expect, it } from 'vitest'
import { ApiFailure, createApi } from './api.ts'

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
