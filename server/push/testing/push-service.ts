import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { jwtVerify } from 'jose'
import type { PushTarget } from '../web-push.ts'

/** A push as a browser receives it. */
export interface ReceivedPush {
  path: string
  payload: unknown
  ttl: string | undefined
  topic: string | undefined
  claims: Record<string, unknown>
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** Decrypts a record of `aes128gcm` with the keys of a browser, step by step as RFC 8291 (section 3.4) and RFC 8188 (section 2) describe it. */
function decryptBody(encryptedBody: Buffer, browserKeys: ReturnType<typeof createECDH>, authSecret: Buffer): Buffer {
  const [salt, recordSize, keyLength] = [encryptedBody.subarray(0, 16), encryptedBody.readUInt32BE(16), encryptedBody.readUInt8(20)]
  const serverKey = encryptedBody.subarray(21, 21 + keyLength)
  const recordBytes = encryptedBody.subarray(21 + keyLength)
  if (recordBytes.length > recordSize) throw new Error('the record is longer than it says')
  const infoBytes = Buffer.concat([Buffer.from('WebPush: info\0'), browserKeys.getPublicKey(), serverKey])
  const keyMaterial = Buffer.from(hkdfSync('sha256', browserKeys.computeSecret(serverKey), authSecret, infoBytes, 32))
  const contentKey = Buffer.from(hkdfSync('sha256', keyMaterial, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonceBytes = Buffer.from(hkdfSync('sha256', keyMaterial, salt, 'Content-Encoding: nonce\0', 12))
  const recordDecipher = createDecipheriv('aes-128-gcm', contentKey, nonceBytes)
  recordDecipher.setAuthTag(recordBytes.subarray(-16))
  const paddedBytes = Buffer.concat([recordDecipher.update(recordBytes.subarray(0, -16)), recordDecipher.final()])
  const end = paddedBytes.lastIndexOf(2)
  if (paddedBytes.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is not of the last record')
  return paddedBytes.subarray(0, end)
}

/**
 * Starts a push service on this machine, with simulated browsers that receive the accepted pushes. The service refuses pushes whose token or
 * encryption is wrong.
 */
export async function startPushService(publicKey: string) {
  const browserByPath = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer; status: number }>()
  const receivedPushes: ReceivedPush[] = []
  const refusedRequests: string[] = []

  async function acceptPush(request: IncomingMessage): Promise<number> {
    const browser = browserByPath.get(request.url ?? '')
    if (browser === undefined) return 404
    const [, vapidToken = '', vapidKey] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(request.headers.authorization ?? '') ?? []
    if (vapidKey !== publicKey) throw new Error('the key is not that of the subscription')
    const publicPoint = Buffer.from(vapidKey, 'base64url')
    const [x, y] = [publicPoint.toString('base64url', 1, 33), publicPoint.toString('base64url', 33)]
    const { payload: tokenClaims } = await jwtVerify(
      vapidToken,
      createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }),
      {
        algorithms: ['ES256'],
        audience: serviceOrigin,
        currentDate: new Date(nowMs),
        requiredClaims: ['exp', 'sub'],
      },
    )
    if (Number(tokenClaims.exp) * 1000 > nowMs + 86_400_000) throw new Error('the token is valid for more than a day')
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('the content coding is not aes128gcm')
    const decryptedPayload = decryptBody(await readBody(request), browser.keys, browser.auth)
    if (browser.status === 201)
      receivedPushes.push({
        ...{ path: request.url ?? '', payload: JSON.parse(decryptedPayload.toString()), claims: tokenClaims },
        ...{ ttl: request.headers.ttl?.toString(), topic: request.headers.topic?.toString() },
      })
    return browser.status
  }

  let nowMs = 0
  const server = createServer((request, response) => {
    acceptPush(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        refusedRequests.push(String(error))
        response.writeHead(403).end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe, because the server listens to a port.
  const serviceOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin: serviceOrigin,
    received: receivedPushes,
    refusals: refusedRequests,
    setTime: (ms: number) => {
      nowMs = ms
    },
    /** Answers the further pushes to a subscribed browser with `statusCode`. */
    setStatus(urlPath: string, statusCode: number) {
      const browser = browserByPath.get(urlPath)
      if (browser) browser.status = statusCode
    },
    /** Subscribes a browser, whose pushes are answered with `statusCode`. */
    subscribe(urlPath: string, statusCode = 201): PushTarget {
      const browserKeys = createECDH('prime256v1')
      browserKeys.generateKeys()
      const auth = randomBytes(16)
      browserByPath.set(urlPath, { keys: browserKeys, auth, status: statusCode })
      return { endpoint: serviceOrigin + urlPath, p256dh: browserKeys.getPublicKey('base64url'), auth: auth.toString('base64url') }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
