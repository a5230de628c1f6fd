import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

// The API on a host of its own, called by the site's pages from their hosts.

let site: TestApp
const open = async (environment: Record<string, string>) => {
  site = await createTestApp({ PUBLIC_ORIGIN: 'https://example.org', SITE_HOSTS: 'example.org,slowedreverb.example', ...environment })
}
beforeEach(() => open({ API_BASE_URL: 'https://api.example.org/api' }))
afterEach(() => site.close())

const SONG = '/api/song/get?s=AAAAAAAAAA1&p=night-drive'
async function ask(
  origin: string | undefined,
  options: { method?: 'GET' | 'OPTIONS' | 'POST'; url?: string; more?: Record<string, string> } = {},
) {
  const { statusCode, headers, body } = await site.app.inject({
    method: options.method ?? 'GET',
    url: options.url ?? SONG,
    headers: { host: 'api.example.org', ...(origin === undefined ? {} : { origin }), ...options.more },
  })
  return { status: statusCode, allowed: headers['access-control-allow-origin'], headers, body }
}
const preflight = (origin: string, url?: string) =>
  ask(origin, {
    ...{ method: 'OPTIONS', more: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' } },
    ...(url === undefined ? {} : { url }),
  })

it('pages of the site may call, with a token, on every host', async () => {
  for (const origin of ['https://example.org', 'https://www.example.org', 'https://fm.slowedreverb.example']) {
    expect(await preflight(origin)).toMatchObject({
      ...{ status: 204, allowed: origin },
      headers: { 'access-control-allow-headers': 'Authorization, Content-Type', 'access-control-allow-methods': 'GET, HEAD, POST' },
    })
    // The second answer comes out of the cache.
    for (let i = 0; i < 2; i++) {
      const answer = await ask(origin)
      expect([answer.status, answer.allowed]).toEqual([200, origin])
      expect(answer.headers.vary).toMatch(/^Origin\b/)
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  }
})

it('may read why a call was refused', async () => {
  const answer = await ask('https://example.org', { url: '/api/account/getinfo' })
  expect([answer.status, answer.allowed]).toEqual([401, 'https://example.org'])
  site.lifecycle.state = 'stopping'
  expect(await ask('https://example.org')).toMatchObject({ status: 503, allowed: 'https://example.org' })
})

it('pages of others may not', async () => {
  for (const origin of [
    'https://evil.example',
    'http://example.org',
    'https://example.org:8443',
    'https://evil-example.org',
    'null',
    undefined,
  ]) {
    const answer = await ask(origin)
    expect([origin, answer.status, answer.allowed]).toEqual([origin, 200, undefined])
    if (origin !== undefined) expect((await preflight(origin)).allowed).toBeUndefined()
  }
})

it('nothing but the API may be called', async () => {
  for (const url of ['/', '/healthz', '/identitytoolkit.googleapis.com/v1/accounts:lookup?key=1', '/apis']) {
    expect((await ask('https://example.org', { url })).allowed).toBeUndefined()
    expect((await preflight('https://example.org', url)).allowed).toBeUndefined()
  }
})

it('where pages and API are on one host, no other may call', async () => {
  await site.close()
  await open({})
  expect((await ask('https://fm.example.org')).allowed).toBeUndefined()
  expect((await preflight('https://fm.example.org')).status).toBe(404)
})
