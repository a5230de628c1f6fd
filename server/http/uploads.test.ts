import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createSdkCalls } from '../identity/testing/sdk-calls.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

const BOUNDARY = 'b0undary'
const PART_BYTES = 300_000
const createFieldPart = (name: string, value: string) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const fileHead = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`
const END_BOUNDARY = `--${BOUNDARY}--\r\n`

let site: TestApp
let port: number
let sockets: Socket[]
beforeEach(async () => {
  sockets = []
  site = await createTestApp()
  await site.app.listen({ port: 0, host: '127.0.0.1' })
  const address = site.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await site.close()
})

async function signUpAndGetToken(personName: string, { subscriber = true } = {}): Promise<string> {
  const { idToken } = (await createSdkCalls(site).signUp(`${personName}@example.com`, 'secret-123')).json()
  if (!subscriber) return idToken
  await site.storage.roles.grant(`${personName}@example.com`, { role: 'subscriber', source: 'admin', untilMs: undefined })
  const payload = { domain_name: personName }
  await site.app.inject({ method: 'POST', url: '/api/website/activate', headers: { authorization: `Bearer ${idToken}` }, payload })
  return idToken
}

const listUploads = () => (existsSync(join(site.dataDir, 'conversions')) ? readdirSync(join(site.dataDir, 'conversions')) : [])

/** Sends the beginning of a multipart request. The body continues until the test ends it. */
function beginUpload(bodyText: string, { token, query = '' }: { token?: string; query?: string } = {}) {
  const socket = connect({ port, host: '127.0.0.1' })
  sockets.push(socket)
  let answerText = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    answerText += String(chunk)
  })
  socket.on('error', () => undefined)
  const authorizationHeader = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  socket.write(
    `POST /api/website/banner${query} HTTP/1.1\r\nHost: localhost\r\n${authorizationHeader}Content-Type: multipart/form-data; boundary=${BOUNDARY}\r\nContent-Length: 9000000\r\n\r\n${bodyText}`,
  )
  return { socket, readAnswer: () => answerText }
}
const readStatus = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])
const partText = 'x'.repeat(PART_BYTES)

it('uploads: a sender without permission is refused before the first byte of the file is stored, while the body is still being sent', async () => {
  const [ownerToken, otherToken] = [await signUpAndGetToken('ann'), await signUpAndGetToken('bob', { subscriber: false })]
  for (const [requestBody, requestOptions, expectedStatus] of [
    [fileHead + partText, {}, 401],
    [fileHead + partText, { token: 'nonsense' }, 401],
    [fileHead + partText, { token: otherToken }, 403],
    [createFieldPart('firebase_auth_token', otherToken) + fileHead + partText, {}, 403],
    // A token that is sent after the file comes too late.
    [`${fileHead + partText}\r\n${createFieldPart('firebase_auth_token', ownerToken)}`, {}, 401],
  ] as const) {
    const { readAnswer, socket } = beginUpload(requestBody, requestOptions)
    await vi.waitFor(() => expect(readStatus(readAnswer())).toBe(expectedStatus), 10_000)
    expect(listUploads()).toEqual([])
    socket.destroy()
  }
  const storedFiles = [
    beginUpload(fileHead + partText, { token: ownerToken }),
    beginUpload(fileHead + partText, { token: await signUpAndGetToken('cleo') }),
    beginUpload(createFieldPart('firebase_auth_token', await signUpAndGetToken('dora')) + fileHead + partText),
    beginUpload(fileHead + partText, { query: `?firebase_auth_token=${await signUpAndGetToken('emil')}` }),
  ]
  await vi.waitFor(() => expect(listUploads()).toHaveLength(storedFiles.length), 10_000)
})

it('uploads: an account without a website is refused before its banner is stored', async () => {
  const { idToken } = (await createSdkCalls(site).signUp('ann@example.com', 'secret-123')).json()
  await site.storage.roles.grant('ann@example.com', { role: 'subscriber', source: 'admin', untilMs: undefined })
  const { readAnswer } = beginUpload(fileHead + partText, { token: idToken })
  await vi.waitFor(() => expect(readStatus(readAnswer())).toBe(409), 10_000)
  expect(listUploads()).toEqual([])
})

const bodyCutInFile = fileHead + partText
const bodyCutBetweenParts = `${fileHead + partText}\r\n--${BOUNDARY}\r\n`
const bodyCutInField = `${fileHead + partText}\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="x"\r\n\r\nabc`
it.each([
  ['in the file', bodyCutInFile],
  ['between parts', bodyCutBetweenParts],
  ['in a field after the file', bodyCutInField],
])('uploads: a file is deleted if its connection breaks off %s', async (_breakOffPlace, bodyStart) => {
  const token = await signUpAndGetToken('ann')
  for (const isInField of [true, false]) {
    for (const connectionEnd of ['FIN', 'RST'] as const) {
      const form = isInField ? createFieldPart('firebase_auth_token', token) + bodyStart : bodyStart
      const { socket } = beginUpload(form, isInField ? {} : { token })
      await vi.waitFor(() => expect(listUploads()).toHaveLength(1), 10_000)
      if (connectionEnd === 'FIN') socket.destroy()
      else socket.resetAndDestroy()
      await vi.waitFor(() => expect(listUploads()).toEqual([]), 10_000)
    }
  }
})

it('uploads: one account can upload one banner at a time, and all accounts together 20 files', async () => {
  const token = await signUpAndGetToken('ann')
  const { socket } = beginUpload(bodyCutInFile, { token })
  await vi.waitFor(() => expect(listUploads()).toHaveLength(1), 10_000)
  const secondUpload = beginUpload(bodyCutInFile, { token })
  await vi.waitFor(() => expect(secondUpload.readAnswer()).toMatch(/^HTTP\/1\.1 429[\s\S]*retry-after: \d+/i), 10_000)
  expect(listUploads()).toHaveLength(1)
  for (let number = 1; number < 20; number++) beginUpload(bodyCutInFile, { token: await signUpAndGetToken(`user${number}`) })
  await vi.waitFor(() => expect(listUploads()).toHaveLength(20), 20_000)
  const lastUpload = beginUpload(bodyCutInFile, { token: await signUpAndGetToken('last') })
  await vi.waitFor(() => expect(lastUpload.readAnswer()).toMatch(/^HTTP\/1\.1 503[\s\S]*retry-after: \d+/i), 10_000)
  socket.destroy()
  await vi.waitFor(() => expect(listUploads()).toHaveLength(19), 10_000)
}, 60_000)

it('uploads: a form without a file may have at most 256 KiB of fields', async () => {
  const sendFields = (fieldBytes: number, fieldCount: number) => {
    const multipartText =
      Array.from({ length: fieldCount }, (_, index) => createFieldPart(`field${index}`, 'x'.repeat(fieldBytes))).join('') + END_BOUNDARY
    const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'transfer-encoding': 'chunked' }
    return site.app.inject({ method: 'POST', url: '/api/contact/request', headers, payload: multipartText })
  }
  expect((await sendFields(60_000, 4)).json()).toMatchObject({ code: 400, message: 'topic is required' })
  expect((await sendFields(60_000, 5)).json()).toMatchObject({ code: 413 })
  expect((await sendFields(70_000, 1)).json()).toMatchObject({ code: 413 })
})

it('uploads: nothing is stored if the connection ends before the file is complete', async () => {
  const { socket } = beginUpload(createFieldPart('x', 'y'), { token: await signUpAndGetToken('ann') })
  socket.end()
  await once(socket, 'close')
  expect(listUploads()).toEqual([])
})
