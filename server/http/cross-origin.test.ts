import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

// These tests call the API on a separate host, from pages on the site's other hosts.

let site: TestApp
const openSite = async (environment: Record<string, string>) => {
  site = await createTestApp({ PUBLIC_ORIGIN: 'https://example.org', SITE_HOSTS: 'example.org,slowedreverb.example', ...environment })
}
beforeEach(() => openSite({ API_BASE_URL: 'https://api.example.org/api' }))
afterEach(() => site.close())

const SONG_URL = '/api/song/get?s=AAAAAAAAAA1&p=night-drive'
async function requestFrom(
  requestOrigin: string | undefined,
  options: { method?: 'GET' | 'OPTIONS' | 'POST'; url?: string; extraHeaders?: Record<string, string> } = {},
) {
  const { statusCode, headers, body } = await site.app.inject({
    method: options.method ?? 'GET',
    url: options.url ?? SONG_URL,
    headers: { host: 'api.example.org', ...(requestOrigin === undefined ? {} : { origin: requestOrigin }), ...options.extraHeaders },
  })
  return { status: statusCode, allowed: headers['access-control-allow-origin'], headers, body }
}
const sendPreflight = (requestOrigin: string, url?: string) =>
  requestFrom(requestOrigin, {
    method: 'OPTIONS',
    extraHeaders: { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    ...(url === undefined ? {} : { url }),
  })

it('CORS: pages of all hosts of the site may call the API with a token', async () => {
  for (const requestOrigin of ['https://example.org', 'https://www.example.org', 'https://fm.slowedreverb.example']) {
    expect(await sendPreflight(requestOrigin)).toMatchObject({
      status: 204,
      allowed: requestOrigin,
      headers: { 'access-control-allow-headers': 'Authorization, Content-Type', 'access-control-allow-methods': 'GET, HEAD, POST' },
    })
    // The request is sent twice, because the second response comes from the cache.
    for (let i = 0; i < 2; i++) {
      const response = await requestFrom(requestOrigin)
      expect([response.status, response.allowed]).toEqual([200, requestOrigin])
      expect(response.headers.vary).toMatch(/^Origin\b/)
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  }
})

it('CORS: pages of the site may read error responses', async () => {
  const response = await requestFrom('https://example.org', { url: '/api/account/getinfo' })
  expect([response.status, response.allowed]).toEqual([401, 'https://example.org'])
  site.lifecycle.state = 'stopping'
  expect(await requestFrom('https://example.org')).toMatchObject({ status: 503, allowed: 'https://example.org' })
})

it('CORS: pages of other sites may not call the API', async () => {
  for (const requestOrigin of [
    'https://evil.example',
    'http://example.org',
    'https://example.org:8443',
    'https://evil-example.org',
    'null',
    undefined,
  ]) {
    const response = await requestFrom(requestOrigin)
    expect([requestOrigin, response.status, response.allowed]).toEqual([requestOrigin, 200, undefined])
    if (requestOrigin !== undefined) expect((await sendPreflight(requestOrigin)).allowed).toBeUndefined()
  }
})

it('CORS: pages of other hosts may request only paths of the API', async () => {
  for (const url of ['/', '/healthz', '/identitytoolkit.googleapis.com/v1/accounts:lookup?key=1', '/apis']) {
    expect((await requestFrom('https://example.org', { url })).allowed).toBeUndefined()
    expect((await sendPreflight('https://example.org', url)).allowed).toBeUndefined()
  }
})

it('CORS: disabled if pages and API have the same origin', async () => {
  await site.close()
  await openSite({})
  expect((await requestFrom('https://fm.example.org')).allowed).toBeUndefined()
  expect((await sendPreflight('https://fm.example.org')).status).toBe(404)
})
