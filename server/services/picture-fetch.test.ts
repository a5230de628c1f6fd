import { createServer, type IncomingMessage, type RequestListener, request, type Server } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPictureFetch, type PictureFetchOptions, sendTo } from './picture-fetch.ts'

const PUBLIC = '93.184.216.34'
let server: Server
let port: number
let answer: RequestListener
/** What the fetcher connected to: URL and address. */
let sent: string[]

/** The network's edge: whatever address was chosen, the local server answers. */
const send: NonNullable<PictureFetchOptions['send']> = (url, address, signal) => {
  sent.push(`${url.href} ${address}`)
  return new Promise<IncomingMessage>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: url.pathname, headers: { host: url.host }, signal })
      .on('response', resolve)
      .on('error', reject)
      .end()
  })
}

beforeEach(async () => {
  sent = []
  server = createServer((req, res) => answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const fetcher = (options: PictureFetchOptions = {}) => createPictureFetch({ resolve: async () => [PUBLIC], send, ...options })
const failure = (kind: string) => expect.objectContaining({ name: 'PictureFetchError', kind })

describe('picture fetch', () => {
  it('gives the bytes', async () => {
    answer = (_req, res) => res.end('bytes')
    expect((await fetcher()('https://pictures.example/a.png')).toString()).toBe('bytes')
    expect(sent).toEqual([`https://pictures.example/a.png ${PUBLIC}`])
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
  ])('never asks %s', async (url) => {
    await expect(fetcher()(url)).rejects.toEqual(failure('refused'))
    expect(sent).toEqual([])
  })

  it.each([['127.0.0.1'], ['::ffff:10.0.0.1'], ['fd00::1'], [PUBLIC, '10.0.0.1'], []])(
    'never asks a name that resolves to %s %s',
    async (...addresses) => {
      await expect(fetcher({ resolve: async () => addresses })('https://inside.example/')).rejects.toEqual(failure('refused'))
      expect(sent).toEqual([])
    },
  )

  it('looks a name up once for a connection, so that it cannot change in between', async () => {
    answer = (_req, res) => res.end('bytes')
    const addresses = [PUBLIC, '127.0.0.1']
    let lookups = 0
    await fetcher({ resolve: async () => [addresses[lookups++] ?? '127.0.0.1'] })('https://rebinding.example/')
    expect(lookups).toBe(1)
    expect(sent).toEqual([`https://rebinding.example/ ${PUBLIC}`])
  })

  it('follows redirects, checking each', async () => {
    answer = (req, res) => (req.url === '/from' ? res.writeHead(302, { location: 'https://other.example/to' }).end() : res.end('there'))
    expect((await fetcher()('https://pictures.example/from')).toString()).toBe('there')
    expect(sent.map((each) => each.split(' ')[0])).toEqual(['https://pictures.example/from', 'https://other.example/to'])
  })

  it.each(['https://127.0.0.1/', 'http://pictures.example/plain', 'https://inside.example/', 'https://[::1]/'])(
    'does not follow a redirect to %s',
    async (location) => {
      answer = (_req, res) => res.writeHead(301, { location }).end()
      const resolve = async (hostname: string) => [hostname === 'inside.example' ? '10.0.0.1' : PUBLIC]
      await expect(fetcher({ resolve })('https://pictures.example/')).rejects.toEqual(failure('refused'))
      expect(sent).toHaveLength(1)
    },
  )

  it('gives up after three redirects', async () => {
    answer = (req, res) => res.writeHead(302, { location: `${req.url}x` }).end()
    await expect(fetcher()('https://pictures.example/')).rejects.toEqual(failure('gone'))
    expect(sent).toHaveLength(4)
  })

  it('stops at the limit, whether the size is said before or not', async () => {
    answer = (_req, res) => res.writeHead(200, { 'content-length': '5000' }).end(Buffer.alloc(5000))
    await expect(fetcher({ maxBytes: 4000 })('https://pictures.example/')).rejects.toEqual(failure('gone'))
    let written = 0
    answer = (_req, res) => {
      const pump = () => {
        while (!res.destroyed && res.write(Buffer.alloc(1000))) written += 1000
        if (!res.destroyed) res.once('drain', pump)
      }
      pump()
    }
    await expect(fetcher({ maxBytes: 4000 })('https://pictures.example/')).rejects.toEqual(failure('gone'))
    expect(written).toBeLessThan(20_000_000)
  })

  it.each([
    [404, 'gone'],
    [403, 'gone'],
    [304, 'gone'],
    [500, 'unreachable'],
    [429, 'unreachable'],
  ])('takes %d for %s', async (status, kind) => {
    answer = (_req, res) => res.writeHead(status).end()
    await expect(fetcher()('https://pictures.example/')).rejects.toEqual(failure(kind))
  })

  it('waits only so long for an answer, for its end, and for a name server', async () => {
    const slow = fetcher({ timeoutMs: 150 })
    answer = () => {}
    await expect(slow('https://pictures.example/')).rejects.toEqual(failure('unreachable'))
    answer = (_req, res) => res.writeHead(200).write('half')
    await expect(slow('https://pictures.example/')).rejects.toEqual(failure('unreachable'))
    await expect(fetcher({ timeoutMs: 50, resolve: () => new Promise(() => {}) })('https://pictures.example/')).rejects.toEqual(
      failure('unreachable'),
    )
  })

  it('takes a broken answer, a refused connection and an unknown name for unreachable', async () => {
    answer = (_req, res) => {
      res.writeHead(200, { 'content-length': '100' }).write('half')
      res.destroy()
    }
    await expect(fetcher()('https://pictures.example/')).rejects.toEqual(failure('unreachable'))
    await expect(fetcher({ send: () => Promise.reject(new Error('ECONNREFUSED')) })('https://pictures.example/')).rejects.toEqual(
      failure('unreachable'),
    )
    await expect(fetcher({ resolve: () => Promise.reject(new Error('ENOTFOUND')) })('https://pictures.example/')).rejects.toEqual(
      failure('unreachable'),
    )
  })
})

it('connects to the very address it is given, under the name that was asked for', async () => {
  const hello = await new Promise<Buffer>((resolve, reject) => {
    const tcp = createTcpServer((socket) => {
      socket.once('data', (data) => {
        socket.destroy()
        tcp.close()
        resolve(data)
      })
    }).listen(0, '127.0.0.1', () => {
      const address = tcp.address()
      const tcpPort = typeof address === 'object' && address !== null ? address.port : 0
      sendTo(new URL(`https://pictures.invalid:${tcpPort}/`), '127.0.0.1', AbortSignal.timeout(5000)).then(
        () => reject(new Error('that was no TLS server')),
        () => {},
      )
    })
  })
  expect(hello[0]).toBe(0x16)
  expect(hello.includes('pictures.invalid')).toBe(true)
})
