import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../test-app.ts'
import { endStalledResponses } from './stalled-responses.ts'

const SONG_COUNT = 60_000
const CONNECTION_IDLE_MAX_MS = 6000
const BYTES_PER_MIB = 1_048_576
const LONG_LIST_PATH = '/api/playlist/get?p=night-drive'
const MEMBERS_PATH = '/api/member/all'

let site: TestApp
let port: number
const sockets: Socket[] = []

/** Starts a site with a playlist of 60,000 songs, and with a list of members of 2 MB, which is sent as a whole. */
beforeEach(async () => {
  site = await createTestApp(
    {},
    {
      sendsStreams: true,
      wrapStorage: (storage) => ({
        ...storage,
        playlists: {
          ...storage.playlists,
          get: async (playlistId, { limit, offset }, readOptions) => {
            const foundPlaylist = await storage.playlists.get(playlistId, { limit: 1, offset: 0 }, readOptions)
            const [song] = foundPlaylist?.songs ?? []
            const songCount = Math.max(0, Math.min(limit, SONG_COUNT - offset))
            return (
              foundPlaylist &&
              song && { ...foundPlaylist, songs: Array.from({ length: songCount }, (_, n) => ({ ...song, title: `Song ${offset + n}` })) }
            )
          },
        },
        members: {
          ...storage.members,
          list: async ({ limit, offset }) => {
            const [member] = await storage.members.list({ limit: 1, offset: 0 })
            const count = Math.max(0, Math.min(limit, 2000 - offset))
            return Array.from({ length: count }, () => ({ ...member, testimonial: 'x'.repeat(1000) }) as NonNullable<typeof member>)
          },
        },
      }),
    },
  )
  await site.app.listen({ host: '127.0.0.1', port: 0 })
  const address = site.app.server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await site.close()
})

/** Sends a request from one of this machine's addresses. The socket reads nothing until `resume` or `read` is called. */
function openRequestSocket(urlPath: string, clientNumber = 1): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${clientNumber}` })
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(`GET ${urlPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  sockets.push(socket)
  return socket
}

/** Reads a response to its end, `chunkBytes` at a time, with a pause after each chunk. */
async function readAll(socket: Socket, chunkBytes = Number.POSITIVE_INFINITY, pauseMs = 0): Promise<string> {
  const responseChunks: Buffer[] = []
  let receivedBytes = 0
  for await (const responseChunk of socket) {
    responseChunks.push(responseChunk as Buffer)
    receivedBytes += (responseChunk as Buffer).length
    if (receivedBytes >= chunkBytes) {
      receivedBytes = 0
      await sleep(pauseMs)
    }
  }
  return Buffer.concat(responseChunks).toString()
}

const countConnections = () => new Promise<number>((resolve) => site.app.server.getConnections((_error, count) => resolve(count)))

it('60 clients that do not read a long list use little memory, and are disconnected to serve others', { tags: ['long'] }, async () => {
  const rssBefore = process.memoryUsage().rss
  for (let n = 0; n < 60; n++) openRequestSocket(`${LONG_LIST_PATH}&n=${n}`, 1 + (n % 20))
  // The server answers requests for lists in turn, so the response to this request comes last.
  expect((await readAll(openRequestSocket(LONG_LIST_PATH, 99))).slice(-300)).toContain(`"title":"Song ${SONG_COUNT - 1}"`)
  expect(await countConnections()).toBeLessThan(20)
  expect((process.memoryUsage().rss - rssBefore) / BYTES_PER_MIB, 'MiB').toBeLessThan(300)
  expect(await readAll(openRequestSocket('/healthz', 99))).toMatch(/^HTTP\/1.1 200/)
  for (const socket of sockets.splice(0)) socket.destroy()
  await vi.waitUntil(async () => (await countConnections()) === 0)
  expect((await readAll(openRequestSocket(LONG_LIST_PATH, 99))).slice(-300)).toContain(`"title":"Song ${SONG_COUNT - 1}"`)
})

it('a client that does not read its responses gets 503 with all headers for large bodies, and still gets short lists', async () => {
  await readAll(openRequestSocket(MEMBERS_PATH, 3))
  for (let n = 0; n < 5; n++) openRequestSocket(`${LONG_LIST_PATH}&n=${n}`, 2)
  const refusedAnswer = await readAll(openRequestSocket(`${LONG_LIST_PATH}&n=6`, 2))
  expect(refusedAnswer).toMatch(/^HTTP\/1.1 503/)
  expect(refusedAnswer).toMatch(/retry-after: 5/i)
  const refusedCachedAnswer = await readAll(openRequestSocket(MEMBERS_PATH, 2))
  expect(refusedCachedAnswer).toMatch(/^HTTP\/1.1 503/)
  expect(refusedCachedAnswer).toMatch(/x-content-type-options: nosniff/i)
  expect(await readAll(openRequestSocket(`${LONG_LIST_PATH}&limit=5`, 2))).toMatch(/^HTTP\/1.1 200/)
})

it('one client that does not read cannot use up all capacity: others are still served', { tags: ['long'] }, async () => {
  for (let n = 0; n < 60; n++) openRequestSocket(n % 2 === 0 ? `${LONG_LIST_PATH}&n=${n}` : `${MEMBERS_PATH}?n=${n}`, 2)
  await sleep(1500)
  expect(await readAll(openRequestSocket(LONG_LIST_PATH, 3))).toMatch(/^HTTP\/1.1 200/)
  expect(await readAll(openRequestSocket(MEMBERS_PATH, 3))).toMatch(/^HTTP\/1.1 200/)
})

it('a large body that many clients request is in memory only once', async () => {
  await readAll(openRequestSocket(MEMBERS_PATH))
  for (let n = 0; n < 100; n++) openRequestSocket(MEMBERS_PATH, 2)
  await sleep(1000)
  expect(await readAll(openRequestSocket(MEMBERS_PATH, 2))).toMatch(/^HTTP\/1.1 200/)
  expect(await readAll(openRequestSocket(`${MEMBERS_PATH}?n=1`, 2))).toMatch(/^HTTP\/1.1 200/)
})

it('the connection of a client that does not read is closed, and that of a client that reads slowly is not', {
  tags: ['long'],
}, async () => {
  endStalledResponses(site.app.server, CONNECTION_IDLE_MAX_MS)
  openRequestSocket(LONG_LIST_PATH)
  const slowRequest = openRequestSocket(`${LONG_LIST_PATH}&n=1`, 2)
  // Together, the pauses are longer than a connection may be idle.
  expect(await readAll(slowRequest, BYTES_PER_MIB, CONNECTION_IDLE_MAX_MS / 10)).toContain(`"title":"Song ${SONG_COUNT - 1}"`)
  await vi.waitUntil(async () => (await countConnections()) === 0)
})
