import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMalformedRequestHandler } from './errors.ts'
import { endSlowBodies } from './slow-bodies.ts'

let httpServer: Server
beforeEach(async () => {
  httpServer = createServer((request, response) =>
    request.url === '/refused'
      ? void response.end()
      : void text(request).then(
          () => response.end(),
          () => response.destroy(),
        ),
  )
  endSlowBodies(httpServer, { checkMs: 100, minBytes: 10, maxMs: 300, largeBytes: 100 })
  httpServer.on('clientError', createMalformedRequestHandler({}))
  httpServer.listen(0, '127.0.0.1')
  await once(httpServer, 'listening')
})
afterEach(async () => {
  httpServer.closeAllConnections()
  httpServer.close()
  await once(httpServer, 'close')
})

/** Sends a body of `byteCount` in `partCount` parts, one each 20 ms, until the connection ends. Resolves with the first line of each response. */
async function sendSlowly(byteCount: number, partCount: number, urlPath = '/'): Promise<string[]> {
  const socket = connect((httpServer.address() as AddressInfo).port, '127.0.0.1')
  let receivedText = ''
  socket.on('data', (chunk) => {
    receivedText += String(chunk)
  })
  // A connection that ends while a part is on its way is reset.
  socket.on('error', () => undefined)
  const socketClosed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(`POST ${urlPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${byteCount}\r\n\r\n`)
  for (let part = 0; part < partCount && socket.writable; part++) {
    await sleep(20)
    if (socket.writable) socket.write('x'.repeat(byteCount / partCount))
  }
  socket.end()
  await socketClosed
  return receivedText.match(/^HTTP.*$/gm) ?? []
}

it('a large body may take longer than a small one while it keeps arriving', async () => {
  expect(await sendSlowly(4000, 40)).toEqual(['HTTP/1.1 200 OK'])
})

it('a small body that takes too long, and a large body that arrives too slowly, are refused', async () => {
  expect(await sendSlowly(100, 100)).toEqual(['HTTP/1.1 408 Request Timeout'])
  expect(await sendSlowly(200, 200)).toEqual(['HTTP/1.1 408 Request Timeout'])
})

it('a request that is answered before its body has arrived gets no second response when the body takes too long', async () => {
  expect(await sendSlowly(100, 100, '/refused')).toEqual(['HTTP/1.1 200 OK'])
})
