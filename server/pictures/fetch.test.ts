import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPictureFetch, type PictureFetchOptions, sendRequestTo } from './fetch.ts'

const PUBLIC_ADDRESS = '93.184.216.34'
let server: Server
let port: number
let requestListener: RequestListener
/** The URL and the IP address of each connection that was made. */
let sentRequests: string[]

/** Connects to the local server, whatever the requested address is. */
const sendToLocalServer: NonNullable<PictureFetchOptions['send']> = (url, ipAddress, signal) => {
  sentRequests.push(`${url.href} ${ipAddress}`)
  return new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: url.pathname, headers: { host: url.host }, signal })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
}

beforeEach(async () => {
  sentRequests = []
  server = createServer((req, res) => requestListener(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const createFetcher = (options: PictureFetchOptions = {}) =>
  createPictureFetch({ resolve: async () => [PUBLIC_ADDRESS], send: sendToLocalServer, ...options })
const expectFailureOfKind = (kind: string) => expect.objectContaining({ name: 'PictureFetchError', kind })

describe('picture fetch', () => {
  it('picture fetch: the bytes of the picture are returned', async () => {
    requestListener = (_req, res) => res.end('bytes')
    expect((await createFetcher()('https://pictures.example/a.png')).toString()).toBe('bytes')
    expect(sentRequests).toEqual([`https://pictures.example/a.png ${PUBLIC_ADDRESS}`])
  })

  it.each([
    'http://pictures.example/a.png',
    'https://pictures.example:8443/a.png',
    'https://user:secret@pictures.example/a.png',
    'file:///etc/passwd',
    'ftp://pictures.example/a.png',
    'data:image/png;base64,AAAA',
    'not a url',
    'https://127.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'https://2130706433/a.png',
    'https://0x7f.1/a.png',
    'https://169.254.169.254/latest/meta-data',
  ])('picture fetch: the URL %s is never requested', async (url) => {
    await expect(createFetcher()(url)).rejects.toEqual(expectFailureOfKind('refused'))
    expect(sentRequests).toEqual([])
  })

  it.each([['127.0.0.1'], ['::ffff:10.0.0.1'], ['fd00::1'], [PUBLIC_ADDRESS, '10.0.0.1'], []])(
    'picture fetch: a host name that resolves to %s %s is never requested',
    async (...ipAddresses) => {
      await expect(createFetcher({ resolve: async () => ipAddresses })('https://inside.example/')).rejects.toEqual(
        expectFailureOfKind('refused'),
      )
      expect(sentRequests).toEqual([])
    },
  )

  it('picture fetch: a name is resolved once for each connection, which prevents DNS rebinding', async () => {
    requestListener = (_req, res) => res.end('bytes')
    const ipAddresses = [PUBLIC_ADDRESS, '127.0.0.1']
    let lookupCount = 0
    await createFetcher({ resolve: async () => [ipAddresses[lookupCount++] ?? '127.0.0.1'] })('https://rebinding.example/')
    expect(lookupCount).toBe(1)
    expect(sentRequests).toEqual([`https://rebinding.example/ ${PUBLIC_ADDRESS}`])
  })

  it('picture fetch: the addresses of a host are tried one after the other until one responds, at most six of them', async () => {
    requestListener = (_req, res) => res.end('bytes')
    const ipAddresses = Array.from({ length: 10 }, (_, index) => `93.184.216.${index}`)
    const fetchAnsweredBy = (answeringAddress: string) =>
      createFetcher({
        resolve: async () => ipAddresses,
        send: (url, ipAddress, signal) => {
          if (ipAddress === answeringAddress) return sendToLocalServer(url, ipAddress, signal)
          sentRequests.push(`${ipAddress} failed`)
          return Promise.reject(new Error('EHOSTUNREACH'))
        },
      })('https://pictures.example/')
    expect((await fetchAnsweredBy('93.184.216.2')).toString()).toBe('bytes')
    expect(sentRequests).toEqual(['93.184.216.0 failed', '93.184.216.1 failed', 'https://pictures.example/ 93.184.216.2'])
    sentRequests = []
    await expect(fetchAnsweredBy('93.184.216.6')).rejects.toEqual(expectFailureOfKind('unreachable'))
    expect(sentRequests).toHaveLength(6)
  })

  it('picture fetch: redirects are followed, and each address is checked', async () => {
    requestListener = (req, res) =>
      req.url === '/from' ? res.writeHead(302, { location: 'https://other.example/to' }).end() : res.end('there')
    expect((await createFetcher()('https://pictures.example/from')).toString()).toBe('there')
    expect(sentRequests.map((each) => each.split(' ')[0])).toEqual(['https://pictures.example/from', 'https://other.example/to'])
  })

  it.each(['https://127.0.0.1/', 'http://pictures.example/plain', 'https://inside.example/', 'https://[::1]/'])(
    'picture fetch: a redirect to %s is not followed',
    async (redirectLocation) => {
      requestListener = (_req, res) => res.writeHead(301, { location: redirectLocation }).end()
      const resolveHostName = async (hostname: string) => [hostname === 'inside.example' ? '10.0.0.1' : PUBLIC_ADDRESS]
      await expect(createFetcher({ resolve: resolveHostName })('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('refused'))
      expect(sentRequests).toHaveLength(1)
    },
  )

  it('picture fetch: after three redirects the fetch is given up', async () => {
    requestListener = (req, res) => res.writeHead(302, { location: `${req.url}x` }).end()
    await expect(createFetcher()('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('gone'))
    expect(sentRequests).toHaveLength(4)
  })

  it('picture fetch: reading stops at the size limit, with and without Content-Length', async () => {
    requestListener = (_req, res) => res.writeHead(200, { 'content-length': '5000' }).end(Buffer.alloc(5000))
    await expect(createFetcher({ maxBytes: 4000 })('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('gone'))
    let writtenBytes = 0
    requestListener = (_req, serverResponse) => {
      const writeChunks = () => {
        while (!serverResponse.destroyed && serverResponse.write(Buffer.alloc(1000))) writtenBytes += 1000
        if (!serverResponse.destroyed) serverResponse.once('drain', writeChunks)
      }
      writeChunks()
    }
    await expect(createFetcher({ maxBytes: 4000 })('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('gone'))
    expect(writtenBytes).toBeLessThan(20_000_000)
  })

  it.each([
    [404, 'gone'],
    [403, 'gone'],
    [304, 'gone'],
    [500, 'unreachable'],
    [429, 'unreachable'],
  ])("picture fetch: a response with the status %d fails as '%s'", async (statusCode, failureKind) => {
    requestListener = (_req, res) => res.writeHead(statusCode).end()
    await expect(createFetcher()('https://pictures.example/')).rejects.toEqual(expectFailureOfKind(failureKind))
  })

  it('picture fetch: waiting for headers, body or DNS is limited in time', async () => {
    const impatientFetcher = createFetcher({ timeoutMs: 150 })
    requestListener = () => {}
    await expect(impatientFetcher('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('unreachable'))
    requestListener = (_req, res) => res.writeHead(200).write('half')
    await expect(impatientFetcher('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('unreachable'))
    await expect(createFetcher({ timeoutMs: 50, resolve: () => new Promise(() => {}) })('https://pictures.example/')).rejects.toEqual(
      expectFailureOfKind('unreachable'),
    )
  })

  it('picture fetch: an aborted response, a refused connection and an unknown name are reported as unreachable', async () => {
    requestListener = (_req, serverResponse) => {
      serverResponse.writeHead(200, { 'content-length': '100' }).write('half')
      serverResponse.destroy()
    }
    await expect(createFetcher()('https://pictures.example/')).rejects.toEqual(expectFailureOfKind('unreachable'))
    await expect(createFetcher({ send: () => Promise.reject(new Error('ECONNREFUSED')) })('https://pictures.example/')).rejects.toEqual(
      expectFailureOfKind('unreachable'),
    )
    await expect(createFetcher({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })('https://pictures.example/')).rejects.toEqual(
      expectFailureOfKind('unreachable'),
    )
  })
})

it('picture fetch: the connection is made to the given address, with the requested host name', async () => {
  const clientHello = await new Promise<Buffer>((resolve, reject) => {
    const tcpServer = createTcpServer((socket) => {
      socket.once('data', (requestData) => {
        socket.destroy()
        tcpServer.close()
        resolve(requestData)
      })
    }).listen(0, '127.0.0.1', () => {
      const serverAddress = tcpServer.address()
      const tcpPort = typeof serverAddress === 'object' && serverAddress !== null ? serverAddress.port : 0
      sendRequestTo(new URL(`https://pictures.invalid:${tcpPort}/`), '127.0.0.1', AbortSignal.timeout(5000)).then(
        () => reject(new Error('that was no TLS server')),
        () => {},
      )
    })
  })
  expect(clientHello[0]).toBe(0x16)
  expect(clientHello.includes('pictures.invalid')).toBe(true)
})
