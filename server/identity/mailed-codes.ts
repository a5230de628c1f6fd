import { subtle } from 'node:crypto'
import type { KeyRing } from './keys.ts'
import { hashSecret } from './secrets.ts'
import type { CodeKind } from './store-codes.ts'

/**
 * Returns a function that derives the code of a mailed link from the signing key, so that the same code can be mailed again although only its hash
 * is stored. A code has 256 bits, which nobody can compute without the key. If the key has been rotated, the same account and time yield another
 * code.
 */
export function createMailedCodeDeriver(keyRing: KeyRing) {
  return async function deriveMailedCode(uid: string, kind: CodeKind, expiresMs: number): Promise<string> {
    const { privateKey } = await keyRing.getSigningKey()
    // The signed text cannot be mistaken for an identity token, because the signed text of a token contains a dot.
    const signature = await subtle.sign('RSASSA-PKCS1-v1_5', privateKey, Buffer.from(`mailed code ${kind} ${uid} ${expiresMs}`))
    return hashSecret(Buffer.from(signature).toString('base64url'))
  }
}
export type DeriveMailedCode = ReturnType<typeof createMailedCodeDeriver>
