import { once } from 'node:events'
import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
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

const BOUNDARY = 'b0undary'
const createFormWithFile = (bytes: number) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="picture"; filename="a"\r\n\r\n${'x'.repeat(bytes)}\r\n--${BOUNDARY}--\r\n`
const formHeaders = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }

/** Sends a request, and reads the response only after all of the body was sent, as some proxies do. */
async function sendRequest(
  httpMethod: string,
  urlPath: string,
  { agent, headers, body }: { agent: Agent; headers: Record<string, string>; body: string },
) {
  const clientRequest = request({ agent, port, method: httpMethod, path: urlPath, headers: { ...headers, 'content-length': body.length } })
  clientRequest.end(body)
  const [[response]] = await Promise.all([once(clientRequest, 'response'), once(clientRequest, 'finish')])
  await text(response)
  return response.statusCode
}

it.each([
  ['a form with a file that the endpoint does not take', '/api/contact/request', formHeaders, createFormWithFile(200_000), 400],
  ['a form that is too large', '/api/contact/request', formHeaders, createFormWithFile(3_000_000), 413],
  ['JSON that is too large', '/api/song/play', { 'content-type': 'application/json' }, `"${'x'.repeat(3_000_000)}"`, 413],
  ['a type that the endpoint does not take', '/api/song/play', { 'content-type': 'text/csv' }, 'x'.repeat(3_000_000), 415],
])('refused bodies: a client that sends the whole body gets the answer to %s, and can use its connection again', async (...refusal) => {
  const [, urlPath, requestHeaders, requestBody, expectedStatus] = refusal
  const keepAliveAgent = new Agent({ keepAlive: true, maxSockets: 1 })
  const closingAgent = new Agent({ keepAlive: false })
  expect(await sendRequest('POST', urlPath, { agent: closingAgent, headers: requestHeaders, body: requestBody })).toBe(expectedStatus)
  expect(await sendRequest('POST', urlPath, { agent: keepAliveAgent, headers: requestHeaders, body: requestBody })).toBe(expectedStatus)
  expect(await sendRequest('GET', '/api/site', { agent: keepAliveAgent, headers: {}, body: '' })).toBe(200)
  keepAliveAgent.destroy()
})
