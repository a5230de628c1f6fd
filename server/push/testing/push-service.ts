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
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, authSecret: Buffer): Buffer {
  const [salt, recordSize, keyLength] = [body.subarray(0, 16), body.readUInt32BE(16), body.readUInt8(20)]
  const serverKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  if (record.length > recordSize) throw new Error('the record is longer than it says')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), serverKey])
  const keyMaterial = Buffer.from(hkdfSync('sha256', browser.computeSecret(serverKey), authSecret, info, 32))
  const key = Buffer.from(hkdfSync('sha256', keyMaterial, salt, 'Content-Encoding: aes128gcm\0', 16))
  const nonce = Buffer.from(hkdfSync('sha256', keyMaterial, salt, 'Content-Encoding: nonce\0', 12))
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = padded.lastIndexOf(2)
  if (padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('the padding is not of the last record')
  return padded.subarray(0, end)
}

/**
 * Starts a push service on this machine, with simulated browsers that receive the accepted pushes. The service refuses pushes whose token or
 * encryption is wrong.
 */
export async function startPushService(publicKey: string) {
  const browsers = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer; status: number }>()
  const receivedPushes: ReceivedPush[] = []
  const refusals: string[] = []

  async function accept(request: IncomingMessage): Promise<number> {
    const browser = browsers.get(request.url ?? '')
    if (browser === undefined) return 404
    const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(request.headers.authorization ?? '') ?? []
    if (key !== publicKey) throw new Error('the key is not that of the subscription')
    const publicPoint = Buffer.from(key, 'base64url')
    const [x, y] = [publicPoint.toString('base64url', 1, 33), publicPoint.toString('base64url', 33)]
    const { payload: claims } = await jwtVerify(token, createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' }), {
      algorithms: ['ES256'],
      audience: origin,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'sub'],
    })
    if (Number(claims.exp) * 1000 > nowMs + 86_400_000) throw new Error('the token is valid for more than a day')
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('the content coding is not aes128gcm')
    const payload = decrypt(await readBody(request), browser.keys, browser.auth)
    if (browser.status === 201)
      receivedPushes.push({
        ...{ path: request.url ?? '', payload: JSON.parse(payload.toString()), claims },
        ...{ ttl: request.headers.ttl?.toString(), topic: request.headers.topic?.toString() },
      })
    return browser.status
  }

  let nowMs = 0
  const server = createServer((request, response) => {
    accept(request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        refusals.push(String(error))
        response.writeHead(403).end()
      },
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The cast is safe, because the server listens to a port.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    received: receivedPushes,
    refusals,
    setTime: (ms: number) => {
      nowMs = ms
    },
    /** Subscribes a browser, whose pushes are answered with `status`. */
    subscribe(urlPath: string, status = 201): PushTarget {
      const keys = createECDH('prime256v1')
      keys.generateKeys()
      const auth = randomBytes(16)
      browsers.set(urlPath, { keys, auth, status })
      return { endpoint: origin + urlPath, p256dh: keys.getPublicKey('base64url'), auth: auth.toString('base64url') }
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
