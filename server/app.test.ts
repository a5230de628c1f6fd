import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../contract/endpoints.ts'
import { pagePaths } from '../contract/pages.ts'
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

/** Sends an HTTP request whose path, unlike that of `fetch`, is not normalised. */
function sendRawRequest(
  httpMethod: string,
  urlPath: string,
  headers: Record<string, string> = {},
  requestBody?: string,
): Promise<{ status: number; body: string; location: string | undefined }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method: httpMethod, path: urlPath, headers }, (response) => {
      let responseText = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        responseText += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: responseText, location: response.headers.location }))
    })
    request.on('error', reject)
    request.end(requestBody)
  })
}

const INTERNALS_PATTERN = /node_modules|\bat .*\.ts|sqlite|select |insert |FST_ERR|ENOENT|\/tmp\//i
function expectEnvelope(response: { status: number; body: string }, ...allowedStatuses: number[]) {
  expect(allowedStatuses).toContain(response.status)
  const responseEnvelope = JSON.parse(response.body)
  expect(responseEnvelope).toEqual({ code: response.status, message: expect.any(String), data: null })
  expect(response.body).not.toMatch(INTERNALS_PATTERN)
  return responseEnvelope.message as string
}

describe('bad input', () => {
  it.each([
    ['/api/song/search', 's is required'],
    ['/api/song/search?s=', 's must not be empty'],
    ['/api/song/search?s=a&s=b', 's must be given once'],
    ['/api/song/search?s=a%00b', 's must not hold a null character'],
    [`/api/song/search?s=${'a'.repeat(601)}`, 's must have at most 600 characters'],
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
  ])('the invalid request %s is answered with 400 and a message that contains: %s', async (path, message) => {
    expect(expectEnvelope(await sendRawRequest('GET', path), 400)).toContain(message)
  })

  it('unknown and empty parameters are tolerated', async () => {
    expect((await sendRawRequest('GET', '/api/song/search?s=cafe&utm_source=x&type=&limit=&__proto__=1')).status).toBe(200)
  })

  it('query operators and markup are treated as text', async () => {
    for (const s of ['" OR 1=1 --', 'a* NOT b', 'NEAR(a b)', "'; DROP TABLE songs;--", '<script>', '%', '_', '^café', 'title:x'])
      expect((await sendRawRequest('GET', `/api/song/search?s=${encodeURIComponent(s)}`)).status).toBe(200)
    expect((await sendRawRequest('GET', '/api/song/search?s=100%&limit=1')).status).toBe(200)
  })

  it('malformed requests are answered with 400', async () => {
    expectEnvelope(await sendRawRequest('GET', '/api/%zz'), 400)
    expectEnvelope(await sendRawRequest('POST', '/%zz'), 400)
    expectEnvelope(await sendRawRequest('GET', '/api/%c3%28'), 400)
    expectEnvelope(await sendRawRequest('GET', '/', { 'x-large': 'x'.repeat(20_000) }), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"s":'), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"__proto__":{"s":1}}'), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': 'application/json' }, '["s"]'), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': 'application/json' }, '{"s":5}'), 400)
    expectEnvelope(
      await sendRawRequest('POST', '/api/song/play', { 'content-type': 'multipart/form-data; boundary=b' }, '--b\r\nnonsense'),
      400,
    )
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': 'multipart/form-data' }, 'x'), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play'), 400)
    expectEnvelope(await sendRawRequest('POST', '/api/song/play', { 'content-type': '\u00e9' }, 'x'), 415)
  })

  it('a request that is not valid HTTP is answered with an error', async () => {
    const rawResponse = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'))
      socket.on('data', (chunk) => resolve(chunk.toString()))
      socket.on('error', reject)
    })
    expect(rawResponse).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('unknown paths', () => {
  it('unknown paths below /api are answered with a 404 envelope', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/song/get/more', '/api/../etc/passwd'])
      expectEnvelope(await sendRawRequest('GET', path), 404)
    expectEnvelope(await sendRawRequest('POST', '/api/song/get?s=AAAAAAAAAA1'), 404)
    expectEnvelope(await sendRawRequest('DELETE', '/api/song/play'), 404)
    expectEnvelope(await sendRawRequest('POST', '/playlists'), 404)
  })

  it('unknown paths outside /api are answered with the 404 page, even if the path cannot be that of a file', async () => {
    for (const urlPath of [
      '//other.example',
      '/a%00b',
      '/assets/',
      '/..',
      '/.env',
      '/index.html',
      '/%E0%A4%A',
      '/%',
      '/%zz?q=%E0',
      '/SEARCH',
    ]) {
      const rawResponse = await sendRawRequest('GET', urlPath)
      expect([urlPath, rawResponse.status]).toEqual([urlPath, 404])
      expect(rawResponse.body).toContain('<h1>Page not found</h1>')
    }
  })

  it("a path with percent-encoded letters is answered with the page that the client's router shows for it", async () => {
    for (const [urlPath, expectedLocation] of [
      ['/%73earch?q=a%20b', '/search?q=a%20b'],
      ['/playlist%73/', '/playlists/'],
      ['/account/make%72', '/account/maker'],
    ] as const) {
      const response = await sendRawRequest('GET', urlPath)
      expect([urlPath, response.status, response.location]).toEqual([urlPath, 302, expectedLocation])
    }
    for (const path of ['/search%2F', '/%2Fsearch', '/%2573earch'])
      expect([path, (await sendRawRequest('GET', path)).status]).toEqual([path, 404])
  })

  it('paths never return a file outside the client folder', async () => {
    for (const urlPath of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/assets/%2e%2e/%2e%2e/secret.txt',
      '/assets/..%5c..%5csecret.txt',
      '/assets',
      '/assets/',
    ]) {
      const rawResponse = await sendRawRequest('GET', urlPath)
      expect(rawResponse.status).toBeGreaterThanOrEqual(400)
      expect(rawResponse.status).toBeLessThan(500)
      expect(rawResponse.body).not.toContain('outside of the client')
    }
  })
})

describe('client files', () => {
  it('client files are compressed and immutable', async () => {
    const rawResponse = await site.app.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': 'br' } })
    expect([rawResponse.statusCode, rawResponse.body, rawResponse.headers['content-encoding']]).toEqual([200, 'packed', 'br'])
    expect(rawResponse.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(rawResponse.headers['x-content-type-options']).toBe('nosniff')
    const kernelResponse = await site.app.inject({ url: '/assets/kernel-abc123.wasm', headers: { 'accept-encoding': 'br' } })
    expect([kernelResponse.headers['content-type'], kernelResponse.headers['content-encoding']]).toEqual(['application/wasm', 'br'])
  })

  it.each([
    '/icon.svg',
    '/assets/main-abc123.js',
    '/robots.txt',
    '/manifest.webmanifest',
    '/sitemap.xml',
    '/latest.xml',
    '/',
    '/api/site',
    '/img/song/AAAAAAAAAA1/320',
  ])('a response with a text states the encoding in its content type: %s', async (url) => {
    const type = String((await site.app.inject(url)).headers['content-type'])
    if (/^text\/|xml|json|javascript/.test(type)) expect(type).toMatch(/; charset=utf-8$/i)
    expect(type).toMatch(/^[\w-]+\/[\w.+-]+/)
  })

  it('client files such as the icon differ between brands', async () => {
    const fetchIcon = async (host: string) => (await site.app.inject({ url: '/icon.svg', headers: { host } })).body
    expect(await fetchIcon('localhost')).toContain('<svg')
    expect(await fetchIcon('localhost')).not.toBe(await fetchIcon('slowedreverb.localhost'))
    const icoResponse = await site.app.inject('/favicon.ico')
    expect([...icoResponse.rawPayload.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0])
    expect(icoResponse.rawPayload.subarray(22, 26).toString('latin1')).toBe('\x89PNG')
    expect((await site.app.inject('/apple-touch-icon.png')).headers['content-type']).toBe('image/png')
    expect((await site.app.inject('/robots.txt')).body).toContain('User-agent: *')
  })

  it('client files do not include the unrendered index.html', async () => {
    expect((await site.app.inject('/index.html')).statusCode).toBe(404)
  })
})

describe('start and stop', () => {
  it('/healthz answers 503 until the server is ready, then 200', async () => {
    for (const siteState of ['starting', 'stopping'] as const) {
      site.lifecycle.state = siteState
      for (const path of ['/healthz', '/api/song/get?s=AAAAAAAAAA1', '/']) expectEnvelope(await sendRawRequest('GET', path), 503)
      const acceptHeader = 'text/html,application/xhtml+xml'
      const pageResponse = await site.app.inject({ url: '/playlists?a=b', headers: { accept: acceptHeader } })
      expect([pageResponse.statusCode, pageResponse.headers['content-type'], pageResponse.headers['retry-after']]).toEqual([
        503,
        'text/html; charset=utf-8',
        '1',
      ])
      expect(pageResponse.headers['content-security-policy']).toContain("default-src 'none'")
      expect(pageResponse.body).toContain('<h1>Please try again in a moment</h1>')
      expectEnvelope(await sendRawRequest('GET', '/api/song/random', { accept: acceptHeader }), 503)
    }
    site.lifecycle.state = 'ready'
    const health = await sendRawRequest('GET', '/healthz')
    expect([health.status, health.body]).toEqual([200, '{"code":200,"message":"OK","data":{"build":"a-build"}}'])
  })

  it('while the server drains, it answers requests and then closes their connections, and /healthz answers 503', async () => {
    const readBody = async (urlPath: string) => {
      const { status, headers } = await fetch(`http://127.0.0.1:${port}${urlPath}`)
      return [status, headers.get('connection')]
    }
    expect(await readBody('/api/song/get?s=AAAAAAAAAA1')).toEqual([200, 'keep-alive'])
    site.lifecycle.state = 'draining'
    // The server answers the first of these paths from its cache.
    for (const path of ['/api/song/get?s=AAAAAAAAAA1', '/api/song/random', '/robots.txt'])
      expect(await readBody(path)).toEqual([200, 'close'])
    for (const path of ['/healthz', '/healthz?a']) expect(await readBody(path)).toEqual([503, 'close'])
    site.lifecycle.state = 'ready'
  })
})

describe('internal errors', () => {
  it('details of unexpected errors are not disclosed, and are logged without secrets; the page stays usable', async () => {
    const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2VjcmV0'
    const faultyServer = await createTestApp(
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
      const rawResponse = await faultyServer.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      expectEnvelope({ status: rawResponse.statusCode, body: rawResponse.body }, 500)
      const playResponse = await faultyServer.app.inject({
        method: 'POST',
        url: '/api/song/play',
        payload: { s: 'AAAAAAAAAA1', firebase_auth_token: token },
      })
      expectEnvelope({ status: playResponse.statusCode, body: playResponse.body }, 500)
      await faultyServer.app.inject(`/nowhere?firebase_auth_token=${token}`)
      const pageResponse = await faultyServer.app.inject('/song?s=AAAAAAAAAA1')
      expect([pageResponse.statusCode, pageResponse.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8'])
      expect(pageResponse.body).toContain('id="site"')
      expect(faultyServer.readLog()).toContain('request failed')
      expect(faultyServer.readLog()).not.toContain('eyJ')
    } finally {
      await faultyServer.close()
    }
  })
})

describe('requests to any path', () => {
  const fuzzedPaths = [
    ...Object.keys(endpoints).map((key) => `/api${key.split(' ')[1]}`),
    '/',
    '/song',
    '/playlist',
    '/search',
    '/img/song/x/1',
    '/%2e',
  ]
  const arbitraryHostileText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('AAAAAAAAAA1', 'night-drive', 'favorite', '\0', '../..', '{}', '[]', '-1', '1e9', '%', '%00', '\ud800', '\'"<>;--'),
  )
  const arbitraryEncodedText = arbitraryHostileText.map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '?')))

  it('no input results in a 5xx or discloses internals', () => expectNoServerError(400), 60_000)
  it('none of many inputs results in a 5xx or discloses internals', { tags: ['long'] }, () => expectNoServerError(5000))

  async function expectNoServerError(numRuns: number) {
    const arbitraryQuery = fc.array(
      fc.tuple(
        fc.oneof(fc.constantFrom('s', 'p', 'q', 'limit', 'offset', 'orderBy', 'home', 'type', 'not'), arbitraryEncodedText),
        arbitraryEncodedText,
      ),
      {
        maxLength: 5,
      },
    )
    const arbitraryMethod = fc.constantFrom('GET', 'GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH')
    const arbitraryHost = fc.constantFrom('localhost', 'fm.localhost', 'aria.localhost', 'slowedreverb.localhost', 'x y', '')
    await fc.assert(
      fc.asyncProperty(
        arbitraryMethod,
        fc.constantFrom(...fuzzedPaths),
        arbitraryQuery,
        fc.jsonValue(),
        arbitraryHost,
        async (httpMethod, urlPath, queryPairs, jsonBody, host) => {
          const queryString = queryPairs.map(([name, value]) => `${name}=${value}`).join('&')
          const mayHaveBody = httpMethod !== 'GET' && httpMethod !== 'HEAD'
          const headers = { host, ...(mayHaveBody ? { 'content-type': 'application/json' } : {}) }
          const rawResponse = await sendRawRequest(
            httpMethod,
            `${urlPath}?${queryString}`,
            headers,
            mayHaveBody ? JSON.stringify(jsonBody) : undefined,
          )
          expect(rawResponse.status).toBeLessThan(500)
          expect(rawResponse.body.includes('node_modules')).toBe(false)
        },
      ),
      { numRuns },
    )
  }

  it('requests may have any body format', async () => {
    const arbitraryContentType = fc.constantFrom('application/x-www-form-urlencoded', 'application/json', 'multipart/form-data; boundary=b')
    const arbitraryFieldName = fc.constantFrom('s', 'p', 'reason', 'topic', 'message', 'email', 'remember', 'open_ms', '__proto__', 'a[b]')
    const arbitraryBody = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc
        .array(fc.tuple(arbitraryFieldName, arbitraryEncodedText))
        .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&')),
      fc.dictionary(arbitraryFieldName, fc.oneof(arbitraryHostileText, fc.jsonValue())).map((value) => JSON.stringify(value)),
    )
    const arbitraryPostPath = fc.constantFrom('/api/song/play', '/api/song/unplayable', '/api/contact/request')
    await fc.assert(
      fc.asyncProperty(arbitraryPostPath, arbitraryContentType, arbitraryBody, async (urlPath, contentType, bodyText) => {
        const rawResponse = await sendRawRequest('POST', urlPath, { 'content-type': contentType }, bodyText)
        expect(rawResponse.status).toBeLessThan(500)
        expect(JSON.parse(rawResponse.body).code).toBe(rawResponse.status)
      }),
      { numRuns: 500 },
    )
  }, 60_000)
})

it('each page of the page table has a route, so that its requests do not search the static files first', () => {
  expect(pagePaths.filter((url) => !site.app.hasRoute({ method: 'GET', url }))).toEqual([])
})
