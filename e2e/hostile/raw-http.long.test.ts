import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readLongFuzzRun } from '../../server/testing/fuzz/run.ts'
import { computeSeed } from '../../server/testing/fuzz/world.ts'
import { type Site, startSite } from '../server.ts'

let site: Site
beforeAll(async () => {
  site = await startSite({ LOG_LEVEL: 'debug' })
})
afterAll(() => site.stop())

const isServerAlive = async () => (await fetch(`${site.origin()}/healthz`)).status === 200

/** If the peer resets a connection, the test does not fail. */
const openSocket = (): Socket => connect({ port: site.port, host: '127.0.0.1' }).on('error', () => {})

/** Sends bytes, and returns the response if one arrives within a second. `connectionEnd` determines how the connection is closed. */
async function exchangeBytes(bytes: Buffer, connectionEnd: 'wait' | 'half' | 'reset'): Promise<string> {
  const socket = openSocket()
  let answerText = ''
  socket.on('data', (receivedChunk: Buffer) => {
    answerText += receivedChunk.toString('latin1')
    if (connectionEnd === 'wait' && answerText.length > 0) socket.end()
  })
  await once(socket, 'connect')
  const socketClosedPromise = once(socket, 'close').catch(() => {})
  socket.write(bytes)
  if (connectionEnd === 'half') socket.end()
  if (connectionEnd === 'reset') setTimeout(() => socket.resetAndDestroy(), 20)
  socket.setTimeout(1000, () => socket.destroy())
  await socketClosedPromise
  return answerText
}

const multipartText = [
  '--x',
  'content-disposition: form-data; name="speed"',
  '',
  '25',
  '--x',
  'content-disposition: form-data; name="file"; filename="a.wav"',
  '',
  'RIFF'.repeat(5000),
  '--x--',
  '',
].join('\r\n')
const createPost = (path: string, type: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const httpMessages = [
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  'GET /api/song/search?s=love HTTP/1.1\r\nHost: fm.localhost\r\nIf-None-Match: *\r\n\r\n',
  'HEAD /img/song/x/320 HTTP/1.0\r\n\r\n',
  createPost('/api/contact/request', 'application/json', '{"topic":"other","message":"x"}'),
  createPost('/api/song/play', 'application/x-www-form-urlencoded', 's=AAAAAAAAAAA&p=new'),
  createPost('/api/make/convert', 'multipart/form-data; boundary=x', multipartText),
  createPost('/api/website/banner', 'multipart/form-data; boundary=x', multipartText),
  createPost('/identitytoolkit.googleapis.com/v1/accounts:signUp?key=x', 'application/json', '{"email":"a@b.cc","password":"x"}'),
  `POST /api/song/play HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n5\r\n{"s":\r\n8\r\n"AAAAAA"\r\n1\r\n}\r\n0\r\n\r\n`,
] as const
/** Elements of HTTP that the test inserts at wrong places. */
const insertedTexts = [
  '\0',
  '\r',
  '\n',
  '\r\n\r\n',
  ' ',
  ':',
  'Content-Length: 0\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked, identity\r\n',
  'Host: evil.example\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: websocket\r\nConnection: upgrade\r\n',
  'Upgrade: h2c\r\n',
  `X: ${'y'.repeat(20_000)}\r\n`,
  'X: y\r\n'.repeat(2100),
  '\xff\xfe',
  'FFFFFFFFFFFFFFFFF\r\n',
  ' HTTP/9.9',
] as const

type MessageEdit = { kind: 'cut' | 'delete' | 'insert' | 'byte'; at: number; what: string; value: number }
const anyEdit: fc.Arbitrary<MessageEdit> = fc.record({
  kind: fc.constantFrom('cut', 'delete', 'insert', 'byte'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  what: fc.constantFrom(...insertedTexts),
  value: fc.nat(255),
})
function applyEdit(messageText: string, { kind, at, what, value }: MessageEdit): string {
  // Only the first 400 characters are changed: the rest of a message with a file is mostly the file's content, in which a change reveals few faults.
  const characterIndex = Math.floor(at * Math.min(messageText.length, 400))
  if (kind === 'cut') return messageText.slice(0, characterIndex)
  if (kind === 'delete') return messageText.slice(0, characterIndex) + messageText.slice(characterIndex + 1 + (value % 20))
  return (
    messageText.slice(0, characterIndex) +
    (kind === 'insert' ? what : String.fromCharCode(value)) +
    messageText.slice(characterIndex + (kind === 'byte' ? 1 : 0))
  )
}
const anyConversation = fc.record({
  texts: fc.array(fc.constantFrom(...httpMessages), { minLength: 1, maxLength: 4 }),
  edits: fc.array(anyEdit, { maxLength: 3 }),
  end: fc.constantFrom('wait' as const, 'half' as const, 'reset' as const),
})

it('malformed, interrupted and pipelined requests never end the server, and leave no upload on the disk', async () => {
  const { seed, minutes = 1 } = readLongFuzzRun()
  const endMs = performance.now() + (minutes / 2) * 60_000
  const countByStatus: Record<string, number> = {}
  let exchangeCount = 0
  for (let round = 0; performance.now() < endMs || round === 0; round++) {
    const sampledConversations = fc.sample(anyConversation, { numRuns: 200, seed: computeSeed(seed, round) })
    for (let firstIndex = 0; firstIndex < sampledConversations.length; firstIndex += 50) {
      const responseTexts = await Promise.all(
        sampledConversations
          .slice(firstIndex, firstIndex + 50)
          .map(({ texts, edits: changes, end }) => exchangeBytes(Buffer.from(changes.reduce(applyEdit, texts.join('')), 'latin1'), end)),
      )
      for (const responseText of responseTexts) {
        exchangeCount++
        for (const [, status = ''] of responseText.matchAll(/^HTTP\/1\.1 (\d{3}) /gm))
          countByStatus[status] = (countByStatus[status] ?? 0) + 1
        expect(responseText).not.toMatch(/^HTTP\/1\.1 5(?!03)\d\d /m)
        expect(responseText).not.toMatch(/\n\s+at |node_modules|SQLITE/)
      }
    }
    expect(await isServerAlive(), `FUZZ_SEED=${seed}, round ${round}:\n${site.readLog().slice(-2000)}`).toBe(true)
  }
  console.info(JSON.stringify({ seed, exchanges: exchangeCount, statuses: countByStatus }))
  const logText = site.readLog()
  expect(
    logText
      .split('\n')
      .filter((line) => /"level":[56]0/.test(line))
      .slice(0, 5),
  ).toEqual([])
  await expect.poll(() => readdirSync(join(site.dataDir, 'conversions')).filter((name) => name.endsWith('.upload'))).toEqual([])
})

it('pipelined requests are answered in their order', async () => {
  const socket = openSocket()
  let answerText = ''
  socket.on('data', (chunk: Buffer) => {
    answerText += chunk.toString('latin1')
  })
  await once(socket, 'connect')
  const urlPaths = ['/healthz', '/robots.txt', '/api/song/get?s=x', '/healthz', '/api/nothing']
  socket.write(
    urlPaths
      .map((path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${path === '/api/nothing' ? 'Connection: close\r\n' : ''}\r\n`)
      .join(''),
  )
  await once(socket, 'close')
  // The body of a response need not end with a line break.
  expect([...answerText.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)).toEqual(['200', '200', '404', '200', '404'])
})

it('the server ends a connection on which the head or the body arrives a byte at a time', async () => {
  const openSockets = [
    ...[
      'POST /api/contact/request HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: local',
    ].map((messageStart) => {
      const socket = openSocket()
      socket.write(messageStart)
      const timer = setInterval(() => socket.write('x'), 500)
      return new Promise((done) => socket.once('close', done)).finally(() => clearInterval(timer))
    }),
  ]
  await Promise.all(openSockets)
  expect(await isServerAlive()).toBe(true)
})
