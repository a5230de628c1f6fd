import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './test-app.ts'

// Tests requests of clients that break the rules of HTTP, over real connections.

let site: TestApp
let port = 0
beforeAll(async () => {
  site = await createTestApp({
    PUBLIC_ORIGIN: 'https://example.org',
    SITE_HOSTS: 'example.org',
    API_BASE_URL: 'https://api.example.org/api',
    RATE_LIMIT_CONTACT: '100000',
  })
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  // The cast is safe: the server is listening, so its address has a port.
  port = (site.app.server.address() as AddressInfo).port
})
afterAll(() => site.close())

const HOST_HEADER_LINE = 'Host: example.org\r\n'
const createRequest = (line: string, headers = HOST_HEADER_LINE, body = '') =>
  `${line} HTTP/1.1\r\n${headers}Connection: close\r\n${body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`}\r\n${body}`

/** Sends bytes. Returns the complete response. */
async function sendBytes(requestText: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(requestText)
  return text(socket)
}

describe('the security headers of every answer', () => {
  it.each([
    ['a page', createRequest('GET /'), 200],
    ['a page again, from the cache', createRequest('GET /'), 200],
    ['an answer of the API', createRequest('GET /api/song/get?s=AAAAAAAAAA1'), 200],
    ['an unknown path', createRequest('GET /nowhere'), 404],
    ['a file', createRequest('GET /assets/main-abc123.js'), 200],
    ['a picture', createRequest('GET /img/song/AAAAAAAAAA1/160'), 200],
    ['a redirect', createRequest('GET /go/favorites'), 302],
    ['a malformed address of the API', createRequest('GET /api/%zz'), 400],
    ['a malformed address', createRequest('GET /%zz'), 404],
    ['malformed HTTP', 'nonsense\r\n\r\n', 400],
    ['headers that are too large', createRequest('GET /', `${HOST_HEADER_LINE}X: ${'x'.repeat(20_000)}\r\n`), 400],
    ['a malformed body', createRequest('POST /api/song/play', HOST_HEADER_LINE, '{'), 400],
    ['no host', createRequest('GET /', ''), 400],
    ['two hosts', createRequest('GET /', `${HOST_HEADER_LINE}Host: other.example\r\n`), 400],
    ['the same host twice', createRequest('GET /api/song/get?s=AAAAAAAAAA1', HOST_HEADER_LINE + HOST_HEADER_LINE), 400],
    ['an unknown expectation', createRequest('GET /', `${HOST_HEADER_LINE}Expect: a miracle\r\n`), 200],
    [
      'a CORS preflight',
      createRequest(
        'OPTIONS /api/song/play',
        `${HOST_HEADER_LINE}Origin: https://example.org\r\nAccess-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization\r\n`,
      ),
      204,
    ],
    ['an identity call', createRequest('POST /identitytoolkit.googleapis.com/v1/accounts:lookup', HOST_HEADER_LINE, '{}'), 400],
    ['HTTP/1.0 without a host', 'GET / HTTP/1.0\r\n\r\n', 200],
  ])('the response to %s has the security headers', async (_name, requestBytes, expectedStatus) => {
    const answerText = await sendBytes(requestBytes)
    expect(answerText).toMatch(new RegExp(`^HTTP/1\\.1 ${expectedStatus} `))
    expect(answerText).toMatch(/^x-content-type-options: nosniff\r$/im)
    expect(answerText).toMatch(/^strict-transport-security: max-age=\d+/im)
  })

  it('a request target in absolute form gets the same answer as its path alone', async () => {
    const readBody = (answer: string) => answer.slice(answer.indexOf('\r\n\r\n'))
    for (const urlPath of ['/', '/playlists', '/api/song/search?s=a', '/healthz', '/img/song/AAAAAAAAAA1/160', '/nowhere']) {
      const [plainResponse, absoluteResponse] = [
        await sendBytes(createRequest(`GET ${urlPath}`)),
        await sendBytes(createRequest(`GET https://example.org${urlPath}`)),
      ]
      expect(absoluteResponse.slice(0, 13), urlPath).toBe(plainResponse.slice(0, 13))
      expect(readBody(absoluteResponse), urlPath).toBe(readBody(plainResponse))
    }
    expect(await sendBytes(createRequest('GET http://example.org'))).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('the security headers are sent while the server starts and stops', async () => {
    for (const siteState of ['starting', 'stopping'] as const) {
      site.lifecycle.state = siteState
      for (const urlPath of ['/', '/api/song/random', '/healthz', '/securetoken.googleapis.com/v1/token']) {
        const answerText = await sendBytes(createRequest(`GET ${urlPath}`))
        expect(answerText).toMatch(/^HTTP\/1\.1 503 /)
        expect(answerText).toMatch(/^x-content-type-options: nosniff\r$/im)
        expect(answerText).toMatch(/^strict-transport-security: /im)
      }
    }
    site.lifecycle.state = 'ready'
  })
})

it('a client that keeps sending after its request was refused cannot keep the connection open', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {})
  const timer = setInterval(() => socket.write('x'), 100)
  socket.write('nonsense\r\n\r\n')
  let answerText = ''
  socket.on('data', (chunk: Buffer) => {
    answerText += chunk.toString()
  })
  await new Promise((done) => socket.once('close', done))
  clearInterval(timer)
  expect(answerText).toMatch(/^HTTP\/1\.1 400 /)
})

it('requests that are broken off at any moment cause no errors of the server', async () => {
  const body = JSON.stringify({ topic: 'song-report', message: 'A report of a song' })
  const loginBody = JSON.stringify({ email: 'ann@example.com', password: 'secret-1' })
  const oddRequests = [
    createRequest('POST /api/contact/request', HOST_HEADER_LINE, body),
    createRequest('POST /api/song/play', HOST_HEADER_LINE, '{"s":"AAAAAAAAAA1"}'),
    createRequest('POST /identitytoolkit.googleapis.com/v1/accounts:signInWithPassword', HOST_HEADER_LINE, loginBody),
    createRequest('GET /api/radio/get'),
    createRequest('GET /img/song/AAAAAAAAAA1/160'),
  ]
  const logLengthBefore = site.readLog().length
  for (const oddRequest of oddRequests) {
    const cutLengths = [oddRequest.length, oddRequest.length - 1, Math.floor(oddRequest.length / 2), oddRequest.indexOf('\r\n\r\n') + 4]
    await Promise.all(
      cutLengths.flatMap((cutLength) =>
        Array.from({ length: 10 }, async (_, index) => {
          const socket = connect(port, '127.0.0.1').on('error', () => {})
          const socketClosed = once(socket, 'close')
          await once(socket, 'connect')
          socket.write(oddRequest.slice(0, cutLength), () => {
            if (index % 2 === 0) socket.resetAndDestroy()
            else socket.destroy()
          })
          await socketClosed
        }),
      ),
    )
  }
  // Waits, because a request whose client has already disconnected may fail later.
  expect(await sendBytes(createRequest('GET /healthz'))).toMatch(/^HTTP\/1\.1 200 /)
  await sleep(50)
  expect(site.readLog().slice(logLengthBefore)).not.toMatch(/"level":[56]0/)
})

it.each([
  ['a stopped PostgreSQL', Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })],
  ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
  ['a lost connection', new Error('Connection terminated unexpectedly')],
])('%s causes a response with the status 503 and Retry-After', async (_name, storageFault) => {
  const faultySite = await createTestApp(
    {},
    { wrapStorage: (storage) => ({ ...storage, songs: { ...storage.songs, pickRandom: () => Promise.reject(storageFault) } }) },
  )
  const { statusCode, headers } = await faultySite.app.inject('/api/song/random')
  await faultySite.close()
  expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
})
