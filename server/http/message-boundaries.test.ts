import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'

let site: TestApp
let port: number
beforeAll(async () => {
  site = await createTestApp()
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  // The cast is safe: the server is listening, so its address has a port.
  port = (site.app.server.address() as AddressInfo).port
})
afterAll(() => site.close())

/** Sends bytes. Returns the status of each response until the server closes the connection. */
async function requestStatuses(rawRequests: string): Promise<number[]> {
  const responseText = await new Promise<string>((resolve, reject) => {
    let receivedText = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(rawRequests))
    socket.on('data', (chunk) => {
      receivedText += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(receivedText)).on('error', reject)
  })
  return [...responseText.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

const SMUGGLED_REQUEST = 'GET /api/site HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
const createRequestHead = (lines: string) =>
  `POST /api/song/play HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${lines}\r\n\r\n`

it.each([
  [
    'both lengths',
    `${createRequestHead(`Content-Length: ${SMUGGLED_REQUEST.length + 5}\r\nTransfer-Encoding: chunked`)}0\r\n\r\n${SMUGGLED_REQUEST}`,
  ],
  ['two different lengths', `${createRequestHead('Content-Length: 0\r\nContent-Length: 5')}${SMUGGLED_REQUEST}`],
  ['an encoding that is not the last one', `${createRequestHead('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED_REQUEST}`],
  ['a header name with a space', `${createRequestHead('Transfer-Encoding : chunked')}0\r\n\r\n${SMUGGLED_REQUEST}`],
  [
    'a line without a carriage return',
    `${createRequestHead('Content-Length: 0').replace('Host: localhost\r\n', 'Host: localhost\n')}${SMUGGLED_REQUEST}`,
  ],
  ['a length with a sign', `${createRequestHead('Content-Length: +0')}${SMUGGLED_REQUEST}`],
])('message boundaries: %s is answered with one 400, and the bytes after it are not read as a request', async (_name, bytes) => {
  expect(await requestStatuses(bytes)).toEqual([400])
})

it('message boundaries: two requests on one connection get two responses', async () => {
  const change = JSON.stringify({ s: 'AAAAAAAAAA1' })
  expect(await requestStatuses(`${createRequestHead(`Content-Length: ${change.length}`)}${change}${SMUGGLED_REQUEST}`)).toEqual([200, 200])
})

it('methods: the response to TRACE does not contain the request', async () => {
  const response = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('TRACE / HTTP/1.1\r\nHost: localhost\r\nX-Mark: repeat-me\r\nConnection: close\r\n\r\n'),
    )
    let receivedText = ''
    socket.on('data', (chunk) => {
      receivedText += chunk.toString()
    })
    socket.on('close', () => resolve(receivedText)).on('error', reject)
  })
  expect(response).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(response).not.toContain('repeat-me')
})
