import { subtle } from 'node:crypto'
import type { KeyRing } from './keys.ts'
import { hashOf } from './secrets.ts'
import type { CodeKind } from './store-codes.ts'

/**
 * Returns a function that derives the code of a mailed link from the signing key, so that the same code can be mailed again although only its hash is
 * stored. A code has 256 bits that nobody without the key can compute. After a change of the key the code of the same link is another one.
 */
export function createMailedCodes(keys: KeyRing) {
  return async function codeOf(uid: string, kind: CodeKind, expiresMs: number): Promise<string> {
    const { privateKey } = await keys.signingKey()
    // The text is no token: the parts of a token's signed text are joined by a point.
    const signature = await subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(`mailed code ${kind} ${uid} ${expiresMs}`))
    return hashOf(Buffer.from(signature).toString('base64url'))
  }
}
export type MailedCodeOf = ReturnType<typeof createMailedCodes>
