import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../contract/endpoints.ts'
import { createTestApp, type TestApp } from './test-app.ts'

let site: TestApp
let port = 0
beforeAll(async () => {
  site = await createTestApp({ RATE_LIMIT_CONTACT: '100000' })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  const address = site.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => site.close())

/** A request whose path goes out as it is written. */
function raw(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (chunk: string) => {
        text += chunk
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

const LEAKS = /node_modules|\bat .*\.ts|sqlite|select |insert |FST_ERR|ENOENT|\/tmp\//i
function expectEnvelope(answer: { status: number; body: string }, ...statuses: number[]) {
  expect(statuses).toContain(answer.status)
  const parsed = JSON.parse(answer.body)
  expect(parsed).toEqual({ code: answer.status, message: expect.any(String), data: null })
  expect(answer.body).not.toMatch(LEAKS)
  return parsed.message as string
}

describe('bad input', () => {
  it.each([
    ['/api/song/search', 's is required'],
    ['/api/song/search?s=', 's must not be empty'],
    ['/api/song/search?s=a&s=b', 's must be given once'],
    ['/api/song/search?s=a%00b', 's must not hold a null character'],
    [`/api/song/search?s=${'a'.repeat(201)}`, 's must have at most 200 characters'],
    ['/api/song/search?s=a&orderBy=plays', 'orderBy must be one of title, date_added'],
    ['/api/song/search?s=a&orderDir=asc', 'orderDir must be one of ASC, DESC'],
    ['/api/song/search?s=a&type=album', 'type must be one of artist'],
    ['/api/song/search?s=a&limit=0', 'limit must be a whole number from 1 to 10000'],
    ['/api/song/search?s=a&limit=ten', 'limit must be a whole number from 1 to 10000'],
    ['/api/song/search?s=a&limit=1.5', 'limit must be a whole number'],
    ['/api/song/search?s=a&offset=-1', 'offset must be a whole number'],
    ['/api/song/search?s=a&limit=9999999999999999', 'limit must be a whole number'],
    ['/api/playlist/all?home=yes', 'home must be one of true, false'],
    ['/api/playlist/get', 'p is required'],
    ['/api/song/get?p=night-drive', 's is required'],
  ])('%s: %s', async (path, message) => {
    expect(expectEnvelope(await raw('GET', path), 400)).toContain(message)
  })

  it('tolerates unknown and empty parameters', async () => {
    expect((await raw('GET', '/api/song/search?s=cafe&utm_source=x&type=&limit=&__proto__=1')).status).toBe(200)
  })

  it('takes query operators and markup as text', async () => {
    for (const s of ['" OR 1=1 --', 'a* NOT b', 'NEAR(a b)', "'; DROP TABLE songs;--", '<script>', '%', '_', '^café', 'title:x'])
      expect((await raw('GET', `/api/song/search?s=${encodeURIComponent(s)}`)).status).toBe(200)
    expect((await raw('GET', '/api/song/search?s=100%&limit=1')).status).toBe(200)
  })

  it('answers malformed requests with 400', async () => {
    expectEnvelope(await raw('GET', '/%zz'), 400)
    expectEnvelope(await raw('GET', '/api/%c3%28'), 400)
    expectEnvelope(await raw('GET', '/', { 'x-large': 'x'.repeat(20_000) }), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"s":'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"__proto__":{"s":1}}'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'application/json' }, '["s"]'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"s":5}'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'multipart/form-data; boundary=b' }, '--b\r\nnonsense'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': 'multipart/form-data' }, 'x'), 400)
    expectEnvelope(await raw('POST', '/api/song/play'), 400)
    expectEnvelope(await raw('POST', '/api/song/play', { 'content-type': '\u00e9' }, 'x'), 415)
  })

  it('answers what is not HTTP', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
      socket.on('data', (chunk) => resolve(chunk.toString()))
      socket.on('error', reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('what is not there', () => {
  it('is 404 in the envelope for programs', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/song/get/more', '/api/../etc/passwd'])
      expectEnvelope(await raw('GET', path), 404)
    expectEnvelope(await raw('POST', '/api/song/get?s=AAAAAAAAAA1'), 404)
    expectEnvelope(await raw('DELETE', '/api/song/play'), 404)
    expectEnvelope(await raw('POST', '/playlists'), 404)
  })

  it('is the 404 page for people, also where no file could have that path', async () => {
    for (const path of ['//other.example', '/a%00b', '/assets/', '/..', '/.env', '/index.html']) {
      const answer = await raw('GET', path)
      expect([path, answer.status]).toEqual([path, 404])
      expect(answer.body).toContain('<h1>Page not found</h1>')
    }
  })

  it('is never a file outside of the client', async () => {
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets',
      '/assets/',
    ]) {
      const answer = await raw('GET', path)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(answer.status).toBeLessThan(500)
      expect(answer.body).not.toContain('outside of the client')
    }
  })
})

describe('files of the client', () => {
  it('are packed and kept for good', async () => {
    const answer = await site.app.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': 'br' } })
    expect([answer.statusCode, answer.body, answer.headers['content-encoding']]).toEqual([200, 'packed', 'br'])
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    const kernel = await site.app.inject({ url: '/assets/kernel-abc123.wasm', headers: { 'accept-encoding': 'br' } })
    expect([kernel.headers['content-type'], kernel.headers['content-encoding']]).toEqual(['application/wasm', 'br'])
  })

  it('differ by brand where they show it', async () => {
    const icon = async (host: string) => (await site.app.inject({ url: '/icon.svg', headers: { host } })).body
    expect(await icon('localhost')).toContain('<svg')
    expect(await icon('localhost')).not.toBe(await icon('slowedreverb.localhost'))
    const ico = await site.app.inject('/favicon.ico')
    expect([...ico.rawPayload.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0])
    expect(ico.rawPayload.subarray(22, 26).toString('latin1')).toBe('\x89PNG')
    expect((await site.app.inject('/apple-touch-icon.png')).headers['content-type']).toBe('image/png')
    expect((await site.app.inject('/robots.txt')).body).toContain('User-agent: *')
  })

  it('do not include the page without its head', async () => {
    expect((await site.app.inject('/index.html')).statusCode).toBe(404)
  })
})

describe('start and stop', () => {
  it('is 503 everywhere until ready, and healthy then', async () => {
    for (const state of ['starting', 'stopping'] as const) {
      site.lifecycle.state = state
      for (const path of ['/healthz', '/api/song/get?s=AAAAAAAAAA1', '/']) expectEnvelope(await raw('GET', path), 503)
    }
    site.lifecycle.state = 'ready'
    expect((await raw('GET', '/healthz')).status).toBe(200)
  })
})

describe('failures inside', () => {
  it('are hidden, logged without secrets, and leave the page usable', async () => {
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2VjcmV0'
    const failing = await createTestApp(
      {},
      {
        wrapStorage: (storage) => ({
          ...storage,
          songs: {
            ...storage.songs,
            get: () => Promise.reject(new Error(`SELECT secret FROM /tmp/db with ${token}`)),
            countPlay: () => Promise.reject(Object.assign(new Error('disk'), { statusCode: 507 })),
          },
        }),
      },
    )
    try {
      const url = `/api/song/get?s=AAAAAAAAAA1&firebase_auth_token=${token}`
      const answer = await failing.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      expectEnvelope({ status: answer.statusCode, body: answer.body }, 500)
      const play = await failing.app.inject({
        method: 'POST',
        url: '/api/song/play',
        payload: { s: 'AAAAAAAAAA1', firebase_auth_token: token },
      })
      expectEnvelope({ status: play.statusCode, body: play.body }, 500)
      await failing.app.inject(`/nowhere?firebase_auth_token=${token}`)
      const page = await failing.app.inject('/song?s=AAAAAAAAAA1')
      expect([page.statusCode, page.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
      expect(page.body).toContain('id="site"')
      expect(failing.logged()).toContain('request failed')
      expect(failing.logged()).not.toContain('eyJ')
    } finally {
      await failing.close()
    }
  })
})

describe('any request', () => {
  const paths = [
    ...Object.keys(endpoints).map((key) => `/api${key.split(' ')[1]}`),
    '/',
    '/song',
    '/playlist',
    '/search',
    '/img/song/x/1',
    '/%2e',
  ]
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('AAAAAAAAAA1', 'night-drive', 'favorite', '\0', '../..', '{}', '[]', '-1', '1e9', '%', '%00', '\ud800', '\'"<>;--'),
  )
  const encoded = nasty.map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?')))

  it('is never a 5xx and never a leak', async () => {
    const query = fc.array(
      fc.tuple(fc.oneof(fc.constantFrom('s', 'p', 'q', 'limit', 'offset', 'orderBy', 'home', 'type', 'not'), encoded), encoded),
      {
        maxLength: 5,
      },
    )
    const methods = fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH')
    const hosts = fc.constantFrom('localhost', 'fm.localhost', 'aria.localhost', 'slowedreverb.localhost', 'x y', '')
    await fc.assert(
      fc.asyncProperty(methods, fc.constantFrom(...paths), query, fc.jsonValue(), hosts, async (method, path, pairs, json, host) => {
        const search = pairs.map(([name, value]) => `${name}=${value}`).join('&')
        const hasBody = method !== 'GET' && method !== 'HEAD'
        const headers = { host, ...(hasBody ? { 'content-type': 'application/json' } : {}) }
        const answer = await raw(method, `${path}?${search}`, headers, hasBody ? JSON.stringify(json) : undefined)
        expect(answer.status).toBeLessThan(500)
        expect(answer.body.includes('node_modules')).toBe(false)
      }),
      { numRuns: 1500 },
    )
  }, 60_000)

  it('may have any form as its body', async () => {
    const types = fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'multipart/form-data; boundary=b')
    const fields = fc.constantFrom('s', 'p', 'reason', 'topic', 'message', 'email', 'remember', 'opened_at', '__proto__', 'a[b]')
    const body = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(fc.tuple(fields, encoded)).map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
      fc.dictionary(fields, fc.oneof(nasty, fc.jsonValue())).map((value) => JSON.stringify(value)),
    )
    const posts = fc.constantFrom('/api/song/play', '/api/song/unplayable', '/api/contact/request')
    await fc.assert(
      fc.asyncProperty(posts, types, body, async (path, type, text) => {
        const answer = await raw('POST', path, { 'content-type': type }, text)
        expect(answer.status).toBeLessThan(500)
        expect(JSON.parse(answer.body).code).toBe(answer.status)
      }),
      { numRuns: 500 },
    )
  }, 60_000)
})
