import { createCipheriv, createECDH, createPrivateKey, hkdfSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The endpoint at which a browser receives pushes, and the browser's keys in base64url (RFC 8291, 3.2 and 3.3). */
export interface PushTarget {
  endpoint: string
  p256dh: string
  auth: string
}

/** The key that identifies the server to push services (RFC 8292). */
export interface VapidKey {
  /** The public key in base64url, with which a page subscribes. */
  publicKey: string
  privateKey: KeyObject
}

const ELLIPTIC_CURVE = 'prime256v1'
/** The size of the record that a payload is encrypted into. Push services accept 4,096 bytes. */
const RECORD_BYTES = 4096
/** The lifetime of a token. Push services accept a day at most. */
const TOKEN_LIFETIME_S = 12 * 3600
/** How long a push service stores a push for a browser that is not running. */
const TIME_TO_LIVE_S = 2 * 86_400
const SEND_TIMEOUT_MS = 10_000

const decodeBase64 = (text: string) => Buffer.from(text, 'base64url')

/** Returns a new private key in base64url. */
export function createVapidPrivateKey(): string {
  const ecdhKeys = createECDH(ELLIPTIC_CURVE)
  ecdhKeys.generateKeys()
  // A private key may begin with zero bytes, which `getPrivateKey` leaves out.
  return Buffer.concat([Buffer.alloc(32), ecdhKeys.getPrivateKey()])
    .subarray(-32)
    .toString('base64url')
}

/** Reads a private key in base64url. @throws Error if the text is not a private key */
export function readVapidKey(keyText: string): VapidKey {
  const ecdhKeys = createECDH(ELLIPTIC_CURVE)
  ecdhKeys.setPrivateKey(decodeBase64(keyText))
  const publicKey = ecdhKeys.getPublicKey()
  const [x, y] = [publicKey.toString('base64url', 1, 33), publicKey.toString('base64url', 33)]
  return {
    publicKey: publicKey.toString('base64url'),
    privateKey: createPrivateKey({ key: { kty: 'EC', crv: 'P-256', d: keyText, x, y }, format: 'jwk' }),
  }
}

/**
 * Encrypts a payload for a browser (RFC 8291), as one record of the content coding `aes128gcm` (RFC 8188). `fixedRandomness` replaces the one-time key and the
 * salt in tests. @throws Error if the browser's key is not a point of the curve
 */
export function encryptPayload(
  { p256dh, auth }: Pick<PushTarget, 'p256dh' | 'auth'>,
  payloadBytes: Buffer,
  fixedRandomness?: { privateKey: Buffer; salt: Buffer },
): Buffer {
  const ecdhKeys = createECDH(ELLIPTIC_CURVE)
  if (fixedRandomness) ecdhKeys.setPrivateKey(fixedRandomness.privateKey)
  else ecdhKeys.generateKeys()
  const salt = fixedRandomness?.salt ?? randomBytes(16)
  const [ownKey, browserKey] = [ecdhKeys.getPublicKey(), decodeBase64(p256dh)]
  const deriveKey = (secret: Buffer, saltOf: Buffer, info: Buffer, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, saltOf, info, length))
  const sharedInfo = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey])
  const sharedSecret = deriveKey(ecdhKeys.computeSecret(browserKey), decodeBase64(auth), sharedInfo, 32)
  const contentKey = deriveKey(sharedSecret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonceBytes = deriveKey(sharedSecret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const contentCipher = createCipheriv('aes-128-gcm', contentKey, nonceBytes)
  // The byte 2 ends the last record.
  const recordBytes = Buffer.concat([
    contentCipher.update(payloadBytes),
    contentCipher.update(Buffer.from([2])),
    contentCipher.final(),
    contentCipher.getAuthTag(),
  ])
  const headerBytes = Buffer.alloc(5)
  headerBytes.writeUInt32BE(RECORD_BYTES)
  headerBytes.writeUInt8(ownKey.length, 4)
  return Buffer.concat([salt, headerBytes, ownKey, recordBytes])
}

/** Returns the value of the header `Authorization`, with a token for the push service at `origin` (RFC 8292). */
function createVapidAuthorization(
  { publicKey, privateKey }: VapidKey,
  { origin, contact, nowMs }: { origin: string; contact: string; nowMs: number },
) {
  const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const tokenClaims = { aud: origin, exp: Math.floor(nowMs / 1000) + TOKEN_LIFETIME_S, sub: contact }
  const signedText = `${encodeJson({ typ: 'JWT', alg: 'ES256' })}.${encodeJson(tokenClaims)}`
  const signature = sign('sha256', Buffer.from(signedText), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${signedText}.${signature}, k=${publicKey}`
}

/**
 * `gone`: the browser no longer receives pushes at this endpoint. `unavailable`: the push service could not be reached, or asks to send the push later.
 * `refused`: the push service does not accept the push.
 */
export type PushOutcome = 'sent' | 'gone' | 'unavailable' | 'refused'

/** Sends one push. A push of the same topic that a browser has not received yet is replaced. */
export async function sendPush(
  target: PushTarget,
  payloadObject: object,
  { vapidKey, contact, nowMs }: { vapidKey: VapidKey; contact: string; nowMs: number },
): Promise<PushOutcome> {
  try {
    const { status } = await fetch(target.endpoint, {
      method: 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
      headers: {
        Authorization: createVapidAuthorization(vapidKey, { origin: new URL(target.endpoint).origin, contact, nowMs }),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(TIME_TO_LIVE_S),
        Topic: 'new-songs',
      },
      body: new Uint8Array(encryptPayload(target, Buffer.from(JSON.stringify(payloadObject)))),
    })
    if (status === 404 || status === 410) return 'gone'
    if (status === 429 || status >= 500) return 'unavailable'
    return status >= 200 && status < 300 ? 'sent' : 'refused'
  } catch {
    return 'unavailable'
  }
}
