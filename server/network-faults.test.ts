import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createCertificate } from '../e2e/stand-ins/certificate.ts'
import { createYoutubeApi } from './admin/youtube/youtube-api.ts'
import { createDiscordClient } from './discord/discord.ts'
import { openS3Store } from './files/s3-store.ts'
import { createFirebaseIssuer, createGoogleKeys, createTokenVerifier } from './identity/token-verifier.ts'
import { createLog } from './log.ts'
import { createMailDelivery, isPermanentRefusal } from './mail/delivery.ts'
import { createPictureFetch, sendRequestTo } from './pictures/fetch.ts'
import { createPoolQueries, openPool } from './storage/dialects/postgres-connection.ts'
import { type FaultyPeer, type PeerDialogue, type PeerFault, peerFaults, startFaultyPeer } from './testing/faulty-peer.ts'

// Tests every outgoing connection of the server with each network error at each moment. A fault must cause an error only in the call that
// meets it. An error without a listener fails the run.

const CALL_TIMEOUT_MS = 150
/**
 * The broadcast address of the loopback network. A TCP connection to it fails immediately, within the call that opens it, as to an address without a
 * route.
 */
const UNREACHABLE_ADDRESS = '127.255.255.255'
const UNKNOWN_HOST = 'no-such-host.invalid'

interface PeerConnection {
  dialogue: PeerDialogue
  /** The moments at which faults are simulated: for each name, the number of bytes that the peer has sent by then. */
  sentBytesByMoment: Record<string, number>
  /** Whether the peer speaks TLS in all tests, also in those in which TLS is not the fault. */
  isAlwaysTls?: boolean
  isExcluded?: (moment: string, fault: PeerFault) => boolean
  /** Calls the peer. Returns the error that the caller receives. */
  call(target: { host: string; port: number; isTls: boolean }): Promise<unknown>
  /** The error that the caller receives after any of the faults. */
  expectedFailure: unknown
}

function createHttpDialogue(bodyText: string, statusLine = '200 OK') {
  const responseHead = `HTTP/1.1 ${statusLine}\r\ncontent-type: application/json\r\ncontent-length: ${bodyText.length}\r\n\r\n`
  return {
    dialogue: { replyTo: (message: string) => (message.includes('\r\n\r\n') ? responseHead + bodyText : undefined) },
    sentBytesByMoment: {
      'after the request': 0,
      'in the headers': 30,
      'in the body': responseHead.length + Math.floor(bodyText.length / 2),
    },
  }
}

const createOrigin = ({ host, port, isTls }: { host: string; port: number; isTls: boolean }) =>
  `${isTls ? 'https' : 'http'}://${host}:${port}`

/** A token of the right form, for which the verifier requests the keys. */
const TOKEN_PARTS = [{ alg: 'RS256', kid: 'a' }, { sub: 'a' }, 'signature']
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .join('.')

const smtpReplies = ['220 ready\r\n', '250 ok\r\n', '250 ok\r\n', '250 ok\r\n', '354 go ahead\r\n', '250 ok\r\n']
const countReplyBytes = (count: number) => smtpReplies.slice(0, count).join('').length

/** A message of PostgreSQL's protocol consists of a letter, the length and the content. */
const createPgMessage = (letter: string, content: string) =>
  `${letter}${Buffer.from([0, 0, 0, content.length + 4]).toString('latin1')}${content}`
const pgReadyMessage = createPgMessage('Z', 'I')
const pgStartedMessage = createPgMessage('R', '\0\0\0\0') + pgReadyMessage
const pgDialogue: PeerDialogue = {
  // In PostgreSQL's protocol, a query message begins with a letter, and the first message of a connection begins with its length.
  replyTo: (message) => (message.startsWith('\0') ? pgStartedMessage : createPgMessage('C', 'SELECT 0\0') + pgReadyMessage),
}
const createPgUrl = ({ host, port }: { host: string; port: number }) => `postgres://a:b@${host}:${port}/c`

const connectionByName: Record<string, PeerConnection> = {
  pictures: {
    ...createHttpDialogue('x'.repeat(400)),
    isAlwaysTls: true,
    // This case is excluded, because invalid bytes of a picture cause an error only later, when the picture is decoded.
    isExcluded: (moment, fault) => moment === 'in the body' && fault === 'garbage',
    call: ({ host, port }) =>
      createPictureFetch({
        timeoutMs: CALL_TIMEOUT_MS,
        resolve: async () => (host === UNKNOWN_HOST ? Promise.reject(new Error('ENOTFOUND')) : ['93.184.216.34']),
        send: (_url, _address, signal) => sendRequestTo(new URL(`https://pictures.example:${port}/`), host, signal),
      })('https://pictures.example/'),
    expectedFailure: { name: 'PictureFetchError', kind: 'unreachable' },
  },
  Discord: {
    ...createHttpDialogue(JSON.stringify({ access_token: 'x'.repeat(400) })),
    call: (target) =>
      createDiscordClient({ clientId: 'a', clientSecret: 'b', apiBase: createOrigin(target) }, 'https://example.org').identityOf('c', 'd'),
    expectedFailure: { name: 'DiscordError', outcome: 'unavailable' },
  },
  'Discord that is down': {
    ...createHttpDialogue('x'.repeat(400), '503 Service Unavailable'),
    call: (target) =>
      createDiscordClient({ clientId: 'a', clientSecret: 'b', apiBase: createOrigin(target) }, 'https://example.org').identityOf('c', 'd'),
    expectedFailure: { name: 'DiscordError', outcome: 'unavailable' },
  },
  YouTube: {
    ...createHttpDialogue(JSON.stringify({ items: [{ snippet: { title: 'x'.repeat(400), description: '' } }] })),
    call: (target) => createYoutubeApi({ apiKey: 'a', apiBase: createOrigin(target) }, { delay: async () => {} }).readPlaylist('PL1'),
    expectedFailure: { name: 'InterruptedError' },
  },
  'the bucket of files': {
    ...createHttpDialogue(`<ListBucketResult>${'x'.repeat(400)}</ListBucketResult>`),
    // Excluded, because garbage in a list of files is read as a list without files.
    isExcluded: (moment, fault) => moment === 'in the body' && fault === 'garbage',
    call: (peerAddress) =>
      openS3Store(
        { bucket: 'bucket', prefix: '', endpoint: createOrigin(peerAddress), region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' },
        { stallMs: CALL_TIMEOUT_MS, retryPausesMs: [] },
      ),
    expectedFailure: { name: 'FileStoreError' },
  },
  "Google's keys": {
    ...createHttpDialogue(JSON.stringify({ keys: [], padding: 'x'.repeat(400) })),
    call: (target) =>
      createTokenVerifier(createFirebaseIssuer('demo', createGoogleKeys(new URL(createOrigin(target)))), Date.now)(TOKEN_PARTS),
    expectedFailure: { code: 503 },
  },
  mail: {
    dialogue: {
      greeting: '220 ready\r\n',
      replyTo: (messageText) => {
        if (messageText === 'DATA\r\n') return '354 go ahead\r\n'
        const isMessage = messageText.includes('Subject:')
        return messageText.endsWith(isMessage ? '\r\n.\r\n' : '\r\n') ? '250 ok\r\n' : undefined
      },
    },
    sentBytesByMoment: {
      'in the greeting': 5,
      'after EHLO': countReplyBytes(1),
      'after MAIL FROM': countReplyBytes(2),
      'after RCPT TO': countReplyBytes(3),
      'in the reply to DATA': countReplyBytes(4) + 5,
      'after the message': countReplyBytes(5),
    },
    call: async ({ host, port, isTls }) => {
      const timeoutFields = ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout'].map(
        (name) => `${name}=${CALL_TIMEOUT_MS}`,
      )
      const siteConfig = {
        smtpUrl: `smtp${isTls ? 's' : ''}://${host}:${port}?${timeoutFields.join('&')}`,
        mailFrom: 'no-reply@example.org',
        dataDir: '',
      }
      const testMail = {
        id: 'a',
        to: 'ann@example.com',
        subject: 'A',
        text: 'Text',
        expiresMs: 2,
        createdMs: 1,
        attempts: 1,
        claimedUntilMs: 2,
      }
      try {
        return await createMailDelivery(siteConfig, createLog('silent'))(testMail)
      } catch (error) {
        throw { isPermanent: isPermanentRefusal(error) }
      }
    },
    expectedFailure: { isPermanent: false },
  },
  PostgreSQL: {
    dialogue: pgDialogue,
    sentBytesByMoment: {
      'after the start': 0,
      'in the answer to the start': 5,
      'after a query': pgStartedMessage.length,
      'in the answer to a query': pgStartedMessage.length + 8,
    },
    // These faults are excluded: a silent server is noticed only by the kernel's probes, after minutes, and a server that breaks its own
    // protocol is not a fault of the network.
    isExcluded: (moment, fault) => (moment.endsWith('query') && fault === 'silence') || fault === 'garbage',
    call: async ({ host, port, isTls }) => {
      const pool = openPool(createPgUrl({ host, port }) + (isTls ? '?sslmode=verify-full' : ''), CALL_TIMEOUT_MS)
      try {
        return await sql`select 1`.execute(createPoolQueries(pool))
      } finally {
        await pool.end()
      }
    },
    expectedFailure: { name: 'StorageError', fault: 'unreachable' },
  },
}

let peerCertificate: { key: Buffer; cert: Buffer }
let peer: FaultyPeer | undefined
beforeAll(async () => {
  peerCertificate = await createCertificate(['pictures.example'])
})
beforeEach(() => {
  const createTimeout = AbortSignal.timeout
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => createTimeout.call(AbortSignal, CALL_TIMEOUT_MS))
})
afterEach(async () => {
  await peer?.close()
  peer = undefined
  // Waits, so that a late error is still attributed to its test.
  await sleep(10)
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

/** Returns a port on which nothing listens. */
async function findClosedPort(): Promise<number> {
  const { port, close } = await startFaultyPeer({ dialogue: pgDialogue, fault: 'end', faultAfterBytes: undefined })
  await close()
  return port
}

describe.each(Object.entries(connectionByName))(
  '%s',
  (_name, { dialogue, sentBytesByMoment, isAlwaysTls = false, isExcluded, call, expectedFailure }) => {
    it('a host name that cannot be resolved fails only the current call', async () => {
      await expect(call({ host: UNKNOWN_HOST, port: 9, isTls: false })).rejects.toMatchObject(expectedFailure as object)
    })

    it.each([true, false])('an unreachable address fails only the current call (TLS: %s)', async (isTls) => {
      await expect(call({ host: UNREACHABLE_ADDRESS, port: 9, isTls })).rejects.toMatchObject(expectedFailure as object)
    })

    it('a refused connection fails only the current call', async () => {
      await expect(call({ host: '127.0.0.1', port: await findClosedPort(), isTls: false })).rejects.toMatchObject(expectedFailure as object)
    })

    it.each(peerFaults)('a fault while TLS begins fails only the current call: %s', async (peerFault) => {
      peer = await startFaultyPeer({ dialogue, fault: peerFault, faultAfterBytes: undefined })
      await expect(call({ host: '127.0.0.1', port: peer.port, isTls: true })).rejects.toMatchObject(expectedFailure as object)
    })

    it('an untrusted certificate fails only the current call', async () => {
      peer = await startFaultyPeer({ dialogue, fault: 'end', faultAfterBytes: 0, certificate: peerCertificate })
      await expect(call({ host: '127.0.0.1', port: peer.port, isTls: true })).rejects.toMatchObject(expectedFailure as object)
    })

    it.each(
      Object.entries(sentBytesByMoment)
        .flatMap(([moment, bytes]) => peerFaults.map((fault) => [fault, moment, bytes] as const))
        .filter(([fault, moment]) => isExcluded?.(moment, fault) !== true),
    )('a fault of the peer fails only the current call: %s %s', async (peerFault, _moment, faultAfterBytes) => {
      if (isAlwaysTls) vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
      peer = await startFaultyPeer({
        dialogue,
        fault: peerFault,
        faultAfterBytes,
        ...(isAlwaysTls ? { certificate: peerCertificate } : {}),
      })
      await expect(call({ host: '127.0.0.1', port: peer.port, isTls: isAlwaysTls })).rejects.toMatchObject(expectedFailure as object)
    })
  },
)

describe('PostgreSQL', () => {
  it('a connection that is lost while it is idle is replaced', async () => {
    peer = await startFaultyPeer({ dialogue: pgDialogue, fault: 'end', faultAfterBytes: Number.POSITIVE_INFINITY })
    const pool = openPool(createPgUrl({ host: '127.0.0.1', port: peer.port }))
    const queries = createPoolQueries(pool)
    await sql`select 1`.execute(queries)
    expect(pool.idleCount).toBe(1)
    peer.reset()
    await vi.waitFor(() => expect(pool.totalCount).toBe(0))
    await sql`select 1`.execute(queries)
    await queries.destroy()
  })

  it('a connection that is lost between two queries of a transaction fails only the transaction', async () => {
    peer = await startFaultyPeer({ dialogue: pgDialogue, fault: 'end', faultAfterBytes: Number.POSITIVE_INFINITY })
    const pool = openPool(createPgUrl({ host: '127.0.0.1', port: peer.port }))
    const queries = createPoolQueries(pool)
    const connectionLost = once(pool, 'connect').then(([client]) => once(client, 'end'))
    const transaction = queries.transaction().execute(async (innerQueries) => {
      await sql`select 1`.execute(innerQueries)
      peer?.reset()
      await connectionLost
      await sql`select 1`.execute(innerQueries)
    })
    await expect(transaction).rejects.toMatchObject({ name: 'StorageError', fault: 'unreachable' })
    await sql`select 1`.execute(queries)
    await queries.destroy()
  })
})
